//! Quantities with units: `"14.25 GHz"`, `"20 mm"`, `"0.5 lambda"`, `"30 deg"`.
//!
//! A quantity is always a string with a unit. A bare number is refused, because a guess between millimeters and inches
//! is the most common silent error of the field.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Dimension of a quantity, which determines its units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// Length in meters, or in wavelengths of the problem.
    Length,
    /// Frequency in hertz.
    Frequency,
    /// Plane angle in radians.
    Angle,
    /// Time in seconds.
    Time,
    /// Electric conductivity in siemens per meter.
    Conductivity,
    /// Speed in meters per second.
    Speed,
    /// Mass density in kilograms per cubic meter.
    Density,
}

/// Symbol of the wavelength as a unit of length.
pub const WAVELENGTH_UNIT: &str = "lambda";

impl Dimension {
    /// All dimensions.
    pub const ALL: [Dimension; 7] = [
        Dimension::Length,
        Dimension::Frequency,
        Dimension::Angle,
        Dimension::Time,
        Dimension::Conductivity,
        Dimension::Speed,
        Dimension::Density,
    ];

    /// Returns the name of the dimension, as used in messages and in the schema.
    pub fn name(self) -> &'static str {
        match self {
            Dimension::Length => "length",
            Dimension::Frequency => "frequency",
            Dimension::Angle => "angle",
            Dimension::Time => "time",
            Dimension::Conductivity => "conductivity",
            Dimension::Speed => "speed",
            Dimension::Density => "density",
        }
    }

    /// Returns the name with its article: "a length", "an angle".
    pub fn with_article(self) -> String {
        let article = if self == Dimension::Angle { "an" } else { "a" };
        format!("{article} {}", self.name())
    }

    /// Returns the dimension of a name, as used in the schema.
    pub fn from_name(name: &str) -> Option<Dimension> {
        Dimension::ALL.into_iter().find(|d| d.name() == name)
    }

    /// Returns an example for messages.
    pub fn example(self) -> &'static str {
        match self {
            Dimension::Length => "20 mm",
            Dimension::Frequency => "14.25 GHz",
            Dimension::Angle => "30 deg",
            Dimension::Time => "5 ns",
            Dimension::Conductivity => "0.02 S/m",
            Dimension::Speed => "343 m/s",
            Dimension::Density => "1.204 kg/m3",
        }
    }

    /// Returns the units of the dimension with their value in SI; the first is the SI unit. Wavelengths have no fixed
    /// value and are handled by [`Length`].
    pub fn units(self) -> &'static [(&'static str, f64)] {
        match self {
            Dimension::Length => &[
                ("m", 1.0),
                ("km", 1e3),
                ("cm", 1e-2),
                ("mm", 1e-3),
                ("um", 1e-6),
                ("µm", 1e-6),
                ("nm", 1e-9),
                ("in", 0.0254),
                ("ft", 0.3048),
                ("mil", 2.54e-5),
            ],
            Dimension::Frequency => &[
                ("Hz", 1.0),
                ("kHz", 1e3),
                ("MHz", 1e6),
                ("GHz", 1e9),
                ("THz", 1e12),
            ],
            Dimension::Angle => &[
                ("rad", 1.0),
                ("mrad", 1e-3),
                ("deg", std::f64::consts::PI / 180.0),
                ("°", std::f64::consts::PI / 180.0),
            ],
            Dimension::Time => &[
                ("s", 1.0),
                ("ms", 1e-3),
                ("us", 1e-6),
                ("µs", 1e-6),
                ("ns", 1e-9),
                ("ps", 1e-12),
                ("fs", 1e-15),
            ],
            Dimension::Conductivity => &[("S/m", 1.0), ("mS/m", 1e-3), ("MS/m", 1e6)],
            Dimension::Speed => &[("m/s", 1.0), ("km/s", 1e3), ("mm/s", 1e-3)],
            Dimension::Density => &[("kg/m3", 1.0), ("kg/m³", 1.0), ("g/cm3", 1e3)],
        }
    }

    /// Returns the list of accepted units, for messages.
    pub fn unit_list(self) -> String {
        let mut names: Vec<&str> = self
            .units()
            .iter()
            .map(|(symbol, _)| *symbol)
            .filter(|symbol| symbol.is_ascii())
            .collect();
        if self == Dimension::Length {
            names.push(WAVELENGTH_UNIT);
        }
        names.join(", ")
    }
}

/// Errors of parsing a quantity.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QuantityError {
    /// The text does not start with a number.
    #[error("`{text}` does not start with a number; write for example \"{}\"", .dimension.example())]
    NoNumber {
        /// Offending text.
        text: String,
        /// Expected dimension.
        dimension: Dimension,
    },
    /// The number has no unit.
    #[error("`{text}` has no unit; {} is written for example \"{}\"", .dimension.with_article(), .dimension.example())]
    NoUnit {
        /// Offending text.
        text: String,
        /// Expected dimension.
        dimension: Dimension,
    },
    /// The unit is not one of the dimension.
    #[error("`{unit}` is not a unit of {}{}; use one of {}", .dimension.name(), hint(.unit), .dimension.unit_list())]
    WrongUnit {
        /// Offending unit.
        unit: String,
        /// Expected dimension.
        dimension: Dimension,
    },
    /// The number is infinite or NaN.
    #[error("`{text}` is not a finite number")]
    NotFinite {
        /// Offending text.
        text: String,
    },
}

/// Returns a hint if the unit belongs to another dimension or differs only in case.
fn hint(unit: &str) -> String {
    for dimension in Dimension::ALL {
        for (symbol, _) in dimension.units() {
            if *symbol == unit {
                return format!(" (it measures {})", dimension.name());
            }
        }
    }
    for dimension in Dimension::ALL {
        for (symbol, _) in dimension.units() {
            if symbol.eq_ignore_ascii_case(unit) {
                return format!(" (units are case-sensitive: `{symbol}`?)");
            }
        }
    }
    String::new()
}

/// Splits `"14.25 GHz"` into number and unit; the space is optional.
fn split(text: &str, dimension: Dimension) -> Result<(f64, &str), QuantityError> {
    let trimmed = text.trim();
    let (number, unit) = trimmed.split_at(number_length(trimmed));
    let value: f64 = number.parse().map_err(|_| QuantityError::NoNumber {
        text: text.to_owned(),
        dimension,
    })?;
    if !value.is_finite() {
        return Err(QuantityError::NotFinite {
            text: text.to_owned(),
        });
    }
    let unit = unit.trim();
    if unit.is_empty() {
        return Err(QuantityError::NoUnit {
            text: text.to_owned(),
            dimension,
        });
    }
    Ok((value, unit))
}

/// Returns the length in bytes of the number at the start of a text, including the exponent. Rust's `inf` and `nan` are
/// not accepted.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        bytes[from..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count()
    };
    let sign = |from: usize| usize::from(matches!(bytes.get(from), Some(b'+' | b'-')));
    let mut end = sign(0);
    end += digits(end);
    if bytes.get(end) == Some(&b'.') {
        end += 1 + digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let first = end + 1 + sign(end + 1);
        let exponent = digits(first);
        if exponent > 0 {
            end = first + exponent;
        }
    }
    end
}

/// Parses a quantity of the given dimension and returns it in SI units. Wavelengths are not accepted here; see
/// [`Length`].
pub fn parse(text: &str, dimension: Dimension) -> Result<f64, QuantityError> {
    let (value, unit) = split(text, dimension)?;
    let (_, factor) = dimension
        .units()
        .iter()
        .find(|(symbol, _)| *symbol == unit)
        .ok_or_else(|| QuantityError::WrongUnit {
            unit: unit.to_owned(),
            dimension,
        })?;
    let scaled = scale(value, *factor);
    if !scaled.is_finite() {
        return Err(QuantityError::NotFinite {
            text: text.to_owned(),
        });
    }
    Ok(scaled)
}

/// Multiplies by a power of ten, as a division where that is exact (`20 mm` is 0.02, not 0.020000000000000004).
fn scale(value: f64, factor: f64) -> f64 {
    let inverse = (1.0 / factor).round();
    if factor < 1.0 && (inverse * factor - 1.0).abs() < 1e-12 && inverse.log10().fract() == 0.0 {
        value / inverse
    } else {
        value * factor
    }
}

/// Checks that a text is a quantity of the dimension; lengths may be in wavelengths.
pub fn check(text: &str, dimension: Dimension) -> Result<(), QuantityError> {
    match dimension {
        Dimension::Length => text.parse::<Length>().map(|_| ()),
        _ => parse(text, dimension).map(|_| ()),
    }
}

/// A length in meters, or in wavelengths of the problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Length {
    /// Length in meters.
    Meters(f64),
    /// Length in wavelengths, resolved when the frequency is known.
    Wavelengths(f64),
}

impl Length {
    /// Returns the length in meters for a wavelength in meters.
    pub fn meters(self, wavelength: f64) -> f64 {
        match self {
            Length::Meters(meters) => meters,
            Length::Wavelengths(count) => count * wavelength,
        }
    }
}

impl FromStr for Length {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let (value, unit) = split(text, Dimension::Length)?;
        if unit == WAVELENGTH_UNIT || unit == "λ" {
            return Ok(Length::Wavelengths(value));
        }
        parse(text, Dimension::Length).map(Length::Meters)
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Length::Meters(meters) => {
                let unit = match meters.abs() {
                    m if m != 0.0 && m < 1e-4 => "um",
                    m if m != 0.0 && m < 0.1 => "mm",
                    _ => "m",
                };
                f.write_str(&written(*meters, unit, Dimension::Length))
            }
            Length::Wavelengths(count) => write!(f, "{count} lambda"),
        }
    }
}

/// Formats an SI value in the given unit with the fewest digits that parse to the same value, or in the SI unit where
/// the given unit cannot represent it exactly.
fn written(value: f64, unit: &str, dimension: Dimension) -> String {
    let units = dimension.units();
    let factor = units
        .iter()
        .find(|(symbol, _)| *symbol == unit)
        .map_or(1.0, |(_, factor)| *factor);
    let near = value / factor;
    let rounded: f64 = format!("{near:.14e}").parse().unwrap_or(near);
    [rounded, near, near.next_up(), near.next_down()]
        .into_iter()
        .find(|candidate| scale(*candidate, factor) == value)
        .map_or_else(
            || format!("{value} {}", units[0].0),
            |candidate| format!("{candidate} {unit}"),
        )
}

/// Defines a quantity with a fixed set of units: a newtype over its SI value.
macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident, $dimension:expr, $display:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
        pub struct $name(pub f64);

        impl FromStr for $name {
            type Err = QuantityError;

            fn from_str(text: &str) -> Result<Self, QuantityError> {
                parse(text, $dimension).map($name)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let unit: &str = $display(self.0);
                f.write_str(&written(self.0, unit, $dimension))
            }
        }

        quantity_as_string!($name, $dimension);
    };
}

/// Implements serde and the schema of a quantity: a string with a unit.
macro_rules! quantity_as_string {
    ($name:ident, $dimension:expr) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Text;
                impl de::Visitor<'_> for Text {
                    type Value = $name;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        write!(
                            f,
                            "{} with its unit as a string, for example \"{}\"",
                            $dimension.with_article(),
                            $dimension.example()
                        )
                    }

                    fn visit_str<E: de::Error>(self, text: &str) -> Result<$name, E> {
                        text.parse().map_err(E::custom)
                    }
                }
                deserializer.deserialize_str(Text)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({
                    "type": "string",
                    "description": format!(
                        "A {} with its unit ({}), for example \"{}\".",
                        $dimension.name(), $dimension.unit_list(), $dimension.example()
                    ),
                    "x-quantity": $dimension.name(),
                })
            }
        }
    };
}

quantity_as_string!(Length, Dimension::Length);
quantity!(
    /// A frequency in hertz.
    Frequency,
    Dimension::Frequency,
    |hertz: f64| match hertz.abs() {
        f if f >= 1e12 => "THz",
        f if f >= 1e9 => "GHz",
        f if f >= 1e6 => "MHz",
        f if f >= 1e3 => "kHz",
        _ => "Hz",
    }
);
quantity!(
    /// A plane angle in radians, shown in degrees.
    Angle,
    Dimension::Angle,
    |_| "deg"
);
quantity!(
    /// A time in seconds.
    Time,
    Dimension::Time,
    |seconds: f64| match seconds.abs() {
        s if s >= 1.0 || s == 0.0 => "s",
        s if s >= 1e-3 => "ms",
        s if s >= 1e-6 => "us",
        s if s >= 1e-9 => "ns",
        _ => "ps",
    }
);
quantity!(
    /// An electric conductivity in S/m.
    Conductivity,
    Dimension::Conductivity,
    |_| "S/m"
);
quantity!(
    /// A speed in m/s.
    Speed,
    Dimension::Speed,
    |_| "m/s"
);
quantity!(
    /// A mass density in kg/m³.
    Density,
    Dimension::Density,
    |_| "kg/m3"
);

impl Frequency {
    /// Returns the wavelength in vacuum in m.
    pub fn wavelength(self) -> f64 {
        crate::constants::SPEED_OF_LIGHT / self.0
    }

    /// Returns the wavenumber in vacuum in rad/m.
    pub fn wavenumber(self) -> f64 {
        crate::constants::vacuum_wavenumber(self.0)
    }
}

impl Angle {
    /// Returns the angle in degrees.
    pub fn degrees(self) -> f64 {
        self.0.to_degrees()
    }

    /// Creates an angle from degrees.
    pub fn from_degrees(degrees: f64) -> Angle {
        Angle(degrees.to_radians())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_scale_to_si() {
        assert_eq!("14.25 GHz".parse(), Ok(Frequency(14.25e9)));
        assert_eq!("20mm".parse(), Ok(Length::Meters(0.02)));
        assert_eq!("1e-3 m".parse(), Ok(Length::Meters(1e-3)));
        assert_eq!("-1.5e3 um".parse(), Ok(Length::Meters(-1.5e-3)));
        assert_eq!("0.5 lambda".parse(), Ok(Length::Wavelengths(0.5)));
        assert_eq!("1 in".parse(), Ok(Length::Meters(0.0254)));
        assert_eq!("180 deg".parse(), Ok(Angle(std::f64::consts::PI)));
    }

    #[test]
    fn quantities_read_back_what_they_print() {
        for text in ["0.3 m", "20 mm", "2.54 mm", "0.5 lambda", "12 um", "0 m"] {
            let length: Length = text.parse().unwrap();
            assert_eq!(length.to_string(), text);
        }
        for text in ["14.25 GHz", "30 Hz", "0 Hz", "900 MHz"] {
            let frequency: Frequency = text.parse().unwrap();
            assert_eq!(frequency.to_string(), text);
        }
        for degrees in [0.0, 0.1, 30.0, 45.7, 90.0, 359.9] {
            let angle = Angle::from_degrees(degrees);
            assert_eq!(angle.to_string(), format!("{degrees} deg"));
        }
    }

    #[test]
    fn printed_quantities_are_the_same_to_the_last_bit() {
        let mut seed = 1u64;
        for _ in 0..20_000 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let value =
                (seed >> 11) as f64 / (1u64 << 53) as f64 * 10f64.powi((seed % 19) as i32 - 9);
            let length = Length::Meters(value);
            assert_eq!(length.to_string().parse(), Ok(length));
            let angle = Angle(value);
            assert_eq!(angle.to_string().parse(), Ok(angle));
            let frequency = Frequency(value * 1e9);
            assert_eq!(frequency.to_string().parse(), Ok(frequency));
            let time = Time(value);
            assert_eq!(time.to_string().parse(), Ok(time));
        }
    }

    #[test]
    fn the_largest_and_smallest_numbers_read_back() {
        for value in [f64::MAX, f64::MIN_POSITIVE, 5e-324, -1e300] {
            for length in [Length::Meters(value), Length::Wavelengths(value)] {
                assert_eq!(length.to_string().parse(), Ok(length));
            }
            assert_eq!(Angle(value).to_string().parse(), Ok(Angle(value)));
            assert_eq!(Time(value).to_string().parse(), Ok(Time(value)));
        }
        // Finite in the written unit, infinite in SI.
        for text in ["1e306 km", "-1e306 km"] {
            let error = text.parse::<Length>();
            assert!(
                matches!(error, Err(QuantityError::NotFinite { .. })),
                "{text}"
            );
        }
        let exponents = ["1.e3 m", "+1E3m", "1000.0m", " 1e+3 m "];
        assert!(
            exponents
                .iter()
                .all(|text| text.parse() == Ok(Length::Meters(1e3)))
        );
        assert!("1e m".parse::<Length>().is_err());
    }

    #[test]
    fn errors_say_what_would_be_right() {
        let wrong = "3 GHz".parse::<Length>().unwrap_err().to_string();
        assert!(
            wrong.contains("measures frequency") && wrong.contains("mm"),
            "{wrong}"
        );
        let spelling = "3 ghz".parse::<Frequency>().unwrap_err().to_string();
        assert!(spelling.contains("`GHz`?"), "{spelling}");
        let bare = "3".parse::<Length>().unwrap_err().to_string();
        assert!(bare.contains("no unit") && bare.contains("20 mm"), "{bare}");
        for bad in ["", "m", "nan m", "inf m", "1e400 m", "--1 m", "é m", "λ"] {
            assert!(bad.parse::<Length>().is_err(), "{bad}");
        }
    }
}
