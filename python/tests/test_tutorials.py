"""The tutorials of the book run from start to figure with the installed package."""

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

TUTORIALS = sorted((Path(__file__).resolve().parents[2] / "book" / "src" / "tutorials").glob("*.md"))


def test_there_are_tutorials():
    assert len(TUTORIALS) >= 5, TUTORIALS


def _blocks(page):
    """Yields the blocks of a page: language, text, and the last problem file named before."""
    named = None
    for part in re.finditer(r"`([\w.-]+\.toml)`|^```(\w+)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        if part[1]:
            named = part[1]
        else:
            yield part[2], part[3], named


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_a_tutorial_runs(page, tmp_path):
    scripts = sysconfig.get_path("scripts")
    variables = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "MPLBACKEND": "Agg"}
    ran = 0
    for language, text, named in _blocks(page):
        if language == "toml":
            (tmp_path / named).write_text(text, encoding="utf-8")
        elif language in ("sh", "python"):
            command = ["bash", "-e", "-c", text] if language == "sh" else [sys.executable, "-c", text]
            done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, timeout=280)
            assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
            ran += 1
    assert ran > 0
    pictures = [path for path in tmp_path.rglob("*") if path.suffix in (".png", ".svg", ".html")]
    assert pictures, "a tutorial ends with a figure"
