"""Wavefield: solvers for electromagnetics and acoustics.

    import wavefield as wf

    result = wf.run("problem.toml")      # a problem file, or a dictionary with its keys
    result["rcs/vv_dbsm"]                # arrays by name
    result.plot()                        # figures of the report, by matplotlib
    result.save("result")                # result folder with report.html

    problem = wf.load_problem("problem.toml")   # a dictionary; its types are in wavefield.problem_types
    wf.check(problem).memory             # predicted memory and time, and whether the mesh suits the solver

    wf.compare({"exact": a, "sbr": b})   # results compared with a reference

    wf.dgtd.run(bodies=[...], domain={...}, frequency=900e6, incidence_phi_deg=0)
    wf.exact.sphere(radius=0.3, frequency=1e9, observation_phi_deg=range(0, 361))
    wf.holography.solve([{"kind": "monopole", ...}], frequency=[500, 1000], hologram_z=0.05, reconstruction_z=0.01)
    wf.mom2d.solve([{"geometry": {"shape": "circle", "radius": "1 m"}, "material": "pec"}], frequency=477e6, incidence_phi_deg=180)
    wf.mom3d.rcs("almond.stl", unit="mm", frequency=3.5e9, incidence_phi_deg=range(0, 181))
    wf.nufft.nufft2d1(x, y, c, (64, 64), eps=1e-9)
    wf.reflectarray.synthesize(frequency=14.25e9, elements=(71, 71), spacing=0.5, feed=..., coverage=...)
    wf.sbr.rcs("aircraft.stl", unit="mm", frequency=10e9, incidence_phi_deg=range(0, 181))

Angles are in degrees where a name ends in ``_deg``; everything else is in SI units. Time dependence is e^{+jωt}; loss is a
negative imaginary part.

A problem that is invalid raises :class:`ProblemError` with all errors (``error.findings``), an iteration that does not converge
:class:`ConvergenceError`, a GPU that fails :class:`DeviceError`.
"""

from wavefield import dgtd, exact, holography, mom2d, mom3d, nufft, reflectarray, sbr
from wavefield._native import ConvergenceError, DeviceError, Finding, ProblemError, __version__
from wavefield.comparison import Comparison, compare
from wavefield.media import AIR, CoatingLayer, Fluid
from wavefield.result import Result, load
from wavefield.runner import Assessment, Check, check, examples, load_problem, run

__all__ = ["AIR", "Assessment", "Check", "CoatingLayer", "Comparison", "ConvergenceError", "DeviceError", "Finding", "Fluid", "ProblemError", "Result", "__version__", "check", "compare", "dgtd", "exact", "examples", "holography", "load", "load_problem", "mom2d", "mom3d", "nufft", "reflectarray", "run", "sbr"]
