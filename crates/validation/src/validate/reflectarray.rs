//! Cases `reflectarray/*`: gradients compared with finite differences, directivity with its closed form, and
//! synthesized beams with upper bounds.

use num_complex::Complex64;
use wavefield_gpu::DeviceChoice;
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::far_field::power_db;
use wavefield_reflectarray::coverage::{Coverage, CoverageSpec, EllipseUv};
use wavefield_reflectarray::mask::{Layout, Mask, distance};
use wavefield_reflectarray::pattern::{Grid, Pattern};
use wavefield_reflectarray::{Aperture, Directions, Element, Feed, Plan, radiated};

use super::{ExampleRun, built_in, noise, of_example};
use crate::measure::{Case, Limit, Measured};
use wavefield::Error;
use wavefield::device;
use wavefield::numerics::worst::Worst;
use wavefield::outcome::Outcome;
use wavefield::problem::Problem;

/// Coverage cases, each an example problem.
const COVERAGES: [(&str, &str); 5] = [
    (
        "reflectarray/conus-40",
        "contoured beam over the United States and Canada, 40 × 40 elements with optimized spacing, compared with the certified upper bound",
    ),
    (
        "reflectarray/conus-42",
        "contoured beam over the United States and Canada, 42 × 42 elements with optimized spacing, compared with the certified upper bound",
    ),
    (
        "reflectarray/conus-44",
        "contoured beam over the United States and Canada, 44 × 44 elements with optimized spacing, compared with the certified upper bound",
    ),
    (
        "reflectarray/conus-44-periodic",
        "contoured beam over the United States and Canada, 44 × 44 elements with λ/2 spacing, compared with the certified upper bound",
    ),
    (
        "reflectarray/europe-71",
        "contoured beam over Europe, 71 × 71 elements with λ/2 spacing, compared with the certified upper bound",
    ),
];

pub(super) fn cases() -> Result<Vec<Case>, Error> {
    let mut cases = vec![
        Case::new(
            "reflectarray/gradient",
            "gradient of the mask cost with respect to phases and positions compared with extrapolated central differences",
            gradient,
        )
        .limits([
            ("phase_error", Limit::AtMost(1e-7)),
            ("position_error", Limit::AtMost(1e-7)),
        ]),
        Case::new(
            "reflectarray/directivity",
            "directivity of a uniform 20 × 20 array compared with its closed form",
            directivity,
        )
        .limits([("error_db", Limit::AtMost(0.01))]),
    ];
    for (name, about) in COVERAGES {
        cases.push(of_example(name, about, move |run| covered(name, run))?);
    }
    Ok(cases)
}

/// Compares ∂Φ of eqs. (17)–(19) by the NUFFT with derivatives, for a non-uniform lattice, with central differences of
/// two step sizes (Richardson extrapolation).
fn gradient() -> Result<Measured, Error> {
    let device = device::open(&DeviceChoice::Cpu, None)?;
    let wavelength = SPEED_OF_LIGHT / 14.25e9;
    let k = 2.0 * std::f64::consts::PI / wavelength;
    let side = 12;
    let feed = Feed {
        position: [0.0, -0.07, 0.14],
        exponent: 6.0,
    };
    let place = |n: usize| 0.6 * wavelength * (n as f64 - 0.5 * (side - 1) as f64);
    let elements = side * side;
    let layout = Layout {
        x: (0..elements)
            .map(|n| place(n % side) + 0.1 * wavelength * noise(n))
            .collect(),
        y: (0..elements)
            .map(|n| place(n / side) + 0.1 * wavelength * noise(n + 1000))
            .collect(),
        area: (0..elements)
            .map(|n| (0.36 + 0.1 * noise(n + 2000)) * wavelength * wavelength)
            .collect(),
        phases: (0..elements).map(|n| 3.0 * noise(n + 3000)).collect(),
    };
    let coverage = Coverage::new(
        &CoverageSpec {
            ellipse: Some(EllipseUv {
                center: [0.1, 0.15],
                semi_axes: [0.2, 0.1],
                rotation: wavefield_physics::quantity::Angle::from_degrees(20.0),
            }),
            ..CoverageSpec::default()
        },
        None,
    )?;
    let beamwidth = 1.0 / (0.6 * side as f64);
    let grid = Grid::around(coverage.bounds(), 3.0 * beamwidth, 0.25 * beamwidth);
    // Bounds that some directions violate and others satisfy.
    let mask = Mask::new(&coverage, 0.5 * beamwidth, &grid, 40.0, 1.0);
    let reference = 30.0;
    let element = Element::Aperture;
    let cost = |layout: &Layout| -> Result<_, Error> {
        let pattern = Pattern::new(&device, grid, k, &layout.x, &layout.y)?;
        Ok(distance(
            &pattern, &mask, element, &feed, layout, reference,
        )?)
    };
    let at = cost(&layout)?;
    type Part = fn(&mut Layout) -> &mut Vec<f64>;
    let parts: [(&[f64], Part, f64); 3] = [
        (&at.by_phase, |l| &mut l.phases, 2e-3),
        (&at.by_x, |l| &mut l.x, 3e-4 * wavelength),
        (&at.by_y, |l| &mut l.y, 3e-4 * wavelength),
    ];
    let mut errors = [0.0; 3];
    for (error, (slopes, part, step)) in errors.iter_mut().zip(parts) {
        let size = slopes.iter().fold(0.0_f64, |most, s| most.max(s.abs()));
        let mut worst = Worst::default();
        for n in (0..elements).step_by(7) {
            let central = |step: f64| -> Result<f64, Error> {
                let value = |shift: f64| {
                    let mut moved = layout.clone();
                    part(&mut moved)[n] += shift;
                    cost(&moved).map(|distance| distance.value)
                };
                Ok((value(step)? - value(-step)?) / (2.0 * step))
            };
            let (wide, half, quarter) =
                (central(step)?, central(0.5 * step)?, central(0.25 * step)?);
            let (first, second) = ((4.0 * half - wide) / 3.0, (4.0 * quarter - half) / 3.0);
            let extrapolated = (16.0 * second - first) / 15.0;
            worst.see((slopes[n] - extrapolated).abs() / size);
        }
        *error = worst.value();
    }
    Ok([
        ("phase_error", errors[0]),
        ("position_error", errors[1].max(errors[2])),
    ]
    .into())
}

/// Isotropic elements radiating into a half space have the power 2π Σ_mn a_m a_n sinc(k d_mn).
fn directivity() -> Result<Measured, Error> {
    let device = device::open(&DeviceChoice::Cpu, None)?;
    let mut worst = Worst::default();
    for spacing in [0.5, 0.7] {
        let gaps = vec![spacing; 19];
        // A distant feed illuminates all elements uniformly.
        let feed = Feed {
            position: [0.0, 0.0, 1e7],
            exponent: 0.0,
        };
        let array = Aperture::new(1.0, feed, Element::Isotropic, &gaps, &gaps);
        let excitation: Vec<Complex64> = vec![Complex64::ONE; array.len()];
        let places: Vec<[f64; 2]> = array.places().collect();
        let mut closed = 0.0;
        for a in &places {
            for b in &places {
                let x = array.wavenumber() * (a[0] - b[0]).hypot(a[1] - b[1]);
                closed += if x == 0.0 { 1.0 } else { x.sin() / x };
            }
        }
        closed *= 2.0 * std::f64::consts::PI;
        let power = radiated::power(&device, &array, &excitation)?;
        let directivity = |power: f64| {
            let field = array.array_factor(&excitation, &[[0.0, 0.0]])[0];
            power_db(4.0 * std::f64::consts::PI * field.norm_sqr() / power)
        };
        worst.see((directivity(power) - directivity(closed)).abs());
    }
    Ok([("error_db", worst.value())].into())
}

/// Synthesizes an example problem and compares it with its bounds.
fn covered(name: &str, run: &ExampleRun) -> Result<Measured, Error> {
    let number = |column: &str| {
        let array = run.outcome.array(&format!("directivity/{column}"));
        array.and_then(|a| a.as_real()?.first().copied())
    };
    let mut metrics: crate::measure::Metrics = [
        ("d_min_dbi", "d_min"),
        ("d_mean_dbi", "d_mean"),
        ("bound_min_dbi", "bound_min"),
        ("bound_mean_dbi", "bound_mean"),
        ("ideal_dbi", "ideal"),
        ("projection_d_min_dbi", "projection_d_min"),
        ("iterated_d_mean_dbi", "iterated_d_mean"),
    ]
    .map(|(metric, column)| (metric.to_owned(), number(column).unwrap_or(f64::NAN)))
    .into();
    for (metric, column) in [
        ("uniform_d_min_dbi", "uniform_d_min"),
        ("even_d_mean_dbi", "even_d_mean"),
    ] {
        if let Some(value) = number(column) {
            metrics.insert(metric.to_owned(), value);
        }
    }
    if let Some(other) = beaten(name) {
        // Metrics have upper limits: the advantage of the other array.
        let least = ExampleRun::of(built_in(other)?)?
            .outcome
            .array("directivity/d_min")
            .and_then(|a| a.as_real()?.first().copied());
        let ahead = least.unwrap_or(f64::NAN) - metrics["d_min_dbi"];
        metrics.insert("periodic_44_ahead_db".to_owned(), ahead);
    }
    let evaluated = reevaluated(&run.problem, &run.outcome)?;
    let difference = |a: &str, b: &str| metrics[a] - metrics[b];
    let derived = [
        ("bound_gap_db", difference("bound_min_dbi", "d_min_dbi")),
        (
            "bracket_db",
            number("bound_min").unwrap_or(f64::NAN) - number("relaxed_min").unwrap_or(f64::NAN),
        ),
        (
            "projection_advantage_db",
            difference("projection_d_min_dbi", "d_min_dbi"),
        ),
        (
            "sampling_error_db",
            (metrics["d_min_dbi"] - evaluated.least_dbi).abs(),
        ),
        ("spacing_min_wavelengths", evaluated.spacing[0]),
        ("spacing_max_wavelengths", evaluated.spacing[1]),
        (
            "spillover_efficiency",
            number("spillover_efficiency").unwrap_or(f64::NAN),
        ),
        ("synthesis_seconds", run.seconds),
    ];
    metrics.extend(derived.map(|(metric, value)| (metric.to_owned(), value)));
    Ok(metrics.into())
}

/// Result evaluated again from its table of elements.
struct Reevaluated {
    /// Minimum directivity over a dense sampling of the coverage, dBi.
    least_dbi: f64,
    /// Minimum and maximum spacing of rows and columns, wavelengths.
    spacing: [f64; 2],
}

/// Evaluates the elements of an outcome on a direction grid four times as dense as that of the result.
fn reevaluated(problem: &Problem, outcome: &Outcome) -> Result<Reevaluated, Error> {
    let missing = |what: &str| Error::runtime(format!("the result has no {what}"));
    let Some(spec) = problem.spec.downcast::<wavefield_reflectarray::Spec>() else {
        return Err(missing("reflectarray"));
    };
    let column = |name: &str| {
        let array = outcome.array(&format!("elements/{name}"));
        array
            .and_then(|array| array.as_real())
            .ok_or_else(|| missing(name))
    };
    let (x, y, degrees) = (column("x")?, column("y")?, column("aperture_phase")?);
    let columns = spec.lattice.columns;
    let y: Vec<f64> = y.iter().step_by(columns).copied().collect();
    let gaps = |places: &[f64]| -> Vec<f64> { places.windows(2).map(|p| p[1] - p[0]).collect() };
    let gaps = [gaps(&x[..columns]), gaps(&y)];
    let plan = Plan::new(spec, None)?;
    let Aperture {
        wavelength,
        feed,
        element,
        ..
    } = *plan.aperture();
    let array = Aperture::new(wavelength, feed, element, &gaps[0], &gaps[1]);
    let phases: Vec<f64> = degrees.iter().map(|p| p.to_radians()).collect();
    let dense = Directions::evaluated(plan.coverage(), array.beamwidth() / 128.0)?;
    let directivity = array.directivity(&phases, &dense.all);
    let spacing = |pick: fn(f64, f64) -> f64, first: f64| {
        gaps.iter().flatten().copied().fold(first, pick) / wavelength
    };
    Ok(Reevaluated {
        least_dbi: dense.evaluate(&directivity).least_dbi,
        spacing: [
            spacing(f64::min, f64::INFINITY),
            spacing(f64::max, f64::NEG_INFINITY),
        ],
    })
}

/// Larger array that a case must outperform.
fn beaten(name: &str) -> Option<&'static str> {
    (name == "reflectarray/conus-40").then_some("reflectarray/conus-44-periodic")
}
