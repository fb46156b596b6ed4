//! Color scales: range, color of a value, and color bar.

use serde_json::{Value, json};

use super::axis::Axis;
use super::chart::{decibel_range, range};
use super::color::{self, Rgb, STEPS};
use super::plane::Plane;
use super::raster::Raster;
use super::text::{coordinate, label_svg};
use wavefield_solver::outcome::{ColorMap, ColorScale};

/// Range below the peak, in dB.
const DEPTH: f64 = 40.0;
/// Distance of the color bar from the plot, and its width.
const GAP: f64 = 14.0;
const WIDTH: f64 = 14.0;

/// A color scale applied to values.
pub(super) struct Colors<'a> {
    scale: &'a ColorScale,
    low: f64,
    high: f64,
    pub(super) table: Vec<Rgb>,
}

impl<'a> Colors<'a> {
    /// Creates the scale over values, with the requested or the default range.
    pub(super) fn new(scale: &'a ColorScale, values: &[f64]) -> Colors<'a> {
        let asked = scale
            .range
            .filter(|(low, high)| low < high && (high - low).is_finite());
        let (low, high) = match asked {
            Some(asked) => asked,
            None if scale.map == ColorMap::Cyclic => (-180.0, 180.0),
            None if scale.map == ColorMap::Diverging => {
                let (low, high) = range(values.iter());
                let largest = high.max(-low);
                (-largest, largest)
            }
            None if scale.unit.starts_with("dB") => decibel_range(range(values.iter()), DEPTH),
            None => range(values.iter()),
        };
        Colors {
            scale,
            low,
            high,
            table: match scale.map {
                ColorMap::Sequential => color::sequential(),
                ColorMap::Diverging => color::diverging(),
                ColorMap::Cyclic => color::cyclic(),
            },
        }
    }

    /// Returns the color index of a value; `None` for NaN.
    pub(super) fn index(&self, value: f64) -> Option<u8> {
        let cyclic = self.scale.map == ColorMap::Cyclic;
        if value.is_nan() || (cyclic && value.is_infinite()) {
            return None;
        }
        let part = (value - self.low) / (self.high - self.low);
        let index = if cyclic {
            (part.rem_euclid(1.0) * STEPS as f64).floor() as usize % STEPS
        } else if self.high > self.low {
            (part.clamp(0.0, 1.0) * (STEPS - 1) as f64).round() as usize
        } else {
            // All values are equal.
            STEPS / 2
        };
        Some(index as u8)
    }

    /// Draws the color bar to the right of a plot with ticks, name, and unit.
    pub(super) fn bar(&self, plane: &Plane) -> String {
        let (left, top, bottom) = (plane.right() + GAP, plane.top(), plane.bottom());
        let right = left + WIDTH;
        let most = (((bottom - top) / 22.0) as usize + 1).min(8);
        let axis = Axis::tight(
            &self.scale.label,
            &self.scale.unit,
            (self.low, self.high),
            (bottom, top),
            most,
        );
        let column = Raster {
            width: 1,
            height: STEPS,
            cells: (0..STEPS).rev().map(|index| Some(index as u8)).collect(),
        };
        let mut text = column.image(&self.table, (left, top), (right, bottom));
        text.push_str(&format!(
            "<path class=\"wf-axis\" d=\"M{0} {2}H{1}V{3}H{0}Z\"/>\n",
            coordinate(left),
            coordinate(right),
            coordinate(top),
            coordinate(bottom)
        ));
        for &tick in &axis.ticks {
            let place = axis.place(tick);
            text.push_str(&format!(
                "<path class=\"wf-axis\" d=\"M{} {}h4\"/>\
                 <text class=\"wf-tick\" x=\"{}\" y=\"{}\">{}</text>\n",
                coordinate(right),
                coordinate(place),
                coordinate(right + 7.0),
                coordinate(place + 4.0),
                axis.tick_text(tick)
            ));
        }
        text.push_str(&format!(
            "<text class=\"wf-label\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
            coordinate(plane.right() + 70.0),
            coordinate(bottom + 40.0),
            label_svg(&axis.caption())
        ));
        text
    }

    /// Returns name and unit for the readout.
    pub(super) fn json(&self) -> Value {
        json!({ "label": self.scale.label, "unit": self.scale.unit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(unit: &str, range: Option<(f64, f64)>, map: ColorMap) -> ColorScale {
        ColorScale {
            label: "q".to_owned(),
            unit: unit.to_owned(),
            range,
            map,
        }
    }

    #[test]
    fn decibels_show_their_upper_forty() {
        let scale = scale("dBi", None, ColorMap::Sequential);
        let colors = Colors::new(&scale, &[-90.0, f64::NAN, f64::NEG_INFINITY, 20.0]);
        assert_eq!((colors.low, colors.high), (-20.0, 20.0));
        assert_eq!(colors.index(0.0), Some(127));
        assert_eq!(colors.index(f64::NEG_INFINITY), Some(0));
        assert_eq!(colors.index(99.0), Some(254));
        assert_eq!(colors.index(f64::NAN), None);
    }

    #[test]
    fn phases_wrap_into_the_turn() {
        let scale = scale("deg", None, ColorMap::Cyclic);
        let colors = Colors::new(&scale, &[]);
        assert_eq!(colors.index(-180.0), Some(0));
        for phase in [-170.0, 0.0, 33.0] {
            assert_eq!(colors.index(phase), colors.index(phase + 360.0));
            assert_eq!(colors.index(phase), colors.index(phase - 720.0));
        }
    }

    #[test]
    fn zero_has_the_middle_color_of_a_diverging_map() {
        let scale = scale("Pa", None, ColorMap::Diverging);
        let colors = Colors::new(&scale, &[-1.0, f64::NAN, 3.0]);
        assert_eq!((colors.low, colors.high), (-3.0, 3.0));
        assert_eq!(colors.index(0.0), Some((STEPS / 2) as u8));
        let [r, g, b] = colors.table[STEPS / 2];
        assert!(
            r.max(g).max(b) - r.min(g).min(b) < 4,
            "neutral: {r} {g} {b}"
        );
        let of = |value| colors.table[usize::from(colors.index(value).unwrap())];
        assert!(of(-1.0)[2] > of(-1.0)[0] && of(1.0)[0] > of(1.0)[2]);
    }

    #[test]
    fn a_range_that_is_none_is_replaced() {
        for range in [
            (1.0, 1.0),
            (2.0, 1.0),
            (f64::NAN, 1.0),
            (0.0, f64::INFINITY),
        ] {
            let scale = scale("", Some(range), ColorMap::Sequential);
            let colors = Colors::new(&scale, &[3.0, 4.0]);
            assert_eq!((colors.low, colors.high), (3.0, 4.0));
        }
    }

    #[test]
    fn equal_values_have_a_color_of_the_middle() {
        let scale = scale("V", None, ColorMap::Sequential);
        assert_eq!(Colors::new(&scale, &[5.0]).index(5.0), Some(127));
    }
}
