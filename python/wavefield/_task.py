"""One task of a sweep, run by a worker of any executor."""

from __future__ import annotations

import hashlib
import pickle
import time
from dataclasses import dataclass
from pathlib import Path
from typing import List, Mapping, Optional, Set, Tuple, Union

from wavefield import _native
from wavefield.result import Result

#: Sweeps that were stopped, of which tasks run in threads of this process.
stopped: Set[str] = set()


@dataclass(frozen=True)
class Task:
    """A problem to be run."""

    #: Name of the task: digest of the program, the problem with all defaults, and the contents of its files.
    key: str
    #: The problem as a dictionary with absolute paths.
    problem: Mapping[str, object]
    solver: Optional[str]
    threads: Optional[int]
    #: Name of the sweep in its process.
    sweep: str


@dataclass(frozen=True)
class Failure:
    """Error of a problem. It is returned, so that every exception of a future is one of the infrastructure."""

    kind: str
    message: str
    findings: Tuple[Tuple[str, str, Optional[str]], ...] = ()


@dataclass(frozen=True)
class Finished:
    """Result of a task, or its failure."""

    key: str
    outcome: Union[Result, Failure]
    #: Time of the run, s.
    seconds: float


def key_of(problem: _native.NativeProblem, solver: Optional[str]) -> str:
    """Returns the name of a task."""
    return hashlib.sha256(problem.identity(solver).encode()).hexdigest()[:32]


def run(tasks: bytes) -> bytes:
    """Runs tasks one after the other. Errors of problems are values."""
    return pickle.dumps([execute(task) for task in pickle.loads(tasks)], protocol=5)


def pack(tasks: List[Task]) -> bytes:
    """Returns tasks for :func:`run`."""
    return pickle.dumps(tasks, protocol=5)


def unpack(finished: bytes) -> List[Finished]:
    """Returns what :func:`run` returned."""
    found: List[Finished] = pickle.loads(finished)
    return found


def execute(task: Task) -> Finished:
    """Runs a task; an error of its problem is a value."""
    start = time.perf_counter()

    def watch(stage: str, done: int, total: Optional[int], residual: Optional[float]) -> None:
        if task.sweep in stopped:
            raise KeyboardInterrupt

    try:
        problem = _native.NativeProblem.from_values(task.problem, Path.cwd())
        own = key_of(problem, task.solver)
        if own != task.key:
            text = f"this worker computes another problem: wavefield {_native.__version__}, or its files have changed"
            return Finished(task.key, Failure("RuntimeError", text), 0.0)
        result = Result(*problem.run(task.solver, "cpu", task.threads, watch))
    except _native.ProblemError as error:
        findings = tuple((finding.path, finding.message, finding.suggestion) for finding in error.findings)
        return Finished(task.key, Failure("ProblemError", str(error), findings), 0.0)
    except Exception as error:
        return Finished(task.key, Failure(type(error).__name__, str(error)), 0.0)
    return Finished(task.key, result, time.perf_counter() - start)
