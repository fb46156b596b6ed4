"""Finds discouraged terms in the repository, and terms that a search would not find; `tools/terminology.toml` lists both.

    python3 tools/terminology.py

The changelog and the table of former keys name what is no longer used, and are not read.
"""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCOPES = {
    "prose": (("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CONVENTIONS.md", "SECURITY.md", "book/src/", "problems/"), (".md", ".toml")),
    "python": (("python/wavefield/",), (".py", ".pyi")),
    "code": (("crates/", "viewer/src/"), (".rs", ".wgsl", ".ts")),
}
# Former names, in a table of hints and in tests of them.
FORMER = ("crates/wavefield/src/problem/renamed.rs", "crates/wavefield/tests/integration/problem_errors_teach.rs")


def tracked():
    """Returns the files of the repository."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True)
    return [path for path in listed.stdout.decode().split("\0") if path and path not in FORMER and (ROOT / path).is_file()]


def texts(files):
    """Returns the lines of every file by scope."""
    found = {scope: [] for scope in SCOPES}
    for path in files:
        for scope, (places, endings) in SCOPES.items():
            if path.startswith(places) and path.endswith(endings) and not (ROOT / path).is_symlink():
                found[scope].append((path, (ROOT / path).read_text(encoding="utf-8").splitlines()))
    return found


def keys(schema):
    """Returns the dotted paths of all keys of problem files, and values of those with a choice as `path=value`."""
    definitions, found = schema.get("$defs", {}), set()

    def walk(node, path, open_):
        if not isinstance(node, dict):
            return
        reference = node.get("$ref")
        if reference:
            name = reference.rsplit("/", 1)[-1]
            if name not in open_:
                walk(definitions.get(name), path, open_ | {name})
        for value in [node.get("const"), *node.get("enum", [])]:
            if isinstance(value, str):
                found.add(f"{path}={value}")
        for name, inner in node.get("properties", {}).items():
            inside = f"{path}.{name}" if path else name
            found.add(inside)
            walk(inner, inside, open_)
        for part in ("items", "additionalProperties"):
            walk(node.get(part), path, open_)
        for part in ("anyOf", "oneOf", "allOf", "prefixItems"):
            for inner in node.get(part, []):
                walk(inner, path, open_)

    walk(schema, "", frozenset())
    return sorted(found)


def violations(table, lines, paths):
    """Yields every discouraged term with its place."""
    for term in table:
        pattern = re.compile(term["not"])
        allowed = [re.compile(allow) for allow in term.get("allow", [])]
        scopes = term.get("scope", list(SCOPES))
        if "keys" in scopes:
            yield from (f"problems/schema.json: {path}: use {term['use']}" for path in paths if pattern.search(path))
        for scope in (scope for scope in scopes if scope != "keys"):
            for path, text in lines[scope]:
                if not path.startswith(tuple(term.get("files", [""]))):
                    continue
                for number, line in enumerate(text, 1):
                    hit = pattern.search(line)
                    if hit and not any(allow.search(line) for allow in allowed):
                        yield f"{path}:{number}: {hit.group().strip()!r}: use {term['use']}"


def missing(searches):
    """Yields every term that its crate or its page of the book does not have."""
    for search in searches:
        crate = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "crates" / search["crate"] / "src").rglob("*.rs"))
        page = (ROOT / "book/src" / search["page"]).read_text(encoding="utf-8")
        for place, text in ((f"crates/{search['crate']}", crate), (search["page"], page)):
            words = " ".join(re.sub(r"^\s*//[/!]?", "", line).strip() for line in text.splitlines())
            for term in search["terms"]:
                # A term at the beginning of a sentence counts, one within a word does not.
                forms = "|".join(re.escape(form).replace(r"\-", "[-–]") for form in (term, term[0].upper() + term[1:]))
                pattern = rf"(?<!\w)(?:{forms})"
                if not re.search(pattern, words):
                    yield f"{place}: {term!r} does not occur"


def main():
    tables = tomllib.loads((ROOT / "tools/terminology.toml").read_text(encoding="utf-8"))
    table, searches = tables["term"], tables["search"]
    schema = json.loads((ROOT / "problems/schema.json").read_text(encoding="utf-8"))
    found = [*violations(table, texts(tracked()), keys(schema)), *missing(searches)]
    terms = sum(len(search["terms"]) for search in searches)
    print("\n".join([*found, f"{len(table)} discouraged terms and {terms} searched ones: {len(found)} violations"]))
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
