//! Real-time stream: PDM bitstreams of 1024 microphones through a pipe, 192 MB/s, and five holograms of every hop.
//!
//! A sender writes each hop when its last clock is due, a reader puts it into the ring, one thread takes it out and
//! computes. The latency of a hop is the time from its last clock until its five fields are available. While more than
//! a few hops wait, they are processed without reconstructing fields, which is counted. Hops that find the ring full
//! are dropped and counted; after missing hops the state starts anew.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use wavefield_holography::{
    CLOCK_RATE, LatencyHistogram, MicrophoneArray, Packing, Padding, hop_ring,
};
use wavefield_numerics::cpu::CpuPool;

use super::{BINS, SAMPLES, bits, live};
use crate::measure::{Measured, Metrics};
use wavefield::Error;
use wavefield::bit_source::{ByteStream, pump};

/// Samples per hop: 512 clocks, 2930 hops per second.
const HOP: usize = 16;
/// Maximum number of waiting hops: 87 ms.
const WAITING: usize = 256;
/// Number of waiting hops above which no fields are reconstructed.
const BEHIND: usize = 2;
/// Requested holograms per second.
pub(in crate::bench) const RATE: f64 = 2000.0;
/// Sleep time of an idle thread: less than a hop.
const NAP: Duration = Duration::from_micros(50);

/// Two minutes.
pub(in crate::bench) fn long() -> Result<Measured, Error> {
    stream(Duration::from_secs(120))
}

/// Ten seconds.
pub(in crate::bench) fn short() -> Result<Measured, Error> {
    stream(Duration::from_secs(10))
}

fn stream(duration: Duration) -> Result<Measured, Error> {
    let packing = Packing::new(&MicrophoneArray::default())?;
    let clocks = HOP * 32;
    // A frame whose tones continue seamlessly when it is repeated.
    let sent = bits(packing, SAMPLES * 32)?.to_bytes();
    let hop_bytes = 4 * clocks * packing.words();
    let period = Duration::from_secs_f64(clocks as f64 / CLOCK_RATE);
    let hops = (duration.as_secs_f64() / period.as_secs_f64()) as u64;
    let mut live = live(BINS.len(), HOP, Padding::default())?;
    let words = clocks * packing.words();
    let (mut ring, mut source) = hop_ring(WAITING, words)?;
    let (from, mut to) = std::io::pipe()
        .map_err(|error| Error::runtime(format!("cannot create a pipe: {error}")))?;
    let ended = AtomicBool::new(false);
    // All threads are ready before the first clock.
    let start = Instant::now() + Duration::from_millis(100);
    let due = |hop: u64| start + period.mul_f64((hop + 1) as f64);

    let mut latencies = LatencyHistogram::default();
    let (mut computed, mut missing, mut skipped_frames) = (0_u64, 0_u64, 0_u64);
    let mut last = start;
    // The other core runs the sender and the reader.
    let (behind, whole) = CpuPool::new(Some(1))?.install(|| {
        std::thread::scope(|scope| {
            let sender = scope.spawn(move || -> Result<Duration, Error> {
                let mut behind = Duration::ZERO;
                for hop in 0..hops {
                    let wait = due(hop).saturating_duration_since(Instant::now());
                    if !wait.is_zero() {
                        std::thread::sleep(wait);
                    }
                    let at = (hop as usize * hop_bytes) % sent.len();
                    to.write_all(&sent[at..at + hop_bytes]).map_err(|error| {
                        Error::runtime(format!("cannot write to the pipe: {error}"))
                    })?;
                    behind = behind.max(Instant::now().saturating_duration_since(due(hop)));
                }
                Ok(behind)
            });
            let reader = scope.spawn(|| {
                let whole = pump(&mut ByteStream::new(from, "the pipe"), &mut ring, words);
                ended.store(true, Ordering::Release);
                whole
            });
            let mut hop = vec![0; words];
            loop {
                let over = ended.load(Ordering::Acquire);
                let Some(taken) = source.take(&mut hop)? else {
                    if over {
                        break;
                    }
                    std::thread::sleep(NAP);
                    continue;
                };
                missing += taken.missing;
                if taken.missing > 0 {
                    live.restart();
                }
                if taken.waiting > BEHIND {
                    live.ingest(&hop)?;
                    skipped_frames += 1;
                    continue;
                }
                if live.push(&hop)? {
                    computed += 1;
                    last = Instant::now();
                    latencies.record(last.saturating_duration_since(due(taken.number)));
                }
            }
            let lost = |_| Error::runtime("a thread of the stream panicked".to_owned());
            let behind = sender.join().map_err(lost)??;
            let whole = reader.join().map_err(lost)??;
            Ok::<_, Error>((behind, whole))
        })
    })?;

    let elapsed = last.saturating_duration_since(start).as_secs_f64();
    let milliseconds = |part: f64| {
        let found = latencies.quantile(part).unwrap_or(Duration::MAX);
        1e3 * found.as_secs_f64()
    };
    let mut metrics = Metrics::new();
    for (name, value) in [
        ("rate_hz", computed as f64 / elapsed),
        ("drops", source.dropped() as f64),
        ("missing", missing as f64),
        ("skipped_frames", skipped_frames as f64),
        ("hops", whole as f64),
        ("p50_ms", milliseconds(0.5)),
        ("p99_ms", milliseconds(0.99)),
        ("p999_ms", milliseconds(0.999)),
        ("sender_lag_ms", 1e3 * behind.as_secs_f64()),
        (
            "megabytes_per_second",
            whole as f64 * hop_bytes as f64 / elapsed / 1e6,
        ),
    ] {
        metrics.insert(name.to_owned(), value);
    }
    Ok(metrics.into())
}
