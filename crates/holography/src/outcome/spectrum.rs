//! Spectrum of a recording, from which frequencies are chosen.

use std::f64::consts::TAU;

use wavefield_numerics::fft::Real as _;
use wavefield_physics::far_field::power_db;
use wavefield_solver::outcome::{Array, Figure, FigureKind, Outcome, Series};

use super::REFERENCE_PRESSURE;
use crate::Plan;
use crate::input::{Input, Samples};

/// Maximum number of channels that are averaged.
const CHANNELS: usize = 64;

/// Adds the mean sound pressure level of the first frame of a recording over the channels, with the chosen frequencies.
pub(super) fn add(outcome: &mut Outcome, plan: &Plan) {
    let Input::Samples(samples) = plan.input() else {
        return;
    };
    let [frequencies, levels] = spectrum(samples);
    let chosen = plan.frequencies();
    let nearest = |frequency: f64| {
        let apart = |index: &usize| (frequencies[*index] - frequency).abs();
        (0..frequencies.len()).min_by(|a, b| apart(a).total_cmp(&apart(b)))
    };
    let marked: Vec<f64> = (chosen.iter())
        .map(|&frequency| nearest(frequency).map_or(f64::NAN, |index| levels[index]))
        .collect();
    // A mark is a vertical line down to the floor of the spectrum.
    let floor = levels.iter().copied().fold(f64::INFINITY, f64::min);
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for (frequency, level) in chosen.iter().zip(marked) {
        x.extend([*frequency, *frequency, f64::NAN]);
        y.extend([floor, level, f64::NAN]);
    }
    for (name, values) in [
        ("spectrum/frequency", frequencies),
        ("spectrum/level", levels),
        ("spectrum/chosen_frequency", x),
        ("spectrum/chosen_level", y),
    ] {
        outcome.arrays.push(Array::real(name, values));
    }
    let reconstructed = Series {
        reference: true,
        ..Series::new(
            "reconstructed frequencies",
            "spectrum/chosen_frequency",
            "spectrum/chosen_level",
        )
    };
    outcome.figures.push(Figure {
        title: "Spectrum of the recording".to_owned(),
        caption: format!(
            "Sound pressure level per DFT bin of the first frame, mean of {} microphones, Hann window.",
            samples.recording.channels().min(CHANNELS)
        ),
        kind: FigureKind::Cartesian,
        x_label: "frequency".to_owned(),
        x_unit: "Hz".to_owned(),
        y_label: "level".to_owned(),
        y_unit: "dB re 20 µPa".to_owned(),
        series: vec![
            Series::new("mean of the microphones", "spectrum/frequency", "spectrum/level"),
            reconstructed,
        ],
    });
}

/// Returns the frequencies of the DFT bins, Hz, and the levels, dB.
fn spectrum(samples: &Samples) -> [Vec<f64>; 2] {
    let (recording, frame) = (&samples.recording, samples.frame);
    let channels = recording.channels();
    let (transform, _) = f64::plan_real_line(frame);
    let mut squares = vec![0.0; frame / 2 + 1];
    let chosen: Vec<usize> = (0..channels.min(CHANNELS))
        .map(|number| number * channels / channels.min(CHANNELS))
        .collect();
    for &channel in &chosen {
        let factor = samples.factor(channel);
        let mut signal: Vec<f64> = (0..frame)
            .map(|n| {
                let hann = 0.5 - 0.5 * (TAU * n as f64 / frame as f64).cos();
                factor * hann * f64::from(recording.samples()[n * channels + channel])
            })
            .collect();
        let mut bins = transform.make_output_vec();
        // The lengths are those of the plan.
        if transform.process(&mut signal, &mut bins).is_ok() {
            for (square, bin) in squares.iter_mut().zip(&bins) {
                *square += bin.norm_sqr();
            }
        }
    }
    // The mean of the window is 1/2: a tone of amplitude A has |X| = A·frame/4.
    let scale = (4.0 / frame as f64).powi(2) / chosen.len() as f64;
    let level =
        |square: &f64| power_db(0.5 * scale * square / (REFERENCE_PRESSURE * REFERENCE_PRESSURE));
    // The bin of constant pressure is no sound.
    let frequencies = (1..squares.len()).map(|bin| recording.frequency(frame, bin));
    [
        frequencies.collect(),
        squares[1..].iter().map(level).collect(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::Recording;

    #[test]
    fn a_tone_of_one_pascal_rms_has_94_decibels() {
        let (frame, rate) = (512, 51_200.0);
        let tone = |n: usize| 2f64.sqrt() * (TAU * 10.0 * n as f64 / frame as f64).sin();
        let values: Vec<f32> = (0..frame).flat_map(|n| [tone(n) as f32; 4]).collect();
        let samples = Samples::of(Recording::new(rate, 4, values), frame);
        let [frequencies, levels] = spectrum(&samples);
        let (loudest, level) = (levels.iter().enumerate())
            .max_by(|a, b| a.1.total_cmp(b.1))
            .unwrap();
        assert!((frequencies[loudest] - 1000.0).abs() < 1e-9);
        assert!((level - 93.979).abs() < 0.01, "{level}");
    }
}
