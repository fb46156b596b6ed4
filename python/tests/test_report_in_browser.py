"""The report as a browser shows it: charts drawn, the 3-D view alive, nothing fetched."""

import os

import numpy as np
import pytest

import browser
import plane_figures
import wavefield as wf


def _picture(report, folder):
    if browser.CHROMIUM is None:
        assert "CI" not in os.environ, "in CI there must be a browser: install chromium"
        pytest.skip("no Chromium to look at the report with")
    pytest.importorskip("matplotlib")
    return browser.picture(report, folder)


@pytest.fixture(scope="module")
def picture(tmp_path_factory):
    folder = tmp_path_factory.mktemp("browser")
    wf.run(wf.examples()["exact/sphere"]).save(folder / "result")
    return _picture(folder / "result/report.html", folder)


def _colors(part):
    return len(np.unique(part.reshape(-1, 3), axis=0))


def test_the_three_dimensional_view_is_drawn(picture):
    # The hero figure lies between 450 and 1080 pixels; a dead canvas has a handful of colors, a
    # shaded pattern thousands.
    assert _colors(picture[450:1080, 40:1000]) > 2000


def test_the_charts_are_drawn_in_color(picture):
    charts = picture[1330:2300].astype(int)
    saturation = charts.max(axis=-1) - charts.min(axis=-1)
    assert (saturation > 100).sum() > 1000


def test_the_page_is_laid_out_over_its_whole_width(picture):
    header = picture[:150]
    assert header.mean() < 120, "the dark band at the top is missing"
    assert picture[300:].mean() > 200, "the paper is not light"


def test_maps_and_scatters_are_drawn_in_many_colors(tmp_path):
    result = wf.load(plane_figures.save(tmp_path / "result"))
    result.save(tmp_path / "result")
    drawn = _picture(tmp_path / "result/report.html", tmp_path)[1330:1700]
    # Left the map and right the scatter, of 255 colors each. The curves of a chart have a handful that
    # fill more than twenty pixels; the soft edges of lines have many that fill one or two.
    for half in (drawn[:, :600], drawn[:, 600:]):
        strong = half[half.max(axis=-1).astype(int) - half.min(axis=-1) > 40]
        _, pixels = np.unique(strong, axis=0, return_counts=True)
        assert (pixels > 20).sum() > 200
