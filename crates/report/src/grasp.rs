//! Far fields as GRASP files: `.grd` on a grid of direction cosines, `.cut` along θ. The two components, co- and
//! cross-polar by Ludwig's third definition, are normalized to a total power of 4π, so that |E|² is the directivity.

use std::fmt::Write as _;

use num_complex::Complex64;

use wavefield_solver::outcome::{FieldCuts, FieldGrid, Outcome};

/// ICOMP: linear co- and cross-polar components (Ludwig 3).
const LUDWIG_3: usize = 3;
/// NCOMP: two components.
const COMPONENTS: usize = 2;
/// IGRID: grid of direction cosines (u, v).
const UV_GRID: usize = 1;
/// ICUT: cuts of constant φ.
const PHI_FIXED: usize = 1;

/// Returns the text of a `.grd` file; `None` if an array is missing.
pub fn grid(title: &str, grid: &FieldGrid, outcome: &Outcome) -> Option<String> {
    let [co, cross] = &grid.components;
    let array = outcome.array(co)?;
    let &[rows, columns] = array.shape.as_slice() else {
        return None;
    };
    let (co, cross) = (array.as_complex()?, outcome.array(cross)?.as_complex()?);
    let mut text = String::with_capacity(200 + 90 * co.len());
    let _ = writeln!(text, "{}", one_line(title));
    let _ = writeln!(text, "++++");
    // KTYPE; number of fields, components, and grid type; no offset of the grid.
    let _ = writeln!(text, "1");
    let _ = writeln!(text, "1 {LUDWIG_3} {COMPONENTS} {UV_GRID}");
    let _ = writeln!(text, "0 0");
    let corners = [grid.u.0, grid.v.0, grid.u.1, grid.v.1].map(written);
    let _ = writeln!(text, "{}", corners.join(" "));
    let _ = writeln!(text, "{columns} {rows} 0");
    values(&mut text, co.iter().zip(cross));
    Some(text)
}

/// Returns the text of a `.cut` file; `None` if an array is missing.
pub fn cuts(title: &str, cuts: &FieldCuts, outcome: &Outcome) -> Option<String> {
    let [co, cross] = &cuts.components;
    let (co, cross) = (
        outcome.array(co)?.as_complex()?,
        outcome.array(cross)?.as_complex()?,
    );
    let count = co.len() / cuts.phi.len().max(1);
    let mut text = String::with_capacity(200 + 90 * co.len());
    for (number, &phi) in cuts.phi.iter().enumerate() {
        let _ = writeln!(text, "{}", one_line(title));
        let angles = [cuts.theta.0, cuts.theta.1].map(written).join(" ");
        let phi = written(phi);
        let _ = writeln!(
            text,
            "{angles} {count} {phi} {LUDWIG_3} {PHI_FIXED} {COMPONENTS}"
        );
        let part = number * count..(number + 1) * count;
        values(&mut text, co[part.clone()].iter().zip(&cross[part]));
    }
    Some(text)
}

/// Writes real and imaginary parts of both components, one direction per line.
fn values<'a>(text: &mut String, pairs: impl Iterator<Item = (&'a Complex64, &'a Complex64)>) {
    for (co, cross) in pairs {
        let parts = [co.re, co.im, cross.re, cross.im].map(written);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", parts.join(" "));
    }
}

/// Formats a number with an exponent of two digits or more, as readers of these files expect.
fn written(value: f64) -> String {
    let text = format!("{value:.10E}");
    match text.split_once('E') {
        Some((mantissa, exponent)) => {
            let (sign, digits) = match exponent.strip_prefix('-') {
                Some(digits) => ('-', digits),
                None => ('+', exponent),
            };
            format!("{mantissa:>17}E{sign}{digits:0>2}")
        }
        None => text,
    }
}

fn one_line(title: &str) -> String {
    title.replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavefield_solver::outcome::Array;

    fn field() -> Outcome {
        let complex = |name: &str, shift: f64| {
            let values = (0..6)
                .map(|i| Complex64::new(f64::from(i) + shift, -1e-120))
                .collect();
            Array::complex(name, values).reshaped(&[2, 3])
        };
        Outcome {
            arrays: vec![complex("co", 0.0), complex("cross", 10.0)],
            ..Outcome::default()
        }
    }

    fn components() -> [String; 2] {
        ["co".to_owned(), "cross".to_owned()]
    }

    #[test]
    fn a_grid_has_its_head_and_a_direction_per_line() {
        let grid_of = FieldGrid {
            name: "beam".to_owned(),
            u: (-0.1, 0.1),
            v: (0.0, 0.2),
            components: components(),
        };
        let text = grid("two\nlines", &grid_of, &field()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..5], ["two lines", "++++", "1", "1 3 2 1", "0 0"]);
        let corners: Vec<f64> = lines[5]
            .split_whitespace()
            .map(|n| n.parse().unwrap())
            .collect();
        assert_eq!(corners, [-0.1, 0.0, 0.1, 0.2]);
        assert_eq!(lines[6], "3 2 0");
        assert_eq!(lines.len(), 7 + 6);
        let last: Vec<f64> = lines[12]
            .split_whitespace()
            .map(|n| n.parse().unwrap())
            .collect();
        assert_eq!(last, [5.0, -1e-120, 15.0, -1e-120]);
    }

    #[test]
    fn every_cut_has_a_head_of_its_own() {
        let cuts_of = FieldCuts {
            name: "beam".to_owned(),
            phi: vec![0.0, 90.0],
            theta: (-1.0, 1.0),
            components: components(),
        };
        let text = cuts("title", &cuts_of, &field()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2 * (2 + 3));
        let head: Vec<f64> = lines[6]
            .split_whitespace()
            .map(|n| n.parse().unwrap())
            .collect();
        assert_eq!(head, [-1.0, 1.0, 3.0, 90.0, 3.0, 1.0, 2.0]);
    }
}
