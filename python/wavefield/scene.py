"""Parts of problem dictionaries that solvers share: bodies, excitations, observations, and sweeps.

    import wavefield as wf

    body = wf.mesh_body("almond.stl", unit="mm")
    wf.run(wf.sbr.problem([body], frequency=10e9, incidence_phi_deg=range(0, 181)))

Angles are in degrees where a name ends in ``_deg``; everything else is in SI units.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Iterable, List, Optional, Sequence, Tuple, Union

from wavefield.media import CoatingLayer
from wavefield.problem_types import (
    BistaticObservation,
    Body,
    CoatingLayer as CoatingLayerTable,
    FarFieldObservation,
    Material,
    MeshGeometry,
    MeshUnit,
    MonostaticObservation,
    PlaneWaveExcitation,
    Polarization,
)

#: One number or several.
Numbers = Union[float, Iterable[float]]
#: Thickness in meters, relative permittivity, and relative permeability.
Layer = Union[CoatingLayer, Tuple[float, complex], Tuple[float, complex, complex]]


def mesh_body(
    file: Union[str, "os.PathLike[str]"],
    *,
    unit: MeshUnit,
    material: Material = "pec",
    open_surface: bool = False,
    coating: Sequence[Layer] = (),
    max_edge_length: Optional[float] = None,
) -> Body:
    """Returns the body whose surface is in a mesh file (STL, OBJ, Gmsh, INP) with coordinates in ``unit``.

    A mesh with open edges is an error unless ``open_surface`` confirms an infinitely thin sheet. ``coating`` lists layers
    from inside out, each a :class:`wavefield.CoatingLayer` or (thickness in m, relative permittivity, relative permeability);
    the mesh is the outer surface. With ``max_edge_length`` (m) Gmsh remeshes the surface.
    """
    geometry: MeshGeometry = {"shape": "mesh", "file": str(Path(file).resolve()), "unit": unit}
    if open_surface:
        geometry["open"] = True
    body: Body = {"geometry": geometry, "material": material}
    if coating:
        body["coatings"] = [{"layers": [_layer(CoatingLayer(*layer)) for layer in coating]}]
    if max_edge_length is not None:
        geometry["remesh"] = True
        body["mesh_size"] = float(max_edge_length)
    return body


def plane_waves(
    phi_deg: Numbers, theta_deg: Numbers = 90.0, polarization: Optional[Polarization] = None
) -> PlaneWaveExcitation:
    """Returns the excitation by plane waves, incident from every θ with every φ."""
    waves: PlaneWaveExcitation = {"kind": "plane-wave", "theta": degrees(theta_deg), "phi": degrees(phi_deg)}
    if polarization is not None:
        waves["polarization"] = polarization
    return waves


def scattering(
    phi_deg: Optional[Numbers] = None, theta_deg: Numbers = 90.0
) -> Union[MonostaticObservation, BistaticObservation]:
    """Returns the bistatic observation in every θ with every φ, or the monostatic one if φ is None."""
    if phi_deg is None:
        return {"kind": "monostatic"}
    return {"kind": "bistatic", "theta": degrees(theta_deg), "phi": degrees(phi_deg)}


def observation(
    scattered: bool, phi_deg: Optional[Numbers], theta_deg: Numbers
) -> Union[MonostaticObservation, BistaticObservation, FarFieldObservation, None]:
    """Returns the observation of scattering, monostatic by default, or that of radiation, none by default."""
    if scattered:
        return scattering(phi_deg, theta_deg)
    return None if phi_deg is None else far_field(phi_deg, theta_deg)


def far_field(phi_deg: Numbers, theta_deg: Numbers = 90.0) -> FarFieldObservation:
    """Returns the observation of radiation in every θ with every φ."""
    return {"kind": "far-field", "theta": degrees(theta_deg), "phi": degrees(phi_deg)}


def degrees(values: Numbers) -> Union[str, List[str]]:
    """Returns one angle or several with their unit."""
    if isinstance(values, Iterable):
        return [f"{float(value)!r} deg" for value in values]
    return f"{float(values)!r} deg"


def numbers(values: Numbers) -> Union[float, List[float]]:
    """Returns one number or several."""
    if isinstance(values, Iterable):
        return [float(value) for value in values]
    return float(values)


def _layer(layer: CoatingLayer) -> CoatingLayerTable:
    return {
        "thickness": float(layer.thickness),
        "material": {"permittivity": complex(layer.permittivity), "permeability": complex(layer.permeability)},
    }
