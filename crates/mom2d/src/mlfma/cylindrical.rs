//! Multipole expansion in cylindrical waves for cells that are small compared with the wavelength.
//!
//! The outgoing waves of a cell, F(α) = Σ q e^{jk k̂·ρ}, have the coefficients Fₙ = Σ q jⁿ Jₙ(kρ) e^{−jnφ}, and the incoming
//! waves the coefficients Bₙ; shifts and translation operators become sums of J and H over differences of orders. Plane waves
//! break down at low frequency because T grows without bound. Orders do not, if Fₙ is stored over σ^|n| and Bₙ times σ^|n|,
//! where σ is about half the electrical side k a.

use std::f64::consts::SQRT_2;

use num_complex::Complex64;
use wavefield_numerics::special::{SpecialError, bessel_j_sequence};

use crate::kernels::add_sum_of_products;
use crate::wave::Wave;

/// Orders per digit: cells that interact have a largest ratio of distances of 0.547.
const ORDERS_OF_DIGIT: f64 = 3.9;

/// Orders of the cells of one level.
#[derive(Clone, Debug)]
pub(crate) struct Orders {
    /// Maximum order.
    most: usize,
    /// Scale σ.
    scale: f64,
}

/// Matrix between orders, row by row.
pub(crate) type Between = Vec<Complex64>;

impl Orders {
    /// Creates the orders of cells with a given side, for a number of digits.
    pub(crate) fn new(wavenumber: f64, side: f64, digits: f64) -> Orders {
        let size = SQRT_2 * wavenumber * side;
        let wide = size + 1.8 * digits.powf(2.0 / 3.0) * size.cbrt();
        Orders {
            most: wide.max(ORDERS_OF_DIGIT * digits).ceil() as usize,
            scale: (0.5 * wavenumber * side).min(1.0),
        }
    }

    /// Returns the number of orders, negative and positive.
    pub(crate) fn count(&self) -> usize {
        2 * self.most + 1
    }

    /// Returns the number of coefficients stored per node: two more.
    pub(crate) fn count_of_node(&self) -> usize {
        self.count() + 2
    }

    fn all(&self) -> impl Iterator<Item = i64> + Clone + use<> {
        let most = self.most as i64;
        -most..=most
    }

    fn power(&self, order: i64) -> f64 {
        self.scale.powi(order as i32)
    }

    /// Evaluates jⁿ Jₙ(kρ) e^{−jnφ} over σ^|n| of a node, with one additional order at both ends.
    pub(crate) fn node(
        &self,
        wavenumber: f64,
        r: [f64; 2],
        out: &mut [Complex64],
    ) -> Result<(), SpecialError> {
        let wider = Orders {
            most: self.most + 1,
            ..*self
        };
        let coefficients = phase_orders(wavenumber, r, wider.most, 1.0)?;
        for (n, out) in wider.all().zip(out) {
            *out = coefficients[(n + wider.most as i64) as usize] * wider.power(-n.abs());
        }
        Ok(())
    }

    /// Returns the coefficients of k̂·n e^{jk k̂·ρ} over σ^|n| from those of a node.
    fn along<'a>(
        &'a self,
        node: &'a [Complex64],
        normal: [f64; 2],
    ) -> impl Iterator<Item = Complex64> + 'a {
        // k̂·n = ½(e^{j(α − ψ)} + e^{−j(α − ψ)}).
        let turn = 0.5 * Complex64::new(normal[0], -normal[1]);
        self.all().enumerate().map(move |(at, n)| {
            let [below, above] = [n - 1, n + 1].map(|other| self.power(other.abs() - n.abs()));
            turn * node[at] * below + turn.conj() * node[at + 2] * above
        })
    }

    /// Aggregation: adds the radiation pattern of a monopole and a dipole along a normal.
    pub(crate) fn aggregate(
        &self,
        node: &[Complex64],
        normal: [f64; 2],
        monopole: Complex64,
        dipole: Complex64,
        pattern: &mut [Complex64],
    ) {
        let both = node[1..].iter().zip(self.along(node, normal));
        for (sum, (own, along)) in pattern.iter_mut().zip(both) {
            *sum += monopole * own + dipole * along;
        }
    }

    /// Disaggregation: returns the field of incoming waves at a node, and its derivative along the normal over jk.
    pub(crate) fn disaggregate(
        &self,
        node: &[Complex64],
        normal: [f64; 2],
        waves: &[Complex64],
    ) -> [Complex64; 2] {
        let mut sums = [Complex64::ZERO; 2];
        let both = node[1..].iter().zip(self.along(node, normal));
        for (wave, (own, along)) in waves.iter().zip(both) {
            sums[0] += own.conj() * wave;
            sums[1] -= along.conj() * wave;
        }
        sums
    }

    /// Returns the translation operator from the outgoing waves of a cell to the incoming waves of another at offset
    /// `between`, times −j/4.
    pub(crate) fn translation(
        &self,
        wavenumber: f64,
        between: [f64; 2],
    ) -> Result<Between, SpecialError> {
        let distance = between[0].hypot(between[1]);
        let angle = between[1].atan2(between[0]);
        let x = wavenumber * distance;
        let (h0, h1) = Wave::Real(wavenumber).hankel(&[distance])?;
        // H_l σ^l.
        let s = self.scale;
        let mut hankel = vec![h0[0], s * h1[0]];
        for l in 1..2 * self.most {
            hankel.push(s * (2.0 * l as f64 / x) * hankel[l] - s * s * hankel[l - 1]);
        }
        let quarter = Complex64::new(0.0, -0.25);
        Ok(self.matrix(self, |m, n| {
            let l = m - n;
            // (−j)^l H_l e^{−jlφ}, which is the same number with the opposite phase for −l.
            let turn = Complex64::new(0.0, -1.0).powi(l.unsigned_abs() as i32);
            let phase = Complex64::from_polar(1.0, -(l as f64) * angle);
            let power = self.power(m.abs() + n.abs() - l.abs());
            quarter * turn * phase * hankel[l.unsigned_abs() as usize] * power
        }))
    }

    /// Returns the shift from the outgoing waves of a child at offset `r` to those of its parent, which has these orders.
    pub(crate) fn outgoing_from_part(
        &self,
        part: &Orders,
        wavenumber: f64,
        r: [f64; 2],
    ) -> Result<Between, SpecialError> {
        let most = self.most + part.most;
        let phases = phase_orders(wavenumber, r, most, 1.0)?;
        Ok(self.matrix(part, |m, n| {
            phases[(m - n + most as i64) as usize] * self.power(-m.abs()) * part.power(n.abs())
        }))
    }

    /// Returns the shift from the incoming waves of the parent, which has these orders, to those of its child.
    pub(crate) fn incoming_to_part(
        &self,
        part: &Orders,
        wavenumber: f64,
        r: [f64; 2],
    ) -> Result<Between, SpecialError> {
        let most = self.most + part.most;
        let phases = phase_orders(wavenumber, r, most, -1.0)?;
        Ok(part.matrix(self, |m, n| {
            phases[(m - n + most as i64) as usize] * part.power(m.abs()) * self.power(-n.abs())
        }))
    }

    fn matrix(&self, from: &Orders, entry: impl Fn(i64, i64) -> Complex64) -> Between {
        self.all()
            .flat_map(|m| from.all().map(move |n| (m, n)))
            .map(|(m, n)| entry(m, n))
            .collect()
    }

    /// Writes outgoing waves as coefficients of a transform over `count` directions: order n at n or count + n.
    pub(crate) fn spread(&self, pattern: &[Complex64], out: &mut [Complex64]) {
        out.fill(Complex64::ZERO);
        let count = out.len() as i64;
        for (n, value) in self.all().zip(pattern) {
            if 2 * n.abs() < count {
                out[n.rem_euclid(count) as usize] = value * self.power(n.abs());
            }
        }
    }

    /// Reads incoming waves from the unnormalized coefficients of a transform over directions.
    pub(crate) fn gather(&self, transformed: &[Complex64], waves: &mut [Complex64]) {
        let count = transformed.len() as i64;
        for (n, wave) in self.all().zip(waves) {
            *wave = if 2 * n.abs() < count {
                let share = self.power(n.abs()) / count as f64;
                transformed[n.rem_euclid(count) as usize] * share
            } else {
                Complex64::ZERO
            };
        }
    }
}

/// Adds the image of coefficients under a matrix.
pub(crate) fn add_image(matrix: &[Complex64], from: &[Complex64], to: &mut [Complex64]) {
    for (row, to) in matrix.chunks(from.len()).zip(to) {
        add_sum_of_products(row, from, to);
    }
}

/// Returns the coefficients of e^{±jk k̂·r} of orders −most … most.
fn phase_orders(
    wavenumber: f64,
    r: [f64; 2],
    most: usize,
    sign: f64,
) -> Result<Vec<Complex64>, SpecialError> {
    let distance = r[0].hypot(r[1]);
    let mut coefficients = vec![Complex64::ZERO; 2 * most + 1];
    if distance == 0.0 {
        coefficients[most] = Complex64::new(1.0, 0.0);
        return Ok(coefficients);
    }
    let bessel = bessel(most, wavenumber * distance)?;
    let angle = r[1].atan2(r[0]);
    let mut turn = Complex64::new(1.0, 0.0);
    for (n, j) in bessel.iter().enumerate() {
        // j⁻ⁿJ₋ₙ = jⁿJₙ.
        let both = turn * *j;
        let phase = Complex64::from_polar(1.0, -(n as f64) * angle);
        coefficients[most + n] = both * phase;
        coefficients[most - n] = both * phase.conj();
        turn *= Complex64::new(0.0, sign);
    }
    Ok(coefficients)
}

/// Returns J₀ … of a positive argument; small arguments, which are the most frequent, by the power series.
fn bessel(most: usize, x: f64) -> Result<Vec<f64>, SpecialError> {
    if x > 1.0 {
        let all = bessel_j_sequence(most, Complex64::from(x))?;
        return Ok(all.into_iter().map(|j| j.re).collect());
    }
    let (half, mut first) = (0.5 * x, 1.0);
    Ok((0..=most)
        .map(|order| {
            // (x/2)ⁿ/n! Σ (−x²/4)ᵏ/(k! (n + 1)…(n + k)).
            if order > 0 {
                first *= half / order as f64;
            }
            let (mut term, mut sum) = (1.0, 1.0);
            for k in 1..TERMS {
                term *= -half * half / (k * (order + k)) as f64;
                sum += term;
            }
            first * sum
        })
        .collect())
}

/// Terms of the series: for arguments up to one the next is below 1e-17.
const TERMS: usize = 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_bessel_functions_agree() {
        let series = bessel(30, 1.0).unwrap();
        let sequence = bessel_j_sequence(30, Complex64::new(1.0, 0.0)).unwrap();
        for (a, b) in series.iter().zip(&sequence) {
            assert!((a - b.re).abs() <= 1e-14 * a.abs(), "{a} {b}");
        }
    }
}
