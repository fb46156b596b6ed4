//! Angular spectrum of the hologram in k-space, and the response of the regularization filter.

use std::f64::consts::{PI, TAU};

use crate::{AngularSpectrum, Filter, Plan, Solution, Wavenumbers};
use wavefield_physics::far_field::power_db;

use super::{centimeters, hertz, largest};
use wavefield_solver::Error;
use wavefield_solver::outcome::{
    Array, ColorMap, ColorScale, Figure, FigureKind, Map, Outcome, Series,
};

/// Dynamic range of the spectrum, dB.
const DEPTH: f64 = 50.0;
/// Points of a curve over the radial wavenumber.
const POINTS: usize = 200;
/// Vertices of the polygon that approximates a circle.
const CORNERS: usize = 96;

/// Returns the radial wavenumber at which the filter gain is ½ for a back-propagation distance, rad/m, if it is below
/// the Nyquist wavenumber `highest`.
pub(super) fn half_gain(filter: &Filter, sound: f64, distance: f64, highest: f64) -> Option<f64> {
    let gain = |radial: f64| filter.gain(radial, decay(radial, sound, distance));
    if gain(highest) > 0.5 || gain(0.0) < 0.5 {
        return None;
    }
    // The gain is monotonic in the wavenumber; sixty bisections exhaust double precision.
    let (mut low, mut high) = (0.0, highest);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if gain(middle) > 0.5 {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(high)
}

/// Returns the decay of a plane wave of radial wavenumber k_r over a distance: 1, or e^{−√(k_r² − k²) d} for an
/// evanescent wave.
fn decay(radial: f64, sound: f64, distance: f64) -> f64 {
    (-(radial * radial - sound * sound).max(0.0).sqrt() * distance).exp()
}

/// Adds the spectrum and the filter response of one frequency.
pub(super) fn add(
    outcome: &mut Outcome,
    plan: &Plan,
    solution: &Solution,
    number: usize,
) -> Result<(), Error> {
    let at = &solution.frequencies[number];
    let holography = plan.holography();
    let distance = solution.height - solution.plane;
    let measured = AngularSpectrum::new(&at.hologram, &holography.fluid, &holography.border)?;
    let waves = measured.wavenumbers();
    let powers: Vec<f64> = measured
        .values()
        .iter()
        .map(num_complex::Complex64::norm_sqr)
        .collect();
    let strongest = largest(powers.iter().copied()).unwrap_or(1.0);
    let levels: Vec<f64> = powers.iter().map(|p| power_db(p / strongest)).collect();
    let highest = PI / solution.array.pitch;
    let half = half_gain(&at.filter, waves.sound(), distance, highest);
    let frequency = hertz(at.frequency);
    let name = |what: &str| format!("wavenumbers/{what}_{}", number + 1);

    let [rows, columns] = waves.shape();
    let centered = |i: usize, count: usize| (i + count.div_ceil(2)) % count;
    let shifted = (0..rows * columns)
        .map(|i| levels[centered(i / columns, rows) * columns + centered(i % columns, columns)]);
    outcome
        .arrays
        .push(Array::real(name("level"), shifted.collect()).reshaped(&[rows, columns]));
    let mut series = vec![ring(
        outcome,
        &name("sound"),
        waves.sound(),
        "radiation circle",
    )];
    if let Some(half) = half {
        let outline = ring(outcome, &name("half"), half, "filter −6 dB contour");
        series.push(Series {
            reference: true,
            ..outline
        });
    }
    let ends = |count: usize| {
        let step = TAU / (count as f64 * solution.array.pitch);
        let low = -((count / 2) as f64) * step;
        (low, low + (count - 1) as f64 * step)
    };
    // k_y increases against the row index.
    let (low, high) = ends(rows);
    outcome.figures.push(Figure {
        title: format!("Angular spectrum of the hologram, {frequency}"),
        caption: "Plane-wave amplitudes of the padded hologram in k-space: propagating inside the radiation circle, \
                  evanescent outside, where they carry subwavelength detail."
            .to_owned(),
        kind: FigureKind::Map(Map {
            array: name("level"),
            x: ends(columns),
            y: (-low, -high),
            equal_aspect: true,
            y_down: false,
            colors: ColorScale {
                label: "|P|".to_owned(),
                unit: "dB re peak".to_owned(),
                range: Some((-DEPTH, 0.0)),
                map: ColorMap::Sequential,
            },
            contours: Vec::new(),
        }),
        x_label: "k_x".to_owned(),
        x_unit: "rad/m".to_owned(),
        y_label: "k_y".to_owned(),
        y_unit: "rad/m".to_owned(),
        series,
    });

    let radial: Vec<f64> = (0..POINTS)
        .map(|i| highest * i as f64 / (POINTS - 1) as f64)
        .collect();
    let left = |k: f64| decay(k, waves.sound(), distance);
    let gain = |k: f64| at.filter.gain(k, left(k));
    let rings = ring_means(waves, &powers, strongest, highest);
    for (what, values) in [
        ("radial", radial.clone()),
        ("filter", radial.iter().map(|&k| gain(k)).collect()),
        (
            "amplification",
            radial.iter().map(|&k| 1.0 / left(k)).collect(),
        ),
        (
            "applied",
            radial.iter().map(|&k| gain(k) / left(k)).collect(),
        ),
        ("ring", rings.iter().map(|ring| ring.0).collect()),
        ("mean", rings.iter().map(|ring| ring.1).collect()),
    ] {
        outcome.arrays.push(Array::real(name(what), values));
    }
    let curve = |words: &str, x: &str, y: &str| Series::new(words, &name(x), &name(y));
    outcome.figures.push(Figure {
        title: format!("Regularization filter, {frequency}"),
        caption: format!(
            "Gain of a plane wave back-propagated by {}{}; RMS amplitude of the hologram by radial wavenumber, relative \
             to the peak.",
            centimeters(distance),
            match half {
                Some(half) => format!(
                    "; spatial resolution {} (half a wavelength at half gain)",
                    centimeters(PI / half)
                ),
                None => String::new(),
            }
        ),
        kind: FigureKind::Logarithmic,
        x_label: "k_r".to_owned(),
        x_unit: "rad/m".to_owned(),
        y_label: "factor".to_owned(),
        y_unit: String::new(),
        series: vec![
            curve("filter", "radial", "filter"),
            curve("amplification", "radial", "amplification"),
            curve("filter × amplification", "radial", "applied"),
            Series {
                reference: true,
                ..curve("hologram", "ring", "mean")
            },
        ],
    });
    Ok(())
}

/// Returns RMS amplitudes relative to the peak, on rings of the finest wavenumber step.
fn ring_means(
    waves: &Wavenumbers,
    powers: &[f64],
    strongest: f64,
    highest: f64,
) -> Vec<(f64, f64)> {
    let [rows, columns] = waves.shape();
    let count = rows.min(columns).div_ceil(2).max(1);
    let width = highest / count as f64;
    let mut sums = vec![(0.0, 0.0, 0_u32); count];
    for (i, power) in powers.iter().enumerate() {
        let radial = waves.radial(i);
        if let Some(sum) = sums.get_mut((radial / width) as usize) {
            *sum = (sum.0 + radial, sum.1 + power, sum.2 + 1);
        }
    }
    let filled = sums.into_iter().filter(|sum| sum.2 > 0);
    filled
        .map(|(radial, power, n)| {
            let n = f64::from(n);
            (radial / n, (power / n / strongest).sqrt())
        })
        .collect()
}

/// Adds a circle in k-space.
fn ring(outcome: &mut Outcome, name: &str, radius: f64, words: &str) -> Series {
    let circle: Vec<[f64; 2]> = (0..=CORNERS)
        .map(|corner| {
            let (sin, cos) = (TAU * corner as f64 / CORNERS as f64).sin_cos();
            [radius * cos, radius * sin]
        })
        .collect();
    let outline = outcome.add_outline(name, [circle.as_slice()]);
    Series {
        name: words.to_owned(),
        ..outline
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_a_wave_passes_at_the_cut_off() {
        let filter = Filter::CutOff {
            cut_off: 50.0,
            slope: 0.3,
        };
        let found = half_gain(&filter, 18.0, 0.04, 157.0).unwrap();
        assert!((found - 50.0).abs() < 1e-9, "{found}");
        assert_eq!(half_gain(&Filter::None, 18.0, 0.04, 157.0), None);
        assert_eq!(half_gain(&filter, 18.0, 0.04, 40.0), None);
    }

    #[test]
    fn tikhonovs_filter_halves_where_the_decay_is_the_root_of_its_parameter() {
        let filter = Filter::Tikhonov { parameter: 1e-2 };
        let found = half_gain(&filter, 20.0, 0.05, 157.0).unwrap();
        assert!((decay(found, 20.0, 0.05) - 0.1).abs() < 1e-9);
    }
}
