//! Scripts that make Gmsh fill simple domains with tetrahedra.
//!
//! This crate starts no process: it writes the text of a `.geo` script (OpenCASCADE kernel), somebody else
//! runs `gmsh -3 domain.geo -o domain.msh -format msh41`, and [`read_msh`](crate::read_msh) reads what comes
//! out. A Gmsh script can run any command of the system, so nothing from a problem file enters the script
//! except finite numbers and names made of letters, digits and a few harmless signs.

use std::fmt::Write;

use thiserror::Error;

/// A solid with a formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solid {
    /// All points closer to the centre than the radius.
    Sphere {
        /// The centre.
        centre: [f64; 3],
        /// The radius.
        radius: f64,
    },
    /// A box with sides along the axes.
    Cuboid {
        /// The corner with the smallest coordinates.
        corner: [f64; 3],
        /// The lengths along x, y and z.
        size: [f64; 3],
    },
    /// A circular cylinder.
    Cylinder {
        /// The centre of one end.
        base: [f64; 3],
        /// The vector from the centre of one end to that of the other.
        axis: [f64; 3],
        /// The radius.
        radius: f64,
    },
}

/// What becomes of the inside of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interior {
    /// It is filled with tetrahedra that form the volume group of this name, as for a dielectric.
    Meshed {
        /// The name of the volume group.
        volume: String,
    },
    /// It is left empty, as for a perfect conductor.
    Hollow,
}

/// A body inside the domain, which it must not touch; bodies must not touch each other either.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Its shape.
    pub solid: Solid,
    /// Its inside.
    pub interior: Interior,
    /// The name of the surface group on its skin.
    pub surface: String,
    /// The length of edges on and in it.
    pub edge: f64,
}

/// A solid domain, with bodies inside.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    /// The shape of the whole.
    pub solid: Solid,
    /// The name of the volume group of what is not inside a body.
    pub volume: String,
    /// The name of the surface group on the outside.
    pub surface: String,
    /// The length of edges on the outside.
    pub edge: f64,
    /// The bodies inside.
    pub bodies: Vec<Body>,
}

/// Why no script can be written.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ScriptError {
    /// A name holds a sign that is not allowed.
    #[error(
        "the group name {name:?} cannot be used: it must have 1 to 64 letters, digits, spaces or _ - + . and begin with a letter"
    )]
    Name {
        /// The name.
        name: String,
    },
    /// A length is not positive and finite.
    #[error("{what} is {value}, but it must be positive and finite")]
    Length {
        /// Which length.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A coordinate is infinite or not a number.
    #[error("a coordinate is {value}, but it must be finite")]
    Coordinate {
        /// Its value.
        value: f64,
    },
    /// Two groups have the same name, so that one could not be told from the other.
    #[error("the group name {name:?} is used twice")]
    DuplicateName {
        /// The name.
        name: String,
    },
}

/// The text of a Gmsh script that meshes the domain.
///
/// The outer solid is cut by the bodies so that neighbouring volumes share their points; every volume and
/// surface gets its physical group, and nothing outside a group is saved.
pub fn gmsh_script(domain: &Domain) -> Result<String, ScriptError> {
    check(domain)?;
    let mut script = String::new();
    // Writing to a String cannot fail, so the result of each line is dropped in one place.
    let mut line = |text: std::fmt::Arguments| {
        let _ = writeln!(script, "{text}");
    };
    line(format_args!("SetFactory(\"OpenCASCADE\");"));
    line(format_args!("{}", solid_command(1, &domain.solid)));
    for (tag, body) in (2..).zip(&domain.bodies) {
        line(format_args!("{}", solid_command(tag, &body.solid)));
    }
    let bodies = 2..2 + domain.bodies.len();
    let list = |tags: Vec<usize>| {
        let tags: Vec<String> = tags.iter().map(usize::to_string).collect();
        tags.join(", ")
    };
    let body_list = list(bodies.clone().collect());
    if domain.bodies.is_empty() {
        line(format_args!("rest() = {{1}};"));
    } else {
        // A body lies inside and is not cut, so it keeps its number; all other pieces are the rest.
        line(format_args!(
            "pieces() = BooleanFragments{{ Volume{{1}}; Delete; }}{{ Volume{{{body_list}}}; Delete; }};"
        ));
        line(format_args!("rest() = pieces();"));
        line(format_args!("rest() -= {{{body_list}}};"));
    }
    line(format_args!(
        "skin() = Abs(Boundary{{ Volume{{rest()}}; }});"
    ));
    for tag in bodies.clone() {
        line(format_args!(
            "body{tag}() = Abs(Boundary{{ Volume{{{tag}}}; }});"
        ));
        line(format_args!("skin() -= {{body{tag}()}};"));
    }
    line(format_args!(
        "MeshSize{{ PointsOf{{ Volume{{rest()}}; }} }} = {:e};",
        domain.edge
    ));
    for (tag, body) in bodies.clone().zip(&domain.bodies) {
        line(format_args!(
            "MeshSize{{ PointsOf{{ Surface{{body{tag}()}}; }} }} = {:e};",
            body.edge
        ));
    }
    let longest = (domain.bodies.iter()).fold(domain.edge, |longest, body| longest.max(body.edge));
    line(format_args!("Mesh.MeshSizeMax = {longest:e};"));
    line(format_args!(
        "Physical Volume(\"{}\", 1) = {{rest()}};",
        domain.volume
    ));
    line(format_args!(
        "Physical Surface(\"{}\", 1) = {{skin()}};",
        domain.surface
    ));
    for (tag, body) in bodies.zip(&domain.bodies) {
        line(format_args!(
            "Physical Surface(\"{}\", {tag}) = {{body{tag}()}};",
            body.surface
        ));
        match &body.interior {
            Interior::Meshed { volume } => {
                line(format_args!(
                    "Physical Volume(\"{volume}\", {tag}) = {{{tag}}};"
                ));
            }
            Interior::Hollow => line(format_args!("Delete {{ Volume{{{tag}}}; }}")),
        }
    }
    Ok(script)
}

fn solid_command(tag: usize, solid: &Solid) -> String {
    let numbers = |values: &[f64]| {
        let values: Vec<String> = values.iter().map(|v| format!("{v:e}")).collect();
        values.join(", ")
    };
    match *solid {
        Solid::Sphere {
            centre: [x, y, z],
            radius,
        } => format!("Sphere({tag}) = {{{}}};", numbers(&[x, y, z, radius])),
        Solid::Cuboid {
            corner: [x, y, z],
            size: [a, b, c],
        } => format!("Box({tag}) = {{{}}};", numbers(&[x, y, z, a, b, c])),
        Solid::Cylinder {
            base: [x, y, z],
            axis: [a, b, c],
            radius,
        } => format!(
            "Cylinder({tag}) = {{{}}};",
            numbers(&[x, y, z, a, b, c, radius])
        ),
    }
}

fn check(domain: &Domain) -> Result<(), ScriptError> {
    check_solid(&domain.solid)?;
    check_length("the edge length", domain.edge)?;
    let mut volumes = vec![&domain.volume];
    let mut surfaces = vec![&domain.surface];
    for body in &domain.bodies {
        check_solid(&body.solid)?;
        check_length("the edge length", body.edge)?;
        surfaces.push(&body.surface);
        if let Interior::Meshed { volume } = &body.interior {
            volumes.push(volume);
        }
    }
    for mut names in [volumes, surfaces] {
        for name in &names {
            check_name(name)?;
        }
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            let name = pair[0].clone();
            return Err(ScriptError::DuplicateName { name });
        }
    }
    Ok(())
}

/// Lets pass only what cannot end the quotation or be taken for a command.
fn check_name(name: &str) -> Result<(), ScriptError> {
    let harmless = |c: char| c.is_ascii_alphanumeric() || " _-+.".contains(c);
    let begins_well = name.starts_with(|c: char| c.is_ascii_alphabetic());
    if begins_well && name.len() <= 64 && name.chars().all(harmless) {
        return Ok(());
    }
    Err(ScriptError::Name {
        name: name.chars().take(80).collect(),
    })
}

fn check_length(what: &'static str, value: f64) -> Result<(), ScriptError> {
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err(ScriptError::Length { what, value })
    }
}

fn check_solid(solid: &Solid) -> Result<(), ScriptError> {
    let place = match *solid {
        Solid::Sphere { centre, radius } => {
            check_length("the radius", radius)?;
            centre
        }
        Solid::Cuboid { corner, size } => {
            for side in size {
                check_length("the side of a box", side)?;
            }
            corner
        }
        Solid::Cylinder { base, axis, radius } => {
            check_length("the radius", radius)?;
            check_length("the length of a cylinder", crate::vector::length(axis))?;
            base
        }
    };
    match place.into_iter().find(|c| !c.is_finite()) {
        Some(value) => Err(ScriptError::Coordinate { value }),
        None => Ok(()),
    }
}
