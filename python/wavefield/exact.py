"""Exact solutions over NumPy arrays.

Angles are in degrees, as the names say; everything else is in SI units. Array arguments may have any
shape, stride and dtype that NumPy converts to real numbers; they are broadcast against each other and
the results have their common shape.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import ArrayLike

from wavefield import _native

Array = "np.ndarray[Any, Any]"

#: Density in kg/m³ and speed of sound in m/s of air at 20 °C.
AIR = (1.204, 343.0)


class Scattering(NamedTuple):
    """The complex scattering matrix √σ·e^{j phase} in metres; the phase origin is the origin.

    S_pq: p received, q transmitted; V = θ̂, H = φ̂.
    """

    vv: Any
    vh: Any
    hv: Any
    hh: Any

    @property
    def vv_dbsm(self) -> Any:
        """Radar cross section of V received, V transmitted, in dBsm."""
        return _decibels(self.vv)

    @property
    def hh_dbsm(self) -> Any:
        """Radar cross section of H received, H transmitted, in dBsm."""
        return _decibels(self.hh)


class CylinderField(NamedTuple):
    """Scattering by a cylinder: amplitude, width and surface current at every angle."""

    #: Amplitude f of u_s = √(2/πkρ) e^{−j(kρ−π/4)} f.
    amplitude: Any
    #: Scattering width in metres.
    width: Any
    #: Electric current n × H on the surface: J_z per incident E (TM), J_φ per incident H (TE).
    current: Any


class Coat(NamedTuple):
    """A layer around a sphere."""

    thickness: float
    permittivity: complex
    permeability: complex = 1.0


def sphere(
    radius: float,
    frequency: float,
    *,
    phi_deg: ArrayLike,
    theta_deg: ArrayLike = 90.0,
    incidence_deg: Tuple[float, float] = (90.0, 0.0),
    permittivity: Optional[complex] = None,
    permeability: complex = 1.0,
    coats: Sequence[Coat] = (),
) -> Scattering:
    """Scattering of a plane wave by a sphere (Mie series).

    Without ``permittivity`` the sphere is a perfect conductor. ``incidence_deg`` is (θ, φ) of the
    direction the wave comes from; ``coats`` lie around the sphere from inside to outside.
    """
    theta, phi, shape = _broadcast(theta_deg, phi_deg, names=("theta_deg", "phi_deg"))
    layers = [(float(c[0]), complex(c[1]), complex(c[2]) if len(c) > 2 else 1.0 + 0.0j) for c in coats]
    matrix = _native.sphere(
        float(radius), float(frequency), _constants(permittivity, permeability), layers,
        (_angle(incidence_deg[0], "incidence_deg"), _angle(incidence_deg[1], "incidence_deg")), theta, phi,
    )
    return Scattering(*(part.reshape(shape) for part in matrix))


def cylinder(
    radius: float,
    frequency: float,
    *,
    phi_deg: ArrayLike,
    polarisation: str = "tm",
    incidence_deg: float = 180.0,
    permittivity: Optional[complex] = None,
    permeability: complex = 1.0,
) -> CylinderField:
    """Scattering of a plane wave by an infinite circular cylinder along z.

    ``polarisation`` is "tm" (E along the axis) or "te" (H along it); ``incidence_deg`` is the angle
    the wave comes from. Without ``permittivity`` the cylinder is a perfect conductor.
    """
    (phi, shape) = _broadcast(phi_deg, names=("phi_deg",))
    amplitude, current, wavenumber = _native.cylinder(
        float(radius), float(frequency), _constants(permittivity, permeability), polarisation,
        _angle(incidence_deg, "incidence_deg"), phi,
    )
    width = 4.0 / wavenumber * np.abs(amplitude) ** 2
    return CylinderField(amplitude.reshape(shape), width.reshape(shape), current.reshape(shape))


def half_plane(
    wavenumber: float, *, rho: ArrayLike, phi_deg: ArrayLike, incidence_deg: float, polarisation: str = "tm"
) -> Any:
    """Total field of a plane wave at a conducting half-plane (Sommerfeld), of unit incident amplitude.

    The screen is the half-plane φ = 0; angles are counted from it, 0 to 360°.
    """
    rho_array, phi, shape = _broadcast(rho, phi_deg, names=("rho", "phi_deg"))
    return _native.half_plane(polarisation, float(wavenumber), _angle(incidence_deg, "incidence_deg"), rho_array, phi).reshape(shape)


def piston(
    radius: float, frequency: float, *, r: ArrayLike, z: ArrayLike, velocity: complex = 1.0,
    fluid: Tuple[float, float] = AIR,
) -> Any:
    """Pressure in Pa of a circular piston in a rigid baffle, at distance r from its axis and z from its plane."""
    r_array, z_array, shape = _broadcast(r, z, names=("r", "z"))
    return _native.piston(float(radius), complex(velocity), float(frequency), fluid, r_array, z_array).reshape(shape)


def plate(
    size: Tuple[float, float], mode: Tuple[int, int], frequency: float, *, x: ArrayLike, y: ArrayLike, z: ArrayLike,
    velocity: complex = 1.0, fluid: Tuple[float, float] = AIR,
) -> Any:
    """Pressure in Pa of a simply supported plate over 0…Lx, 0…Ly vibrating in mode (m, n), in a rigid baffle."""
    xs, ys, zs, shape = _broadcast(x, y, z, names=("x", "y", "z"))
    return _native.plate(tuple(size), tuple(mode), complex(velocity), float(frequency), fluid, xs, ys, zs).reshape(shape)


def _constants(permittivity: Optional[complex], permeability: complex) -> Optional[Tuple[complex, complex]]:
    if permittivity is None:
        if permeability != 1.0:
            raise ValueError("a permeability needs a permittivity; without one the body is a perfect conductor")
        return None
    return (complex(permittivity), complex(permeability))


def _angle(value: float, name: str) -> float:
    angle = float(value)
    if not np.isfinite(angle):
        raise ValueError(f"{name} is not finite")
    return angle


def _broadcast(*values: ArrayLike, names: Sequence[str]) -> Tuple[Any, ...]:
    """Flat, aligned f64 arrays of equal length, and the shape the result will have."""
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
        raise ValueError(f"these shapes do not fit together: {shapes}") from None
    shape = together[0].shape
    # A copy is contiguous and aligned, whatever the caller's strides were.
    return (*(np.array(array, order="C").reshape(-1) for array in together), shape)


def _decibels(amplitude: Any) -> Any:
    with np.errstate(divide="ignore"):
        return 20.0 * np.log10(np.abs(amplitude))
