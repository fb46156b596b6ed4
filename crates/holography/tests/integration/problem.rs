//! Problems as they stand in files: solved, or refused with the key that is wrong.

use wavefield_holography::{Error, Plan, Spec};
use wavefield_numerics::observe::{Cancel, Silent};
use wavefield_physics::quantity::Frequency;
use wavefield_physics::sweep::Sweep;

const PROBLEM: &str = r#"
    frequency = ["800 Hz", "1.2 kHz"]
    height = "5 cm"
    plane = "1 cm"
    array = { rows = 16, columns = 24, pitch = "2 cm" }
    [sound]
    kind = "simulated"
    seed = 4
    sources = [
        { kind = "piston", centre = ["3 cm", "-2 cm"], radius = "4 cm", velocity = "0.05 m/s" },
        { kind = "monopole", centre = ["-9 cm", "4 cm"], volume_velocity = 2.5e-4 },
        { kind = "dipole", centre = ["10 cm", "9 cm"], moment = [0.0, 5e-6, 1e-5] },
    ]
"#;

fn spec(more: &str) -> Spec {
    toml::from_str(&format!("{more}\n{PROBLEM}")).unwrap()
}

fn key(spec: &Spec, recording: Option<&[u8]>) -> &'static str {
    match Plan::new(spec, recording) {
        Err(Error::Key { key, .. }) => key,
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
    spec.sound = toml::from_str("kind = \"recorded\"\nfile = \"room.bits\"").unwrap();
    spec.frequency = Sweep::One(Frequency(frequency));
    assert_eq!(key(&spec, None), "sound.file");
    let bytes = stream.to_bytes();
    assert_eq!(key(&spec, Some(&bytes[..bytes.len() - 1])), "sound.file");
    assert_eq!(key(&spec, Some(&bytes[..4800])), "sound.file");
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

    // Half a frame and more is left: three moments, at which a steady tone is as loud as at the first.
    let course = &solution.course;
    assert_eq!(course.len(), 3);
    let loud = |pressures: &[num_complex::Complex64]| pressures[loudest].norm();
    let first = loud(&course[0].pressures[0]);
    assert!((first / at.field[loudest].pressure.norm() - 1.0).abs() < 1e-9);
    for moment in course {
        let ratio = loud(&moment.pressures[0]) / first;
        assert!((ratio - 1.0).abs() < 0.01, "{ratio}");
    }
    // From the middle of the first frame to that of the last.
    let passed = course[2].time - course[0].time;
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
        key(&spec, None)
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
    assert_eq!(changed(|s| s.array.rows = 12), "array");
    assert_eq!(changed(|s| s.array.rows = 0), "array");
    assert_eq!(changed(|s| s.array.columns = 1 << 40), "array");
    assert_eq!(changed(|s| s.frame = 1000), "frame");
    assert_eq!(changed(|s| s.frame = usize::MAX), "frame");
    let quiet = PROBLEM.replace("radius = \"4 cm\"", "radius = \"-4 cm\"");
    assert_eq!(key(&toml::from_str(&quiet).unwrap(), None), "sound.sources");
    assert_eq!(
        changed(|s| std::mem::swap(&mut s.height, &mut s.plane)),
        "plane"
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
    let border = toml::from_str("padding = \"prediction\"\norder = 16").unwrap();
    let mut wide = spec("");
    wide.border = border;
    assert_eq!(key(&wide, None), "border");
    let mut flat = spec("");
    flat.filter = toml::from_str("kind = \"tikhonov\"\nparameter = 0.0").unwrap();
    assert_eq!(key(&flat, None), "filter");
}

#[test]
fn a_run_can_be_stopped() {
    let plan = Plan::new(&spec(""), None).unwrap();
    let stop = Cancel::new();
    stop.request();
    assert!(matches!(plan.execute(&stop), Err(Error::Cancelled(_))));
}
