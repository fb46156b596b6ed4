"""The book's pages exist and name each other rightly."""

import re
from pathlib import Path

BOOK = Path(__file__).resolve().parents[2] / "book" / "src"


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
