"""Executes the notebooks and renders them as pages of the book.

    python book/notebooks.py [NAME ...]

The pages and their pictures are committed; the notebooks have no outputs. What cells with the tag ``remove_output``
print is not shown. Needs nbclient and ipykernel.
"""

from __future__ import annotations

import base64
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parent
NOTEBOOKS = sorted((HERE / "notebooks").glob("*.ipynb"))
PAGES = HERE / "src" / "notebooks"


def executed(notebook: Path) -> nbformat.NotebookNode:
    """Returns a notebook with the outputs of its cells, computed in an empty folder."""
    document = nbformat.read(notebook, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(document, timeout=300, resources={"metadata": {"path": folder}}).execute()
    return document


def page(document: nbformat.NotebookNode, name: str) -> str:
    """Returns the page with outputs, and writes its pictures."""
    parts = []
    for number, cell in enumerate(document.cells):
        if cell.cell_type == "markdown":
            parts.append(cell.source)
            continue
        parts.append(f"```py\n{cell.source}\n```")
        shown = [] if "remove_output" in cell.metadata.get("tags", []) else cell.outputs
        for output in shown:
            data = output.get("data", {})
            if "image/png" in data:
                picture = f"{name}-{number}.png"
                (PAGES / picture).write_bytes(base64.b64decode(data["image/png"]))
                parts.append(f"![output]({picture})")
            elif output.output_type == "stream" or "text/plain" in data:
                text = output.text if output.output_type == "stream" else data["text/plain"]
                parts.append(f"```text\n{text.rstrip()}\n```")
    source = f"*The notebook `book/notebooks/{name}.ipynb`, which runs in every change.*"
    return "\n\n".join([parts[0], source, *parts[1:]]) + "\n"


def main() -> None:
    PAGES.mkdir(exist_ok=True)
    for notebook in NOTEBOOKS:
        if len(sys.argv) == 1 or notebook.stem in sys.argv[1:]:
            (PAGES / f"{notebook.stem}.md").write_text(page(executed(notebook), notebook.stem), encoding="utf-8")
            print(notebook.stem)


if __name__ == "__main__":
    main()
