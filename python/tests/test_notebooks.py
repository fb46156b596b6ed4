"""The notebooks run, and the pages of the book have their cells."""

import importlib.util
from pathlib import Path

import pytest

BOOK = Path(__file__).resolve().parents[2] / "book"
NOTEBOOKS = sorted((BOOK / "notebooks").glob("*.ipynb"))


@pytest.fixture(scope="module")
def notebooks():
    spec = importlib.util.spec_from_file_location("notebooks", BOOK / "notebooks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 5


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_runs_and_is_a_page(notebooks, notebook):
    document = notebooks.executed(notebook)
    outputs = [output for cell in document.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("image/png" in output.get("data", {}) for output in outputs), "a notebook ends with a figure"
    page = (BOOK / "src" / "notebooks" / f"{notebook.stem}.md").read_text(encoding="utf-8")
    for cell in document.cells:
        assert cell.source in page, f"run `python book/notebooks.py {notebook.stem}`"


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_is_stored_without_outputs(notebook):
    assert '"outputs": []' in notebook.read_text() and '"image/png"' not in notebook.read_text()
