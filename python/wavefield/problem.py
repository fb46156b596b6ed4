"""Problems as dictionaries, with the keys of a problem file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

#: One number or several.
Numbers = Union[float, Iterable[float]]
#: A kind by its name, or a table with its name as ``kind`` and its settings.
Kind = Union[str, Mapping[str, Any]]
#: A table of a problem.
Table = Dict[str, Any]
#: Thickness in meters, relative permittivity, and relative permeability.
Layer = Union[Tuple[float, complex], Tuple[float, complex, complex]]


def table(**entries: Any) -> Table:
    """Returns the entries that are not None."""
    return {key: value for key, value in entries.items() if value is not None}


def problem(
    solver: str,
    *,
    title: str,
    frequency: Numbers,
    bodies: Optional[Sequence[Mapping[str, Any]]] = None,
    excitation: Optional[Table] = None,
    observation: Optional[Table] = None,
    **settings: Any,
) -> Table:
    """Returns the problem of a solver; the frequency is in Hz."""
    return table(
        format=1,
        solver=solver,
        title=title,
        frequency=sweep(frequency, "Hz"),
        bodies=bodies,
        excitation=excitation,
        observation=observation,
        **settings,
    )


def quantity(value: float, unit: str) -> str:
    """Returns a number with its unit."""
    return f"{float(value)!r} {unit}"


def sweep(values: Numbers, unit: str) -> Union[str, List[str]]:
    """Returns one number or several with their unit."""
    if isinstance(values, Iterable):
        return [quantity(value, unit) for value in values]
    return quantity(values, unit)


def kind(value: Optional[Kind], **settings: Any) -> Optional[Table]:
    """Returns the table of a kind, with settings that are not None."""
    if value is None:
        return None
    own = {"kind": value} if isinstance(value, str) else dict(value)
    return {**own, **table(**settings)}


def path(file: Union[str, "os.PathLike[str]"]) -> str:
    """Returns the absolute path of a file."""
    return str(Path(file).resolve())


def mesh_body(
    file: Union[str, "os.PathLike[str]"],
    unit: str,
    *,
    open_surface: bool = False,
    coating: Sequence[Layer] = (),
    max_edge_length: Optional[float] = None,
) -> Table:
    """Returns a perfect electric conductor whose surface is a mesh from a file, remeshed if an edge length (m) is given.

    A mesh with open edges is an error unless ``open_surface`` confirms an infinitely thin sheet.
    """
    remeshed = max_edge_length is not None
    geometry = table(shape="mesh", file=path(file), unit=unit, open=open_surface or None, remesh=remeshed or None)
    size = None if max_edge_length is None else quantity(max_edge_length, "m")
    layers = [coating_layer(*layer) for layer in coating]
    coatings = [{"layers": layers}] if layers else None
    return table(geometry=geometry, material="pec", coatings=coatings, mesh_size=size)


def coating_layer(thickness: float, permittivity: complex, permeability: complex = 1.0) -> Table:
    """Returns a layer of a coating; the thickness is in meters."""
    material = {"permittivity": complex(permittivity), "permeability": complex(permeability)}
    return {"thickness": quantity(thickness, "m"), "material": material}


def plane_wave(phi_deg: Numbers, theta_deg: Optional[Numbers] = None, polarization: Optional[str] = None) -> Table:
    """Returns plane waves as the excitation, incident from every θ with every φ."""
    return table(kind="plane-wave", **directions(phi_deg, theta_deg), polarization=polarization)


def scattering(phi_deg: Optional[Numbers], theta_deg: Optional[Numbers] = None) -> Table:
    """Returns the bistatic observation in every θ with every φ, or the monostatic one if φ is None."""
    if phi_deg is None:
        return {"kind": "monostatic"}
    return {"kind": "bistatic", **directions(phi_deg, theta_deg)}


def far_field(phi_deg: Optional[Numbers], theta_deg: Numbers) -> Optional[Table]:
    """Returns the observation of radiation in every θ with every φ, or None if φ is None."""
    return None if phi_deg is None else {"kind": "far-field", **directions(phi_deg, theta_deg)}


def directions(phi_deg: Numbers, theta_deg: Optional[Numbers]) -> Table:
    """Returns directions: every θ, 90° if it is None, with every φ."""
    theta = None if theta_deg is None else sweep(theta_deg, "deg")
    return table(theta=theta, phi=sweep(phi_deg, "deg"))
