"""Reflectarray synthesis: element phases, and optionally spacings, for a beam over a coverage on the Earth.

    import wavefield as wf

    result = wf.reflectarray.synthesize(
        frequency=14.25e9,
        elements=(71, 71),
        spacing=0.5,
        feed=(0.0, -0.423, 0.833),
        feed_q=12,
        coverage={"countries": ["FRA", "ESP", "PRT"], "satellite_longitude": "5 deg", "margin": 0.002},
    )
    result["elements/phase"]             # phase shift of every element, degrees
    result["directivity/d_min"]          # minimum directivity over the coverage, dBi
    result["directivity/bound_min"]      # upper bound for any phases
    result["directivity/spillover_efficiency"]  # directivity times this is the gain
"""

from __future__ import annotations

from typing import Any, Iterable, Mapping, Optional, Sequence, Tuple, Union

from wavefield import problem
from wavefield.result import Result
from wavefield.runner import Progress, run


def synthesize(
    *,
    frequency: float,
    elements: Tuple[int, int],
    spacing: Union[float, Tuple[float, float]],
    feed: Sequence[float],
    feed_q: float,
    coverage: Mapping[str, Any],
    element: str = "isotropic",
    max_sidelobe_dbi: Optional[float] = None,
    transition: Optional[float] = None,
    title: str = "Reflectarray synthesis",
    threads: Optional[int] = None,
    progress: Union[bool, Progress, None] = None,
) -> Result:
    """Finds the phases that maximize the minimum directivity over a coverage, and an upper bound on it.

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
    mask = None
    if max_sidelobe_dbi is not None:
        mask = problem.table(level_dbi=max_sidelobe_dbi, transition=transition)
    distance: Union[str, problem.Table]
    if isinstance(spacing, Iterable):
        least, most = (problem.quantity(limit, "lambda") for limit in spacing)
        distance = {"min": least, "max": most}
    else:
        distance = problem.quantity(spacing, "lambda")
    return run(
        problem.problem(
            "reflectarray",
            title=title,
            frequency=frequency,
            feed={"position": problem.sweep(feed, "m"), "q": feed_q},
            lattice={"columns": columns, "rows": rows, "spacing": distance},
            element=element,
            coverage=coverage,
            sidelobe_mask=mask,
        ),
        threads=threads,
        progress=progress,
    )
