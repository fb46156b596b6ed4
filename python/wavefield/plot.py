"""Figures of a result by matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wavefield.result import Result

#: Decibels below the peak that are shown.
DEPTH = {"cartesian": 70.0, "polar": 40.0}


def draw(result: "Result") -> "Figure":
    """All figures of a result, two in a row."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("plots need matplotlib: pip install 'wavefield[plot]'") from None
    figures = result.record["figures"]
    columns = min(2, len(figures)) or 1
    rows = -(-len(figures) // columns) or 1
    page = plt.figure(figsize=(6.4 * columns, 4.2 * rows), layout="constrained")
    page.suptitle(result.title)
    for index, figure in enumerate(figures):
        polar = figure["kind"] == "polar"
        axes = page.add_subplot(rows, columns, index + 1, projection="polar" if polar else None)
        _draw_one(axes, figure, result)
    return page


def _draw_one(axes: Any, figure: Dict[str, Any], result: "Result") -> None:
    kind = figure["kind"]
    peak = -np.inf
    for series in figure["series"]:
        x, y = result[series["x"]], result[series["y"]]
        if series.get("part"):
            start, count = series["part"]
            x, y = x[start : start + count], y[start : start + count]
        finite = y[np.isfinite(y)]
        if finite.size:
            peak = max(peak, float(finite.max()))
        style = "--" if series.get("reference") else "-"
        axes.plot(np.radians(x) if kind == "polar" else x, y, style, label=series["name"], linewidth=1.4)
    if kind == "logarithmic":
        axes.set_yscale("log")
    if figure["y_unit"].startswith("dB") and np.isfinite(peak):
        low, high = axes.get_ylim()
        depth = DEPTH["polar" if kind == "polar" else "cartesian"]
        axes.set_ylim(max(low, peak - depth), max(high, peak))
    if kind != "polar":
        axes.set_xlabel(_labelled(figure["x_label"], figure["x_unit"]))
        axes.set_ylabel(_labelled(figure["y_label"], figure["y_unit"]))
        axes.grid(True, alpha=0.3)
        axes.margins(x=0)
    axes.set_title(figure["title"], fontsize="medium")
    axes.legend(fontsize="small")


def _labelled(label: str, unit: str) -> str:
    return f"{label} ({unit})" if unit else label
