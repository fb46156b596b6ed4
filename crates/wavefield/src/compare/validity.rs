//! Where each method holds: by its theory, and as it was found along the cut.

use super::entrant::Entrant;
use super::figures::{symbol, with_unit};
use super::measure::stretches;
use super::rows::{Rows, spoken};
use crate::outcome::{Column, Validity};

/// More stretches than these are only counted.
const MOST_STRETCHES: usize = 4;

/// What can be said of every result.
pub(super) fn of_all(entrants: &[Entrant], judge: usize, rows: &Rows) -> Vec<Validity> {
    (entrants.iter().enumerate())
        .map(|(number, entrant)| Validity {
            name: entrant.name.clone(),
            by_theory: by_theory(&entrant.solver).to_owned(),
            measured: if number == judge {
                "The others are held against it.".to_owned()
            } else {
                measured(number, judge, rows)
            },
        })
        .collect()
}

/// What a solver can do at all.
fn by_theory(solver: &str) -> &'static str {
    match solver {
        "exact" => "Everywhere, to rounding: the boundary conditions are met term by term.",
        "sbr" => {
            "Bodies whose faces are several wavelengths wide, where reflections dominate. Waves that creep around a body, \
             travel along it or ring in it are missing, and so are shadows finer than a Fresnel zone."
        }
        "dgtd" => {
            "Any body that the mesh resolves, at every frequency of the pulse. The error falls with edge length and order; \
             sharp resonances need long runs, thin wires and gaps small tetrahedra."
        }
        "mom3d" => {
            "Conductors whose triangles are a tenth of a wavelength or so: nothing but the mesh and the functions on it is \
             approximated. The error falls with the square of the edge length, slower at sharp edges and tips; the combined \
             equation has no resonances of its own."
        }
        "mom2d" => {
            "Infinite cylinders of any section. The error falls with the number of unknowns down to rounding, slower at \
             corners and edges; the combined equation has no resonances of its own."
        }
        _ => "Not known: numbers from elsewhere.",
    }
}

/// Where it is within a decibel of the reference, along the first cut.
fn measured(number: usize, judge: usize, rows: &Rows) -> String {
    let (Some(along), Some(at)) = (rows.keys.last(), rows.coordinates.last()) else {
        return String::new();
    };
    let cut = rows.first_cut().max(1);
    let sentences: Vec<String> = (rows.quantities.iter().zip(&rows.values))
        .filter_map(|(quantity, values)| {
            let (found, wanted) = (values[number].as_ref()?, values[judge].as_ref()?);
            let stretches = stretches(&at[..cut], &found[..cut], &wanted[..cut]);
            let name = spoken(&quantity.name);
            Some(match &stretches[..] {
                [] => format!("{name} is nowhere within 1 dB."),
                [(first, last)] if (*first, *last) == (at[0], at[cut - 1]) => {
                    format!("{name} is within 1 dB everywhere.")
                }
                few if few.len() <= MOST_STRETCHES => {
                    format!("{name} is within 1 dB at {}.", listed(few, along))
                }
                many => format!(
                    "{name} is within 1 dB in {} stretches, the widest at {}.",
                    many.len(),
                    listed(&[widest(many)], along)
                ),
            })
        })
        .collect();
    sentences.join(" ")
}

fn widest(stretches: &[(f64, f64)]) -> (f64, f64) {
    let width = |(first, last): &(f64, f64)| last - first;
    (stretches.iter().copied())
        .max_by(|a, b| width(a).total_cmp(&width(b)))
        .unwrap_or_default()
}

fn listed(stretches: &[(f64, f64)], along: &Column) -> String {
    let each: Vec<String> = (stretches.iter())
        .map(|&(first, last)| {
            let from = with_unit(along, first);
            if first == last {
                from
            } else {
                format!("{from} to {}", with_unit(along, last))
            }
        })
        .collect();
    format!("{} = {}", symbol(&along.name), each.join(", "))
}
