//! Multilevel fast multipole algorithm (MLFMA): matrix–vector products in O(N log N). Far-field interactions are evaluated by
//! aggregation, translation, and disaggregation of plane waves, near-field interactions directly.

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

/// Estimates the memory of matrix–vector products, bytes: phases of nodes in the directions of a leaf, near entries of both
/// equations, and waves of all levels.
pub(crate) fn memory(unknowns: usize, digits: f64) -> usize {
    let directions = 2 * (14 + (4.3 * digits.powf(2.0 / 3.0)) as usize) + 2;
    let levels = 2 * unknowns.max(2).ilog2() as usize;
    size_of::<Complex64>() * unknowns * (directions + 200 + 2 * levels)
}

/// Matrix of the locally corrected Nyström method as an operator. On smooth curves the two equations of the CFIE are combined
/// as in `arc.rs`.
pub(crate) struct MlfmaOperator<'a> {
    system: &'a System,
    media: Vec<Medium>,
    curves: Vec<Curve>,
    /// Equations before they are combined: two per node on curves with a multiplier.
    parts: System,
    near: Sparse,
    /// Positions of the equations of each body among the parts, and the multipliers of the parts that follow them.
    joints: Vec<Joint>,
}

/// Equations of a body, or of one kind on it.
struct Joint {
    /// Indices of the equations.
    equations: Range<usize>,
    /// First of their parts.
    first: usize,
    /// Curve and multiplier of the multiplied parts, which follow.
    lifted: Option<(usize, Multiplier)>,
}

impl<'a> MlfmaOperator<'a> {
    /// Creates the operator for a number of digits of the far field.
    ///
    /// # Errors
    /// A special function is undefined, or the run was cancelled.
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

    /// Returns the right-hand sides of the combined equations; `right` writes those of the parts.
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

    /// Returns the entry of an unmultiplied part, by the index of its equation.
    fn near_entry(&self, row: usize, column: usize) -> Complex64 {
        let mut joints = self.joints.iter();
        let own = joints.find(|joint| joint.equations.contains(&row));
        own.map_or(Complex64::ZERO, |joint| {
            self.near
                .entry(joint.first + row - joint.equations.start, column)
        })
    }

    /// Combines the equations from their parts.
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
                        let [field, derivative] = fields[medium.place(node)];
                        *y += first * field + second * derivative;
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
    use wavefield_physics::exact::cylinder::Polarization;

    /// Returns a conductor with corners, an open strip, a surface impedance, and a dielectric, a few wavelengths apart.
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
            memory: usize::MAX,
        };
        for polarization in [Polarization::Tm, Polarization::Te] {
            let system = bodies
                .system(300e6, polarization, Fineness::AS_ASKED)
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
                "{polarization:?}: {error:e}, {} unknowns",
                x.len()
            );
        }
    }
}
