#!/usr/bin/env python3
"""Runs the fuzz targets for a while and says what came of it.

    fuzz/run.py                            every target for five seconds
    fuzz/run.py --runs 200000              every target so many times
    fuzz/run.py --seconds 60 read_stl      one target for a minute
    fuzz/run.py --plain                    every target for five seconds, built quickly

An input may take 512 MiB and one second of the CPU. One that takes longer by the clock is run again alone, for
the machine may have been busy with something else. Seeds are read from fuzz/corpus and never written; inputs that break
a target are left in fuzz/artifacts. The last line is JSON; the exit code is 1 if an input broke a target and 2 if a
target could not be run. Needs cargo-fuzz and a nightly toolchain; without the sanitizer (`--plain`) cargo-fuzz only.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

FUZZ = Path(__file__).resolve().parent
MEMORY_MIB = 512
SECONDS_PER_INPUT = 1
HANGS_AFTER_SECONDS = 60
SEED = 1
DEFAULT_SECONDS = 5
# What was freed is kept by the sanitizer to find later uses of it; most of the memory is left to the readers.
SANITIZER = "detect_odr_violation=0:quarantine_size_mb=32"


class NotRun(Exception):
    """Why a target could not be run."""


@dataclass
class Limits:
    """How long a target is run, and an input by the clock."""

    runs: int | None
    seconds: int | None
    patience: int


@dataclass
class Result:
    """What came of one target."""

    target: str
    seconds: float = 0.0
    executions: int = 0
    peak_mib: int = 0
    slowest_seconds: int = 0
    broken_by: list[Path] = field(default_factory=list)
    log: str = ""

    def add(self, log: str) -> None:
        """Takes in the numbers that libFuzzer prints at its end."""
        numbers = {name: int(value) for name, value in re.findall(r"^stat::(\w+):\s*(\d+)$", log, re.MULTILINE)}
        self.executions += numbers.get("number_of_executed_units", 0)
        self.peak_mib = max(self.peak_mib, numbers.get("peak_rss_mb", 0))
        self.slowest_seconds = max(self.slowest_seconds, numbers.get("slowest_unit_time_sec", 0))
        self.log = log

    def count(self, *kinds: str) -> int:
        """How many inputs broke the target in one of these ways."""
        return sum(path.name.startswith(kinds) for path in self.broken_by)

    def __str__(self) -> str:
        slowest = f"{self.slowest_seconds} s" if self.slowest_seconds else "< 1 s"
        line = (
            f"{self.target:<22}{self.executions:>10} executions{self.executions / max(self.seconds, 1e-3):>8.0f}/s"
            f"{self.peak_mib:>5} MiB   slowest input {slowest}"
        )
        return "\n".join([line, *(f"    broken by {path}" for path in self.broken_by)])


def output_of(command: list[str], advice: str) -> str:
    """What a command prints; who lacks it is told what to do."""
    try:
        done = subprocess.run(command, cwd=FUZZ.parent, stdout=subprocess.PIPE, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise NotRun(f"`{' '.join(command)}` failed; {advice}") from error
    return done.stdout


def chosen(names: list[str]) -> list[str]:
    """The targets that are asked for, or all."""
    known = sorted(path.stem for path in (FUZZ / "fuzz_targets").glob("*.rs"))
    for name in names:
        if name not in known:
            raise NotRun(f"there is no target `{name}`; there are {', '.join(known)}")
    return names or known


def build(targets: list[str], plain: bool) -> Path:
    """Builds the targets, plain ones without the sanitizer, and returns the folder of their programs."""
    cargo = ["cargo"] if plain else ["cargo", "+nightly"]
    version = output_of([*cargo, "--version", "--verbose"], "install it: rustup toolchain install nightly")
    output_of([*cargo, "fuzz", "--version"], "install it: cargo install --locked cargo-fuzz")
    # Left alone, cargo-fuzz has one core translate a whole crate.
    how = ["--sanitizer", "none", "--codegen-units", "16"] if plain else []
    one = targets if len(targets) == 1 else []
    output_of([*cargo, "fuzz", "build", *how, *one], "the targets do not build")
    host = re.search(r"^host: (\S+)$", version, re.MULTILINE)
    if host is None:
        raise NotRun("cargo does not say for which machine it builds")
    return Path(os.environ.get("CARGO_TARGET_DIR", FUZZ / "target")) / host[1] / "release"


def is_slow(program: Path, path: Path, environment: dict[str, str]) -> bool:
    """Whether an input takes too long of the CPU, run alone."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [program, f"-timeout={HANGS_AFTER_SECONDS}", f"-artifact_prefix={path}.", path]
    done = subprocess.run(command, env=environment, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return done.returncode != 0 or spent > SECONDS_PER_INPUT


def kept(path: Path, target: str) -> Path:
    """Where an input that broke a target is left."""
    folder = FUZZ / "artifacts" / target
    folder.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(path, folder))


def run(target: str, program: Path, limits: Limits) -> Result:
    """Runs one target until its runs or seconds are over or an input breaks it."""
    result = Result(target)
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="wavefield-fuzz-") as scratch:
        found, broken = Path(scratch, "found"), Path(scratch, "broken")
        found.mkdir()
        broken.mkdir()
        environment = {**os.environ, "ASAN_OPTIONS": SANITIZER, "TMPDIR": scratch}
        options = [
            f"-rss_limit_mb={MEMORY_MIB}",
            f"-timeout={limits.patience}",
            f"-report_slow_units={SECONDS_PER_INPUT}",
            f"-artifact_prefix={broken}{os.sep}",
            "-print_final_stats=1",
        ]
        dictionary = FUZZ / "dictionaries" / f"{target}.dict"
        if dictionary.exists():
            options.append(f"-dict={dictionary}")
        # An input that only the clock found slow ends libFuzzer, which then goes on with the next seed.
        for seed in itertools.count(SEED):
            bounds = [f"-seed={seed}"]
            if limits.runs is not None:
                bounds.append(f"-runs={limits.runs - result.executions}")
            if limits.seconds is not None:
                bounds.append(f"-max_total_time={max(1, limits.seconds - int(result.seconds))}")
            done = subprocess.run(
                [program, *options, *bounds, found, FUZZ / "corpus" / target],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                cwd=scratch,
            )
            result.seconds = time.monotonic() - start
            result.add(done.stderr.decode(errors="replace"))
            paths = sorted(broken.iterdir())
            if done.returncode != 0 and not paths:
                raise NotRun(f"{target} ended with {done.returncode} and no input:\n{result.log[-3000:]}")
            for path in paths:
                if not path.name.startswith(("timeout-", "slow-unit-")) or is_slow(program, path, environment):
                    result.broken_by.append(kept(path, target))
                path.unlink()
            runs_over = limits.runs is not None and result.executions >= limits.runs
            time_over = limits.seconds is not None and result.seconds >= limits.seconds
            if done.returncode == 0 or result.broken_by or runs_over or time_over:
                break
    return result


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", help="targets to run; all if none is named")
    parser.add_argument("--runs", type=int, help="executions of every target")
    parser.add_argument("--seconds", type=int, help=f"most seconds for every target; {DEFAULT_SECONDS} without --runs")
    parser.add_argument(
        "--patience",
        type=int,
        default=SECONDS_PER_INPUT,
        help="seconds by the clock after which an input is stopped and looked at; more on a busy machine",
    )
    parser.add_argument("--plain", action="store_true", help="without the sanitizer that watches memory, on stable Rust")
    parser.add_argument("--json", action="store_true", help="print the last line only; the others go to standard error")
    given = parser.parse_args()
    if given.runs is None and given.seconds is None:
        given.seconds = DEFAULT_SECONDS
    return given


def main() -> int:
    given = arguments()
    people = sys.stderr if given.json else sys.stdout
    limits = Limits(given.runs, given.seconds, given.patience)
    results: list[Result] = []
    try:
        targets = chosen(given.targets)
        programs = build(targets, given.plain)
        for target in targets:
            result = run(target, programs / target, limits)
            print(result, file=people, flush=True)
            if result.broken_by:
                print(result.log[-3000:], file=people, flush=True)
            results.append(result)
    except NotRun as reason:
        print(reason, file=sys.stderr)
        return 2
    metrics = {
        "targets": len(results),
        "executions": sum(result.executions for result in results),
        "crashes": sum(result.count("crash-", "leak-") for result in results),
        "timeouts": sum(result.count("timeout-", "slow-unit-") for result in results),
        "ooms": sum(result.count("oom-") for result in results),
        "peak_mib": max((result.peak_mib for result in results), default=0),
    }
    print(json.dumps({"case": "fuzz", "metrics": metrics}))
    return 1 if any(result.broken_by for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
