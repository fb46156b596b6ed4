//! Reflection of a plane wave from planar layers on a backing.
//!
//! At angle of incidence θ, each medium has the normal wavenumber κ = √(εµ − sin²θ) in units of k. At the
//! interface from medium 1 to medium 2 the tangential E has the Fresnel reflection coefficient
//!
//! r = (µ₂κ₁ − µ₁κ₂)/(µ₂κ₁ + µ₁κ₂) for TE (E normal to the plane of incidence),
//! r = (ε₁κ₂ − ε₂κ₁)/(ε₁κ₂ + ε₂κ₁) for TM (H normal to it),
//!
//! and −1 at a PEC. A layer of thickness d on a structure with reflection coefficient Γ gives
//!
//! Γ′ = (r + Γe^{−2jkκd})/(1 + rΓe^{−2jkκd}).
//!
//! M. Born, E. Wolf, Principles of Optics, §1.6. The exponential decays, so the recursion is stable for thick
//! layers.

use num_complex::Complex64;

use crate::constants::vacuum_wavenumber;
use crate::exact::sphere::Core;
use crate::medium::{Medium, passive_root};

/// A planar layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneLayer {
    /// Thickness, in m.
    pub thickness: f64,
    /// Medium of the layer.
    pub medium: Medium,
}

/// Planar layers on a backing.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaneLayers {
    /// Layers from the backing outward.
    pub layers: Vec<PlaneLayer>,
    /// Half-space behind the layers: a PEC or a medium.
    pub backing: Core,
}

/// Reflection coefficients of the tangential E.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reflection {
    /// TE: E normal to the plane of incidence.
    pub te: Complex64,
    /// TM: H normal to the plane of incidence.
    pub tm: Complex64,
}

impl PlaneLayers {
    /// A bare PEC.
    pub const CONDUCTOR: PlaneLayers = PlaneLayers {
        layers: Vec::new(),
        backing: Core::Pec,
    };

    /// Returns the reflection coefficients for incidence from vacuum at an angle with this cosine, at a frequency
    /// in Hz.
    pub fn reflection(&self, cosine: f64, frequency: f64) -> Reflection {
        let k = vacuum_wavenumber(frequency);
        let sine_squared = (1.0 - cosine * cosine).max(0.0);
        let medium = |number: usize| {
            let layer = self.layers.get(number);
            layer.map_or(Medium::VACUUM, |layer| layer.medium)
        };
        // Γ of the layers so far, referred to the medium outside them.
        let mut seen = match self.backing {
            Core::Pec => [Complex64::from(-1.0); 2],
            Core::Medium(backing) => interface(&medium(0), &backing, sine_squared),
        };
        for (number, layer) in self.layers.iter().enumerate() {
            let kappa = normal_wavenumber(&layer.medium, sine_squared);
            let there_and_back = (Complex64::new(0.0, -2.0 * k * layer.thickness) * kappa).exp();
            let surfaces = interface(&medium(number + 1), &layer.medium, sine_squared);
            for (seen, r) in seen.iter_mut().zip(surfaces) {
                let below = *seen * there_and_back;
                *seen = (r + below) / (1.0 + r * below);
            }
        }
        let [te, tm] = seen;
        Reflection { te, tm }
    }
}

/// Returns the Fresnel coefficients [TE, TM] from one medium into the next.
fn interface(outside: &Medium, inside: &Medium, sine_squared: f64) -> [Complex64; 2] {
    let [one, two] = [outside, inside].map(|medium| normal_wavenumber(medium, sine_squared));
    let of = |a: Complex64, b: Complex64| {
        let sum = a + b;
        // Grazing incidence between identical media.
        if sum == Complex64::ZERO {
            Complex64::ZERO
        } else {
            (a - b) / sum
        }
    };
    [
        of(inside.permeability * one, outside.permeability * two),
        of(outside.permittivity * two, inside.permittivity * one),
    ]
}

/// Returns κ = √(εµ − sin²θ) on the branch of a wave that decays or carries power inward.
fn normal_wavenumber(medium: &Medium, sine_squared: f64) -> Complex64 {
    let index = medium.refractive_index();
    let root = passive_root(index * index - sine_squared);
    // Without loss the sign is that of the refractive index.
    if root.im == 0.0 && index.re < 0.0 {
        -root
    } else {
        root
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREQUENCY: f64 = 1e10;

    fn medium(permittivity: (f64, f64), permeability: (f64, f64)) -> Medium {
        Medium {
            permittivity: Complex64::new(permittivity.0, permittivity.1),
            permeability: Complex64::new(permeability.0, permeability.1),
        }
    }

    fn on_metal(layers: &[(f64, Medium)]) -> PlaneLayers {
        PlaneLayers {
            layers: layers
                .iter()
                .map(|&(thickness, medium)| PlaneLayer { thickness, medium })
                .collect(),
            backing: Core::Pec,
        }
    }

    fn distance(a: Reflection, b: Reflection) -> f64 {
        (a.te - b.te).norm().max((a.tm - b.tm).norm())
    }

    #[test]
    fn a_layer_on_metal_is_a_shorted_line() {
        // Z_in = jZ tan(kκd) with Z = µ/κ or κ/ε, relative to 1/cos θ or cos θ.
        let magram = medium((16.9, -0.337), (1.45, -1.73));
        let (thickness, k) = (1.5e-3, vacuum_wavenumber(FREQUENCY));
        for degrees in [0.0_f64, 20.0, 60.0, 85.0] {
            let cosine = degrees.to_radians().cos();
            let found = on_metal(&[(thickness, magram)]).reflection(cosine, FREQUENCY);
            let index = magram.refractive_index();
            let kappa = (index * index - (1.0 - cosine * cosine)).sqrt();
            let tangent = Complex64::I * (kappa * k * thickness).tan();
            let reflected = |z: Complex64, of_vacuum: f64| (z - of_vacuum) / (z + of_vacuum);
            let wanted = Reflection {
                te: reflected(magram.permeability / kappa * tangent, 1.0 / cosine),
                tm: reflected(kappa / magram.permittivity * tangent, cosine),
            };
            assert!(
                distance(found, wanted) < 1e-13,
                "{degrees} {found:?} {wanted:?}"
            );
        }
    }

    #[test]
    fn a_divided_layer_is_the_same_layer() {
        let lossy = medium((4.0, -1.0), (1.2, -0.1));
        let whole = on_metal(&[(3e-3, lossy)]).reflection(0.6, FREQUENCY);
        let divided = on_metal(&[(1e-3, lossy), (2e-3, lossy)]).reflection(0.6, FREQUENCY);
        assert!(distance(whole, divided) < 1e-14);
        let nothing = on_metal(&[(1e-3, Medium::VACUUM)]).reflection(0.6, FREQUENCY);
        let moved = -Complex64::cis(-2.0 * vacuum_wavenumber(FREQUENCY) * 1e-3 * 0.6);
        assert!((nothing.te - moved).norm() < 1e-14 && (nothing.tm - moved).norm() < 1e-14);
    }

    #[test]
    fn half_spaces_reflect_by_fresnel() {
        let glass = PlaneLayers {
            layers: Vec::new(),
            backing: Core::Medium(medium((2.25, 0.0), (1.0, 0.0))),
        };
        let normal = glass.reflection(1.0, FREQUENCY);
        assert!((normal.te + 0.2).norm() < 1e-15 && (normal.tm + 0.2).norm() < 1e-15);
        // No TM reflection at Brewster's angle, tan θ = 1.5.
        let brewster = glass.reflection(1.0 / (1.0 + 2.25_f64).sqrt(), FREQUENCY);
        assert!(brewster.tm.norm() < 1e-15 && brewster.te.norm() > 0.3);
        // A thick lossy layer hides the backing.
        let lossy = medium((2.25, -0.5), (1.0, 0.0));
        let thick = on_metal(&[(1e3, lossy)]).reflection(0.3, FREQUENCY);
        let endless = PlaneLayers {
            layers: Vec::new(),
            backing: Core::Medium(lossy),
        };
        assert!(distance(thick, endless.reflection(0.3, FREQUENCY)) < 1e-14);
    }

    #[test]
    fn passive_layers_create_no_energy() {
        let media = [
            medium((-3.0, -0.1), (1.0, 0.0)),
            medium((-3.0, 0.0), (-1.5, 0.0)),
            medium((1.0, 0.0), (0.3, -2.0)),
        ];
        for first in media {
            for second in media {
                for backing in [Core::Pec, Core::Medium(media[2])] {
                    for cosine in [0.0, 1e-6, 0.3, 1.0] {
                        let layers = PlaneLayers {
                            backing,
                            ..on_metal(&[(2e-3, first), (4e-3, second)])
                        };
                        let found = layers.reflection(cosine, FREQUENCY);
                        for r in [found.te, found.tm] {
                            assert!(r.norm() <= 1.0 + 1e-12, "{layers:?} {cosine} {r}");
                        }
                    }
                }
            }
        }
    }
}
