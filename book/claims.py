"""Makes the page of the README's figures: each with its command, its result, its day and its machine.

    python book/claims.py

A figure of the README that no recorded measurement of its command gives is an error.
"""

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "book" / "src"
RECORDS = {"validate": PAGES / "validation.json", "bench": PAGES / "benchmarks.json"}
NUMBER = re.compile(r"(?<![\w.])[-−]?\d[\d,]*(?:\.\d+)?(?:e[-−]?\d+)?")


def rows(readme):
    """The rows of the README's table of claims: claim, figure, kind and name of the command."""
    table = readme.split("## What is measured")[1].split("\n## ")[0]
    found = re.findall(r"^\| (.+?) \| (.+?) \| `wavefield (validate|bench) '?([^'`]+)'?` \|$", table, re.M)
    lines = [line for line in table.splitlines() if line.startswith("| ") and "`wavefield" in line]
    if len(found) != len(lines):
        raise SystemExit("a row of the README's claims is not of the form | claim | figure | `wavefield …` |")
    return found


def gives(text, metrics):
    """Whether a number as it is written is one of the metrics, rounded to its digits."""
    plain = text.replace("−", "-").replace(",", "")
    for value in metrics.values():
        if "e" in plain:
            digits = len(plain.split("e")[0].partition(".")[2])
            if f"{value:.{digits}e}" == f"{float(plain):.{digits}e}":
                return True
        else:
            digits = len(plain.partition(".")[2])
            if any(f"{size:.{digits}f}" == plain for size in (value, 100 * value)):
                return True
    return False


def spoken(seconds):
    """A time as people say it."""
    return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"


def page(readme, records):
    """The page of the book."""
    text = [
        "# What the README claims",
        "",
        "Every figure of the README, the command that repeats it, and the run that gave it. Made by `python book/claims.py`",
        "from what `wavefield validate --record` and `wavefield bench --record` have kept; all numbers of these runs are on",
        "the pages [Validation](validation.md) and [Benchmarks](benchmarks.md).",
        "",
        "| claim | figure | command | day | time | machine |",
        "|---|---|---|---|---|---|",
    ]
    for claim, figure, kind, case in rows(readme):
        if case not in records[kind]:
            raise SystemExit(f"`wavefield {kind} {case}` has not been recorded")
        entry = records[kind][case]
        for number in NUMBER.findall(figure):
            if not gives(number, entry["metrics"]):
                raise SystemExit(f"{case}: {number} of {figure!r} is none of {entry['metrics']}")
        text.append(
            f"| {claim} | {figure} | `wavefield {kind} {case}` | {entry['date']} | {spoken(entry['seconds'])} | {entry['machine']} |"
        )
    return "\n".join(text) + "\n"


def made():
    """The page from what is kept."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    records = {kind: json.loads(path.read_text(encoding="utf-8")) for kind, path in RECORDS.items()}
    return page(readme, records)


if __name__ == "__main__":
    (PAGES / "claims.md").write_text(made(), encoding="utf-8")
