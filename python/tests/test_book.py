"""The book's pages exist, name each other rightly, and are as made where they are made."""

import importlib.util
import json
import re
from pathlib import Path

import pytest

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
    for page in sorted(BOOK.glob("*.md")):
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


def test_the_page_of_claims_is_made_from_the_records():
    assert (BOOK / "claims.md").read_text(encoding="utf-8") == _script("claims").made()


def _neighbors(text):
    """Yields a written number with its last digit one more and one less."""
    mantissa, e, power = text.replace("−", "-").replace(",", "").partition("e")
    digits = len(mantissa.partition(".")[2])
    for step in (1, -1):
        yield f"{float(mantissa) + step * 10.0**-digits:.{digits}f}{e}{power}"


def test_every_figure_of_readme_and_claims_is_its_metric_to_the_last_digit():
    claims = _script("claims")
    records = claims.recorded()
    changed = []
    for text in claims.tables():
        claims.page(text, records)
        changed.append(0)
        for claim, figures, _, case, _ in claims.rows(text):
            row = f"| {claim} | {figures} |"
            assert text.count(row) == 1, row
            for number in claims.NUMBER.finditer(figures.partition(claims.FAILS)[0]):
                for other in _neighbors(number.group()):
                    wrong = figures[: number.start()] + other + figures[number.end() :]
                    with pytest.raises(SystemExit, match=re.escape(case)):
                        claims.page(text.replace(row, f"| {claim} | {wrong} |"), records)
                    changed[-1] += 1
    assert changed[0] > 80 and changed[1] > 25, changed


def test_validation_figures_of_the_readmes_solvers_are_claims():
    claims = _script("claims")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    claimed = [figures for text in claims.tables() for _, figures, _, _, _ in claims.rows(text)]
    solvers = re.findall(r"^\| \[`\w+`\].* \| (.+) \|$", readme, re.M)
    assert len(solvers) == 7, solvers
    for cell in solvers:
        figure = re.match(r"(\S+ (?:dB|dBi)|[\d.e-]+|[\d.]+ %)", cell)
        assert figure and any(figure.group(1) in figures for figures in claimed), cell


def test_speeds_of_the_readme_are_those_of_the_book():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    peers = (BOOK / "nufft_peers.md").read_text(encoding="utf-8")
    performance = (BOOK / "performance.md").read_text(encoding="utf-8")
    sentence = readme.split("Speed relative to")[1].split("\n\n")[0]
    found = re.findall(r"\d\.\d\d", sentence)
    assert len(found) >= 6, sentence
    for figure in found:
        assert re.search(rf"\b{figure}\b", peers.split("| points")[0] + performance), figure


def test_a_claim_that_is_not_of_its_record_is_found():
    claims = _script("claims")
    entry = {"metrics": {"error_db": 0.2417, "part": 0.147}, "limits": {"error_db": "≤ 0.5"}, "pass": True}

    def check(figures, metrics, entry=entry):
        claims.check(figures, "validate", "a/b", metrics, {"validate": {"a/b": entry}})

    check("0.24 dB, 14.7 %", ["error_db", "part"])
    failing = {**entry, "limits": {"error_db": "≤ 0.2", "gone": "≥ 1"}, "pass": False}
    check("0.24 dB; fails: `error_db`, `gone`", ["error_db"], failing)
    for figures, metrics, record in [
        ("0.25 dB", ["error_db"], entry),
        ("0.24 dB", ["error_db", "part"], entry),
        ("0.24 dB, 14.7 %", ["error_db"], entry),
        ("0.24 dB", ["part"], entry),
        ("0.24 dB", ["other"], entry),
        ("0.24 dB; fails: `error_db`", ["error_db"], entry),
        ("0.24 dB", ["error_db"], failing),
        ("0.24 dB; fails: `error_db`", ["error_db"], failing),
    ]:
        with pytest.raises(SystemExit):
            check(figures, metrics, record)
    with pytest.raises(SystemExit, match="recorded"):
        claims.check("1", "validate", "a/c", ["m"], {"validate": {}})
