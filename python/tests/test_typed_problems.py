"""Problems as typed dictionaries: numbers in SI units, loading, checking, and findings."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import wavefield as wf

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def sphere(radius, frequency, **changed):
    problem = {
        "solver": "exact",
        "frequency": frequency,
        "bodies": [{"geometry": {"shape": "sphere", "radius": radius}, "material": "pec"}],
        "excitation": {"kind": "plane-wave", "phi": "0 deg"},
        "observation": {"kind": "monostatic"},
    }
    problem.update(changed)
    return problem


def findings(problem):
    with pytest.raises(wf.ProblemError) as caught:
        wf.check(problem)
    return caught.value.findings


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """Cache of mypy, so that NumPy is read once."""
    return tmp_path_factory.mktemp("mypy")


def strict(script, cache):
    """Checks a script with `mypy --strict`."""
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, script]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_the_types_are_those_of_the_schema():
    generator = ROOT / "tools" / "problem_types.py"
    subprocess.run([sys.executable, generator, "--check"], check=True)


def test_a_script_with_every_solver_is_typed_and_runs(cache):
    pytest.importorskip("mypy")
    script = HERE / "typed_script.py"
    checked = strict(script, cache)
    assert checked.returncode == 0, checked.stdout
    ran = subprocess.run([sys.executable, script], cwd=ROOT / "target", capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert "['exact', 'mom2d', 'mom3d', 'sbr', 'dgtd', 'holography', 'reflectarray']" in ran.stdout


def public_types(path):
    """Yields the types of public functions, methods, and attributes of a module with their lines, and its type aliases."""
    inner = [ast.parse(path.read_text(encoding="utf-8"))]
    while inner:
        for node in inner.pop().body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                inner.append(node)
            elif isinstance(node, ast.FunctionDef) and (not node.name.startswith("_") or node.name == "__init__"):
                arguments = node.args.args + node.args.kwonlyargs + [node.args.vararg, node.args.kwarg]
                found = [argument.annotation for argument in arguments if argument is not None] + [node.returns]
                yield from ((node.lineno, annotation) for annotation in found if annotation is not None)
            elif isinstance(node, ast.AnnAssign) and not getattr(node.target, "id", "_").startswith("_"):
                yield node.lineno, node.annotation
            elif isinstance(node, ast.Assign) and not getattr(node.targets[0], "id", "_").startswith("_"):
                yield node.lineno, node.value


def test_public_signatures_have_no_any():
    package = Path(wf.__file__).parent
    # Validation of arguments and drawing, which users do not call.
    inner = {package / "nufft" / "arrays.py", package / "plot.py"}
    modules = [path for path in package.rglob("*.py") if path not in inner]
    assert len(modules) > 15
    found = [
        f"{path.relative_to(package)}:{line}"
        for path in modules
        for line, annotation in public_types(path)
        if re.search(r"\bAny\b", ast.unparse(annotation))
    ]
    assert found == []


def test_a_misspelled_key_and_a_wrong_value_are_type_errors(tmp_path, cache):
    pytest.importorskip("mypy")
    text = (HERE / "typed_script.py").read_text()
    wrong = text.replace('"shape": "plate", "width"', '"shape": "plate", "widht"').replace('"polarization": "tm"', '"polarization": "vertical"')
    assert wrong.count("widht") == 1 and wrong.count("vertical") == 1
    (tmp_path / "wrong.py").write_text(wrong)
    checked = strict(tmp_path / "wrong.py", cache)
    assert checked.returncode == 1
    assert "polarization" in checked.stdout or "PlaneWaveExcitation" in checked.stdout, checked.stdout
    assert "PlateGeometry" in checked.stdout or "geometry" in checked.stdout, checked.stdout


@pytest.mark.parametrize("radius", [0.25, np.float64(0.25), np.float32(0.25)])
@pytest.mark.parametrize("frequency", [1e9, 1_000_000_000, np.int64(10**9)])
def test_numbers_are_in_si_units(radius, frequency):
    with_units = wf.check(sphere("25 cm", "1 GHz"))
    assert wf.check(sphere(radius, frequency)).problem == with_units.problem


def test_numbers_within_sweeps_and_tables_are_in_si_units():
    text = wf.check(sphere(0.25, {"start": 1e9, "stop": 2e9, "count": 5})).problem
    assert text == wf.check(sphere("250 mm", {"start": "1 GHz", "stop": "2 GHz", "count": 5})).problem
    assert wf.run(sphere(0.25, np.array([1e9, 2e9])))["rcs/vv"].size == 2
    coated = sphere(0.25, 1e9)
    coated["bodies"][0]["coatings"] = [{"layers": [{"thickness": 1e-3, "material": {"permittivity": 3 - 0.1j}}]}]
    assert '"1 mm"' in wf.check(coated).problem


def test_an_angle_needs_its_unit():
    (finding,) = findings(sphere(0.25, 1e9, excitation={"kind": "plane-wave", "phi": 30}))
    assert finding.path == "excitation.phi"
    assert "30 deg" in finding.suggestion


def test_findings_name_their_places_and_suggestions():
    problem = sphere(0.25, 1e9)
    problem["bodies"][0]["geometry"]["radius"] = "25 kg"
    problem["bodies"][0]["materal"] = "pec"
    problem["observation"] = {"kind": "bistattic", "phi": "0 deg"}
    found = {finding.path: finding for finding in findings(problem)}
    assert {"bodies.0.geometry.radius", "bodies.0"} <= set(found), found
    assert "did you mean `material`?" in found["bodies.0"].suggestion
    assert any(path.startswith("observation") for path in found), found


def test_a_loaded_problem_is_its_file(tmp_path):
    for name, text in wf.examples().items():
        if name.startswith(("exact/", "mom2d/", "holography/")):
            (tmp_path / "problem.toml").write_text(text)
            loaded = wf.load_problem(tmp_path / "problem.toml")
            assert wf.check(loaded).sha256 == wf.check(text).sha256, name
            assert loaded == wf.load_problem(text)


def test_a_loaded_problem_finds_its_files_from_any_folder(tmp_path, monkeypatch):
    (tmp_path / "plate.obj").write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n")
    (tmp_path / "problem.toml").write_text(
        """
        format = 1
        solver = "sbr"
        frequency = "1 GHz"
        bodies = [{ geometry = { shape = "mesh", file = "plate.obj", unit = "m", open = true }, material = "pec" }]
        excitation = { kind = "plane-wave", phi = "0 deg" }
        observation = { kind = "monostatic" }
        """
    )
    loaded = wf.load_problem(tmp_path / "problem.toml")
    monkeypatch.chdir("/")
    assert wf.run(loaded, progress=False)["rcs/vv"].size == 1


def test_a_check_tells_cost_and_verdicts():
    check = wf.check(sphere(0.25, 1e9, solver="mom3d"))
    assert check.ok and check.solver == "mom3d"
    assert check.memory > 1e6 and check.seconds > 0
    assert {"electrical size", "edge length", "memory", "time"} <= {a.quantity for a in check.assessments}
    tiny = wf.check(sphere(1e-6, 1e9, solver="sbr"))
    assert not tiny.ok
    assert any(a.verdict == "error" and a.remedy for a in tiny.assessments)
