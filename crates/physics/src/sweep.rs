//! Sweeps of angles or frequencies in problem files: one value, a list, or a range.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::quantity::{Angle, Frequency, Time};

/// Maximum number of values of a sweep.
pub const MAX_SWEEP: usize = 10_000_000;

/// A sweep of a quantity: one value, a list, or a range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Sweep<T> {
    /// A single value.
    One(T),
    /// A list of values.
    List(Vec<T>),
    /// Uniformly spaced values, both ends included.
    Range(Range<T>),
}

/// Uniformly spaced values from `start` to `stop`, both included, by `step` or by `count`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Range<T> {
    /// First value.
    pub start: T,
    /// Last value.
    pub stop: T,
    /// Spacing of the values; give either this or `count`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<T>,
    /// Number of values; give either this or `step`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
}

impl<T> Sweep<T> {
    /// Creates uniformly spaced values by their number, both ends included.
    pub fn by_count(start: T, stop: T, count: usize) -> Sweep<T> {
        Sweep::Range(Range {
            start,
            stop,
            step: None,
            count: Some(count),
        })
    }

    /// Creates uniformly spaced values by their spacing, both ends included.
    pub fn by_step(start: T, stop: T, step: T) -> Sweep<T> {
        Sweep::Range(Range {
            start,
            stop,
            step: Some(step),
            count: None,
        })
    }
}

impl Sweep<Angle> {
    /// Creates a single angle in degrees.
    pub fn degree(angle: f64) -> Sweep<Angle> {
        Sweep::One(Angle::from_degrees(angle))
    }

    /// Creates angles in degrees from `start` to `stop` by `step`, both ends included.
    pub fn degrees(start: f64, stop: f64, step: f64) -> Sweep<Angle> {
        let [start, stop, step] = [start, stop, step].map(Angle::from_degrees);
        Sweep::by_step(start, stop, step)
    }

    /// Creates `count` angles in degrees from `start` to `stop`, both ends included.
    pub fn degrees_by_count(start: f64, stop: f64, count: usize) -> Sweep<Angle> {
        let [start, stop] = [start, stop].map(Angle::from_degrees);
        Sweep::by_count(start, stop, count)
    }
}

impl<T> From<T> for Sweep<T> {
    fn from(value: T) -> Sweep<T> {
        Sweep::One(value)
    }
}

impl<T> From<Vec<T>> for Sweep<T> {
    fn from(values: Vec<T>) -> Sweep<T> {
        Sweep::List(values)
    }
}

/// Errors of sweeps.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SweepError {
    /// Neither or both of `step` and `count` are given.
    #[error("a range needs either `step` or `count`, not {}", if *.both { "both" } else { "neither" })]
    StepOrCount {
        /// Whether both are given.
        both: bool,
    },
    /// The step is zero or has the wrong sign.
    #[error(
        "a step of {step} does not reach {stop} from {start}; change the sign or size of `step`"
    )]
    BadStep {
        /// First value, in SI units.
        start: f64,
        /// Last value, in SI units.
        stop: f64,
        /// Step, in SI units.
        step: f64,
    },
    /// `stop` is not an integer number of steps from `start`.
    #[error("the range is {intervals} steps, not an integer; use `count`")]
    UnevenStep {
        /// Number of steps from `start` to `stop`.
        intervals: f64,
    },
    /// The range overflows floating point.
    #[error("the range from {start} to {stop} overflows; reduce it")]
    TooWide {
        /// First value, in natural units.
        start: f64,
        /// Last value, in natural units.
        stop: f64,
    },
    /// No value, or too many.
    #[error("a sweep must have between 1 and {MAX_SWEEP} values, not {count}")]
    BadCount {
        /// Requested number of values.
        count: f64,
    },
}

/// A quantity that can be spaced uniformly in its natural unit.
pub trait Spaced: Copy {
    /// Returns the value in the natural unit of the quantity, so that a step of one degree is
    /// exact.
    fn natural(self) -> f64;
    /// Creates the quantity from a value in its natural unit.
    fn from_natural(value: f64) -> Self;
}

impl Spaced for Angle {
    fn natural(self) -> f64 {
        // Rounds to 15 digits, so that 0.1 deg survives the conversion through radians.
        let degrees = self.degrees();
        let rounded = (degrees * 1e9).round() / 1e9;
        if (degrees - rounded).abs() <= 4.0 * f64::EPSILON * degrees.abs() {
            rounded
        } else {
            degrees
        }
    }

    fn from_natural(value: f64) -> Self {
        Angle::from_degrees(value)
    }
}

impl Spaced for Frequency {
    fn natural(self) -> f64 {
        self.0
    }

    fn from_natural(value: f64) -> Self {
        Frequency(value)
    }
}

impl Spaced for Time {
    fn natural(self) -> f64 {
        self.0
    }

    fn from_natural(value: f64) -> Self {
        Time(value)
    }
}

impl<T: Spaced> Sweep<T> {
    /// Returns the values, in order.
    pub fn values(&self) -> Result<Vec<T>, SweepError> {
        match self {
            Sweep::One(value) => Ok(vec![*value]),
            Sweep::List(values) if values.is_empty() => Err(SweepError::BadCount { count: 0.0 }),
            Sweep::List(values) => Ok(values.clone()),
            Sweep::Range(range) => range.values(),
        }
    }
}

impl<T: Spaced> Range<T> {
    fn values(&self) -> Result<Vec<T>, SweepError> {
        let (start, stop) = (self.start.natural(), self.stop.natural());
        let intervals = match (self.step, self.count) {
            (Some(_), Some(_)) => return Err(SweepError::StepOrCount { both: true }),
            (None, None) => return Err(SweepError::StepOrCount { both: false }),
            (None, Some(0)) => return Err(SweepError::BadCount { count: 0.0 }),
            (None, Some(count)) => (count - 1) as f64,
            (Some(step), None) => {
                let step = step.natural();
                let intervals = (stop - start) / step;
                if !intervals.is_finite() || intervals < 0.0 {
                    return Err(SweepError::BadStep { start, stop, step });
                }
                // A tolerance of 1e-4 steps allows for decimal fractions such as 0.1.
                if (intervals - intervals.round()).abs() > 1e-4 {
                    return Err(SweepError::UnevenStep { intervals });
                }
                intervals.round()
            }
        };
        if intervals + 1.0 > MAX_SWEEP as f64 {
            return Err(SweepError::BadCount {
                count: intervals + 1.0,
            });
        }
        let count = intervals as usize + 1;
        if count == 1 {
            return Ok(vec![self.start]);
        }
        if !((stop - start) * intervals).is_finite() {
            return Err(SweepError::TooWide { start, stop });
        }
        Ok((0..count)
            .map(|i| T::from_natural(start + (stop - start) * (i as f64) / intervals))
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: f64, stop: f64, step: Option<f64>, count: Option<usize>) -> Sweep<Angle> {
        Sweep::Range(Range {
            start: Angle::from_degrees(start),
            stop: Angle::from_degrees(stop),
            step: step.map(Angle::from_degrees),
            count,
        })
    }

    #[test]
    fn a_range_holds_both_ends() {
        let values = range(0.0, 360.0, Some(0.1), None).values().unwrap();
        assert_eq!(values.len(), 3601);
        assert_eq!(values[3600], Angle::from_degrees(360.0));
        assert_eq!(values[1].to_string(), "0.1 deg");
        assert_eq!(
            range(0.0, 90.0, None, Some(4)).values().unwrap()[1],
            Angle::from_degrees(30.0)
        );
    }

    #[test]
    fn impossible_ranges_are_refused() {
        assert!(matches!(
            range(0.0, 10.0, Some(3.0), None).values(),
            Err(SweepError::UnevenStep { .. })
        ));
        assert!(matches!(
            range(0.0, 10.0, Some(-1.0), None).values(),
            Err(SweepError::BadStep { .. })
        ));
        assert!(matches!(
            range(0.0, 10.0, Some(0.0), None).values(),
            Err(SweepError::BadStep { .. })
        ));
        assert!(matches!(
            range(0.0, 10.0, None, None).values(),
            Err(SweepError::StepOrCount { both: false })
        ));
        assert!(matches!(
            range(0.0, 10.0, Some(1e-12), None).values(),
            Err(SweepError::BadCount { .. })
        ));
        assert!(range(0.0, 10.0, None, Some(0)).values().is_err());
        for end in [1e307, 1e308] {
            assert!(matches!(
                range(-end, end, None, Some(40)).values(),
                Err(SweepError::TooWide { .. })
            ));
        }
    }
}
