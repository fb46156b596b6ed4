//! SBR compared with the Austin RCS benchmark suite.

use std::path::Path;

use rayon::prelude::*;
use wavefield_mesh::{TriangleMesh, primitive};
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::{Channel, ScatteringMatrix};
use wavefield_physics::material::{Material, NamedMaterial};
use wavefield_sbr::{Density, LayeredCoating, Scatterer};

use crate::measure::{Case, Limit, Measured, Metrics};
use crate::problems::medium;
use crate::reference_data;
use wavefield::Error;
use wavefield::compare::suite_errors;

/// Meters per inch.
const INCH: f64 = 0.0254;

/// Target at one frequency.
pub(super) struct Table {
    /// Names of the two files without polarization and extension.
    file: &'static str,
    /// Suffix of the metrics' names.
    suffix: &'static str,
    /// Frequency in Hz, if the first column of the files does not state it.
    frequency: Option<f64>,
    /// Largest φ that counts, degrees.
    to_phi: f64,
    /// Upper limits of the error over all aspects and near the peak, dB, for V and H.
    whole: [Option<f64>; 2],
    near: [Option<f64>; 2],
}

impl Table {
    /// Creates a table with all aspects at the frequency of the first column.
    pub(super) const fn new(file: &'static str, suffix: &'static str) -> Table {
        Table {
            file,
            suffix,
            frequency: None,
            to_phi: 360.0,
            whole: [None; 2],
            near: [None; 2],
        }
    }

    /// Sets a frequency other than that of the first column.
    pub(super) const fn at_frequency(self, frequency: f64) -> Table {
        Table {
            frequency: Some(frequency),
            ..self
        }
    }

    /// Sets the limits of the error over all aspects.
    pub(super) const fn at_most(self, [v, h]: [f64; 2]) -> Table {
        Table {
            whole: [Some(v), Some(h)],
            ..self
        }
    }

    /// Sets the limits of the error near the peak.
    pub(super) const fn near_at_most(self, [v, h]: [f64; 2]) -> Table {
        Table {
            near: [Some(v), Some(h)],
            ..self
        }
    }

    /// Returns the limits of its metrics.
    pub(super) fn limits(&self) -> Vec<(String, Limit)> {
        let of = |at: usize, name: &str| {
            let [whole, near] = self.metrics(name);
            [(whole, self.whole[at]), (near, self.near[at])]
        };
        (of(0, "vv").into_iter().chain(of(1, "hh")))
            .filter_map(|(metric, most)| Some((metric, Limit::AtMost(most?))))
            .collect()
    }

    /// Returns the metric names of a channel: over all aspects and near the peak.
    fn metrics(&self, channel: &str) -> [String; 2] {
        let suffix = self.suffix;
        [
            format!("error_{channel}_db_{suffix}"),
            format!("error_{channel}_20db_{suffix}"),
        ]
    }

    /// Returns the rows of one polarization that count.
    fn rows(&self, data: &Path, letter: &str) -> Result<Vec<[f64; 4]>, Error> {
        let mut rows =
            reference_data::read_table(&data.join(format!("{}.{letter}.txt", self.file)))?;
        rows.retain(|row| row[2] <= self.to_phi);
        if let Some(frequency) = self.frequency {
            for row in &mut rows {
                row[0] = frequency;
            }
        }
        Ok(rows)
    }
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case(
            "sbr/austin-plate",
            "monostatic RCS of the plate of 6 by 10.5 inches, set IIA sx1, with edge diffraction, at 10.24 GHz up to 80° from its normal, compared with the suite's reference",
            plate_tables,
            plate,
        ),
        case(
            "sbr/austin-almond",
            "monostatic RCS of the NASA almond, set IIIA, compared with the suite's reference at 3.5, 7, and 10.25 GHz",
            almond_tables,
            almond,
        ),
        case(
            "sbr/austin-sheet",
            "monostatic RCS of dielectric and absorbing sheets, sets IIC and IID sx1, at 7 and 10.24 GHz up to 80° from their normal, compared with the suite's reference",
            || SHEETS.map(|(table, ..)| table).into(),
            |data, _| sheets(data),
        ),
        case(
            "sbr/austin-cobra",
            "monostatic RCS of the camera box with the Cobra duct, set IIISB, compared with the suite's reference at 7 and 10.24 GHz",
            cobra_tables,
            cobra,
        ),
        case(
            "sbr/austin-prime",
            "monostatic RCS of the closed PRIME aircraft, set IVA, compared with the suite's reference at 5.12 and 10.25 GHz",
            prime_tables,
            prime,
        ),
    ]
}

/// Creates a case on tables of the suite with their limits; skipped if the suite is not installed.
fn case(
    name: &'static str,
    about: &'static str,
    tables: fn() -> Vec<Table>,
    measure: fn(&Path, &[Table]) -> Result<Metrics, Error>,
) -> Case {
    Case::new(name, about, move || {
        with_data(|data| Ok(measure(data, &tables())?.into()))
    })
    .limits(tables().iter().flat_map(Table::limits))
}

/// Runs a measurement on the suite's folder; skipped if there is none.
pub(super) fn with_data(
    measure: impl Fn(&Path) -> Result<Measured, Error>,
) -> Result<Measured, Error> {
    match reference_data::find("austin-rcs") {
        Some(data) => measure(&data),
        None => Ok(Measured::Skipped(reference_data::missing("austin-rcs"))),
    }
}

fn plate_tables() -> Vec<Table> {
    // The first column of these two tables says 10.20 GHz; their lobes are those of 10.24 GHz, the suite's f11.
    vec![Table {
        frequency: Some(10.24e9),
        to_phi: 80.0,
        ..Table::new("IIA/ref_rcs.II.A.sx1.f11", "f10p24").at_most([0.8, 2.2])
    }]
}

fn plate(data: &Path, tables: &[Table]) -> Result<Metrics, Error> {
    scores(&Scatterer::with_edges(&upright_plate()?)?, data, tables)
}

/// Returns the plate sx1, 10.5 inches along y and 6 along z.
fn upright_plate() -> Result<TriangleMesh, Error> {
    let mut mesh = primitive::plate(6.0 * INCH, 10.5 * INCH, INCH)
        .map_err(|error| Error::runtime(error.to_string()))?;
    for point in &mut mesh.points {
        *point = [0.0, point[1], point[0]];
    }
    Ok(mesh)
}

fn almond_tables() -> Vec<Table> {
    vec![
        Table::new("IIIA/ref_rcs.III.A.s1.fx1", "f3p5").at_most([4.5, 7.9]),
        Table::new("IIIA/ref_rcs.III.A.s1.fx3", "f7").at_most([3.8, 4.2]),
        Table::new("IIIA/ref_rcs.III.A.s1.fx4", "f10p25").at_most([5.4, 3.8]),
    ]
}

fn almond(data: &Path, tables: &[Table]) -> Result<Metrics, Error> {
    let mesh = primitive::almond(9.936 * INCH, 0.003)
        .map_err(|error| Error::runtime(error.to_string()))?;
    scores(&Scatterer::with_edges(&mesh)?, data, tables)
}

/// Creates the table of a sheet with limits near the peak.
const fn sheet_table(file: &'static str, suffix: &'static str) -> Table {
    Table {
        to_phi: 80.0,
        ..Table::new(file, suffix).near_at_most([0.25, 0.25])
    }
}

/// Returns the tables of sheets with the suite's permittivity and permeability.
const SHEETS: [(Table, [f64; 2], [f64; 2]); 4] = [
    (
        sheet_table("IIC/ref_rcs.II.C.sx1.fx1", "dielectric_f7"),
        [2.61, -0.0346],
        [1.0, 0.0],
    ),
    (
        sheet_table("IIC/ref_rcs.II.C.sx1.f11", "dielectric_f10p24"),
        [2.61, -0.0321],
        [1.0, 0.0],
    ),
    (
        sheet_table("IID/ref_rcs.II.D.sx1.fx1", "absorber_f7"),
        [16.9, -0.347],
        [1.99, -1.92],
    ),
    (
        sheet_table("IID/ref_rcs.II.D.sx1.f11", "absorber_f10p24"),
        [16.9, -0.337],
        [1.45, -1.73],
    ),
];

/// Computes sheets of 1.5 mm without backing, of a dielectric and of a magnetic absorber, without edge diffraction.
fn sheets(data: &Path) -> Result<Metrics, Error> {
    let mut metrics = Metrics::new();
    for (table, permittivity, permeability) in SHEETS {
        let sheet = LayeredCoating {
            layers: vec![(1.5e-3, medium(permittivity, permeability))],
            backing: Material::Named(NamedMaterial::Vacuum),
        };
        let mesh = upright_plate()?;
        let whole = vec![Some(0); mesh.triangles.len()];
        let body = Scatterer::new(&mesh)?.coated(vec![sheet], whole)?;
        metrics.extend(scores(&body, data, &[table])?);
    }
    Ok(metrics)
}

/// Returns the camera box with the Cobra duct.
pub(super) fn cobra_box(data: &Path) -> Result<TriangleMesh, Error> {
    model(data, "Cobra-Duct_Camera_Box_s6 .stl Model.zip", 0.4 / 12.8)
}

/// The suite names the boxes with the Cobra duct set IIISB; IIISA is the closed one.
fn cobra_tables() -> Vec<Table> {
    vec![
        Table::new("IIISB/ref_rcs.IIIS.B.s1.fx1", "f7"),
        Table::new("IIISB/ref_rcs.IIIS.B.s1.f11", "f10p24").near_at_most([0.25, 0.25]),
    ]
}

fn cobra(data: &Path, tables: &[Table]) -> Result<Metrics, Error> {
    scores(&Scatterer::with_edges(&cobra_box(data)?)?, data, tables)
}

fn prime_tables() -> Vec<Table> {
    vec![
        Table::new("IVA/ref_rcs.IV.A.s1.f10", "f5p12").at_most([5.3, 9.7]),
        Table::new("IVA/ref_rcs.IV.A.s1.fx3", "f10p25").at_most([5.3, 6.5]),
    ]
}

fn prime(data: &Path, tables: &[Table]) -> Result<Metrics, Error> {
    let mesh = model(data, "Closed-Duct_PRIME_model_meshAB.zip", 9.1875 / 592.763)?;
    scores(&Scatterer::with_edges(&mesh)?, data, tables)
}

/// Returns a mesh of the suite, scaled from full size to the model's, with its nose toward +x.
fn model(data: &Path, archive: &str, scale: f64) -> Result<TriangleMesh, Error> {
    let mut mesh = reference_data::read_zipped_surface(&data.join("mesh").join(archive))?;
    for point in &mut mesh.points {
        *point = [-scale * point[0], scale * point[1], scale * point[2]];
    }
    Ok(mesh)
}

/// Computes the suite's errors of a body in some tables.
fn scores(body: &Scatterer, data: &Path, tables: &[Table]) -> Result<Metrics, Error> {
    scores_of(data, tables, &|frequency, from| {
        from.par_iter()
            .map(|&from| Ok(body.monostatic(from, frequency, Density::default())?))
            .collect()
    })
}

/// Monostatic scattering matrices at a frequency.
pub(super) type Monostatic<'a> =
    dyn Fn(f64, &[Direction]) -> Result<Vec<ScatteringMatrix>, Error> + 'a;

/// Computes the suite's errors of a method in some tables.
pub(super) fn scores_of(
    data: &Path,
    tables: &[Table],
    solve: &Monostatic<'_>,
) -> Result<Metrics, Error> {
    let mut metrics = Metrics::new();
    for table in tables {
        let [v, h] = [table.rows(data, "V")?, table.rows(data, "H")?];
        // One matrix has both polarizations; their tables have the same aspects.
        let aspect = |row: &[f64; 4]| [row[0], row[1], row[2]];
        if !v.iter().map(aspect).eq(h.iter().map(aspect)) {
            return Err(Error::input(format!(
                "{}: the tables of V and H have different aspects",
                table.file
            )));
        }
        let frequency = v.first().map_or(f64::NAN, |row| row[0]);
        if v.iter().any(|row| row[0] != frequency) {
            return Err(Error::input(format!(
                "{}: the table has more than one frequency",
                table.file
            )));
        }
        let from: Vec<Direction> = (v.iter())
            .map(|[_, theta, phi, _]| Direction::from_degrees(*theta, *phi))
            .collect();
        let matrices = solve(frequency, &from)?;
        for (rows, channel, name) in [(v, Channel::VV, "vv"), (h, Channel::HH, "hh")] {
            let pairs: Vec<(f64, f64)> = (matrices.iter().zip(&rows))
                .map(|(matrix, row)| (matrix.dbsm(channel), row[3]))
                .collect();
            metrics.extend(table.metrics(name).into_iter().zip(suite_errors(&pairs)));
        }
    }
    Ok(metrics)
}
