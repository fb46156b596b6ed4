//! Tables as CSV: a header of `name[unit]`, one row per result, two columns per complex column.

use std::fmt::Write as _;

use wavefield_solver::outcome::{Data, Outcome, Table};

/// Estimated bytes of a number with its comma.
const BYTES_OF_NUMBER: usize = 26;

/// Returns a table as CSV; numbers have the fewest digits that parse to the same value.
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
    // Reserving too much is free; a growing text may be in memory twice.
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
    let fields: Vec<String> = head.iter().map(|name| field(name)).collect();
    text.push_str(&fields.join(","));
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

/// Returns a name as a field: quoted where it needs to be, and never a formula, which spreadsheets would execute.
fn field(name: &str) -> String {
    let name: String = name.chars().filter(|c| !c.is_control()).collect();
    let name = if name.starts_with(['=', '+', '-', '@']) {
        format!("'{name}")
    } else {
        name
    };
    if name.contains([',', '"']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name
    }
}

fn length(data: &Data) -> usize {
    match data {
        Data::Real(values) => values.len(),
        Data::Complex(values) => values.len(),
        Data::Index(values) => values.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_fields_and_no_formulas() {
        for (name, expected) in [
            ("vv_dbsm[dBsm]", "vv_dbsm[dBsm]"),
            ("a,b", "\"a,b\""),
            ("a\"b", "\"a\"\"b\""),
            ("=1+2", "'=1+2"),
            ("@sum(a1,b1)", "\"'@sum(a1,b1)\""),
            ("\t=1\r\n", "'=1"),
        ] {
            assert_eq!(field(name), expected);
        }
    }
}
