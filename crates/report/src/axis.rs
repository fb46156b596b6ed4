//! Axes of a chart: range, ticks, and the map from values to coordinates.

use serde_json::{Value, json};

use super::text::{number, number_svg, raised_svg};

/// Maximum number of ticks. The step is chosen for fewer, but near the limits of f64 it may underflow.
const MAX_TICKS: usize = 100;

/// An axis from values to drawing units.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    pub(super) label: String,
    pub(super) unit: String,
    pub(super) min: f64,
    pub(super) max: f64,
    pub(super) pixel_min: f64,
    pub(super) pixel_max: f64,
    pub(super) logarithmic: bool,
    pub(super) ticks: Vec<f64>,
}

impl Axis {
    /// Creates a linear axis whose range is extended to multiples of the step, with at most `most` ticks.
    pub(super) fn even(
        label: &str,
        unit: &str,
        range: (f64, f64),
        pixels: (f64, f64),
        most: usize,
    ) -> Axis {
        let (low, high) = widened(range);
        let step = nice_step(high - low, most, unit == "deg");
        let (min, max) = ((low / step).floor() * step, (high / step).ceil() * step);
        Axis::with_step(label, unit, (min, max), step, pixels)
    }

    /// Creates a linear axis with exactly the range of the values and ticks at multiples of the step.
    pub(super) fn tight(
        label: &str,
        unit: &str,
        range: (f64, f64),
        pixels: (f64, f64),
        most: usize,
    ) -> Axis {
        let (low, high) = widened(range);
        let step = nice_step(high - low, most, unit == "deg");
        let mut axis = Axis::with_step(
            label,
            unit,
            ((low / step).ceil() * step, high),
            step,
            pixels,
        );
        axis.min = low;
        axis.max = high;
        axis
    }

    fn with_step(
        label: &str,
        unit: &str,
        (min, max): (f64, f64),
        step: f64,
        pixels: (f64, f64),
    ) -> Axis {
        let count = (((max - min) / step + 1e-6).floor() as usize).min(MAX_TICKS);
        Axis {
            label: label.to_owned(),
            unit: unit.to_owned(),
            min,
            max,
            pixel_min: pixels.0,
            pixel_max: pixels.1,
            logarithmic: false,
            ticks: (0..=count).map(|i| min + step * i as f64).collect(),
        }
    }

    /// Creates a logarithmic axis over positive values, extended to whole decades.
    pub(super) fn logarithmic(
        label: &str,
        unit: &str,
        range: (f64, f64),
        pixels: (f64, f64),
        most: usize,
    ) -> Axis {
        let low = range.0.max(f64::MIN_POSITIVE).log10().floor();
        let high = range.1.max(f64::MIN_POSITIVE).log10().ceil().max(low + 1.0);
        let every = ((high - low) / most as f64).ceil().max(1.0);
        let count = ((high - low) / every).floor() as usize;
        Axis {
            label: label.to_owned(),
            unit: unit.to_owned(),
            min: 10f64.powf(low),
            max: 10f64.powf(high),
            pixel_min: pixels.0,
            pixel_max: pixels.1,
            logarithmic: true,
            ticks: (0..=count)
                .map(|i| 10f64.powf(high - every * i as f64))
                .collect(),
        }
    }

    /// Returns the coordinate of a value.
    pub(super) fn place(&self, value: f64) -> f64 {
        let part = if self.logarithmic {
            (value.max(f64::MIN_POSITIVE) / self.min).log10() / (self.max / self.min).log10()
        } else {
            (value - self.min) / (self.max - self.min)
        };
        self.pixel_min + part * (self.pixel_max - self.pixel_min)
    }

    /// Returns the common power of ten of the tick labels, to shorten them.
    fn power(&self) -> i32 {
        let size = self.min.abs().max(self.max.abs());
        if self.logarithmic || !size.is_finite() || size == 0.0 || (1e-2..1e6).contains(&size) {
            return 0;
        }
        3 * (size.log10() / 3.0).floor() as i32
    }

    /// Returns the axis label with the power of ten of its ticks: "φ (deg)", "difference (10⁻⁹ dB)".
    pub(super) fn caption(&self) -> String {
        let power = match self.power() {
            0 => String::new(),
            power => format!("10{}", superscript(power)),
        };
        let unit = [power.as_str(), self.unit.as_str()].join(" ");
        match unit.trim() {
            "" => self.label.clone(),
            unit => format!("{} ({unit})", self.label),
        }
    }

    /// Returns the label of a tick as SVG.
    pub(super) fn tick_text(&self, tick: f64) -> String {
        if !self.logarithmic {
            // A tick at zero may be nonzero by rounding.
            let small = (self.max - self.min).abs() * 1e-9;
            let shown = if tick.abs() < small { 0.0 } else { tick };
            return number_svg(shown / 10f64.powi(self.power()));
        }
        let exponent = tick.log10().round();
        match exponent as i64 {
            0 => "1".to_owned(),
            e => format!("10{}", raised_svg(&number(e as f64))),
        }
    }

    /// Returns the axis for the crosshair.
    pub(super) fn json(&self) -> Value {
        json!({
            "label": self.label, "unit": self.unit, "min": self.min, "max": self.max,
            "pixel_min": self.pixel_min, "pixel_max": self.pixel_max, "log": self.logarithmic,
        })
    }
}

/// Formats an integer as a superscript.
fn superscript(number: i32) -> String {
    let raised = |digit: char| match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        // The other superscript digits have consecutive code points.
        other => char::from_u32('⁰' as u32 + other.to_digit(10).unwrap_or(0)).unwrap_or(other),
    };
    number.to_string().chars().map(raised).collect()
}

fn widened((low, high): (f64, f64)) -> (f64, f64) {
    if high > low {
        (low, high)
    } else {
        let margin = if low == 0.0 { 1.0 } else { low.abs() * 0.1 };
        (low - margin, high + margin)
    }
}

/// Returns a step of 1, 2, or 5 times a power of ten (or an integer fraction of a turn) with at most `most`
/// ticks.
fn nice_step(span: f64, most: usize, degrees: bool) -> f64 {
    let intervals = most.max(2) - 1;
    if degrees && span > 20.0 {
        let turns = [5.0, 10.0, 15.0, 30.0, 45.0, 60.0, 90.0, 180.0];
        if let Some(step) = turns
            .into_iter()
            .find(|step| span / step <= intervals as f64 + 1e-9)
        {
            return step;
        }
    }
    let raw = span / intervals as f64;
    let decade = 10f64.powf(raw.log10().floor());
    let part = raw / decade;
    let factor = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|f| part <= f * (1.0 + 1e-9))
        .unwrap_or(10.0);
    factor * decade
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_cover_the_range() {
        let axis = Axis::even("σ", "dBsm", (-37.2, 13.9), (328.0, 36.0), 8);
        assert_eq!(axis.ticks, [-40.0, -30.0, -20.0, -10.0, 0.0, 10.0, 20.0]);
        let turn = Axis::tight("φ", "deg", (0.0, 360.0), (70.0, 508.0), 7);
        assert_eq!(turn.ticks, [0.0, 60.0, 120.0, 180.0, 240.0, 300.0, 360.0]);
        let half = Axis::tight("φ", "deg", (0.0, 90.0), (70.0, 508.0), 7);
        assert_eq!(half.ticks, [0.0, 15.0, 30.0, 45.0, 60.0, 75.0, 90.0]);
    }

    #[test]
    fn ticks_can_be_counted_at_the_ends_of_the_numbers() {
        for range in [
            (0.0, 5e-324),
            (5e-324, 5e-324),
            (-f64::MAX, f64::MAX),
            (f64::MAX.next_down(), f64::MAX),
        ] {
            for axis in [Axis::even, Axis::tight, Axis::logarithmic] {
                let axis = axis("x", "", range, (0.0, 100.0), 8);
                assert!(axis.ticks.len() <= MAX_TICKS + 1, "{range:?}");
            }
        }
    }

    #[test]
    fn ticks_that_are_tiny_share_their_power_of_ten() {
        let axis = Axis::even("difference", "dB", (-1.9e-8, 4e-9), (328.0, 36.0), 8);
        assert_eq!(axis.caption(), "difference (10⁻⁹ dB)");
        assert_eq!(axis.tick_text(axis.ticks[0]), "−20");
        let axis = Axis::even("x", "", (0.0, 3.2e7), (0.0, 100.0), 8);
        assert_eq!(axis.caption(), "x (10⁶)");
        let axis = Axis::even("σ", "dBsm", (-40.0, 20.0), (328.0, 36.0), 8);
        assert_eq!(axis.caption(), "σ (dBsm)");
    }

    #[test]
    fn a_single_value_still_has_a_scale() {
        let axis = Axis::even("x", "", (3.0, 3.0), (0.0, 100.0), 8);
        assert!(axis.max > axis.min && axis.place(3.0).is_finite());
    }

    #[test]
    fn decades_are_placed_evenly() {
        let axis = Axis::logarithmic("e", "", (2e-15, 0.9), (300.0, 0.0), 8);
        assert_eq!((axis.min.log10().round(), axis.max), (-15.0, 1.0));
        assert!((axis.place(1e-15) - 300.0).abs() < 1e-9 && axis.place(1.0).abs() < 1e-9);
        assert!(axis.ticks.len() <= 9);
    }
}
