//! Perfectly matched layer (PML): a uniaxial PML with complex-frequency-shifted (CFS) stretching.
//!
//! Each axis is stretched by s = 1 + σ/(α + p), p = ∂/∂t (c = 1). The equivalent uniaxial medium has
//! Λₓ = s_y s_z / s_x, and the curl of the other field equals p Λₓ E. S. D. Gedney, IEEE Trans. Antennas Propag. 44
//! (1996) 1630–1639; M. Kuzuoglu, R. Mittra, IEEE Microw. Guided Wave Lett. 6 (1996) 447–449. Expanded with u = p + α,
//!
//! p Λₓ = p (u + σ_y)(u + σ_z) / (u (u + σ_x)) = p + c₀ + b₁/(u + σ_x) + b₂ p/(u (u + σ_x)),
//!
//! so that with the auxiliary fields P = E/(u + σ_x) and Q = p P/u
//!
//! ∂E/∂t = curl − c₀ E − b₁ P − b₂ Q,  ∂P/∂t = E − (α + σ_x) P,  ∂Q/∂t = ∂P/∂t − α Q.
//!
//! P and Q stay as small as E, and all terms are of the order of σE, so that the rounding errors of a static field, for
//! which the terms cancel, stay small. No term is singular where a σ vanishes, and the curl with its numerical fluxes
//! is that of any other element. α > 0 prevents late-time growth (E. Bécache, P. G. Petropoulos, S. D. Gedney, IEEE
//! Trans. Antennas Propag. 52 (2004) 1335–1342).

use wavefield_mesh::BoundingBox;

/// Maximum rise of σ across an element, in units of its reciprocal width.
///
/// Orders 4 to 6 were unstable at 14 and stable at 9 (a PML of one cell around a lattice of cubes).
const STEEPEST: f64 = 5.0;

/// PML coefficients of one field component at one node, the same for E and H, in powers of 1/m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PmlTerms {
    /// Coefficient c₀ of the field.
    pub own: f64,
    /// Coefficient b₁ of P.
    pub first: f64,
    /// Coefficient b₂ of Q.
    pub second: f64,
    /// Decay rate α + σ of P.
    pub first_decay: f64,
    /// Decay rate α of Q.
    pub second_decay: f64,
}

impl PmlTerms {
    /// Returns the coefficients of the x, y, and z components for the conductivities along the axes.
    pub fn new(sigma: [f64; 3], shift: f64) -> [PmlTerms; 3] {
        std::array::from_fn(|axis| {
            let own = sigma[axis];
            let [a, b] = [sigma[(axis + 1) % 3], sigma[(axis + 2) % 3]];
            let c0 = a + b - own;
            PmlTerms {
                own: c0,
                first: own * (shift - c0) - shift * (a + b),
                second: a * b,
                first_decay: shift + own,
                second_decay: shift,
            }
        })
    }
}

/// Grading of the conductivity in a box-shaped PML.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PmlProfile {
    /// Inner boundary of the PML.
    pub inner: BoundingBox,
    /// Outer boundary of the PML.
    pub outer: BoundingBox,
    /// Maximum conductivity, at the outer boundary, times the thickness.
    pub strength: f64,
    /// Exponent of the polynomial grading.
    pub exponent: f64,
    /// Frequency shift α of the CFS stretching, 1/m.
    pub shift: f64,
}

impl PmlProfile {
    /// Creates a profile with a theoretical reflection coefficient at normal incidence, as an amplitude.
    ///
    /// The wave passes the PML twice: R = exp(−2 σ_max d / (m + 1)).
    pub fn new(
        inner: BoundingBox,
        outer: BoundingBox,
        reflection: f64,
        exponent: f64,
        shift: f64,
    ) -> PmlProfile {
        PmlProfile {
            inner,
            outer,
            strength: -0.5 * (exponent + 1.0) * reflection.ln(),
            exponent,
            shift,
        }
    }

    /// Returns the conductivities along the axes at a point, 1/m.
    pub fn sigma(&self, point: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|axis| {
            let (low, high) = (self.inner.min[axis], self.inner.max[axis]);
            let (depth, thickness) = if point[axis] > high {
                (point[axis] - high, self.outer.max[axis] - high)
            } else {
                (low - point[axis], low - self.outer.min[axis])
            };
            if depth > 0.0 && thickness > 0.0 {
                self.strength / thickness * (depth / thickness).powf(self.exponent)
            } else {
                0.0
            }
        })
    }

    /// Returns the conductivities at the nodes of an element with bounded gradients, and whether they were bounded.
    ///
    /// Products of nodal values are not projections of the product. Where σ rises across an element by much more than
    /// the reciprocal of its width, this aliasing feeds energy into the PML at any time step. There σ is drawn toward
    /// its mean: a thin PML absorbs less, but remains stable.
    pub fn sigma_of_element(&self, points: &[[f64; 3]]) -> (Vec<[f64; 3]>, bool) {
        let mut sigma: Vec<[f64; 3]> = points.iter().map(|&point| self.sigma(point)).collect();
        let mut bounded = false;
        for axis in 0..3 {
            let width = range(points.iter().map(|point| point[axis]));
            let rise = width * range(sigma.iter().map(|sigma| sigma[axis]));
            if rise > STEEPEST {
                bounded = true;
                let sum: f64 = sigma.iter().map(|sigma| sigma[axis]).sum();
                let mean = sum / sigma.len() as f64;
                for sigma in &mut sigma {
                    sigma[axis] = mean + STEEPEST / rise * (sigma[axis] - mean);
                }
            }
        }
        (sigma, bounded)
    }
}

/// Returns the difference between the largest and the smallest value.
fn range(values: impl Iterator<Item = f64> + Clone) -> f64 {
    values.clone().fold(f64::NEG_INFINITY, f64::max) - values.fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_complex::Complex64;

    #[test]
    fn the_terms_are_those_of_the_stretched_medium() {
        let p = Complex64::new(0.0, 3.1);
        for sigma in [
            [2.0, 0.0, 0.0],
            [0.0, 1.3, 0.0],
            [0.7, 1.3, 2.9],
            [0.0, 5.0, 5.0],
            [4.0, 4.0, 0.0],
        ] {
            for shift in [0.0, 0.2] {
                let s: [Complex64; 3] = std::array::from_fn(|k| 1.0 + sigma[k] / (shift + p));
                for (axis, t) in PmlTerms::new(sigma, shift).iter().enumerate() {
                    let exact = p * s[(axis + 1) % 3] * s[(axis + 2) % 3] / s[axis];
                    let first = 1.0 / (p + t.first_decay);
                    let second = p * first / (p + t.second_decay);
                    let found = p + t.own + t.first * first + t.second * second;
                    assert!((found - exact).norm() < 1e-13 * exact.norm());
                }
            }
        }
    }
}
