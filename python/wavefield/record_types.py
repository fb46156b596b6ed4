"""Types of the record of a result: everything but its arrays, as in result.json."""

from __future__ import annotations

from typing import List, Literal, TypedDict, Union

import numpy as np
from numpy.typing import NDArray

#: An array of a result.
Values = Union[NDArray[np.float64], NDArray[np.complex128], NDArray[np.uint32]]


class Column(TypedDict):
    """A column of a table; its values are the array ``table/name``."""

    name: str
    unit: str


class Table(TypedDict):
    """A table: arrays of equal length."""

    name: str
    caption: str
    columns: List[Column]


class Variable(TypedDict):
    """Unit and dimensions of an array that is not in a table."""

    array: str
    unit: str
    #: For each axis the array of its coordinates, or the name of a dimension without coordinates.
    dimensions: List[str]


class KeyFigure(TypedDict):
    """A number at the head of the report."""

    label: str
    value: str
    unit: str


class Check(TypedDict):
    """A metric of the run with its limit."""

    name: str
    value: float
    limit: float
    against: str
    remedy: str


class Timing(TypedDict):
    """Time of a stage of the run."""

    stage: str
    seconds: float


class Network(TypedDict):
    """S-parameters of ports with one reference impedance."""

    name: str
    ports: int
    #: Reference impedance, Ω.
    resistance: float
    #: Array of frequencies, Hz.
    frequencies: str
    #: Array [frequency, receiving port, driven port].
    parameters: str


class SurfaceQuantity(TypedDict):
    """A quantity with one value per triangle."""

    name: str
    unit: str
    array: str


class Mesh(TypedDict, total=False):
    """A mesh of the 3-D view."""

    name: str
    points: str
    triangles: str
    quantities: List[SurfaceQuantity]


class View(TypedDict):
    """The 3-D view."""

    caption: str
    meshes: List[Mesh]


class FigureRecord(TypedDict):
    """A figure of the report."""

    title: str
    caption: str
    kind: object
    x_label: str
    x_unit: str
    y_label: str
    y_unit: str
    series: List["dict[str, object]"]


class Verdict(TypedDict):
    """Agreement of a result with the reference, in one quantity."""

    name: str
    quantity: str
    rows: int
    mean_db: float
    mean_20db: float
    max_20db: float
    within_one_db: float


class _Record(TypedDict):
    program: str
    conventions: int
    solver: str
    title: str
    problem_sha256: str
    #: Problem with all defaults, as TOML text.
    problem: str
    device: str
    threads: int
    accuracy: float
    #: Predicted peak memory, bytes.
    memory: int
    timings: List[Timing]
    summary: str
    key_figures: List[KeyFigure]
    checks: List[Check]
    tables: List[Table]
    figures: List[FigureRecord]
    view: View


class Record(_Record, total=False):
    """Record of a result."""

    variables: List[Variable]
    networks: List[Network]


#: Verdict of an assessment.
Assessed = Literal["ok", "warning", "error"]
