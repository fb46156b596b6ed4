"""Every solver through typed problems; checked by `mypy --strict` and run by test_typed_problems.py."""

import wavefield as wf
from wavefield.problem_types import (
    Body,
    DgtdProblem,
    ExactProblem,
    HolographyProblem,
    Mom2dProblem,
    Mom3dProblem,
    PlaneWaveExcitation,
    ReflectarrayProblem,
    SbrProblem,
)

sphere: Body = {"geometry": {"shape": "sphere", "radius": 0.05}, "material": "pec"}
circle: Body = {"geometry": {"shape": "circle", "radius": 0.2}, "material": {"permittivity": 4 - 0.1j}}
wave: PlaneWaveExcitation = {"kind": "plane-wave", "theta": "90 deg", "phi": "0 deg"}

exact: ExactProblem = {
    "solver": "exact",
    "frequency": {"start": 1e9, "stop": 2e9, "count": 3},
    "bodies": [sphere],
    "excitation": wave,
    "observation": {"kind": "bistatic", "phi": {"start": "0 deg", "stop": "180 deg", "step": "30 deg"}},
}
mom2d: Mom2dProblem = {
    "solver": "mom2d",
    "frequency": 300e6,
    "bodies": [circle],
    "excitation": {"kind": "plane-wave", "theta": "90 deg", "phi": "180 deg", "polarization": "tm"},
    "observation": {"kind": "bistatic", "phi": ["0 deg", "90 deg"]},
}
mom3d: Mom3dProblem = {
    "solver": "mom3d",
    "frequency": 1e9,
    "bodies": [sphere],
    "excitation": wave,
    "observation": {"kind": "monostatic"},
    "near_field": {"start": [-0.1, 0.0, 0.2], "stop": [0.1, 0.0, 0.2], "points": [3, 1, 1]},
    "mom3d": {"linear_solver": {"kind": "lu"}},
}
sbr: SbrProblem = {
    "solver": "sbr",
    "frequency": 10e9,
    "bodies": [{"geometry": {"shape": "plate", "width": 0.1, "height": 0.1}, "material": "pec"}],
    "excitation": {"kind": "plane-wave", "theta": {"start": "0 deg", "stop": "60 deg", "count": 5}, "phi": "0 deg"},
    "observation": {"kind": "monostatic"},
    "sbr": {"edge_diffraction": True},
}
dgtd: DgtdProblem = {
    "solver": "dgtd",
    "frequency": 1e9,
    "bodies": [sphere],
    "excitation": wave,
    "dgtd": {"order": 1, "domain": {"mesh_size": 0.06}, "stop": {"energy_decay": 1e-3}},
}
holography: HolographyProblem = {
    "solver": "holography",
    "frequency": 1e3,
    "hologram_z": 0.05,
    "reconstruction_z": 0.01,
    "measurement": {
        "kind": "simulated",
        "seed": 1,
        "sources": [{"kind": "monopole", "center": [0.0, 0.0], "volume_velocity": 1e-5}],
    },
    "array": {"rows": 8, "columns": 8, "pitch": 0.025},
}
reflectarray: ReflectarrayProblem = {
    "solver": "reflectarray",
    "frequency": 14.25e9,
    "feed": {"position": [0.0, -0.05, 0.12], "q": 8.0},
    "lattice": {"columns": 6, "rows": 6, "spacing": "0.55 lambda"},
    "coverage": {"ellipse": {"center": [0.05, -0.02], "semi_axes": [0.2, 0.1], "rotation": "20 deg"}},
}

planned = [wf.check(problem) for problem in (exact, mom2d, mom3d, sbr, dgtd, holography, reflectarray)]
results = [wf.run(problem, progress=False) for problem in (exact, mom2d, mom3d, sbr, holography)]
print([check.solver for check in planned], [result.title for result in results])
