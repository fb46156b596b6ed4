//! Antenna quantities: radiated fields and S-parameters of ports.

use num_complex::Complex64;

use crate::direction::Direction;
use crate::far_field::FarField;

/// Radiated fields over a sweep of frequencies.
#[derive(Clone, Debug, PartialEq)]
pub struct Radiation {
    /// Frequencies, in Hz.
    pub frequencies: Vec<f64>,
    /// Directions of observation.
    pub directions: Vec<Direction>,
    /// Far fields r·E·e^{jkr} in V for the excitation that the solver states, by frequency, then direction.
    pub fields: Vec<FarField>,
    /// Radiated power at each frequency for the same excitation, in W.
    pub power: Vec<f64>,
}

/// S-parameters of ports over a sweep of frequencies.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// Reference impedances of the ports, in Ω.
    pub resistances: Vec<f64>,
    /// S-parameters by frequency, then receiving port, then driven port.
    pub parameters: Vec<Complex64>,
}

impl Network {
    /// Converts admittances Y in S by frequency, row, and column: with y = √R Y √R, S = (1 + y)⁻¹(1 − y).
    pub fn from_admittances(resistances: Vec<f64>, admittances: &[Complex64]) -> Network {
        let ports = resistances.len();
        let scaled = |y: &[Complex64]| -> Vec<Complex64> {
            (0..ports * ports)
                .map(|at| y[at] * (resistances[at / ports] * resistances[at % ports]).sqrt())
                .collect()
        };
        let parameters = (admittances.chunks(ports * ports))
            .flat_map(|y| {
                let y = scaled(y);
                solved(ports, plus_one(ports, &y, 1.0), plus_one(ports, &y, -1.0))
            })
            .collect();
        Network {
            resistances,
            parameters,
        }
    }

    /// Returns the impedances Z = √R (1 − S)⁻¹(1 + S) √R in Ω, in the same order; infinite or NaN at a port without
    /// current.
    pub fn impedances(&self) -> Vec<Complex64> {
        let ports = self.resistances.len();
        (self.parameters.chunks(ports * ports))
            .flat_map(|s| {
                let z = solved(ports, plus_one(ports, s, -1.0), plus_one(ports, s, 1.0));
                let roots = |at: usize| {
                    (self.resistances[at / ports] * self.resistances[at % ports]).sqrt()
                };
                z.into_iter()
                    .enumerate()
                    .map(|(at, z)| z * roots(at))
                    .collect::<Vec<_>>()
            })
            .collect()
    }
}

/// Returns 1 + sign·M.
fn plus_one(order: usize, matrix: &[Complex64], sign: f64) -> Vec<Complex64> {
    (matrix.iter().enumerate())
        .map(|(at, m)| sign * m + if at / order == at % order { 1.0 } else { 0.0 })
        .collect()
}

/// Returns A⁻¹B for small row-major matrices by Gaussian elimination with partial pivoting.
pub fn solved(order: usize, mut a: Vec<Complex64>, mut b: Vec<Complex64>) -> Vec<Complex64> {
    let columns = b.len() / order.max(1);
    for step in 0..order {
        let pivot = (step..order)
            .max_by(|&i, &j| {
                let size = |row: usize| a[row * order + step].norm_sqr();
                size(i).total_cmp(&size(j))
            })
            .unwrap_or(step);
        for column in 0..order {
            a.swap(step * order + column, pivot * order + column);
        }
        for column in 0..columns {
            b.swap(step * columns + column, pivot * columns + column);
        }
        let inverse = a[step * order + step].inv();
        for row in (0..order).filter(|&row| row != step) {
            let factor = a[row * order + step] * inverse;
            for column in step..order {
                let above = a[step * order + column];
                a[row * order + column] -= factor * above;
            }
            for column in 0..columns {
                let above = b[step * columns + column];
                b[row * columns + column] -= factor * above;
            }
        }
    }
    for row in 0..order {
        let inverse = a[row * order + row].inv();
        for column in 0..columns {
            b[row * columns + column] *= inverse;
        }
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn c(re: f64, im: f64) -> Complex64 {
        Complex64::new(re, im)
    }

    #[test]
    fn one_port_reflects_as_its_impedance() {
        let z = c(73.0, 42.5);
        let network = Network::from_admittances(vec![50.0], &[z.inv()]);
        assert!((network.parameters[0] - (z - 50.0) / (z + 50.0)).norm() < 1e-15);
        assert!((network.impedances()[0] - z).norm() < 1e-12);
    }

    #[test]
    fn a_resistor_in_series_between_two_ports() {
        // Y of a series resistance R between ports of reference impedances R₁ and R₂: S₂₁ = 2√(R₁R₂)/(R + R₁ + R₂).
        let (r, r1, r2) = (30.0, 50.0, 75.0);
        let y = 1.0 / r;
        let network = Network::from_admittances(
            vec![r1, r2],
            &[c(y, 0.0), c(-y, 0.0), c(-y, 0.0), c(y, 0.0)],
        );
        let total = r + r1 + r2;
        assert!((network.parameters[2] - 2.0 * (r1 * r2).sqrt() / total).norm() < 1e-15);
        assert!((network.parameters[0] - (r + r2 - r1) / total).norm() < 1e-15);
        assert!((network.parameters[1] - network.parameters[2]).norm() < 1e-15);
    }

    #[test]
    fn impedances_are_inverse_admittances() {
        let y = [
            c(0.01, 0.002),
            c(-0.003, 0.001),
            c(-0.003, 0.001),
            c(0.004, -0.02),
        ];
        let network = Network::from_admittances(vec![50.0, 100.0], &y);
        let z = network.impedances();
        let identity = solved(
            2,
            y.to_vec(),
            vec![c(1.0, 0.0), c(0.0, 0.0), c(0.0, 0.0), c(1.0, 0.0)],
        );
        for (z, wanted) in z.iter().zip(identity) {
            assert!((z - wanted).norm() < 1e-10 * wanted.norm().max(1.0));
        }
    }
}
