//! S-parameters as Touchstone files (version 1.1): one row per frequency, real and imaginary parts.

use std::fmt::Write as _;

use num_complex::Complex64;

use wavefield_solver::outcome::{NetworkFile, Outcome};

/// Returns the text of a `.sNp` file; `None` if an array is missing.
pub fn network(title: &str, file: &NetworkFile, outcome: &Outcome) -> Option<String> {
    let frequencies = outcome.array(&file.frequencies)?.as_real()?;
    let parameters = outcome.array(&file.parameters)?.as_complex()?;
    let ports = file.ports;
    let mut text = format!(
        "! {}\n# Hz S RI R {}\n",
        title.replace('\n', " "),
        file.resistance
    );
    let write = |text: &mut String, value: Complex64| {
        // Writing to a String cannot fail.
        let _ = write!(text, " {:e} {:e}", value.re, value.im);
    };
    for (frequency, matrix) in frequencies.iter().zip(parameters.chunks(ports * ports)) {
        let _ = write!(text, "{frequency}");
        if ports == 2 {
            // Two-port files list S21 before S12 by convention; others are row-major, four values per line.
            for at in [0, 2, 1, 3] {
                write(&mut text, matrix[at]);
            }
        } else {
            for (row, values) in matrix.chunks(ports).enumerate() {
                for (column, &value) in values.iter().enumerate() {
                    if ports > 2 && column % 4 == 0 && (row, column) != (0, 0) {
                        text.push('\n');
                    }
                    write(&mut text, value);
                }
            }
        }
        text.push('\n');
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavefield_solver::outcome::Array;

    #[test]
    fn two_ports_list_the_forward_transmission_first() {
        let outcome = Outcome {
            arrays: vec![
                Array::real("f", vec![1e9]),
                Array::complex(
                    "s",
                    (1..=4).map(|k| Complex64::new(f64::from(k), 0.5)).collect(),
                ),
            ],
            ..Outcome::default()
        };
        let file = NetworkFile {
            name: "ports".to_owned(),
            ports: 2,
            resistance: 50.0,
            frequencies: "f".to_owned(),
            parameters: "s".to_owned(),
        };
        let text = network("a line", &file, &outcome).unwrap();
        assert_eq!(
            text,
            "! a line\n# Hz S RI R 50\n1000000000 1e0 5e-1 3e0 5e-1 2e0 5e-1 4e0 5e-1\n"
        );
    }
}
