"""Writes src/gpu/kernels/hankel_table.wgsl: the polynomials behind the Hankel functions in single precision.

Small arguments, x < 4, in s = x²/8 − 1:
  J0 = A(s), J1 = x B(s), Y0 = (2/π) ln x J0 + C(s), Y1 = −2/(πx) + (2/π) ln x J1 + x E(s).
Large arguments, x ≥ 4, in s = 2(4/x)² − 1:
  Hn = √(2/πx) (Pn(s) − j Qn(s)/x) e^{−j(x − π/4 − nπ/2)}.
Each is interpolated at Chebyshev points, written out in powers of s and evaluated by Horner's rule.
"""

from pathlib import Path

from mpmath import bessely, besselj, cos, exp, hankel2, log, mp, mpc, mpf, nstr, pi, sqrt

mp.dps = 40
SPLIT = mpf(4)


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
    ("polynomial_j0", "J₀ for x < 4.", lambda s: besselj(0, small(s)), 9),
    ("polynomial_j1", "J₁/x for x < 4.", lambda s: besselj(1, small(s)) / small(s), 9),
    ("polynomial_y0", "Y₀ − (2/π) ln x J₀ for x < 4.", y0, 9),
    ("polynomial_y1", "(Y₁ + 2/(πx) − (2/π) ln x J₁)/x for x < 4.", y1, 9),
    ("polynomial_p0", "P₀ for x ≥ 4.", lambda s: large(0, s)[0].real, 6),
    ("polynomial_q0", "xQ₀ for x ≥ 4.", lambda s: -large(0, s)[0].imag * large(0, s)[1], 6),
    ("polynomial_p1", "P₁ for x ≥ 4.", lambda s: large(1, s)[0].real, 6),
    ("polynomial_q1", "xQ₁ for x ≥ 4.", lambda s: -large(1, s)[0].imag * large(1, s)[1], 6),
]


def horner(coefficients):
    numbers = [nstr(c, 10, min_fixed=0, max_fixed=0) for c in coefficients]
    text = numbers[-1]
    for number in reversed(numbers[:-1]):
        text = f"{number} + s * ({text})"
    return text


def main():
    lines = ["// Polynomials of the Hankel functions; written by tests/oracle/hankel_table_single.py."]
    for name, words, function, degree in TABLE:
        lines += [
            "",
            f"// {words}",
            f"fn {name}(s: f32) -> f32 {{",
            f"    return {horner(powers(function, degree))};",
            "}",
        ]
    target = Path(__file__).parents[2] / "src" / "gpu" / "kernels" / "hankel_table.wgsl"
    target.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
