//! `memory/predict`: what a run takes of the memory against what was foreseen after planning it.

use std::path::Path;
use std::process::Command;

use serde::Deserialize;
use wavefield_mesh::primitive::open_tetrahedral_box;
use wavefield_mesh::write_msh_volume;

use crate::measure::Measured;
use wavefield::Error;
use wavefield::temporary_folder::TemporaryFolder;
use wavefield::this_program::this_program;

/// A problem, and bricks along a side of the box that it may name as its mesh.
struct Problem {
    text: String,
    cells: Option<u32>,
}

fn problem(text: String) -> Problem {
    Problem { text, cells: None }
}

fn exact(directions: u32) -> Problem {
    problem(format!(
        r#"
solver = "exact"
frequency = "1 GHz"
target = {{ shape = "sphere", radius = "1 m", material = "pec" }}
incidence = {{ phi = "0 deg" }}
observation = {{ kind = "bistatic", phi = {{ start = "0 deg", stop = "360 deg", count = {directions} }} }}
"#
    ))
}

fn mom2d(gigahertz: u32, body: &str, more: &str) -> Problem {
    problem(format!(
        r#"
solver = "mom2d"
frequency = "{gigahertz} GHz"
polarisation = "tm"
{more}
bodies = [{{ {body} }}]
incidence = {{ phi = "180 deg" }}
observation = {{ kind = "bistatic", phi = {{ start = "0 deg", stop = "360 deg", step = "1 deg" }} }}
"#
    ))
}

fn sbr(gigahertz: u32, target: &str, aspects: [u32; 2]) -> Problem {
    let [theta, phi] = aspects;
    problem(format!(
        r#"
solver = "sbr"
frequency = "{gigahertz} GHz"
target = {{ {target} }}
observation = {{ kind = "monostatic" }}
[incidence]
theta = {{ start = "10 deg", stop = "80 deg", count = {theta} }}
phi = {{ start = "30 deg", stop = "60 deg", count = {phi} }}
"#
    ))
}

/// Range profiles and images of a sweep over frequency and angle.
fn images(frequencies: u32, angles: u32) -> Problem {
    problem(format!(
        r#"
solver = "sbr"
frequency = {{ start = "8 GHz", stop = "12 GHz", count = {frequencies} }}
target = {{ {TRIHEDRAL} }}
observation = {{ kind = "monostatic" }}
incidence = {{ theta = "55 deg", phi = {{ start = "37 deg", stop = "53 deg", count = {angles} }} }}
products = {{ range_profile = true, image = true, centres = {{ count = 15, below_peak = 30 }}, direct_image = {{ down_range = "37 mm", cross_range = "54 mm" }}, surface_map = true }}
"#
    ))
}

/// A conducting body in space under waves from so many directions.
fn mom3d(gigahertz: f64, target: &str, waves: u32, more: &str) -> Problem {
    let theta = if waves == 1 {
        r#""30 deg""#.to_owned()
    } else {
        format!(r#"{{ start = "0 deg", stop = "90 deg", count = {waves} }}"#)
    };
    problem(format!(
        r#"
solver = "mom3d"
frequency = "{gigahertz} GHz"
target = {{ {target} }}
incidence = {{ theta = {theta}, phi = "0 deg" }}
observation = {{ kind = "monostatic" }}
{more}
"#
    ))
}

fn reflectarray(elements: u32, spacing: &str) -> Problem {
    problem(format!(
        r#"
solver = "reflectarray"
frequency = "14.25 GHz"
feed = {{ position = ["0 m", "-0.05 m", "{} m"], exponent = 8 }}
lattice = {{ columns = {elements}, rows = {elements}, spacing = {spacing} }}
coverage = {{ ellipse = {{ centre = [0.05, -0.02], semi_axes = [0.2, 0.1], rotation = "20 deg" }} }}
"#,
        0.02 * f64::from(elements)
    ))
}

fn dgtd(cells: u32, order: u32, precision: &str, time: &str) -> Problem {
    let text = format!(
        r#"
solver = "dgtd"
frequency = "300 MHz"
order = {order}
precision = "{precision}"
mesh = {{ file = "box.msh", unit = "m" }}
dipoles = [{{ position = ["31 mm", "20 mm", "40 mm"], moment = [0.0, 0.3, 1.0] }}]
directions = {{ theta = ["30 deg", "90 deg"], phi = ["10 deg"] }}
volumes = {{ layer = "absorber" }}
surfaces = {{ huygens = "huygens", outer = "pec" }}
end = {{ decay = 0.0, time = "{time}" }}
"#
    );
    Problem {
        text,
        cells: Some(cells),
    }
}

fn holography(microphones: u32, frequencies: &str) -> Problem {
    problem(format!(
        r#"
solver = "holography"
frequency = [{frequencies}]
height = "5 cm"
plane = "1 cm"
array = {{ columns = {microphones}, rows = {microphones}, pitch = "25 mm" }}
[sound]
kind = "simulated"
seed = 1
sources = [{{ kind = "monopole", centre = ["-10 cm", "5 cm"], volume_velocity = 2e-5 }}]
"#
    ))
}

const TRIHEDRAL: &str = r#"shape = "trihedral", side = "1 m""#;
const CIRCLE: &str = r#"shape = "circle", radius = "1 m", material = "pec""#;
const EVEN: &str = r#""0.55 lambda""#;
const FREE: &str = r#"{ least = "0.5 lambda", most = "0.7 lambda" }"#;

/// Small and large ones of every solver, short ones and such as are kept on the way.
fn cases() -> Vec<(&'static str, Problem)> {
    let plate = |side: &str| format!(r#"shape = "plate", width = "{side}", height = "{side}""#);
    let sphere = r#"shape = "sphere", radius = "0.5 m""#;
    let gmres = r#"linear_solver = { kind = "gmres" }"#;
    let mlfma = r#"linear_solver = { kind = "fast" }"#;
    let aim = r#"linear_solver = { kind = "fft" }"#;
    let aim_blocks = r#"linear_solver = { kind = "fft", block = 8 }"#;
    let quarter = r#"shape = "sphere", radius = "0.25 m""#;
    vec![
        ("exact-1e3", exact(1_000)),
        ("exact-1e5", exact(100_000)),
        ("exact-1e6", exact(1_000_000)),
        ("mom2d-1", mom2d(1, CIRCLE, "")),
        ("mom2d-9", mom2d(9, CIRCLE, "")),
        ("mom2d-9-gmres", mom2d(9, CIRCLE, gmres)),
        ("mom2d-15", mom2d(15, CIRCLE, "")),
        ("mom2d-9-mlfma", mom2d(9, CIRCLE, mlfma)),
        ("mom2d-60-mlfma", mom2d(60, CIRCLE, mlfma)),
        ("mom3d-small-lu", mom3d(0.6, quarter, 1, "")),
        ("mom3d-sphere-lu", mom3d(1.0, quarter, 1, "")),
        ("mom3d-plate-lu", mom3d(1.0, &plate("1 m"), 91, "")),
        ("mom3d-small-aim", mom3d(1.0, quarter, 1, aim)),
        ("mom3d-sphere-aim", mom3d(1.0, sphere, 1, aim)),
        ("mom3d-sphere-aim-sweep", mom3d(1.0, sphere, 91, aim)),
        ("mom3d-plate-aim", mom3d(1.0, &plate("1.5 m"), 1, aim)),
        (
            "mom3d-plate-aim-sweep",
            mom3d(1.0, &plate("1 m"), 91, aim_blocks),
        ),
        ("sbr-trihedral-6", sbr(6, TRIHEDRAL, [2, 3])),
        ("sbr-trihedral-48", sbr(48, TRIHEDRAL, [2, 3])),
        ("sbr-plate-sweep", sbr(3, &plate("0.2 m"), [200, 500])),
        ("sbr-sphere", sbr(10, sphere, [1, 2])),
        ("sbr-images", images(41, 33)),
        ("sbr-images-large", images(201, 201)),
        ("reflectarray-10", reflectarray(10, EVEN)),
        ("reflectarray-24", reflectarray(24, EVEN)),
        ("reflectarray-free", reflectarray(12, FREE)),
        ("dgtd-3-single", dgtd(12, 3, "single", "1 ns")),
        ("dgtd-2-double", dgtd(12, 2, "double", "1 ns")),
        ("dgtd-5-single", dgtd(10, 5, "single", "1 ns")),
        ("dgtd-3-large", dgtd(24, 3, "single", "0.5 ns")),
        ("holography-32", holography(32, r#""1 kHz""#)),
        (
            "holography-128",
            holography(128, r#""1 kHz", "2 kHz", "3 kHz""#),
        ),
    ]
}

/// Those that take the same memory whatever else a machine does.
const STEADY: [&str; 6] = [
    "exact-1e5",
    "mom2d-9",
    "mom3d-small-lu",
    "mom3d-small-aim",
    "dgtd-5-single",
    "sbr-plate-sweep",
];

/// What a run says of itself.
#[derive(Deserialize)]
struct Run {
    memory_foreseen: f64,
    memory_peak: f64,
}

fn run(folder: &Path, problem: &Problem) -> Result<Run, Error> {
    if let Some(cells) = problem.cells {
        let path = folder.join("box.msh");
        let failed = |error: &dyn std::fmt::Display| Error::writing(&path, error);
        let mut file = std::fs::File::create(&path).map_err(|error| failed(&error))?;
        let mesh = open_tetrahedral_box([0.2 * f64::from(cells); 3], [cells; 3], 1, 1)
            .map_err(|error| Error::runtime(error.to_string()))?;
        write_msh_volume(&mesh, &mut file).map_err(|error| failed(&error))?;
    }
    let path = folder.join("problem.toml");
    std::fs::write(&path, format!("format = 1\n{}", problem.text))
        .map_err(|error| Error::writing(&path, &error))?;
    let out = folder.join("result");
    let output = Command::new(this_program()?)
        .args([
            "run",
            "--device",
            "cpu",
            "--json",
            "--keep-every",
            "1",
            "--out",
        ])
        .args([&out, &path])
        .output()
        .map_err(|error| Error::runtime(format!("a run cannot be started: {error}")))?;
    serde_json::from_slice(&output.stdout).map_err(|error| {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        Error::runtime(format!("a run said nothing of its memory: {error}; {said}"))
    })
}

pub(crate) fn predict() -> Result<Measured, Error> {
    predict_for(cases())
}

/// The same for a few of them.
pub(crate) fn predict_short() -> Result<Measured, Error> {
    let mut few = cases();
    few.retain(|(name, _)| STEADY.contains(name));
    predict_for(few)
}

fn predict_for(cases: Vec<(&'static str, Problem)>) -> Result<Measured, Error> {
    let mut metrics = vec![("cases".to_owned(), cases.len() as f64)];
    let (mut under, mut over) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for (name, problem) in cases {
        let folder = TemporaryFolder::new()?;
        let run = run(folder.path(), &problem)
            .map_err(|error| Error::runtime(format!("{name}: {error}")))?;
        let too_much = 100.0 * (run.memory_foreseen - run.memory_peak) / run.memory_peak;
        under = under.max(-too_much);
        over = over.max(too_much);
        metrics.push((
            format!("peak_mib_{name}"),
            run.memory_peak / f64::from(1 << 20),
        ));
        metrics.push((format!("over_percent_{name}"), too_much));
    }
    metrics.push(("worst_under_percent".to_owned(), under));
    metrics.push(("worst_over_percent".to_owned(), over));
    Ok(Measured::Metrics(metrics.into_iter().collect()))
}
