"""The exceptions of the classes of errors."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import wavefield as wf
from wavefield import _native

PACKAGE = Path(__file__).resolve().parents[1] / "wavefield"

CIRCLE = {"geometry": {"shape": "circle", "radius": "1 m"}, "material": "pec"}


def test_exceptions_are_exported():
    assert issubclass(wf.ProblemError, ValueError)
    assert issubclass(wf.ConvergenceError, Exception) and issubclass(wf.DeviceError, Exception)
    for name in ["ProblemError", "ConvergenceError", "DeviceError"]:
        assert name in wf.__all__ and getattr(wf, name).__module__ == "wavefield"


def test_every_native_name_is_typed():
    stub = ast.parse((PACKAGE / "_native.pyi").read_text(encoding="utf-8"))
    typed = {node.name for node in stub.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    native = {name for name in dir(_native) if not name.startswith("__")}
    assert native == typed


@pytest.mark.parametrize("kind", ["gmres", "mlfma"])
def test_an_iteration_limit_is_a_convergence_error(kind):
    limited = {"kind": kind, "max_iterations": 2, "tolerance": 1e-10}
    with pytest.raises(wf.ConvergenceError, match="GMRES"):
        wf.run(wf.mom2d.problem([CIRCLE], frequency=3e8, incidence_phi_deg=0, linear_solver=limited), progress=False)


def test_an_unknown_solver_setting_is_a_problem_error():
    with pytest.raises(wf.ProblemError, match="max_iterations"):
        limited = {"kind": "gmres", "iterations": 2}
        wf.run(wf.mom2d.problem([CIRCLE], frequency=3e8, incidence_phi_deg=0, linear_solver=limited), progress=False)


#: A sphere by the method of moments, whose matrix is factored on the GPU.
ON_THE_GPU = """
import wavefield as wf
try:
    wf.run(
        {
            "solver": "mom3d",
            "frequency": "300 MHz",
            "bodies": [{"geometry": {"shape": "sphere", "radius": "0.2 m"}, "material": "pec"}],
            "excitation": {"kind": "plane-wave", "phi": "0 deg"},
            "observation": {"kind": "monostatic"},
        },
        device="gpu",
        progress=False,
    )
except wf.DeviceError as error:
    print("DeviceError:", error)
"""


def test_a_lost_device_is_a_device_error():
    def said(**fault):
        command = [sys.executable, "-c", ON_THE_GPU]
        ended = subprocess.run(command, env={**os.environ, **fault}, capture_output=True, text=True, timeout=300)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    healthy = said()
    if healthy:
        assert "CI" not in os.environ, healthy
        pytest.skip(healthy)
    assert said(WAVEFIELD_FAULT="device-lost").startswith("DeviceError: device failure:")
