//! Binary format of a field sent to a page, and the latest field, shared by all connections.
//!
//! A picture is sent as little-endian 32-bit words: a header of ten, then the levels row by row.
//!
//! | word | contents |
//! |---|---|
//! | 0 | `WFP1` |
//! | 1 | number of the picture |
//! | 2 | number of the frequency |
//! | 3, 4 | rows, columns |
//! | 5 | highest level, dB re 20 µPa (f32, as all that follow but word 9) |
//! | 6 | height of the plane, m |
//! | 7 | speed: 1 is real time |
//! | 8 | processing time of a hop, ms, median of the last second |
//! | 9 | hops dropped since the start |
//! | 10 … | levels, dB re 20 µPa |

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use num_complex::Complex32;
use serde_json::{Value, json};
use wavefield_holography::LiveProblem;

use super::Options;

/// Reference pressure of 0 dB, rms, Pa.
const REFERENCE: f32 = 20e-6;

/// Dynamic range, dB.
const QUIETEST: f32 = -40.0;

/// Averaging time of the speed.
const PACE_OVER: Duration = Duration::from_secs(1);

/// Fields of all frequencies at one time.
#[derive(Clone, Debug, Default)]
pub(super) struct Picture {
    /// Number, from 1.
    pub(super) number: u32,
    /// Levels by frequency, dB re 20 µPa.
    pub(super) levels: Vec<Vec<f32>>,
    /// Height of the plane, m.
    pub(super) plane: f64,
    pub(super) dropped: u64,
    pub(super) hop_time: Duration,
}

/// Returns the levels of a field, dB re 20 µPa.
pub(super) fn levels(field: &[Complex32]) -> Vec<f32> {
    let level = |p: &Complex32| 10.0 * (0.5 * p.norm_sqr() / (REFERENCE * REFERENCE)).log10();
    // NaN is the lowest level.
    field.iter().map(|p| level(p).max(QUIETEST)).collect()
}

/// State shared by all connections.
pub(super) struct Shown {
    /// Description of the problem, for the page.
    about: Value,
    rows: usize,
    columns: usize,
    /// Range of heights of the plane, m.
    pub(super) highest_plane: f64,
    latest: Mutex<Arc<Picture>>,
    newer: Condvar,
    wanted_plane: Mutex<f64>,
    pace: Mutex<Pace>,
}

/// Seconds of sound played since a time.
struct Pace {
    since: Instant,
    seconds: f64,
    found: f32,
}

impl Shown {
    pub(super) fn new(problem: &LiveProblem, options: &Options) -> Self {
        let array = &problem.array;
        Self {
            about: json!({
                "title": options.title,
                "frequencies": problem.frequencies,
                "rows": array.rows,
                "columns": array.columns,
                "pitch": array.pitch,
                "height": problem.height,
                "plane": problem.plane,
            }),
            rows: array.rows,
            columns: array.columns,
            highest_plane: problem.height,
            latest: Mutex::default(),
            newer: Condvar::new(),
            wanted_plane: Mutex::new(problem.plane),
            pace: Mutex::new(Pace {
                since: Instant::now(),
                seconds: 0.0,
                found: 1.0,
            }),
        }
    }

    pub(super) fn about(&self) -> &Value {
        &self.about
    }

    pub(super) fn frequencies(&self) -> usize {
        self.about["frequencies"].as_array().map_or(0, Vec::len)
    }

    /// Replaces the latest picture.
    pub(super) fn show(&self, picture: Picture) {
        *locked(&self.latest) = Arc::new(picture);
        self.newer.notify_all();
    }

    /// Waits for a picture with another number; `None` after the timeout.
    pub(super) fn newer_than(&self, number: u32, patience: Duration) -> Option<Arc<Picture>> {
        let old = |latest: &mut Arc<Picture>| latest.number == number;
        let waited = self
            .newer
            .wait_timeout_while(locked(&self.latest), patience, old);
        let (latest, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        (!timeout.timed_out()).then(|| Arc::clone(&latest))
    }

    pub(super) fn wanted_plane(&self) -> f64 {
        *locked(&self.wanted_plane)
    }

    pub(super) fn want_plane(&self, plane: f64) {
        *locked(&self.wanted_plane) = plane;
    }

    /// Counts seconds of sound played.
    pub(super) fn played(&self, seconds: f64) {
        let mut pace = locked(&self.pace);
        pace.seconds += seconds;
        let passed = pace.since.elapsed();
        if passed >= PACE_OVER {
            pace.found = (pace.seconds / passed.as_secs_f64()) as f32;
            (pace.since, pace.seconds) = (Instant::now(), 0.0);
        }
    }

    /// Encodes the picture of one frequency.
    pub(super) fn packed(&self, picture: &Picture, frequency: usize) -> Option<Vec<u8>> {
        let levels = picture.levels.get(frequency)?;
        let highest = levels.iter().copied().fold(QUIETEST, f32::max);
        let dropped = u32::try_from(picture.dropped).unwrap_or(u32::MAX);
        let head = [
            u32::from_le_bytes(*b"WFP1"),
            picture.number,
            frequency as u32,
            self.rows as u32,
            self.columns as u32,
            highest.to_bits(),
            (picture.plane as f32).to_bits(),
            locked(&self.pace).found.to_bits(),
            (1e3 * picture.hop_time.as_secs_f32()).to_bits(),
            dropped,
        ];
        let words = head.into_iter().chain(levels.iter().map(|l| l.to_bits()));
        Some(words.flat_map(u32::to_le_bytes).collect())
    }
}

/// A panic elsewhere leaves the numbers consistent.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_those_of_root_mean_squares() {
        let pascal = std::f32::consts::SQRT_2;
        let field = [
            Complex32::new(0.0, pascal),
            Complex32::new(0.1 * pascal, 0.0),
            Complex32::new(0.0, 0.0),
            Complex32::new(f32::NAN, 0.0),
        ];
        let levels = levels(&field);
        assert!((levels[0] - 93.979).abs() < 1e-3 && (levels[1] - 73.979).abs() < 1e-3);
        assert_eq!(levels[2..], [QUIETEST; 2]);
    }
}
