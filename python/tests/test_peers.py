"""What the comparison with other libraries rests on, tested without them."""

import importlib.util
import re
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def peers():
    spec = importlib.util.spec_from_file_location("peers_nufft", ROOT / "bench" / "peers" / "nufft.py")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def test_the_geometric_mean_balances_ratios(peers):
    assert peers.geometric_mean([2.0, 0.5]) == pytest.approx(1.0)
    assert peers.geometric_mean([3.0]) == pytest.approx(3.0)


def test_a_library_that_delivers_is_asked_for_the_tolerance_itself(peers):
    assert peers.equal_accuracy(1e-6, lambda asked: 0.8 * asked) == (1e-6, pytest.approx(8e-7))


def test_a_library_that_misses_is_asked_for_less_until_it_delivers(peers):
    asked, error = peers.equal_accuracy(1e-6, lambda asked: 2.5 * asked)
    assert asked == pytest.approx(3e-7) and error == pytest.approx(7.5e-7)


def test_rounding_ends_the_search_at_the_largest_tolerance_that_reaches_it(peers):
    calls = []

    def floor(asked):
        calls.append(asked)
        return 3e-12 if asked > 0.6e-12 else 2e-12

    assert peers.equal_accuracy(1e-12, floor) == (0.5e-12, 2e-12)
    assert len(calls) < len(peers.FRACTIONS)


def test_a_refused_tolerance_ends_the_search(peers):
    refuses = {1e-12: 4e-12, 0.5e-12: 2e-12}
    assert peers.equal_accuracy(1e-12, refuses.get) == (0.5e-12, 2e-12)
    with pytest.raises(ValueError, match="refused"):
        peers.equal_accuracy(1e-12, lambda asked: None)


def test_direct_sums_of_the_comparison_are_the_sums(peers):
    rng = np.random.default_rng(1)
    x, y, z = rng.uniform(-np.pi, np.pi, (3, 40))
    c = rng.normal(size=40) + 1j * rng.normal(size=40)
    chosen = [np.array([-3, 0, 2]), np.array([1, 4]), np.array([-2, -1, 5])]
    expected = [
        np.sum(c * np.exp(1j * (k * x + l * y + m * z))) for k in chosen[0] for l in chosen[1] for m in chosen[2]
    ]
    np.testing.assert_allclose(peers.exact_modes([x, y, z], c, chosen, 1), expected, atol=1e-12)
    f = rng.normal(size=(4, 5, 6)) + 0j
    k, l, m = np.meshgrid(np.arange(-2, 2), np.arange(-2, 3), np.arange(-3, 3), indexing="ij")
    expected = [np.sum(f * np.exp(-1j * (k * a + l * b + m * d))) for a, b, d in zip(x, y, z)]
    np.testing.assert_allclose(peers.exact_values([x, y, z], f, -1), expected, atol=1e-12)


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="needs long doubles")
def test_phases_are_exact_where_doubles_lose_them(peers):
    # 999,999 turns of 2π/3 are a whole number of turns; in doubles the phase is off by 1e-10.
    x = np.array([2 * np.pi / 3])
    remainder = float(np.longdouble(x[0]) - 2 * np.longdouble("3.14159265358979323846264338327950288") / 3)
    found = peers.waves(np.array([999_999]), x, 1)[0, 0]
    # Long doubles have 64 bits: 1e6 × 2π × 2^-64 is 3e-13.
    assert abs(found - np.exp(1j * 999_999 * remainder)) < 3e-13


def _row(peers, ours, finufft, ducc0, errors):
    row = peers.Row(100_000, (256, 256), 1, 1e-6)
    times = {"wavefield": (ours, ours), "finufft": (finufft, finufft), "ducc0": (ducc0, ducc0)}
    asked = dict.fromkeys(times, 1e-6)
    return peers.compare(row, 1, times, asked, dict(zip(times, errors)))


def test_a_peer_that_does_not_deliver_is_not_the_best(peers):
    assert _row(peers, 1.0, 2.0, 3.0, (5e-7, 5e-7, 5e-7))["ratio"] == pytest.approx(2.0)
    assert _row(peers, 1.0, 2.0, 3.0, (5e-7, 2e-6, 5e-7))["ratio"] == pytest.approx(3.0)
    assert _row(peers, 1.0, 2.0, 3.0, (2e-6, 2e-6, 2e-6))["ratio"] == pytest.approx(2.0)


def test_the_summary_and_the_table_name_means_and_worst_rows(peers):
    rows = [_row(peers, 1.0, 4.0, 9.0, (5e-7,) * 3), _row(peers, 1.0, 1.0, 9.0, (5e-7,) * 3)]
    means = peers.summary(rows)["threads_1"]
    assert means["geomean_vs_best"] == pytest.approx(2.0) and means["worst_vs_best"] == pytest.approx(1.0)
    assert means["worst_row"] == "1e5:256x256:t1:1e-06"
    table = peers.markdown(rows, "A machine.").splitlines()
    assert table[0] == "A machine."
    assert len({line.count("|") for line in table if line.startswith("|")}) == 1


def test_rows_are_chosen_by_pattern(peers):
    names = [row.name for group in peers.rows_of(peers.GEOMETRIES, peers.TOLERANCES, "1e6:1024*t2") for row in group]
    assert names == ["1e6:1024x1024:t2:1e-06", "1e6:1024x1024:t2:1e-09", "1e6:1024x1024:t2:1e-12"]
    assert sum(len(group) for group in peers.rows_of(peers.GEOMETRIES, peers.TOLERANCES, "")) == 60


def test_the_programs_that_comparisons_build_are_there():
    named = []
    for script in sorted((ROOT / "bench" / "peers").rglob("*.py")):
        text = script.read_text(encoding="utf-8")
        for package, example in re.findall(r'"--package", "wavefield-(\w+)", "--example", "(\w+)"', text):
            named.append(ROOT / "crates" / package / "examples" / f"{example}.rs")
    assert named
    missing = [str(path) for path in named if not path.is_file()]
    assert not missing
