//! Range of validity of each method: by theory, and as measured along the cut.

use super::candidate::Candidate;
use super::figures::{symbol, with_unit};
use super::measure::stretches;
use super::rows::{Rows, format_label};
use crate::outcome::{Column, Validity};

/// Maximum number of intervals that are listed.
const MAX_STRETCHES: usize = 4;

/// Returns the range of validity of every result.
pub(super) fn of_all(candidates: &[Candidate], reference: usize, rows: &Rows) -> Vec<Validity> {
    (candidates.iter().enumerate())
        .map(|(number, candidate)| Validity {
            name: candidate.label.clone(),
            by_theory: by_theory(&candidate.solver).to_owned(),
            measured: if number == reference {
                "Reference.".to_owned()
            } else {
                measured(number, reference, rows)
            },
        })
        .collect()
}

/// Returns the theoretical range of validity of a solver.
fn by_theory(solver: &str) -> &'static str {
    match solver {
        "exact" => {
            "Unrestricted, to rounding: the boundary conditions are satisfied by every term of the series."
        }
        "sbr" => {
            "Electrically large bodies with faces several wavelengths wide, dominated by specular reflections. Creeping waves, \
             traveling waves, and resonances are not modeled, nor is diffraction into shadows finer than a Fresnel zone."
        }
        "dgtd" => {
            "Any body that the mesh resolves, over the bandwidth of the pulse. The error decreases with edge length and order; \
             high-Q resonances need long runs, thin wires and gaps need small tetrahedra."
        }
        "mom3d" => {
            "Conductors with edge lengths of about λ/10: the only errors are those of the mesh and the basis functions. \
             The error decreases with the square of the edge length, more slowly at sharp edges and tips; the CFIE is free \
             of interior resonances."
        }
        "mom2d" => {
            "Infinite cylinders of any cross section. The error decreases with the number of unknowns to rounding, more slowly at \
             corners and edges; the CFIE is free of interior resonances."
        }
        _ => "Unknown: external data.",
    }
}

/// Returns where a result is within 1 dB of the reference along the first cut.
fn measured(number: usize, reference: usize, rows: &Rows) -> String {
    let (Some(along), Some(at)) = (rows.keys.last(), rows.coordinates.last()) else {
        return String::new();
    };
    let cut = rows.first_cut().max(1);
    let sentences: Vec<String> = (rows.quantities.iter().zip(&rows.values))
        .filter_map(|(quantity, values)| {
            let (found, wanted) = (values[number].as_ref()?, values[reference].as_ref()?);
            let name = format_label(&quantity.name);
            if rows.noise_of(number, quantity).is_some() {
                return Some(format!("{name} is at noise level."));
            }
            let stretches = stretches(&at[..cut], &found[..cut], &wanted[..cut]);
            Some(match &stretches[..] {
                [] => format!("{name} is nowhere within 1 dB."),
                [(first, last)] if (*first, *last) == (at[0], at[cut - 1]) => {
                    format!("{name} is within 1 dB everywhere.")
                }
                few if few.len() <= MAX_STRETCHES => {
                    format!("{name} is within 1 dB at {}.", listed(few, along))
                }
                many => format!(
                    "{name} is within 1 dB in {} intervals, the widest at {}.",
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
