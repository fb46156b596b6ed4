//! Legendre polynomials and the angular functions of the Mie series.
//!
//! Near the poles the three-term recurrence loses n² roundings. The recurrence of differences
//! between successive orders avoids this, with 1 − |cosθ| as the exact small quantity (Reinsch's
//! form); the lower half-space follows by parity.

/// Returns Pₙ(x) for |x| ≤ 1.
pub fn legendre_p(n: usize, x: f64) -> f64 {
    let distance = 1.0 - x.abs();
    let (mut value, mut difference) = (1.0, 0.0);
    for k in 0..n {
        // (k+1)(P_{k+1} − P_k) = k(P_k − P_{k−1}) − (2k+1)(1−x) P_k.
        difference =
            (k as f64 * difference - (2 * k + 1) as f64 * distance * value) / (k + 1) as f64;
        value += difference;
    }
    if x < 0.0 && n % 2 == 1 { -value } else { value }
}

/// The angular functions πₙ = Pₙ¹/sinθ and τₙ = dPₙ¹/dθ, n = 1, 2, …, without the Condon–Shortley
/// phase: π₁ = 1, τ₁ = cosθ. An unbounded iterator over (πₙ, τₙ).
///
/// With pₙ = πₙ/(n(n+1)/2), which is 1 on the axis, and δ = 1 − cosθ: (n+2)(pₙ₊₁ − pₙ) = (n−1)(pₙ −
/// pₙ₋₁) − (2n+1)δpₙ and τₙ = n(n+1)/2 [pₙ − nδpₙ + (n−1)(pₙ − pₙ₋₁)]. Definition: C. F. Bohren, D.
/// R. Huffman, Absorption and Scattering of Light by Small Particles, §4.3.
#[derive(Clone, Debug)]
pub struct MieAngular {
    distance: f64,
    mirrored: bool,
    order: usize,
    value: f64,
    difference: f64,
}

impl MieAngular {
    /// Creates the sequence at a polar angle θ, rad.
    pub fn new(theta: f64) -> MieAngular {
        let (sine, cosine) = (0.5 * theta).sin_cos();
        MieAngular::from_half_angle(sine * sine, cosine * cosine)
    }

    /// Creates the sequence at an angle given by sin²(θ/2) and cos²(θ/2); near either pole only the
    /// smaller of the two determines the angle accurately.
    pub fn from_half_angle(sine_squared: f64, cosine_squared: f64) -> MieAngular {
        let mirrored = cosine_squared < sine_squared;
        MieAngular {
            distance: 2.0 * sine_squared.min(cosine_squared),
            mirrored,
            order: 1,
            value: 1.0,
            difference: 0.0,
        }
    }
}

impl Iterator for MieAngular {
    type Item = (f64, f64);

    fn next(&mut self) -> Option<(f64, f64)> {
        let n = self.order as f64;
        let (p, d, delta) = (self.value, self.difference, self.distance);
        let axis = 0.5 * n * (n + 1.0);
        let (pi, tau) = (axis * p, axis * (p - n * delta * p + (n - 1.0) * d));
        self.difference = ((n - 1.0) * d - (2.0 * n + 1.0) * delta * p) / (n + 2.0);
        self.value += self.difference;
        let odd = self.order % 2 == 1;
        self.order += 1;
        Some(match (self.mirrored, odd) {
            (false, _) => (pi, tau),
            (true, true) => (pi, -tau),
            (true, false) => (-pi, tau),
        })
    }
}
