//! Bodies in open space, meshed by Gmsh, and what the names in that mesh mean to the solver.

use std::f64::consts::PI;

use crate::{DomainSpec, Filling, NamedFilling, Shape, SolidMaterial, Spec, SurfaceKind};
use wavefield_mesh::gmsh::{
    Body, Domain, Enclosure, Faces, HUYGENS, Huygens, Interior, LAYER, Layer, OUTER,
};
use wavefield_mesh::primitive::{HelixAntenna, WireSection};
use wavefield_mesh::{TetrahedralMesh, TriangleMesh, primitive};
use wavefield_numerics::observe::{Observer, Progress};
use wavefield_numerics::vector::{cross, dot, norm, scaled};
use wavefield_physics::quantity::{Frequency, Length};

use wavefield_solver::{Error, Inputs};

use crate::mesh_size;

/// Surfaces of a helical antenna.
const WIRE: &str = "wire";
const GROUND: &str = "ground";
const FEED: &str = "feed";

/// The mesh of a domain, and the problem with every volume and surface named.
pub(crate) fn meshed(
    spec: &Spec,
    asked: &DomainSpec,
    inputs: &dyn Inputs,
    observer: &dyn Observer,
) -> Result<(Spec, TetrahedralMesh), Error> {
    let frequencies =
        (spec.frequency.values()).map_err(|error| Error::input(format!("`frequency`: {error}")))?;
    let highest = frequencies.iter().map(|f| f.0).fold(0.0, f64::max);
    let wavelength = Frequency(highest).wavelength();
    let metres = |what: &str, length: Length| {
        let metres = length.metres(wavelength);
        if metres > 0.0 && metres.is_finite() {
            return Ok(metres);
        }
        Err(Error::input(format!(
            "`domain.{what}` must be positive, not {metres} m"
        )))
    };
    let edge = metres("edge", asked.edge)?;
    let mut named = spec.clone();
    let mut bodies = Vec::new();
    for body in &asked.bodies {
        let interior = match body.material {
            SolidMaterial::Conductor(_) => {
                named.surfaces.insert(body.name.clone(), SurfaceKind::Pec);
                Interior::Hollow
            }
            SolidMaterial::Medium(constants) => {
                named
                    .volumes
                    .insert(body.name.clone(), Filling::Medium(constants));
                Interior::Meshed {
                    volume: body.name.clone(),
                }
            }
        };
        bodies.push(Body {
            skin: skin(
                &body.shape,
                metres("bodies.edge", body.edge)?,
                &metres,
                inputs,
            )?,
            surface: body.name.clone(),
            interior,
        });
    }
    let mut sheets = Vec::new();
    if let Some(helix) = &asked.helix {
        let antenna = HelixAntenna {
            radius: metres("helix.radius", helix.radius)?,
            pitch: metres("helix.pitch", helix.pitch)?,
            turns: helix.turns,
            section: WireSection::Square {
                width: metres("helix.width", helix.width)?,
            },
            gap: metres("helix.gap", helix.gap)?,
            ground_radius: metres("helix.ground_radius", helix.ground_radius)?,
            edge: metres("helix.edge", helix.edge)?,
            ground_edge: metres("helix.ground_edge", helix.ground_edge)?,
        };
        let surfaces = primitive::helix_antenna(&antenna)
            .map_err(|error| Error::input(format!("`domain.helix`: {error}")))?;
        bodies.push(Body {
            skin: surfaces.wire,
            surface: WIRE.to_owned(),
            interior: Interior::Hollow,
        });
        sheets.push(surfaces.sheet);
        for conductor in [WIRE, GROUND] {
            (named.surfaces).insert(conductor.to_owned(), SurfaceKind::Pec);
        }
        (named.surfaces).insert(FEED.to_owned(), SurfaceKind::Transparent);
    }
    let around = match (bodies.is_empty(), asked.size) {
        (false, None) => Enclosure::BoxAround {
            margin: metres("margin", asked.margin)?,
        },
        (true, Some([x, y, z])) => {
            let size = [metres("size", x)?, metres("size", y)?, metres("size", z)?];
            Enclosure::Box {
                corner: size.map(|side| -0.5 * side),
                size,
            }
        }
        (true, None) => {
            return Err(Error::input(
                "`domain` has no bodies and no helix; say its `size` then".to_owned(),
            ));
        }
        (false, Some(_)) => {
            return Err(Error::input(
                "`domain.size` is for a domain without bodies; with bodies use `margin`".to_owned(),
            ));
        }
    };
    let domain = Domain {
        bodies,
        sheets,
        huygens: Some(Huygens {
            shape: around,
            edge,
        }),
        air: Enclosure::BoxAround {
            margin: metres("gap", asked.gap)?,
        },
        air_edge: edge,
        layer: Some(Layer {
            thickness: metres("layer", asked.layer)?,
            edge: metres("layer_edge", asked.layer_edge.unwrap_or(asked.edge))?,
        }),
        faces: Faces::Together,
    };
    named
        .surfaces
        .insert(HUYGENS.to_owned(), SurfaceKind::Huygens);
    named.surfaces.insert(OUTER.to_owned(), SurfaceKind::Pec);
    named
        .volumes
        .insert(LAYER.to_owned(), Filling::Named(NamedFilling::Absorber));
    mesh_size::check(&domain)?;
    observer.progress(&Progress::new("mesh", 0, 1));
    let mesh = inputs.tetrahedra(&domain, observer)?;
    observer.progress(&Progress::new("mesh", 1, 1));
    Ok((named, mesh))
}

/// The surface of a body in triangles.
fn skin(
    shape: &Shape,
    edge: f64,
    metres: &dyn Fn(&str, Length) -> Result<f64, Error>,
    inputs: &dyn Inputs,
) -> Result<TriangleMesh, Error> {
    let made = match shape {
        Shape::Sphere(sphere) => {
            let radius = metres("bodies.radius", sphere.radius)?;
            primitive::sphere(radius, edge).map(|skin| of_sectors(skin, radius))
        }
        Shape::Cuboid(cuboid) => {
            let [x, y, z] = cuboid.size;
            let side = |length| metres("bodies.size", length);
            primitive::cuboid([side(x)?, side(y)?, side(z)?], edge)
        }
        Shape::Cylinder(cylinder) => {
            let radius = metres("bodies.radius", cylinder.radius)?;
            let length = metres("bodies.length", cylinder.length)?;
            primitive::cylinder(radius, length, edge)
                .map(|skin| of_volume(skin, PI * radius * radius * length, &[0, 1]))
        }
        Shape::Almond(almond) => {
            let length = metres("bodies.length", almond.length)?;
            primitive::almond(length, edge)
                .map(|skin| of_volume(skin, primitive::almond_volume(length), &[1, 2]))
        }
        Shape::Surface(surface) => return inputs.surface(&surface.mesh),
    };
    made.map_err(|error| Error::input(format!("`domain.bodies`: {error}")))
}

/// Rounds in which [`of_sectors`] moves corners; three leave parts in ten thousand of what was to be moved.
const ROUNDS: usize = 8;

/// The skin of a sphere whose triangles around every corner hold as much as the sphere does under them.
///
/// Triangles that are larger cut off more: blown up as a whole, a sphere of them would be too thin where they are large,
/// over patches as wide as a wave, and its sharp resonances would split. Triangles themselves are too small to be seen.
fn of_sectors(mut skin: TriangleMesh, radius: f64) -> TriangleMesh {
    let sectors = sectors(&skin, radius);
    for _ in 0..ROUNDS {
        let held = under_corners(&skin, &sectors);
        for (point, [wanted, found]) in skin.points.iter_mut().zip(held) {
            *point = scaled(*point, (wanted / found).cbrt());
        }
    }
    skin
}

/// What a sphere holds under each triangle.
fn sectors(skin: &TriangleMesh, radius: f64) -> Vec<f64> {
    (skin.triangles.iter())
        .map(|corners| solid_angle(corners.map(|corner| skin.points[corner as usize])))
        .map(|angle| angle * radius.powi(3) / 3.0)
        .collect()
}

/// For every corner the sectors under the triangles around it, and what these hold themselves.
fn under_corners(skin: &TriangleMesh, sectors: &[f64]) -> Vec<[f64; 2]> {
    let mut held = vec![[0.0; 2]; skin.points.len()];
    for (corners, sector) in skin.triangles.iter().zip(sectors) {
        let [a, b, c] = corners.map(|corner| skin.points[corner as usize]);
        let volume = dot(a, cross(b, c)) / 6.0;
        for &corner in corners {
            held[corner as usize][0] += sector;
            held[corner as usize][1] += volume;
        }
    }
    held
}

/// The solid angle of a triangle seen from the origin: tan Ω/2 = a·(b×c) / (abc + (a·b)c + (b·c)a + (c·a)b).
///
/// A. van Oosterom, J. Strackee, IEEE Trans. Biomed. Eng. 30 (1983) 125–126.
fn solid_angle([a, b, c]: [[f64; 3]; 3]) -> f64 {
    let [la, lb, lc] = [a, b, c].map(norm);
    let below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    2.0 * dot(a, cross(b, c)).atan2(below)
}

/// A skin blown up to a volume along the axes in which it is round: flat triangles with their corners on a round body
/// leave part of it out, and scatter as a body of their own volume does.
fn of_volume(mut skin: TriangleMesh, volume: f64, round: &[usize]) -> TriangleMesh {
    let factor = (volume / skin.volume()).powf(1.0 / round.len() as f64);
    for point in &mut skin.points {
        for &axis in round {
            point[axis] *= factor;
        }
    }
    skin
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_of_a_sphere_hold_what_lies_under_them() {
        let radius = 0.3;
        let skin = primitive::sphere(radius, 0.07).unwrap();
        let shortfall = |skin: &TriangleMesh| -> f64 {
            let held = under_corners(skin, &sectors(skin, radius));
            let apart = held
                .iter()
                .map(|[wanted, found]| (found / wanted - 1.0).abs());
            apart.fold(0.0, f64::max)
        };
        let whole: f64 = (skin.triangles.iter())
            .map(|corners| solid_angle(corners.map(|corner| skin.points[corner as usize])))
            .sum();
        assert!((whole - 4.0 * PI).abs() < 1e-12);
        let volume = 4.0 / 3.0 * PI * radius.powi(3);
        let uniform = of_volume(skin.clone(), volume, &[0, 1, 2]);
        let sectors = of_sectors(skin, radius);
        println!("{} {}", shortfall(&uniform), shortfall(&sectors));
        assert!(shortfall(&sectors) < 0.05 * shortfall(&uniform));
        assert!((sectors.volume() / volume - 1.0).abs() < 1e-4);
    }
}
