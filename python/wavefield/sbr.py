"""Shooting and bouncing rays (SBR): radar cross sections of electrically large conductors.

    import wavefield as wf

    result = wf.sbr.rcs("aircraft.stl", unit="mm", frequency=10e9, incidence_phi_deg=range(0, 181))
    result["rcs/vv_dbsm"]                # monostatic, V transmitted and received
    result["rcs/vv"]                     # √σ·e^{j phase}, the phase reference is the origin

    result = wf.sbr.rcs("aircraft.stl", unit="mm", frequency=np.linspace(8e9, 12e9, 64),
                        incidence_phi_deg=np.linspace(-10, 10, 64), range_profile=True, image=True, scattering_centers=20)
    result["profile/dbsm"]               # [angles, down-ranges] over result["profile/down_range"]
    result["image/amplitude"]            # [down-ranges, cross-ranges], complex
"""

from __future__ import annotations

import os
from typing import Optional, Sequence, Tuple, Union

from wavefield import problem
from wavefield.problem import Layer, Numbers
from wavefield.result import Result
from wavefield.runner import Progress, run


def rcs(
    mesh: Union[str, "os.PathLike[str]"],
    *,
    unit: str,
    frequency: Numbers,
    incidence_phi_deg: Numbers,
    incidence_theta_deg: Numbers = 90.0,
    observation_phi_deg: Optional[Numbers] = None,
    observation_theta_deg: Numbers = 90.0,
    open_surface: bool = False,
    coating: Sequence[Layer] = (),
    spacing: float = 0.25,
    max_subdivisions: int = 4,
    max_bounces: int = 8,
    edge_diffraction: bool = False,
    channel: str = "VV",
    window: str = "taylor",
    range_profile: bool = False,
    image: bool = False,
    scattering_centers: int = 0,
    dynamic_range_db: float = 30.0,
    image_domain: Optional[Tuple[float, float]] = None,
    surface_map: bool = False,
    title: str = "Radar cross section",
    threads: Optional[int] = None,
    progress: Union[bool, Progress, None] = None,
) -> Result:
    """Computes the scattering by the surface in a mesh file (STL, OBJ, Gmsh, INP), whose coordinates are in ``unit``.
    A mesh with open edges is an error unless ``open_surface`` confirms an infinitely thin sheet.

    ``frequency`` is in Hz. Plane waves are incident from every ``incidence_theta_deg`` with every ``incidence_phi_deg``.
    Observation is monostatic, or bistatic in every ``observation_theta_deg`` with every ``observation_phi_deg``.

    ``coating`` lists layers on the conductor from inside out, each a :class:`wavefield.CoatingLayer` or (thickness in m,
    relative permittivity, relative permeability); the mesh is the outer surface. ``spacing`` is the distance between rays in
    wavelengths of the highest frequency, ``max_subdivisions`` how often a ray tube may be halved at silhouettes, edges, and
    curvature, ``max_bounces`` the maximum number of reflections. ``edge_diffraction`` adds the physical theory of
    diffraction; it supports PEC edges only.

    Radar products of one ``channel`` ("VV", "VH", "HV", or "HH": received, transmitted), with a ``window`` ("taylor",
    "hann", or "none") over frequencies and angles:

    - ``range_profile``: ``profile/amplitude`` and ``profile/dbsm`` of every aspect over ``profile/down_range``, which is 0 at
      the origin and positive away from the radar. Needs evenly spaced frequencies.
    - ``image``: ``image/amplitude`` and ``image/dbsm`` over ``image/down_range`` and ``image/cross_range``, which is
      positive to the right as seen from the radar. Needs evenly spaced frequencies and angles.
    - ``scattering_centers``: a table of up to this many scattering centers, down to ``dynamic_range_db`` below the strongest.
    - ``image_domain=(down_range, cross_range)``: an image-domain formation (Bhalla–Ling) of this resolution in meters from
      the rays of the aspect and frequency in the middle of the sweep; needs no sweep.
    - ``surface_map``: the scattering of every triangle back to the radar, ``surface/amplitude`` and ``surface/dbsm``.

    Amplitudes are √σ·e^{j phase}; an isolated point scatterer has its own amplitude in profiles and images.
    """
    centers = {"count": scattering_centers, "dynamic_range_db": dynamic_range_db} if scattering_centers else None
    resolution = None
    if image_domain is not None:
        down_range, cross_range = (problem.quantity(length, "m") for length in image_domain)
        resolution = {"down_range": down_range, "cross_range": cross_range}
    products = problem.table(
        channel=channel,
        window=window,
        range_profile=range_profile,
        image=image,
        scattering_centers=centers,
        image_domain=resolution,
        surface_map=surface_map,
    )
    rays = {"spacing": spacing, "max_subdivisions": max_subdivisions, "max_bounces": max_bounces}
    return run(
        problem.problem(
            "sbr",
            title=title,
            frequency=frequency,
            bodies=[problem.mesh_body(mesh, unit, open_surface=open_surface, coating=coating)],
            excitation=problem.plane_wave(incidence_phi_deg, incidence_theta_deg),
            observation=problem.scattering(observation_phi_deg, observation_theta_deg),
            sbr={"rays": rays, "edge_diffraction": edge_diffraction, "products": products},
        ),
        threads=threads,
        progress=progress,
    )
