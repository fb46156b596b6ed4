//! Plane-wave directions of the cells of one level, and resampling between levels.
//!
//! The outgoing or incoming waves of a cell of side a are a sum of plane waves e^{∓jk k̂·ρ} with ρ ≤ a/√2, whose Fourier
//! coefficients in the angle of k̂ decay beyond k·ρ. Two cells together have the bandwidth k·√2·a; with L = k√2a + 1.8 d^{2/3}
//! (k√2a)^{1/3} the truncation error is about 10^−d (R. Coifman, V. Rokhlin, S. Wandzura, IEEE Antennas Propag. Mag. 35 (3),
//! 1993, 7–12; J. M. Song, W. C. Chew, Microw. Opt. Technol. Lett. 30 (2001)).
//!
//! With ρ in the receiving cell, ρ′ in the radiating one, and X between their centers,
//!
//!   H₀⁽²⁾(k|X + ρ − ρ′|) = (1/2π) ∫ e^{−jk k̂·ρ} T(α) e^{jk k̂·ρ′} dα,  T(α) = Σ_{|m| ≤ L} (−j)ᵐ H_m⁽²⁾(kX) e^{jm(α − φ_X)}
//!
//! (Graf's addition theorem and the Jacobi–Anger expansion). H_m grows beyond m = kX: for small cells this low-frequency
//! breakdown limits the number of digits.

use std::f64::consts::{PI, SQRT_2};
use std::sync::Arc;

use num_complex::Complex64;
use rustfft::Fft;
use wavefield_numerics::fft::{Real as _, next_good_size};

use wavefield_numerics::special::SpecialError;

use crate::kernels::Compass;
use crate::wave::Wave;

/// Uniform directions, with Fourier transforms over them.
pub(crate) struct Directions {
    /// Maximum order of the cylindrical waves.
    order: usize,
    cos: Vec<f64>,
    sin: Vec<f64>,
    /// Transforms to orders, and back.
    pub(crate) forward: Arc<dyn Fft<f64>>,
    pub(crate) inverse: Arc<dyn Fft<f64>>,
}

impl Directions {
    /// Creates the directions of cells with a given side, for a number of digits.
    pub(crate) fn new(wavenumber: f64, side: f64, digits: f64) -> Directions {
        let size = SQRT_2 * wavenumber * side;
        let order = (size + 1.8 * digits.powf(2.0 / 3.0) * size.cbrt()).ceil() as usize;
        let count = next_good_size(2 * order + 2);
        let [forward, inverse] = f64::plan_line(count);
        let angle = |number: usize| 2.0 * PI * number as f64 / count as f64;
        Directions {
            order,
            cos: (0..count).map(|number| angle(number).cos()).collect(),
            sin: (0..count).map(|number| angle(number).sin()).collect(),
            forward,
            inverse,
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.cos.len()
    }

    pub(crate) fn compass(&self) -> Compass<'_> {
        Compass {
            cos: &self.cos,
            sin: &self.sin,
        }
    }

    /// Evaluates e^{jk k̂·r} in every direction.
    pub(crate) fn phases(&self, wavenumber: f64, r: [f64; 2], phases: &mut [Complex64]) {
        for ((phase, cos), sin) in phases.iter_mut().zip(&self.cos).zip(&self.sin) {
            *phase = Complex64::from_polar(1.0, wavenumber * (r[0] * cos + r[1] * sin));
        }
    }

    /// Returns the translation operator T times −j/4 in every direction, for an offset between centers.
    pub(crate) fn translation(
        &self,
        wavenumber: f64,
        between: [f64; 2],
    ) -> Result<Vec<Complex64>, SpecialError> {
        let distance = between[0].hypot(between[1]);
        let angle = between[1].atan2(between[0]);
        let x = wavenumber * distance;
        let (h0, h1) = Wave::Real(wavenumber).hankel(&[distance])?;
        let (mut below, mut here) = (h0[0], h1[0]);
        let count = self.count();
        let scale = Complex64::new(0.0, -0.25);
        let mut factors = vec![Complex64::new(0.0, 0.0); count];
        factors[0] = scale * below;
        let mut turn = Complex64::new(1.0, 0.0);
        for order in 1..=self.order {
            turn *= Complex64::new(0.0, -1.0);
            let phase = Complex64::from_polar(1.0, -(order as f64) * angle);
            // H₋ₘ = (−1)ᵐ Hₘ and (−j)⁻ᵐ = (−1)ᵐ (−j)ᵐ: both orders have the same factor.
            let both = scale * turn * here;
            factors[order] = both * phase;
            factors[count - order] = both * phase.conj();
            (below, here) = (here, 2.0 * order as f64 / x * here - below);
        }
        let mut scratch = vec![Complex64::new(0.0, 0.0); self.scratch(self)];
        self.inverse
            .process_with_scratch(&mut factors, &mut scratch);
        Ok(factors)
    }

    /// Returns the scratch length that [`resample`](Directions::resample) to other directions needs.
    pub(crate) fn scratch(&self, to: &Directions) -> usize {
        let transforms = [&self.forward, &to.inverse];
        transforms.map(|t| t.get_inplace_scratch_len())[..]
            .iter()
            .copied()
            .fold(0, usize::max)
    }

    /// Resamples values from these directions, which are overwritten, to others; common orders are kept.
    pub(crate) fn resample(
        &self,
        samples: &mut [Complex64],
        to: &Directions,
        out: &mut [Complex64],
        scratch: &mut [Complex64],
    ) {
        self.forward.process_with_scratch(samples, scratch);
        let (from, count) = (samples.len(), out.len());
        // Orders −most … most.
        let most = (from.min(count) - 1) / 2;
        let scale = 1.0 / from as f64;
        for (out, sample) in out[..=most].iter_mut().zip(&samples[..=most]) {
            *out = sample * scale;
        }
        out[most + 1..count - most].fill(Complex64::new(0.0, 0.0));
        let negative = samples[from - most..].iter();
        for (out, sample) in out[count - most..].iter_mut().zip(negative) {
            *out = sample * scale;
        }
        to.inverse.process_with_scratch(out, scratch);
    }
}
