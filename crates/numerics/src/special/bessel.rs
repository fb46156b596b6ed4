//! Bessel functions of integer order and real argument, for a sequence of orders 0…N.
//!
//! Orders below the argument by upward recurrence from `libm`'s J₀, J₁ (both recurrences are
//! neutrally stable there); orders above it by the ratio J_{n+1}/J_n in downward recurrence,
//! anchored at n = ⌊x⌋, where J has no zero since its first one lies beyond n + 1.85 n^{1/3}. Y by
//! upward recurrence throughout. DLMF §10.74(iv).

use num_complex::Complex64;

use super::SpecialError;

/// Jₙ(x), Yₙ(x), and their derivatives for n = 0…N.
#[derive(Clone, Debug)]
pub struct CylinderFunctions {
    argument: f64,
    j: Vec<f64>,
    y: Vec<f64>,
}

impl CylinderFunctions {
    /// Computes all orders 0…`max_order` at x > 0.
    pub fn new(max_order: usize, x: f64) -> Result<Self, SpecialError> {
        if !(x > 0.0 && x.is_finite()) {
            return Err(SpecialError::Argument { re: x, im: 0.0 });
        }
        // One order beyond `max_order`, for the derivatives.
        let count = max_order + 2;
        Ok(CylinderFunctions {
            argument: x,
            j: first_kind(count, x),
            y: second_kind(count, x),
        })
    }

    /// Returns the highest order.
    pub fn max_order(&self) -> usize {
        self.j.len() - 2
    }

    /// Returns Jₙ.
    pub fn j(&self, n: usize) -> f64 {
        self.j[n]
    }

    /// Returns Yₙ; −∞ if it exceeds the range of f64.
    pub fn y(&self, n: usize) -> f64 {
        self.y[n]
    }

    /// Returns the derivative Jₙ′.
    pub fn j_prime(&self, n: usize) -> f64 {
        if n == 0 {
            -self.j[1]
        } else {
            0.5 * (self.j[n - 1] - self.j[n + 1])
        }
    }

    /// Returns the derivative Yₙ′.
    pub fn y_prime(&self, n: usize) -> f64 {
        if n == 0 {
            return -self.y[1];
        }
        if self.y[n - 1].is_infinite() {
            return f64::INFINITY;
        }
        // For orders above the argument the two neighbors differ by orders of magnitude: no
        // cancellation.
        if (n as f64) > self.argument {
            self.y[n - 1] - n as f64 / self.argument * self.y[n]
        } else {
            0.5 * (self.y[n - 1] - self.y[n + 1])
        }
    }

    /// Returns the Hankel function Hₙ⁽²⁾ = Jₙ − jYₙ.
    pub fn hankel2(&self, n: usize) -> Complex64 {
        Complex64::new(self.j[n], -self.y[n])
    }

    /// Returns the derivative of Hₙ⁽²⁾.
    pub fn hankel2_prime(&self, n: usize) -> Complex64 {
        Complex64::new(self.j_prime(n), -self.y_prime(n))
    }
}

fn first_kind(count: usize, x: f64) -> Vec<f64> {
    let mut j = vec![0.0; count];
    let turning = (x as usize).min(count - 1);
    j[0] = libm::j0(x);
    if turning >= 1 {
        j[1] = libm::j1(x);
    }
    for n in 1..turning {
        j[n + 1] = 2.0 * n as f64 / x * j[n] - j[n - 1];
    }
    if turning == count - 1 {
        return j;
    }
    // Downward from where the start value has decayed below rounding: the distance to the turning
    // point suffices for f64 once J has fallen by 1e-17 beyond the last order.
    let last = count - 1;
    let start = last.max(turning) + 30 + (8.5 * x.cbrt()) as usize;
    let mut ratios = vec![0.0; last + 1];
    let mut ratio = 0.0;
    for n in (turning..start).rev() {
        // J_{n+1}/J_n = 1 / (2(n+1)/x − J_{n+2}/J_{n+1}).
        ratio = 1.0 / (2.0 * (n + 1) as f64 / x - ratio);
        if n < last {
            ratios[n + 1] = ratio;
        }
    }
    for n in turning..last {
        j[n + 1] = j[n] * ratios[n + 1];
    }
    j
}

fn second_kind(count: usize, x: f64) -> Vec<f64> {
    let mut y = vec![f64::NEG_INFINITY; count];
    y[0] = libm::y0(x);
    y[1] = libm::y1(x);
    for n in 1..count - 1 {
        let next = 2.0 * n as f64 / x * y[n] - y[n - 1];
        if !next.is_finite() {
            break;
        }
        y[n + 1] = next;
    }
    y
}
