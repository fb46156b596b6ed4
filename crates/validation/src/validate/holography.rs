//! Near-field acoustic holography: front ends, extrapolation, and regularization filters compared with exact fields and
//! published figures.

use std::f64::consts::TAU;
use std::path::Path;

use num_complex::Complex64;
use wavefield_holography::front_end::{
    BasicAveraging, Frame, FrontEnd, Nominal, Streaming, Terms, WalshFourier, walsh_fourier_row,
    walsh_transform,
};
use wavefield_holography::reference::{EIGHT_POINTS, KnownField, KnownTone};
use wavefield_holography::{
    Bitstream, Border, Family, Filter, Hologram, Microphone, MicrophoneArray, Packing, Plan,
    PlanarHolography, Regularization, Source, exact_hologram, nsad, rmsre,
};
use wavefield_numerics::observe::Silent;
use wavefield_physics::exact::piston::Piston;
use wavefield_physics::medium::Fluid;

use super::{of_example, open_gpu};
use crate::measure::{Case, Limit, Measured, Metrics};
use wavefield::Error;
use wavefield::examples::EXAMPLES;
use wavefield::numerics::worst::Worst;
use wavefield::problem::Problem;

pub(super) fn cases() -> Result<Vec<Case>, Error> {
    Ok(vec![
        Case::new(
            "holography/front-ends",
            "holograms of four sources from PDM bitstreams by averaging and by Walsh functions compared with the CIC front end, near the sources; a weak tone through a CIC filter of order four",
            front_ends,
        )
        .limits([
            // The worst of the four published recordings (figures 7.6 to 7.8).
            ("rmsre_averaging", Limit::AtMost(0.192)),
            ("rmsre_walsh40", Limit::AtMost(0.307)),
            ("rmsre_walsh_exact", Limit::AtMost(0.084)),
            ("nsad_averaging", Limit::AtMost(0.071)),
            ("nsad_walsh40", Limit::AtMost(0.094)),
            ("nsad_walsh_exact", Limit::AtMost(0.011)),
            ("cic_bin_error_db", Limit::AtMost(-74.0)),
        ]),
        Case::new(
            "holography/gpu",
            "holograms and fields on the GPU compared with direct sums on the CPU, two examples",
            gpu,
        )
        .limits([("error", Limit::AtMost(1e-4))]),
        Case::new(
            "holography/mapping",
            "channel mapping of the PDM bitstreams of the corner microphones of a 1024-microphone camera",
            mapping,
        )
        .limits([("wrong", Limit::AtMost(0.0))]),
        of_example(
            "holography/monopoles",
            "back-propagation of small sources from 5 cm to 1 cm at 40 dB SNR with automatic regularization, compared with the exact field and the optimal filter",
            |_| monopoles(),
        )?,
        Case::new(
            "holography/plates",
            "back-propagation of vibrating plates from 5 cm to 1 cm at 40 dB SNR with automatic regularization, compared with the exact field and the optimal filter",
            plates,
        )
        .limits([
            ("rmsre", Limit::AtMost(0.06)),
            ("ratio_to_optimal_filter", Limit::AtMost(1.15)),
        ]),
        Case::new(
            "holography/walsh",
            "Fourier coefficients by Walsh functions: the published matrix of eight points, the complete set compared with the DFT of the bits, Parseval's theorem",
            walsh,
        )
        .limits([
            ("matrix_error", Limit::AtMost(1e-4)),
            ("exact_error", Limit::AtMost(1e-12)),
            ("parseval_error", Limit::AtMost(1e-12)),
        ]),
    ])
}

const SAMPLES: usize = 1024;

/// Filter of the published figures: cutoff in rad/m and slope.
const PRINTED_FILTER: Filter = Filter::CutOff {
    cut_off: 50.0,
    slope: 0.3,
};

/// Level of the loudest microphone re full scale, dB.
const LOUDEST: f64 = -20.0;

/// Four sources at the frequencies of the published figures: two small ones, a plate, a piston, a dipole beside a
/// monopole.
fn sources() -> [(f64, Vec<Source>); 4] {
    let place = |x: f64, y: f64| [x, y, 0.0];
    [
        (
            1000.0,
            KnownField::monopoles(&[([-0.1, 0.05], 1.0), ([0.13, -0.08], 0.7)]),
        ),
        (
            1000.0,
            vec![Source::Plate {
                center: [0.0, 0.0],
                plate: KnownField::plate(0.4, [4, 3]),
            }],
        ),
        (
            220.0,
            vec![Source::Piston {
                center: [0.06, -0.04],
                piston: Piston {
                    radius: 0.05,
                    velocity: Complex64::new(1e-3, 0.0),
                },
            }],
        ),
        (
            824.0,
            vec![
                Source::Dipole {
                    position: place(-0.12, -0.1),
                    moment: [0.0, 0.0, 1e-6],
                },
                Source::Monopole {
                    position: place(0.1, 0.12),
                    volume_velocity: Complex64::new(1e-5, 0.0),
                },
            ],
        ),
    ]
}

fn front_ends() -> Result<Measured, Error> {
    let array = MicrophoneArray::default();
    let packing = Packing::new(&array)?;
    let microphone = Microphone::default();
    let names = ["averaging", "walsh40", "walsh_exact"];
    let mut worst = [[Worst::default(); 2]; 3];
    for (seed, (hertz, sources)) in sources().into_iter().enumerate() {
        let bin = Frame::nearest_bin(SAMPLES, hertz)?;
        let frame = Frame::new(packing, SAMPLES, &[bin])?;
        let tone = exact_hologram(
            &sources,
            &Fluid::AIR,
            &array,
            frame.frequency(bin),
            KnownField::HEIGHT,
        )?;
        let loudest = tone.values().iter().map(|p| p.norm()).fold(0.0, f64::max);
        let scale = microphone.full_scale * 10_f64.powf(LOUDEST / 20.0) / loudest;
        let scaled = tone.values().iter().map(|p| p * scale).collect();
        let tone = Hologram::new(array, frame.frequency(bin), scaled)?;
        let clocks = KnownTone::LEAD_IN + frame.clocks();
        let stream = microphone.record(packing, &[tone], clocks, seed as u64)?;
        let nominal = near_sources(&mut Nominal::new(frame.clone())?, &stream)?;
        let others: [Box<dyn FrontEnd>; 3] = [
            Box::new(BasicAveraging::new(frame.clone())?),
            Box::new(WalshFourier::new(frame.clone(), Terms::Largest(40))?),
            Box::new(WalshFourier::new(frame, Terms::All)?),
        ];
        for (mut other, worst) in others.into_iter().zip(&mut worst) {
            let field = near_sources(other.as_mut(), &stream)?;
            worst[0].see(rmsre(&nominal, &field)?);
            worst[1].see(nsad(&nominal, &field)?);
        }
    }
    let bin = Frame::nearest_bin(SAMPLES, 4000.0)?;
    let small = MicrophoneArray::new(8, 16, 0.02)?;
    let frame = Frame::new(Packing::new(&small)?, SAMPLES, &[bin])?;
    let tone = KnownTone::new(&small, &frame, bin, -30.0, 1)?;
    let heard = tone.measure(&mut Streaming::new(frame, 4, 32)?)?;
    let mut metrics = Metrics::new();
    for (name, [magnitudes, maps]) in names.into_iter().zip(worst) {
        metrics.insert(format!("rmsre_{name}"), magnitudes.value());
        metrics.insert(format!("nsad_{name}"), maps.value());
    }
    metrics.insert("cic_bin_error_db".to_owned(), tone.error_decibels(&heard).0);
    Ok(metrics.into())
}

/// Returns the pressure near the sources with the published filter, from the frame after the longest start-up time.
fn near_sources(front_end: &mut dyn FrontEnd, stream: &Bitstream) -> Result<Vec<Complex64>, Error> {
    let array = MicrophoneArray::default();
    let frame = front_end.frame().clone();
    let lead_in = front_end.lead_in();
    let words = stream.clocks_from(KnownTone::LEAD_IN - lead_in, lead_in + frame.clocks())?;
    let mut amplitudes = vec![Complex64::new(0.0, 0.0); array.channels()];
    front_end.amplitudes(words, &mut amplitudes)?;
    let hologram = Hologram::new(array, frame.frequency(frame.bins()[0]), amplitudes)?;
    let holography = PlanarHolography {
        regularization: Regularization::Fixed(PRINTED_FILTER),
        ..PlanarHolography::default()
    };
    let found = holography.back_propagate(&hologram, KnownField::DISTANCE)?;
    Ok(found.spectrum.pressure())
}

/// Seeds of the noise; the worst result counts.
const SEEDS: u64 = 5;
/// Signal-to-noise ratio, dB.
const SIGNAL_TO_NOISE: f64 = 40.0;

/// Returns the largest error of back-propagated fields with automatic regularization, and its ratio to the error of the
/// optimal filter.
fn automatic(fields: &[KnownField]) -> Result<Metrics, Error> {
    let (mut error, mut magnitudes, mut ratio) =
        (Worst::default(), Worst::default(), Worst::default());
    let slopes = [0.02, 0.05, 0.1, 0.2, 0.4].map(|slope| Family::CutOff { slope });
    for field in fields {
        for seed in 0..SEEDS {
            let noisy = field.measured.with_noise(SIGNAL_TO_NOISE, seed);
            let found = PlanarHolography::default().back_propagate(&noisy, KnownField::DISTANCE)?;
            let pressure = found.spectrum.pressure();
            let own = field.error(&pressure)?;
            error.see(own);
            magnitudes.see(rmsre(field.wanted.values(), &pressure)?);
            let border = Border::default();
            let best = field
                .least_error(&noisy, &border, &[Family::ModifiedTikhonov])?
                .min(field.least_error(&noisy, &border, &slopes)?);
            ratio.see(own / best);
        }
    }
    Ok([
        ("rmsre", error.value()),
        ("rmsre_of_magnitudes", magnitudes.value()),
        ("ratio_to_optimal_filter", ratio.value()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into())
}

fn plates() -> Result<Measured, Error> {
    let fields = [KnownField::plate_inside()?, KnownField::plate_beyond()?];
    Ok(automatic(&fields)?.into())
}

fn monopoles() -> Result<Measured, Error> {
    let fields = [
        KnownField::monopoles_inside()?,
        KnownField::monopole_at_the_edge()?,
    ];
    Ok(automatic(&fields)?.into())
}

fn walsh() -> Result<Measured, Error> {
    let mut matrix = Worst::default();
    for (row, printed) in EIGHT_POINTS.iter().enumerate() {
        for (found, printed) in walsh_fourier_row(8, row)?.iter().zip(printed) {
            matrix.see((found - printed).abs());
        }
    }
    let array = MicrophoneArray::new(8, 16, 0.02)?;
    let bins = [3, 44, 301];
    let frame = Frame::new(Packing::new(&array)?, SAMPLES, &bins)?;
    let tone = KnownTone::new(&array, &frame, 44, -20.0, 6)?;
    let heard = tone.measure(&mut WalshFourier::new(frame.clone(), Terms::All)?)?;
    let mut exact = Worst::default();
    for (i, &bin) in bins.iter().enumerate() {
        for place in [0, 31, 64, 127] {
            let channel = frame.packing().channel_at(place);
            let found = heard[i * array.channels() + channel];
            let wanted = tone.fourier_sum(&frame, bin, place)?;
            // Re full scale, not re the tone.
            exact.see((found - wanted).norm() * tone.amplitude);
        }
    }
    let series: Vec<f64> = (0..4096)
        .map(|i| (f64::from(i) * TAU * 0.013).sin() + 0.2 * super::noise(i as usize))
        .collect();
    let energy = series.iter().map(|x| x * x).sum::<f64>() / series.len() as f64;
    let spectrum: f64 = walsh_transform(&series)?.iter().map(|a| a * a).sum();
    Ok([
        ("matrix_error", matrix.value()),
        ("exact_error", exact.value()),
        ("parseval_error", (spectrum / energy - 1.0).abs()),
    ]
    .into())
}

/// Examples of the camera's appendix: tile in transmission order, microphone, channel.
const MAPPED: [(&str, usize, usize, usize); 3] = [
    ("a0_0", 0, 0, 768),
    ("a3_0", 3, 0, 0),
    ("d0_63", 12, 63, 1023),
];

/// Number of microphones per tile.
const TILE: usize = 64;

fn mapping() -> Result<Measured, Error> {
    let array = MicrophoneArray::default();
    let packing = Packing::new(&array)?;
    let frame = Frame::new(packing, 64, &[8])?;
    let mut metrics = Metrics::new();
    let mut wrong = 0;
    for (name, tile, microphone, wanted) in MAPPED {
        let channel = packing.channel(tile, microphone);
        metrics.insert(format!("channel_{name}"), channel as f64);
        wrong += usize::from(channel != wanted);
        // A tone in the bits of this microphone alone must appear in its channel and in no other.
        let place = tile * TILE + microphone;
        let mut words = vec![0x5555_5555_u32; frame.clocks() * packing.words()];
        for clock in 0..frame.clocks() {
            let word = &mut words[clock * packing.words() + place / 32];
            let bit = 1 << (place % 32);
            let sounding = (TAU * 8.0 * clock as f64 / frame.clocks() as f64).cos() > 0.0;
            *word = if sounding { *word | bit } else { *word & !bit };
        }
        let mut amplitudes = vec![Complex64::new(0.0, 0.0); array.channels()];
        BasicAveraging::new(frame.clone())?.amplitudes(&words, &mut amplitudes)?;
        let heard = amplitudes
            .iter()
            .enumerate()
            .filter(|(_, a)| a.norm() > 0.5);
        wrong += usize::from(!heard.map(|(channel, _)| channel).eq([wanted]));
    }
    metrics.insert("wrong".to_owned(), wrong as f64);
    Ok(metrics.into())
}

/// Compares the examples on the GPU: the largest error of holograms, pressures, and velocities.
fn gpu() -> Result<Measured, Error> {
    let (_, gpu) = open_gpu()?;
    let mut worst = Worst::default();
    for example in (EXAMPLES.iter()).filter(|example| example.name.starts_with("holography/")) {
        let problem = Problem::parse(example.problem, example.name, Path::new("."))?;
        let Some(spec) = problem.spec.downcast::<wavefield_holography::Spec>() else {
            continue;
        };
        for difference in Plan::new(spec, None)?.device_differences(&gpu, &Silent)? {
            worst.see(difference.hologram);
            worst.see(difference.pressure);
            worst.see(difference.velocity);
        }
    }
    Ok([("error", worst.value())].into())
}
