"""Reflectarray synthesis: element phases, and optionally spacings, for a beam over a coverage on the Earth.

    import wavefield as wf

    problem = wf.reflectarray.problem(
        frequency=14.25e9,
        elements=(71, 71),
        spacing=0.5,
        feed=(0.0, -0.423, 0.833),
        feed_q=12,
        coverage={"countries": ["FRA", "ESP", "PRT"], "satellite_longitude": "5 deg", "margin": 0.002},
    )
    result = wf.run(problem)
    result["elements/phase"]             # phase shift of every element, degrees
    result["directivity/d_min"]          # minimum directivity over the coverage, dBi
    result["directivity/bound_min"]      # upper bound for any phases
    result["directivity/spillover_efficiency"]  # directivity times this is the gain
"""

from __future__ import annotations

from typing import Iterable, Optional, Sequence, Tuple, Union

from wavefield.problem_types import Coverage, Element, ReflectarrayProblem, Spacing


def problem(
    *,
    frequency: float,
    elements: Tuple[int, int],
    spacing: Union[float, Tuple[float, float]],
    feed: Sequence[float],
    feed_q: float,
    coverage: Coverage,
    element: Element = "isotropic",
    max_sidelobe_dbi: Optional[float] = None,
    transition: Optional[float] = None,
    title: str = "Reflectarray synthesis",
) -> ReflectarrayProblem:
    """Returns the problem of the phases that maximize the minimum directivity over a coverage, with an upper bound on it.

    ``frequency`` is in Hz and ``feed`` the phase center (x, y, z) in meters; the array lies in the plane z = 0.
    ``feed_q`` is the exponent q of the feed's field pattern cos^q θ; its power pattern is cos^2q θ. ``elements`` are the
    numbers of columns and rows. ``spacing`` is in wavelengths: one number, or (min, max), between which the distances of
    rows and columns are free. ``coverage`` has the keys of a problem file: ``countries``, ``geojson``, ``box``,
    ``satellite_longitude``, ``polygons_uv``, ``ellipse``, ``margin``, ``simplify``, ``min_polygon_area``. ``element`` is
    "isotropic" or "aperture".

    ``max_sidelobe_dbi`` limits the directivity outside the coverage and a ``transition`` around it, whose width is in
    direction cosines (default: one beamwidth).
    """
    if transition is not None and max_sidelobe_dbi is None:
        raise ValueError("`transition` needs `max_sidelobe_dbi`")
    columns, rows = elements
    distance: Spacing
    if isinstance(spacing, Iterable):
        least, most = spacing
        distance = {"min": _wavelengths(least), "max": _wavelengths(most)}
    else:
        distance = _wavelengths(spacing)
    built: ReflectarrayProblem = {
        "solver": "reflectarray",
        "title": title,
        "frequency": float(frequency),
        "feed": {"position": [float(value) for value in feed], "q": float(feed_q)},
        "lattice": {"columns": columns, "rows": rows, "spacing": distance},
        "element": element,
        "coverage": coverage,
    }
    if max_sidelobe_dbi is not None:
        built["sidelobe_mask"] = {"level_dbi": max_sidelobe_dbi}
        if transition is not None:
            built["sidelobe_mask"]["transition"] = transition
    return built


def _wavelengths(value: float) -> str:
    return f"{float(value)!r} lambda"
