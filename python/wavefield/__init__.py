"""Wavefield: solvers for electromagnetics and acoustics.

    import wavefield as wf

    result = wf.run("problem.toml")      # a problem file, or a dictionary with its keys
    result["rcs/vv_dbsm"]                # arrays by name
    result.to_xarray("rcs")              # labeled arrays; also to_pandas, to_skrf, to_pyvista, to_netcdf
    result.plot()                        # figures of the report, by matplotlib
    result.save("result")                # result folder with report.html

    problem = wf.load_problem("problem.toml")   # a dictionary; its types are in wavefield.problem_types
    wf.check(problem).memory             # predicted memory and time, and whether the mesh suits the solver

    wf.sweep(problem, {"frequency": [1e9, 2e9]}, executor=pool)   # any concurrent.futures.Executor

    wf.compare({"exact": a, "sbr": b})   # results compared with a reference

    problem = wf.sbr.problem([wf.mesh_body("aircraft.stl", unit="mm")], frequency=10e9, incidence_phi_deg=range(0, 181))
    problem = wf.mom3d.problem([wf.mesh_body("almond.stl", unit="mm")], frequency=3.5e9, incidence_phi_deg=range(0, 181))
    problem = wf.mom2d.problem([{"geometry": {"shape": "circle", "radius": 1.0}, "material": "pec"}], ...)
    problem = wf.dgtd.problem([...], domain={...}, frequency=900e6, incidence_phi_deg=0)
    problem = wf.reflectarray.problem(frequency=14.25e9, elements=(71, 71), spacing=0.5, feed=..., coverage=...)
    problem = wf.holography.problem([{"kind": "monopole", ...}], frequency=[500, 1000], hologram_z=0.05, ...)

    wf.exact.sphere(radius=0.3, frequency=1e9, observation_phi_deg=range(0, 361))
    wf.nufft.nufft2d1(x, y, c, (64, 64), eps=1e-9)

Angles are in degrees where a name ends in ``_deg``; everything else is in SI units. Time dependence is e^{+jωt}; loss is a
negative imaginary part.

A problem that is invalid raises :class:`ProblemError` with all errors (``error.findings``), an iteration that does not converge
:class:`ConvergenceError`, a GPU that fails :class:`DeviceError`.
"""

from wavefield import dgtd, exact, holography, mom2d, mom3d, nufft, reflectarray, sbr
from wavefield._native import ConvergenceError, DeviceError, Finding, ProblemError, __version__
from wavefield.comparison import Comparison, compare
from wavefield.media import AIR, CoatingLayer, Fluid
from wavefield.result import Figure, Result, load
from wavefield.runner import Assessment, Check, check, examples, load_problem, run
from wavefield.scene import mesh_body
from wavefield.sweeps import Sweep, SweepError, sweep

__all__ = ["AIR", "Assessment", "Check", "CoatingLayer", "Comparison", "ConvergenceError", "DeviceError", "Figure", "Finding", "Fluid", "ProblemError", "Result", "Sweep", "SweepError", "__version__", "check", "compare", "dgtd", "exact", "examples", "holography", "load", "load_problem", "mesh_body", "mom2d", "mom3d", "nufft", "reflectarray", "run", "sbr", "sweep"]
