"""Results: arrays by name, tables, figures, and the report."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Union

import numpy as np

from wavefield import _native

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Result(Mapping[str, "np.ndarray[Any, Any]"]):
    """Result of a run: a mapping from names such as ``"rcs/vv"`` to NumPy arrays."""

    def __init__(self, native: _native.NativeResult) -> None:
        self._native = native
        #: Everything about the run but its arrays: device, accuracy, timings, problem, figures.
        self.record: Dict[str, Any] = json.loads(native.record_json())

    def __getitem__(self, name: str) -> "np.ndarray[Any, Any]":
        return self._native.array(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._native.names())

    def __len__(self) -> int:
        return len(self._native.names())

    @property
    def title(self) -> str:
        """Title of the problem."""
        return str(self.record["title"])

    @property
    def accuracy(self) -> float:
        """Predicted relative accuracy of the run."""
        return float(self.record["accuracy"])

    @property
    def problem(self) -> str:
        """Problem with all defaults written out."""
        return str(self.record["problem"])

    @property
    def tables(self) -> List[str]:
        """Names of the tables."""
        return [table["name"] for table in self.record["tables"]]

    def table(self, name: str) -> Dict[str, "np.ndarray[Any, Any]"]:
        """Returns the columns of a table by name, ready for ``pandas.DataFrame``."""
        for table in self.record["tables"]:
            if table["name"] == name:
                return {column["name"]: self[f"{name}/{column['name']}"] for column in table["columns"]}
        raise KeyError(f"unknown table {name!r}; choose from: {', '.join(self.tables)}")

    def report(self) -> str:
        """Returns the report as one self-contained HTML page."""
        return self._native.report()

    def save(self, folder: Union[str, "os.PathLike[str]"]) -> Path:
        """Writes a result folder (JSON, CSV, NPZ, report.html) and returns its path."""
        path = Path(folder)
        self._native.save(path)
        return path

    def plot(self) -> "Figure":
        """Draws the figures of the report with matplotlib."""
        from wavefield.plot import draw

        return draw(self)

    def __repr__(self) -> str:
        figures = ", ".join(
            f"{figure['label']} {figure['value']} {figure['unit']}".strip() for figure in self.record["key_figures"]
        )
        return f"<wavefield.Result {self.title!r}: {figures}>"


def load(folder: Union[str, "os.PathLike[str]"]) -> Result:
    """Reads a result folder written by :meth:`Result.save` or by ``wavefield run``."""
    return Result(_native.read_result(Path(folder)))
