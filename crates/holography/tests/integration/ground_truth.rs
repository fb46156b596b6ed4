//! Sound fields, microphones, and PDM bits, on which all other tests rely.

use std::f64::consts::TAU;

use num_complex::Complex64;
use wavefield_holography::{
    CLOCK_RATE, Hologram, Microphone, MicrophoneArray, Packing, Source, exact_hologram,
};
use wavefield_physics::exact::piston::Piston;
use wavefield_physics::exact::plate::PlateMode;
use wavefield_physics::medium::Fluid;

const AIR: Fluid = Fluid::AIR;

#[test]
fn sources_may_stand_anywhere() {
    let one = Complex64::new(1.0, 0.0);
    let (frequency, point) = (1000.0, [0.11, -0.07, 0.05]);
    let shift = [0.03, 0.04];
    let moved = [point[0] + shift[0], point[1] + shift[1], point[2]];
    let at = |[x, y]: [f64; 2]| {
        [
            Source::Monopole {
                position: [x, y, 0.0],
                volume_velocity: 1e-4 * one,
            },
            Source::Dipole {
                position: [x, y, 0.0],
                moment: [1e-6, 2e-6, 3e-6],
            },
            Source::Piston {
                center: [x, y],
                piston: Piston {
                    radius: 0.05,
                    velocity: 0.1 * one,
                },
            },
            Source::Plate {
                center: [x, y],
                plate: PlateMode {
                    size: [0.4, 0.3],
                    mode: [2, 3],
                    velocity: 0.1 * one,
                },
            },
        ]
    };
    for (centered, shifted) in at([0.0, 0.0]).iter().zip(&at(shift)) {
        let here = centered.pressure(&AIR, frequency, point).unwrap();
        let there = shifted.pressure(&AIR, frequency, moved).unwrap();
        // Roundoff of coordinates, amplified by the quadrature at most a thousandfold.
        assert!((here - there).norm() < 1e-12 * here.norm(), "{centered:?}");
    }
}

#[test]
fn a_centered_plate_sounds_with_the_symmetry_of_its_mode() {
    let plate = Source::Plate {
        center: [0.0, 0.0],
        plate: PlateMode {
            size: [0.4, 0.4],
            mode: [4, 3],
            velocity: Complex64::new(1e-3, 0.0),
        },
    };
    let array = MicrophoneArray::new(4, 6, 0.05).unwrap();
    let hologram = exact_hologram(&[plate], &AIR, &array, 1000.0, 0.05).unwrap();
    for row in 0..4 {
        for column in 0..3 {
            let left = hologram.values()[row * 6 + column];
            let right = hologram.values()[row * 6 + 5 - column];
            // Four half-waves along x are odd about the center, three along y are even.
            assert!((left + right).norm() < 1e-10 * left.norm());
            let other = hologram.values()[(3 - row) * 6 + column];
            assert!((left - other).norm() < 1e-10 * left.norm());
        }
    }
}

#[test]
fn bits_of_every_order_carry_the_tone_to_its_channel() {
    let array = MicrophoneArray::new(8, 16, 0.02).unwrap();
    let packing = Packing::new(&array).unwrap();
    let clocks = 32_768;
    let bin = 44;
    let frequency = f64::from(bin) * CLOCK_RATE / f64::from(clocks);
    let microphone = Microphone::default();
    let pressures: Vec<Complex64> = (0..array.channels())
        .map(|c| Complex64::from_polar(0.1 * microphone.full_scale, 0.37 * c as f64))
        .collect();
    let tone = Hologram::new(array, frequency, pressures.clone()).unwrap();
    let wave: Vec<Complex64> = (0..clocks)
        .map(|n| {
            let hann = 0.5 * (1.0 - (TAU * f64::from(n) / f64::from(clocks)).cos());
            Complex64::from_polar(hann, -TAU * f64::from(n * bin % clocks) / f64::from(clocks))
        })
        .collect();
    for order in 2..=5 {
        let microphone = Microphone {
            order,
            dither: if order == 2 { 0.5 } else { 0.25 },
            ..microphone
        };
        let stream = microphone
            .record(packing, std::slice::from_ref(&tone), clocks as usize, 11)
            .unwrap();
        let mut ratios = Vec::new();
        for place in 0..array.channels() {
            let sum: Complex64 = wave
                .iter()
                .enumerate()
                .map(|(n, w)| {
                    let word = stream.words()[n * packing.words() + place / 32];
                    if word >> (place % 32) & 1 == 1 {
                        *w
                    } else {
                        -w
                    }
                })
                .sum();
            let signal = sum * microphone.full_scale / (0.25 * f64::from(clocks));
            let sent = pressures[packing.channel_at(place)];
            ratios.push(signal / sent);
        }
        // The modulator's error is partly correlated with the signal: a gain common to all channels, off by |NTF| at
        // most.
        let channels = array.channels() as f64;
        let gain = ratios.iter().sum::<Complex64>() / channels;
        assert!((gain - 1.0).norm() < 1e-4, "order {order}: {gain}");
        let power = ratios.iter().map(|r| (r - gain).norm_sqr()).sum::<f64>() / channels;
        // White noise n contributes n √(Σw²) relative to the tone's ½a Σw: √(3/8 N)·2.6e-4 / (0.1·N/4), −89 dB.
        let decibels = 10.0 * power.log10();
        assert!((decibels + 89.1).abs() < 1.5, "order {order}: {decibels}");
    }
}

#[test]
fn a_recording_is_the_same_for_any_number_of_threads() {
    let array = MicrophoneArray::new(8, 8, 0.02).unwrap();
    let packing = Packing::new(&array).unwrap();
    let tone = Hologram::new(array, 1000.0, vec![Complex64::new(1.0, 0.5); 64]).unwrap();
    let record = |threads| {
        wavefield_numerics::cpu::CpuPool::new(Some(threads))
            .unwrap()
            .install(|| Microphone::default().record(packing, std::slice::from_ref(&tone), 2000, 1))
            .unwrap()
    };
    assert_eq!(record(1), record(3));
}

#[test]
fn noise_has_the_level_asked_for() {
    let array = MicrophoneArray::default();
    let clean = Hologram::new(array, 1000.0, vec![Complex64::new(0.0, 2.0); 1024]).unwrap();
    let noisy = clean.with_noise(40.0, 3);
    let power: f64 = noisy
        .values()
        .iter()
        .zip(clean.values())
        .map(|(a, b)| (a - b).norm_sqr())
        .sum::<f64>()
        / 1024.0;
    let decibels = 10.0 * (clean.mean_square() / power).log10();
    // The mean of 1024 exponentially distributed powers has a relative standard deviation of 1/32, 0.14 dB.
    assert!((decibels - 40.0).abs() < 0.6, "{decibels}");
}

#[test]
fn tones_that_overload_a_microphone_are_refused() {
    let array = MicrophoneArray::new(8, 8, 0.02).unwrap();
    let packing = Packing::new(&array).unwrap();
    let microphone = Microphone::default();
    let tone = |part: f64| {
        let pressures = vec![Complex64::new(0.0, part * microphone.full_scale); 64];
        Hologram::new(array, 1000.0, pressures).unwrap()
    };
    assert!(microphone.record(packing, &[tone(0.6)], 10, 1).is_ok());
    assert!(
        microphone
            .record(packing, &[tone(0.4), tone(0.4)], 10, 1)
            .is_err()
    );
    assert!(
        microphone
            .record(packing, &[tone(f64::NAN)], 10, 1)
            .is_err()
    );
}
