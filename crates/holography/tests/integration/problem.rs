//! Problems as written in files: solved, or rejected with the invalid key.

use wavefield_holography::{Error, HolographySolver, Plan, Spec};
use wavefield_numerics::observe::{Cancel, Silent};
use wavefield_physics::quantity::{Frequency, Length};
use wavefield_physics::sweep::Sweep;
use wavefield_solver::AnySpec;

const PROBLEM: &str = r#"
    frequency = ["800 Hz", "1.2 kHz"]
    hologram_z = "5 cm"
    reconstruction_z = "1 cm"
    array = { rows = 16, columns = 24, pitch = "2 cm" }
    [measurement]
    kind = "simulated"
    seed = 4
    sources = [
        { kind = "piston", center = ["3 cm", "-2 cm"], radius = "4 cm", velocity = "0.05 m/s" },
        { kind = "monopole", center = ["-9 cm", "4 cm"], volume_velocity = 2.5e-4 },
        { kind = "dipole", center = ["10 cm", "9 cm"], moment = [0.0, 5e-6, 1e-5] },
    ]
"#;

fn spec(more: &str) -> Spec {
    toml::from_str(&format!("{more}\n{PROBLEM}")).unwrap()
}

/// Returns the key that planning rejects.
fn key(spec: &Spec, recording: Option<&[u8]>) -> &'static str {
    match Plan::new(spec, recording) {
        Err(Error::Key { key, .. }) => key,
        other => panic!("{other:?}"),
    }
}

/// Returns the paths of all issues of a specification.
fn paths(spec: &Spec, recording: Option<&[u8]>) -> Vec<String> {
    match Plan::new(spec, recording) {
        Err(Error::Invalid(invalid)) => invalid.0.into_iter().map(|issue| issue.path).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_front_end_solves_the_problem() {
    for (front_end, most) in [
        (r#"{ method = "streaming", order = 3 }"#, 0.01),
        (r#"{ method = "nominal" }"#, 0.01),
        (r#"{ method = "dot-products" }"#, 0.01),
        (r#"{ method = "basic-averaging" }"#, 0.1),
        (r#"{ method = "walsh-fourier", terms = 40 }"#, 0.2),
    ] {
        let plan = Plan::new(&spec(&format!("front_end = {front_end}")), None).unwrap();
        let solution = plan.execute(&Silent).unwrap();
        assert_eq!(solution.frequencies.len(), 2);
        for at in &solution.frequencies {
            let deviation = at.deviation.unwrap();
            println!("{front_end}, {:.0} Hz: {deviation:.4?}", at.frequency);
            assert!(deviation.hologram < most, "{front_end}: {deviation:?}");
            assert_eq!(at.field.len(), 16 * 24);
        }
        assert!(plan.memory_of_fields() > 0);
    }
}

#[test]
fn a_recording_is_solved_from_its_bytes() {
    use wavefield_holography::{Microphone, MicrophoneArray, Packing, exact_hologram};
    let array = MicrophoneArray::new(16, 24, 0.02).unwrap();
    let packing = Packing::new(&array).unwrap();
    let source = wavefield_holography::Source::Monopole {
        position: [0.0, 0.0, 0.0],
        volume_velocity: num_complex::Complex64::new(1e-3, 0.0),
    };
    let frequency = 22.0 * 1.5e6 / 32_768.0;
    let air = wavefield_physics::medium::Fluid::AIR;
    let tone = exact_hologram(&[source], &air, &array, frequency, 0.05).unwrap();
    let stream = Microphone::default()
        .record(packing, &[tone], 50_000, 1)
        .unwrap();
    let mut spec = spec("");
    spec.measurement = toml::from_str("kind = \"recorded\"\nfile = \"room.bits\"").unwrap();
    spec.frequency = Sweep::One(Frequency(frequency));
    assert_eq!(key(&spec, None), "measurement.file");
    let bytes = stream.to_bytes();
    assert_eq!(
        key(&spec, Some(&bytes[..bytes.len() - 1])),
        "measurement.file"
    );
    assert_eq!(key(&spec, Some(&bytes[..4800])), "measurement.file");
    let solution = Plan::new(&spec, Some(&bytes))
        .unwrap()
        .execute(&Silent)
        .unwrap();
    let at = &solution.frequencies[0];
    assert!(at.deviation.is_none());
    let loudest = (0..384)
        .max_by(|&a, &b| {
            let size = |i: usize| at.field[i].pressure.norm();
            size(a).total_cmp(&size(b))
        })
        .unwrap();
    let [x, y] = array.position(loudest);
    assert!(x.abs() < 0.02 && y.abs() < 0.02, "{x} {y}");

    // More than half a frame remains: three frames, in which a stationary tone has the same level.
    let time_history = &solution.time_history;
    assert_eq!(time_history.len(), 3);
    let loud = |pressures: &[num_complex::Complex64]| pressures[loudest].norm();
    let first = loud(&time_history[0].pressures[0]);
    assert!((first / at.field[loudest].pressure.norm() - 1.0).abs() < 1e-9);
    for moment in time_history {
        let ratio = loud(&moment.pressures[0]) / first;
        assert!((ratio - 1.0).abs() < 0.01, "{ratio}");
    }
    // From the center of the first frame to that of the last.
    let passed = time_history[2].time - time_history[0].time;
    assert!(
        passed < 17_300.0 / 1.5e6 && passed > 16_900.0 / 1.5e6,
        "{passed}"
    );
}

#[test]
fn what_makes_no_sense_is_named_by_its_key() {
    let changed = |change: fn(&mut Spec)| {
        let mut spec = spec("");
        change(&mut spec);
        let paths = paths(&spec, None);
        assert_eq!(paths.len(), 1, "{paths:?}");
        paths[0].clone()
    };
    assert_eq!(
        changed(|s| s.frequency = Sweep::List(Vec::new())),
        "frequency"
    );
    assert_eq!(
        changed(|s| s.frequency = Sweep::One(Frequency(f64::NAN))),
        "frequency"
    );
    assert_eq!(
        changed(|s| s.frequency = Sweep::One(Frequency(30e3))),
        "frequency"
    );
    let twice = changed(|s| s.frequency = Sweep::List([800.0, 801.0].map(Frequency).to_vec()));
    assert_eq!(twice, "frequency");
    assert_eq!(changed(|s| s.array.rows = 12), "array.rows");
    assert_eq!(changed(|s| s.array.rows = 0), "array.rows");
    assert_eq!(changed(|s| s.array.columns = 1 << 40), "array.columns");
    assert_eq!(changed(|s| s.array.columns = 1 << 12), "array");
    assert_eq!(changed(|s| s.frame = 1000), "frame");
    assert_eq!(changed(|s| s.frame = usize::MAX), "frame");
    let source = |from: &str, to: &str| {
        let problem = PROBLEM.replace(from, to);
        assert_ne!(problem, PROBLEM);
        paths(&toml::from_str(&problem).unwrap(), None)
    };
    assert_eq!(
        source("radius = \"4 cm\"", "radius = \"-4 cm\""),
        ["measurement.sources.0.radius"]
    );
    assert_eq!(
        source("moment = [0.0,", "moment = [inf,"),
        ["measurement.sources.2.moment"]
    );
    let plate = "kind = \"plate\", center = [\"0 cm\", \"0 cm\"], size = [\"0 cm\", \"1 m\"], mode = [1, 0]";
    assert_eq!(
        source(
            "kind = \"piston\", center = [\"3 cm\", \"-2 cm\"], radius = \"4 cm\"",
            plate
        ),
        ["measurement.sources.0.size.0", "measurement.sources.0.mode"]
    );
    assert_eq!(
        changed(|s| std::mem::swap(&mut s.hologram_z, &mut s.reconstruction_z)),
        "reconstruction_z"
    );
    assert_eq!(changed(|s| s.microphone.order = 7), "microphone.order");
    assert_eq!(
        changed(|s| s.microphone.full_scale = -1.0),
        "microphone.full_scale"
    );
    assert_eq!(
        changed(|s| s.fluid.sound_speed.0 = 0.0),
        "fluid.sound_speed"
    );
    let border = toml::from_str("padding = \"linear-prediction\"\norder = 16").unwrap();
    let mut wide = spec("");
    wide.border = border;
    assert_eq!(paths(&wide, None), ["border.order"]);
    let mut flat = spec("");
    flat.filter = toml::from_str("kind = \"tikhonov\"\nlambda = 0.0").unwrap();
    assert_eq!(paths(&flat, None), ["filter.lambda"]);
    // The field of a source is known only if the source is not too large for the quadrature.
    let large = PROBLEM.replace("radius = \"4 cm\"", "radius = \"10 km\"");
    assert_eq!(
        key(&toml::from_str(&large).unwrap(), None),
        "measurement.sources"
    );
    // The amplification of evanescent waves overflows for a plane so far from the array.
    let mut far = spec("");
    far.hologram_z = Length::Meters(50.0);
    assert_eq!(key(&far, None), "reconstruction_z");
}

#[test]
fn everything_that_is_wrong_is_named_at_once() {
    let wrong: Spec = toml::from_str(
        r#"
        frequency = "-1 kHz"
        hologram_z = "0 cm"
        reconstruction_z = "-1 lambda"
        frame = 100
        array = { rows = 20, columns = 0, pitch = "0 cm" }
        microphone = { full_scale = inf, noise = 2.0, order = 1, dither = -0.1 }
        fluid = { sound_speed = "0 m/s", density = "-1 kg/m3" }
        front_end = { method = "streaming", order = 6 }
        filter = { kind = "veronesi", cut_off = 0.0, slope = -1.0 }
        [measurement]
        kind = "simulated"
        sources = []
        "#,
    )
    .unwrap();
    let all = [
        "frequency",
        "hologram_z",
        "reconstruction_z",
        "measurement.sources",
        "array.columns",
        "array.pitch",
        "array.rows",
        "frame",
        "microphone.full_scale",
        "microphone.noise",
        "microphone.order",
        "microphone.dither",
        "fluid.sound_speed",
        "fluid.density",
        "front_end.order",
        "filter.cut_off",
        "filter.slope",
    ];
    assert_eq!(paths(&wrong, None), all);
    // The same through the solver contract.
    let issues = AnySpec::new(&HolographySolver, wrong).issues();
    let paths: Vec<&str> = issues.iter().map(|issue| issue.path.as_str()).collect();
    assert_eq!(paths, all);
}

#[test]
fn a_recording_of_bits_needs_tiles_and_a_frame_of_bits() {
    let mut spec = spec("");
    spec.measurement = toml::from_str("kind = \"recorded\"\nfile = \"room.bits\"").unwrap();
    spec.array.rows = 12;
    spec.frame = 1000;
    spec.microphone.order = 7;
    // Before the file is read it may hold PCM samples, for which any frame length is valid.
    assert_eq!(paths(&spec, None), ["microphone.order"]);
    spec.microphone.order = 2;
    assert_eq!(key(&spec, None), "measurement.file");
    assert_eq!(paths(&spec, Some(&[0; 64])), ["array.rows", "frame"]);
}

#[test]
fn a_run_can_be_stopped() {
    let plan = Plan::new(&spec(""), None).unwrap();
    let stop = Cancel::new();
    stop.request();
    assert!(matches!(plan.execute(&stop), Err(Error::Cancelled(_))));
}
