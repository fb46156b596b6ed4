"""Figures of a result by matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Optional, Sequence, Tuple

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wavefield.result import Result

#: Dynamic range, dB.
DEPTH = {"cartesian": 70.0, "polar": 40.0, "colors": 40.0}

#: Color maps of matplotlib.
COLOR_MAPS = {"sequential": "viridis", "diverging": "RdBu_r", "cyclic": "twilight"}


def draw(result: "Result", chosen: Optional[Sequence[int]] = None) -> "Figure":
    """Draws all figures of a result, or those of the given numbers, two per row."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("plots need matplotlib: pip install 'wavefield[plot]'") from None
    figures: Any = result.record["figures"]
    if chosen is not None:
        figures = [figures[number] for number in chosen]
    columns = min(2, len(figures)) or 1
    rows = -(-len(figures) // columns) or 1
    page = plt.figure(figsize=(6.4 * columns, 4.2 * rows), layout="constrained")
    page.suptitle(result.title)
    for index, figure in enumerate(figures):
        if "choice" in figure["kind"]:
            choice = figure["kind"]["choice"]
            figure = choice["figures"][choice["shown"]]
        kind = figure["kind"]
        axes = page.add_subplot(rows, columns, index + 1, projection="polar" if kind == "polar" else None)
        if "map" in kind:
            _draw_map(axes, figure, kind["map"], result[kind["map"]["array"]], result)
        elif "animation" in kind:
            animation = kind["animation"]
            moment = {**figure, "title": f"{figure['title']}, {animation['moments'][animation['shown']]}"}
            _draw_map(axes, moment, animation["map"], result[animation["map"]["array"]][animation["shown"]], result)
        elif "scatter" in kind:
            _draw_scatter(axes, figure, kind["scatter"], result)
        else:
            _draw_curves(axes, figure, result)
    return page


def _draw_curves(axes: Any, figure: Dict[str, Any], result: "Result") -> None:
    kind = figure["kind"]
    peak = -np.inf
    for series in figure["series"]:
        x, y = _points(series, result)
        finite = y[np.isfinite(y)]
        if finite.size:
            peak = max(peak, float(finite.max()))
        style = "--" if series.get("reference") else "-"
        axes.plot(np.radians(x) if kind == "polar" else x, y, style, label=series["name"], linewidth=1.4)
    if kind == "polar" and figure["x_label"] == "θ":
        # The zenith is up, and θ runs clockwise.
        axes.set_theta_zero_location("N")
        axes.set_theta_direction(-1)
    if kind == "smith":
        turn = np.linspace(0.0, 2.0 * np.pi, 181)
        axes.plot(np.cos(turn), np.sin(turn), color="0.6", linewidth=0.8)
        axes.set_aspect("equal")
    if kind == "logarithmic":
        axes.set_yscale("log")
    if figure["y_unit"].startswith("dB") and np.isfinite(peak):
        low, high = axes.get_ylim()
        depth = DEPTH["polar" if kind == "polar" else "cartesian"]
        axes.set_ylim(max(low, peak - depth), max(high, peak))
    if kind != "polar":
        axes.set_xlabel(_labeled(figure["x_label"], figure["x_unit"]))
        axes.set_ylabel(_labeled(figure["y_label"], figure["y_unit"]))
        axes.grid(True, alpha=0.3)
        axes.margins(x=0)
    axes.set_title(figure["title"], fontsize="medium")
    axes.legend(fontsize="small")


def _draw_map(axes: Any, figure: Dict[str, Any], chart: Dict[str, Any], values: Any, result: "Result") -> None:
    (left, right), (low, high), (rows, columns) = chart["x"], chart["y"], values.shape
    x, y = np.linspace(left, right, columns), np.linspace(low, high, rows)
    shown, style = _colored(chart["colors"], values)
    cells = axes.pcolormesh(x, y, shown, shading="nearest", rasterized=True, **style)
    if chart.get("contours"):
        lines = axes.contour(x, y, values, levels=sorted(chart["contours"]), colors="black", linewidths=0.8)
        axes.clabel(lines, fontsize="x-small")
    if chart.get("equal_aspect"):
        axes.set_aspect("equal")
    if chart.get("y_down"):
        axes.invert_yaxis()
    limits = axes.get_xlim(), axes.get_ylim()
    _finish_plane(axes, figure, chart, result, cells)
    axes.set(xlim=limits[0], ylim=limits[1])


def _draw_scatter(axes: Any, figure: Dict[str, Any], chart: Dict[str, Any], result: "Result") -> None:
    x, y, values = (result[chart[name]] for name in ("x", "y", "values"))
    # Marks on a square lattice with this number of points touch each other.
    size = (240.0 / max(1.0, np.sqrt(values.size))) ** 2
    shown, style = _colored(chart["colors"], values)
    marks = axes.scatter(x, y, size, shown, marker="s", linewidths=0, **style)
    axes.set_aspect("equal")
    _finish_plane(axes, figure, chart, result, marks)


def _finish_plane(axes: Any, figure: Dict[str, Any], chart: Dict[str, Any], result: "Result", colored: Any) -> None:
    for index, series in enumerate(figure["series"]):
        x, y = _points(series, result)
        style = "--" if series.get("reference") else "-"
        axes.plot(x, y, style, color=f"C{index + 1}", label=series["name"], linewidth=1.4)
    scale = chart["colors"]
    axes.figure.colorbar(colored, ax=axes, label=_labeled(scale["label"], scale["unit"]))
    axes.set_xlabel(_labeled(figure["x_label"], figure["x_unit"]))
    axes.set_ylabel(_labeled(figure["y_label"], figure["y_unit"]))
    axes.set_title(figure["title"], fontsize="medium")
    if figure["series"]:
        axes.legend(fontsize="small")


def _points(series: Dict[str, Any], result: "Result") -> Tuple[Any, Any]:
    x, y = result[series["x"]], result[series["y"]]
    if series.get("part"):
        start, count = series["part"]
        stride = series.get("stride", 1)
        part = slice(start, start + count * stride, stride)
        x, y = x[part][:count], y[part][:count]
    return x, y


def _colored(scale: Dict[str, Any], values: Any) -> Tuple[Any, Dict[str, Any]]:
    """Returns values clipped to the range of a scale, with its range and color map, as in the report."""
    kind = scale.get("map", "sequential")
    finite = values[np.isfinite(values)]
    if scale.get("range"):
        low, high = scale["range"]
    elif kind == "cyclic":
        low, high = -180.0, 180.0
    elif finite.size:
        low, high = float(finite.min()), float(finite.max())
        if kind == "diverging":
            low, high = -max(high, -low), max(high, -low)
        elif scale["unit"].startswith("dB"):
            low = max(low, high - DEPTH["colors"])
    else:
        low, high = 0.0, 1.0
    shown = low + (values - low) % (high - low) if kind == "cyclic" else values
    return shown, {"cmap": COLOR_MAPS[kind], "vmin": low, "vmax": high}


def _labeled(label: str, unit: str) -> str:
    return f"{label} ({unit})" if unit else label
