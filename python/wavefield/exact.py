"""Exact solutions on NumPy arrays.

Angles are in degrees where a name ends in ``_deg``; everything else is in SI units. Array arguments of any shape, stride, and
dtype that NumPy converts to real numbers are broadcast against each other; results have their common shape.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefield import _native, scene
from wavefield.media import AIR as AIR
from wavefield.media import CoatingLayer as CoatingLayer
from wavefield.media import Fluid as Fluid
from wavefield.problem_types import Body, ExactProblem, ExactSettings
from wavefield.scene import Numbers

if TYPE_CHECKING:
    from typing_extensions import Unpack

Real = NDArray[np.float64]
Complex = NDArray[np.complex128]


class Scattering(NamedTuple):
    """The complex scattering matrix √σ·e^{j phase} in meters; the phase reference is the origin.

    S_pq: p received, q transmitted; V = θ̂, H = φ̂.
    """

    vv: Complex
    vh: Complex
    hv: Complex
    hh: Complex

    @property
    def vv_dbsm(self) -> Real:
        """Radar cross section, V received, V transmitted, in dBsm."""
        return _decibels(self.vv)

    @property
    def hh_dbsm(self) -> Real:
        """Radar cross section, H received, H transmitted, in dBsm."""
        return _decibels(self.hh)


class CylinderField(NamedTuple):
    """Scattering by a cylinder: amplitude, scattering width, and surface current at every angle."""

    #: Amplitude f of u_s = √(2/πkρ) e^{−j(kρ−π/4)} f.
    amplitude: Complex
    #: Scattering width in meters.
    scattering_width: Real
    #: Electric current n × H on the surface: J_z per incident E (TM), J_φ per incident H (TE).
    current: Complex


def problem(
    bodies: Sequence[Body],
    *,
    frequency: Numbers,
    incidence_phi_deg: Numbers,
    incidence_theta_deg: Numbers = 90.0,
    observation_phi_deg: Optional[Numbers] = None,
    observation_theta_deg: Numbers = 90.0,
    title: str = "Exact solution",
    **settings: Unpack[ExactSettings],
) -> ExactProblem:
    """Returns the problem of the scattering by a sphere, bare or coated, or by an infinite circular cylinder (a circle).

    ``frequency`` is in Hz. Plane waves are incident from every ``incidence_theta_deg`` with every ``incidence_phi_deg``.
    Observation is monostatic, or bistatic in every ``observation_theta_deg`` with every ``observation_phi_deg``.
    """
    return {
        "solver": "exact",
        "title": title,
        "frequency": scene.numbers(frequency),
        "bodies": bodies,
        "excitation": scene.plane_waves(incidence_phi_deg, incidence_theta_deg),
        "observation": scene.scattering(observation_phi_deg, observation_theta_deg),
        "exact": settings,
    }


def sphere(
    radius: float,
    frequency: float,
    *,
    observation_phi_deg: ArrayLike,
    observation_theta_deg: ArrayLike = 90.0,
    incidence_phi_deg: float = 0.0,
    incidence_theta_deg: float = 90.0,
    permittivity: Optional[complex] = None,
    permeability: complex = 1.0,
    coating: Sequence[CoatingLayer] = (),
) -> Scattering:
    """Computes the scattering of a plane wave by a sphere (Mie series).

    ``radius`` is that of the outer surface, with the layers of the ``coating`` inside it, listed from inside out. The core is
    a perfect electric conductor by default.
    """
    (theta, phi), shape = _broadcast(
        observation_theta_deg, observation_phi_deg, names=("observation_theta_deg", "observation_phi_deg")
    )
    layers = [CoatingLayer(*layer) for layer in coating]
    incidence = (_angle(incidence_theta_deg, "incidence_theta_deg"), _angle(incidence_phi_deg, "incidence_phi_deg"))
    matrix = _native.sphere(
        float(radius), float(frequency), _constants(permittivity, permeability),
        [(float(layer.thickness), complex(layer.permittivity), complex(layer.permeability)) for layer in layers],
        incidence, theta, phi,
    )
    return Scattering(*(part.reshape(shape) for part in matrix))


def cylinder(
    radius: float,
    frequency: float,
    *,
    observation_phi_deg: ArrayLike,
    incidence_phi_deg: float = 180.0,
    polarization: str = "tm",
    permittivity: Optional[complex] = None,
    permeability: complex = 1.0,
) -> CylinderField:
    """Computes the scattering of a plane wave by an infinite circular cylinder along z.

    ``polarization`` is "tm" (E along z) or "te" (H along z). The cylinder is a perfect electric conductor by default.
    """
    (phi,), shape = _broadcast(observation_phi_deg, names=("observation_phi_deg",))
    amplitude, current, wavenumber = _native.cylinder(
        float(radius), float(frequency), _constants(permittivity, permeability), polarization,
        _angle(incidence_phi_deg, "incidence_phi_deg"), phi,
    )
    width = 4.0 / wavenumber * np.abs(amplitude) ** 2
    return CylinderField(amplitude.reshape(shape), width.reshape(shape), current.reshape(shape))


def half_plane(
    wavenumber: float,
    *,
    rho: ArrayLike,
    observation_phi_deg: ArrayLike,
    incidence_phi_deg: float,
    polarization: str = "tm",
) -> Complex:
    """Computes the total field of a plane wave of unit amplitude at a conducting half-plane (Sommerfeld).

    The field is evaluated at distances ``rho`` from the edge. The screen is the half-plane φ = 0; angles are counted from
    it, 0 to 360°.
    """
    (rho_array, phi), shape = _broadcast(rho, observation_phi_deg, names=("rho", "observation_phi_deg"))
    incidence = _angle(incidence_phi_deg, "incidence_phi_deg")
    return _native.half_plane(polarization, float(wavenumber), incidence, rho_array, phi).reshape(shape)


def piston(
    radius: float, frequency: float, *, r: ArrayLike, z: ArrayLike, velocity: complex = 1.0, fluid: Fluid = AIR
) -> Complex:
    """Computes the pressure in Pa of a circular piston in a rigid baffle, at distances r from its axis and z from its plane."""
    (r_array, z_array), shape = _broadcast(r, z, names=("r", "z"))
    return _native.piston(float(radius), complex(velocity), float(frequency), fluid, r_array, z_array).reshape(shape)


def plate(
    size: Tuple[float, float], mode: Tuple[int, int], frequency: float, *, x: ArrayLike, y: ArrayLike, z: ArrayLike,
    velocity: complex = 1.0, fluid: Fluid = AIR,
) -> Complex:
    """Computes the pressure in Pa of a simply supported plate over 0…Lx, 0…Ly in its mode (m, n), in a rigid baffle."""
    (xs, ys, zs), shape = _broadcast(x, y, z, names=("x", "y", "z"))
    return _native.plate(tuple(size), tuple(mode), complex(velocity), float(frequency), fluid, xs, ys, zs).reshape(shape)


def _constants(permittivity: Optional[complex], permeability: complex) -> Optional[Tuple[complex, complex]]:
    if permittivity is None:
        if permeability != 1.0:
            raise ValueError("`permeability` needs `permittivity`; without it the body is a perfect electric conductor")
        return None
    return (complex(permittivity), complex(permeability))


def _angle(value: float, name: str) -> float:
    angle = float(value)
    if not np.isfinite(angle):
        raise ValueError(f"{name} is not finite")
    return angle


def _broadcast(*values: ArrayLike, names: Sequence[str]) -> Tuple[List[Real], Tuple[int, ...]]:
    """Returns flat, aligned f64 arrays of equal length, and the shape of the result."""
    arrays = []
    for value, name in zip(values, names):
        array = np.asarray(value)
        if array.dtype.kind not in "biuf":
            raise TypeError(f"{name} must hold real numbers, not {array.dtype}")
        array = array.astype(np.float64)
        if not np.isfinite(array).all():
            raise ValueError(f"{name} holds a value that is not finite")
        arrays.append(array)
    try:
        together = np.broadcast_arrays(*arrays)
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in zip(names, arrays))
        raise ValueError(f"shapes cannot be broadcast together: {shapes}") from None
    shape = together[0].shape
    # A copy is contiguous and aligned, whatever the caller's strides were.
    return [np.array(array, order="C").reshape(-1) for array in together], shape


def _decibels(amplitude: Complex) -> Real:
    with np.errstate(divide="ignore"):
        return 20.0 * np.log10(np.abs(amplitude))
