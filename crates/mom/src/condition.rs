//! The norm of an inverse from a few solutions, without the inverse.

use num_complex::Complex64;

/// An estimate of ‖A⁻¹‖₁, rarely more than three times too small, from solutions with A and with its conjugate
/// transpose. N. J. Higham, ACM Trans. Math. Softw. 14 (1988) 381–396.
///
/// # Errors
/// The first of the two.
pub(crate) fn inverse_norm_one<E>(
    size: usize,
    solve: impl Fn(&mut [Complex64]) -> Result<(), E>,
    solve_adjoint: impl Fn(&mut [Complex64]) -> Result<(), E>,
) -> Result<f64, E> {
    let sum = |x: &[Complex64]| x.iter().map(|z| z.norm()).sum::<f64>();
    let mut x = vec![Complex64::new(1.0 / size as f64, 0.0); size];
    let mut estimate = 0.0;
    let mut visited = usize::MAX;
    for _ in 0..5 {
        solve(&mut x)?;
        let reached = sum(&x);
        if reached <= estimate {
            break;
        }
        estimate = reached;
        for z in &mut x {
            let length = z.norm();
            *z = if length > 0.0 {
                *z / length
            } else {
                Complex64::new(1.0, 0.0)
            };
        }
        solve_adjoint(&mut x)?;
        let (mut largest, mut at) = (-1.0, 0);
        for (i, z) in x.iter().enumerate() {
            if z.norm() > largest {
                (largest, at) = (z.norm(), i);
            }
        }
        if at == visited {
            break;
        }
        visited = at;
        x.fill(Complex64::new(0.0, 0.0));
        x[at] = Complex64::new(1.0, 0.0);
    }
    // A vector of growing, alternating entries catches what the iteration can miss.
    for (i, z) in x.iter_mut().enumerate() {
        let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
        let slope = i as f64 / (size.max(2) - 1) as f64;
        *z = Complex64::new(sign * (1.0 + slope), 0.0);
    }
    solve(&mut x)?;
    let other = 2.0 * sum(&x) / (3.0 * size as f64);
    Ok(estimate.max(other))
}
