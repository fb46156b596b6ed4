"""Running problems."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any, Callable, Dict, Mapping, Optional, Tuple, Union

from wavefield import _native
from wavefield.result import Result

#: Called with (stage, done, total, residual) a few times per second.
Progress = Callable[[str, int, Optional[int], Optional[float]], None]


def run(
    problem: Union[Mapping[str, Any], str, "os.PathLike[str]"],
    solver: Optional[str] = None,
    *,
    device: str = "auto",
    threads: Optional[int] = None,
    progress: Union[bool, Progress, None] = None,
) -> Result:
    """Runs a problem and returns its result.

    ``problem`` is a dictionary with the keys of a problem file, the path of a problem file, or TOML text (a string with a
    line break). In a dictionary lists may be NumPy arrays, a complex number stands for [real, imaginary], and ``format`` is
    optional; files are looked up in the current folder. An invalid problem raises :class:`wavefield.ProblemError` with all
    errors.

    ``solver`` chooses one of the solvers of a problem that names several. ``device`` is "auto", "cpu", "gpu", or "gpu:NAME".
    ``progress`` is a function, True for a line on stderr, or False for none; by default the line appears after a second.

    Other Python threads continue during the run, and Ctrl-C stops it.
    """
    if progress is None:
        callback: Optional[Progress] = _Line(patience=1.0)
    elif progress is True:
        callback = _Line(patience=0.0)
    elif progress is False:
        callback = None
    else:
        callback = progress
    try:
        if isinstance(problem, Mapping):
            native = _native.run_problem(problem, Path.cwd(), solver, device, threads, callback)
        else:
            text, name, folder = _read(problem)
            native = _native.run_text(text, name, folder, solver, device, threads, callback)
    finally:
        if isinstance(callback, _Line):
            callback.finish()
    return Result(native)


def _read(problem: Union[str, "os.PathLike[str]"]) -> Tuple[str, str, Path]:
    """Returns the text of a problem, its name, and the folder of its files."""
    if isinstance(problem, str) and "\n" in problem:
        return problem, "problem", Path.cwd()
    path = Path(problem)
    try:
        return path.read_text(encoding="utf-8"), str(path), path.parent
    except FileNotFoundError:
        raise FileNotFoundError(
            f"no problem file {str(path)!r}; wavefield.examples() returns examples"
        ) from None


def examples() -> Dict[str, str]:
    """Returns the built-in example problems: name and TOML text."""
    return dict(_native.examples())


class _Line:
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
