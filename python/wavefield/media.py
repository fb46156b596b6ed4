"""Fluids and layers of coatings."""

from __future__ import annotations

from typing import NamedTuple


class Fluid(NamedTuple):
    """A fluid without losses."""

    #: Density in kg/m³.
    density: float
    #: Speed of sound in m/s.
    sound_speed: float


#: Air at 20 °C.
AIR = Fluid(density=1.204, sound_speed=343.0)


class CoatingLayer(NamedTuple):
    """A homogeneous layer of a coating."""

    #: Thickness in meters.
    thickness: float
    #: Relative permittivity; loss is a negative imaginary part.
    permittivity: complex
    #: Relative permeability; loss is a negative imaginary part.
    permeability: complex = 1.0
