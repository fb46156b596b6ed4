//! Built-in examples: every case under `problems/`, embedded in the binary.

use std::path::Path;

use crate::Error;
use crate::outcome::Outcome;
use crate::result::write_file;
use wavefield_numerics::worst::Worst;

/// Example case: a problem, its description, and its expected results.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// `solver/case`.
    pub name: &'static str,
    /// The problem file.
    pub problem: &'static str,
    /// Page about the case.
    pub readme: &'static str,
    /// Recorded values and limits.
    pub expected: &'static str,
    /// Files that the problem refers to: name and bytes.
    pub files: &'static [(&'static str, &'static [u8])],
}

macro_rules! example {
    ($name:literal $(, $file:literal)*) => {
        Example {
            name: $name,
            problem: include_str!(concat!("../problems/", $name, "/problem.toml")),
            readme: include_str!(concat!("../problems/", $name, "/README.md")),
            expected: include_str!(concat!("../problems/", $name, "/expected.toml")),
            files: &[$((
                $file,
                include_bytes!(concat!("../problems/", $name, "/", $file)),
            )),*],
        }
    };
}

/// Every example, sorted by name.
pub const EXAMPLES: &[Example] = &[
    example!("dgtd/almond"),
    example!("dgtd/dielectric"),
    example!("dgtd/helix"),
    example!("dgtd/sphere"),
    example!("exact/austin-sphere"),
    example!("exact/cylinder"),
    example!("exact/cylinder-dielectric"),
    example!("exact/sphere"),
    example!("exact/sphere-coated"),
    example!("exact/sphere-frequency"),
    example!("holography/monopoles"),
    example!("holography/plate"),
    example!("mom2d/circle"),
    example!("mom2d/lens"),
    example!("mom2d/wing"),
    example!("mom3d/almond"),
    example!("mom3d/dipole"),
    example!("mom3d/plate"),
    example!("reflectarray/conus-40"),
    example!("reflectarray/conus-42"),
    example!("reflectarray/conus-44"),
    example!("reflectarray/conus-44-periodic"),
    example!("reflectarray/europe-71"),
    example!("sbr/coated-sphere"),
    example!("sbr/dihedral"),
    example!("sbr/isar", "ship.obj"),
    example!("sbr/plate"),
    example!("sbr/sphere"),
    example!("sbr/trihedral"),
];

impl Example {
    /// Returns the example of a name.
    pub fn find(name: &str) -> Option<&'static Example> {
        EXAMPLES.iter().find(|example| example.name == name)
    }

    /// Writes the files that the problem refers to into its folder.
    pub fn write_files(&self, folder: &Path) -> Result<(), Error> {
        for (name, bytes) in self.files {
            write_file(&folder.join(name), bytes)?;
        }
        Ok(())
    }

    /// Returns the first line of its page, without the heading mark.
    pub fn title(&self) -> &'static str {
        self.readme
            .lines()
            .next()
            .unwrap_or_default()
            .trim_start_matches('#')
            .trim()
    }
}

/// Expected results of a case, from its `expected.toml`.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// Reference of the case.
    pub reference: String,
    /// Title of the representative figure, for the gallery; the first figure by default.
    #[serde(default)]
    pub picture: Option<String>,
    /// Upper limits of the metrics of `validate`.
    #[serde(default)]
    pub limits: std::collections::BTreeMap<String, f64>,
    /// Upper limits of wall-clock times, which do not affect whether the case passes.
    #[serde(default)]
    pub time_limits: std::collections::BTreeMap<String, f64>,
    /// Values recorded when the case was made; at least one.
    pub sample: Vec<Sample>,
}

/// Recorded value.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// Name of a real array of the outcome.
    pub array: String,
    /// Index into the array.
    pub index: usize,
    /// Recorded value.
    pub value: f64,
    /// Absolute tolerance.
    pub tolerance: f64,
}

impl Expected {
    /// Parses an `expected.toml`.
    ///
    /// # Errors
    /// [`Error::runtime`] if it cannot be parsed, records no values, or has a tolerance that is not positive and
    /// finite.
    pub fn of(example: &Example) -> Result<Expected, Error> {
        let failed =
            |why: String| Error::runtime(format!("expected.toml of `{}`: {why}", example.name));
        let expected: Expected =
            toml::from_str(example.expected).map_err(|error| failed(error.to_string()))?;
        if expected.sample.is_empty() {
            return Err(failed(
                "no values are recorded; add a [[sample]] of a run".to_owned(),
            ));
        }
        for sample in &expected.sample {
            let is_tolerance = sample.tolerance > 0.0 && sample.tolerance.is_finite();
            if !is_tolerance || !sample.value.is_finite() {
                return Err(failed(format!(
                    "{}[{}] needs a finite value and a positive tolerance",
                    sample.array, sample.index
                )));
            }
        }
        Ok(expected)
    }

    /// Returns the largest deviation of an outcome from the recorded values, relative to their tolerances; a missing
    /// value counts as infinite deviation.
    pub fn recorded_error_over_tolerance(&self, outcome: &Outcome) -> f64 {
        Worst::of(self.sample.iter().map(|sample| {
            let found = outcome
                .array(&sample.array)
                .and_then(|array| array.as_real()?.get(sample.index).copied());
            (found.unwrap_or(f64::NAN) - sample.value).abs() / sample.tolerance
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Data;

    #[test]
    fn every_example_records_values() {
        for example in EXAMPLES {
            Expected::of(example).unwrap();
        }
    }

    fn with(expected: &'static str) -> Example {
        Example {
            expected,
            ..EXAMPLES[0]
        }
    }

    const RECORDED: &str = "reference = \"none\"\n[[sample]]\narray = \"t/a\"\nindex = 1\nvalue = 2.0\ntolerance = 0.5\n";

    #[test]
    fn an_example_without_recorded_values_is_refused() {
        let said = |text| Expected::of(&with(text)).unwrap_err().to_string();
        assert!(said("reference = \"none\"").contains("sample"));
        assert!(said("reference = \"none\"\nsample = []").contains("no values are recorded"));
        let no_tolerance = "reference = \"none\"\n[[sample]]\narray = \"a\"\nindex = 0\nvalue = 1.0\ntolerance = 0.0\n";
        assert!(said(no_tolerance).contains("positive tolerance"));
    }

    #[test]
    fn recorded_values_are_found_wrong_and_missing() {
        let expected = Expected::of(&with(RECORDED)).unwrap();
        let error = |values: Vec<f64>| {
            let mut outcome = Outcome::default();
            outcome.add_table("t", "a table", vec![("a", "", Data::Real(values))]);
            expected.recorded_error_over_tolerance(&outcome)
        };
        assert_eq!(error(vec![0.0, 2.25]), 0.5);
        assert_eq!(error(vec![0.0, 3.0]), 2.0);
        assert_eq!(error(vec![0.0]), f64::MAX);
        assert_eq!(error(vec![0.0, f64::NAN]), f64::MAX);
        let nothing = Outcome::default();
        assert_eq!(expected.recorded_error_over_tolerance(&nothing), f64::MAX);
    }
}
