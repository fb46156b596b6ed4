use super::domain::{HUYGENS, OUTER};
use super::{Domain, DomainError, Enclosure, Faces};
use crate::TriangleMesh;

/// Names of the faces of a box.
pub(super) const BOX_FACES: [&str; 6] = ["x-", "x+", "y-", "y+", "z-", "z+"];

/// Checks the names, lengths, and surfaces of a domain.
pub(super) fn check(domain: &Domain) -> Result<(), DomainError> {
    check_names(domain)?;
    check_lengths(domain)?;
    check_surfaces(domain)
}

fn check_names(domain: &Domain) -> Result<(), DomainError> {
    let mut surfaces = Vec::new();
    surfaces.extend(domain.huygens.as_ref().map(|_| HUYGENS));
    match (domain.faces, &domain.air) {
        (Faces::Apart, Enclosure::Surface(surface)) => {
            surfaces.extend(surface.groups.iter().map(|group| group.name.as_str()));
        }
        (Faces::Apart, Enclosure::BoxAround { .. } | Enclosure::Box { .. }) => {
            surfaces.extend(BOX_FACES);
        }
        _ => surfaces.push(OUTER),
    }
    for body in &domain.bodies {
        surfaces.push(&body.surface);
    }
    for sheet in &domain.sheets {
        surfaces.extend(sheet.groups.iter().map(|group| group.name.as_str()));
    }
    for mut names in [domain.volume_names(), surfaces] {
        for name in &names {
            check_name(name)?;
        }
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            let name = pair[0].into();
            return Err(DomainError::DuplicateName { name });
        }
    }
    Ok(())
}

/// Checks that a name cannot end a quoted string or be interpreted as a command.
fn check_name(name: &str) -> Result<(), DomainError> {
    let harmless = |c: char| c.is_ascii_alphanumeric() || " _-+.".contains(c);
    let begins_well = name.starts_with(|c: char| c.is_ascii_alphabetic());
    if begins_well && name.len() <= 64 && name.chars().all(harmless) {
        return Ok(());
    }
    Err(DomainError::Name {
        name: name.chars().take(80).collect(),
    })
}

fn check_lengths(domain: &Domain) -> Result<(), DomainError> {
    check_length("the edge length", domain.air_edge)?;
    check_enclosure(&domain.air)?;
    if let Some(huygens) = &domain.huygens {
        check_length("the edge length", huygens.edge)?;
        check_enclosure(&huygens.shape)?;
    }
    if let Some(layer) = &domain.layer {
        check_length("the edge length", layer.edge)?;
        check_length("the thickness of the PML", layer.thickness)?;
    }
    Ok(())
}

fn check_enclosure(enclosure: &Enclosure) -> Result<(), DomainError> {
    let place = match *enclosure {
        Enclosure::BoxAround { margin } | Enclosure::SphereAround { margin } => {
            return check_length("the margin", margin);
        }
        Enclosure::Box { corner, size } => {
            for side in size {
                check_length("the side of a box", side)?;
            }
            corner
        }
        Enclosure::Sphere { center, radius } => {
            check_length("the radius", radius)?;
            center
        }
        Enclosure::Surface(_) => return Ok(()),
    };
    match place.into_iter().find(|c| !c.is_finite()) {
        Some(value) => Err(DomainError::Coordinate { value }),
        None => Ok(()),
    }
}

/// Checks that a length is positive and finite.
pub(super) fn check_length(what: &'static str, value: f64) -> Result<(), DomainError> {
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err(DomainError::Length { what, value })
    }
}

fn check_surfaces(domain: &Domain) -> Result<(), DomainError> {
    for body in &domain.bodies {
        check_closed(&body.skin, &body.surface)?;
    }
    for (number, sheet) in (1..).zip(&domain.sheets) {
        sheet.validate()?;
        if sheet.triangles.is_empty() {
            return Err(DomainError::EmptySheet { number });
        }
    }
    let huygens = domain
        .huygens
        .as_ref()
        .map(|huygens| (&huygens.shape, HUYGENS));
    for (enclosure, name) in huygens.into_iter().chain([(&domain.air, OUTER)]) {
        if let Enclosure::Surface(surface) = enclosure {
            check_closed(surface, name)?;
        }
    }
    Ok(())
}

fn check_closed(surface: &TriangleMesh, name: &str) -> Result<(), DomainError> {
    surface.validate()?;
    let seen = surface.inspect();
    if seen.watertight {
        return Ok(());
    }
    Err(DomainError::NotClosed {
        name: name.into(),
        open: seen.open_edges,
        branching: seen.non_manifold_edges,
    })
}
