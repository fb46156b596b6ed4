//! Tables as CSV: a header of `name[unit]`, one row per result, complex columns as two.

use std::fmt::Write as _;

use wavefield_solver::outcome::{Data, Outcome, Table};

/// Room for a number and its comma.
const BYTES_OF_NUMBER: usize = 26;

/// The text of a table; numbers at the shortest length that reads back the same.
pub fn write(table: &Table, outcome: &Outcome) -> String {
    let columns: Vec<(&str, &str, &Data)> = table
        .columns
        .iter()
        .filter_map(|column| {
            let array = outcome.array(&format!("{}/{}", table.name, column.name))?;
            Some((column.name.as_str(), column.unit.as_str(), &array.data))
        })
        .collect();
    let rows = columns
        .iter()
        .map(|(_, _, data)| length(data))
        .min()
        .unwrap_or(0);
    let numbers: usize = (columns.iter())
        .map(|(_, _, data)| match data {
            Data::Complex(_) => 2,
            Data::Real(_) | Data::Index(_) => 1,
        })
        .sum();
    // Room that is not used costs nothing; a text that grows may be there twice.
    let mut text = String::with_capacity(1024 + rows * numbers * BYTES_OF_NUMBER);
    let mut head = Vec::new();
    for (name, unit, data) in &columns {
        let unit = if unit.is_empty() {
            String::new()
        } else {
            format!("[{unit}]")
        };
        match data {
            Data::Complex(_) => {
                head.push(format!("{name}_re{unit}"));
                head.push(format!("{name}_im{unit}"));
            }
            _ => head.push(format!("{name}{unit}")),
        }
    }
    text.push_str(&head.join(","));
    text.push('\n');
    for row in 0..rows {
        for (index, (_, _, data)) in columns.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            // Writing to a string cannot fail.
            let _ = match data {
                Data::Real(values) => write!(text, "{}", values[row]),
                Data::Complex(values) => write!(text, "{},{}", values[row].re, values[row].im),
                Data::Index(values) => write!(text, "{}", values[row]),
            };
        }
        text.push('\n');
    }
    text
}

fn length(data: &Data) -> usize {
    match data {
        Data::Real(values) => values.len(),
        Data::Complex(values) => values.len(),
        Data::Index(values) => values.len(),
    }
}
