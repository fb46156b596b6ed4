"""Shooting and bouncing rays: radar cross sections of electrically large conducting bodies.

    import wavefield as wf

    result = wf.sbr.rcs("aircraft.stl", unit="mm", frequency=10e9, phi_deg=range(0, 181))
    result["rcs/vv_dbsm"]                # monostatic, V transmitted and received
    result["rcs/vv"]                     # √σ·e^{j phase}, the phase of the origin of coordinates

    result = wf.sbr.rcs("aircraft.stl", unit="mm", frequency=np.linspace(8e9, 12e9, 64),
                        phi_deg=np.linspace(-10, 10, 64), range_profile=True, image=True, centres=20)
    result["profile/dbsm"]               # [angles, down-ranges] over result["profile/down_range"]
    result["image/amplitude"]            # [down-ranges, cross-ranges], complex
    result.table("centres")              # the strongest points
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import List, Optional, Sequence, Tuple, Union

from wavefield.problem_text import Numbers, quantities
from wavefield.result import Result
from wavefield.runner import Progress, run


def rcs(
    mesh: Union[str, "os.PathLike[str]"],
    *,
    unit: str,
    frequency: Numbers,
    phi_deg: Numbers,
    theta_deg: Numbers = 90.0,
    seen_phi_deg: Optional[Numbers] = None,
    seen_theta_deg: Numbers = 90.0,
    step: float = 0.25,
    halvings: int = 4,
    bounces: int = 8,
    edges: bool = False,
    coat: Sequence[Tuple[float, complex, complex]] = (),
    channel: str = "VV",
    window: str = "taylor",
    range_profile: bool = False,
    image: bool = False,
    centres: int = 0,
    below_peak_db: float = 30.0,
    direct_image: Optional[Tuple[float, float]] = None,
    surface_map: bool = False,
    title: str = "Radar cross section",
    threads: Optional[int] = None,
    progress: Union[bool, Progress, None] = None,
) -> Result:
    """Scattering by the surface in a mesh file (STL, OBJ, Gmsh, INP), whose coordinates are in ``unit``.

    ``frequency`` is in Hz; waves come from every ``theta_deg`` with every ``phi_deg`` and are looked at from where
    they come from, or from every ``seen_theta_deg`` with every ``seen_phi_deg`` where these are given. ``step`` is the
    side of a ray's cell in wavelengths of the highest frequency, ``halvings`` how often it may be divided at
    silhouettes and edges, ``bounces`` the most reflections. With ``edges`` sharp edges and rims diffract.
    ``coat`` lists layers on the metal, from inside out, as (thickness in m, relative permittivity, relative
    permeability) with loss as a negative imaginary part; the mesh is the outer face. Edges of coated bodies do not
    diffract.

    Radar products of one ``channel`` ("VV", "VH", "HV" or "HH": received, transmitted), with a ``window`` ("taylor",
    "hann" or "none") over frequencies and angles:

    - ``range_profile``: ``profile/amplitude`` and ``profile/dbsm`` of every aspect over ``profile/down_range``, which is
      half the way of the wave, 0 at the origin of coordinates and positive away from the radar. Needs frequencies in
      even steps.
    - ``image``: ``image/amplitude`` and ``image/dbsm`` over ``image/down_range`` and ``image/cross_range``, which grows to
      the right as seen from the radar. Needs angles in even steps as well.
    - ``centres``: a table of as many scattering centres, none more than ``below_peak_db`` below the strongest.
    - ``direct_image=(down_range, cross_range)``: an image of this resolution in metres from the rays of the aspect and
      frequency in the middle of the sweep, ``direct_image/amplitude`` and so on; needs no sweep.
    - ``surface_map``: what leaves every triangle towards the radar, ``surface/amplitude`` and ``surface/dbsm``.

    Amplitudes are √σ·e^{j phase}; a lone point reads its own in profiles and images.
    """
    if seen_phi_deg is None:
        observation = 'observation = { kind = "monostatic" }'
    else:
        theta, phi = quantities(seen_theta_deg, "deg"), quantities(seen_phi_deg, "deg")
        observation = f'observation = {{ kind = "bistatic", theta = {theta}, phi = {phi} }}'
    file = json.dumps(str(Path(mesh).resolve()))
    products: List[str] = []
    if centres:
        products.append(f"centres = {{ count = {int(centres)}, below_peak = {float(below_peak_db)!r} }}")
    if direct_image is not None:
        down, cross = (f'"{float(length)!r} m"' for length in direct_image)
        products.append(f"direct_image = {{ down_range = {down}, cross_range = {cross} }}")
    text = "\n".join(
        [
            "format = 1",
            'solver = "sbr"',
            f"title = {json.dumps(title)}",
            f"frequency = {quantities(frequency, 'Hz')}",
            f'target = {{ shape = "mesh", mesh = {{ file = {file}, unit = {json.dumps(unit)} }} }}',
            f"incidence = {{ theta = {quantities(theta_deg, 'deg')}, phi = {quantities(phi_deg, 'deg')} }}",
            observation,
            f"rays = {{ step = {float(step)!r}, halvings = {int(halvings)}, bounces = {int(bounces)} }}",
            f"edges = {_switch(edges)}",
            *_coat(coat),
            "[products]",
            f"channel = {json.dumps(channel)}",
            f"window = {json.dumps(window)}",
            f"range_profile = {_switch(range_profile)}",
            f"image = {_switch(image)}",
            f"surface_map = {_switch(surface_map)}",
            *products,
            "",
        ]
    )
    return run(text, threads=threads, progress=progress)


def _coat(layers: Sequence[Tuple[float, complex, complex]]) -> List[str]:
    """A coat of the whole body, as a problem file has it."""
    if not layers:
        return []

    def number(value: complex) -> str:
        return f"[{complex(value).real!r}, {complex(value).imag!r}]"

    listed = ", ".join(
        f'{{ thickness = "{float(thickness)!r} m", material = {{ permittivity = {number(permittivity)}, '
        f"permeability = {number(permeability)} }} }}"
        for thickness, permittivity, permeability in layers
    )
    return [f"coats = [{{ layers = [{listed}] }}]"]


def _switch(on: bool) -> str:
    """Yes or no, as a problem file has it."""
    return "true" if on else "false"
