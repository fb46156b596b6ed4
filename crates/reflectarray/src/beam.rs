//! Beam as a function of the phases alone: directivity in the directions of an operator, and gradients.

use num_complex::Complex64;
use wavefield_physics::far_field::power_db;

use crate::aperture::Aperture;
use crate::window::Operator;

/// An array with free phases.
#[derive(Clone, Debug)]
pub(crate) struct Beam<'a> {
    pub(crate) aperture: &'a Aperture,
    pub(crate) operator: Operator,
    /// Reference directivity: a third of 4π/Ω.
    pub(crate) reference: f64,
    /// Preconditioner 1/aₙ², of mean one: the diagonal scaling of the phases.
    pub(crate) diagonal: Vec<f64>,
    scale: f64,
}

/// Fields of a set of phases.
pub(crate) struct Radiated {
    pub(crate) excitation: Vec<Complex64>,
    pub(crate) field: Vec<Complex64>,
    pub(crate) directivity: Vec<f64>,
}

impl<'a> Beam<'a> {
    pub(crate) fn new(aperture: &'a Aperture, operator: Operator, reference: f64) -> Beam<'a> {
        let mut diagonal: Vec<f64> = aperture.amplitude.iter().map(|a| 1.0 / (a * a)).collect();
        let mean = diagonal.iter().sum::<f64>() / diagonal.len() as f64;
        for h in &mut diagonal {
            *h /= mean;
        }
        Beam {
            aperture,
            operator,
            reference,
            diagonal,
            scale: aperture.scale(),
        }
    }

    pub(crate) fn radiate(&self, phases: &[f64]) -> Radiated {
        let excitation = self.aperture.excitation(phases);
        let field = self.operator.field(&excitation);
        let directivity = field.iter().map(|f| self.scale * f.norm_sqr()).collect();
        Radiated {
            excitation,
            field,
            directivity,
        }
    }

    /// Computes the gradient ∂f/∂ψₙ = −2s Im(hₙ* xₙ), hₙ = Σ_p f*_pn q_p F_p, of a function with the
    /// derivatives q by directivity.
    pub(crate) fn gradient(
        &self,
        radiated: &Radiated,
        by_directivity: &[f64],
        gradient: &mut [f64],
    ) {
        let weighted: Vec<Complex64> = radiated
            .field
            .iter()
            .zip(by_directivity)
            .map(|(f, q)| f * q)
            .collect();
        let back = self.operator.adjoint(&weighted);
        for ((gradient, h), x) in gradient.iter_mut().zip(&back).zip(&radiated.excitation) {
            *gradient = -2.0 * self.scale * (h.conj() * x).im;
        }
    }

    /// Evaluates the negative soft minimum of the normalized directivities, (1/β) ln Σ e^{−βd}, and its
    /// gradient.
    pub(crate) fn soft_minimum(&self, phases: &[f64], sharpness: f64, gradient: &mut [f64]) -> f64 {
        let radiated = self.radiate(phases);
        let (value, weights) = soft_minimum(&radiated.directivity, self.reference, sharpness);
        let by_directivity: Vec<f64> = weights.iter().map(|w| -w / self.reference).collect();
        self.gradient(&radiated, &by_directivity, gradient);
        value
    }

    /// Evaluates the distance from a mask with the lower level `level` (eqs. 17 and 18): the mean of ((L −
    /// D)₊/reference)², and its gradient.
    pub(crate) fn shortfall(&self, phases: &[f64], level: f64, gradient: &mut [f64]) -> f64 {
        let radiated = self.radiate(phases);
        let share = 1.0 / radiated.directivity.len() as f64;
        let mut value = 0.0;
        let by_directivity: Vec<f64> = radiated
            .directivity
            .iter()
            .map(|d| {
                let missing = (level - d).max(0.0) / self.reference;
                value += share * missing * missing;
                -2.0 * share * missing / self.reference
            })
            .collect();
        self.gradient(&radiated, &by_directivity, gradient);
        value
    }

    /// Returns the minimum directivity in the operator's directions, dBi.
    pub(crate) fn least_dbi(&self, phases: &[f64]) -> f64 {
        let directivity = self.radiate(phases).directivity;
        power_db(directivity.into_iter().fold(f64::INFINITY, f64::min))
    }
}

/// Returns (1/β) ln Σ e^{−βd} of d = D/reference, and the weights e^{−βd}/Σ.
pub(crate) fn soft_minimum(directivity: &[f64], reference: f64, sharpness: f64) -> (f64, Vec<f64>) {
    let least = directivity.iter().copied().fold(f64::INFINITY, f64::min) / reference;
    let mut weights: Vec<f64> = directivity
        .iter()
        .map(|d| (-sharpness * (d / reference - least)).exp())
        .collect();
    let sum: f64 = weights.iter().sum();
    for w in &mut weights {
        *w /= sum;
    }
    (sum.ln() / sharpness - least, weights)
}
