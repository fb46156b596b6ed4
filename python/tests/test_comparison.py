"""Comparison of results."""

import pytest

import wavefield as wf

#: A problem for any solver in three dimensions.
SPHERE = {
    "frequency": "2 GHz",
    "bodies": [{"geometry": {"shape": "sphere", "radius": "50 cm"}, "material": "pec"}],
    "excitation": {"kind": "plane-wave", "theta": "90 deg", "phi": "0 deg"},
    "observation": {
        "kind": "bistatic",
        "theta": "90 deg",
        "phi": {"start": "0 deg", "stop": "40 deg", "step": "1 deg"},
    },
}


def sphere(solver: str) -> wf.Result:
    return wf.run({**SPHERE, "solver": solver}, progress=False)


def test_sbr_is_compared_with_the_exact_series(tmp_path):
    rays, exact = sphere("sbr"), sphere("exact")
    comparison = wf.compare({"rays": rays, "exact": exact})
    vv = next(found for found in comparison.agreement if found["quantity"] == "vv_dbsm")
    assert vv["name"] == "rays" and vv["rows"] == 41
    # SBR is right where a large sphere scatters back, to tenths of a decibel.
    assert 0 < vv["mean_db"] < 1 and 0 < vv["mean_20db"] <= vv["max_20db"] < 2
    assert comparison["comparison/rays_vv_dbsm"].shape == (41,)
    assert "difference from exact" in comparison.report()
    folder = exact.save(tmp_path / "exact")
    again = wf.compare({"rays": {**SPHERE, "solver": "sbr"}, "exact": folder}, reference="rays")
    assert {found["name"] for found in again.agreement} == {"exact"}


def test_one_problem_runs_in_each_of_its_solvers():
    problem = {**SPHERE, "solvers": ["exact", "sbr"]}
    exact, rays = wf.run(problem, "exact", progress=False), wf.run(problem, solver="sbr", progress=False)
    assert exact.record["solver"] == "exact" and rays.record["solver"] == "sbr"
    with pytest.raises(wf.ProblemError, match="several solvers"):
        wf.run(problem)
    with pytest.raises(wf.ProblemError, match="not for the solver `dgtd`"):
        wf.run(problem, "dgtd")


def test_what_cannot_be_compared_is_said():
    exact = sphere("exact")
    with pytest.raises(ValueError, match="two results"):
        wf.compare({"exact": exact})
    with pytest.raises(ValueError, match="unknown result `rays`"):
        wf.compare({"exact": exact, "other": exact}, reference="rays")
