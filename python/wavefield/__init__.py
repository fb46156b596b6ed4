"""Wavefield: one program for people who compute waves.

    import wavefield as wf

    result = wf.run("problem.toml")      # a problem file, or its text
    result["rcs/vv_dbsm"]                # arrays by name
    result.plot()                        # the figures of the report, by matplotlib
    result.save("result")                # result folder with report.html

    wf.compare({"exact": a, "rays": b})  # results laid over each other, and how far they are apart

    wf.dgtd.run(domain={...}, frequency=900e6, phi_deg=0, seen_phi_deg=range(0, 361))
    wf.exact.sphere(radius=0.3, frequency=1e9, phi_deg=range(0, 361))
    wf.holography.solve([{"kind": "monopole", ...}], frequency=[500, 1000], height=0.05, plane=0.01)
    wf.mom2d.solve([{"shape": "circle", "radius": "1 m", "material": "pec"}], frequency=477e6, phi_deg=180)
    wf.mom3d.rcs("almond.stl", unit="mm", frequency=3.5e9, phi_deg=range(0, 181))
    wf.nufft.nufft2d1(x, y, c, (64, 64), eps=1e-9)
    wf.reflectarray.synthesize(frequency=14.25e9, elements=(71, 71), spacing=0.5, feed=..., coverage=...)
    wf.sbr.rcs("aircraft.stl", unit="mm", frequency=10e9, phi_deg=range(0, 181))

Angles are in degrees where a name ends in ``_deg``; everything else is in SI units. Time dependence
is e^{+jωt}; loss is a negative imaginary part.
"""

from wavefield import dgtd, exact, holography, mom2d, mom3d, nufft, reflectarray, sbr
from wavefield._native import ConvergenceError, DeviceError, ProblemError, __version__
from wavefield.comparison import Comparison, compare
from wavefield.result import Result, load
from wavefield.runner import examples, run

__all__ = ["Comparison", "ConvergenceError", "DeviceError", "ProblemError", "Result", "__version__", "compare", "dgtd", "exact", "examples", "holography", "load", "mom2d", "mom3d", "nufft", "reflectarray", "run", "sbr"]
