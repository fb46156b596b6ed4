"""Makes the gallery of the book: every example is run, and one figure of its report is kept.

    python book/gallery.py                 # all examples, which takes the better part of an hour
    python book/gallery.py mom2d/circle    # some of them; the others stay as they are

Needs the `wavefield` command on the path, or named by $WAVEFIELD.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "book" / "src"
PICTURES = PAGES / "gallery"
RECORD = PICTURES / "gallery.json"
COMMAND = os.environ.get("WAVEFIELD", "wavefield")
SOLVERS = {
    "compare": "Comparison of solvers",
    "dgtd": "Discontinuous Galerkin time domain (DGTD)",
    "exact": "Exact solutions",
    "holography": "Near-field acoustic holography (NAH)",
    "mom2d": "2-D method of moments",
    "mom3d": "3-D method of moments",
    "reflectarray": "Reflectarray synthesis",
    "sbr": "Shooting and bouncing rays (SBR)",
}


def cases():
    """Names of all examples: folders of `problems` with two levels."""
    return sorted(str(path.parent.relative_to(ROOT / "problems")) for path in (ROOT / "problems").glob("*/*/README.md"))


def picture_of(case, figures):
    """The figure that shows a case: the one its expected.toml names, or the first."""
    expected = ROOT / "problems" / case / "expected.toml"
    named = re.search(r'^picture = "(.*)"$', expected.read_text(encoding="utf-8"), re.M) if expected.exists() else None
    if named is None:
        return 0
    titles = [figure["title"] for figure in figures]
    if named.group(1) not in titles:
        raise SystemExit(f"{case} has no figure {named.group(1)!r}; there are {titles}")
    return titles.index(named.group(1))


def make(case):
    """Runs a case, keeps its picture and returns what the page says of it."""
    with tempfile.TemporaryDirectory() as folder:
        def command(*arguments):
            return subprocess.run([COMMAND, "--quiet", *arguments], cwd=folder, check=True, stdout=subprocess.PIPE).stdout

        estimated = None
        if case.startswith("compare/"):
            command("compare", str(ROOT / "problems" / case), "--out", "result")
        else:
            command("new", case)
            estimated = json.loads(command("check", "--json"))["seconds"]
            command("run")
        command("report", "--figures")
        result = Path(folder) / "result"
        record = json.loads((result / "result.json").read_text(encoding="utf-8"))
        chosen = picture_of(case, record["figures"])
        picture = sorted((result / "figures").iterdir())[chosen]
        (PICTURES / f"{case.replace('/', '-')}.svg").write_bytes(picture.read_bytes())
        return {
            "figure": record["figures"][chosen]["title"],
            "caption": record["figures"][chosen]["caption"],
            "summary": record["summary"],
            "seconds": round(sum(timing["seconds"] for timing in record["timings"]), 2),
            "estimated": estimated,
            "program": record["program"],
            "device": record["device"],
        }


def page(record):
    """The page of the book."""
    text = [
        "# Gallery",
        "",
        "Every example that comes with the program, with one figure of its report. Nothing here is drawn by hand:",
        "`python book/gallery.py` runs the examples and writes this page. `wavefield new CASE` gives you the problem file. Times are",
        "those of these runs, some of them beside other work; what is measured with care is on the pages of the solvers.",
    ]
    solver = None
    for case in cases():
        if case not in record:
            continue
        entry = record[case]
        if case.split("/")[0] != solver:
            solver = case.split("/")[0]
            text += ["", f"## {SOLVERS[solver]}"]
        readme = (ROOT / "problems" / case / "README.md").read_text(encoding="utf-8")
        title, _, about = readme.partition("\n")
        about = about.split("\n\n    ")[0].strip()
        invocation = (
            f"wavefield compare problems/{case}"
            if solver == "compare"
            else f"wavefield new {case} && wavefield run"
        )
        estimated = entry.get("estimated")
        estimate = f" (estimated {estimated:.2g} s)" if estimated is not None else ""
        text += [
            "",
            f"### {title.lstrip('# ')}",
            "",
            about,
            "",
            f"![{entry['figure']}](gallery/{case.replace('/', '-')}.svg)",
            "",
            f"*{entry['figure']}. {entry['caption']}*",
            "",
            f"    {invocation}",
            "",
            f"{entry['summary']} {entry['seconds']} s{estimate}, {entry['program']}"
            + (f", {entry['device']}." if entry["device"] else "."),
        ]
    return "\n".join(text) + "\n"


def main():
    PICTURES.mkdir(exist_ok=True)
    record = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    for case in sys.argv[1:] or cases():
        print(case, file=sys.stderr, flush=True)
        record[case] = make(case)
        RECORD.write_text(json.dumps(dict(sorted(record.items())), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        (PAGES / "gallery.md").write_text(page(record), encoding="utf-8")


if __name__ == "__main__":
    main()
