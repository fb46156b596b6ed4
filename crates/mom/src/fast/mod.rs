//! Products with the matrix of an integral equation in time N log N: far nodes are heard by plane waves, near ones one by
//! one.

mod arc;
mod cylindrical;
mod directions;
mod medium;
mod multipole;
mod near;
mod precondition;
mod translation;
mod tree;

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_compute::observe::Observer;

use crate::error::Error;
use crate::operator::Operator;
use crate::system::System;

use medium::Medium;
use near::Sparse;
pub(crate) use precondition::NearInverse;

const ZERO: Complex64 = Complex64::new(0.0, 0.0);

/// Bytes that products with so many unknowns take, about: phases of nodes in the directions of a leaf, near nodes, and
/// waves of all levels.
pub(crate) fn memory(unknowns: usize, digits: f64) -> usize {
    let directions = 2 * (14 + (4.3 * digits.powf(2.0 / 3.0)) as usize) + 2;
    let levels = 2 * unknowns.max(2).ilog2() as usize;
    size_of::<Complex64>() * unknowns * (directions + 100 + 2 * levels)
}

/// The matrix of the locally corrected Nyström method, known by what it does to a vector.
pub(crate) struct FastOperator<'a> {
    system: &'a System,
    media: Vec<Medium>,
    near: Sparse,
}

impl<'a> FastOperator<'a> {
    /// With so many digits of what is heard from afar.
    ///
    /// # Errors
    /// A medium has losses, or a stop was requested.
    pub(crate) fn new(
        system: &'a System,
        digits: f64,
        observer: &dyn Observer,
    ) -> Result<FastOperator<'a>, Error> {
        let media = Medium::all(system, digits)?.ok_or(Error::LossyFast)?;
        let near = near::near(system, &media, observer)?;
        Ok(FastOperator {
            system,
            media,
            near,
        })
    }
}

impl Operator for FastOperator<'_> {
    fn size(&self) -> usize {
        self.system.size()
    }

    fn apply(&self, x: &[Complex64], y: &mut [Complex64]) {
        self.near.apply(x, y);
        for medium in &self.media {
            let (monopoles, dipoles): (Vec<Complex64>, Vec<Complex64>) =
                medium.sources(self.system, x);
            let fields = medium.multipole.fields(&monopoles, &dipoles);
            let ratio = medium.wavenumber / self.system.wavenumber;
            for row in self.system.rows() {
                if medium.body.is_some_and(|own| own != row.body) {
                    continue;
                }
                let (first, second) = (row.kind.first, ratio * row.kind.second);
                y[row.numbers]
                    .par_iter_mut()
                    .zip(row.nodes)
                    .with_min_len(1024)
                    .for_each(|(y, node)| {
                        let [field, slope] = fields[medium.place(node)];
                        *y += first * field + second * slope;
                    });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{Bodies, Fineness};
    use crate::nystrom;
    use crate::spec::Spec;
    use wavefield_compute::observe::Silent;
    use wavefield_physics::exact::cylinder::Polarisation;

    /// Conductors with corners, an open strip, a surface impedance and a dielectric, a few wavelengths apart.
    fn bodies() -> Spec {
        let text = r#"
            frequency = "300 MHz"
            polarisation = "both"
            bodies = [
                { shape = "polygon", points = [["-7 m", "-2 m"], ["7 m", "-2 m"], ["7 m", "1 m"], ["-7 m", "1 m"]], material = "pec" },
                { shape = "strip", points = [["-3 m", "9 m"], ["3 m", "10 m"]] },
                { shape = "circle", radius = "3 m", centre = ["14 m", "4 m"], material = { impedance = [0.3, 0.2] } },
                { shape = "ellipse", semi_axes = ["6 m", "2 m"], centre = ["-16 m", "2 m"], material = { permittivity = 3.0 } },
            ]
            incidence = { phi = "180 deg" }
            observation = { kind = "monostatic" }
            method = { kind = "nystrom", grading = 8, points_per_wavelength = 10.0 }
        "#;
        toml::from_str(text).unwrap()
    }

    #[test]
    fn products_are_those_of_the_matrix() {
        let bodies = Bodies {
            spec: bodies(),
            contour: None,
        };
        for polarisation in [Polarisation::Tm, Polarisation::Te] {
            let system = bodies
                .system(300e6, polarisation, Fineness::AS_ASKED)
                .unwrap();
            let matrix = nystrom::fill(&system, &Silent).unwrap();
            let fast = FastOperator::new(&system, 7.0, &Silent).unwrap();
            let x: Vec<Complex64> = (0..system.size())
                .map(|i| Complex64::new((0.7 * i as f64).sin(), (1.3 * i as f64).cos()))
                .collect();
            let mut exact = vec![ZERO; x.len()];
            let mut found = exact.clone();
            matrix.apply(&x, &mut exact);
            fast.apply(&x, &mut found);
            let norm = |v: &mut dyn Iterator<Item = Complex64>| {
                v.map(|z| z.norm_sqr()).sum::<f64>().sqrt()
            };
            let apart = norm(&mut exact.iter().zip(&found).map(|(a, b)| a - b));
            let error = apart / norm(&mut exact.iter().copied());
            assert!(
                error < 1e-7,
                "{polarisation:?}: {error:e}, {} unknowns",
                x.len()
            );
        }
    }
}
