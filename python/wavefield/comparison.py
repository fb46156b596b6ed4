"""Several results on the same quantity."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Union

from wavefield import _native
from wavefield.result import Result, load
from wavefield.runner import run


class Comparison(Result):
    """Results laid over each other: a result itself, with its report, and how far each is from the reference."""

    def __init__(self, native: _native.NativeResult, agreement: List[Dict[str, Any]]) -> None:
        super().__init__(native)
        #: For each result and quantity: ``mean_db``, ``near_db``, ``worst_near_db``, ``within_one_db``, ``rows``.
        self.agreement = agreement


def compare(
    results: Mapping[str, Union[Result, str, "os.PathLike[str]"]], *, reference: Optional[str] = None
) -> Comparison:
    """Compare results by their names: results, result folders, or problem files, which are run.

    Rows with the same frequency and directions are compared, in decibels. ``reference`` names the one that the others
    are held against; left out, it is an exact solution, an integral equation, or else the
    first.

        wf.compare({"exact": "exact.toml", "rays": wf.run("rays.toml")}).agreement
    """
    found: List[Result] = []
    for result in results.values():
        if isinstance(result, Result):
            found.append(result)
        elif Path(result).is_dir():
            found.append(load(result))
        else:
            found.append(run(result))
    native, agreement = _native.compare_results(list(results), [result._native for result in found], reference)
    return Comparison(native, json.loads(agreement))
