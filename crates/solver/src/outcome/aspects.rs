//! Tables and figures over the directions and frequencies of a sweep.

use crate::scene::aspects::Aspect;
use wavefield_numerics::vector::scaled;
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::{Channel, ScatteringMatrix};
use wavefield_physics::quantity::Frequency;

use super::{Array, ArrowView, Data, Figure, FigureKind, Outcome, Series, selection, waterfall};

/// Maximum number of drawn cuts through a grid of directions.
const MAX_CUTS: usize = 4;

/// Returns the leading columns of every table: frequency and angles of each aspect.
pub fn columns(frequencies: &[f64], aspects: &[Aspect]) -> Vec<(&'static str, &'static str, Data)> {
    let column = |value: &dyn Fn(&Aspect) -> f64| Data::Real(aspects.iter().map(value).collect());
    vec![
        ("frequency", "Hz", column(&|a| frequencies[a.frequency])),
        ("theta_i", "deg", column(&|a| tidy(a.from.theta))),
        ("phi_i", "deg", column(&|a| tidy(a.from.phi))),
        ("theta", "deg", column(&|a| tidy(a.to.theta))),
        ("phi", "deg", column(&|a| tidy(a.to.phi))),
    ]
}

/// Returns the column names of a channel: complex amplitude and dBsm.
pub fn channel_columns(channel: Channel) -> (&'static str, &'static str) {
    match channel {
        Channel::VV => ("vv", "vv_dbsm"),
        Channel::VH => ("vh", "vh_dbsm"),
        Channel::HV => ("hv", "hv_dbsm"),
        Channel::HH => ("hh", "hh_dbsm"),
    }
}

/// Returns the scattering matrices as columns: complex amplitudes √σ·e^{j phase} in m, then σ in dBsm.
pub fn matrix_columns(matrices: &[ScatteringMatrix]) -> Vec<(&'static str, &'static str, Data)> {
    let amplitudes = Channel::ALL.map(|channel| {
        let values = matrices.iter().map(|m| m.channel(channel)).collect();
        (channel_columns(channel).0, "m", Data::Complex(values))
    });
    let decibels = Channel::ALL.map(|channel| {
        let values = matrices.iter().map(|m| m.dbsm(channel)).collect();
        (channel_columns(channel).1, "dBsm", Data::Real(values))
    });
    amplitudes.into_iter().chain(decibels).collect()
}

/// The radar cross section (RCS), without channels.
pub const RADAR_CROSS_SECTION: Quantity<'static> = Quantity {
    table: "rcs",
    name: "radar cross section",
    unit: "dBsm",
    channels: &[],
    references: &[],
    scattered: true,
    shown: 0,
};

/// Adds the RCS figures of complete scattering matrices.
pub fn radar_figures(
    outcome: &mut Outcome,
    frequencies: &[f64],
    aspects: &[Aspect],
    matrices: &[ScatteringMatrix],
) {
    let mut channels = curves_of(&drawn_channels(matrices, &Channel::ALL));
    if is_symmetric(matrices) {
        // One curve would hide the other.
        channels.retain(|&(name, _)| name != Channel::VH.name());
        for (name, _) in &mut channels {
            if *name == Channel::HV.name() {
                *name = "HV = VH";
            }
        }
    }
    let quantity = Quantity {
        channels: &channels,
        ..RADAR_CROSS_SECTION
    };
    figures(outcome, frequencies, aspects, &quantity);
}

/// Difference of σ between both cross-polar channels that no figure shows, relative to their largest.
const SAME_CURVE: f64 = 1e-4;

/// Returns whether σ of both cross-polar channels is the same, as in a monostatic sweep of a reciprocal body.
fn is_symmetric(matrices: &[ScatteringMatrix]) -> bool {
    let cross_polar = |m: &ScatteringMatrix| [m.rcs(Channel::VH), m.rcs(Channel::HV)];
    let largest = matrices.iter().flat_map(cross_polar).fold(0.0, f64::max);
    (matrices.iter().map(cross_polar)).all(|[vh, hv]| (vh - hv).abs() <= SAME_CURVE * largest)
}

/// Depth below the strongest co-polar channel at which cross-polar channels are no longer drawn, in dB.
const CROSS_POLAR_DEPTH: f64 = 30.0;

/// Returns the channels of `there` to be drawn: both co-polar channels, and cross-polar channels less than
/// 30 dB below the strongest one, as in a bistatic cut oblique to the polarization.
pub fn drawn_channels(matrices: &[ScatteringMatrix], there: &[Channel]) -> Vec<Channel> {
    let co_polar = |channel: Channel| matches!(channel, Channel::VV | Channel::HH);
    let peak = |channel: Channel| {
        let values = matrices.iter().map(|m| m.rcs(channel));
        values.filter(|rcs| rcs.is_finite()).fold(0.0, f64::max)
    };
    let strongest = (there.iter().copied().filter(|&c| co_polar(c)))
        .map(peak)
        .fold(0.0, f64::max);
    let least = strongest * 10f64.powf(-CROSS_POLAR_DEPTH / 10.0);
    (there.iter().copied())
        .filter(|&channel| co_polar(channel) || peak(channel) > least)
        .collect()
}

/// Returns legend and column of channels.
pub fn curves_of(channels: &[Channel]) -> Vec<(&'static str, &'static str)> {
    (channels.iter())
        .map(|&channel| (channel.name(), channel_columns(channel).1))
        .collect()
}

/// Returns the arrow of the incident wave with polarization V.
pub fn incident_wave(from: Direction) -> ArrowView {
    ArrowView {
        name: "incident wave".to_owned(),
        direction: scaled(from.unit(), -1.0),
        polarization: Some(from.theta_hat()),
    }
}

/// Converts to degrees and removes the rounding error of the conversion.
pub(super) fn tidy(radians: f64) -> f64 {
    (radians.to_degrees() * 1e9).round() / 1e9
}

/// Capitalizes an ASCII name; symbols remain unchanged.
pub(super) fn sentence_case(name: &str) -> String {
    let mut letters = name.chars();
    match letters.next() {
        Some(first) if first.is_ascii() => {
            first.to_ascii_uppercase().to_string() + letters.as_str()
        }
        _ => name.to_owned(),
    }
}

/// A quantity of a sweep with its table, labels, and curves.
pub struct Quantity<'a> {
    /// Name of the table.
    pub table: &'static str,
    /// Name of the quantity.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Legend and column of each channel.
    pub channels: &'a [(&'a str, &'a str)],
    /// Legend and column of each channel of the reference solution.
    pub references: &'a [(&'a str, &'a str)],
    /// Whether the field is scattered from an incident wave.
    pub scattered: bool,
    /// Index of the frequency whose angles are drawn first.
    pub shown: usize,
}

/// Adds the figures of a quantity versus the swept angle or frequency: of angles, with a polar diagram for a full turn and a
/// choice of the frequency, and of scattered fields also a map versus angle and frequency.
pub fn figures(
    outcome: &mut Outcome,
    frequencies: &[f64],
    aspects: &[Aspect],
    quantity: &Quantity<'_>,
) {
    let Some(cut) = Cut::new(frequencies, aspects) else {
        return;
    };
    let found = if cut.over_frequency() {
        cut.figures(outcome, 0, quantity)
    } else {
        selection::by_frequency(frequencies, quantity.shown, |number| {
            cut.figures(outcome, number, quantity)
        })
    };
    outcome.figures.extend(found);
    if !cut.over_frequency() && quantity.scattered {
        waterfall::add(outcome, &cut, quantity);
    }
}

/// A cut through the directions of a sweep, or its frequencies.
pub(super) struct Cut<'a> {
    pub(super) frequencies: &'a [f64],
    pub(super) aspects: &'a [Aspect],
    /// Number of aspects at each frequency.
    pub(super) per_frequency: usize,
    /// Name of the column of the abscissa, and its label.
    column: &'static str,
    pub(super) label: &'static str,
    /// Distance of the rows of a cut: on a grid with φ fastest, cuts over θ are strided.
    pub(super) stride: usize,
    /// Angles along the first cut, rad: its leading monotonic run, since a grid would be drawn as a zigzag.
    pub(super) along: Vec<f64>,
    /// Number of φ of the directions.
    phis: usize,
    /// The other angle of the first cut, if it varies too.
    other: Option<String>,
    monostatic: bool,
}

impl<'a> Cut<'a> {
    /// Returns the cut along the quantity that varies most; `None` for a single aspect.
    fn new(frequencies: &'a [f64], aspects: &'a [Aspect]) -> Option<Cut<'a>> {
        let per_frequency = aspects.len() / frequencies.len();
        let first = &aspects[..per_frequency];
        let different = |value: &dyn Fn(&Aspect) -> f64| {
            let mut values: Vec<u64> = first.iter().map(|a| value(a).to_bits()).collect();
            values.sort_unstable();
            values.dedup();
            values.len()
        };
        let (thetas, phis) = (different(&|a| a.to.theta), different(&|a| a.to.phi));
        let (column, label) = if phis > 1 && phis >= thetas {
            ("phi", "φ")
        } else if thetas > 1 {
            ("theta", "θ")
        } else if frequencies.len() > 1 {
            ("frequency", "frequency")
        } else {
            return None;
        };
        let abscissa = |a: &Aspect| {
            if column == "theta" {
                a.to.theta
            } else {
                a.to.phi
            }
        };
        let stride = if column == "theta" && first.len() == thetas * phis {
            phis
        } else {
            1
        };
        let mut along: Vec<f64> = first.iter().step_by(stride).map(abscissa).collect();
        let rises = along.len() > 1 && along[1] > along[0];
        let run = 1 + along
            .windows(2)
            .take_while(|w| {
                let step = w[1] - w[0];
                if rises { step > 0.0 } else { step < 0.0 }
            })
            .count();
        along.truncate(run);
        let other = match column {
            "theta" if phis > 1 => Some(format!("φ = {}°", tidy(first[0].to.phi))),
            "phi" if thetas > 1 => Some(format!("θ = {}°", tidy(first[0].to.theta))),
            _ => None,
        };
        Some(Cut {
            frequencies,
            aspects,
            per_frequency,
            column,
            label,
            stride,
            along,
            phis,
            other,
            monostatic: first.iter().all(|a| a.from == a.to),
        })
    }

    fn over_frequency(&self) -> bool {
        self.column == "frequency"
    }

    /// Returns the title of the figures of a quantity, and its symbol.
    pub(super) fn title(&self, quantity: &Quantity<'_>) -> (String, &'static str) {
        match (quantity.scattered, self.monostatic) {
            (false, _) => (sentence_case(quantity.name), quantity.name),
            (true, true) => (format!("Monostatic {}", quantity.name), "σ"),
            (true, false) => (format!("Bistatic {}", quantity.name), "σ"),
        }
    }

    /// Describes the incident wave of a scattered field.
    pub(super) fn source(&self, quantity: &Quantity<'_>) -> String {
        if !quantity.scattered {
            String::new()
        } else if self.monostatic && !self.over_frequency() {
            "; monostatic".to_owned()
        } else {
            let from = self.aspects[0].from;
            let (theta, phi) = (tidy(from.theta), tidy(from.phi));
            format!("; incidence θ = {theta}°, φ = {phi}°")
        }
    }

    /// Describes the other angle of the first cut, if it varies too.
    pub(super) fn place(&self) -> String {
        (self.other.as_ref()).map_or(String::new(), |other| format!("; {other}"))
    }

    /// Returns the figures at one frequency, or over all.
    fn figures(
        &self,
        outcome: &mut Outcome,
        number: usize,
        quantity: &Quantity<'_>,
    ) -> Vec<Figure> {
        let run = self.along.len();
        let whole = self.over_frequency() || run == self.aspects.len();
        let start = number * self.per_frequency;
        let at = if self.over_frequency() {
            String::new()
        } else {
            let frequency = self.frequencies[number];
            let short = format!("{frequency:.6e}").parse();
            format!(" at {}", Frequency(short.unwrap_or(frequency)))
        };
        let found = quantity.channels.iter().map(|channel| (channel, false));
        let references = quantity.references.iter().map(|channel| (channel, true));
        let series: Vec<Series> = found
            .chain(references)
            .flat_map(|(channel, reference)| {
                (0..self.stride.min(MAX_CUTS)).map(move |cut| (channel, reference, cut))
            })
            .map(|((name, y), reference, cut)| {
                let name = if self.stride == 1 {
                    (*name).to_owned()
                } else {
                    format!("{name}, φ = {}°", tidy(self.aspects[cut].to.phi))
                };
                Series {
                    part: (!whole).then_some((start + cut, run)),
                    stride: self.stride,
                    reference,
                    ..Series::new(
                        &name,
                        &format!("{}/{}", quantity.table, self.column),
                        &format!("{}/{y}", quantity.table),
                    )
                }
            })
            .collect();
        let (title, symbol) = self.title(quantity);
        let x_unit = if self.over_frequency() { "Hz" } else { "deg" };
        let curves = Figure {
            title: title.clone(),
            caption: format!(
                "{} versus {}{at}{}.",
                sentence_case(symbol),
                self.label,
                self.source(quantity)
            ),
            kind: FigureKind::Cartesian,
            x_label: self.label.to_owned(),
            x_unit: x_unit.to_owned(),
            y_label: symbol.to_owned(),
            y_unit: quantity.unit.to_owned(),
            series,
        };
        let span = (self.along[run - 1] - self.along[0]).abs();
        if self.over_frequency() || span <= 0.99 * std::f64::consts::PI {
            return vec![curves];
        }
        let mut polar = Figure {
            title: format!("{title}, polar"),
            caption: format!("Polar diagram of the same cut{at}."),
            kind: FigureKind::Polar,
            ..curves.clone()
        };
        if self.stride > 1 {
            let grid = &self.aspects[start..][..self.per_frequency];
            both_half_planes(outcome, &mut polar, grid, self.phis, quantity, number);
        }
        vec![curves, polar]
    }
}

/// Replaces the cuts of a polar figure over a grid of directions by cuts through the pole, where the grid has the opposite
/// half-plane of a cut: negative θ are those of φ + 180°.
fn both_half_planes(
    outcome: &mut Outcome,
    polar: &mut Figure,
    grid: &[Aspect],
    phis: usize,
    quantity: &Quantity<'_>,
    number: usize,
) {
    let turn = std::f64::consts::TAU;
    let opposite = |cut: usize| {
        let wanted = (grid[cut].to.phi + 0.5 * turn).rem_euclid(turn);
        (0..phis).find(|&other| {
            let apart = (grid[other].to.phi - wanted).rem_euclid(turn);
            apart.min(turn - apart) < 1e-9
        })
    };
    // Every cut appears once, from the half-plane of its smaller φ.
    let pairs: Vec<(usize, usize)> = (0..phis)
        .filter_map(|cut| Some((cut, opposite(cut)?)))
        .filter(|(cut, other)| cut < other)
        .take(MAX_CUTS)
        .collect();
    if pairs.is_empty() {
        return;
    }
    let first = number * grid.len();
    let mut series = Vec::new();
    for (name, column) in quantity.channels {
        let source = format!("{}/{column}", quantity.table);
        let Some(values) = outcome.array(&source).and_then(Array::as_real) else {
            return;
        };
        let of_shown = values[first..first + grid.len()].to_vec();
        for &(cut, other) in &pairs {
            let along = |cut: usize| (cut..grid.len()).step_by(phis);
            // The pole belongs to both half-planes.
            let angles: Vec<f64> = (along(other).rev())
                .map(|at| -tidy(grid[at].to.theta))
                .chain(along(cut).map(|at| tidy(grid[at].to.theta)))
                .collect();
            let cut_values: Vec<f64> = (along(other).rev().chain(along(cut)))
                .map(|at| of_shown[at])
                .collect();
            let phi = tidy(grid[cut].to.phi);
            let [x, y] =
                ["theta", column].map(|what| format!("cuts/{column}_{phi}_{what}_{number}"));
            series.push(Series::new(&format!("{name}, φ = {phi}°"), &x, &y));
            outcome.arrays.push(Array::real(x, angles));
            outcome.arrays.push(Array::real(y, cut_values));
        }
    }
    polar.series = series;
}

#[cfg(test)]
mod tests {
    use num_complex::Complex64;

    use super::*;

    #[test]
    fn a_cross_polar_channel_is_drawn_where_it_is_strong() {
        let matrix = |hv: f64| ScatteringMatrix {
            vv: Complex64::new(1.0, 0.0),
            vh: Complex64::new(0.0, 1e-3),
            hv: Complex64::new(hv, 0.0),
            hh: Complex64::new(0.1, 0.0),
        };
        let drawn = |hv| drawn_channels(&[matrix(0.0), matrix(hv)], &Channel::ALL);
        assert_eq!(drawn(0.5), [Channel::VV, Channel::HV, Channel::HH]);
        assert_eq!(drawn(0.01), [Channel::VV, Channel::HH]);
        // Channels that were not transmitted are not drawn.
        let sent = drawn_channels(&[matrix(0.5)], &[Channel::VV, Channel::HV]);
        assert_eq!(sent, [Channel::VV, Channel::HV]);
    }

    #[test]
    fn equal_cross_polar_channels_are_one_curve() {
        let aspects: Vec<Aspect> = (0..3)
            .map(|number| Aspect {
                frequency: 0,
                from: Direction::from_degrees(90.0, f64::from(number)),
                to: Direction::from_degrees(90.0, f64::from(number)),
            })
            .collect();
        let legends = |difference: f64| -> Vec<String> {
            let matrices: Vec<ScatteringMatrix> = (aspects.iter())
                .map(|_| ScatteringMatrix {
                    vv: Complex64::new(1.0, 0.0),
                    vh: Complex64::new(0.5, 0.0),
                    hv: Complex64::new(0.5 + difference, 0.0),
                    hh: Complex64::new(0.1, 0.0),
                })
                .collect();
            let mut outcome = Outcome::default();
            radar_figures(&mut outcome, &[1e9], &aspects, &matrices);
            let series = outcome.figures[0].series.iter();
            series.map(|series| series.name.clone()).collect()
        };
        assert_eq!(legends(1e-6), ["VV", "HV = VH", "HH"]);
        assert_eq!(legends(0.1), ["VV", "VH", "HV", "HH"]);
    }
}
