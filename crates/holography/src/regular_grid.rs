//! Detection of a regular grid in microphone positions.

use crate::array::MicrophoneArray;
use crate::error::Error;
use crate::files::MicrophonePlace;

/// Maximum deviation of a microphone from its grid point, in pitches: 1/20 changes the phase at the Nyquist wavenumber
/// by 1/40 of a period.
const TOLERANCE: f64 = 0.05;

/// A microphone array and the array channel of each recording channel.
///
/// x increases with the column and y decreases with the row, as in the position file; the grid is centered on the z
/// axis.
#[derive(Clone, Debug, PartialEq)]
pub struct RegularGrid {
    /// Microphone array.
    pub array: MicrophoneArray,
    /// Array channel of each recording channel.
    pub channels: Vec<usize>,
}

impl RegularGrid {
    /// Detects the regular grid formed by microphone positions.
    ///
    /// # Errors
    /// Returns [`Error::NotAGrid`] with the reason if they form none.
    pub fn new(places: &[MicrophonePlace]) -> Result<Self, Error> {
        let refused = |reason: String| Err(Error::NotAGrid { reason });
        let axis =
            |axis: usize| -> Vec<f64> { places.iter().map(|place| place.position[axis]).collect() };
        let [x, y, z] = [axis(0), axis(1), axis(2)];
        let (Some(columns), Some(rows)) = (Lines::of(&x), Lines::of(&y)) else {
            return refused("all positions lie on one line".to_owned());
        };
        let pitch = 0.5 * (columns.pitch + rows.pitch);
        if (columns.pitch - rows.pitch).abs() > TOLERANCE * pitch {
            return refused(format!(
                "the column pitch is {:.4} m, but the row pitch is {:.4} m",
                columns.pitch, rows.pitch
            ));
        }
        let (lowest, highest) = least_and_most(&z);
        if highest - lowest > 2.0 * TOLERANCE * pitch {
            return refused(format!(
                "the positions are not coplanar: z ranges from {lowest} m to {highest} m"
            ));
        }
        if rows.count.saturating_mul(columns.count) != places.len() {
            return refused(format!(
                "{} rows of {} columns need {} microphones, found {}",
                rows.count,
                columns.count,
                rows.count.saturating_mul(columns.count),
                places.len()
            ));
        }
        let mut taken = vec![false; places.len()];
        let mut channels = Vec::with_capacity(places.len());
        for (i, place) in places.iter().enumerate() {
            let [column, from_below] = [
                (place.position[0] - columns.first) / pitch,
                (place.position[1] - rows.first) / pitch,
            ];
            let off = (column - column.round()).abs();
            let off = off.max((from_below - from_below.round()).abs());
            let inside = |at: f64, count: usize| at.round() >= 0.0 && at.round() < count as f64;
            if off > TOLERANCE || !inside(column, columns.count) || !inside(from_below, rows.count)
            {
                return refused(format!(
                    "microphone {} (`{}`) is {off:.2} pitches away from its grid point",
                    i + 1,
                    place.name
                ));
            }
            let row = rows.count - 1 - from_below.round() as usize;
            let channel = row * columns.count + column.round() as usize;
            if std::mem::replace(&mut taken[channel], true) {
                return refused(format!(
                    "microphone {} (`{}`) has the position of another one",
                    i + 1,
                    place.name
                ));
            }
            channels.push(channel);
        }
        Ok(Self {
            array: MicrophoneArray::new(rows.count, columns.count, pitch)?,
            channels,
        })
    }
}

/// Parallel lines of microphones.
struct Lines {
    count: usize,
    first: f64,
    pitch: f64,
}

impl Lines {
    /// Detects the lines on which coordinates lie; `None` if there is only one.
    fn of(coordinates: &[f64]) -> Option<Self> {
        let mut sorted = coordinates.to_vec();
        sorted.sort_by(f64::total_cmp);
        let widest = sorted
            .windows(2)
            .map(|pair| pair[1] - pair[0])
            .fold(0.0, f64::max);
        // Gaps are about a pitch between lines and negligible within a line.
        let gaps = sorted
            .windows(2)
            .filter(|pair| pair[1] - pair[0] > 0.5 * widest);
        let count = 1 + gaps.count();
        let mean_of = |line: &[f64]| line.iter().sum::<f64>() / line.len() as f64;
        let lines: Vec<&[f64]> = sorted.chunk_by(|a, b| b - a <= 0.5 * widest).collect();
        let (first, last) = (mean_of(lines.first()?), mean_of(lines.last()?));
        (widest > 0.0 && count > 1).then(|| Self {
            count,
            first,
            pitch: (last - first) / (count - 1) as f64,
        })
    }
}

fn least_and_most(values: &[f64]) -> (f64, f64) {
    values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), &v| {
            (least.min(v), most.max(v))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(array: &MicrophoneArray) -> Vec<MicrophonePlace> {
        (0..array.channels())
            .map(|channel| {
                let [x, y] = array.position(channel);
                MicrophonePlace {
                    name: format!("Point {}", channel + 1),
                    position: [x + 0.4, y - 1.0, 0.2],
                }
            })
            .collect()
    }

    fn reason(places: &[MicrophonePlace]) -> String {
        RegularGrid::new(places).unwrap_err().to_string()
    }

    #[test]
    fn the_grid_is_found_in_any_order() {
        let array = MicrophoneArray::new(5, 9, 0.03).unwrap();
        let mut shuffled = places(&array);
        shuffled.reverse();
        shuffled.swap(3, 17);
        // A deviation of a hundredth of a pitch is within the tolerance.
        shuffled[4].position[0] += 3e-4;
        let grid = RegularGrid::new(&shuffled).unwrap();
        assert_eq!((grid.array.rows, grid.array.columns), (5, 9));
        assert!((grid.array.pitch - 0.03).abs() < 1e-5);
        assert_eq!(grid.channels[0], 44);
        assert_eq!((grid.channels[3], grid.channels[17]), (44 - 17, 44 - 3));
    }

    #[test]
    fn other_arrays_are_refused_with_the_reason() {
        let array = MicrophoneArray::new(5, 9, 0.03).unwrap();
        let good = places(&array);
        assert!(reason(&good[1..]).contains("found 44"));
        assert!(reason(&good[..9]).contains("one line"));
        assert!(reason(&[]).contains("one line"));
        let mut other = good.clone();
        other[7].position[1] += 0.004;
        assert!(reason(&other).contains("microphone 8 (`Point 8`)"));
        let mut other = good.clone();
        other[7].position = other[6].position;
        assert!(reason(&other).contains("another"));
        let mut other = good.clone();
        other[7].position[2] += 0.01;
        assert!(reason(&other).contains("coplanar"));
        let mut other = good.clone();
        for place in &mut other {
            place.position[0] *= 1.5;
        }
        assert!(reason(&other).contains("column pitch is 0.0450 m"));
        // Positions on a spiral.
        let spiral: Vec<MicrophonePlace> = (0..64)
            .map(|i| {
                let (angle, radius) = (2.4 * f64::from(i), 0.01 * f64::from(i).sqrt());
                MicrophonePlace {
                    name: String::new(),
                    position: [radius * angle.cos(), radius * angle.sin(), 0.0],
                }
            })
            .collect();
        assert!(RegularGrid::new(&spiral).is_err());
    }
}
