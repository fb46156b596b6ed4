"""What a new user meets: a fresh virtual environment, the wheel, and the first runs of the README.

    python .ci/first_runs.py target/ci-wheels/wavefield-*.whl

The commands are read from the README. Checked are the files that each run leaves, the values recorded with its example, what
the report says of itself, every figure as a picture, and the report as a browser shows it. Needs matplotlib and Chromium where it runs.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
import xml.etree.ElementTree as xml
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python" / "tests"))
import browser  # noqa: E402

FILES = {"problem.toml", "result.json", "arrays.npz", "report.html"}
RUNS = 6


def first_runs(readme):
    """The commands of each first run of the README."""
    part = readme.split("## First runs")[1].split("\n## ")[0]
    blocks = [block.strip().splitlines() for block in re.findall(r"```sh\n(.*?)```", part, re.DOTALL)]
    assert len(blocks) == RUNS, f"the README has {len(blocks)} first runs, not {RUNS}"
    assert all(len(block) == 3 for block in blocks), "a first run has three lines"
    return blocks


def environment(folder, wheel):
    """A fresh virtual environment with the wheel, as the environment of a process."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run([folder / "bin/pip", "install", "--quiet", f"{wheel}[mesh]"], check=True)
    variables = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    variables["PATH"] = f"{folder / 'bin'}:/usr/bin:/bin"
    return variables


def check_files(result):
    """What a run leaves behind is there, and says that it is good."""
    names = {path.name for path in result.iterdir()}
    assert FILES <= names, f"{FILES - names} is missing"
    assert any(name.endswith(".csv") for name in names), "there is no table"
    record = json.loads((result / "result.json").read_text(encoding="utf-8"))
    for check in record["checks"]:
        assert check["value"] <= check["limit"], f"a check of the run failed: {check}"
    arrays = np.load(result / "arrays.npz")
    assert arrays.files and all(arrays[name].size for name in arrays.files), "an array is empty"
    return record


def check_recorded(example, result):
    """The run reproduces the values recorded with its example."""
    expected = tomllib.loads((ROOT / "problems" / example / "expected.toml").read_text(encoding="utf-8"))
    arrays = np.load(result / "arrays.npz")
    for sample in expected["sample"]:
        found = arrays[sample["array"]].ravel()[sample["index"]]
        assert abs(found - sample["value"]) <= sample["tolerance"], f"{example}: {found} where {sample} was recorded"


def check_figures(result, record):
    """Every figure is a picture of its own with something drawn in it."""
    pictures = sorted((result / "figures").glob("*.svg"))
    assert len(pictures) == len(record["figures"]) > 0, "a figure is missing"
    for picture in pictures:
        drawn = [element for element in xml.parse(picture).iter() if re.search(r"\}(path|image|circle)$", element.tag)]
        assert drawn, f"{picture.name} is empty"
    return len(pictures)


def check_page(result, folder):
    """The report in a browser: its dark band, its paper, and colors in between."""
    assert browser.CHROMIUM, "there must be a browser: install chromium"
    picture = browser.picture(result / "report.html", folder)
    assert picture[:150].mean() < 120, "the dark band at the top is missing"
    saturation = picture[300:].max(axis=-1).astype(int) - picture[300:].min(axis=-1)
    assert (saturation > 100).sum() > 1000, "nothing is drawn in color"


def main():
    wheel = Path(sys.argv[1]).resolve()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        variables = environment(folder / "venv", wheel)
        subprocess.run(["wavefield", "doctor"], env=variables, check=True)
        for number, commands in enumerate(first_runs(readme), 1):
            place = folder / f"run-{number}"
            place.mkdir()
            start = time.monotonic()
            for command in commands:
                print(f"$ {command}", flush=True)
                subprocess.run(command.split(), cwd=place, env=variables, check=True, timeout=900, stdout=subprocess.DEVNULL)
            seconds = time.monotonic() - start
            record = check_files(place / "result")
            check_recorded(commands[0].split()[-1], place / "result")
            subprocess.run(["wavefield", "report", "--figures"], cwd=place, env=variables, check=True)
            figures = check_figures(place / "result", record)
            check_page(place / "result", place)
            print(f"good: {record['title']}, {figures} figures, {seconds:.0f} s\n", flush=True)


if __name__ == "__main__":
    main()
