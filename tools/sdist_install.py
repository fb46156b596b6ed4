"""Builds the source distribution, installs it in a fresh environment, and makes a first report; prints the times.

    python tools/sdist_install.py [--out DIST]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Largest wheel, MiB.
MAX_WHEEL = 15.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="folder for the source distribution")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        dist = asked.out.resolve() if asked.out else work / "dist"
        subprocess.run(["maturin", "sdist", "--out", dist], cwd=ROOT, check=True)
        (archive,) = dist.glob("*.tar.gz")
        venv.create(work / "venv", with_pip=True)
        binaries = work / "venv" / ("Scripts" if os.name == "nt" else "bin")
        start = time.monotonic()
        run([binaries / "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", work, archive], work)
        (wheel,) = work.glob("*.whl")
        built = time.monotonic()
        run([binaries / "pip", "install", "--quiet", wheel], work)
        run([binaries / "wavefield", "new", "exact/sphere"], work)
        run([binaries / "wavefield", "run", "problem.toml", "--quiet"], work)
        finished = time.monotonic()
        assert (work / "result" / "report.html").stat().st_size > 0
        size = wheel.stat().st_size / 2**20
        print(f"sdist {archive.stat().st_size / 2**20:.1f} MiB, wheel {size:.1f} MiB")
        print(f"sdist to wheel {built - start:.0f} s, wheel to report {finished - built:.0f} s")
        if size > MAX_WHEEL:
            sys.exit(f"the wheel exceeds {MAX_WHEEL} MiB")


def run(command: "list[object]", folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True)


if __name__ == "__main__":
    main()
