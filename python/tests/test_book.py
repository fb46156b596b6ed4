"""The book's pages exist, name each other rightly, and are as made where they are made."""

import importlib.util
import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "book" / "src"


def _script(name):
    """A script of the book as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "book" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_link_and_include_of_the_book_exists():
    pages = [BOOK / "SUMMARY.md"]
    seen = set()
    while pages:
        page = pages.pop()
        if page in seen:
            continue
        seen.add(page)
        text = page.read_text(encoding="utf-8")
        links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", text) + re.findall(r"\{\{#include ([^}\s]+)\}\}", text)
        for link in links:
            if "://" in link:
                continue
            target = (page.parent / link).resolve()
            assert target.is_file(), f"{page.name} names {link}, which does not exist"
            if target.suffix == ".md" and BOOK in target.parents:
                pages.append(target)
    assert seen == set(BOOK.rglob("*.md")), "a page of the book is not reached from SUMMARY.md"


def test_code_of_the_book_runs():
    for page in sorted(BOOK.rglob("*.md")):
        scope = {}
        for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            exec(compile(block, str(page), "exec"), scope)  # Later blocks of a page use names of earlier ones.


def test_links_of_the_readme_and_its_companions_exist():
    for page in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]:
        text = (ROOT / page).read_text(encoding="utf-8")
        for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
            assert "://" in link or (ROOT / link).exists(), f"{page} names {link}, which does not exist"


def test_every_example_is_in_the_gallery():
    gallery = _script("gallery")
    record = json.loads(gallery.RECORD.read_text(encoding="utf-8"))
    assert sorted(record) == gallery.cases(), "run `python book/gallery.py` for the new examples"
    for case in record:
        picture = (gallery.PICTURES / f"{case.replace('/', '-')}.svg").read_text(encoding="utf-8")
        assert picture.startswith("<svg"), case
    assert (BOOK / "gallery.md").read_text(encoding="utf-8") == gallery.page(record)


def test_every_figure_of_the_readme_was_measured():
    assert (BOOK / "claims.md").read_text(encoding="utf-8") == _script("claims").made()


def test_a_figure_that_was_not_measured_is_found():
    claims = _script("claims")
    assert claims.gives("0.24", {"error_db": 0.2417}) and not claims.gives("0.25", {"error_db": 0.2417})
    assert claims.gives("1.2e-6", {"error": 1.17e-6}) and not claims.gives("1.3e-6", {"error": 1.17e-6})
    assert claims.gives("2,501", {"rate_hz": 2501.3}) and claims.gives("10.0", {"part": 0.1})
