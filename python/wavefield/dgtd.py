"""Maxwell's equations in time on tetrahedra, by the discontinuous Galerkin method.

    import wavefield as wf

    sphere = {"name": "sphere", "shape": {"kind": "sphere", "radius": "300 mm"},
              "material": {"permittivity": 4.0}, "edge": "70 mm"}
    result = wf.dgtd.run(domain={"edge": "110 mm", "bodies": [sphere]}, frequency=900e6,
                         phi_deg=0, theta_deg=0, seen_theta_deg=range(0, 181), seen_phi_deg=0, polarisation="v")
    result["rcs/vv_dbsm"]                # bistatic radar cross section
    result["energy/1_energy"]            # energy in the mesh over time, dB
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Dict, Mapping, Optional, Sequence, Union

from wavefield.problem_text import Numbers, quantities, written
from wavefield.result import Result
from wavefield.runner import Progress
from wavefield.runner import run as _run


def run(
    *,
    frequency: Numbers,
    domain: Optional[Mapping[str, Any]] = None,
    mesh: Union[str, "os.PathLike[str]", None] = None,
    unit: Optional[str] = None,
    volumes: Optional[Mapping[str, Any]] = None,
    surfaces: Optional[Mapping[str, str]] = None,
    phi_deg: Optional[Numbers] = None,
    theta_deg: Numbers = 90.0,
    seen_phi_deg: Optional[Numbers] = None,
    seen_theta_deg: Numbers = 90.0,
    polarisation: str = "both",
    dipoles: Sequence[Mapping[str, Any]] = (),
    ports: Sequence[Mapping[str, Any]] = (),
    order: int = 3,
    precision: str = "single",
    title: str = "Waves in time",
    threads: Optional[int] = None,
    progress: Union[bool, Progress, None] = None,
    **more: Any,
) -> Result:
    """Advance the fields until they have gone, and transform them to every ``frequency`` (Hz).

    The space is a ``domain`` to be meshed by Gmsh (keys as in the problem file: ``bodies``, ``edge``, ``margin``,
    ``gap``, ``layer``), or a ``mesh`` file of tetrahedra with its ``unit`` and what its named ``volumes`` and
    ``surfaces`` are: ``{"glass": {"permittivity": 4.0}, "shell": "absorber"}``, ``{"body": "pec", "box": "huygens"}``.

    Plane waves come from every ``theta_deg`` with every ``phi_deg`` and are looked at from where they come from, or
    from every ``seen_theta_deg`` with every ``seen_phi_deg``. Without ``phi_deg``, ``dipoles`` (``position`` with units,
    ``moment`` in A·m) or ``ports`` (``surface``, ``direction``, ``resistance``) radiate towards the directions seen.
    ``order`` is that of the polynomials, 1 to 8. ``more`` are further keys of the problem file, such as ``time_step``.
    """
    lines = ["format = 1", 'solver = "dgtd"', f"title = {json.dumps(title)}", f"frequency = {quantities(frequency, 'Hz')}"]
    seen = None
    if seen_phi_deg is not None:
        seen = f"theta = {quantities(seen_theta_deg, 'deg')}, phi = {quantities(seen_phi_deg, 'deg')}"
    if phi_deg is not None:
        lines.append(f"incidence = {{ theta = {quantities(theta_deg, 'deg')}, phi = {quantities(phi_deg, 'deg')} }}")
        lines.append(f"polarisation = {json.dumps(polarisation)}")
        kind = 'kind = "monostatic"' if seen is None else f'kind = "bistatic", {seen}'
        lines.append(f"observation = {{ {kind} }}")
    elif seen is not None:
        lines.append(f"directions = {{ {seen} }}")
    file = None if mesh is None else {"file": str(Path(mesh).resolve()), "unit": unit or ""}
    asked: Dict[str, Any] = {"domain": domain, "mesh": file, "volumes": volumes, "surfaces": surfaces}
    asked.update({"dipoles": dipoles or None, "ports": ports or None, "order": order, "precision": precision}, **more)
    lines += [f"{key} = {written(value)}" for key, value in asked.items() if value is not None]
    return _run("\n".join(lines) + "\n", threads=threads, progress=progress)
