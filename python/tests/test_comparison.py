"""Results laid over each other."""

import pytest

import wavefield as wf

SPHERE = """
format = 1
solver = "{solver}"
frequency = "2 GHz"
[target]
shape = "sphere"
radius = "50 cm"
{more}
[incidence]
theta = "90 deg"
phi = "0 deg"
[observation]
kind = "bistatic"
theta = "90 deg"
phi = {{ start = "0 deg", stop = "40 deg", step = "1 deg" }}
"""


def sphere(solver: str, more: str = "") -> wf.Result:
    return wf.run(SPHERE.format(solver=solver, more=more), progress=False)


def test_rays_are_held_against_the_exact_series(tmp_path):
    rays, exact = sphere("sbr"), sphere("exact", 'material = "pec"')
    comparison = wf.compare({"rays": rays, "exact": exact})
    vv = next(found for found in comparison.agreement if found["quantity"] == "vv_dbsm")
    assert vv["name"] == "rays" and vv["rows"] == 41
    # Rays are right where a large sphere sends back, to parts of a decibel.
    assert 0 < vv["mean_db"] < 1
    assert comparison["comparison/rays_vv_dbsm"].shape == (41,)
    assert "difference from exact" in comparison.report()
    folder = exact.save(tmp_path / "exact")
    again = wf.compare({"rays": rays, "exact": folder}, reference="rays")
    assert {found["name"] for found in again.agreement} == {"exact"}


def test_what_cannot_be_compared_is_said():
    exact = sphere("exact", 'material = "pec"')
    with pytest.raises(ValueError, match="two results"):
        wf.compare({"exact": exact})
    with pytest.raises(ValueError, match="no result is called `rays`"):
        wf.compare({"exact": exact, "other": exact}, reference="rays")
