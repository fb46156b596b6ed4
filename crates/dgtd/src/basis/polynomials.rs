//! Orthonormal polynomials on the reference triangle and tetrahedron.
//!
//! M. Dubiner, J. Sci. Comput. 6 (1991) 345–390: products of Jacobi polynomials in collapsed coordinates.

/// Evaluates the orthonormal Jacobi polynomial of degree `n` with weight (1−x)^α (1+x)^β on [−1, 1].
///
/// It uses the three-term recurrence x pₙ = aₙ₊₁ pₙ₊₁ + bₙ pₙ + aₙ pₙ₋₁.
pub(super) fn jacobi(n: usize, alpha: f64, beta: f64, x: f64) -> f64 {
    let sum = alpha + beta;
    // Recurrence coefficients a_k and b_k.
    let a = |k: f64| {
        let twice = 2.0 * k + sum;
        let product = if k == 1.0 {
            // The factor (k + sum)/(twice − 1) is one here, also where both vanish.
            k * (k + alpha) * (k + beta)
        } else {
            k * (k + sum) * (k + alpha) * (k + beta) / (twice - 1.0)
        };
        2.0 / twice * (product / (twice + 1.0)).sqrt()
    };
    let b = |k: f64| {
        if alpha == beta {
            0.0
        } else {
            let twice = 2.0 * k + sum;
            (beta * beta - alpha * alpha) / (twice * (twice + 2.0))
        }
    };
    // ∫ (1−x)^α (1+x)^β over [−1, 1] for integer exponents: 2^{α+β+1} α! β! / (α+β+1)!.
    let factorial = |k: f64| (1..=k as u32).map(f64::from).product::<f64>();
    let weight = 2f64.powf(sum + 1.0) * factorial(alpha) * factorial(beta) / factorial(sum + 1.0);
    let (mut before, mut now) = (0.0, weight.sqrt().recip());
    for k in 0..n {
        let k = k as f64;
        let lower = if k == 0.0 { 0.0 } else { a(k) * before };
        (before, now) = (now, ((x - b(k)) * now - lower) / a(k + 1.0));
    }
    now
}

/// Evaluates the derivative of [`jacobi`].
pub(super) fn jacobi_derivative(n: usize, alpha: f64, beta: f64, x: f64) -> f64 {
    match n {
        0 => 0.0,
        _ => {
            let k = n as f64;
            (k * (k + alpha + beta + 1.0)).sqrt() * jacobi(n - 1, alpha + 1.0, beta + 1.0, x)
        }
    }
}

/// Returns the degrees (i, j) with i + j at most `order`.
pub(super) fn triangle_degrees(order: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..=order).flat_map(move |i| (0..=order - i).map(move |j| [i, j]))
}

/// Returns the degrees (i, j, k) with i + j + k at most `order`.
pub(super) fn tetrahedron_degrees(order: usize) -> impl Iterator<Item = [usize; 3]> {
    (0..=order).flat_map(move |i| {
        (0..=order - i).flat_map(move |j| (0..=order - i - j).map(move |k| [i, j, k]))
    })
}

/// Evaluates an orthonormal polynomial on the triangle (−1,−1), (1,−1), (−1,1).
pub(super) fn on_triangle([i, j]: [usize; 2], [r, s]: [f64; 2]) -> f64 {
    let a = collapsed(1.0 + r, -s);
    let power = ((1.0 - s) / 2.0).powi(i as i32);
    // √2 (1−s)^i is written as 2^{i+1/2} ((1−s)/2)^i.
    jacobi(i, 0.0, 0.0, a)
        * jacobi(j, 2.0 * i as f64 + 1.0, 0.0, s)
        * power
        * 2f64.powf(i as f64 + 0.5)
}

/// Returns the collapsed coordinate 2 (1 + r)/(remainder) − 1, with one minus the other coordinates as the remainder;
/// −1 where the remainder vanishes.
fn collapsed(distance: f64, rest: f64) -> f64 {
    let remainder = rest + 1.0;
    if remainder.abs() > 1e-14 {
        2.0 * distance / remainder - 1.0
    } else {
        -1.0
    }
}

/// Evaluates an orthonormal polynomial on the tetrahedron (−1,−1,−1), (1,−1,−1), (−1,1,−1), (−1,−1,1), and its
/// gradient.
pub(super) fn on_tetrahedron([i, j, k]: [usize; 3], [r, s, t]: [f64; 3]) -> (f64, [f64; 3]) {
    let a = collapsed(1.0 + r, -s - t - 1.0);
    let b = collapsed(1.0 + s, -t);
    let c = t;
    let (wb, wc) = ((1.0 - b) / 2.0, (1.0 - c) / 2.0);
    let [fi, fj] = [i, j].map(|n| n as f64);
    let (alpha_b, alpha_c) = (2.0 * fi + 1.0, 2.0 * (fi + fj) + 2.0);
    let fa = jacobi(i, 0.0, 0.0, a);
    let fb = jacobi(j, alpha_b, 0.0, b);
    let fc = jacobi(k, alpha_c, 0.0, c);
    let da = jacobi_derivative(i, 0.0, 0.0, a);
    let db = jacobi_derivative(j, alpha_b, 0.0, b);
    let dc = jacobi_derivative(k, alpha_c, 0.0, c);
    let scale = 2f64.powf(2.0 * fi + fj + 1.5);
    // p = fa fb fc wb^i wc^{i+j}. The derivative of a has the factor 1/(wb wc), that of b the factor 1/wc. They are
    // canceled against the powers analytically, since both vanish at corners.
    let power = |base: f64, exponent: usize| base.powi(exponent as i32);
    let below = |base: f64, exponent: usize| match exponent {
        0 => 1.0,
        _ => power(base, exponent - 1),
    };
    let value = fa * fb * fc * power(wb, i) * power(wc, i + j);
    let along_r = da * fb * fc * below(wb, i) * below(wc, i + j);
    // ∂/∂b of fb wb^i.
    let b_factor = db * power(wb, i)
        - if i > 0 {
            0.5 * fi * fb * below(wb, i)
        } else {
            0.0
        };
    let from_b = fa * b_factor * fc * below(wc, i + j);
    // ∂/∂c of fc wc^{i+j}.
    let c_factor = dc * power(wc, i + j)
        - if i + j > 0 {
            0.5 * (fi + fj) * fc * below(wc, i + j)
        } else {
            0.0
        };
    let from_c = fa * fb * power(wb, i) * c_factor;
    // ∂a/∂s = ∂a/∂t = (1+a)/2 ∂a/∂r, ∂b/∂t = (1+b)/2 ∂b/∂s, with ∂a/∂r = 1/(wb wc), ∂b/∂s = 1/wc.
    let along_s = 0.5 * (1.0 + a) * along_r + from_b;
    let along_t = 0.5 * (1.0 + a) * along_r + 0.5 * (1.0 + b) * from_b + from_c;
    let gradient = [along_r, along_s, along_t].map(|d| scale * d);
    (scale * value, gradient)
}
