"""Comparison of results."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Union

from wavefield import _native
from wavefield.result import Result, load
from wavefield.runner import run



class Comparison(Result):
    """A comparison of results: a result itself, with its report, and the agreement of each with the reference."""

    def __init__(self, native: _native.NativeResult, agreement: List[Dict[str, Any]]) -> None:
        super().__init__(native)
        #: For each result and quantity: ``rows``, ``mean_db`` (mean difference), ``mean_20db`` and ``max_20db`` (mean and
        #: maximum where the reference is within 20 dB of its peak), ``within_one_db`` (fraction of rows).
        self.agreement = agreement


def compare(
    results: Mapping[str, Union[Result, Mapping[str, Any], str, "os.PathLike[str]"]], *, reference: Optional[str] = None
) -> Comparison:
    """Compares results by their names: results, result folders, or problems (files or dictionaries), which are run.

    Rows of equal frequency and directions are compared, in decibels. ``reference`` names the reference; by default it is
    an exact solution, a method of moments, or else the first.

        wf.compare({"exact": "exact.toml", "sbr": wf.run("sbr.toml")}).agreement
    """
    found: List[Result] = []
    for result in results.values():
        if isinstance(result, Result):
            found.append(result)
        elif not isinstance(result, Mapping) and Path(result).is_dir():
            found.append(load(result))
        else:
            found.append(run(result))
    native, agreement = _native.compare_results(list(results), [result._native for result in found], reference)
    return Comparison(native, json.loads(agreement))
