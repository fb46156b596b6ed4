//! Power radiated into the half space, ∫ (g_co² + g_cr²)|F|² dΩ.
//!
//! Computed by quadrature over the visible region: Gauss–Legendre in cosθ and the trapezoidal rule in φ, with
//! orders given by the diameter of the array, and F by the type 3 NUFFT.

use num_complex::Complex64;
use wavefield_gpu::Device;
use wavefield_nufft::{Options, Type3};
use wavefield_numerics::special::gauss_legendre;

use crate::aperture::Aperture;
use crate::error::Error;

/// Tolerance of the transform.
const TOLERANCE: f64 = 1e-10;

/// Computes the radiated power of an excitation, in the units of [`Aperture::captured`].
///
/// # Errors
/// Returns an error if the transform cannot be planned.
pub fn power(device: &Device, aperture: &Aperture, excitation: &[Complex64]) -> Result<f64, Error> {
    let k = aperture.wavenumber();
    let reach = |places: &[f64]| places.iter().fold(0.0_f64, |most, p| most.max(p.abs()));
    // The bandwidth of |F|² is twice the half diagonal.
    let band = 2.0 * k * reach(&aperture.columns).hypot(reach(&aperture.rows));
    let around = band.ceil() as usize + 24;
    let (nodes, weights) = gauss_legendre((0.5 * band).ceil() as usize + 24);
    let mut directions = [Vec::new(), Vec::new()];
    let mut parts = Vec::new();
    for (node, weight) in nodes.iter().zip(&weights) {
        let cosine = 0.5 * (1.0 + node);
        let sine = (1.0 - cosine * cosine).sqrt();
        for step in 0..around {
            let phi = 2.0 * std::f64::consts::PI * step as f64 / around as f64;
            let (u, v) = (sine * phi.cos(), sine * phi.sin());
            let [co, cross] = aperture.element.factor(u, v);
            directions[0].push(k * u);
            directions[1].push(k * v);
            parts.push(
                (co * co + cross * cross) * 0.5 * weight * 2.0 * std::f64::consts::PI
                    / around as f64,
            );
        }
    }
    let (x, y): (Vec<f64>, Vec<f64>) = aperture.places().map(|[x, y]| (x, y)).unzip();
    let options = Options {
        tolerance: TOLERANCE,
        ..Options::default()
    };
    let mut plan = Type3::new(device, 2, &options)?;
    plan.set_points(&[&x, &y], &[&directions[0], &directions[1]])?;
    let mut field = vec![Complex64::ZERO; parts.len()];
    plan.execute(excitation, &mut field)?;
    Ok(field
        .iter()
        .zip(&parts)
        .map(|(f, part)| part * f.norm_sqr())
        .sum())
}
