//! Streaming gives the results of separate frames, through a ring buffer, with any number of threads.

use num_complex::{Complex32, Complex64};
use wavefield_holography::front_end::{Frame, Streaming};
use wavefield_holography::{
    Bitstream, Border, Error, Filter, Hologram, LiveHolography, Microphone, MicrophoneArray,
    Packing, Padding, PlanarHolography, Regularization, Source, exact_hologram, hop_ring,
    relative_error,
};
use wavefield_numerics::cpu::CpuPool;
use wavefield_physics::medium::Fluid;

const SAMPLES: usize = 256;
const HOP: usize = 32;
const BINS: [usize; 2] = [6, 11];
const FILTER: Filter = Filter::ModifiedTikhonov { parameter: 3e-3 };
const DISTANCE: f64 = 0.04;

fn array() -> MicrophoneArray {
    MicrophoneArray::new(16, 24, 0.02).unwrap()
}

fn frame() -> Frame {
    Frame::new(Packing::new(&array()).unwrap(), SAMPLES, &BINS).unwrap()
}

fn live(padding: Padding) -> Result<LiveHolography, Error> {
    LiveHolography::new(
        array(),
        Streaming::new(frame(), 3, HOP)?,
        Microphone::default().full_scale,
        &Fluid::AIR,
        &Border {
            padding,
            ..Border::default()
        },
        DISTANCE,
        &[FILTER; 2],
    )
}

/// A monopole 5 cm before the array that radiates at both bins.
fn tones() -> Vec<Hologram> {
    let source = Source::Monopole {
        position: [0.04, -0.03, 0.0],
        volume_velocity: Complex64::new(1e-4, 0.0),
    };
    BINS.iter()
        .map(|&bin| {
            let frequency = frame().frequency(bin);
            exact_hologram(&[source], &Fluid::AIR, &array(), frequency, 0.05).unwrap()
        })
        .collect()
}

fn stream(hops: usize) -> Bitstream {
    Microphone::default()
        .record(frame().packing(), &tones(), hops * HOP * 32, 5)
        .unwrap()
}

fn widened(field: &[Complex32]) -> Vec<Complex64> {
    field
        .iter()
        .map(|p| Complex64::new(p.re.into(), p.im.into()))
        .collect()
}

#[test]
fn the_stream_gives_the_reconstruction_of_its_hologram() {
    let stream = stream(12);
    for padding in [
        Padding::LinearPrediction { order: 10 },
        Padding::Edge,
        Padding::Zero,
    ] {
        let mut live = live(padding).unwrap();
        let clocks = live.hop_clocks();
        let mut fields = 0;
        for hop in 0..12 {
            if !live
                .push(stream.clocks_from(hop * clocks, clocks).unwrap())
                .unwrap()
            {
                continue;
            }
            fields += 1;
            for (bin, tone) in tones().iter().enumerate() {
                let hologram = live.hologram(bin).unwrap();
                let louder: f64 = hologram.mean_square() / tone.mean_square();
                assert!((louder - 1.0).abs() < 0.02, "{louder}");
                let plain = PlanarHolography {
                    border: Border {
                        padding,
                        ..Border::default()
                    },
                    regularization: Regularization::Fixed(FILTER),
                    ..PlanarHolography::default()
                }
                .back_propagate(&hologram, DISTANCE)
                .unwrap();
                let field = widened(live.field(bin).unwrap());
                let error = relative_error(&plain.spectrum.pressure(), &field).unwrap();
                // Single precision, through a recursion that amplifies roundoff some hundredfold.
                assert!(error < 1e-4, "{padding:?}, hop {hop}: {error}");
            }
        }
        // The filter settles during the first hop; eight more complete the first frame.
        assert_eq!(fields, 12 - SAMPLES / HOP);
    }
}

#[test]
fn amplitudes_of_another_front_end_are_brought_to_the_same_plane() {
    let stream = stream(10);
    let mut through = live(Padding::Edge).unwrap();
    let clocks = through.hop_clocks();
    for hop in 0..10 {
        let words = stream.clocks_from(hop * clocks, clocks).unwrap();
        through.push(words).unwrap();
    }
    let full_scale = Microphone::default().full_scale;
    let holograms = [0, 1].map(|bin| through.hologram(bin).unwrap());
    let amplitudes: Vec<Complex64> = holograms
        .iter()
        .flat_map(|hologram| hologram.values().iter().map(|p| p / full_scale))
        .collect();
    let mut brought = live(Padding::Edge).unwrap();
    brought.reconstruct(&amplitudes).unwrap();
    for bin in 0..2 {
        let wanted = widened(through.field(bin).unwrap());
        let error = relative_error(&wanted, &widened(brought.field(bin).unwrap())).unwrap();
        // Division and multiplication by full scale, then rounding to single precision.
        assert!(error < 1e-6, "{error}");
    }
    assert!(brought.reconstruct(&amplitudes[1..]).is_err());
}

#[test]
fn fields_are_the_same_for_any_number_of_threads() {
    let stream = stream(10);
    let fields = |threads| {
        CpuPool::new(Some(threads)).unwrap().install(|| {
            let mut live = live(Padding::LinearPrediction { order: 10 }).unwrap();
            let clocks = live.hop_clocks();
            for hop in 0..10 {
                live.push(stream.clocks_from(hop * clocks, clocks).unwrap())
                    .unwrap();
            }
            [0, 1].map(|bin| live.field(bin).unwrap().to_vec())
        })
    };
    assert_eq!(fields(1), fields(3));
}

#[test]
fn a_ring_carries_the_stream_from_reader_to_stages() {
    let stream = stream(12);
    let mut live = live(Padding::Edge).unwrap();
    let clocks = live.hop_clocks();
    let words = clocks * frame().packing().words();
    let (mut reader, mut source) = hop_ring(12, words).unwrap();
    std::thread::scope(|scope| {
        let stream = &stream;
        scope.spawn(move || {
            for hop in 0..12 {
                let words = stream.clocks_from(hop * clocks, clocks).unwrap();
                assert!(reader.put(words).unwrap());
            }
        });
        let mut hop = vec![0; words];
        let mut taken = 0;
        while taken < 12 {
            match source.take(&mut hop).unwrap() {
                None => std::thread::yield_now(),
                Some(next) => {
                    if next.missing > 0 {
                        live.restart();
                    }
                    live.push(&hop).unwrap();
                    taken += 1;
                }
            }
        }
    });
    assert_eq!(source.dropped(), 0);
    let mut direct = self::live(Padding::Edge).unwrap();
    for hop in 0..12 {
        direct
            .push(stream.clocks_from(hop * clocks, clocks).unwrap())
            .unwrap();
    }
    assert_eq!(live.field(1), direct.field(1));
}

#[test]
fn hops_that_are_only_heard_are_not_lost() {
    let stream = stream(12);
    let clocks = live(Padding::Edge).unwrap().hop_clocks();
    let hop = |number: usize| stream.clocks_from(number * clocks, clocks).unwrap();
    let [mut some, mut all] = [0, 1].map(|_| live(Padding::Edge).unwrap());
    for number in 0..11 {
        some.ingest(hop(number)).unwrap();
        all.push(hop(number)).unwrap();
    }
    assert!(some.push(hop(11)).unwrap() && all.push(hop(11)).unwrap());
    assert_eq!(some.field(0), all.field(0));
}

#[test]
fn after_an_interruption_a_whole_frame_is_heard_first() {
    let stream = stream(20);
    let mut live = live(Padding::Edge).unwrap();
    let clocks = live.hop_clocks();
    let push = |live: &mut LiveHolography, hop: usize| {
        live.push(stream.clocks_from(hop * clocks, clocks).unwrap())
            .unwrap()
    };
    assert!((0..10).any(|hop| push(&mut live, hop)));
    live.restart();
    let ready: Vec<bool> = (10..20).map(|hop| push(&mut live, hop)).collect();
    assert!(!ready[7] && ready[8]);
}

#[test]
fn another_plane_is_as_if_it_had_been_there_from_the_beginning() {
    let stream = stream(10);
    let mut moved = live(Padding::Edge).unwrap();
    let other = [Filter::Tikhonov { parameter: 1e-2 }, FILTER];
    let mut there = LiveHolography::new(
        array(),
        Streaming::new(frame(), 3, HOP).unwrap(),
        Microphone::default().full_scale,
        &Fluid::AIR,
        &Border {
            padding: Padding::Edge,
            ..Border::default()
        },
        0.02,
        &other,
    )
    .unwrap();
    let clocks = moved.hop_clocks();
    for hop in 0..10 {
        let words = stream.clocks_from(hop * clocks, clocks).unwrap();
        if hop == 9 {
            moved.retune(0.02, &other).unwrap();
        }
        moved.push(words).unwrap();
        there.push(words).unwrap();
    }
    assert_eq!(moved.field(0), there.field(0));
    assert_eq!(moved.field(1), there.field(1));
    assert!(moved.retune(0.02, &other[..1]).is_err());
    assert!(moved.retune(-1.0, &other).is_err());
}

#[test]
fn what_is_not_computed_live_is_refused() {
    assert!(matches!(
        live(Padding::PlanarPrediction { order: 4 }),
        Err(Error::NotLive { .. })
    ));
    assert!(live(Padding::LinearPrediction { order: 16 }).is_err());
    let live = live(Padding::Zero).unwrap();
    assert!(live.field(2).is_none() && live.hologram(2).is_err());
}
