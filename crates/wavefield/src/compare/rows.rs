//! Common rows of several results: equal frequency and directions.

use std::collections::BTreeMap;

use super::candidate::{ANY, Candidate};
use crate::Error;
use crate::outcome::{Column, Table};

/// Values of all results on those rows of the reference that another result has too.
pub(super) struct Rows {
    /// Coordinate columns; the fastest varying one is the last.
    pub(super) keys: Vec<Column>,
    /// Values of the coordinates.
    pub(super) coordinates: Vec<Vec<f64>>,
    /// Columns that are compared.
    pub(super) quantities: Vec<Column>,
    /// Values of each result for each quantity, if the result has the quantity; NaN in missing rows.
    pub(super) values: Vec<Vec<Option<Vec<f64>>>>,
    /// Columns of the reference that are too weak to be compared, and how far their peaks are below the strongest, dB.
    pub(super) weak: Vec<(Column, f64)>,
    /// How far the peak of each column in decibels is below the strongest of its result, dB.
    below: Vec<BTreeMap<String, f64>>,
}

/// Level below the strongest quantity of the reference, dB, at which a quantity vanishes by symmetry and is the error of the
/// discretization; time-domain results have more of it than series.
const SYMMETRY_DB: f64 = 50.0;
/// Level below the strongest quantity of a result, dB, at which a quantity is rounding error.
pub(super) const NOISE_DB: f64 = 120.0;

/// Coordinates of a row, rounded to 10⁻⁶ of their unit.
type Key = Vec<i64>;

impl Rows {
    /// Returns the rows that a result has in common with others.
    pub(super) fn common(candidates: &[Candidate], reference: usize) -> Result<Rows, Error> {
        let name = common_table(candidates)?;
        let tables: Vec<&Table> = candidates
            .iter()
            .map(|candidate| table(candidate, &name))
            .collect::<Option<_>>()
            .ok_or_else(|| nothing(candidates))?;
        let in_all = |column: &&Column| {
            (tables.iter()).all(|table| table.columns.iter().any(|other| other.name == column.name))
        };
        let mut keys: Vec<Column> = (tables[reference].columns.iter())
            .filter(|column| is_key(column))
            .filter(in_all)
            .cloned()
            .collect();
        if keys.is_empty() {
            return Err(Error::input(
                "the results have no common frequency or angle column".to_owned(),
            ));
        }
        let numbers = |number: usize, column: &str| -> Option<&[f64]> {
            let table = &tables[number].name;
            candidates[number]
                .outcome
                .array(&format!("{table}/{column}"))?
                .as_real()
        };
        let different = |column: &Column| -> usize {
            let mut values: Vec<i64> =
                (numbers(reference, &column.name).unwrap_or_default().iter())
                    .map(|&value| rounded(column, value))
                    .collect();
            values.sort_unstable();
            values.dedup();
            values.len()
        };
        // Stable sort: of columns that vary equally often the later stays last.
        keys.sort_by_key(different);
        let placed: Vec<BTreeMap<Key, usize>> = (0..candidates.len())
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
                // The first of duplicate rows counts.
                (0..rows).rev().map(|row| (key(row), row)).collect()
            })
            .collect();
        let rows: Vec<&Key> = (placed[reference].keys())
            .filter(|key| {
                (placed.iter().enumerate())
                    .any(|(number, rows)| number != reference && rows.contains_key(*key))
            })
            .collect();
        if rows.is_empty() {
            return Err(Error::input(format!(
                "no other result has a row with the {} of `{}`",
                keys.iter()
                    .map(|key| key.name.as_str())
                    .collect::<Vec<_>>()
                    .join(", "),
                candidates[reference].name
            )));
        }
        let below: Vec<BTreeMap<String, f64>> = (0..candidates.len())
            .map(|number| {
                let columns = tables[number].columns.iter().filter(|c| is_quantity(c));
                let peaks: Vec<(&String, f64)> = columns
                    .map(|column| {
                        let values = numbers(number, &column.name).unwrap_or_default().iter();
                        let peak = values.copied().fold(f64::NEG_INFINITY, f64::max);
                        (&column.name, peak)
                    })
                    .collect();
                let strongest = peaks.iter().map(|(_, peak)| *peak);
                let strongest = strongest.fold(f64::NEG_INFINITY, f64::max);
                let below = |(name, peak): (&String, f64)| (name.clone(), strongest - peak);
                peaks.into_iter().map(below).collect()
            })
            .collect();
        let quantities: Vec<Column> = (tables[reference].columns.iter())
            .filter(|column| is_quantity(column))
            .filter(|column| {
                (0..candidates.len())
                    .any(|number| number != reference && numbers(number, &column.name).is_some())
            })
            .cloned()
            .collect();
        // The level of a single quantity that is zero everywhere is not a number: it is compared.
        let level = |column: &Column| below[reference].get(&column.name).copied();
        let is_weak = |column: &Column| level(column).is_some_and(|below| below > SYMMETRY_DB);
        let (weak, quantities): (Vec<Column>, Vec<Column>) =
            quantities.into_iter().partition(is_weak);
        let weak = (weak.into_iter())
            .filter_map(|column| level(&column).map(|below| (column, below)))
            .collect();
        if quantities.is_empty() {
            return Err(nothing(candidates));
        }
        let values = quantities
            .iter()
            .map(|quantity| {
                (0..candidates.len())
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
                let all = numbers(reference, &key.name).unwrap_or_default();
                rows.iter()
                    .map(|row| all[placed[reference][*row]])
                    .collect()
            })
            .collect();
        Ok(Rows {
            keys,
            coordinates,
            quantities,
            values,
            weak,
            below,
        })
    }

    /// Returns how far a quantity of a result is below the strongest one of that result, dB, if it is rounding error.
    pub(super) fn noise_of(&self, candidate: usize, quantity: &Column) -> Option<f64> {
        let below = self.below[candidate].get(&quantity.name).copied();
        below.filter(|below| *below > NOISE_DB)
    }

    /// Returns whether the directions of incidence and observation are equal in all rows.
    pub(super) fn is_monostatic(&self) -> bool {
        let coordinate = |name: &str| {
            let place = self.keys.iter().position(|key| key.name == name)?;
            Some(&self.coordinates[place])
        };
        let equal = |angle: &str| {
            let observed = coordinate(angle)?;
            let incident = coordinate(&format!("{angle}_i"))?;
            Some(observed == incident)
        };
        equal("theta") == Some(true) && equal("phi") == Some(true)
    }

    /// Returns the rows of the first cut: those in which all keys but the last are as in the first row, or vary
    /// together with the last, as in a monostatic sweep.
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

/// Returns whether a column is compared.
fn is_quantity(column: &Column) -> bool {
    column.unit.starts_with("dB") && !column.name.starts_with("exact_")
}

/// Returns whether a column is a coordinate.
fn is_key(column: &Column) -> bool {
    matches!(column.unit.as_str(), "Hz" | "deg") && !column.name.contains("phase")
}

/// Rounds a coordinate to 10⁻⁶: degrees modulo 360, or megahertz.
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

fn table<'a>(candidate: &'a Candidate, name: &str) -> Option<&'a Table> {
    let tables = &candidate.outcome.tables;
    tables
        .iter()
        .find(|table| table.name == name || table.name == ANY)
}

/// Returns the first table that all results have.
fn common_table(candidates: &[Candidate]) -> Result<String, Error> {
    let tables = candidates
        .iter()
        .flat_map(|candidate| &candidate.outcome.tables);
    tables
        .map(|table| table.name.clone())
        .find(|name| {
            candidates
                .iter()
                .all(|candidate| table(candidate, name).is_some())
        })
        .ok_or_else(|| nothing(candidates))
}

fn nothing(candidates: &[Candidate]) -> Error {
    let each: Vec<String> = candidates
        .iter()
        .map(|candidate| {
            let tables: Vec<&str> = (candidate.outcome.tables.iter())
                .map(|table| table.name.as_str())
                .collect();
            format!("`{}` has {}", candidate.name, tables.join(", "))
        })
        .collect();
    Error::input(format!(
        "the results have no common table in decibels: {}",
        each.join("; ")
    ))
}

/// Returns the display name of a column: `vv_dbsm` is VV.
pub(super) fn format_label(column: &str) -> String {
    let (name, _) = column.rsplit_once("_db").unwrap_or((column, ""));
    if name.len() == 2 {
        name.to_uppercase()
    } else {
        name.replace('_', " ")
    }
}
