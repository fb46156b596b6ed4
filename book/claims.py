"""Makes the page of the README's figures: each with its command, its result, its day and its machine.

    python book/claims.py

Each figure of the README names its case and its metric. A figure that is not the recorded metric, rounded, is an error, and so
is a case that fails without the README saying so.
"""

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "book" / "src"
RECORDS = {"validate": PAGES / "validation.json", "bench": PAGES / "benchmarks.json"}
NUMBER = re.compile(r"(?<![\w.])[-−]?\d[\d,]*(?:\.\d+)?(?:e[-−]?\d+)?")
FAILS = "; fails: "


def rows(readme):
    """The rows of the README's table of claims: claim, figures, kind and name of the command, metrics of the figures."""
    table = readme.split("## What is measured")[1].split("\n## ")[0]
    row = r"^\| (.+?) \| (.+?) \| `wavefield (validate|bench) '?([^'`]+)'?` \| (`[^|]+`) \|$"
    found = re.findall(row, table, re.M)
    lines = [line for line in table.splitlines() if line.startswith("| ") and "`wavefield" in line]
    if not found or len(found) != len(lines):
        raise SystemExit("a row of the README's claims is not of the form | claim | figures | `wavefield …` | `metric`, … |")
    return [(claim, figures, kind, case, re.findall(r"`([^`]+)`", metrics)) for claim, figures, kind, case, metrics in found]


def rounded(text, value, is_share):
    """Whether a number as it is written is a value, rounded to the digits written; a share is written in per cent."""
    plain = text.replace("−", "-").replace(",", "")
    kind = "e" if "e" in plain else "f"
    digits = len(plain.split("e")[0].partition(".")[2])
    return f"{100 * value if is_share else value:.{digits}{kind}}" == f"{float(plain):.{digits}{kind}}"


def missed(entry):
    """Metrics of a recorded case that keep no limit, or are missing."""

    def holds(metric, limit):
        sign, number = limit.split()
        value = entry["metrics"].get(metric)
        return value is not None and (value <= float(number) if sign == "≤" else value >= float(number))

    return [metric for metric, limit in entry["limits"].items() if not holds(metric, limit)]


def check(figures, kind, case, metrics, records):
    """Every figure is its metric of its case, rounded; a case that fails says so."""
    if case not in records[kind]:
        raise SystemExit(f"`wavefield {kind} {case}` has not been recorded")
    entry = records[kind][case]
    measured, _, failing = figures.partition(FAILS)
    numbers = list(NUMBER.finditer(measured))
    if len(numbers) != len(metrics):
        raise SystemExit(f"{case}: {measured!r} has {len(numbers)} figures for {len(metrics)} metrics")
    for number, metric in zip(numbers, metrics):
        if metric not in entry["metrics"]:
            raise SystemExit(f"{case} has no metric {metric}")
        is_share = measured[number.end() :].startswith(" %") and "percent" not in metric
        if not rounded(number.group(), entry["metrics"][metric], is_share):
            raise SystemExit(f"{case}: {number.group()} is not {metric}, which is {entry['metrics'][metric]}")
    wanted = [] if entry["pass"] else missed(entry)
    if re.findall(r"`([^`]+)`", failing) != wanted:
        raise SystemExit(f"{case}: figures must end in {FAILS!r} and the metrics that miss their limits, {wanted}")


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
    for claim, figures, kind, case, metrics in rows(readme):
        check(figures, kind, case, metrics, records)
        entry = records[kind][case]
        text.append(
            f"| {claim} | {figures} | `wavefield {kind} {case}` | {entry['date']} | {spoken(entry['seconds'])} | {entry['machine']} |"
        )
    return "\n".join(text) + "\n"


def kept():
    """README and records as they are."""
    records = {kind: json.loads(path.read_text(encoding="utf-8")) for kind, path in RECORDS.items()}
    return (ROOT / "README.md").read_text(encoding="utf-8"), records


def made():
    """The page from what is kept."""
    return page(*kept())


if __name__ == "__main__":
    (PAGES / "claims.md").write_text(made(), encoding="utf-8")
