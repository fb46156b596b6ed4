"""Type stubs of the native module."""

from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from wavefield.record_types import Values

__version__: str

Real = NDArray[np.float64]
Complex = NDArray[np.complex128]
Constants = Optional[Tuple[complex, complex]]
#: Record of a result as JSON, and its arrays by name.
Parts = Tuple[str, Dict[str, Values]]
Progress = Optional[Callable[[str, int, Optional[int], Optional[float]], None]]

class Finding:
    @property
    def path(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def suggestion(self) -> Optional[str]: ...

class ProblemError(ValueError):
    findings: List[Finding]

class DeviceError(Exception): ...
class ConvergenceError(Exception): ...

class NativeProblem:
    @staticmethod
    def from_values(problem: Mapping[str, object], folder: Path) -> NativeProblem: ...
    @staticmethod
    def from_text(text: str, name: str, folder: Path) -> NativeProblem: ...
    def values(self) -> Dict[str, object]: ...
    def identity(self, solver: Optional[str]) -> str: ...
    def check(self, solver: Optional[str], device: str, threads: Optional[int]) -> str: ...
    def run(self, solver: Optional[str], device: str, threads: Optional[int], progress: Progress) -> Parts: ...

class NufftPlan:
    def __init__(
        self,
        modes: Sequence[int],
        single: bool,
        tolerance: float,
        positive: bool,
        upsampling: Optional[float],
        spreader: str,
        device: str,
        threads: Optional[int],
    ) -> None: ...
    def set_points(self, coordinates: Sequence[NDArray[Any]]) -> None: ...
    def type1(self, strengths: NDArray[Any], modes: NDArray[Any]) -> None: ...
    def type2(self, modes: NDArray[Any], values: NDArray[Any]) -> None: ...
    def type1_adjoint(self, modes: NDArray[Any], values: NDArray[Any]) -> None: ...
    def type2_adjoint(self, strengths: NDArray[Any], modes: NDArray[Any]) -> None: ...
    def type1_gradient(self, strengths: NDArray[Any], along: NDArray[Any], modes: NDArray[Any]) -> None: ...
    def type2_gradient(self, modes: NDArray[Any], values: NDArray[Any], gradient: NDArray[Any]) -> None: ...
    @property
    def width(self) -> int: ...
    @property
    def grid(self) -> List[int]: ...
    @property
    def simd(self) -> Optional[str]: ...
    def memory(self, points: int) -> int: ...

def xla_handlers() -> Dict[str, int]: ...

class NufftType3:
    def __init__(
        self,
        dimensions: int,
        single: bool,
        tolerance: float,
        positive: bool,
        upsampling: Optional[float],
        spreader: str,
        device: str,
        threads: Optional[int],
    ) -> None: ...
    def set_points(self, coordinates: Sequence[NDArray[Any]], frequencies: Sequence[NDArray[Any]]) -> None: ...
    def execute(self, strengths: NDArray[Any], values: NDArray[Any]) -> None: ...
    def adjoint(self, values: NDArray[Any], strengths: NDArray[Any]) -> None: ...

class StreamingHolography:
    frequencies: List[float]
    hop_words: int
    def __init__(
        self,
        frequencies: Sequence[float],
        grid: Tuple[int, int, float],
        distance: float,
        regularization: Sequence[float],
        samples: int,
        hop: int,
        cic_order: int,
        full_scale: float,
        padding: str,
        order: int,
        fluid: Tuple[float, float],
        threads: Optional[int],
    ) -> None: ...
    def push(self, words: NDArray[np.uint32]) -> NDArray[np.complex64]: ...
    def hologram(self, number: int) -> NDArray[np.complex128]: ...
    def restart(self) -> None: ...

def holography_reconstruct(
    hologram: NDArray[np.complex128],
    pitch: float,
    frequency: float,
    distance: float,
    regularization: Optional[float],
    padding: str,
    order: int,
    fluid: Tuple[float, float],
) -> Tuple[NDArray[np.complex128], float, float]: ...
def holography_simulate_pdm(
    tones: Sequence[Tuple[float, NDArray[np.complex128]]], grid: Tuple[int, int, float], clocks: int, seed: int
) -> NDArray[np.uint32]: ...
def read_record(folder: Path) -> Tuple[str, str]: ...
def report(record: str, arrays: Dict[str, Values]) -> str: ...
def figure_svg(record: str, arrays: Dict[str, Values], number: int) -> str: ...
def save(folder: Path, record: str, arrays: Dict[str, Values]) -> None: ...
def compare_results(
    results: Sequence[Tuple[str, str, Dict[str, Values]]], reference: Optional[str]
) -> Tuple[Parts, str]: ...
def run_cli(arguments: Sequence[str]) -> int: ...
def examples() -> List[Tuple[str, str]]: ...
def sphere(
    radius: float,
    frequency: float,
    constants: Constants,
    coating: Sequence[Tuple[float, complex, complex]],
    incidence_deg: Tuple[float, float],
    theta_deg: Real,
    phi_deg: Real,
) -> Tuple[Complex, Complex, Complex, Complex]: ...
def cylinder(
    radius: float,
    frequency: float,
    constants: Constants,
    polarization_name: str,
    incidence_deg: float,
    phi_deg: Real,
) -> Tuple[Complex, Complex, float]: ...
def half_plane(
    polarization_name: str, wavenumber: float, incidence_deg: float, rho: Real, phi_deg: Real
) -> Complex: ...
def piston(
    radius: float, velocity: complex, frequency: float, fluid: Tuple[float, float], r: Real, z: Real
) -> Complex: ...
def plate(
    size: Sequence[float],
    mode: Sequence[int],
    velocity: complex,
    frequency: float,
    fluid: Tuple[float, float],
    x: Real,
    y: Real,
    z: Real,
) -> Complex: ...
