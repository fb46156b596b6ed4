"""Runs the sweep of test_sweep.py in a process of its own."""

import sys
import time

import wavefield as wf
from test_sweep import PARAMETERS, PROBLEM, digest


def main() -> None:
    if sys.argv[1] == "mpi":
        from mpi4py.futures import MPIPoolExecutor

        with MPIPoolExecutor() as pool:
            print(digest(wf.sweep(PROBLEM, PARAMETERS, executor=pool, progress=False)))
    else:
        wf.sweep(PROBLEM, PARAMETERS, out=sys.argv[2], progress=lambda *event: time.sleep(0.05))


if __name__ == "__main__":
    main()
