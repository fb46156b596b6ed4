"""Values as a problem file writes them."""

from __future__ import annotations

import json
from typing import Any, Iterable, Mapping, Sequence, Union

#: One number or several.
Numbers = Union[float, Iterable[float]]


def quantities(values: Numbers, unit: str) -> str:
    """Numbers with their unit."""
    numbers: Sequence[float] = [values] if isinstance(values, (int, float)) else [float(value) for value in values]
    return "[" + ", ".join(f'"{float(number)!r} {unit}"' for number in numbers) + "]"


def written(value: Any) -> str:
    """Tables, lists, texts and numbers."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(str(key))} = {written(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, (str, bool)):
        return json.dumps(value)
    if isinstance(value, complex):
        return written([value.real, value.imag])
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Iterable):
        return "[" + ", ".join(written(inner) for inner in value) + "]"
    return repr(float(value))
