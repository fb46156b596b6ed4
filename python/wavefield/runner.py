"""Running problems."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Callable, Dict, Optional, Union

from wavefield import _native
from wavefield.result import Result

#: Called with (stage, done, total, residual) a few times per second.
Progress = Callable[[str, int, Optional[int], Optional[float]], None]


def run(
    problem: Union[str, "os.PathLike[str]"],
    *,
    device: str = "auto",
    threads: Optional[int] = None,
    progress: Union[bool, Progress, None] = None,
) -> Result:
    """Run a problem and return its result.

    ``problem`` is the path of a problem file, or the TOML text itself (anything with a line break).
    ``device`` is "auto", "cpu", "gpu" or "gpu:NAME". ``progress`` is a function, True for a line on
    stderr, False for silence; left out, the line appears once a run has taken a second.

    The interpreter stays responsive: other threads run on, and Ctrl-C stops the run.
    """
    if isinstance(problem, str) and "\n" in problem:
        text, name, folder = problem, "problem", Path.cwd()
    else:
        path = Path(problem)
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise FileNotFoundError(
                f"there is no problem file {str(path)!r}; wavefield.examples() has some to start from"
            ) from None
        name, folder = str(path), path.parent
    if progress is None:
        callback: Optional[Progress] = _Line(patience=1.0)
    elif progress is True:
        callback = _Line(patience=0.0)
    elif progress is False:
        callback = None
    else:
        callback = progress
    try:
        native = _native.run_problem(text, name, folder, device, threads, callback)
    finally:
        if isinstance(callback, _Line):
            callback.finish()
    return Result(native)


def examples() -> Dict[str, str]:
    """The built-in example problems: name and TOML text."""
    return dict(_native.examples())


class _Line:
    """One line of progress on stderr, in a terminal or a notebook, after some patience."""

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
