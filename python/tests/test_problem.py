"""Problems as dictionaries."""

import ast
import re
from collections import OrderedDict
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

import wavefield as wf

PACKAGE = Path(__file__).resolve().parents[1] / "wavefield"


def sphere(**changed):
    problem = {
        "solver": "exact",
        "title": "A sphere",
        "frequency": "1 GHz",
        "bodies": [{"geometry": {"shape": "sphere", "radius": "0.1 m"}, "material": "pec"}],
        "excitation": {"kind": "plane-wave", "phi": "0 deg"},
        "observation": {"kind": "monostatic"},
    }
    problem.update(changed)
    return problem


def body(**material):
    return [{"geometry": {"shape": "sphere", "radius": "0.1 m"}, "material": material}]


def refusal(problem):
    with pytest.raises(wf.ProblemError) as caught:
        wf.run(problem)
    return str(caught.value)


def test_a_dictionary_is_its_problem_file():
    tomllib = pytest.importorskip("tomllib")
    text = wf.examples()["exact/sphere"]
    from_text, from_dictionary = wf.run(text), wf.run(tomllib.loads(text))
    assert from_dictionary.problem == from_text.problem
    np.testing.assert_array_equal(from_dictionary["rcs/vv"], from_text["rcs/vv"])


@pytest.mark.parametrize(
    "permittivity, written",
    [
        (4, 4),
        (np.float32(4), 4),
        (np.float64(4), 4),
        (np.uint8(4), 4),
        (4 - 0.5j, (4, -0.5)),
        (np.complex64(4 - 0.5j), (4, -0.5)),
        (np.array([4, -0.5]), (4, -0.5)),
        (range(4, -2, -5), (4, -1)),
        (np.array(4 - 0.5j), (4, -0.5)),
    ],
)
def test_numbers_of_python_and_numpy_are_numbers_of_a_problem(permittivity, written):
    found = wf.run(sphere(bodies=body(permittivity=permittivity)), progress=False)
    expected = wf.run(sphere(bodies=body(permittivity=written)), progress=False)
    np.testing.assert_array_equal(found["rcs/vv"], expected["rcs/vv"])


def test_other_mappings_sequences_truth_values_and_paths_are_taken(tmp_path, monkeypatch):
    observation = OrderedDict(kind="bistatic", theta=("90 deg",), phi=np.array(["0 deg", "90 deg"]))
    assert wf.run(sphere(observation=observation))["rcs/vv"].shape == (2,)
    (tmp_path / "plate.obj").write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n")
    problem = sphere(solver="sbr", sbr={"edge_diffraction": np.bool_(False)})
    problem["bodies"] = [{"geometry": {"shape": "mesh", "file": tmp_path / "plate.obj", "unit": "m", "open": True}, "material": "pec"}]
    whole = wf.run(problem, progress=False)
    monkeypatch.chdir(tmp_path)
    problem["bodies"][0]["geometry"]["file"] = "plate.obj"
    np.testing.assert_array_equal(wf.run(problem, progress=False)["rcs/vv"], whole["rcs/vv"])


@pytest.mark.parametrize(
    "value, message",
    [
        (None, "`bodies.0.material.permittivity` is None"),
        (float("nan"), "`bodies.0.material.permittivity` is NaN"),
        (complex(1, float("nan")), "`bodies.0.material.permittivity` is NaN"),
        (np.array([1, np.nan]), "`bodies.0.material.permittivity.1` is NaN"),
        ([1, None], "`bodies.0.material.permittivity.1` is None"),
        (2**63, "`bodies.0.material.permittivity` is an integer of more than 64 bits"),
        (Decimal(1), "`bodies.0.material.permittivity` cannot be a decimal.Decimal"),
        (b"1", "`bodies.0.material.permittivity` cannot be a bytes"),
        ({1, 2}, "`bodies.0.material.permittivity` cannot be a set"),
        (np.longdouble(1), "`bodies.0.material.permittivity` cannot be a numpy.longdouble"),
        (np.datetime64("2026-01-01"), "`bodies.0.material.permittivity` cannot be a datetime.date"),
        ({4: 1}, "`bodies.0.material.permittivity.4` key is not a string but an int"),
    ],
)
def test_a_value_that_a_problem_cannot_hold_is_named_by_its_path(value, message):
    assert message in refusal(sphere(bodies=body(permittivity=value)))


def test_all_errors_of_a_dictionary_are_told_together():
    said = refusal(sphere(frequency=None, title=float("nan"), bodies={1, 2}))
    assert said.startswith("problem: 3 errors")
    for path in ["frequency", "title", "bodies"]:
        assert f"`{path}`" in said
    wrong = sphere(frequency="1 mm", observation={"kind": "monostatisch"})
    wrong["bodies"][0]["geometry"] = {"shape": "sphere", "radios": "1 m"}
    said = refusal(wrong)
    assert said.startswith("problem: 3 errors")
    assert "unknown key `radios` in `bodies.geometry`" in said and "did you mean `radius`" in said
    assert "measures length" in said
    assert '`observation.kind` cannot be "monostatisch"' in said
    said = refusal(sphere(bodies=[], frequency="-1 GHz"))
    assert "`frequency` must lie between" in said and "`bodies` needs a body" in said


def test_a_feature_that_a_solver_lacks_is_told_with_the_solvers_that_have_it():
    cuboid = [{"geometry": {"shape": "cuboid", "size": ["1 m", "1 m", "1 m"]}, "material": "pec"}]
    said = refusal(sphere(bodies=cuboid))
    assert '"cuboid"' in said and "mom3d" in said


def test_an_error_of_planning_is_told_of_its_problem(tmp_path):
    (tmp_path / "empty.obj").write_text("")
    problem = sphere(solver="sbr")
    problem["bodies"] = [{"geometry": {"shape": "mesh", "file": tmp_path / "empty.obj", "unit": "m"}, "material": "pec"}]
    with pytest.raises(ValueError, match="empty.obj|no triangles|surface"):
        wf.run(problem, progress=False)


def test_a_dictionary_without_end_is_refused():
    problem = sphere()
    problem["bodies"][0]["material"] = problem
    assert "nested too deeply" in refusal(problem)
    endless = []
    endless.append(endless)
    assert "nested too deeply" in refusal(sphere(bodies=endless))


def test_an_error_of_a_mapping_is_passed_on():
    class Broken(dict):
        def items(self):
            raise OSError("no items today")

    with pytest.raises(OSError, match="no items today"):
        wf.run(Broken())
    with pytest.raises(OSError, match="no items today"):
        wf.run(sphere(bodies=[Broken()]))


def test_what_is_no_problem_is_a_type_error():
    with pytest.raises(TypeError):
        wf.run(5)


def _texts(path):
    """The strings of a module that are not docstrings, those of f-strings included."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docstrings = {id(node.body[0].value) for node in ast.walk(tree) if isinstance(node, documented) and ast.get_docstring(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


def test_no_module_assembles_toml_text():
    modules = sorted(PACKAGE.rglob("*.py"))
    assert len(modules) > 10
    toml = re.compile(r"^\s*[\w.]+ = |^\s*\[\[?[\w.]+\]\]?\s*$|format = 1|solver = ", re.MULTILINE)
    assert toml.search('solver = "sbr"') and toml.search("[sbr.rays]") and toml.search("rays = { spacing = ")
    found = [f"{path.name}: {text!r}" for path in modules for text in _texts(path) if toml.search(text)]
    assert not found
