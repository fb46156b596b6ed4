//! The multilevel fast multipole algorithm (MLFMA): products with the matrix of an integral equation in time N log N. Far
//! nodes interact through plane waves, near ones one by one.

mod arc;
mod cylindrical;
mod directions;
mod medium;
mod multipole;
mod near;
mod precondition;
mod translation;
mod tree;

use std::ops::Range;

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_numerics::krylov::Operator;
use wavefield_numerics::observe::Observer;

use crate::error::Error;
use crate::system::System;

use arc::{Curve, Multiplier};
use medium::Medium;
use near::Sparse;
pub(crate) use precondition::NearInverse;

/// Bytes that products with so many unknowns take, about: phases of nodes in the directions of a leaf, near nodes of both
/// equations, and waves of all levels.
pub(crate) fn memory(unknowns: usize, digits: f64) -> usize {
    let directions = 2 * (14 + (4.3 * digits.powf(2.0 / 3.0)) as usize) + 2;
    let levels = 2 * unknowns.max(2).ilog2() as usize;
    size_of::<Complex64>() * unknowns * (directions + 200 + 2 * levels)
}

/// The matrix of the locally corrected Nyström method, known by what it does to a vector. On smooth curves the two equations of
/// a combined field are put together as `arc.rs` says.
pub(crate) struct MlfmaOperator<'a> {
    system: &'a System,
    media: Vec<Medium>,
    curves: Vec<Curve>,
    /// The equations before they are put together: of curves with a multiplier two at a node.
    parts: System,
    near: Sparse,
    /// Where the equations of each body stand among the parts, and how those that follow them are multiplied.
    joints: Vec<Joint>,
}

/// Equations of a body, or of one kind on it.
struct Joint {
    /// Their numbers.
    equations: Range<usize>,
    /// The first of their parts.
    first: usize,
    /// The curve and the multiplier of the parts that are multiplied, which follow.
    lifted: Option<(usize, Multiplier)>,
}

impl<'a> MlfmaOperator<'a> {
    /// With so many digits of far fields.
    ///
    /// # Errors
    /// A special function has no value, or a stop was requested.
    pub(crate) fn new(
        system: &'a System,
        digits: f64,
        observer: &dyn Observer,
    ) -> Result<MlfmaOperator<'a>, Error> {
        let media = Medium::all(system, digits)?;
        let curves = Curve::all(system);
        let lifted = |body: usize| {
            let number = curves.iter().position(|curve| curve.body == body)?;
            Some((number, curves[number].lifted(system)?))
        };
        let parts = system.with_rows(|body, rows| match lifted(body) {
            Some((_, lifted)) => rows.iter().flat_map(|&row| lifted.parts(row)).collect(),
            None => rows.to_vec(),
        });
        let mut first = 0;
        let mut joints = Vec::new();
        for row in system.rows() {
            let lifted = lifted(row.body)
                .map(|(number, lifted)| (number, curves[number].multiplier(|r| lifted.by(r))));
            let count = row.numbers.len() * if lifted.is_some() { 2 } else { 1 };
            joints.push(Joint {
                equations: row.numbers,
                first,
                lifted,
            });
            first += count;
        }
        let near = near::near(&parts, &media, observer)?;
        Ok(MlfmaOperator {
            system,
            media,
            curves,
            parts,
            near,
            joints,
        })
    }

    /// Right-hand sides of these equations, `right` giving those of their parts.
    pub(crate) fn right_hand_sides(
        &self,
        right: impl Fn(&System) -> Vec<Complex64>,
    ) -> Vec<Complex64> {
        let size = self.system.size();
        (right(&self.parts).chunks(self.parts.equations().max(1)))
            .flat_map(|parts| {
                let mut column = vec![Complex64::ZERO; size];
                self.join(parts, &mut column);
                column
            })
            .collect()
    }

    /// The entry of a part that stays as it is, by the number of its equation.
    fn near_entry(&self, row: usize, column: usize) -> Complex64 {
        let mut joints = self.joints.iter();
        let own = joints.find(|joint| joint.equations.contains(&row));
        own.map_or(Complex64::ZERO, |joint| {
            self.near
                .entry(joint.first + row - joint.equations.start, column)
        })
    }

    /// Puts the equations together from their parts.
    fn join(&self, parts: &[Complex64], y: &mut [Complex64]) {
        for joint in &self.joints {
            let own = &mut y[joint.equations.clone()];
            let (staying, rest) = parts[joint.first..].split_at(own.len());
            own.copy_from_slice(staying);
            if let Some((number, multiplier)) = &joint.lifted {
                self.curves[*number].add(multiplier, &rest[..own.len()], own);
            }
        }
    }
}

impl Operator for MlfmaOperator<'_> {
    fn size(&self) -> usize {
        self.system.size()
    }

    fn apply(&self, x: &[Complex64], y: &mut [Complex64]) {
        let mut parts = vec![Complex64::ZERO; self.parts.equations()];
        self.near.apply(x, &mut parts);
        for medium in &self.media {
            let (monopoles, dipoles): (Vec<Complex64>, Vec<Complex64>) =
                medium.sources(self.system, x);
            let fields = medium.multipole.fields(&monopoles, &dipoles);
            let ratio = medium.wavenumber / self.system.wavenumber;
            for row in self.parts.rows() {
                if medium.body.is_some_and(|own| own != row.body) {
                    continue;
                }
                let (first, second) = (row.kind.first, ratio * row.kind.second);
                parts[row.numbers]
                    .par_iter_mut()
                    .zip(row.nodes)
                    .with_min_len(1024)
                    .for_each(|(y, node)| {
                        let [field, slope] = fields[medium.place(node)];
                        *y += first * field + second * slope;
                    });
            }
        }
        self.join(&parts, y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{Bodies, Fineness};
    use crate::nystrom;
    use crate::spec::Spec;
    use wavefield_numerics::observe::Silent;
    use wavefield_physics::exact::cylinder::Polarisation;

    /// Conductors with corners, an open strip, a surface impedance and a dielectric, a few wavelengths apart.
    fn bodies() -> Spec {
        let text = r#"
            frequency = "300 MHz"
            bodies = [
                { geometry = { shape = "polygon", points = [["-7 m", "-2 m"], ["7 m", "-2 m"], ["7 m", "1 m"], ["-7 m", "1 m"]] }, material = "pec" },
                { geometry = { shape = "strip", points = [["-3 m", "9 m"], ["3 m", "10 m"]] }, material = "pec" },
                { geometry = { shape = "circle", radius = "3 m", center = ["14 m", "4 m"] }, material = { surface_impedance = [0.3, 0.2] } },
                { geometry = { shape = "ellipse", semi_axes = ["6 m", "2 m"], center = ["-16 m", "2 m"] }, material = { permittivity = 3.0 } },
            ]
            excitation = { kind = "plane-wave", phi = "180 deg", polarization = "both" }
            observation = { kind = "monostatic" }
            mom2d.method = { kind = "nystrom", grading = 8, points_per_wavelength = 10.0 }
        "#;
        toml::from_str(text).unwrap()
    }

    #[test]
    fn products_are_those_of_the_matrix() {
        let bodies = Bodies {
            spec: bodies(),
            contours: Vec::new(),
        };
        for polarisation in [Polarisation::Tm, Polarisation::Te] {
            let system = bodies
                .system(300e6, polarisation, Fineness::AS_ASKED)
                .unwrap();
            let matrix = nystrom::fill(&system, &Silent).unwrap();
            let operator = MlfmaOperator::new(&system, 7.0, &Silent).unwrap();
            let x: Vec<Complex64> = (0..system.size())
                .map(|i| Complex64::new((0.7 * i as f64).sin(), (1.3 * i as f64).cos()))
                .collect();
            let mut exact = vec![Complex64::ZERO; x.len()];
            let mut found = exact.clone();
            matrix.apply(&x, &mut exact);
            operator.apply(&x, &mut found);
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
