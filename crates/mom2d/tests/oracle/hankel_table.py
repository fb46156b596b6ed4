"""Writes src/kernels/hankel_table.rs: the polynomials behind the fast Hankel functions, with forty digits.

Small arguments, x < 8, in s = x²/32 − 1:
  J0 = A(s), J1 = x B(s), Y0 = (2/π) ln x J0 + C(s), Y1 = −2/(πx) + (2/π) ln x J1 + x E(s).
Large arguments, x ≥ 8, in s = 2(8/x)² − 1:
  Hn = √(2/πx) (Pn(s) − j Qn(s)/x) e^{−j(x − π/4 − nπ/2)}.
Each is interpolated at Chebyshev points and written out in powers of s.
"""

from pathlib import Path

from mpmath import bessely, besselj, cos, exp, hankel2, log, mp, mpc, mpf, nstr, pi, sqrt

mp.dps = 40
SPLIT = mpf(8)


def powers(function, degree):
    count = degree + 1
    angles = [pi * (2 * i + 1) / (2 * count) for i in range(count)]
    values = [function(cos(angle)) for angle in angles]
    chebyshev = [
        (2 if k else 1) * sum(v * cos(k * a) for v, a in zip(values, angles)) / count for k in range(count)
    ]
    below, here = [mpf(1)], [mpf(0), mpf(1)]
    result = [mpf(0)] * count
    for k in range(count):
        for i, v in enumerate(below):
            result[i] += chebyshev[k] * v
        above = [mpf(0)] + [2 * v for v in here]
        for i, v in enumerate(below):
            above[i] -= v
        below, here = here, above
    return result


def small(s):
    return sqrt((s + 1) * SPLIT**2 / 2)


def large(order, s):
    x = SPLIT / sqrt((s + 1) / 2)
    return hankel2(order, x) / sqrt(2 / (pi * x)) * exp(mpc(0, 1) * (x - pi / 4 - order * pi / 2)), x


def y0(s):
    x = small(s)
    return bessely(0, x) - 2 / pi * log(x) * besselj(0, x)


def y1(s):
    x = small(s)
    return (bessely(1, x) + 2 / (pi * x) - 2 / pi * log(x) * besselj(1, x)) / x


TABLE = [
    ("J0", "J₀ for x < 8", lambda s: besselj(0, small(s)), 16),
    ("J1", "J₁/x for x < 8", lambda s: besselj(1, small(s)) / small(s), 16),
    ("Y0", "Y₀ − (2/π) ln x J₀ for x < 8", y0, 16),
    ("Y1", "(Y₁ + 2/(πx) − (2/π) ln x J₁)/x for x < 8", y1, 16),
    ("P0", "P₀ for x ≥ 8", lambda s: large(0, s)[0].real, 13),
    ("Q0", "xQ₀ for x ≥ 8", lambda s: -large(0, s)[0].imag * large(0, s)[1], 13),
    ("P1", "P₁ for x ≥ 8", lambda s: large(1, s)[0].real, 13),
    ("Q1", "xQ₁ for x ≥ 8", lambda s: -large(1, s)[0].imag * large(1, s)[1], 13),
]

lines = [
    "//! Polynomials of the fast Hankel functions, lowest power first; written by `tests/oracle/hankel_table.py`.",
    "",
]
for name, words, function, degree in TABLE:
    lines.append(f"/// {words}.")
    lines.append(f"pub(crate) const {name}: [f64; {degree + 1}] = [")
    lines += [f"    {nstr(c, 19, min_fixed=0, max_fixed=0)}," for c in powers(function, degree)]
    lines.append("];")
target = Path(__file__).parents[2] / "src" / "kernels" / "hankel_table.rs"
target.write_text("\n".join(lines) + "\n")
