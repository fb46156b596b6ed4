"""The source distribution: every file that a build needs."""

import json
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """The source distribution, unpacked."""
    maturin = shutil.which("maturin")
    assert maturin is not None
    folder = tmp_path_factory.mktemp("sdist")
    subprocess.run([maturin, "sdist", "--out", folder], cwd=ROOT, check=True)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(folder, **({"filter": "data"} if sys.version_info >= (3, 12) else {}))
    (found,) = (path for path in folder.iterdir() if path.is_dir())
    return found


def test_cargo_resolves_it_with_the_lock_file(unpacked):
    command = ["cargo", "metadata", "--locked", "--offline", "--format-version", "1", "--no-deps"]
    metadata = subprocess.run(command, cwd=unpacked, capture_output=True, text=True)
    assert metadata.returncode == 0, metadata.stderr
    names = {package["name"] for package in json.loads(metadata.stdout)["packages"]}
    assert {"wavefield", "wavefield-python", "wavefield-cluster"} <= names


def test_it_has_every_source_file_of_its_crates(unpacked):
    tracked = subprocess.run(["git", "ls-files", "crates", "python/wavefield"], cwd=ROOT, capture_output=True, text=True, check=True)
    crates = {path.parent.name for path in (unpacked / "crates").glob("*/Cargo.toml")}
    wanted = [
        name
        for name in tracked.stdout.splitlines()
        if name.startswith("python/") or name.split("/")[1] in crates and "/tests/" not in name
    ]
    assert len(wanted) > 500
    assert [name for name in wanted if not (unpacked / name).exists()] == []
