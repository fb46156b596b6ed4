//! Iterated projections, for comparison with the max–min synthesis (O. M. Bucci et al., IEE Proc. H 137 (1990)
//! 349–357): the field is raised to a level where it is lower in the coverage, and the corresponding excitation
//! is projected onto the given amplitudes, alternately.

use num_complex::Complex64;
use wavefield_numerics::observe::{Cancelled, Observer, Progress};

use crate::aperture::Aperture;
use crate::window::Operator;

/// Number of iterations, and iterations between progress reports.
const ITERATIONS: usize = 1000;
const BLOCK: usize = 100;

/// Iterates projections from the given phases, for a directivity of `level` in the operator's directions, which
/// must be a regular grid of step `step`.
pub(crate) fn iterate(
    aperture: &Aperture,
    operator: &Operator,
    step: f64,
    phases: &[f64],
    level: f64,
    observer: &dyn Observer,
) -> Result<Vec<f64>, Cancelled> {
    let wanted = (level / aperture.scale()).sqrt();
    let mut excitation = aperture.excitation(phases);
    for iteration in 0..ITERATIONS {
        if iteration % BLOCK == 0 {
            observer.checkpoint()?;
            let (done, total) = (iteration as u64, ITERATIONS as u64);
            observer.progress(&Progress::new("iterated projections", done, total));
        }
        let missing: Vec<Complex64> = operator
            .field(&excitation)
            .iter()
            .map(|f| {
                let size = f.norm();
                if size < wanted {
                    f * (wanted / size.max(f64::MIN_POSITIVE) - 1.0)
                } else {
                    Complex64::ZERO
                }
            })
            .collect();
        // The inverse transform of the correction, weighted by the cell area in the (u, v) plane.
        let back = operator.adjoint(&missing);
        let cells = back.iter().zip(&aperture.amplitude).enumerate();
        for (n, (h, &a)) in cells {
            let z = excitation[n]
                + h * (step * step * aperture.cell_area(n) / aperture.wavelength.powi(2));
            excitation[n] = Complex64::from_polar(a, z.arg());
        }
    }
    Ok(excitation.iter().map(|x| x.arg()).collect())
}
