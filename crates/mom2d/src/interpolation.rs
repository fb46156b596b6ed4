//! Interpolation between the nodes of a curve.

use std::f64::consts::PI;

use num_complex::Complex64;

use crate::boundary::Boundary;

/// Returns the value at parameter t of a piece of a body: by the polynomial of its panel, or without panels by trigonometric
/// interpolation between uniform steps.
pub(crate) fn at(
    boundary: &Boundary,
    values: &[Complex64],
    body: usize,
    piece: usize,
    t: f64,
) -> Complex64 {
    let panels = &boundary.panels[boundary.panels_of(body)];
    if panels.is_empty() {
        return trigonometric(&values[boundary.nodes_of(body)], t);
    }
    let index = panels
        .iter()
        .position(|p| p.piece == piece && t <= p.to)
        .unwrap_or(panels.len() - 1);
    let panel = &panels[index];
    let x = (t - 0.5 * (panel.from + panel.to)) / panel.half();
    boundary
        .rule
        .interpolation(x)
        .iter()
        .zip(&values[panel.first..])
        .map(|(w, v)| v * *w)
        .sum()
}

/// Returns Σ f_j sin(Nx/2) cot(x/2)/N, with x the angle from node j and N even.
fn trigonometric(values: &[Complex64], t: f64) -> Complex64 {
    let count = values.len() as f64;
    let mut sum = Complex64::new(0.0, 0.0);
    for (j, value) in values.iter().enumerate() {
        let half = PI * (t - j as f64 / count);
        if half.sin().abs() < 1e-14 {
            return *value;
        }
        sum += value * ((count * half).sin() / half.tan() / count);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trigonometric_interpolation_is_exact_for_few_waves() {
        let count = 12;
        let wave = |t: f64| Complex64::from_polar(1.0, 6.0 * PI * t) + (4.0 * PI * t).sin();
        let values: Vec<Complex64> = (0..count)
            .map(|j| wave(j as f64 / f64::from(count)))
            .collect();
        for t in [0.0, 0.123, 0.5, 0.99] {
            assert!((trigonometric(&values, t) - wave(t)).norm() < 1e-13);
        }
    }
}
