"""Planar near-field acoustic holography (NAH), from the PDM bitstreams of an array of digital microphones.

    import wavefield as wf

    sources = [{"kind": "monopole", "center": [-0.1, 0.05], "volume_velocity": 2e-5}]
    problem = wf.holography.problem(sources, frequency=[500, 1000], hologram_z=0.05, reconstruction_z=0.01)
    result = wf.run(problem)
    result["field/pressure"]             # complex pressure in the reconstruction plane, by frequency, row, and column
    result.table("frequencies")          # filter, noise, and error at every frequency

    stream = wf.holography.StreamingHolography([1000, 2000], distance=0.04)
    fields = stream.push(bits)           # fields of every hop that the bits complete
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefield import _native, scene
from wavefield.media import AIR as AIR
from wavefield.media import Fluid as Fluid
from wavefield.problem_types import Filter, FrontEnd, HolographyProblem, Measurement, Padding, Source
from wavefield.scene import Numbers

#: Rows, columns, and pitch in meters of the default array.
CAMERA = (32, 32, 0.02)
#: Pressure amplitude at which all bits of a microphone are ones, Pa: 120 dB.
FULL_SCALE = 20.0 * float(np.sqrt(2.0))


class Reconstruction(NamedTuple):
    """A field in the reconstruction plane."""

    #: Complex pressure, Pa, by row and column.
    pressure: NDArray[np.complex128]
    #: Regularization parameter λ of the filter.
    regularization: float
    #: RMS noise of the hologram, Pa.
    noise: float


def problem(
    sources: Sequence[Source] = (),
    *,
    frequency: Numbers,
    hologram_z: float,
    reconstruction_z: float,
    recording: Union[str, "os.PathLike[str]", None] = None,
    seed: int = 0,
    array: Tuple[int, int, float] = CAMERA,
    fluid: Fluid = AIR,
    front_end: Optional[FrontEnd] = None,
    border: Optional[Padding] = None,
    filter: Optional[Filter] = None,
    frame: int = 1024,
    title: str = "Acoustic holography",
) -> HolographyProblem:
    """Returns the problem of the field near its sources at some frequencies, from a simulated or recorded measurement.

    ``sources`` at z = 0 have the keys of a problem file: ``{"kind": "monopole", "center": [0, 0.05], "volume_velocity":
    1e-5}``, or "dipole" (``moment``), "piston" (``radius``, ``velocity``), "plate" (``size``, ``mode``, ``velocity``).
    ``recording`` is a file of packed bits or of samples instead. ``frequency`` is one or several in Hz; ``hologram_z`` and
    ``reconstruction_z`` are the heights of the array and of the reconstruction plane in meters; ``array`` is rows, columns,
    and pitch in meters.

    ``front_end`` is ``{"method": "streaming", "order": 3}``, "nominal", "dot-products", "basic-averaging", or
    "walsh-fourier" (with ``terms``). ``border`` is ``{"padding": "linear-prediction", "order": 12}``, "planar-prediction",
    "edge", or "zero". ``filter`` is ``{"kind": "automatic", "rule": "cross-validation"}``, "veronesi" (with ``cut_off`` and
    ``slope``), "tikhonov", or "modified-tikhonov" (with ``lambda``).
    """
    if (not sources) == (recording is None):
        raise ValueError("either `sources` or a `recording` is needed, not both")
    measurement: Measurement = {"kind": "simulated", "seed": seed, "sources": sources}
    if recording is not None:
        measurement = {"kind": "recorded", "file": str(Path(recording).resolve())}
    rows, columns, pitch = array
    built: HolographyProblem = {
        "solver": "holography",
        "title": title,
        "frequency": scene.numbers(frequency),
        "hologram_z": float(hologram_z),
        "reconstruction_z": float(reconstruction_z),
        "measurement": measurement,
        "array": {"rows": rows, "columns": columns, "pitch": float(pitch)},
        "fluid": {"density": fluid.density, "sound_speed": fluid.sound_speed},
        "frame": frame,
    }
    if front_end is not None:
        built["front_end"] = front_end
    if border is not None:
        built["border"] = border
    if filter is not None:
        built["filter"] = filter
    return built


def reconstruct(
    hologram: ArrayLike,
    *,
    frequency: float,
    distance: float,
    pitch: float = 0.02,
    regularization: Optional[float] = None,
    border: str = "linear-prediction",
    order: int = 12,
    fluid: Fluid = AIR,
) -> Reconstruction:
    """Back-propagates a hologram, complex pressures by row and column, to the plane ``distance`` meters nearer to the sources.

    The filter is the modified Tikhonov filter with the parameter ``regularization``, by default chosen by generalized
    cross-validation. ``border`` is "linear-prediction" of an ``order``, "edge", or "zero".
    """
    values = np.ascontiguousarray(hologram, dtype=np.complex128)
    if values.ndim != 2:
        raise ValueError(f"a hologram has rows and columns, not {values.ndim} axes")
    return Reconstruction(
        *_native.holography_reconstruct(values, pitch, frequency, distance, regularization, border, order, fluid)
    )


def simulate_pdm(
    tones: Mapping[float, ArrayLike],
    *,
    clocks: int,
    pitch: float = 0.02,
    seed: int = 0,
) -> NDArray[np.uint32]:
    """Simulates the PDM bitstreams of microphones under tones: frequency in Hz to complex pressures in Pa by row and column.

    Returns words of 32 bits, [clocks, words], in the order in which an array of tiles of 8 × 8 sends them at 1.5 MHz.
    """
    fields: List[Tuple[float, NDArray[np.complex128]]] = [
        (float(frequency), np.ascontiguousarray(values, dtype=np.complex128)) for frequency, values in tones.items()
    ]
    if not fields:
        raise ValueError("at least one tone is needed")
    shape = fields[0][1].shape
    if len(shape) != 2 or any(values.shape != shape for _, values in fields):
        raise ValueError("all tones need the same rows and columns")
    return _native.holography_simulate_pdm(fields, (shape[0], shape[1], pitch), clocks, seed)


class StreamingHolography:
    """Fields near their sources, reconstructed from a PDM bitstream hop by hop.

    ``frequencies`` in Hz are rounded to the DFT bins of a frame of ``frame`` samples of 32 clocks, which advances by ``hop``
    samples. ``distance`` is from the array to the reconstruction plane in meters. ``regularization`` is λ of the modified
    Tikhonov filter, one for all frequencies or one for each: :func:`reconstruct` chooses one from :meth:`hologram`.
    ``cic_order`` is the order of the CIC filter.
    """

    def __init__(
        self,
        frequencies: Sequence[float],
        *,
        distance: float,
        array: Tuple[int, int, float] = CAMERA,
        regularization: Numbers = 1e-3,
        frame: int = 1024,
        hop: int = 32,
        cic_order: int = 3,
        full_scale: float = FULL_SCALE,
        border: str = "linear-prediction",
        order: int = 12,
        fluid: Fluid = AIR,
        threads: Optional[int] = None,
    ) -> None:
        asked = [float(frequency) for frequency in frequencies]
        if isinstance(regularization, Iterable):
            parameters = [float(value) for value in regularization]
        else:
            parameters = [float(regularization)] * len(asked)
        self._native = _native.StreamingHolography(
            asked, array, distance, parameters, frame, hop, cic_order, full_scale, border, order, fluid, threads
        )

    @property
    def frequencies(self) -> NDArray[np.float64]:
        """Frequencies of the DFT bins, Hz."""
        return np.array(self._native.frequencies)

    @property
    def hop_words(self) -> int:
        """Words of 32 bits in a hop."""
        return int(self._native.hop_words)

    def push(self, bits: Union[ArrayLike, bytes, bytearray, memoryview]) -> NDArray[np.complex64]:
        """Ingests bits: words of 32 bits in any shape, or bytes of whole words.

        Returns the pressures of every hop that they complete, [hops, frequencies, rows, columns] in Pa; none before the
        first complete frame. The rest is kept for the next call.
        """
        if isinstance(bits, (bytes, bytearray, memoryview)):
            words = np.frombuffer(bits, dtype="<u4").astype(np.uint32)
        else:
            words = np.asarray(bits)
            if words.dtype != np.uint32:
                raise TypeError(f"bits must be words of 32 bits (numpy.uint32), not {words.dtype}")
        return self._native.push(np.require(words.reshape(-1), np.uint32, ["C", "A"]))

    def hologram(self, number: int = 0) -> NDArray[np.complex128]:
        """Returns the latest hologram of one of the frequencies, Pa, by row and column."""
        return self._native.hologram(number)

    def restart(self) -> None:
        """Clears the stream, as needed after an interruption."""
        self._native.restart()
