"""Reflectarray synthesis: phases, and spacings where they are free, for a beam over a region of the Earth.

    import wavefield as wf

    result = wf.reflectarray.synthesize(
        frequency=14.25e9,
        elements=(71, 71),
        spacing=0.5,
        feed=(0.0, -0.423, 0.833),
        feed_exponent=12,
        coverage={"countries": ["FRA", "ESP", "PRT"], "satellite_longitude": "5 deg", "margin": 0.002},
    )
    result["elements/phase"]             # what every element has to add, degrees
    result["directivity/d_min"]          # least directivity over the coverage, dBi
    result["directivity/bound_min"]      # and what no phases can exceed
    result["directivity/spillover_efficiency"]  # directivity times this is the gain
"""

from __future__ import annotations

import json
from typing import Any, Mapping, Optional, Sequence, Tuple, Union

from wavefield.problem_text import written
from wavefield.result import Result
from wavefield.runner import Progress, run


def synthesize(
    *,
    frequency: float,
    elements: Tuple[int, int],
    spacing: Union[float, Tuple[float, float]],
    feed: Sequence[float],
    feed_exponent: float,
    coverage: Mapping[str, Any],
    element: str = "even",
    ceiling: Optional[float] = None,
    transition: Optional[float] = None,
    title: str = "Reflectarray synthesis",
    threads: Optional[int] = None,
    progress: Union[bool, Progress, None] = None,
) -> Result:
    """Find the phases whose least directivity over a coverage is largest, and bound what is possible.

    ``frequency`` is in Hz and ``feed`` the phase center (x, y, z) in meters; the array lies in the plane z = 0.
    ``feed_exponent`` is the exponent q of the feed's field pattern cos^q; its power pattern is cos^2q.
    ``elements`` are the numbers of columns and rows. ``spacing`` is in wavelengths: one number, or the limits
    (least, most) between which the distances of rows and columns are free. ``coverage`` has the keys of
    the problem file: ``countries``, ``geojson``, ``box``, ``satellite_longitude``, ``polygons_uv``, ``ellipse``,
    ``margin``, ``simplify``, ``smallest_island``. ``element`` is "even" or "aperture".
    ``ceiling`` is the largest directivity in dBi outside the coverage and a ``transition`` around it, whose width is in
    direction cosines (one beamwidth if left out).
    """
    if transition is not None and ceiling is None:
        raise ValueError("a transition is that of a ceiling; give `ceiling` as well")
    columns, rows = elements
    x, y, z = (f"{_number(place)} m" for place in feed)
    if isinstance(spacing, (int, float)):
        distance = f'"{_number(spacing)} lambda"'
    else:
        least, most = spacing
        distance = f'{{ least = "{_number(least)} lambda", most = "{_number(most)} lambda" }}'
    text = "\n".join(
        [
            "format = 1",
            'solver = "reflectarray"',
            f"title = {json.dumps(title)}",
            f'frequency = "{_number(frequency)} Hz"',
            f"element = {json.dumps(element)}",
            f'feed = {{ position = ["{x}", "{y}", "{z}"], exponent = {_number(feed_exponent)} }}',
            f"lattice = {{ columns = {int(columns)}, rows = {int(rows)}, spacing = {distance} }}",
            f"coverage = {written(coverage)}",
            *_ceiling(ceiling, transition),
            "",
        ]
    )
    return run(text, threads=threads, progress=progress)


def _ceiling(level: Optional[float], transition: Optional[float]) -> Sequence[str]:
    """The lines of a problem file that ask for a ceiling."""
    if level is None:
        return []
    width = "" if transition is None else f", transition = {_number(transition)}"
    return [f"ceiling = {{ level_dbi = {_number(level)}{width} }}"]


def _number(value: float) -> str:
    """A number as TOML and quantities have it."""
    return repr(float(value))
