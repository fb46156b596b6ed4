//! Reflection of a plane wave by a facet: reflected field and surface currents (geometrical and physical optics).
//!
//! On a PEC, E_r = −E + 2(n·E)n and ηJ = 2 n × (d × E), real and independent of frequency. A coating reflects the
//! TE and TM components of E, along s = d × n/|d × n| and p = s × d, with their reflection coefficients Γ of the
//! tangential field,
//!
//! E_r = Γ_TE (E·s) s − Γ_TM (E·p) s × d_r,
//!
//! and the outer face of the coating carries ηJ = n × (d × E + d_r × E_r) and M = (E + E_r) × n.

use std::sync::Arc;

use num_complex::Complex64;
use wavefield_physics::layers::Reflection;

use crate::coating::Coating;
use wavefield_numerics::vector::{cross, dot, norm, scaled, sub};

pub(crate) type ComplexVector = [Complex64; 3];

/// Field without its phase, for V and for H transmitted.
#[derive(Clone, Debug)]
pub(crate) enum Field {
    /// Frequency-independent field on a PEC body.
    Real([[f64; 3]; 2]),
    /// Field on a coated body at each frequency.
    Complex(Arc<[[ComplexVector; 2]]>),
}

/// Half the surface currents of a facet under such a field.
#[derive(Clone, Debug)]
pub(crate) enum Currents {
    /// ηJ/2 = n × (d × E).
    Real([[f64; 3]; 2]),
    /// Currents at each frequency.
    Complex(Arc<[[Sheet; 2]]>),
}

/// Electric and magnetic surface currents of a face.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sheet {
    /// ηJ/2.
    electric: ComplexVector,
    /// M/2.
    magnetic: ComplexVector,
}

impl Field {
    /// Returns the incident field on a body.
    pub(crate) fn incident(transmitted: [[f64; 3]; 2], coating: &Coating) -> Field {
        if coating.is_bare() {
            return Field::Real(transmitted);
        }
        let field = transmitted.map(|field| field.map(Complex64::from));
        Field::Complex(vec![field; coating.frequencies()].into())
    }

    /// Returns the surface currents and the reflected field of a facet for a wave in direction d.
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
    /// Returns ½ r·(ηJ + M × ŝ) at a frequency, for V and H transmitted: the projection on the received
    /// polarization r.
    pub(crate) fn seen(
        &self,
        frequency: usize,
        toward: [f64; 3],
        received: [f64; 3],
    ) -> [Complex64; 2] {
        match self {
            Currents::Real(currents) => currents.map(|current| dot(received, current).into()),
            Currents::Complex(sheets) => sheets[frequency].map(|sheet| {
                // r·(M × ŝ) = M·(ŝ × r).
                along(&sheet.electric, received) + along(&sheet.magnetic, cross(toward, received))
            }),
        }
    }
}

/// Facet in the frame of the plane of incidence.
struct Facet {
    direction: [f64; 3],
    reflected: [f64; 3],
    normal: [f64; 3],
    /// Cosine of the angle of incidence.
    cosine: f64,
    /// Unit vector s normal to the plane of incidence.
    across: [f64; 3],
}

impl Facet {
    fn new(direction: [f64; 3], normal: [f64; 3]) -> Facet {
        let side = cross(direction, normal);
        // At normal incidence the plane of incidence is arbitrary.
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

/// Mirrors a vector at a plane.
pub(crate) fn mirrored(v: [f64; 3], normal: [f64; 3]) -> [f64; 3] {
    sub(v, scaled(normal, 2.0 * dot(v, normal)))
}

/// Returns the component of a complex vector along a real one.
fn along(field: &ComplexVector, direction: [f64; 3]) -> Complex64 {
    field[0] * direction[0] + field[1] * direction[1] + field[2] * direction[2]
}
