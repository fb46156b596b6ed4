//! Reflection of a plane wave by a facet: what leaves, and the currents that radiate it.
//!
//! On a perfect conductor E_r = −E + 2(n·E)n and ηJ = 2 n × (d × E), real and the same at all frequencies. A coat
//! reflects the parts of E across and along the plane of incidence, s = d × n/|d × n| and p = s × d, each by its
//! own Γ of the tangential field,
//!
//! E_r = Γ_TE (E·s) s − Γ_TM (E·p) s × d_r,
//!
//! and the outer face of the coat carries ηJ = n × (d × E + d_r × E_r) and M = (E + E_r) × n.

use std::sync::Arc;

use num_complex::Complex64;
use wavefield_physics::layers::Reflection;

use crate::coat::Coating;
use wavefield_numerics::vector::{cross, dot, norm, scaled, sub};

pub(crate) type ComplexVector = [Complex64; 3];

/// A field without its phase, for V and for H transmitted.
#[derive(Clone, Debug)]
pub(crate) enum Field {
    /// Of bodies that conduct everywhere.
    Real([[f64; 3]; 2]),
    /// Of coated bodies, frequency by frequency.
    Complex(Arc<[[ComplexVector; 2]]>),
}

/// Currents of a facet under such a field, halved.
#[derive(Clone, Debug)]
pub(crate) enum Currents {
    /// ηJ/2 = n × (d × E).
    Real([[f64; 3]; 2]),
    /// Frequency by frequency.
    Complex(Arc<[[Sheet; 2]]>),
}

/// Electric and magnetic current of one face.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sheet {
    /// ηJ/2.
    electric: ComplexVector,
    /// M/2.
    magnetic: ComplexVector,
}

impl Field {
    /// The field of the incident wave on a body.
    pub(crate) fn incident(transmitted: [[f64; 3]; 2], coating: &Coating) -> Field {
        if coating.is_bare() {
            return Field::Real(transmitted);
        }
        let field = transmitted.map(|field| field.map(Complex64::from));
        Field::Complex(vec![field; coating.frequencies()].into())
    }

    /// What a facet makes of a wave in direction d: its currents, and the field that leaves.
    pub(crate) fn reflect(
        &self,
        direction: [f64; 3],
        normal: [f64; 3],
        triangle: u32,
        coating: &Coating,
    ) -> (Currents, Field) {
        match self {
            Field::Complex(fields) => {
                let facet = Facet::new(direction, normal);
                let of_each = fields.iter().enumerate().map(|(frequency, fields)| {
                    let reflection = coating.reflection(triangle, facet.cosine, frequency);
                    fields.map(|field| facet.reflect(&field, &reflection))
                });
                let (sheets, left): (Vec<_>, Vec<_>) =
                    of_each.map(|[v, h]| ([v.0, h.0], [v.1, h.1])).unzip();
                (
                    Currents::Complex(sheets.into()),
                    Field::Complex(left.into()),
                )
            }
            Field::Real(fields) => (
                Currents::Real(fields.map(|field| cross(normal, cross(direction, field)))),
                Field::Real(fields.map(|field| scaled(mirrored(field, normal), -1.0))),
            ),
        }
    }
}

impl Currents {
    /// Half of r·(ηJ + M × ŝ) at a frequency, for V and H transmitted: what a receiver of polarisation r sees.
    pub(crate) fn seen(
        &self,
        frequency: usize,
        towards: [f64; 3],
        received: [f64; 3],
    ) -> [Complex64; 2] {
        match self {
            Currents::Real(currents) => currents.map(|current| dot(received, current).into()),
            Currents::Complex(sheets) => sheets[frequency].map(|sheet| {
                // r·(M × ŝ) = M·(ŝ × r).
                along(&sheet.electric, received) + along(&sheet.magnetic, cross(towards, received))
            }),
        }
    }
}

/// A facet as a wave meets it.
struct Facet {
    direction: [f64; 3],
    reflected: [f64; 3],
    normal: [f64; 3],
    /// Cosine of the angle of incidence.
    cosine: f64,
    /// Across the plane of incidence.
    across: [f64; 3],
}

impl Facet {
    fn new(direction: [f64; 3], normal: [f64; 3]) -> Facet {
        let side = cross(direction, normal);
        // At the normal any plane will do.
        let side = if norm(side) > 1e-9 {
            side
        } else {
            let least = (0..3).min_by(|&a, &b| normal[a].abs().total_cmp(&normal[b].abs()));
            let mut axis = [0.0; 3];
            axis[least.unwrap_or(0)] = 1.0;
            cross(axis, normal)
        };
        Facet {
            direction,
            reflected: mirrored(direction, normal),
            normal,
            cosine: -dot(direction, normal),
            across: scaled(side, 1.0 / norm(side)),
        }
    }

    fn reflect(&self, field: &ComplexVector, reflection: &Reflection) -> (Sheet, ComplexVector) {
        let across = along(field, self.across) * reflection.te;
        let within = along(field, cross(self.across, self.direction)) * -reflection.tm;
        let beside = cross(self.across, self.reflected);
        let left: ComplexVector =
            [0, 1, 2].map(|axis| across * self.across[axis] + within * beside[axis]);
        // n × (d × E) = d (n·E) − E (n·d).
        let magnetic_part = |direction: [f64; 3], field: &ComplexVector| {
            let (raised, steep) = (along(field, self.normal), dot(self.normal, direction));
            [0, 1, 2].map(|axis| raised * direction[axis] - field[axis] * steep)
        };
        let came = magnetic_part(self.direction, field);
        let leaves = magnetic_part(self.reflected, &left);
        let total: ComplexVector = [0, 1, 2].map(|axis| field[axis] + left[axis]);
        let n = self.normal;
        let sheet = Sheet {
            electric: [0, 1, 2].map(|axis| 0.5 * (came[axis] + leaves[axis])),
            magnetic: [(1, 2), (2, 0), (0, 1)]
                .map(|(i, j)| 0.5 * (total[i] * n[j] - total[j] * n[i])),
        };
        (sheet, left)
    }
}

/// A vector mirrored at a plane.
pub(crate) fn mirrored(v: [f64; 3], normal: [f64; 3]) -> [f64; 3] {
    sub(v, scaled(normal, 2.0 * dot(v, normal)))
}

/// The component of a complex vector along a real one.
fn along(field: &ComplexVector, direction: [f64; 3]) -> Complex64 {
    field[0] * direction[0] + field[1] * direction[1] + field[2] * direction[2]
}
