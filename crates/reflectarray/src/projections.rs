//! Iterated projections, the method the max–min synthesis is compared with (O. M. Bucci et al., IEE Proc. H
//! 137 (1990) 349–357): the field is brought up to a level where it falls short in the coverage, and
//! the excitation that belongs to it back to the amplitudes there are, in turn.

use num_complex::Complex64;
use wavefield_numerics::observe::{Cancelled, Observer, Progress};

use crate::aperture::Aperture;
use crate::window::Operator;

/// Iterations, and how many between two looks at the observer.
const ITERATIONS: usize = 1000;
const BLOCK: usize = 100;

/// Phases after projections from given ones, towards a directivity of `level` in the operator's directions,
/// which must be an even grid of the pitch `step`.
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
        // The inverse transform of the correction: a cell's share of the (u, v) plane per direction.
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
