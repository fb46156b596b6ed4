"""Checks the figures of README and book against the records, and writes the page of claims with date and machine.

    python book/claims.py

The claims are in `book/claims.md`, a short table of them in the README. Each figure names its case and its metric. A figure that
is not the recorded metric, rounded, is an error, and so is a case that fails without the table saying so.
"""

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "book" / "src"
RECORDS = {"validate": PAGES / "validation.json", "bench": PAGES / "benchmarks.json"}
NUMBER = re.compile(r"(?<![\w.])[-−]?\d[\d,]*(?:\.\d+)?(?:e[-−]?\d+)?")
FAILS = "; fails: "


def rows(text):
    """Returns the rows of a table of claims: claim, figures, kind and name of the command, metrics of the figures."""
    table = text.split("| claim | figure | command | metric |")[1].split("\n\n")[0]
    row = r"^\| (.+?) \| (.+?) \| `wavefield (validate|bench) '?([^'`]+)'?` \| (`[^|]+`) \|$"
    found = re.findall(row, table, re.M)
    lines = [line for line in table.splitlines() if line.startswith("| ") and "`wavefield" in line]
    if not found or len(found) != len(lines):
        raise SystemExit("a row of a table of claims is not of the form | claim | figures | `wavefield …` | `metric`, … |")
    return [(claim, figures, kind, case, re.findall(r"`([^`]+)`", metrics)) for claim, figures, kind, case, metrics in found]


def rounded(text, value, is_percent):
    """Returns whether a number as it is written is a value, rounded to the digits written; a ratio is written in percent."""
    plain = text.replace("−", "-").replace(",", "")
    kind = "e" if "e" in plain else "f"
    digits = len(plain.split("e")[0].partition(".")[2])
    return f"{100 * value if is_percent else value:.{digits}{kind}}" == f"{float(plain):.{digits}{kind}}"


def missed(entry):
    """Returns the metrics of a recorded case that exceed their limits or are missing."""

    def holds(metric, limit):
        sign, number = limit.split()
        value = entry["metrics"].get(metric)
        return value is not None and (value <= float(number) if sign == "≤" else value >= float(number))

    return [metric for metric, limit in entry["limits"].items() if not holds(metric, limit)]


def check(figures, kind, case, metrics, records):
    """Requires every figure to be its metric of its case, rounded, and a case that fails to say so."""
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
        is_percent = measured[number.end() :].startswith(" %") and "percent" not in metric
        if not rounded(number.group(), entry["metrics"][metric], is_percent):
            raise SystemExit(f"{case}: {number.group()} is not {metric}, which is {entry['metrics'][metric]}")
    wanted = [] if entry["pass"] else missed(entry)
    if re.findall(r"`([^`]+)`", failing) != wanted:
        raise SystemExit(f"{case}: figures must end in {FAILS!r} and the metrics that miss their limits, {wanted}")


def format_duration(seconds):
    """Formats a time with two digits below ten seconds."""
    return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"


def page(claims, records):
    """Returns the page of the book."""
    text = [
        "# Claims",
        "",
        "Every figure with the command that reproduces it and the run that measured it. `python book/claims.py` writes this page",
        "from the records of `wavefield validate --record` and `wavefield bench --record`; all metrics of these runs are on the",
        "pages [Validation](validation.md) and [Benchmarks](benchmarks.md).",
        "",
        "| claim | figure | command | date | time | machine |",
        "|---|---|---|---|---|---|",
    ]
    for claim, figures, kind, case, metrics in rows(claims):
        check(figures, kind, case, metrics, records)
        entry = records[kind][case]
        text.append(
            f"| {claim} | {figures} | `wavefield {kind} {case}` | {entry['date']} | {format_duration(entry['seconds'])} | {entry['machine']} |"
        )
    return "\n".join(text) + "\n"


def recorded():
    """Returns the records."""
    return {kind: json.loads(path.read_text(encoding="utf-8")) for kind, path in RECORDS.items()}


def tables():
    """Returns the texts with a table of claims: that of the page, and the README."""
    return [path.read_text(encoding="utf-8") for path in (ROOT / "book" / "claims.md", ROOT / "README.md")]


def made():
    """Returns the page from claims and records."""
    return page(tables()[0], recorded())


if __name__ == "__main__":
    (PAGES / "claims.md").write_text(made(), encoding="utf-8")
