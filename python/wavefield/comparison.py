"""Comparison of results."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import List, Mapping, Optional, Tuple, Union

from wavefield import _native
from wavefield.record_types import Values, Verdict
from wavefield.result import Result, load
from wavefield.runner import run


class Comparison(Result):
    """A comparison of results: a result itself, with its report, and the agreement of each with the reference."""

    def __init__(self, record: str, arrays: Mapping[str, Values], agreement: List[Verdict]) -> None:
        super().__init__(record, arrays)
        #: For each result and quantity: ``rows``, ``mean_db`` (mean difference), ``mean_20db`` and ``max_20db`` (mean and
        #: maximum where the reference is within 20 dB of its peak), ``within_one_db`` (fraction of rows).
        self.agreement = agreement

    def __reduce__(self) -> Tuple[object, ...]:
        return (Comparison, (self._json, self._arrays, self.agreement))


def compare(
    results: Mapping[str, Union[Result, Mapping[str, object], str, "os.PathLike[str]"]],
    *,
    reference: Optional[str] = None,
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
    named = [(name, result._json, result._arrays) for name, result in zip(results, found)]
    (record, arrays), agreement = _native.compare_results(named, reference)
    return Comparison(record, arrays, json.loads(agreement))
