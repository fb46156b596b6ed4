//! The built-in examples: every case under `problems/`, carried in the binary.

use std::path::Path;

use crate::failure::Failure;
use crate::result::write_file;

/// A case of the gallery: a problem, what it shows, and what is expected of it.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// `solver/case`.
    pub name: &'static str,
    /// The problem file.
    pub problem: &'static str,
    /// A page about the case.
    pub readme: &'static str,
    /// Recorded values and limits.
    pub expected: &'static str,
    /// Files that the problem names, to lie beside it: name and bytes.
    pub files: &'static [(&'static str, &'static [u8])],
}

macro_rules! example {
    ($name:literal $(, $file:literal)*) => {
        Example {
            name: $name,
            problem: include_str!(concat!("../../../problems/", $name, "/problem.toml")),
            readme: include_str!(concat!("../../../problems/", $name, "/README.md")),
            expected: include_str!(concat!("../../../problems/", $name, "/expected.toml")),
            files: &[$((
                $file,
                include_bytes!(concat!("../../../problems/", $name, "/", $file)),
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
    example!("exact/cylinder-te"),
    example!("exact/cylinder-tm"),
    example!("exact/sphere"),
    example!("exact/sphere-coated"),
    example!("exact/sphere-frequency"),
    example!("holography/monopoles"),
    example!("holography/plate"),
    example!("mom-3d/almond"),
    example!("mom-3d/dipole"),
    example!("mom-3d/plate"),
    example!("mom/circle"),
    example!("mom/lens"),
    example!("mom/wing"),
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
    /// The example of a name.
    pub fn find(name: &str) -> Option<&'static Example> {
        EXAMPLES.iter().find(|example| example.name == name)
    }

    /// Writes the files that the problem names into the folder of the problem.
    pub fn write_files(&self, folder: &Path) -> Result<(), Failure> {
        for (name, bytes) in self.files {
            write_file(&folder.join(name), bytes)?;
        }
        Ok(())
    }

    /// First line of its page, without the heading mark.
    pub fn title(&self) -> &'static str {
        self.readme
            .lines()
            .next()
            .unwrap_or_default()
            .trim_start_matches('#')
            .trim()
    }
}

/// What a case is held to, as its `expected.toml` says.
#[derive(Clone, Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// What the case is compared with.
    pub reference: String,
    /// Title of the figure that shows the case best, for the gallery; the first figure if left out.
    #[serde(default)]
    pub picture: Option<String>,
    /// Largest values of the metrics of `validate`.
    #[serde(default)]
    pub limits: std::collections::BTreeMap<String, f64>,
    /// Wall-clock limits of metrics in seconds: reported, and no measure of correctness.
    #[serde(default)]
    pub time_limits: std::collections::BTreeMap<String, f64>,
    /// Values of the result recorded when the case was made.
    #[serde(default)]
    pub sample: Vec<Sample>,
}

/// A recorded value.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// Name of a real array of the outcome.
    pub array: String,
    /// Index into it.
    pub index: usize,
    /// The value.
    pub value: f64,
    /// How far it may be off.
    pub tolerance: f64,
}

impl Expected {
    /// Reads an `expected.toml`.
    pub fn parse(text: &str) -> Result<Expected, toml::de::Error> {
        toml::from_str(text)
    }
}
