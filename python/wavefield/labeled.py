"""Labeled arrays: dimensions, coordinates, and units of a result, for xarray, netCDF, and PyVista."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Dict, List, Mapping, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from wavefield.record_types import Values

if TYPE_CHECKING:
    import xarray

    from wavefield.result import Result

#: Columns that are coordinates where a table begins with them.
COORDINATES = ("frequency", "theta_i", "phi_i", "theta", "phi", "x", "y", "z")
#: Dimensions even if they have one value.
ALWAYS = ("frequency", "theta", "phi")
#: Angles of incidence, which are those of observation if the observation is monostatic.
OBSERVED = {"theta_i": "theta", "phi_i": "phi"}

#: Dimensions, values, and attributes, as xarray takes them.
Labeled = Tuple[Sequence[str], "NDArray[np.generic]", Mapping[str, str]]


def groups(result: "Result") -> List[str]:
    """Returns the names of tables, and the first parts of the names of labeled arrays."""
    found = dict.fromkeys(result.tables)
    for variable in result.record.get("variables", []):
        found.setdefault(variable["array"].split("/")[0])
    return list(found)


def dataset(result: "Result", group: str) -> "xarray.Dataset":
    """Returns the labeled arrays of a group."""
    import xarray

    if group not in groups(result):
        raise KeyError(f"unknown group {group!r}; choose from: {', '.join(groups(result))}")
    data: Dict[str, Labeled] = {}
    coordinates: Dict[str, Labeled] = {}
    if group in result.tables:
        _add_table(result.table(group), result.units(group), data, coordinates)
    _add_variables(result, group, data, coordinates)
    return xarray.Dataset(data, coordinates, {"title": result.title, "solver": result.solver})


def tree(result: "Result") -> "xarray.DataTree":
    """Returns all groups, and the origin of the result as attributes of the root."""
    import xarray

    record = result.record
    origin = {
        "title": record["title"],
        "solver": record["solver"],
        "summary": record["summary"],
        "problem": record["problem"],
        "problem_sha256": record["problem_sha256"],
        "program": record["program"],
    }
    parts = {"/": xarray.Dataset(attrs=origin)}
    parts.update({f"/{group}": dataset(result, group) for group in groups(result)})
    return xarray.DataTree.from_dict(parts)


def write(result: "Result", file: Path) -> None:
    """Writes all groups into a netCDF-4 file."""
    with warnings.catch_warnings():
        # Complex numbers are compounds of r and i, which h5netcdf, netCDF4 (auto_complex), and h5py read.
        warnings.filterwarnings("ignore", message="You are writing invalid netcdf features")
        tree(result).to_netcdf(file, engine="h5netcdf", invalid_netcdf=True)


def surface(result: "Result") -> Tuple[NDArray[np.float64], NDArray[np.uint32], Dict[str, NDArray[np.float64]]]:
    """Returns points and triangles of the mesh in the 3-D view, and the quantities on its triangles."""
    meshes = result.record["view"]["meshes"]
    if not meshes:
        raise ValueError("the result has no mesh")
    mesh = meshes[0]
    points = np.asarray(result[mesh["points"]], np.float64)
    triangles = np.asarray(result[mesh["triangles"]], np.uint32)
    quantities: Dict[str, NDArray[np.float64]] = {}
    for quantity in mesh.get("quantities", []):
        quantities[quantity["array"]] = np.asarray(result[quantity["array"]], np.float64)
    for variable in result.record.get("variables", []):
        values = result[variable["array"]]
        if variable["dimensions"][0] == "triangle" and len(values) == len(triangles):
            name = variable["array"]
            if np.iscomplexobj(values):
                quantities[f"{name}.real"] = np.ascontiguousarray(values.real)
                quantities[f"{name}.imag"] = np.ascontiguousarray(values.imag)
            else:
                quantities[name] = np.asarray(values, np.float64)
    return points, triangles, quantities


def _add_table(
    table: Dict[str, Values], units: Dict[str, str], data: Dict[str, Labeled], coordinates: Dict[str, Labeled]
) -> None:
    """Labels the columns of a table: over the grid of its coordinates, or over its rows."""
    names = list(table)
    count = 0
    while count < len(names) and names[count] in COORDINATES:
        count += 1
    axes, others = names[:count], names[count:]
    follows = {name: seen for name, seen in OBSERVED.items() if name in axes and np.array_equal(table[name], table[seen])}
    #: Values of each dimension, and the number of the value of every row.
    grid: Dict[str, NDArray[np.generic]] = {}
    places: List[NDArray[np.intp]] = []
    for name in axes:
        if name in follows:
            continue
        values, place = np.unique(table[name], return_inverse=True)
        if values.size > 1 or name in ALWAYS:
            grid[name] = values
            places.append(place.reshape(-1))
    lengths = [values.size for values in grid.values()]
    rows = len(table[names[0]])
    index = np.ravel_multi_index(places, lengths) if grid else np.zeros(rows, np.intp)
    if np.prod(lengths, dtype=np.int64) != rows or np.unique(index).size != rows:
        # No grid: every row has its coordinates.
        for name in axes:
            coordinates[name] = (("row",), table[name], {"units": units[name]})
        for name in others:
            data[name] = (("row",), table[name], {"units": units[name]})
        return
    order = np.argsort(index)
    for name in axes:
        unit = {"units": units[name]}
        seen = follows.get(name, name)
        if seen in grid:
            coordinates[name] = ((seen,), grid[seen], unit)
        else:
            coordinates[name] = ((), np.asarray(table[name][0]), unit)
    for name in others:
        data[name] = (list(grid), table[name][order].reshape(lengths), {"units": units[name]})


def _add_variables(
    result: "Result", group: str, data: Dict[str, Labeled], coordinates: Dict[str, Labeled]
) -> None:
    variables = result.record.get("variables", [])
    units = {variable["array"]: variable["unit"] for variable in variables}
    for table in result.tables:
        units.update({f"{table}/{column}": unit for column, unit in result.units(table).items()})
    for variable in variables:
        start, name = variable["array"].split("/", 1)
        if start != group:
            continue
        dimensions = []
        for dimension in variable["dimensions"]:
            label = dimension.split("/")[-1]
            dimensions.append(label)
            if "/" in dimension:
                coordinates[label] = ((label,), result[dimension], {"units": units.get(dimension, "")})
            elif label == "axis":
                coordinates[label] = ((label,), np.array(["x", "y", "z"]), {})
        if variable["dimensions"] != [variable["array"]]:
            data[name] = (dimensions, result[variable["array"]], {"units": variable["unit"]})
