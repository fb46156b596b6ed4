"""Shooting and bouncing rays (SBR): radar cross sections of electrically large conductors.

    import wavefield as wf

    aircraft = wf.mesh_body("aircraft.stl", unit="mm")
    result = wf.run(wf.sbr.problem([aircraft], frequency=10e9, incidence_phi_deg=range(0, 181)))
    result["rcs/vv_dbsm"]                # monostatic, V transmitted and received
    result["rcs/vv"]                     # √σ·e^{j phase}, the phase reference is the origin

    problem = wf.sbr.problem([aircraft], frequency=np.linspace(8e9, 12e9, 64), incidence_phi_deg=np.linspace(-10, 10, 64),
                             products={"range_profile": True, "image": True, "scattering_centers": {"count": 20}})
    result = wf.run(problem)
    result["profile/dbsm"]               # [angles, down-ranges] over result["profile/down_range"]
    result["image/amplitude"]            # [down-ranges, cross-ranges], complex
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Sequence

from wavefield import scene
from wavefield.problem_types import Body, SbrProblem, SbrSettings
from wavefield.scene import Numbers

if TYPE_CHECKING:
    from typing_extensions import Unpack


def problem(
    bodies: Sequence[Body],
    *,
    frequency: Numbers,
    incidence_phi_deg: Numbers,
    incidence_theta_deg: Numbers = 90.0,
    observation_phi_deg: Optional[Numbers] = None,
    observation_theta_deg: Numbers = 90.0,
    title: str = "Radar cross section",
    **settings: Unpack[SbrSettings],
) -> SbrProblem:
    """Returns the problem of the scattering by a body, such as :func:`wavefield.mesh_body`.

    ``frequency`` is in Hz. Plane waves are incident from every ``incidence_theta_deg`` with every ``incidence_phi_deg``.
    Observation is monostatic, or bistatic in every ``observation_theta_deg`` with every ``observation_phi_deg``.

    ``settings`` are ``rays`` (``spacing`` in wavelengths, ``max_subdivisions``, ``max_bounces``, ``max_refinements``),
    ``edge_diffraction`` (PEC edges only), and ``products`` of one ``channel`` ("VV", "VH", "HV", or "HH": received,
    transmitted), with a ``window`` ("taylor", "hann", or "none") over frequencies and angles:

    - ``range_profile``: ``profile/amplitude`` and ``profile/dbsm`` of every aspect over ``profile/down_range``, which is 0 at
      the origin and positive away from the radar. Needs evenly spaced frequencies.
    - ``image``: ``image/amplitude`` and ``image/dbsm`` over ``image/down_range`` and ``image/cross_range``, which is
      positive to the right as seen from the radar. Needs evenly spaced frequencies and angles.
    - ``scattering_centers``: a table of up to ``count`` scattering centers, down to ``dynamic_range_db`` below the strongest.
    - ``image_domain``: an image-domain formation (Bhalla–Ling) of the resolution ``down_range`` and ``cross_range`` from the
      rays of the aspect and frequency in the middle of the sweep; needs no sweep.
    - ``surface_map``: the scattering of every triangle back to the radar, ``surface/amplitude`` and ``surface/dbsm``.

    Amplitudes are √σ·e^{j phase}; an isolated point scatterer has its own amplitude in profiles and images.
    """
    return {
        "solver": "sbr",
        "title": title,
        "frequency": scene.numbers(frequency),
        "bodies": bodies,
        "excitation": scene.plane_waves(incidence_phi_deg, incidence_theta_deg),
        "observation": scene.scattering(observation_phi_deg, observation_theta_deg),
        "sbr": settings,
    }
