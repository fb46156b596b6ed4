#!/usr/bin/env python3
"""High-precision reference tables for the exact solutions of the physics crate.

    python generate.py            rewrite every CSV beside this script
    python generate.py NAME ...   rewrite only the named tables
    python generate.py --check    run the physics checks; write nothing

Needs mpmath only (gmpy2, if present, makes it faster and changes no digit).

Conventions
-----------
Time dependence e^{+jwt}; outgoing waves e^{-jkr}; Hankel functions of the
second kind; loss is a negative imaginary part of eps and mu. theta is measured
from +z, phi from +x.

Every input in a CSV is an f64 written so that it reads back exactly, and the
outputs are evaluated at exactly that f64 (angles in degrees are converted to
radians at working precision). Outputs carry 17 significant digits. A complex
quantity q takes the columns q_re and q_im.
"""

import csv
import os
import sys

import mpmath
from mpmath import mp, mpc, mpf

DPS = 60  # default working precision, decimal digits
J = mpc(0, 1)
LOWEST, HIGHEST = mpf("1e-290"), mpf("1e290")  # what f64 holds comfortably
HERE = os.path.dirname(os.path.abspath(__file__))

C_LIGHT = mpf(299792458)
ETA0 = 376.730313412  # ohm, CODATA 2022
RHO_AIR = 1.204  # kg/m^3
C_AIR = 343.0  # m/s


# --------------------------------------------------------------------------
# Output
# --------------------------------------------------------------------------

def out(value):
    """A real output with 17 significant digits."""
    value = mpf(value)
    if value == 0:
        return "0"
    return mpmath.nstr(value, 17, strip_zeros=False, min_fixed=0, max_fixed=0)


def pair(value, floor=None):
    """A complex output as [re, im].

    A component below `floor` (default: 1e-40 of the modulus) is rounding
    noise of a component that is exactly zero, and is written as 0.
    """
    value = mpc(value)
    if floor is None:
        floor = abs(value) * mpf(10) ** -40
    return [out(part if abs(part) > floor else 0) for part in (value.real, value.imag)]


def given(value):
    """An input: the shortest decimal that reads back as the same f64."""
    return repr(value) if isinstance(value, (int, float)) else str(value)


def write(name, header, rows):
    """Write one CSV; returns the number of data rows."""
    with open(os.path.join(HERE, name), "w", newline="") as handle:
        writer = csv.writer(handle, lineterminator="\n")
        writer.writerow(header)
        count = 0
        for row in rows:
            assert len(row) == len(header), (name, row)
            writer.writerow(row)
            count += 1
    return count


def in_range(*values):
    """True if the modulus of every value lies in the f64 range used here."""
    return all(LOWEST <= abs(v) <= HIGHEST for v in values)


def columns(*names):
    """Header: 'q*' stands for the two columns q_re, q_im."""
    header = []
    for name in names:
        header += [name[:-1] + "_re", name[:-1] + "_im"] if name.endswith("*") else [name]
    return header


def radians(degrees):
    return mpf(degrees) * mp.pi / 180


# --------------------------------------------------------------------------
# Special functions as arrays over the order
# --------------------------------------------------------------------------

def minimal_orders(z, top, shift):
    """Unnormalised f_0..f_top of the solution of
    f_{n-1} + f_{n+1} = ((2n + shift)/z) f_n that decays with n,
    by downward recurrence from far above."""
    size = abs(z)
    start = int(max(top, size) + 10 * mp.cbrt(max(top, size)) + 3 * mp.dps) + 20
    high, low = mpf(0), mpf(10) ** -mp.dps
    values = [mpf(0)] * (top + 1)
    for n in range(start, 0, -1):
        high, low = low, (2 * n + shift) / z * low - high
        if n - 1 <= top:
            values[n - 1] = low
    return values


def normalised(values, first, second):
    """Scale so that orders 0 and 1 take the given values (the larger decides)."""
    if abs(first) >= abs(second):
        factor = first / values[0]
    else:
        factor = second / values[1]
    return [v * factor for v in values]


def upward(first, second, z, top, shift):
    """f_0..f_top by upward recurrence from f_0, f_1."""
    values = [first, second]
    for n in range(1, top):
        values.append((2 * n + shift) / z * values[n] - values[n - 1])
    return values[: top + 1]


def derivatives(values, z):
    """C_n' for cylinder functions C_0..C_N: C_0' = -C_1, C_n' = C_{n-1} - (n/z) C_n."""
    return [-values[1]] + [values[n - 1] - n / z * values[n] for n in range(1, len(values))]


def cylinder_j(z, top):
    """J_0..J_top and derivatives, any complex z != 0."""
    top = max(top, 1)
    values = normalised(minimal_orders(z, top, 0), mp.besselj(0, z), mp.besselj(1, z))
    return values, derivatives(values, z)


def cylinder_y(x, top):
    """Y_0..Y_top and derivatives, real x > 0."""
    values = upward(mp.bessely(0, x), mp.bessely(1, x), x, max(top, 1), 0)
    return values, derivatives(values, x)


def cylinder_h2(z, top):
    """H2_0..H2_top and derivatives; Re z >= 0, not on the positive imaginary axis.

    Below the real axis H2_n(z) = (2j/pi) j^n K_n(jz) has no cancellation for
    the two starting orders; the recurrence then loses at most exp(2|Im z|),
    which the caller's working precision must cover.
    """
    if mp.im(z) <= 0:
        first = 2 * J / mp.pi * mp.besselk(0, J * z)
        second = -2 / mp.pi * mp.besselk(1, J * z)
    else:
        first, second = mp.hankel2(0, z), mp.hankel2(1, z)
    values = upward(first, second, z, max(top, 1), 0)
    return values, derivatives(values, z)


def riccati_outgoing(z, top):
    """xi_n = z h2_n(z) and its derivative, n = 0..top."""
    first = J * mp.exp(-J * z)
    xi = upward(first, first / z + J * first, z, max(top, 1), 1)
    return xi, [-J * first] + [xi[n - 1] - n / z * xi[n] for n in range(1, len(xi))]


def riccati(z, top):
    """psi_n = z j_n(z), psi_n', xi_n = z h2_n(z), xi_n', n = 0..top."""
    top = max(top, 1)
    psi = normalised(minimal_orders(z, top, 1), mp.sin(z), mp.sin(z) / z - mp.cos(z))
    dpsi = [mp.cos(z)] + [psi[n - 1] - n / z * psi[n] for n in range(1, top + 1)]
    return (psi, dpsi) + riccati_outgoing(z, top)


def legendre(x, top):
    """P_n, pi_n and tau_n for n = 0..top at x = cos(theta).

    pi_n = P_n^1/sin(theta) = dP_n/dx, tau_n = dP_n^1/dtheta, without the
    Condon-Shortley phase: pi_1 = 1, tau_1 = cos(theta).
    """
    p, pi, tau = [mpf(1), mpf(x)], [mpf(0), mpf(1)], [mpf(0), mpf(x)]
    for n in range(2, top + 1):
        p.append(((2 * n - 1) * x * p[n - 1] - (n - 1) * p[n - 2]) / n)
        pi.append(((2 * n - 1) * x * pi[n - 1] - n * pi[n - 2]) / (n - 1))
        tau.append(n * x * pi[n] - (n + 1) * pi[n - 1])
    return p, pi, tau


def series_top(size):
    """Order at which a scattering series of that size is far below 1e-40."""
    size = mpf(size)
    return int(size + 14 * mp.cbrt(size) + 36)


# --------------------------------------------------------------------------
# 1, 2. Bessel functions of integer order
# --------------------------------------------------------------------------

def bessel_real():
    """J_n, Y_n, J_n', Y_n' for real x."""
    common = [1e-8, 1e-4, 0.01, 0.3, 1.0, 2.75, 5.5, 8.0, 12.0, 25.0, 26.0, 40.0,
              99.5, 200.5, 1000.0, 3333.25, 1e4]
    zeros = {  # f64 nearest to zeros of J_n and of Y_n
        0: [2.404825557695773, 5.5200781102863106, 11.791534439014281, 0.8935769662791675],
        1: [3.8317059702075125, 2.197141326031017],
        2: [5.135622301840683, 3.3842417671495935],
        5: [8.771483815959954, 6.747183824871022],
    }
    orders = [0, 1, 2, 3, 5, 10, 20, 35, 50, 75, 100, 150, 200]

    def rows():
        mp.dps = DPS
        for n in orders:
            near = [n - 0.5, float(n), n + 0.5]
            if n >= 10:
                width = round(n ** (1 / 3), 2)
                near += [n - 3 * width, n - width, n + width, n + 3 * width, 0.5 * n]
            points = set(common + zeros.get(n, []) + [x for x in near if x > 0])
            for x in sorted(points):
                z = mpf(x)
                j, dj = cylinder_j(z, n)
                y, dy = cylinder_y(z, n)
                values = (j[n], y[n], dj[n], dy[n])
                if in_range(*values):
                    yield [n, given(x)] + [out(v) for v in values]

    return write("bessel_real.csv", columns("n", "x", "j", "y", "dj", "dy"), rows())


COMPLEX_POINTS = [
    (0.01, 0.0), (0.007, -0.007), (0.3, -0.2), (0.3, 0.2), (0.0, -2.0), (2.0, -0.001),
    (2.0, 1.5), (5.0, -5.0), (0.5, -12.0), (11.0, 4.0), (20.0, -3.0), (40.0, -20.0),
    (35.0, 30.0), (60.0, -0.5), (80.0, -50.0), (120.0, 50.0), (299.0, -20.0), (300.0, -1e-6),
]


def bessel_complex():
    """J_n, H2_n and derivatives for complex z."""
    def rows():
        mp.dps = 130  # covers the loss exp(2 * 50) with 60 digits to spare
        for re, im in COMPLEX_POINTS:
            z = mpc(re, im)
            j, dj = cylinder_j(z, 60)
            h, dh = cylinder_h2(z, 60)
            for n in (0, 1, 2, 5, 15, 30, 60):
                values = (j[n], h[n], dj[n], dh[n])
                if in_range(*values):
                    row = [n, given(re), given(im)]
                    for v in values:
                        row += pair(v, abs(v) * mpf(10) ** -80)
                    yield row

    return write("bessel_complex.csv", columns("n", "z*", "j*", "h2*", "dj*", "dh2*"), rows())


# --------------------------------------------------------------------------
# 3. Spherical Bessel and Riccati functions
# --------------------------------------------------------------------------

def spherical_bessel():
    """j_n, y_n, psi_n = x j_n, xi_n = x h2_n and derivatives, real x."""
    common = [1e-3, 0.1, 1.0, 4.5, 10.0, 31.4, 100.5, 399.0, 1000.0]
    extra = {0: [3.141592653589793], 1: [4.493409457909064], 400: [350.0, 400.5, 410.0, 450.0],
             10: [10.5, 13.0], 50: [45.0, 50.5, 56.0], 100: [90.0, 110.0], 200: [190.0, 200.5, 220.0]}

    def rows():
        mp.dps = DPS
        for n in (0, 1, 2, 5, 10, 20, 50, 100, 200, 400):
            for x in sorted(common + extra.get(n, [])):
                z = mpf(x)
                psi, dpsi, xi, dxi = (f[n] for f in riccati(z, n))
                y, dchi = -mp.im(xi) / z, mp.im(dxi)
                if in_range(psi / z, y, psi, dpsi, mp.im(xi), dchi):
                    # Re xi = psi and Re xi' = psi' exactly; taken from the
                    # stable recurrence, since they drown in xi for n >> x.
                    yield [n, given(x)] + [out(v) for v in
                                           (psi / z, y, psi, dpsi, psi, mp.im(xi), dpsi, dchi)]

    return write("spherical_bessel.csv",
                 columns("n", "x", "j", "y", "psi", "dpsi", "xi*", "dxi*"), rows())


def spherical_bessel_complex():
    """j_n, h2_n, psi_n', xi_n' for complex z."""
    def rows():
        mp.dps = 130
        for re, im in COMPLEX_POINTS[1:]:
            z = mpc(re, im)
            psi, dpsi, xi, dxi = riccati(z, 60)
            for n in (0, 1, 2, 8, 25, 60):
                values = (psi[n] / z, xi[n] / z, dpsi[n], dxi[n])
                if in_range(*values):
                    row = [n, given(re), given(im)]
                    for v in values:
                        row += pair(v, abs(v) * mpf(10) ** -80)
                    yield row

    return write("spherical_bessel_complex.csv",
                 columns("n", "z*", "j*", "h2*", "dpsi*", "dxi*"), rows())


# --------------------------------------------------------------------------
# 4. Legendre and Mie angular functions
# --------------------------------------------------------------------------

def legendre_table():
    """P_n, pi_n, tau_n, once at theta itself and once at x = f64(cos theta).

    Near the poles f64(cos theta) has lost theta, so a routine that takes
    cos(theta) is to be held against the *_x columns and one that takes theta
    against the *_theta columns.
    """
    def rows():
        mp.dps = DPS
        pi64 = float(mp.pi)
        angles = [0.0, 1e-6, 0.01, float(mp.pi / 6), 1.0, float(mp.pi / 2), 2.0,
                  float(radians("179.999")), pi64]
        for theta in angles:
            exact = mp.cos(mpf(theta))
            x = float(exact)
            at_theta, at_x = legendre(exact, 300), legendre(mpf(x), 300)
            for n in (0, 1, 2, 3, 4, 7, 10, 31, 100, 201, 300):
                yield [n, given(theta), given(x)] + [out(f[n]) for f in at_theta + at_x]

    return write("legendre.csv",
                 columns("n", "theta_rad", "x", "p_theta", "pi_theta", "tau_theta",
                         "p_x", "pi_x", "tau_x"), rows())


# --------------------------------------------------------------------------
# 5. Spheres
# --------------------------------------------------------------------------

def layered_sphere_coefficients(k, layers, pec_core, top):
    """a_n (electric) and b_n (magnetic) for n = 1..top.

    `layers` runs from the innermost medium outward as (outer radius, eps, mu),
    surrounded by free space; with `pec_core` the innermost entry is
    (radius, None, None), a perfect conductor.

    In a medium of wave impedance eta (relative to free space) an electric mode
    has r H_t ~ u, r E_t ~ j eta u' and a magnetic mode r E_t ~ u,
    r H_t ~ u'/eta (up to common constants), u(kr) = A psi_n + B xi_n. So
    z = eta u'/u and y = u'/(eta u) are continuous through every interface.
    Outside u = psi_n - c xi_n, hence c = (psi' - g psi)/(xi' - g xi) with
    g = z for a_n and g = y for b_n.
    """
    def ratio_at(functions, n, reflection):
        psi, dpsi, xi, dxi = (f[n] for f in functions)
        return dpsi + reflection * dxi, psi + reflection * xi

    electric, magnetic = [None] * (top + 1), [None] * (top + 1)
    prepared, inner = [], None
    for radius, eps, mu in layers:
        if eps is None:
            prepared.append(None)
        else:
            wavenumber = k * mp.sqrt(eps) * mp.sqrt(mu)
            eta = mp.sqrt(mu) / mp.sqrt(eps)
            prepared.append((eta,
                             None if inner is None else riccati(wavenumber * inner, top),
                             riccati(wavenumber * radius, top)))
        inner = radius
    outside = riccati(k * layers[-1][0], top)

    for n in range(1, top + 1):
        # Pairs (numerator, denominator) of z and y, so that PEC needs no limit.
        z, y = ((mpf(0), mpf(1)), (mpf(1), mpf(0))) if pec_core else (None, None)
        for layer in prepared:
            if layer is None:
                continue
            eta, at_inner, at_outer = layer
            if z is None:  # dielectric core: regular at the centre
                du, u = ratio_at(at_outer, n, 0)
                z, y = (eta * du, u), (du, eta * u)
                continue
            psi, dpsi, xi, dxi = (f[n] for f in at_inner)
            r_e = -(eta * dpsi * z[1] - z[0] * psi) / (eta * dxi * z[1] - z[0] * xi)
            r_m = -(dpsi * y[1] - y[0] * eta * psi) / (dxi * y[1] - y[0] * eta * xi)
            du, u = ratio_at(at_outer, n, r_e)
            z = (eta * du, u)
            du, u = ratio_at(at_outer, n, r_m)
            y = (du, eta * u)
        psi, dpsi, xi, dxi = (f[n] for f in outside)
        electric[n] = (dpsi * z[1] - z[0] * psi) / (dxi * z[1] - z[0] * xi)
        magnetic[n] = (dpsi * y[1] - y[0] * psi) / (dxi * y[1] - y[0] * xi)
    assert abs(electric[top]) + abs(magnetic[top]) < mpf(10) ** -38
    return electric, magnetic


def sphere_far_field(k, coefficients, theta):
    """(F_theta at phi = 0, F_phi at phi = 90 deg), metres, for E_i = x e^{-jkz}.

    E_s = (e^{-jkr}/r) F with
    F_theta = -(j/k) cos(phi) S2, F_phi = +(j/k) sin(phi) S1,
    S1 = sum w_n (a_n pi_n + b_n tau_n), S2 = sum w_n (a_n tau_n + b_n pi_n),
    w_n = (2n + 1)/(n(n + 1)).
    """
    a, b = coefficients
    top = len(a) - 1
    _, pi, tau = legendre(mp.cos(theta), top)
    weights = [mpf(2 * n + 1) / (n * (n + 1)) for n in range(1, top + 1)]
    s1 = mp.fsum(w * (a[n] * pi[n] + b[n] * tau[n]) for n, w in enumerate(weights, 1))
    s2 = mp.fsum(w * (a[n] * tau[n] + b[n] * pi[n]) for n, w in enumerate(weights, 1))
    return -J / k * s2, J / k * s1


SPHERE_ANGLES = [0.0, 10.0, 30.0, 45.0, 60.0, 75.0, 90.0, 105.0, 120.0, 140.0, 160.0, 179.0, 180.0]


def sphere_rows(k, layers, pec_core, angles, prefix):
    """CSV rows of one sphere, one per angle."""
    top = series_top(k * layers[-1][0])
    coefficients = layered_sphere_coefficients(k, layers, pec_core, top)
    for degrees in angles:
        f_theta, f_phi = sphere_far_field(k, coefficients, radians(degrees))
        yield prefix + [given(degrees)] + pair(f_theta) + pair(f_phi)


def sphere_pec():
    """Perfectly conducting sphere."""
    def rows():
        mp.dps = DPS
        radius = 1.0
        for ka in (0.1, 1.0, 5.3, 30.0, 200.5):
            layers = [(mpf(radius), None, None)]
            yield from sphere_rows(mpf(ka), layers, True,
                                   sorted(SPHERE_ANGLES + [1.0, 20.0, 150.0, 170.0]),
                                   [given(ka), given(radius)])

    return write("sphere_pec.csv",
                 columns("k", "a", "theta_deg", "f_theta*", "f_phi*"), rows())


SPHERE_MATERIALS = [(4.0, 0.0, 1.0, 0.0), (2.56, -0.5, 1.0, 0.0), (3.0, 0.0, 1.5, -0.2)]


def sphere_dielectric():
    """Homogeneous sphere; eps and mu relative."""
    def rows():
        mp.dps = DPS
        radius = 0.5
        for eps_re, eps_im, mu_re, mu_im in SPHERE_MATERIALS:
            for ka in (0.5, 3.0, 12.0, 60.0):
                k = 2 * ka  # exact
                layers = [(mpf(radius), mpc(eps_re, eps_im), mpc(mu_re, mu_im))]
                prefix = [given(v) for v in (eps_re, eps_im, mu_re, mu_im, k, radius)]
                yield from sphere_rows(mpf(k), layers, False, SPHERE_ANGLES, prefix)

    return write("sphere_dielectric.csv",
                 columns("eps*", "mu*", "k", "a", "theta_deg", "f_theta*", "f_phi*"), rows())


def sphere_coated():
    """Core of radius b, coating from b to a. core = pec has no eps, mu (written 0)."""
    cases = [  # core eps, mu (None: PEC), b, coat eps, coat mu, ka
        (None, 0.2, (2.5, 0.0), (1.0, 0.0), 1.0),
        (None, 0.2, (2.5, 0.0), (1.0, 0.0), 8.0),
        (None, 0.24, (4.0, -1.5), (1.0, 0.0), 6.0),
        (None, 0.24, (6.0, -0.8), (1.8, -1.2), 20.0),
        (((4.0, 0.0), (1.0, 0.0)), 0.125, (2.0, 0.0), (1.0, 0.0), 3.0),
        (((2.25, 0.0), (1.0, 0.0)), 0.2, (3.0, -0.4), (1.0, 0.0), 10.0),
        (((10.0, -2.0), (1.5, -0.5)), 0.22, (1.6, 0.0), (1.2, 0.0), 20.0),
    ]

    def rows():
        mp.dps = DPS
        radius = 0.25
        for core, b, coat_eps, coat_mu, ka in cases:
            k = 4 * ka  # exact
            coat = (mpf(radius), mpc(*coat_eps), mpc(*coat_mu))
            if core is None:
                layers, label, shown = [(mpf(b), None, None), coat], "pec", (0, 0, 0, 0)
            else:
                layers = [(mpf(b), mpc(*core[0]), mpc(*core[1])), coat]
                label, shown = "dielectric", core[0] + core[1]
            prefix = [label] + [given(v) for v in shown + coat_eps + coat_mu + (k, b, radius)]
            yield from sphere_rows(mpf(k), layers, core is None, SPHERE_ANGLES, prefix)

    return write("sphere_coated.csv",
                 columns("core", "core_eps*", "core_mu*", "coat_eps*", "coat_mu*", "k", "b", "a",
                         "theta_deg", "f_theta*", "f_phi*"), rows())


# --------------------------------------------------------------------------
# 6. Circular cylinders
# --------------------------------------------------------------------------

def fourier(coefficients, phi):
    """sum over all integer n of c_|n| e^{jn phi} for even coefficients."""
    return coefficients[0] + 2 * mp.fsum(c * mp.cos(n * phi)
                                         for n, c in enumerate(coefficients) if n)


def pec_cylinder_series(x, top):
    """Coefficients of (TM current, TE current, TM far field, TE far field), n = 0..top.

    TM: eta J_z/E_0 = (2/(pi x)) sum (-j)^n e^{jn phi}/H_n(x), a_n = -J_n/H_n.
    TE: J_phi/H_0 = -H_z/H_0 = (2j/(pi x)) sum (-j)^n e^{jn phi}/H_n'(x), a_n = -J_n'/H_n'.
    """
    j, dj = cylinder_j(x, top)
    h, dh = cylinder_h2(x, top)
    turn = [(-J) ** (n % 4) for n in range(top + 1)]
    scale = 2 / (mp.pi * x)
    return ([scale * turn[n] / h[n] for n in range(top + 1)],
            [J * scale * turn[n] / dh[n] for n in range(top + 1)],
            [-j[n] / h[n] for n in range(top + 1)],
            [-dj[n] / dh[n] for n in range(top + 1)])


def dielectric_cylinder_series(x, eps, mu, top):
    """a_n for (TM, TE), n = 0..top: u_s = sum (-j)^n a_n H_n(k rho) e^{jn phi}.

    TM: u = E_z and (1/mu) du/drho continuous; TE: u = H_z and (1/eps) du/drho.
    """
    j, dj = cylinder_j(x, top)
    h, dh = cylinder_h2(x, top)
    inside = x * mp.sqrt(eps) * mp.sqrt(mu)
    j1, dj1 = cylinder_j(inside, top)
    result = []
    for s in (mp.sqrt(eps) / mp.sqrt(mu), mp.sqrt(mu) / mp.sqrt(eps)):
        result.append([-(s * j[n] * dj1[n] - dj[n] * j1[n]) / (s * h[n] * dj1[n] - dh[n] * j1[n])
                       for n in range(top + 1)])
    return result


CYLINDER_ANGLES = [0.0, 15.0, 30.0, 60.0, 90.0, 120.0, 135.0, 165.0, 180.0]


def cylinder_pec():
    """PEC cylinder: currents and far field. Scattered field
    u_s = sqrt(2/(pi k rho)) e^{-j(k rho - pi/4)} f(phi); sigma/lambda = (2/pi)|f|^2."""
    def rows():
        mp.dps = DPS
        for ka in (0.1, 1.0, 10.0, 11.791534439014281, 100.0):
            top = series_top(ka)
            tm_current, te_current, tm, te = pec_cylinder_series(mpf(ka), top)
            for degrees in sorted(CYLINDER_ANGLES + [5.0, 45.0, 75.0, 105.0, 150.0, 175.0]):
                phi = radians(degrees)
                f_tm, f_te = fourier(tm, phi), fourier(te, phi)
                yield ([given(ka), given(degrees)]
                       + pair(fourier(tm_current, phi)) + pair(fourier(te_current, phi))
                       + pair(f_tm) + pair(f_te)
                       + [out(2 / mp.pi * abs(f) ** 2) for f in (f_tm, f_te)])

    return write("cylinder_pec.csv",
                 columns("ka", "phi_deg", "tm_current*", "te_current*", "f_tm*", "f_te*",
                         "tm_sigma_over_lambda", "te_sigma_over_lambda"), rows())


CYLINDER_CASES = [(eps_re, eps_im, mu_re, mu_im, ka)
                  for eps_re, eps_im, mu_re, mu_im in
                  [(4.0, 0.0, 1.0, 0.0), (2.56, -0.5, 1.0, 0.0), (2.0, -0.1, 1.5, -0.3)]
                  for ka in (0.5, 3.0, 10.0, 50.0)]


def cylinder_dielectric():
    """Dielectric cylinder: far field f(phi) = sum a_n e^{jn phi}."""
    def rows():
        mp.dps = DPS
        for *material, ka in CYLINDER_CASES:
            eps, mu = mpc(*material[:2]), mpc(*material[2:])
            tm, te = dielectric_cylinder_series(mpf(ka), eps, mu, series_top(ka))
            for degrees in CYLINDER_ANGLES:
                phi = radians(degrees)
                yield ([given(v) for v in material + [ka, degrees]]
                       + pair(fourier(tm, phi)) + pair(fourier(te, phi)))

    return write("cylinder_dielectric.csv",
                 columns("eps*", "mu*", "ka", "phi_deg", "f_tm*", "f_te*"), rows())


def cylinder_dielectric_coefficients():
    """a_n, n = 0..5, of the same cylinders."""
    def rows():
        mp.dps = DPS
        for *material, ka in CYLINDER_CASES:
            eps, mu = mpc(*material[:2]), mpc(*material[2:])
            tm, te = dielectric_cylinder_series(mpf(ka), eps, mu, series_top(ka))
            for n in range(6):
                yield [given(v) for v in material + [ka, n]] + pair(tm[n]) + pair(te[n])

    return write("cylinder_dielectric_coefficients.csv",
                 columns("eps*", "mu*", "ka", "n", "a_tm*", "a_te*"), rows())


# --------------------------------------------------------------------------
# 7. Acoustics
# --------------------------------------------------------------------------

def acoustic(frequency):
    """(omega, k, rho) in air."""
    omega = 2 * mp.pi * mpf(frequency)
    return omega, omega / mpf(C_AIR), mpf(RHO_AIR)


def monopole_field(frequency, q, offset):
    """Pressure and velocity vector of a point source of volume velocity q.

    p = j w rho q e^{-jkr}/(4 pi r), u = -grad p/(j w rho) = q (1 + jkr) e^{-jkr}/(4 pi r^2) r^.
    """
    omega, k, rho = acoustic(frequency)
    r = mp.sqrt(mp.fsum(c * c for c in offset))
    wave = mp.exp(-J * k * r) / (4 * mp.pi * r)
    radial = q * (1 + J * k * r) * wave / r
    return J * omega * rho * q * wave, [radial * c / r for c in offset]


def dipole_field(frequency, moment, offset):
    """Pressure and velocity of a point dipole of moment D = q d (m^4/s): the limit
    d -> 0 at fixed D of volume velocities +q at +d/2 and -q at -d/2.

    With G = e^{-jkr}/(4 pi r), c = D.r^:
    p = -j w rho D.grad G = j w rho (D.r^) (1 + jkr) G/r,
    u = grad(D.grad G) = (G/r^2) [ r^ c (3 + 3jkr - (kr)^2) - D (1 + jkr) ].
    """
    omega, k, rho = acoustic(frequency)
    r = mp.sqrt(mp.fsum(c * c for c in offset))
    unit = [c / r for c in offset]
    along = mp.fsum(d * e for d, e in zip(moment, unit))
    green = mp.exp(-J * k * r) / (4 * mp.pi * r)
    jkr = J * k * r
    pressure = J * omega * rho * along * (1 + jkr) * green / r
    velocity = [green / r ** 2 * (e * along * (3 + 3 * jkr + jkr ** 2) - d * (1 + jkr))
                for d, e in zip(moment, unit)]
    return pressure, velocity


ACOUSTIC_POINTS = [(0.001, 0.0, 0.0), (0.01, -0.02, 0.015), (0.0, 0.0, 0.05), (0.3, 0.2, -0.1),
                   (1.5, -0.75, 2.0), (-20.0, 30.0, 10.0)]


def monopole():
    """Field at a point (x, y, z) of a source at (0, 0, 0)."""
    def rows():
        mp.dps = DPS
        q = 1e-3
        for frequency in (50.0, 1000.0, 12000.0):
            for point in ACOUSTIC_POINTS:
                p, u = monopole_field(frequency, mpf(q), [mpf(c) for c in point])
                yield ([given(v) for v in (frequency, q) + point] + pair(p)
                       + [s for c in u for s in pair(c)])

    return write("monopole.csv",
                 columns("frequency_hz", "q", "x", "y", "z", "p*", "ux*", "uy*", "uz*"), rows())


def dipole():
    """Field at a point (x, y, z) of a dipole of moment (dx, dy, dz) at (0, 0, 0)."""
    def rows():
        mp.dps = DPS
        for frequency in (50.0, 1000.0, 12000.0):
            for moment in ((0.0, 0.0, 1e-4), (2e-5, -3e-5, 6e-5)):
                for point in ACOUSTIC_POINTS[1:]:
                    p, u = dipole_field(frequency, [mpf(c) for c in moment],
                                        [mpf(c) for c in point])
                    yield ([given(v) for v in (frequency,) + moment + point] + pair(p)
                           + [s for c in u for s in pair(c)])

    return write("dipole.csv",
                 columns("frequency_hz", "dx", "dy", "dz", "x", "y", "z",
                         "p*", "ux*", "uy*", "uz*"), rows())


def gauss_legendre(count):
    """Nodes and weights on [-1, 1] by Newton on P_count."""
    nodes, weights = [], []
    for i in range(1, count + 1):
        x = mp.cos(mp.pi * (i - mpf(1) / 4) / (count + mpf(1) / 2))
        for _ in range(100):
            p, dp, _ = legendre_pair(count, x)
            step = p / dp
            x -= step
            if abs(step) < mpf(10) ** (5 - mp.dps):
                break
        _, dp, _ = legendre_pair(count, x)
        nodes.append(x)
        weights.append(2 / ((1 - x * x) * dp * dp))
    return nodes, weights


def legendre_pair(n, x):
    """P_n(x), P_n'(x), P_{n-1}(x)."""
    before, now = mpf(1), x
    for m in range(2, n + 1):
        before, now = now, ((2 * m - 1) * x * now - (m - 1) * before) / m
    return now, n * (x * now - before) / (x * x - 1), before


def graded_rule(lower, upper, near, scale, rule):
    """Gauss panels on [lower, upper] that halve toward `near` down to length `scale`,
    so that every panel is no longer than its distance from the near-singular point."""
    near = min(max(near, lower), upper)
    edges = {lower, near, upper}
    for end, sign in ((lower, -1), (upper, 1)):
        step = scale
        while step < abs(end - near):
            edges.add(near + sign * step)
            step *= 2
    edges = sorted(edges)
    points = []
    for left, right in zip(edges, edges[1:]):
        half, middle = (right - left) / 2, (right + left) / 2
        points += [(middle + half * t, half * w) for t, w in zip(*rule)]
    return points


def piston_direct(frequency, a, velocity, r, z, rule):
    """Rayleigh integral over the disc by 2-D quadrature in (r', phi'), z > 0."""
    omega, k, rho = acoustic(frequency)
    scale = mp.sqrt(z * z + max(r - a, mpf(0)) ** 2) / 2
    turn = min(scale / max(min(r, a), scale), mp.pi / 2)
    azimuth = [(mp.cos(t), w) for t, w in graded_rule(mpf(0), +mp.pi, mpf(0), turn, rule)]
    total = mpc(0)
    for s, ws in graded_rule(mpf(0), a, r, scale, rule):
        base, cross = r * r + s * s + z * z, 2 * r * s
        inner = mpc(0)
        for cosine, w in azimuth:
            distance = mp.sqrt(base - cross * cosine)
            inner += w * mp.expj(-k * distance) / distance
        total += ws * s * inner
    return J * omega * rho * velocity / (2 * mp.pi) * 2 * total


def piston_reduced(frequency, a, velocity, r, z):
    """The same integral in polar coordinates about the foot of the observer, the
    radial part done in closed form; the periodic rest by the trapezoidal rule.

    r < a: p = (rho c U/2 pi) int_0^{2 pi} [e^{-jkz} - e^{-jkR(s)}] dpsi,
           s = -r cos(psi) + sqrt(a^2 - r^2 sin^2 psi), R = sqrt(z^2 + s^2);
    r > a: sin(psi) = (a/r) sin t, s = r cos(psi) + a cos t,
           p = -(rho c U/2 pi) int_0^{2 pi} e^{-jkR(s)} (a cos t)/(r cos(psi)) dt.
    """
    _, k, rho = acoustic(frequency)

    def integrand(t):
        if r < a:
            s = -r * mp.cos(t) + mp.sqrt(a * a - (r * mp.sin(t)) ** 2)
            return mp.expj(-k * z) - mp.expj(-k * mp.sqrt(z * z + s * s))
        cosine = mp.sqrt(1 - (a / r * mp.sin(t)) ** 2)
        s = r * cosine + a * mp.cos(t)
        return -mp.expj(-k * mp.sqrt(z * z + s * s)) * a * mp.cos(t) / (r * cosine)

    count, previous = 64, None
    while True:
        value = mp.fsum(integrand(2 * mp.pi * (i + mpf(1) / 2) / count)
                        for i in range(count)) / count
        if previous is not None and abs(value - previous) < mpf(10) ** -30 * abs(value):
            return rho * mpf(C_AIR) * velocity * value
        count, previous = 2 * count, value
        assert count < 20000


def piston_on_axis(frequency, a, velocity, z):
    """p = rho c U (e^{-jkz} - e^{-jk sqrt(z^2 + a^2)})."""
    _, k, rho = acoustic(frequency)
    return rho * mpf(C_AIR) * velocity * (mp.expj(-k * z) - mp.expj(-k * mp.sqrt(z * z + a * a)))


def piston_edge(frequency, a, velocity):
    """Pressure at the rim: (rho c U/2)(1 - J_0(2ka) + j H_0(2ka)), H_0 of Struve."""
    _, k, rho = acoustic(frequency)
    x = 2 * k * a
    return rho * mpf(C_AIR) * velocity / 2 * (1 - mp.besselj(0, x) + J * mp.struveh(0, x))


PISTONS = [(1000.0, 0.1), (8000.0, 0.1), (20000.0, 0.05)]
PISTON_POINTS = [(0.05, 0.1), (0.09, 0.02), (0.1, 0.03), (0.25, 0.05), (0.5, 1.0)]


def piston():
    """Baffled circular piston of radius a in z = 0, normal velocity u, observer at
    distance r from the axis and z from the baffle. kind: how the value was made
    (on_axis closed form; near_field 2-D quadrature; surface reduced integral at
    z = 0; rim closed form)."""
    def rows():
        mp.dps = 40
        velocity = 1.0
        rule = gauss_legendre(26)
        u = mpf(velocity)
        for frequency, a in PISTONS:
            head = [given(frequency), given(a), given(velocity)]
            for z in (0.0, 0.01, 0.05, 0.3, 2.0, 10.0):
                yield head + ["on_axis", "0.0", given(z)] + pair(
                    piston_on_axis(frequency, mpf(a), u, mpf(z)))
            for r, z in PISTON_POINTS:
                yield head + ["near_field", given(r), given(z)] + pair(
                    piston_direct(frequency, mpf(a), u, mpf(r), mpf(z), rule))
            for r in (0.3 * a, 0.5 * a, 0.9 * a, 1.5 * a):
                yield head + ["surface", given(r), "0.0"] + pair(
                    piston_reduced(frequency, mpf(a), u, mpf(r), mpf(0)))
            yield head + ["rim", given(a), "0.0"] + pair(piston_edge(frequency, mpf(a), u))

    return write("piston.csv", columns("frequency_hz", "a", "u", "kind", "r", "z", "p*"), rows())


def piston_directivity():
    """Far field: directivity = 2 J_1(x)/x, x = k a sin(theta);
    amplitude = lim r p e^{jkr} = (j w rho u a^2/2) * directivity."""
    def rows():
        mp.dps = DPS
        velocity = 1.0
        for frequency, a in PISTONS:
            omega, k, rho = acoustic(frequency)
            for degrees in (0.0, 1e-4, 5.0, 15.0, 30.0, 45.0, 60.0, 75.0, 90.0):
                x = k * mpf(a) * mp.sin(radians(degrees))
                directivity = 2 * mp.besselj(1, x) / x if x else mpf(1)
                amplitude = J * omega * rho * mpf(velocity) * mpf(a) ** 2 / 2 * directivity
                yield ([given(v) for v in (frequency, a, velocity, degrees)]
                       + [out(x), out(directivity)] + pair(amplitude))

    return write("piston_directivity.csv",
                 columns("frequency_hz", "a", "u", "theta_deg", "x", "directivity", "amplitude*"),
                 rows())


def plate_pressure(frequency, size, mode, point, rule):
    """p = (j w rho/2 pi) int v e^{-jkR}/R dS for v = sin(m pi x/Lx) sin(n pi y/Ly)
    on 0..Lx by 0..Ly, by tensor Gauss panels graded toward the foot of the point."""
    omega, k, rho = acoustic(frequency)
    x, y, z = point
    axes = []
    for length, order, at in zip(size, mode, (x, y)):
        axes.append([((at - s) ** 2, w * mp.sin(order * mp.pi * s / length))
                     for s, w in graded_rule(mpf(0), length, at, z, rule)])
    total = mpc(0)
    for dx2, wx in axes[0]:
        base, inner = dx2 + z * z, mpc(0)
        for dy2, wy in axes[1]:
            distance = mp.sqrt(base + dy2)
            inner += wy / distance * mp.expj(-k * distance)
        total += wx * inner
    return J * omega * rho / (2 * mp.pi) * total


PLATES = [((0.4, 0.4), (4, 3), 1000.0,
           [(0.05, 0.2), (0.15, 0.21), (0.17, 0.11), (0.4, 0.07), (0.38, 0.39), (0.5, -0.06)]),
          ((1.2, 1.2), (6, 5), 1000.0,
           [(0.1, 0.12), (0.7, 0.6), (0.47, 0.83), (1.2, 0.35), (1.25, 1.3)])]


def plate():
    """Simply supported plate in a baffle, corner at the origin, v0 = 1 m/s."""
    def rows():
        mp.dps = 40
        rule = gauss_legendre(24)
        v0 = 1.0
        for size, mode, frequency, feet in PLATES:
            for z in (0.05, 0.01):
                for x, y in feet:
                    p = plate_pressure(frequency, [mpf(v) for v in size], mode,
                                       [mpf(v) for v in (x, y, z)], rule)
                    yield ([given(v) for v in size + mode + (frequency, v0, x, y, z)] + pair(p))

    return write("plate.csv",
                 columns("lx", "ly", "m", "n", "frequency_hz", "v0", "x", "y", "z", "p*"), rows())


# --------------------------------------------------------------------------
# 8. Half-plane
# --------------------------------------------------------------------------

def half_plane_fields(krho, phi, phi0):
    """(TM, TE) total field for u_i = e^{jk rho cos(phi - phi0)}, screen on phi = 0 and 2 pi.

    u = G(phi - phi0) -/+ G(phi + phi0) (Dirichlet/Neumann),
    G(psi) = (1/2) e^{jk rho cos psi} erfc(-e^{j pi/4} sqrt(2 k rho) cos(psi/2)),
    that is e^{jk rho cos psi} (e^{j pi/4}/sqrt pi) int_{-inf}^{w} e^{-jt^2} dt.
    """
    def wave(psi):
        w = mp.sqrt(2 * krho) * mp.cos(psi / 2)
        return mp.expj(krho * mp.cos(psi)) * mp.erfc(-mp.expjpi(mpf(1) / 4) * w) / 2

    direct, mirrored = wave(phi - phi0), wave(phi + phi0)
    return direct - mirrored, direct + mirrored


def half_plane():
    """Perfectly conducting half-plane x >= 0, y = 0; phi from 0 (upper face) to 360
    (lower face). Includes the shadow boundary (180 + phi0), the reflection boundary
    (180 - phi0, or 540 - phi0 for phi0 > 180) and both faces."""
    observers = {30.0: [0.0, 20.0, 90.0, 150.0, 149.0, 180.0, 210.0, 212.0, 300.0, 360.0],
                 90.0: [0.0, 45.0, 90.0, 135.0, 180.0, 270.0, 271.0, 359.0, 360.0],
                 250.0: [0.0, 35.0, 70.0, 120.0, 250.0, 290.0, 330.0, 360.0]}

    def rows():
        mp.dps = DPS
        floor = mpf(10) ** -40
        for phi0, angles in observers.items():
            for krho in (0.01, 0.3, 1.0, 7.5, 40.0, 1000.0):
                for phi in sorted(angles):
                    tm, te = half_plane_fields(mpf(krho), radians(phi), radians(phi0))
                    yield ([given(v) for v in (phi0, krho, phi)]
                           + pair(tm, floor) + pair(te, floor))

    return write("half_plane.csv",
                 columns("phi0_deg", "krho", "phi_deg", "tm*", "te*"), rows())


# --------------------------------------------------------------------------
# 9. Hertzian dipole
# --------------------------------------------------------------------------

def hertzian_fields(frequency, moment, r, theta):
    """E_r, E_theta, H_phi of a current element I l along z at the origin.

    H_phi = (j k I l sin(theta)/(4 pi r)) (1 + 1/(jkr)) e^{-jkr}
    E_r = (eta I l cos(theta)/(2 pi r^2)) (1 + 1/(jkr)) e^{-jkr}
    E_theta = (j eta k I l sin(theta)/(4 pi r)) (1 + 1/(jkr) - 1/(kr)^2) e^{-jkr}
    """
    k = 2 * mp.pi * mpf(frequency) / C_LIGHT
    x, eta = k * r, mpf(ETA0)
    wave = moment * mp.expj(-x)
    first = 1 + 1 / (J * x)
    return (eta * wave * mp.cos(theta) / (2 * mp.pi * r ** 2) * first,
            J * eta * k * wave * mp.sin(theta) / (4 * mp.pi * r) * (first - 1 / x ** 2),
            J * k * wave * mp.sin(theta) / (4 * mp.pi * r) * first)


def hertzian_dipole():
    """c = 299792458 m/s; eta as given in its column; moment = I l in A m."""
    def rows():
        mp.dps = DPS
        moment = 0.01
        for frequency in (1e6, 1e9, 1.425e10):
            for r in (0.001, 0.05, 1.0, 100.0):
                for degrees in (0.0, 30.0, 90.0, 137.0):
                    theta = radians(degrees)
                    fields = hertzian_fields(frequency, mpf(moment), mpf(r), theta)
                    row = [given(v) for v in (frequency, ETA0, moment, r, degrees)]
                    for value, vanishes in zip(fields, (degrees == 90, degrees == 0, degrees == 0)):
                        row += pair(0 if vanishes else value)
                    yield row

    return write("hertzian_dipole.csv",
                 columns("frequency_hz", "eta", "moment", "r", "theta_deg",
                         "e_r*", "e_theta*", "h_phi*"), rows())


TABLES = {
    "bessel_real": bessel_real,
    "bessel_complex": bessel_complex,
    "spherical_bessel": spherical_bessel,
    "spherical_bessel_complex": spherical_bessel_complex,
    "legendre": legendre_table,
    "sphere_pec": sphere_pec,
    "sphere_dielectric": sphere_dielectric,
    "sphere_coated": sphere_coated,
    "cylinder_pec": cylinder_pec,
    "cylinder_dielectric": cylinder_dielectric,
    "cylinder_dielectric_coefficients": cylinder_dielectric_coefficients,
    "monopole": monopole,
    "dipole": dipole,
    "piston": piston,
    "piston_directivity": piston_directivity,
    "plate": plate,
    "half_plane": half_plane,
    "hertzian_dipole": hertzian_dipole,
}


# --------------------------------------------------------------------------
# Checks: the physics behind the tables, by routes the tables do not use
# --------------------------------------------------------------------------

def expect(label, error, tolerance):
    """Print one check and stop if it fails."""
    error = abs(error)
    print(f"  {label}: {mpmath.nstr(error, 3)} (<= {mpmath.nstr(mpf(tolerance), 3)})", flush=True)
    assert error <= mpf(tolerance), label


def relative(value, reference):
    return abs(value - reference) / abs(reference)


def gradient(function, point, step):
    """Central difference along each of the coordinates."""
    result = []
    for axis in range(len(point)):
        ahead, behind = list(point), list(point)
        ahead[axis] += step
        behind[axis] -= step
        high, low = function(ahead), function(behind)
        if isinstance(high, list):
            result.append([(h - l) / (2 * step) for h, l in zip(high, low)])
        else:
            result.append((high - low) / (2 * step))
    return result


def curl(function, point, step):
    """Curl of a Cartesian vector field by central differences."""
    d = gradient(function, point, step)  # d[i][j] = dF_j/dx_i
    return [d[1][2] - d[2][1], d[2][0] - d[0][2], d[0][1] - d[1][0]]


def check_bessel():
    print("Bessel functions")
    mp.dps = DPS
    worst = direct = mpf(0)
    for n, x in ((0, "0.01"), (1, "2.5"), (5, 8), (20, 17), (20, 300), (50, 50), (100, 90), (200, 201), (3, 10000)):
        x = mpf(x)
        j, dj = cylinder_j(x, n)
        y, dy = cylinder_y(x, n)
        worst = max(worst, relative(j[n] * dy[n] - dj[n] * y[n], 2 / (mp.pi * x)))
        direct = max(direct, relative(j[n], mp.besselj(n, x)), relative(y[n], mp.bessely(n, x)),
                     relative(dj[n], mp.besselj(n, x, 1)))
    expect("real: Wronskian", worst, "1e-50")
    expect("real: against mpmath's own order-n functions", direct, "1e-45")
    worst = direct = mpf(0)
    mp.dps = 130
    for re, im in COMPLEX_POINTS:
        z = mpc(re, im)
        j, dj = cylinder_j(z, 60)
        h, dh = cylinder_h2(z, 60)
        for n in (0, 1, 15, 60):
            worst = max(worst, relative(j[n] * dh[n] - dj[n] * h[n], -2 * J / (mp.pi * z)))
        for n in (2, 30):
            direct = max(direct, relative(j[n], mp.besselj(n, z)), relative(h[n], mp.hankel2(n, z)),
                         relative(dh[n], (h[n - 1] - h[n + 1]) / 2))
    expect("complex: Wronskian", worst, "1e-60")
    expect("complex: against mpmath's own order-n functions", direct, "1e-60")
    worst = direct = mpf(0)
    for z in [mpc(*p) for p in COMPLEX_POINTS] + [mpf(1000), mpf("0.001"), mpf(399)]:
        psi, dpsi, xi, dxi = riccati(z, 60)
        half = mp.sqrt(mp.pi * z / 2)
        for n in (0, 1, 7, 60):
            worst = max(worst, relative(psi[n] * dxi[n] - dpsi[n] * xi[n], -J))
            direct = max(direct, relative(psi[n], half * mp.besselj(n + mpf(1) / 2, z)),
                         relative(xi[n], half * mp.hankel2(n + mpf(1) / 2, z)))
    expect("Riccati: Wronskian psi xi' - psi' xi = -j", worst, "1e-60")
    expect("Riccati: against half-integer Bessel functions", direct, "1e-60")


def check_legendre():
    print("Legendre functions")
    mp.dps = DPS
    worst = mpf(0)
    for theta in (mpf("1e-6"), mpf("0.3"), mpf(2)):
        p, pi, tau = legendre(mp.cos(theta), 300)
        for n in (1, 2, 7, 300):
            slope = mp.diff(lambda t: mp.legendre(n, mp.cos(t)), theta)
            curve = mp.diff(lambda t: mp.legendre(n, mp.cos(t)), theta, 2)
            worst = max(worst, relative(p[n], mp.legendre(n, mp.cos(theta))),
                        relative(pi[n] * mp.sin(theta), -slope), relative(tau[n], -curve))
    expect("P_n, pi_n, tau_n against derivatives of P_n(cos theta)", worst, "1e-15")
    worst = mpf(0)
    _, pi, tau = legendre(mpf(1), 300)
    _, pi_b, tau_b = legendre(mpf(-1), 300)
    for n in range(1, 301):
        pole = mpf(n * (n + 1)) / 2
        worst = max(worst, abs(pi[n] - pole), abs(tau[n] - pole),
                    abs(pi_b[n] + (-1) ** n * pole), abs(tau_b[n] - (-1) ** n * pole))
    expect("poles: pi_n = tau_n = n(n+1)/2, and the parity at 180 deg", worst, "1e-50")


def vector_modes(wavenumber, radial, point):
    """Sum of radial modes as Cartesian (E, curl E/wavenumber).

    `radial(n, rho)` gives (m, dm, e, de): Riccati function and derivative of the
    magnetic part (along M_o1n) and of the electric part (along N_e1n), n = 1, 2, ...
    """
    x, y, z = point
    r = mp.sqrt(x * x + y * y + z * z)
    cos_t, sin_t = z / r, mp.sqrt(x * x + y * y) / r
    cos_p, sin_p = x / (r * sin_t), y / (r * sin_t)
    rho = wavenumber * r
    modes = radial(rho)
    _, pi, tau = legendre(cos_t, len(modes))
    e_r = e_t = e_p = c_r = c_t = c_p = mpc(0)
    for n, (m, dm, e, de) in enumerate(modes, 1):
        m, dm, e, de = m / rho, dm / rho, e / rho, de / rho
        w = n * (n + 1) * sin_t * pi[n] / rho
        e_r += w * cos_p * e
        e_t += cos_p * (pi[n] * m + tau[n] * de)
        e_p += -sin_p * (tau[n] * m + pi[n] * de)
        c_r += w * sin_p * m
        c_t += sin_p * (tau[n] * dm - pi[n] * e)
        c_p += cos_p * (pi[n] * dm - tau[n] * e)
    basis = ([sin_t * cos_p, sin_t * sin_p, cos_t], [cos_t * cos_p, cos_t * sin_p, -sin_t],
             [-sin_p, cos_p, mpf(0)])
    return tuple([sum(f * b[i] for f, b in zip(field, basis)) for i in range(3)]
                 for field in ((e_r, e_t, e_p), (c_r, c_t, c_p)))


def mode_weight(n):
    return (-J) ** (n % 4) * mpf(2 * n + 1) / (n * (n + 1))


def scattered_field(k, coefficients, point):
    """(E_s, eta0 H_s) of a sphere: sum w_n (-b_n M - j a_n N), H = (j/eta) curl E/k."""
    a, b = coefficients
    top = len(a) - 1

    def radial(rho):
        xi, dxi = riccati_outgoing(rho, top)
        return [(-mode_weight(n) * b[n] * xi[n], -mode_weight(n) * b[n] * dxi[n],
                 -J * mode_weight(n) * a[n] * xi[n], -J * mode_weight(n) * a[n] * dxi[n])
                for n in range(1, top + 1)]

    e, c = vector_modes(k, radial, point)
    return e, [J * v for v in c]


def incident_field(k, point):
    wave = mp.expj(-k * point[2])
    return [wave, mpc(0), mpc(0)], [mpc(0), wave, mpc(0)]


def tangential(vector, unit):
    normal = sum(v * u for v, u in zip(vector, unit))
    return [v - normal * u for v, u in zip(vector, unit)]


def size_of(vector):
    return mp.sqrt(sum(abs(v) ** 2 for v in vector))


def interface_system(k, layers, pec_core, n):
    """Mode n of a layered sphere as one linear system of tangential continuity.

    Returns for the electric and the magnetic part the scattering coefficient and
    the amplitudes (of psi, xi) in every layer, innermost first.
    """
    media = [(mp.sqrt(eps) * mp.sqrt(mu) * k, mp.sqrt(mu) / mp.sqrt(eps)) if eps is not None else None
             for _, eps, mu in layers] + [(k, mpf(1))]
    results = []
    for electric in (True, False):
        unknowns = []  # (medium, kind), kind 0: psi, 1: xi
        for index, medium in enumerate(media):
            if medium is None:
                continue
            if index == len(media) - 1:
                unknowns.append((index, 1))
            elif index == 0:
                unknowns.append((index, 0))
            else:
                unknowns += [(index, 0), (index, 1)]

        def tangents(index, kind, radius):
            """(r E_t, r H_t) of the mode, common factors dropped."""
            wavenumber, eta = media[index]
            psi, dpsi, xi, dxi = (f[n] for f in riccati(wavenumber * radius, n))
            u, du = (psi, dpsi) if kind == 0 else (xi, dxi)
            # N: E_t ~ u'/(kr), H_t ~ (1/eta) u/(kr); M: E_t ~ u/(kr), H_t ~ (1/eta) u'/(kr)
            e, h = (du, u) if electric else (u, du)
            return e / wavenumber, h / (eta * wavenumber)

        matrix, right = [], []
        for index, (radius, _, _) in enumerate(layers):
            rows = (0,) if media[index] is None else (0, 1)
            for component in rows:
                row, source = [], mpc(0)
                for medium, kind in unknowns:
                    sign = 1 if medium == index + 1 else -1 if medium == index else 0
                    row.append(sign * tangents(medium, kind, radius)[component] if sign else mpf(0))
                if index + 1 == len(media) - 1:
                    source = -tangents(index + 1, 0, radius)[component]
                matrix.append(row)
                right.append(source)
        solution = mp.lu_solve(mp.matrix(matrix), mp.matrix(right))
        amplitudes = {unknown: solution[i] for i, unknown in enumerate(unknowns)}
        results.append((-amplitudes[(len(media) - 1, 1)], amplitudes))
    return results


def sphere_energy(k, coefficients, count):
    """(extinction by the forward amplitude, scattering by integrating |F|^2)."""
    forward, _ = sphere_far_field(k, coefficients, mpf(0))
    extinction = -4 * mp.pi / k * forward.imag
    nodes, weights = gauss_legendre(count)
    total = mpf(0)
    for x, w in zip(nodes, weights):
        f_theta, f_phi = sphere_far_field(k, coefficients, mp.acos(x))
        total += w * (abs(f_theta) ** 2 + abs(f_phi) ** 2)
    return extinction, mp.pi * total


def check_spheres():
    print("Spheres")
    mp.dps = 50
    k, a = mpf(3), mpf("0.9")
    top = 60
    step = mpf(10) ** -15
    directions = [(mp.sin(t) * mp.cos(p), mp.sin(t) * mp.sin(p), mp.cos(t))
                  for t, p in ((mpf("0.4"), mpf("0.3")), (mpf(2), mpf(4)))]

    pec = layered_sphere_coefficients(k, [(a, None, None)], True, top)
    worst = mpf(0)
    for unit in directions:
        point = [a * u for u in unit]
        total = [i + s for i, s in zip(incident_field(k, point)[0], scattered_field(k, pec, point)[0])]
        worst = max(worst, size_of(tangential(total, unit)))
    expect("PEC: tangential E on the surface, incident wave in closed form", worst, "1e-40")

    point = [mpf("0.7"), mpf("-0.6"), mpf("0.9")]
    e, h = scattered_field(k, pec, point)
    c = curl(lambda q: scattered_field(k, pec, q)[0], point, step)
    d = curl(lambda q: scattered_field(k, pec, q)[1], point, step)
    expect("scattered series: curl E = -jk eta H", size_of([u + J * k * v for u, v in zip(c, h)]), "1e-25")
    expect("scattered series: curl eta H = jk E", size_of([u - J * k * v for u, v in zip(d, e)]), "1e-25")

    r = mpf(10) ** 9
    for degrees in (20, 130):
        t = radians(degrees)
        f_theta, f_phi = sphere_far_field(k, pec, t)
        e, _ = scattered_field(k, pec, [r * mp.sin(t), mpf(0), r * mp.cos(t)])
        found = (e[0] * mp.cos(t) - e[2] * mp.sin(t)) * r * mp.expj(k * r)
        expect(f"far field at {degrees} deg: F_theta from the field at 1e9 m", relative(found, f_theta), "1e-7")
        e, _ = scattered_field(k, pec, [mpf(0), r * mp.sin(t), r * mp.cos(t)])
        expect(f"far field at {degrees} deg: F_phi (phi^ = -x)", relative(-e[0] * r * mp.expj(k * r), f_phi), "1e-7")

    lossy = (mpc("2.56", "-0.5"), mpc("1.5", "-0.2"))
    cases = {"dielectric": ([(a,) + lossy], False),
             "coated PEC": ([(mpf("0.7"), None, None), (a,) + lossy], True),
             "coated dielectric": ([(mpf("0.5"), mpc(4), mpc(1)), (a,) + lossy], False)}
    for name, (layers, core) in cases.items():
        found = layered_sphere_coefficients(k, layers, core, top)
        with mp.workdps(400):  # psi_n and xi_n differ by hundreds of decades
            solved = [interface_system(k, layers, core, n) for n in range(1, top + 1)]
        worst = max(max(relative(found[0][n], solved[n - 1][0][0]), relative(found[1][n], solved[n - 1][1][0]))
                    for n in range(1, 12))
        expect(f"{name}: a_n, b_n against one linear system of continuity", worst, "1e-38")
        index = len(layers) - 1
        eps, mu = layers[index][1:]
        wavenumber, eta = k * mp.sqrt(eps) * mp.sqrt(mu), mp.sqrt(mu) / mp.sqrt(eps)

        def radial(rho):
            psi, dpsi, xi, dxi = riccati(rho, top)
            rows = []
            for n in range(1, top + 1):
                parts = []
                for factor, (_, amplitudes) in ((mode_weight(n), solved[n - 1][1]),
                                                (J * mode_weight(n), solved[n - 1][0])):
                    p, q = amplitudes[(index, 0)], amplitudes.get((index, 1), mpf(0))
                    parts += [factor * (p * psi[n] + q * xi[n]), factor * (p * dpsi[n] + q * dxi[n])]
                rows.append(tuple(parts))
            return rows

        worst = mpf(0)
        for unit in directions:
            point = [a * u for u in unit]
            inside_e, inside_c = vector_modes(wavenumber, radial, point)
            inside_h = [J * v / eta for v in inside_c]
            for which, inside in ((0, inside_e), (1, inside_h)):
                outside = [i + s for i, s in zip(incident_field(k, point)[which],
                                                 scattered_field(k, found, point)[which])]
                worst = max(worst, size_of(tangential([o - i for o, i in zip(outside, inside)], unit)))
        expect(f"{name}: jump of tangential E and H at the outer surface", worst, "1e-33")
        if core:
            worst = mpf(0)
            for unit in directions:
                inside_e, _ = vector_modes(wavenumber, radial, [layers[0][0] * u for u in unit])
                worst = max(worst, size_of(tangential(inside_e, unit)))
            expect(f"{name}: tangential E on the core", worst, "1e-30")
        extinction, scattering = sphere_energy(k, found, 50)
        assert extinction > scattering > 0, name

    for name, layers, core in (("PEC", [(a, None, None)], True), ("eps = 4", [(a, mpc(4), mpc(1))], False),
                               ("coated, lossless", [(mpf("0.7"), None, None), (a, mpc("2.5"), mpc("1.3"))], True)):
        extinction, scattering = sphere_energy(k, layered_sphere_coefficients(k, layers, core, top), 70)
        expect(f"{name}: optical theorem, -(4 pi/k) Im F_x(0) = int |F|^2", relative(extinction, scattering), "1e-35")

    def amplitude(layers, core, wavenumber=k):
        return sphere_far_field(wavenumber, layered_sphere_coefficients(wavenumber, layers, core, top), mpf(1))

    def distance(one, two):
        return max(relative(u, v) for u, v in zip(one, two))

    exact = amplitude([(a, None, None)], True)
    coarse, fine = (distance(amplitude([(a, mpc(0, -size), mpc(1))], False), exact) for size in (mpf(10) ** 4, mpf(10) ** 6))
    expect("eps -> -j infinity tends to PEC (100 times eps: a tenth of the difference)", coarse / fine - 10, "0.5")
    coat = (a,) + lossy
    expect("coat of 1e-25 m on PEC", distance(amplitude([(a - mpf(10) ** -25, None, None), coat], True), exact), "1e-23")
    plain = amplitude([(a, mpc(4), mpc(1))], False)
    expect("coat of the core's own material",
           distance(amplitude([(a / 2, mpc(4), mpc(1)), (a, mpc(4), mpc(1))], False), plain), "1e-40")
    expect("coat of free space",
           distance(amplitude([(a, mpc(4), mpc(1)), (2 * a, mpc(1), mpc(1))], False), plain), "1e-40")
    expect("core of free space size zero",
           distance(amplitude([(mpf(10) ** -15, mpc(1), mpc(1)), (a, mpc(4), mpc(1))], False), plain), "1e-38")

    small = mpf(10) ** -6
    t = mpf(1)
    f_theta, f_phi = amplitude([(mpf(1), None, None)], True, small)
    expect("Rayleigh PEC: F_theta = k^2 a^3 (cos - 1/2)", relative(f_theta, small ** 2 * (mp.cos(t) - mpf(1) / 2)), "1e-10")
    expect("Rayleigh PEC: F_phi = k^2 a^3 (cos/2 - 1)", relative(f_phi, small ** 2 * (mp.cos(t) / 2 - 1)), "1e-10")
    eps = mpc(4, -1)
    f_theta, f_phi = amplitude([(mpf(1), eps, mpc(1))], False, small)
    ratio = (eps - 1) / (eps + 2)
    expect("Rayleigh dielectric: F_theta = k^2 a^3 (eps-1)/(eps+2) cos", relative(f_theta, small ** 2 * ratio * mp.cos(t)), "1e-10")
    expect("Rayleigh dielectric: F_phi = -k^2 a^3 (eps-1)/(eps+2)", relative(f_phi, -small ** 2 * ratio), "1e-10")
    back = layered_sphere_coefficients(k, [(a,) + (mpc(2, -1),) * 2], False, top)
    expect("eps = mu: no backscatter", abs(sphere_far_field(k, back, +mp.pi)[0]), "1e-40")
    # Specular reflection at high frequency: the front of the sphere is at z = -a.
    size = mpf("200.5")
    optics = sphere_far_field(size, layered_sphere_coefficients(size, [(mpf(1), None, None)], True, series_top(size)), +mp.pi)[0]
    # theta^ at theta = 180 deg, phi = 0 is -x; E reflected = -x E_i.
    expect("PEC ka = 200.5: backscatter F_theta -> (a/2) e^{2jka}", relative(optics, mp.expj(2 * size) / 2), "0.01")


def check_cylinders():
    print("Cylinders")
    mp.dps = 50
    x = mpf(7)
    top = series_top(x) + 30
    tm_current, te_current, tm, te = pec_cylinder_series(x, top)
    j, dj = cylinder_j(x, top)
    h, dh = cylinder_h2(x, top)

    def outside(coefficients, radius, phi):
        """Total field, the incident wave in closed form."""
        functions, _ = cylinder_h2(radius, top)
        return mp.expj(-radius * mp.cos(phi)) + fourier(
            [(-J) ** (n % 4) * c * functions[n] for n, c in enumerate(coefficients)], phi)

    step = mpf(10) ** -14
    worst = slope = current = charge = mpf(0)
    for phi in (mpf(0), mpf("0.7"), mpf(3)):
        worst = max(worst, abs(outside(tm, x, phi)))
        derivative = (outside(te, x + step, phi) - outside(te, x - step, phi)) / (2 * step)
        slope = max(slope, abs(derivative))
        # eta H_phi = (1/j) dE_z/d(k rho)
        found = (outside(tm, x + step, phi) - outside(tm, x - step, phi)) / (2 * step) / J
        current = max(current, abs(found - fourier(tm_current, phi)))
        charge = max(charge, abs(-outside(te, x, phi) - fourier(te_current, phi)))
    expect("PEC TM: E_z on the surface", worst, "1e-40")
    expect("PEC TE: dH_z/drho on the surface", slope, "1e-24")
    expect("PEC TM: eta J_z = eta H_phi", current, "1e-24")
    expect("PEC TE: J_phi = -H_z", charge, "1e-40")

    count = 200
    grid = [2 * mp.pi * i / count for i in range(count)]
    for phi in (mpf("0.4"), mpf(2)):
        radiated = -x / 4 * 2 * mp.pi / count * mp.fsum(
            fourier(tm_current, t) * mp.expj(x * mp.cos(phi - t)) for t in grid)
        expect("PEC TM: far field radiated by the current", relative(radiated, fourier(tm, phi)), "1e-35")
        radiated = -x / 4 * 2 * mp.pi / count * mp.fsum(
            fourier(te_current, t) * mp.cos(phi - t) * mp.expj(x * mp.cos(phi - t)) for t in grid)
        expect("PEC TE: far field radiated by the current", relative(radiated, fourier(te, phi)), "1e-35")
        distance = mpf(10) ** 8
        functions, _ = cylinder_h2(distance, 60)
        field = fourier([(-J) ** (n % 4) * c * functions[n] for n, c in enumerate(tm[:61])], phi)
        expect("definition of f", relative(
            field / (mp.sqrt(2 / (mp.pi * distance)) * mp.expj(mp.pi / 4 - distance)), fourier(tm, phi)), "1e-4")

    def energy(coefficients):
        forward = -fourier(coefficients, mpf(0)).real
        return forward, mp.fsum(abs(fourier(coefficients, t)) ** 2 for t in grid) / count

    for name, coefficients in (("PEC TM", tm), ("PEC TE", te)):
        expect(f"{name}: optical theorem -Re f(0) = mean |f|^2", energy(coefficients)[0] - energy(coefficients)[1], "1e-38")

    for eps, mu in ((mpc(4), mpc(1)), (mpc(2, "-0.1"), mpc("1.5", "-0.3"))):
        inside = x * mp.sqrt(eps) * mp.sqrt(mu)
        j1, dj1 = cylinder_j(inside, top)
        for name, material, series in zip(("TM", "TE"), (mu, eps), dielectric_cylinder_series(x, eps, mu, top)):
            amplitude = [(j[n] + c * h[n]) / j1[n] for n, c in enumerate(series)]
            worst = mpf(0)
            for phi in (mpf("0.3"), mpf(2)):
                value = fourier([(-J) ** (n % 4) * c * j1[n] for n, c in enumerate(amplitude)], phi)
                normal = fourier([(-J) ** (n % 4) * c * dj1[n] for n, c in enumerate(amplitude)], phi) * inside / x / material
                derivative = (outside(series, x + step, phi) - outside(series, x - step, phi)) / (2 * step)
                worst = max(worst, abs(value - outside(series, x, phi)), abs(normal - derivative))
            expect(f"dielectric {name}: jump of u and of u'/{'mu' if name == 'TM' else 'eps'}", worst, "1e-24")
            forward, scattered = energy(series)
            if eps.imag == 0:
                expect(f"dielectric {name}: optical theorem", forward - scattered, "1e-38")
            else:
                assert forward > scattered > 0
    for index, exact in ((0, tm), (1, te)):
        coarse, fine = (abs(fourier(dielectric_cylinder_series(x, mpc(0, -size), mpc(1), top)[index], mpf(1)) - fourier(exact, mpf(1)))
                        for size in (mpf(10) ** 4, mpf(10) ** 6))
        expect("eps -> -j infinity tends to PEC", coarse / fine - 10, "0.5")


def check_acoustics():
    print("Acoustics")
    mp.dps = 50
    f = mpf(1000)
    omega, k, rho = acoustic(f)
    point = [mpf("0.3"), mpf("0.2"), mpf("-0.1")]
    step = mpf(10) ** -14
    q = mpf("0.001")
    _, u = monopole_field(f, q, point)
    slope = gradient(lambda c: monopole_field(f, q, c)[0], point, step)
    expect("monopole: u = -grad p/(j w rho)", size_of([a + b / (J * omega * rho) for a, b in zip(u, slope)]), "1e-25")
    near = mpf(10) ** -9
    expect("monopole: 4 pi r^2 u_r -> Q", relative(4 * mp.pi * near ** 2 * monopole_field(f, q, [near, 0, 0])[1][0], q), "1e-12")
    moment = [mpf("2e-5"), mpf("-3e-5"), mpf("6e-5")]
    p, u = dipole_field(f, moment, point)
    slope = gradient(lambda c: dipole_field(f, moment, c)[0], point, step)
    expect("dipole: u = -grad p/(j w rho)", size_of([a + b / (J * omega * rho) for a, b in zip(u, slope)]), "1e-25")
    gap = mpf(10) ** -10
    ahead = monopole_field(f, 1 / gap, [c - gap * d / 2 for c, d in zip(point, moment)])
    behind = monopole_field(f, 1 / gap, [c + gap * d / 2 for c, d in zip(point, moment)])
    expect("dipole: two opposite monopoles, pressure", relative(ahead[0] - behind[0], p), "1e-22")
    expect("dipole: two opposite monopoles, velocity", size_of([a - b - c for a, b, c in zip(ahead[1], behind[1], u)]) / size_of(u), "1e-22")

    mp.dps = 40
    one = mpf(1)
    rule = gauss_legendre(26)
    worst = mpf(0)
    for frequency, a in PISTONS:
        for r, z in PISTON_POINTS:
            if r != a:
                worst = max(worst, relative(piston_direct(frequency, mpf(a), one, mpf(r), mpf(z), rule),
                                            piston_reduced(frequency, mpf(a), one, mpf(r), mpf(z))))
    expect("piston: 2-D quadrature against the reduced integral", worst, "1e-20")
    a, z = mpf("0.1"), mpf("0.05")
    direct = piston_direct(8000.0, a, one, mpf(10) ** -30, z, rule)
    expect("piston: 2-D quadrature on the axis", relative(direct, piston_on_axis(8000.0, a, one, z)), "1e-20")
    expect("piston: |p| = 2 rho c U |sin(k(sqrt(z^2+a^2)-z)/2)|", relative(
        abs(piston_on_axis(8000.0, a, one, z)),
        2 * rho * mpf(C_AIR) * abs(mp.sin(8 * k * (mp.sqrt(z * z + a * a) - z) / 2))), "1e-30")
    expect("piston: surface at the centre", relative(
        piston_reduced(8000.0, a, one, mpf(10) ** -30, mpf(0)), piston_on_axis(8000.0, a, one, mpf(0))), "1e-28")
    gap = mpf(10) ** -2
    inner, outer = (piston_reduced(1000.0, a, one, a * (1 + s), mpf(0)) for s in (-gap, gap))
    expect("piston: rim lies between its neighbours", relative((inner + outer) / 2, piston_edge(1000.0, a, one)), "0.01")
    r, t = mpf(10) ** 4, mpf("0.6")
    found = piston_reduced(8000.0, a, one, r * mp.sin(t), r * mp.cos(t)) * r * mp.expj(8 * k * r)
    x = 8 * k * a * mp.sin(t)
    expect("piston: far field", relative(found, J * 8 * omega * rho * a ** 2 * mp.besselj(1, x) / x), "1e-4")

    size, mode, frequency, feet = PLATES[0]
    size = [mpf(v) for v in size]
    other = gauss_legendre(30)
    worst = mpf(0)
    for x, y, z in ((feet[0] + (0.01,)), (feet[-1] + (0.05,))):
        place = [mpf(v) for v in (x, y, z)]
        worst = max(worst, relative(plate_pressure(frequency, size, mode, place, gauss_legendre(24)),
                                    plate_pressure(frequency, size, mode, place, other)))
    expect("plate: 24 against 30 Gauss points per panel", worst, "1e-22")
    place = [mpf(v) for v in (0.17, 0.11, 0.01)]
    expect("plate: polar quadrature about the foot of the point", relative(
        plate_polar(frequency, size, mode, place), plate_pressure(frequency, size, mode, place, rule)), "1e-18")
    coarse = gauss_legendre(12)
    speeds = []
    for z in (mpf("0.002"), mpf("0.001")):
        above, below = (plate_pressure(frequency, size, mode, [place[0], place[1], z + s], coarse)
                        for s in (mpf("1e-5"), mpf("-1e-5")))
        speeds.append(-(above - below) / mpf("2e-5") / (J * omega * rho))
    given_speed = mp.sin(4 * mp.pi * place[0] / size[0]) * mp.sin(3 * mp.pi * place[1] / size[1])
    expect("plate: normal velocity -> the mode", relative(2 * speeds[1] - speeds[0], given_speed), "2e-3")


def plate_polar(frequency, size, mode, point):
    """The plate integral in polar coordinates about the foot, a point inside."""
    omega, k, rho = acoustic(frequency)
    x, y, z = point
    sides = [(size[0] - x, mpf(0), size[1] - y, y), (size[1] - y, mp.pi / 2, x, size[0] - x),
             (x, mp.pi, y, size[1] - y), (y, 3 * mp.pi / 2, size[0] - x, x)]
    rule = gauss_legendre(30)
    total = mpc(0)
    for height, turn, left, right in sides:  # a triangle seen from the foot
        low, high = -mp.atan(right / height), mp.atan(left / height)
        middle = [low, (low + high) / 2, high]
        for start, stop in zip(middle, middle[1:]):
            for t, w in graded_rule(start, stop, start, stop - start, rule):
                angle, reach = t + turn, height / mp.cos(t)
                c, s = mp.cos(angle), mp.sin(angle)
                for r, wr in graded_rule(mpf(0), reach, mpf(0), z, rule):
                    distance = mp.sqrt(r * r + z * z)
                    total += (w * wr * r * mp.expj(-k * distance) / distance
                              * mp.sin(mode[0] * mp.pi * (x + r * c) / size[0])
                              * mp.sin(mode[1] * mp.pi * (y + r * s) / size[1]))
    return J * omega * rho / (2 * mp.pi) * total


def check_half_plane():
    print("Half-plane")
    mp.dps = DPS
    step = mpf(10) ** -12
    worst = mpf(0)
    for phi0, phi, radius in ((30, 100, 2), (30, 300, "0.3"), (250, 60, 11), (90, 270, 5), (90, 90, 5)):
        phi0, phi, radius = radians(phi0), radians(phi), mpf(radius)
        for index in (0, 1):
            def field(r, t):
                return half_plane_fields(r, t, phi0)[index]
            centre = field(radius, phi)
            ahead, behind = field(radius + step, phi), field(radius - step, phi)
            left, right = field(radius, phi + step), field(radius, phi - step)
            laplacian = ((ahead - 2 * centre + behind) / step ** 2 + (ahead - behind) / (2 * step * radius)
                         + (left - 2 * centre + right) / (step * radius) ** 2)
            worst = max(worst, abs(laplacian + centre))
    expect("Helmholtz equation", worst, "1e-18")
    dirichlet = neumann = mpf(0)
    for phi0 in (30, 90, 250):
        for radius in (mpf("0.01"), mpf(3), mpf(1000)):
            for face, inward in ((mpf(0), 1), (2 * mp.pi, -1)):
                dirichlet = max(dirichlet, abs(half_plane_fields(radius, face, radians(phi0))[0]))
                value, one, two = (half_plane_fields(radius, face + inward * s * step, radians(phi0))[1]
                                   for s in (0, 1, 2))
                neumann = max(neumann, abs(-3 * value + 4 * one - two) / (2 * step * radius))
    expect("TM vanishes on both faces", dirichlet, "1e-50")
    expect("TE: normal derivative vanishes on both faces", neumann, "1e-14")
    r = mpf(10) ** 6
    for phi0, phi, direct, mirrored in ((30, 100, 1, 1), (30, 190, 1, 0), (30, 300, 0, 0), (250, 330, 1, 1), (250, 20, 0, 0)):
        t0, t = radians(phi0), radians(phi)
        for index, sign in ((0, -1), (1, 1)):
            optics = direct * mp.expj(r * mp.cos(t - t0)) + sign * mirrored * mp.expj(r * mp.cos(t + t0))
            edge = (half_plane_fields(r, t, t0)[index] - optics) * mp.sqrt(r) * mp.expj(r)
            keller = -mp.expjpi(-mpf(1) / 4) / (2 * mp.sqrt(2 * mp.pi)) * (mp.sec((t - t0) / 2) + sign * mp.sec((t + t0) / 2))
            expect(f"geometrical optics + outgoing edge wave, phi0 = {phi0}, phi = {phi}", relative(edge, keller), "1e-4")
    near = [abs(half_plane_fields(mpf(10) ** -n, mpf(2), mpf(1))[0]) for n in (10, 12)]
    expect("edge: TM grows as sqrt(rho)", near[0] / near[1] - 10, "1e-3")
    expect("edge: TE -> 1", half_plane_fields(mpf(10) ** -12, mpf(2), mpf(1))[1] - 1, "1e-5")


def check_hertzian():
    print("Hertzian dipole")
    mp.dps = 50
    f, moment = mpf(10) ** 9, mpf("0.01")
    k = 2 * mp.pi * f / C_LIGHT

    def cartesian(point, which):
        x, y, z = point
        r = mp.sqrt(x * x + y * y + z * z)
        s = mp.sqrt(x * x + y * y)
        e_r, e_t, h = hertzian_fields(f, moment, r, mp.acos(z / r))
        if which == "H":
            return [-h * y / s, h * x / s, mpc(0)]
        return [(e_r * s + e_t * z) / r * x / s, (e_r * s + e_t * z) / r * y / s, (e_r * z - e_t * s) / r]

    point, step = [mpf("0.02"), mpf("-0.03"), mpf("0.04")], mpf(10) ** -16
    e, h = cartesian(point, "E"), cartesian(point, "H")
    c = curl(lambda q: cartesian(q, "E"), point, step)
    expect("curl E = -jk eta H", size_of([a + J * k * mpf(ETA0) * b for a, b in zip(c, h)]) / size_of(c), "1e-22")
    c = curl(lambda q: cartesian(q, "H"), point, step)
    expect("curl H = (jk/eta) E", size_of([a - J * k / mpf(ETA0) * b for a, b in zip(c, e)]) / size_of(c), "1e-22")
    r = mpf("0.01")
    _, e_t, h = hertzian_fields(f, moment, r, mp.pi / 2)
    power = mpf(1) / 2 * mp.re(e_t * mp.conj(h)) * r ** 2 * 8 * mp.pi / 3
    expect("power through a near sphere = eta (k I l)^2/(12 pi)", relative(power, mpf(ETA0) * (k * moment) ** 2 / (12 * mp.pi)), "1e-35")
    r = mpf(10) ** -9
    _, _, h = hertzian_fields(f, moment, r, mpf(1))
    expect("Biot-Savart limit H_phi = I l sin/(4 pi r^2)", relative(h, moment * mp.sin(1) / (4 * mp.pi * r ** 2)), "1e-7")


def run_checks():
    check_bessel()
    check_legendre()
    check_spheres()
    check_cylinders()
    check_acoustics()
    check_half_plane()
    check_hertzian()
    print("all checks hold")


def main(arguments):
    if arguments == ["--check"]:
        run_checks()
        return
    for name in arguments or TABLES:
        print(f"{name}.csv: {TABLES[name]()} rows", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
