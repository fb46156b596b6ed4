//! Error measures between two fields.

use num_complex::Complex64;

use crate::error::{Error, long_as};

/// Computes the root mean squared reconstruction error (RMSRE) √(1/n Σ (|p| − |q|)²/|p|²) of magnitudes (7.1), after
/// division of both fields by their largest magnitude (7.3). Nodes of the reference have the largest weight.
///
/// # Errors
/// Returns [`Error::Length`] for fields of different size, and [`Error::Nothing`] for a field that is zero everywhere.
pub fn rmsre(reference: &[Complex64], field: &[Complex64]) -> Result<f64, Error> {
    let pairs = normalized(reference, field)?;
    let mean = pairs
        .iter()
        .filter(|(p, _)| *p > 0.0)
        .map(|(p, q)| ((p - q) / p).powi(2))
        .sum::<f64>()
        / pairs.len() as f64;
    Ok(mean.sqrt())
}

/// Computes the normalized sum of absolute differences (NSAD) 1/n Σ ||p|/max|p| − |q|/max|q|| (7.2), the visible
/// difference between two magnitude maps.
///
/// # Errors
/// Returns [`Error::Length`] for fields of different size, and [`Error::Nothing`] for a field that is zero everywhere.
pub fn nsad(reference: &[Complex64], field: &[Complex64]) -> Result<f64, Error> {
    let pairs = normalized(reference, field)?;
    Ok(pairs.iter().map(|(p, q)| (p - q).abs()).sum::<f64>() / pairs.len() as f64)
}

/// Computes the relative error √(Σ|p − q|²/Σ|p|²) of complex fields, which includes the phase and gives nodes no extra
/// weight.
///
/// # Errors
/// Returns [`Error::Length`] for fields of different size, and [`Error::Nothing`] for a reference that is zero
/// everywhere.
pub fn relative_error(reference: &[Complex64], field: &[Complex64]) -> Result<f64, Error> {
    long_as("a field", reference.len(), field.len())?;
    let energy: f64 = reference.iter().map(Complex64::norm_sqr).sum();
    if energy <= 0.0 {
        return Err(Error::Nothing {
            what: "nonzero values of the reference",
        });
    }
    let difference: f64 = reference
        .iter()
        .zip(field)
        .map(|(p, q)| (p - q).norm_sqr())
        .sum();
    Ok((difference / energy).sqrt())
}

/// Returns magnitudes relative to the largest magnitude of each field.
fn normalized(reference: &[Complex64], field: &[Complex64]) -> Result<Vec<(f64, f64)>, Error> {
    long_as("a field", reference.len(), field.len())?;
    let largest = |field: &[Complex64]| field.iter().map(|p| p.norm()).fold(0.0, f64::max);
    let (p_max, q_max) = (largest(reference), largest(field));
    if p_max <= 0.0 || q_max <= 0.0 {
        return Err(Error::Nothing {
            what: "nonzero values of the field",
        });
    }
    Ok(reference
        .iter()
        .zip(field)
        .map(|(p, q)| (p.norm() / p_max, q.norm() / q_max))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_have_their_values_on_a_small_field() {
        let real = |values: [f64; 3]| values.map(|v| Complex64::new(v, 0.0));
        let (p, q) = (real([4.0, -2.0, 1.0]), real([8.0, 2.0, 2.0]));
        // Normalized: 1, ½, ¼ and 1, ¼, ¼.
        assert!((rmsre(&p, &q).unwrap() - (0.25_f64 / 3.0).sqrt()).abs() < 1e-15);
        assert!((nsad(&p, &q).unwrap() - 0.25 / 3.0).abs() < 1e-15);
        // Magnitudes 4, 4, 1 against 4, 2, 1.
        assert!((relative_error(&p, &q).unwrap() - (33.0_f64 / 21.0).sqrt()).abs() < 1e-15);
    }

    #[test]
    fn fields_that_cannot_be_compared_are_refused() {
        let one = [Complex64::new(1.0, 0.0)];
        let zero = [Complex64::new(0.0, 0.0)];
        assert!(rmsre(&one, &[]).is_err());
        assert!(rmsre(&one, &zero).is_err());
        assert!(relative_error(&zero, &one).is_err());
        assert!(nsad(&zero, &one).is_err());
    }
}
