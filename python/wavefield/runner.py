"""Loading, checking, and running problems."""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Dict, List, Mapping, Optional, TypeVar, Union, cast

from wavefield import _native
from wavefield.problem_types import Problem
from wavefield.record_types import Assessed
from wavefield.result import Result

#: A problem: a dictionary with the keys of a problem file, the path of a problem file, or TOML text.
AnyProblem = Union[Problem, Mapping[str, object], str, "os.PathLike[str]"]
#: Called with (stage, done, total, residual) a few times per second.
Progress = Callable[[str, int, Optional[int], Optional[float]], None]
_Function = TypeVar("_Function", bound=Callable[..., None])


def load_problem(file: Union[str, "os.PathLike[str]"]) -> Problem:
    """Returns the dictionary of a problem file, or of TOML text (a string with a line break), with absolute paths.

        problem = wf.load_problem("problem.toml")
        problem["frequency"] = 2e9
        wf.run(problem)
    """
    return cast(Problem, _problem(file).values())


@dataclass(frozen=True)
class Assessment:
    """A quantity of a planned run with its verdict."""

    quantity: str
    value: str
    #: A run with an error is refused.
    verdict: Assessed
    #: What to change; empty if the verdict is "ok".
    remedy: str


@dataclass(frozen=True)
class Check:
    """A planned run: its cost, and whether mesh and frequency suit the solver."""

    solver: str
    #: Numbers of elements, unknowns, and aspects.
    size: str
    #: Predicted memory, bytes.
    memory: int
    #: Predicted time, s.
    seconds: float
    #: Processor or GPU, and threads.
    device: str
    assessments: List[Assessment]
    #: The problem with all defaults written out, as TOML text.
    problem: str
    #: SHA-256 of the problem and its files.
    sha256: str

    @property
    def ok(self) -> bool:
        """Whether no assessment is an error."""
        return all(assessment.verdict != "error" for assessment in self.assessments)


def check(
    problem: AnyProblem,
    solver: Optional[str] = None,
    *,
    device: str = "auto",
    threads: Optional[int] = None,
) -> Check:
    """Plans a problem without running it. An invalid problem raises :class:`wavefield.ProblemError`, as in :func:`run`.

        wf.check("problem.toml").memory
    """
    found = json.loads(_problem(problem).check(solver, device, threads))
    return Check(
        solver=found["solver"],
        size=found["size"],
        memory=found["memory_bytes"],
        seconds=found["seconds"],
        device=found["device"],
        assessments=[Assessment(**assessment) for assessment in found["assessments"]],
        problem=found["problem"],
        sha256=found["sha256"],
    )


def run(
    problem: AnyProblem,
    solver: Optional[str] = None,
    *,
    device: str = "auto",
    threads: Optional[int] = None,
    progress: Union[bool, Progress, None] = None,
) -> Result:
    """Runs a problem and returns its result.

    ``problem`` is a dictionary with the keys of a problem file, the path of a problem file, or TOML text (a string with a
    line break). In a dictionary quantities may be numbers in SI units, except angles, lists may be NumPy arrays, a complex
    number stands for [real, imaginary], and ``format`` is optional; files are looked up in the current folder.
    :mod:`wavefield.problem_types` has its types. An invalid problem raises :class:`wavefield.ProblemError` with all errors.

    ``solver`` chooses one of the solvers of a problem that names several. ``device`` is "auto", "cpu", "gpu", or "gpu:NAME".
    ``progress`` is a function, True for a line on stderr, or False for none; by default the line appears after a second.

    Other Python threads continue during the run, and Ctrl-C stops it.
    """
    callback = progress_of(progress)
    try:
        return Result(*_problem(problem).run(solver, device, threads, callback))
    finally:
        if isinstance(callback, ProgressLine):
            callback.finish()


def progress_of(progress: Union[bool, _Function, None]) -> Union[_Function, ProgressLine, None]:
    """Returns the function of progress: that of the caller, a line that appears at once (True) or after a second (None), or
    none (False)."""
    if progress is None:
        return ProgressLine(patience=1.0)
    if progress is True:
        return ProgressLine(patience=0.0)
    return None if progress is False else progress


def _problem(problem: AnyProblem) -> _native.NativeProblem:
    """Returns a problem with the folder of its files."""
    if isinstance(problem, Mapping):
        return _native.NativeProblem.from_values(problem, Path.cwd())
    if isinstance(problem, str) and "\n" in problem:
        return _native.NativeProblem.from_text(problem, "problem", Path.cwd())
    path = Path(cast("os.PathLike[str]", problem))
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise FileNotFoundError(
            f"no problem file {str(path)!r}; wavefield.examples() returns examples"
        ) from None
    return _native.NativeProblem.from_text(text, str(path), path.parent.absolute())


def examples() -> Dict[str, str]:
    """Returns the built-in example problems: name and TOML text."""
    return dict(_native.examples())


class ProgressLine:
    """Progress line on stderr, in a terminal or a notebook, shown after some seconds."""

    def __init__(self, patience: float) -> None:
        self._start = time.monotonic()
        self._patience = patience
        self._shown = 0

    def __call__(self, stage: str, done: int, total: Optional[int], residual: Optional[float]) -> None:
        if time.monotonic() - self._start < self._patience:
            return
        part = f"{100 * done // total} %" if total else str(done)
        text = f"{stage}: {part}"
        if residual is not None:
            text += f", residual {residual:.2e}"
        sys.stderr.write("\r" + text.ljust(self._shown))
        sys.stderr.flush()
        self._shown = max(self._shown, len(text))

    def finish(self) -> None:
        if self._shown:
            sys.stderr.write("\r" + " " * self._shown + "\r")
            sys.stderr.flush()
