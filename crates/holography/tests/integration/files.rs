//! Recordings of sources with known fields: written, read, reconstructed, and compared with the exact field.

use std::f64::consts::TAU;
use std::io::Cursor;

use hdf5_pure::{AttrValue, FileBuilder};
use hound::{SampleFormat, WavSpec, WavWriter};
use num_complex::Complex64;
use wavefield_holography::files::{
    SoundFormat, read_acoular, read_calibration, read_microphones, read_wav,
};
use wavefield_holography::{
    Error, Files, Hologram, MicrophoneArray, Plan, RegularGrid, Solution, Source, Spec,
    exact_hologram, relative_error,
};
use wavefield_numerics::observe::Silent;
use wavefield_numerics::random::Random;
use wavefield_physics::medium::Fluid;
use wavefield_physics::quantity::Frequency;
use wavefield_physics::sweep::Sweep;

/// At this rate, frames of 1024 samples have the same bins as 32,768 clock cycles at 1.5 MHz.
const RATE: u32 = 46_875;
const FRAME: usize = 1024;
const BIN: usize = 22;
/// Pressure at full scale, Pa.
const FULL_SCALE: f64 = 20.0 * std::f64::consts::SQRT_2;

const SOURCES: [([f64; 2], f64); 2] = [([-0.1, 0.05], 1e-3), ([0.13, -0.08], 7e-4)];

fn array() -> MicrophoneArray {
    MicrophoneArray::default()
}

fn exact(z: f64) -> Hologram {
    let sources = SOURCES.map(|([x, y], strength)| Source::Monopole {
        position: [x, y, 0.0],
        volume_velocity: Complex64::new(strength, 0.0),
    });
    let frequency = BIN as f64 * f64::from(RATE) / FRAME as f64;
    exact_hologram(&sources, &Fluid::AIR, &array(), frequency, z).unwrap()
}

fn spec(sound: &str) -> Spec {
    let frequency = BIN as f64 * f64::from(RATE) / FRAME as f64;
    toml::from_str(&format!(
        r#"
        frequency = ["{frequency} Hz"]
        hologram_z = "5 cm"
        reconstruction_z = "1 cm"
        {sound}
        "#
    ))
    .unwrap()
}

/// Returns the error in the reconstruction plane of simulated PDM microphones for these sources.
fn figure_of_bits() -> f64 {
    let [first, second] = SOURCES.map(|([x, y], strength)| {
        format!(
            "{{ kind = \"monopole\", center = [\"{x} m\", \"{y} m\"], volume_velocity = {strength} }}"
        )
    });
    let spec = spec(&format!(
        "[measurement]\nkind = \"simulated\"\nsources = [{first}, {second}]"
    ));
    let solution = Plan::new(&spec, None).unwrap().execute(&Silent).unwrap();
    solution.frequencies[0].deviation.unwrap().pressure
}

/// Returns the samples of all channels in the given order, Pa.
fn samples(order: &[usize]) -> Vec<f64> {
    let field = exact(0.05);
    (0..FRAME + 7)
        .flat_map(|i| {
            let turn = Complex64::cis(TAU * (BIN * i) as f64 / FRAME as f64);
            order.iter().map(move |&c| (c, turn))
        })
        .map(|(channel, turn)| (field.values()[channel] * turn).re)
        .collect()
}

fn in_order() -> Vec<usize> {
    (0..array().channels()).collect()
}

fn wav(bits: u16, format: SampleFormat, values: &[f64]) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let spec = WavSpec {
        channels: array().channels() as u16,
        sample_rate: RATE,
        bits_per_sample: bits,
        sample_format: format,
    };
    let mut writer = WavWriter::new(&mut bytes, spec).unwrap();
    for value in values {
        match format {
            SampleFormat::Float => writer.write_sample(*value as f32).unwrap(),
            SampleFormat::Int => {
                let largest = 2_f64.powi(i32::from(bits) - 1);
                writer
                    .write_sample((value * largest).round() as i32)
                    .unwrap();
            }
        }
    }
    writer.finalize().unwrap();
    bytes.into_inner()
}

fn microphones(order: &[usize]) -> String {
    let places: String = order
        .iter()
        .map(|&channel| {
            let [x, y] = array().position(channel);
            format!("<pos Name=\"Point {channel}\" x=\"{x}\" y=\"{y}\" z=\"0\"/>\n")
        })
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<MicArray name=\"grid\">\n{places}</MicArray>"
    )
}

fn error(solution: &Solution) -> f64 {
    let field: Vec<Complex64> = solution.frequencies[0]
        .field
        .iter()
        .map(|f| f.pressure)
        .collect();
    relative_error(exact(0.01).values(), &field).unwrap()
}

const RECORDED: &str = "[measurement]\nkind = \"recorded\"\nfile = \"room.wav\"";

#[test]
fn a_field_comes_back_from_wav_of_every_width() {
    let goal = figure_of_bits();
    let values: Vec<f64> = samples(&in_order())
        .iter()
        .map(|p| p / FULL_SCALE)
        .collect();
    for (bits, format) in [
        (16, SampleFormat::Int),
        (24, SampleFormat::Int),
        (32, SampleFormat::Int),
        (32, SampleFormat::Float),
    ] {
        let bytes = wav(bits, format, &values);
        assert_eq!(SoundFormat::of(&bytes), SoundFormat::Wav);
        let recording = read_wav(&bytes, usize::MAX).unwrap();
        assert_eq!(recording.frames(), FRAME + 7);
        assert_eq!(recording.channels(), 1024);
        for (read, written) in recording.samples().iter().zip(&values) {
            let step = 0.5_f64.powi(i32::from(bits.min(24)));
            assert!(
                (f64::from(*read) - written).abs() <= step,
                "{read} {written}"
            );
        }
        let plan = Plan::new(&spec(RECORDED), Some(&bytes)).unwrap();
        assert!(plan.memory_of_sound() > 4 * 1024 * FRAME);
        let found = error(&plan.execute(&Silent).unwrap());
        println!("{bits} bits, {format:?}: {found:.4}, from bits {goal:.4}");
        assert!(found <= goal, "{bits} {format:?}: {found} {goal}");
    }
}

#[test]
fn a_recording_is_followed_from_moment_to_moment() {
    // One frame, and a second one of half the amplitude.
    let whole: Vec<f64> = samples(&in_order())[..FRAME * 1024].to_vec();
    let half = whole.iter().map(|p| 0.5 * p / FULL_SCALE);
    let values: Vec<f64> = (whole.iter().map(|p| p / FULL_SCALE)).chain(half).collect();
    let bytes = wav(32, SampleFormat::Float, &values);
    let solution = Plan::new(&spec(RECORDED), Some(&bytes))
        .unwrap()
        .execute(&Silent)
        .unwrap();
    let time_history = &solution.time_history;
    assert_eq!(time_history.len(), 5);
    let loudness = |k: usize| -> f64 {
        let pressures = &time_history[k].pressures[0];
        pressures
            .iter()
            .map(Complex64::norm_sqr)
            .sum::<f64>()
            .sqrt()
    };
    for k in 1..5 {
        assert!(loudness(k) < loudness(k - 1));
    }
    // Back-propagation amplifies the single-precision rounding of samples.
    assert!((loudness(4) / loudness(0) - 0.5).abs() < 1e-3);
    let step = f64::from(FRAME as u32) / f64::from(RATE) / 4.0;
    assert!((time_history[1].time - time_history[0].time - step).abs() < 1e-12);

    let mut twice = spec(RECORDED);
    let first = twice.frequency.values().unwrap()[0];
    twice.frequency = Sweep::List(vec![first; 2]);
    assert!(matches!(
        Plan::new(&twice, Some(&bytes)),
        Err(Error::Key {
            key: "frequency",
            ..
        })
    ));
}

#[test]
fn channels_in_any_order_find_their_places_and_factors() {
    let mut order = in_order();
    order.reverse();
    order.swap(5, 900);
    // A different factor for every channel.
    let factor = |channel: usize| 0.5 + 0.001 * channel as f64;
    let values: Vec<f64> = samples(&order)
        .chunks_exact(1024)
        .flat_map(|row| row.iter().zip(&order).map(|(p, &c)| p / factor(c)))
        .collect();
    let positions = microphones(&order);
    let calibration: String = order
        .iter()
        .map(|&c| format!("<pos Name=\"Point {c}\" factor=\"{}\"/>", factor(c)))
        .collect();
    let calibration = format!("<Calib name=\"all\">{calibration}</Calib>");
    let spec = spec(
        "[measurement]\nkind = \"recorded\"\nfile = \"room.h5\"\nmicrophones = \"grid.xml\"\ncalibration = \"c.xml\"",
    );
    let mut builder = FileBuilder::new();
    let single: Vec<f32> = values.iter().map(|&v| v as f32).collect();
    builder
        .create_dataset("time_data")
        .with_f32_data(&single)
        .with_shape(&[(FRAME + 7) as u64, 1024])
        .set_attr("sample_freq", AttrValue::F64(f64::from(RATE)));
    let bytes = builder.finish().unwrap();
    assert_eq!(SoundFormat::of(&bytes), SoundFormat::Acoular);
    let files = Files {
        sound: Some(&bytes),
        microphones: Some(positions.as_bytes()),
        calibration: Some(calibration.as_bytes()),
    };
    let goal = figure_of_bits();
    let plan = Plan::with_files(&spec, &files).unwrap();
    let found = error(&plan.execute(&Silent).unwrap());
    println!("HDF5: {found:.4}, from bits {goal:.4}");
    assert!(found <= goal, "{found} {goal}");

    let key = |files: &Files<'_>| match Plan::with_files(&spec, files) {
        Err(Error::Key { key, .. }) => key,
        other => panic!("{other:?}"),
    };
    let short = &calibration.as_bytes()[..calibration.len() - 8];
    assert_eq!(
        key(&Files {
            calibration: Some(short),
            ..files
        }),
        "measurement.calibration"
    );
    let one = b"<Calib><pos Name=\"a\" factor=\"1\"/></Calib>";
    assert_eq!(
        key(&Files {
            calibration: Some(one),
            ..files
        }),
        "measurement.calibration"
    );
    assert_eq!(
        key(&Files {
            microphones: Some(one),
            ..files
        }),
        "measurement.microphones"
    );
    let fewer = microphones(&order[..1023]);
    assert_eq!(
        key(&Files {
            microphones: Some(fewer.as_bytes()),
            ..files
        }),
        "measurement.microphones"
    );
    assert_eq!(
        key(&Files {
            sound: Some(&bytes[..200]),
            ..files
        }),
        "measurement.file"
    );
    let mut other = spec.clone();
    other.array.rows = 16;
    assert!(matches!(
        Plan::with_files(&other, &files),
        Err(Error::Key { key: "array", .. })
    ));
}

#[test]
fn what_does_not_fit_is_named_by_its_key() {
    let values: Vec<f64> = samples(&in_order());
    let bytes = wav(32, SampleFormat::Float, &values);
    let key = |spec: &Spec, files: &Files<'_>| match Plan::with_files(spec, files) {
        Err(Error::Key { key, .. }) => key,
        other => panic!("{other:?}"),
    };
    let sound = Files {
        sound: Some(&bytes),
        ..Files::default()
    };
    let mut long = spec(RECORDED);
    long.frame = 2048;
    assert_eq!(key(&long, &sound), "measurement.file");
    let mut high = spec(RECORDED);
    high.frequency = Sweep::One(Frequency(23.4e3));
    assert_eq!(key(&high, &sound), "frequency");
    let mut small = spec(RECORDED);
    small.array.rows = 16;
    assert_eq!(key(&small, &sound), "measurement.file");
    assert_eq!(key(&spec(RECORDED), &Files::default()), "measurement.file");
    // Positions and factors apply to PCM samples only: bits have their own order and scale.
    let bits = [0_u8; 128];
    let files = Files {
        sound: Some(&bits),
        calibration: Some(b""),
        ..Files::default()
    };
    assert_eq!(key(&spec(RECORDED), &files), "measurement.calibration");
}

#[test]
fn a_file_written_by_h5py_is_read() {
    // Chunked, shuffled, and compressed, as is common with Acoular: sample i of channel c is i + c/8.
    let bytes = include_bytes!("../data/time_data.h5");
    let recording = read_acoular(bytes, 1000).unwrap();
    assert_eq!((recording.frames(), recording.channels()), (50, 4));
    assert_eq!(recording.sample_rate(), 51_200.0);
    for (k, sample) in recording.samples().iter().enumerate() {
        assert_eq!(*sample, (k / 4) as f32 + (k % 4) as f32 / 8.0);
    }
    assert_eq!(read_acoular(bytes, 7).unwrap().frames(), 7);
    for end in 0..bytes.len() {
        // Any truncation yields a result or an error, and never a panic.
        let _ = read_acoular(&bytes[..end], 1000);
    }
}

/// Changes a few bytes, removes a part, or duplicates one.
fn mutated(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let mut below = |most: usize| (random.uniform() * most as f64) as usize;
    for _ in 0..=below(4) {
        let at = below(bytes.len().max(1)).min(bytes.len().saturating_sub(1));
        if bytes.is_empty() {
            break;
        }
        match below(6) {
            0 => bytes[at] = below(256) as u8,
            1 => bytes[at] ^= 1 << below(8),
            2 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][below(5)],
            3 => bytes.truncate(at),
            4 => drop(bytes.drain(at..(at + below(64)).min(bytes.len()))),
            _ => {
                let part = bytes[at..(at + below(64)).min(bytes.len())].to_vec();
                bytes.splice(at..at, part);
            }
        }
    }
    bytes
}

#[test]
fn hostile_bytes_are_answered_with_errors() {
    let values: Vec<f64> = (0..3 * 1024).map(|i| (0.01 * f64::from(i)).sin()).collect();
    let wav = wav(24, SampleFormat::Int, &values);
    let hdf5 = include_bytes!("../data/time_data.h5").as_slice();
    let places = microphones(&in_order()[..64]);
    let calibration = "<Calib><pos Name=\"a\" factor=\"1.5\"/><pos factor=\"2\"/></Calib>";
    let mut random = Random::stream(11, 0);
    for _ in 0..20_000 {
        let _ = read_wav(&mutated(&wav[..200], &mut random), 100);
        let _ = read_acoular(&mutated(hdf5, &mut random), 100);
        let _ = read_calibration(&mutated(calibration.as_bytes(), &mut random));
    }
    for _ in 0..2000 {
        let bytes = mutated(places.as_bytes(), &mut random);
        if let Ok(places) = read_microphones(&bytes) {
            let _ = RegularGrid::new(&places);
        }
    }
}
