"""Sound near its sources, from the bits of an array of digital microphones.

    import wavefield as wf

    sources = [{"kind": "monopole", "centre": ["-10 cm", "5 cm"], "volume_velocity": 2e-5}]
    result = wf.holography.solve(sources, frequency=[500, 1000], height=0.05, plane=0.01)
    result["field/pressure"]             # complex pressure in the plane, by frequency, row and column
    result.table("frequencies")          # filter, noise and error at every frequency

    live = wf.holography.Live([1000, 2000], distance=0.04)
    fields = live.push(bits)             # fields of every hop that the bits complete
"""

from __future__ import annotations

import json
import os
from typing import Any, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefield import _native
from wavefield.problem_text import Numbers, quantities, written
from wavefield.result import Result
from wavefield.runner import Progress, run

#: Speed of sound in m/s and density in kg/m³ of air at 20 °C.
AIR = (343.0, 1.204)
#: Rows, columns and pitch in metres of the camera.
CAMERA = (32, 32, 0.02)
#: Amplitude of pressure at which all bits of a microphone are ones, Pa: 120 dB.
FULL_SCALE = 20.0 * float(np.sqrt(2.0))


class Reconstruction(NamedTuple):
    """A field in a plane nearer to its sources."""

    #: Complex pressure, Pa, by row and column.
    pressure: NDArray[np.complex128]
    #: The filter's parameter λ.
    parameter: float
    #: Root mean square of the noise found in the hologram, Pa.
    noise: float


def solve(
    sources: Optional[Sequence[Mapping[str, Any]]] = None,
    *,
    frequency: Numbers,
    height: float,
    plane: float,
    recording: Union[str, "os.PathLike[str]", None] = None,
    seed: int = 0,
    array: Tuple[int, int, float] = CAMERA,
    front_end: Optional[Mapping[str, Any]] = None,
    border: Optional[Mapping[str, Any]] = None,
    filter: Optional[Mapping[str, Any]] = None,
    frame: int = 1024,
    title: str = "Acoustic holography",
    threads: Optional[int] = None,
    progress: Union[bool, Progress, None] = None,
) -> Result:
    """Find the field near its sources at some frequencies, from simulated or recorded bits.

    ``sources`` have the keys of the problem file: ``{"kind": "monopole", "centre": ["0 cm", "5 cm"], "volume_velocity":
    1e-5}``, or "dipole" (``moment``), "piston" (``radius``, ``velocity``), "plate" (``size``, ``mode``, ``velocity``);
    lengths and velocities with their unit. ``recording`` is a file of packed bits instead. ``frequency`` is one or several in Hz,
    ``height`` of the array and of the ``plane`` in metres; ``array`` is rows, columns and pitch.

    ``front_end`` is ``{"method": "streaming", "order": 3}``, "nominal", "dot-products", "basic-averaging" or
    "walsh-fourier" (with ``terms``), ``border`` ``{"padding": "prediction", "order": 12}``, "edge" or "zero", ``filter``
    ``{"kind": "automatic", "rule": "cross-validation"}``, "cut-off", "tikhonov" or "modified-tikhonov".
    """
    if (sources is None) == (recording is None):
        raise ValueError("either sources or a recording is needed, and not both")
    if sources is not None:
        sound = f'sound = {{ kind = "simulated", seed = {int(seed)}, sources = {written(sources)} }}'
    else:
        sound = f'sound = {{ kind = "recorded", file = {json.dumps(str(os.path.abspath(str(recording))))} }}'
    rows, columns, pitch = array
    chosen = {"front_end": front_end, "border": border, "filter": filter}
    text = "\n".join(
        [
            "format = 1",
            'solver = "holography"',
            f"title = {json.dumps(title)}",
            f"frequency = {quantities(frequency, 'Hz')}",
            f'height = "{float(height)!r} m"',
            f'plane = "{float(plane)!r} m"',
            f"frame = {int(frame)}",
            f'array = {{ rows = {int(rows)}, columns = {int(columns)}, pitch = "{float(pitch)!r} m" }}',
            sound,
            *(f"{key} = {written(value)}" for key, value in chosen.items() if value is not None),
            "",
        ]
    )
    return run(text, threads=threads, progress=progress)


def reconstruct(
    hologram: ArrayLike,
    *,
    frequency: float,
    distance: float,
    pitch: float = 0.02,
    parameter: Optional[float] = None,
    border: str = "prediction",
    order: int = 12,
    air: Tuple[float, float] = AIR,
) -> Reconstruction:
    """Bring a hologram, complex pressures by row and column, to the plane ``distance`` metres nearer to the sources.

    The filter is the modified one of Tikhonov with ``parameter``, or chosen by generalised cross-validation where none is
    given. ``border`` is "prediction" of an ``order``, "edge" or "zero"; ``air`` is speed of sound and density.
    """
    values = np.ascontiguousarray(hologram, dtype=np.complex128)
    if values.ndim != 2:
        raise ValueError(f"a hologram has rows and columns, not {values.ndim} axes")
    return Reconstruction(
        *_native.holography_reconstruct(values, pitch, frequency, distance, parameter, border, order, air)
    )


def record(
    tones: Mapping[float, ArrayLike],
    *,
    clocks: int,
    pitch: float = 0.02,
    seed: int = 0,
) -> NDArray[np.uint32]:
    """Bits of microphones that hear tones: frequency in Hz to complex pressures in Pa by row and column.

    Returns words of 32 bits, [clocks, words], in the order in which an array of tiles of 8 × 8 sends them at 1.5 MHz.
    """
    fields: List[Tuple[float, NDArray[np.complex128]]] = [
        (float(frequency), np.ascontiguousarray(values, dtype=np.complex128)) for frequency, values in tones.items()
    ]
    if not fields:
        raise ValueError("at least one tone is needed")
    shape = fields[0][1].shape
    if len(shape) != 2 or any(values.shape != shape for _, values in fields):
        raise ValueError("all tones have the same rows and columns")
    return _native.holography_record(fields, (shape[0], shape[1], pitch), clocks, seed)


class Live:
    """Fields near their sources while the bits come in.

    ``frequencies`` in Hz are taken at the nearest bins of a frame of ``frame`` samples of 32 clocks, which slides by ``hop``
    samples. ``distance`` is from the array to the plane in metres; ``parameter`` is λ of the filter, one for all frequencies
    or one for each: :func:`reconstruct` chooses one from :meth:`hologram`.
    """

    def __init__(
        self,
        frequencies: Sequence[float],
        *,
        distance: float,
        array: Tuple[int, int, float] = CAMERA,
        parameter: Numbers = 1e-3,
        frame: int = 1024,
        hop: int = 32,
        comb_order: int = 3,
        full_scale: float = FULL_SCALE,
        border: str = "prediction",
        order: int = 12,
        air: Tuple[float, float] = AIR,
        threads: Optional[int] = None,
    ) -> None:
        asked = [float(frequency) for frequency in frequencies]
        if isinstance(parameter, (int, float)):
            parameters = [float(parameter)] * len(asked)
        else:
            parameters = [float(value) for value in parameter]
        self._native = _native.LiveStream(
            asked, array, distance, parameters, frame, hop, comb_order, full_scale, border, order, air, threads
        )

    @property
    def frequencies(self) -> NDArray[np.float64]:
        """Frequencies of the bins, Hz."""
        return np.array(self._native.frequencies)

    @property
    def hop_words(self) -> int:
        """Words of 32 bits in a hop."""
        return int(self._native.hop_words)

    def push(self, bits: Union[ArrayLike, bytes, bytearray, memoryview]) -> NDArray[np.complex64]:
        """Take in bits: words of 32 bits in any shape, or bytes of whole words.

        Returns the pressures of every hop they complete, [hops, frequencies, rows, columns] in Pa; none before the first
        whole frame. What is left over waits for the next call.
        """
        if isinstance(bits, (bytes, bytearray, memoryview)):
            words = np.frombuffer(bits, dtype="<u4").astype(np.uint32)
        else:
            words = np.asarray(bits)
            if words.dtype != np.uint32:
                raise TypeError(f"bits come as words of 32 bits (numpy.uint32), not as {words.dtype}")
        return self._native.push(np.require(words.reshape(-1), np.uint32, ["C", "A"]))

    def hologram(self, number: int = 0) -> NDArray[np.complex128]:
        """The latest hologram at the array of one of the frequencies, Pa, by row and column."""
        return self._native.hologram(number)

    def restart(self) -> None:
        """Forget everything heard: to be called where the stream was interrupted."""
        self._native.restart()
