//! Rows that results have in common: the same frequency, the same directions.

use std::collections::BTreeMap;

use super::entrant::{ANY, Entrant};
use crate::Error;
use crate::outcome::{Column, Table};

/// Values of all results on the rows of the reference that another has too.
pub(super) struct Rows {
    /// Columns that say what a row is of; the one that changes most is the last.
    pub(super) keys: Vec<Column>,
    /// Their values.
    pub(super) coordinates: Vec<Vec<f64>>,
    /// Columns that are compared.
    pub(super) quantities: Vec<Column>,
    /// For each quantity the values of each result, if it has the quantity; not numbers in rows that it has not.
    pub(super) values: Vec<Vec<Option<Vec<f64>>>>,
}

/// A quantity so far below the largest is zero by symmetry, dB.
const SYMMETRY_DB: f64 = 50.0;

/// A row by what it is of: parts in a million of a unit are the same.
type Key = Vec<i64>;

impl Rows {
    /// The rows that a result has in common with others.
    pub(super) fn common(entrants: &[Entrant], judge: usize) -> Result<Rows, Error> {
        let name = common_table(entrants)?;
        let tables: Vec<&Table> = entrants
            .iter()
            .map(|entrant| table(entrant, &name))
            .collect::<Option<_>>()
            .ok_or_else(|| nothing(entrants))?;
        let in_all = |column: &&Column| {
            (tables.iter()).all(|table| table.columns.iter().any(|other| other.name == column.name))
        };
        let mut keys: Vec<Column> = (tables[judge].columns.iter())
            .filter(|column| is_key(column))
            .filter(in_all)
            .cloned()
            .collect();
        if keys.is_empty() {
            return Err(Error::input(
                "the results have no frequency or angle in common by which rows could be told apart".to_owned(),
            ));
        }
        let numbers = |number: usize, column: &str| -> Option<&[f64]> {
            let table = &tables[number].name;
            entrants[number]
                .outcome
                .array(&format!("{table}/{column}"))?
                .as_real()
        };
        let different = |column: &Column| -> usize {
            let mut values: Vec<i64> = (numbers(judge, &column.name).unwrap_or_default().iter())
                .map(|&value| rounded(column, value))
                .collect();
            values.sort_unstable();
            values.dedup();
            values.len()
        };
        // Stable: of columns that change as often the later stays last.
        keys.sort_by_key(different);
        let placed: Vec<BTreeMap<Key, usize>> = (0..entrants.len())
            .map(|number| {
                let columns: Vec<&[f64]> = keys
                    .iter()
                    .map(|key| numbers(number, &key.name).unwrap_or_default())
                    .collect();
                let rows = columns.iter().map(|values| values.len()).min().unwrap_or(0);
                let key = |row: usize| -> Key {
                    (keys.iter().zip(&columns))
                        .map(|(key, values)| rounded(key, values[row]))
                        .collect()
                };
                // Of rows that are the same the first counts.
                (0..rows).rev().map(|row| (key(row), row)).collect()
            })
            .collect();
        let rows: Vec<&Key> = (placed[judge].keys())
            .filter(|key| {
                (placed.iter().enumerate())
                    .any(|(number, rows)| number != judge && rows.contains_key(*key))
            })
            .collect();
        if rows.is_empty() {
            return Err(Error::input(format!(
                "no other result has a row with the {} of `{}`",
                keys.iter()
                    .map(|key| key.name.as_str())
                    .collect::<Vec<_>>()
                    .join(", "),
                entrants[judge].name
            )));
        }
        let peak = |column: &Column| -> f64 {
            let values = numbers(judge, &column.name).unwrap_or_default().iter();
            values.copied().fold(f64::NEG_INFINITY, f64::max)
        };
        let mut quantities: Vec<Column> = (tables[judge].columns.iter())
            .filter(|column| column.unit.starts_with("dB") && !column.name.starts_with("exact_"))
            .filter(|column| {
                (0..entrants.len())
                    .any(|number| number != judge && numbers(number, &column.name).is_some())
            })
            .cloned()
            .collect();
        let highest = quantities
            .iter()
            .map(peak)
            .fold(f64::NEG_INFINITY, f64::max);
        // What is nowhere more than rounding, as a cross-polar field by symmetry, says nothing; fields in time have more of it
        // than series.
        quantities.retain(|quantity| peak(quantity) >= highest - SYMMETRY_DB);
        if quantities.is_empty() {
            return Err(nothing(entrants));
        }
        let values = quantities
            .iter()
            .map(|quantity| {
                (0..entrants.len())
                    .map(|number| {
                        let all = numbers(number, &quantity.name)?;
                        let at =
                            |key: &&Key| placed[number].get(*key).and_then(|&row| all.get(row));
                        Some(
                            rows.iter()
                                .map(|key| at(key).copied().unwrap_or(f64::NAN))
                                .collect(),
                        )
                    })
                    .collect()
            })
            .collect();
        let coordinates = (keys.iter())
            .map(|key| {
                let all = numbers(judge, &key.name).unwrap_or_default();
                rows.iter().map(|row| all[placed[judge][*row]]).collect()
            })
            .collect();
        Ok(Rows {
            keys,
            coordinates,
            quantities,
            values,
        })
    }

    /// The rows of the first cut: those in which all keys but the last are as in the first row, or go along with the last, as
    /// where waves are looked at from where they come from.
    pub(super) fn first_cut(&self) -> usize {
        let Some((last, others)) = self.coordinates.split_last() else {
            return 0;
        };
        (0..last.len())
            .take_while(|&row| {
                let mut others = others.iter().filter(|values| *values != last);
                others.all(|values| values[row] == values[0])
            })
            .count()
    }
}

/// Whether a column says what a row is of.
fn is_key(column: &Column) -> bool {
    matches!(column.unit.as_str(), "Hz" | "deg") && !column.name.contains("phase")
}

/// A coordinate as a number that can be compared: millionths of degrees within a turn, of megahertz.
fn rounded(column: &Column, value: f64) -> i64 {
    let value = if column.unit == "deg" && column.name.starts_with("phi") {
        value.rem_euclid(360.0)
    } else {
        value
    };
    let millionths = if column.unit == "Hz" {
        value
    } else {
        1e6 * value
    };
    millionths.round() as i64
}

fn table<'a>(entrant: &'a Entrant, name: &str) -> Option<&'a Table> {
    let tables = &entrant.outcome.tables;
    tables
        .iter()
        .find(|table| table.name == name || table.name == ANY)
}

/// The first table that all have.
fn common_table(entrants: &[Entrant]) -> Result<String, Error> {
    let tables = entrants.iter().flat_map(|entrant| &entrant.outcome.tables);
    tables
        .map(|table| table.name.clone())
        .find(|name| {
            entrants
                .iter()
                .all(|entrant| table(entrant, name).is_some())
        })
        .ok_or_else(|| nothing(entrants))
}

fn nothing(entrants: &[Entrant]) -> Error {
    let each: Vec<String> = entrants
        .iter()
        .map(|entrant| {
            let tables: Vec<&str> = (entrant.outcome.tables.iter())
                .map(|table| table.name.as_str())
                .collect();
            format!("`{}` has {}", entrant.name, tables.join(", "))
        })
        .collect();
    Error::input(format!(
        "the results have no table with decibels in common: {}",
        each.join("; ")
    ))
}

/// A column as it is spoken of: `vv_dbsm` is VV.
pub(super) fn spoken(column: &str) -> String {
    let (name, _) = column.rsplit_once("_db").unwrap_or((column, ""));
    if name.len() == 2 {
        name.to_uppercase()
    } else {
        name.replace('_', " ")
    }
}
