//! Real-time near-field acoustic holography: iterations stage by stage, and a stream of PDM bits.

mod stream;

use std::time::Instant;

use num_complex::Complex64;
use wavefield_holography::front_end::{
    BasicAveraging, DotProducts, Frame, FrontEnd, Nominal, Streaming, Terms, WalshFourier,
};
use wavefield_holography::{
    Bitstream, Border, Filter, Hologram, LiveHolography, Microphone, MicrophoneArray, Packing,
    Padding,
};
use wavefield_numerics::cpu::CpuPool;
use wavefield_physics::medium::Fluid;

use crate::measure::{Measured, Metrics};
use wavefield::Error;

pub(super) use stream::{RATE, long as stream_long, short as stream_short};

/// Samples per frame.
const SAMPLES: usize = 1024;
/// Maximum number of simultaneous holograms, and their DFT bins.
const BINS: [usize; 5] = [22, 44, 66, 87, 110];
/// Samples per hop of the stream: 683 µs.
const HOP: usize = 32;
/// Distance of hologram and reconstruction plane, m.
const DISTANCE: f64 = 0.04;
/// Regularization filter of the propagation.
const FILTER: Filter = Filter::ModifiedTikhonov { parameter: 1e-3 };
/// Number of iterations; the shortest counts.
const HOPS: usize = 400;
const FRAMES: usize = 12;
/// Numbers of bins at which direct sums and FFTs are compared.
const MANY: [usize; 7] = [8, 16, 24, 32, 48, 64, 96];
/// Maximum start-up time of a front end before a frame, clocks.
const LEAD_IN: usize = 1600;

/// Returns a tone at every bin of interest at 1024 microphones, periodic over a frame.
fn bits(packing: Packing, clocks: usize) -> Result<Bitstream, Error> {
    let array = MicrophoneArray::default();
    let frame = Frame::new(packing, SAMPLES, &BINS)?;
    let tones = BINS
        .iter()
        .map(|&bin| {
            let pressures =
                (0..array.channels()).map(|c| Complex64::from_polar(1.0, 1e-4 * (c * bin) as f64));
            Hologram::new(array, frame.frequency(bin), pressures.collect())
        })
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Microphone::default().record(packing, &tones, clocks, 1)?)
}

/// Processing after the front end, for the first bins of interest.
fn live(count: usize, hop: usize, padding: Padding) -> Result<LiveHolography, Error> {
    let array = MicrophoneArray::default();
    let frame = Frame::new(Packing::new(&array)?, SAMPLES, &BINS[..count])?;
    Ok(LiveHolography::new(
        array,
        Streaming::new(frame, 3, hop)?,
        Microphone::default().full_scale,
        &Fluid::AIR,
        &Border {
            padding,
            ..Border::default()
        },
        DISTANCE,
        &vec![FILTER; count],
    )?)
}

/// Returns the shortest of some runs, ms.
fn shortest(runs: usize, mut run: impl FnMut(usize) -> Result<(), Error>) -> Result<f64, Error> {
    let mut best = f64::INFINITY;
    for number in 0..runs {
        let start = Instant::now();
        run(number)?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(1e3 * best)
}

fn whole_frame(name: &str, frame: Frame) -> Result<Box<dyn FrontEnd>, Error> {
    Ok(match name {
        "nominal" => Box::new(Nominal::new(frame)?),
        "dots" => Box::new(DotProducts::new(frame)?),
        "averaging" => Box::new(BasicAveraging::new(frame)?),
        _ => Box::new(WalshFourier::new(frame, Terms::Largest(40))?),
    })
}

/// Measures front ends that process a whole frame per iteration.
const WHOLE_FRAME: [&str; 4] = ["nominal", "dots", "averaging", "walsh"];

pub(super) fn iteration() -> Result<Measured, Error> {
    let packing = Packing::new(&MicrophoneArray::default())?;
    let stream = bits(packing, LEAD_IN + SAMPLES * 32)?;
    let mut metrics = Metrics::new();
    for threads in [1, 2] {
        let pool = CpuPool::new(Some(threads))?;
        let mut with = |name: String, value: f64| {
            metrics.insert(format!("{name}_{threads}"), value);
        };
        pool.install(|| -> Result<(), Error> {
            for count in 1..=BINS.len() {
                let planes = planes(count)?;
                with(format!("planes_ms_n{count}"), planes);
                let mut cheapest = f64::INFINITY;
                for name in WHOLE_FRAME {
                    let frame = Frame::new(packing, SAMPLES, &BINS[..count])?;
                    let front_end = front_end_ms(name, frame, &stream)?;
                    with(format!("{name}_front_end_ms_n{count}"), front_end);
                    with(format!("{name}_ms_n{count}"), front_end + planes);
                    cheapest = cheapest.min(front_end + planes);
                }
                let (push, whole) = streaming(count, &stream)?;
                with(format!("streaming_front_end_ms_n{count}"), push);
                with(format!("streaming_ms_n{count}"), whole);
                with(
                    format!("streaming_over_whole_frame_n{count}"),
                    whole / cheapest,
                );
            }
            let edge = planes_with(1, Padding::Edge)?;
            with("fft_and_filter_ms".to_owned(), edge);
            with("border_ms".to_owned(), planes(1)? - edge);
            with("crossover_bins".to_owned(), crossover(packing, &stream)?);
            Ok(())
        })?;
    }
    Ok(metrics.into())
}

fn front_end_ms(name: &str, frame: Frame, stream: &Bitstream) -> Result<f64, Error> {
    let mut amplitudes =
        vec![Complex64::new(0.0, 0.0); frame.packing().channels() * frame.bins().len()];
    let clocks = frame.clocks();
    let mut front_end = whole_frame(name, frame)?;
    let words = stream.clocks_from(0, front_end.lead_in() + clocks)?;
    shortest(
        FRAMES,
        |_| Ok(front_end.amplitudes(words, &mut amplitudes)?),
    )
}

/// Measures extrapolation, FFTs, filters, and propagation for some holograms.
fn planes(count: usize) -> Result<f64, Error> {
    planes_with(count, Padding::default())
}

fn planes_with(count: usize, padding: Padding) -> Result<f64, Error> {
    let mut live = live(count, HOP, padding)?;
    let channels = MicrophoneArray::default().channels();
    let amplitudes: Vec<Complex64> = (0..count * channels)
        .map(|i| Complex64::cis(0.37 * (i % 1000) as f64))
        .collect();
    shortest(HOPS, |_| Ok(live.reconstruct(&amplitudes)?))
}

/// Measures the front end alone, and a whole iteration, hop by hop.
fn streaming(count: usize, stream: &Bitstream) -> Result<(f64, f64), Error> {
    let packing = stream.packing();
    let mut live = live(count, HOP, Padding::default())?;
    let clocks = live.hop_clocks();
    let frame = Frame::new(packing, SAMPLES, &BINS[..count])?;
    let mut amplitudes = vec![Complex64::new(0.0, 0.0); packing.channels() * count];
    let mut alone = Streaming::new(frame, 3, HOP)?;
    let hop = |number: usize| stream.clocks_from(number % (SAMPLES / HOP) * clocks, clocks);
    let push = shortest(HOPS, |number| {
        alone.push(hop(number)?)?;
        Ok(alone.read(&mut amplitudes)?)
    })?;
    for number in 0..=SAMPLES / HOP {
        live.push(hop(number)?)?;
    }
    let whole = shortest(HOPS, |number| {
        live.push(hop(number)?)?;
        Ok(())
    })?;
    Ok((push, whole))
}

/// Returns the smallest number of bins, of those tried, for which FFTs of all channels are as fast as direct sums; the
/// largest tried if sums are always faster.
fn crossover(packing: Packing, stream: &Bitstream) -> Result<f64, Error> {
    for count in MANY {
        let bins: Vec<usize> = (1..=count).map(|bin| 4 * bin).collect();
        let frame = Frame::new(packing, SAMPLES, &bins)?;
        let sums = front_end_ms("dots", frame.clone(), stream)?;
        if sums >= front_end_ms("nominal", frame, stream)? {
            return Ok(count as f64);
        }
    }
    Ok(MANY[MANY.len() - 1] as f64)
}
