"""Wavefield's ray tracer beside Embree's 8-wide packets: the same meshes, the same rays.

    apt-get install libembree-dev g++
    python bench/peers/embree/compare.py MESH... [--side 1024] [--threads 1 2] [--rounds 5]

A mesh is a file the mesh reader knows, or sphere:EDGE for a unit sphere (sphere:0.014 has about 200 000 triangles).
Primary rays are an orthographic grid over the shadow of the mesh, seen 70 degrees off the z axis and 30 degrees off
the x axis; reflected rays are the first reflections of those that hit, in the order of the grid. Both programs read
one file, take turns, and the best of all rounds counts. Embree gets its high build quality and the better of its
two coherence hints. It works in single precision; Wavefield's hits are those of double precision.

Prints JSON: for each mesh and number of threads primary_ratio and reflected_ratio, ours over Embree's, with the
rates in million rays per second.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]


def build(folder: Path) -> List[Path]:
    """Builds both programs and says where they are."""
    embree = folder / "embree_rate"
    source = HERE / "embree_rate.cpp"
    flags = ["-O3", "-march=native", "-std=c++17"]
    subprocess.run(["g++", *flags, str(source), "-o", str(embree), "-lembree3", "-lpthread"], check=True)
    cargo = ["cargo", "build", "--release", "--package", "wavefield-sbr", "--example", "trace_rate"]
    messages = subprocess.run(
        [*cargo, "--message-format", "json"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    for line in messages.splitlines():
        executable = json.loads(line).get("executable")
        if executable:
            return [Path(executable), embree]
    raise SystemExit("cargo named no executable")


def run(program: Path, *arguments: Any) -> Dict[str, float]:
    command = [str(program), *map(str, arguments)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("meshes", nargs="+", metavar="MESH")
    parser.add_argument("--side", type=int, default=1024, help="rays along a side of the grid, a multiple of 4")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--programs", nargs=2, type=Path, help="trace_rate and embree_rate, if built already")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ours, embree = options.programs or build(folder)
        for mesh in options.meshes:
            case = folder / "case"
            subprocess.run([str(ours), "export", mesh, str(options.side), str(case)], check=True)
            for threads in options.threads:
                best: List[Dict[str, float]] = [{}, {}]
                for _ in range(options.rounds):
                    for side, program in enumerate([ours, embree]):
                        found = run(program, *(["rate"] if side == 0 else []), case, threads, 3)
                        for key, value in found.items():
                            best[side][key] = max(value, best[side].get(key, value))
                row: Dict[str, Any] = {"mesh": Path(mesh).name, "threads": threads}
                for kind in ("primary", "reflected"):
                    row[f"{kind}_ratio"] = round(best[0][kind] / best[1][kind], 3)
                    row[kind] = {"wavefield": best[0][kind], "embree": best[1][kind]}
                    row[f"{kind}_hits"] = [int(best[side][f"{kind}_hits"]) for side in (0, 1)]
                rows.append(row)
                print(json.dumps(row), file=sys.stderr)
    print(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
