"""Results: arrays by name, tables, figures, and the report."""

from __future__ import annotations

import html
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union, overload

from wavefield import _native, archive
from wavefield.record_types import Check, Record, Values

if TYPE_CHECKING:
    import matplotlib.figure
    import pandas
    import pyvista
    import skrf
    import xarray


class Result(Mapping[str, Values]):
    """Result of a run: a mapping from names such as ``"rcs/vv"`` to NumPy arrays, which are read-only.

    Results can be pickled and copied, and converted: :meth:`to_xarray`, :meth:`to_pandas`, :meth:`to_skrf`,
    :meth:`to_pyvista`, :meth:`to_netcdf`.
    """

    def __init__(self, record: str, arrays: Mapping[str, Values]) -> None:
        #: Everything about the run but its arrays: device, accuracy, timings, problem, checks, figures.
        self.record: Record = json.loads(record)
        self._json = record
        self._arrays = dict(arrays)
        for array in self._arrays.values():
            array.flags.writeable = False

    def __getitem__(self, name: str) -> Values:
        try:
            return self._arrays[name]
        except KeyError:
            raise KeyError(f"unknown array `{name}`; choose from: {', '.join(self._arrays)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __reduce__(self) -> Tuple[object, ...]:
        return (Result, (self._json, self._arrays))

    @property
    def title(self) -> str:
        """Title of the problem."""
        return self.record["title"]

    @property
    def solver(self) -> str:
        """Name of the solver."""
        return self.record["solver"]

    @property
    def accuracy(self) -> float:
        """Predicted relative accuracy of the run."""
        return self.record["accuracy"]

    @property
    def problem(self) -> str:
        """Problem with all defaults written out, as TOML text."""
        return self.record["problem"]

    @property
    def checks(self) -> List[Check]:
        """Checks of the run: name, value, limit."""
        return self.record["checks"]

    @property
    def tables(self) -> List[str]:
        """Names of the tables."""
        return [table["name"] for table in self.record["tables"]]

    def table(self, name: str) -> Dict[str, Values]:
        """Returns the columns of a table by name."""
        return {column: self[f"{name}/{column}"] for column in self.units(name)}

    def units(self, name: str) -> Dict[str, str]:
        """Returns the units of the columns of a table by name; empty for a dimensionless quantity."""
        for table in self.record["tables"]:
            if table["name"] == name:
                return {column["name"]: column["unit"] for column in table["columns"]}
        raise KeyError(f"unknown table {name!r}; choose from: {', '.join(self.tables)}")

    @property
    def figures(self) -> "Figures":
        """Figures of the report, by number or title."""
        return Figures(self)

    def report(self) -> str:
        """Returns the report as one self-contained HTML page."""
        return _native.report(self._json, self._arrays)

    def save(self, folder: Union[str, "os.PathLike[str]"]) -> Path:
        """Writes a result folder (JSON, CSV, NPZ, report.html) and returns its path."""
        path = Path(folder)
        _native.save(path, self._json, self._arrays)
        return path

    def plot(self) -> "matplotlib.figure.Figure":
        """Draws the figures of the report with matplotlib."""
        from wavefield.plot import draw

        return draw(self)

    @overload
    def to_xarray(self, group: None = None) -> "xarray.DataTree": ...

    @overload
    def to_xarray(self, group: str) -> "xarray.Dataset": ...

    def to_xarray(self, group: Optional[str] = None) -> "Union[xarray.DataTree, xarray.Dataset]":
        """Returns labeled arrays: a tree of groups such as "rcs", or the dataset of one group.

        Dimensions such as frequency, theta, and phi have coordinates, and every array has its unit as ``attrs["units"]``.

            result.to_xarray()["rcs/vv_dbsm"].sel(frequency=1e9, phi=30)
            result.to_xarray("rcs").vv_dbsm.plot()
        """
        _needed("xarray", "xarray")
        from wavefield.labeled import dataset, tree

        return tree(self) if group is None else dataset(self, group)

    def to_netcdf(self, file: Union[str, "os.PathLike[str]"]) -> Path:
        """Writes all labeled arrays into one netCDF-4 (HDF5) file, with complex numbers as compounds of r and i.

        ``xarray.open_datatree`` reads all groups, ``xarray.open_dataset(file, group="rcs", engine="h5netcdf")`` one.
        """
        _needed("h5netcdf", "xarray")
        from wavefield.labeled import write

        path = Path(file)
        write(self, path)
        return path

    def to_pandas(self, table: Optional[str] = None) -> "pandas.DataFrame":
        """Returns a table, by default the first one, with the units of its columns as ``attrs["units"]``."""
        pandas = _needed("pandas", "xarray")
        chosen = table or self.tables[0]
        frame = pandas.DataFrame(self.table(chosen))
        frame.attrs["units"] = self.units(chosen)
        return frame

    def to_skrf(self) -> "skrf.Network":
        """Returns the S-parameters of the ports as a network of scikit-rf."""
        skrf = _needed("skrf", "rf")
        networks = self.record.get("networks", [])
        if not networks:
            raise ValueError("the result has no S-parameters of ports with one reference impedance")
        network = networks[0]
        return skrf.Network(
            f=self[network["frequencies"]],
            f_unit="Hz",
            s=self[network["parameters"]],
            z0=network["resistance"],
            name=network["name"],
        )

    def to_pyvista(self) -> "pyvista.PolyData":
        """Returns the mesh of the 3-D view with the quantities on its triangles as cell data."""
        pyvista = _needed("pyvista", "viz")
        from wavefield.labeled import surface

        points, triangles, quantities = surface(self)
        mesh = pyvista.PolyData.from_regular_faces(points, triangles)
        for name, values in quantities.items():
            mesh.cell_data[name] = values
        return mesh

    def __repr__(self) -> str:
        figures = ", ".join(
            f"{figure['label']} {figure['value']} {figure['unit']}".strip() for figure in self.record["key_figures"]
        )
        return f"<wavefield.Result {self.title!r}: {figures}>"

    def _repr_html_(self) -> str:
        rows = [(figure["label"], f"{figure['value']} {figure['unit']}") for figure in self.record["key_figures"]]
        rows += [
            (f"failed: {check['name']}", f"{check['value']:.3g}, at most {check['limit']:.3g}; {check['remedy']}")
            for check in self.checks
            if not check["value"] <= check["limit"]
        ]
        cells = "".join(
            f"<tr><th style='text-align:left'>{html.escape(label)}</th><td>{html.escape(value)}</td></tr>"
            for label, value in rows
        )
        page = f"<p><b>{html.escape(self.title)}</b>, {html.escape(self.solver)}</p><table>{cells}</table>"
        return page + (self.figures[0].svg if len(self.figures) else "")


class Figure:
    """A figure of the report. A notebook shows it as an SVG image."""

    def __init__(self, result: Result, number: int) -> None:
        self._result = result
        self._number = number
        record = result.record["figures"][number]
        self.title = record["title"]
        self.caption = record["caption"]

    @property
    def svg(self) -> str:
        """The figure as an SVG image."""
        return _native.figure_svg(self._result._json, self._result._arrays, self._number)

    def plot(self) -> "matplotlib.figure.Figure":
        """Draws the figure with matplotlib."""
        from wavefield.plot import draw

        return draw(self._result, [self._number])

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<wavefield.Figure {self.title!r}>"


class Figures(Sequence[Figure]):
    """Figures of a report, by number or title."""

    def __init__(self, result: Result) -> None:
        self._result = result
        #: Titles of the figures.
        self.titles = [figure["title"] for figure in result.record["figures"]]

    @overload
    def __getitem__(self, key: Union[int, str]) -> Figure: ...

    @overload
    def __getitem__(self, key: slice) -> Sequence[Figure]: ...

    def __getitem__(self, key: Union[int, str, slice]) -> Union[Figure, Sequence[Figure]]:
        if isinstance(key, slice):
            return [Figure(self._result, number) for number in range(len(self))[key]]
        if isinstance(key, str):
            if key not in self.titles:
                raise KeyError(f"unknown figure {key!r}; choose from: {', '.join(self.titles)}")
            return Figure(self._result, self.titles.index(key))
        return Figure(self._result, range(len(self))[key])

    def __len__(self) -> int:
        return len(self.titles)

    def __repr__(self) -> str:
        return f"<wavefield.Figures {self.titles}>"


def load(folder: Union[str, "os.PathLike[str]"]) -> Result:
    """Reads a result folder written by :meth:`Result.save` or by ``wavefield run``. Arrays are mapped: what is not used
    is not read."""
    record, arrays = _native.read_record(Path(folder))
    return Result(record, archive.mapped(Path(arrays)))


def _needed(module: str, extra: str) -> "_Module":
    """Imports an optional module."""
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError:
        raise ImportError(f"this needs {module}: pip install 'wavefield[{extra}]'") from None


if TYPE_CHECKING:
    from typing import Any

    #: A module without types.
    _Module = Any
