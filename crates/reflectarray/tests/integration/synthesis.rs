//! Operators compared with direct sums, and a small synthesis compared with its bounds.

use num_complex::Complex64;
use std::collections::BTreeMap;
use std::sync::Mutex;
use wavefield_gpu::{Device, DeviceChoice};
use wavefield_numerics::observe::{Cancel, Silent};
use wavefield_physics::quantity::{Angle, Frequency, Length};
use wavefield_reflectarray::coverage::{Coverage, CoverageSpec, EllipseUv, Outline};
use wavefield_reflectarray::pattern::{Grid, Pattern};
use wavefield_reflectarray::{
    Aperture, CoverageMetrics, Directions, Element, Error, Feed, FeedSpec, FreeSpacing, Lattice,
    Operator, Plan, SidelobeMask, Spacing, Spec, Stage, Window, dual,
};
use wavefield_solver::Classified;
use wavefield_solver::checkpoint::{CheckpointError, CheckpointStore, NullStore, Part};

/// Returns pseudorandom numbers between −½ and ½.
fn noise(index: usize) -> f64 {
    let x = (index as f64 * 12.9898).sin() * 43758.5453;
    x - x.floor() - 0.5
}

fn array(element: Element) -> Aperture {
    let feed = Feed {
        position: [0.1, -2.0, 6.0],
        exponent: 5.0,
    };
    let gaps = |count: usize, seed: usize| -> Vec<f64> {
        (0..count - 1)
            .map(|i| 0.6 + 0.15 * noise(i + seed))
            .collect()
    };
    Aperture::new(1.0, feed, element, &gaps(14, 0), &gaps(11, 50))
}

fn excitation(array: &Aperture) -> Vec<Complex64> {
    let phases: Vec<f64> = (0..array.len()).map(|n| 6.0 * noise(n + 100)).collect();
    array.excitation(&phases)
}

fn spec(spacing: Spacing) -> Spec {
    Spec {
        frequency: Frequency(10e9),
        feed: FeedSpec {
            position: [0.0, -2.0, 6.0].map(Length::Wavelengths),
            q: 8.0,
        },
        lattice: Lattice {
            columns: 10,
            rows: 9,
            spacing,
        },
        element: Element::Isotropic,
        coverage: CoverageSpec {
            ellipse: Some(EllipseUv {
                center: [0.05, 0.1],
                semi_axes: [0.2, 0.12],
                rotation: Angle::from_degrees(30.0),
            }),
            ..CoverageSpec::default()
        },
        sidelobe_mask: None,
    }
}

fn device(threads: usize) -> Device {
    Device::open(&DeviceChoice::Cpu, Some(threads)).unwrap()
}

fn solve(spec: &Spec, threads: usize) -> wavefield_reflectarray::Solution {
    let device = device(threads);
    let Device::Cpu(pool) = &device else {
        unreachable!("the device is a CPU")
    };
    let plan = Plan::new(spec, None).unwrap();
    pool.install(|| plan.execute(&device, &NullStore, &Silent))
        .unwrap()
}

/// Returns a uniform array of the given side illuminated by a feed.
fn illuminated(feed: Feed, side: f64, count: usize) -> Aperture {
    let gaps = vec![side / count as f64; count - 1];
    Aperture::new(0.02, feed, Element::Isotropic, &gaps, &gaps)
}

#[test]
fn the_array_intercepts_the_solid_angle_it_fills() {
    // Field pattern cos⁰θ: the spillover efficiency is the solid angle of the array over 2π, for a square of
    // half side b at height h below the feed 4 atan(b²/(h√(2b² + h²))), also off the axis.
    let (half, height) = (0.3_f64, 0.4_f64);
    let solid = |half: f64| {
        4.0 * (half * half / (height * (2.0 * half * half + height * height).sqrt())).atan()
    };
    let on_axis = Feed {
        position: [0.0, 0.0, height],
        exponent: 0.0,
    };
    let array = illuminated(on_axis, 2.0 * half, 200);
    let expected = solid(half) / (2.0 * std::f64::consts::PI);
    // Midpoint rule over 200 × 200 cells.
    assert!((array.spillover_efficiency() / expected - 1.0).abs() < 1e-5);
    // Above a corner, the array is a quarter of a square of twice the side.
    let corner = Feed {
        position: [half, half, height],
        exponent: 0.0,
    };
    let array = illuminated(corner, 2.0 * half, 200);
    let expected = 0.25 * solid(2.0 * half) / (2.0 * std::f64::consts::PI);
    assert!((array.spillover_efficiency() / expected - 1.0).abs() < 1e-4);
    // All power of a narrow beam: the field pattern cos¹²θ is the power pattern cos²⁴θ.
    let narrow = Feed {
        position: [0.0, 0.0, height],
        exponent: 12.0,
    };
    let array = illuminated(narrow, 4.0 * height, 200);
    assert!((array.spillover_efficiency() - 1.0).abs() < 1e-5);
}

#[test]
fn amplitudes_carry_the_power_that_the_cells_intercept() {
    let offset = Feed {
        position: [0.05, -0.423, 0.833],
        exponent: 12.0,
    };
    let array = illuminated(offset, 0.75, 40);
    // Σ aₙ²/Aₙ is the intercepted power, and a single cell has the directivity 4πA/λ².
    let power: f64 = (0..array.len())
        .map(|n| array.amplitude[n].powi(2) / array.cell_area(n))
        .sum();
    let intercepted = array.spillover_efficiency() * offset.power();
    assert!((power / intercepted - 1.0).abs() < 1e-12);
    // Direct evaluation: f²A cosθ with the incident field f = cos^q θ_f/r and cosθ = z_f/r.
    let [fx, fy, fz] = offset.position;
    let reach = (fx * fx + fy * fy + fz * fz).sqrt();
    let direct: f64 = array
        .places()
        .enumerate()
        .map(|(n, [x, y])| {
            let ray = [x - fx, y - fy, -fz];
            let r = ray.iter().map(|c| c * c).sum::<f64>().sqrt();
            let cos_feed = -(ray[0] * fx + ray[1] * fy + ray[2] * fz) / (reach * r);
            (cos_feed.powi(12) / r).powi(2) * (fz / r) * array.cell_area(n)
        })
        .sum();
    assert!((power / direct - 1.0).abs() < 1e-12);
    // Derivatives of the aperture field compared with finite differences.
    for [x, y] in [[0.1, 0.2], [-0.3, 0.05]] {
        let gradient = offset.at(x, y).gradient;
        let h = 1e-5;
        let by_x = (offset.at(x + h, y).field - offset.at(x - h, y).field) / (2.0 * h);
        let by_y = (offset.at(x, y + h).field - offset.at(x, y - h).field) / (2.0 * h);
        let size = gradient[0].hypot(gradient[1]);
        assert!((gradient[0] - by_x).hypot(gradient[1] - by_y) < 1e-8 * size);
    }
}

#[test]
fn the_minimum_is_read_on_the_vertices_of_the_edge() {
    let feed = Feed {
        position: [0.0, 0.0, 0.4],
        exponent: 4.0,
    };
    let array = illuminated(feed, 0.16, 16);
    let phases = vec![0.0; array.len()];
    let least = |directions: Directions| {
        let directivity = array.directivity(&phases, &directions.all);
        directions.evaluate(&directivity).least_dbi
    };
    let step = array.beamwidth() / 32.0;
    let mut missed = 0.0_f64;
    // A pencil beam toward the normal is weakest at the tip of a triangle that points away from it. Whichever
    // vertex the set operations put first, it is not the tip for all four orientations.
    for turn in [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]] {
        let turned = |[u, v]: [f64; 2]| [turn[0] * u - turn[1] * v, turn[1] * u + turn[0] * v];
        let tip = turned([0.013, 0.092]);
        let described = CoverageSpec {
            polygons_uv: vec![Outline {
                exterior: vec![turned([-0.02, -0.01]), turned([0.02, -0.01]), tip],
                holes: Vec::new(),
            }],
            ..CoverageSpec::default()
        };
        let coverage = Coverage::new(&described, None).unwrap();
        let at_tip = 10.0 * array.directivity(&phases, &[tip])[0].log10();
        let evaluated = least(Directions::evaluated(&coverage, step).unwrap());
        // The set operations move a vertex by 1e-9 of the bounding box.
        assert!((evaluated - at_tip).abs() < 1e-6, "{evaluated} {at_tip}");
        let sampled = least(Directions::sampled(&coverage, step).unwrap());
        missed = missed.max(sampled - at_tip);
    }
    // Even sampling, independent of the vertices, misses the tip.
    assert!(missed > 0.01, "{missed}");
}

/// A smaller version of the gallery's array over the United States and Canada.
#[test]
fn a_small_beam_over_north_america_reproduces_its_recorded_values() {
    let conus: CoverageSpec = toml::from_str(
        r#"
        countries = ["USA", "CAN"]
        box = [-130, 24, -52, 60]
        satellite_longitude = "-91 deg"
        min_polygon_area = 0.3
        margin = 0.002
        simplify = 0.0005
        "#,
    )
    .unwrap();
    let small = Spec {
        frequency: Frequency(14.25e9),
        feed: FeedSpec {
            position: [0.0, -0.138, 0.5].map(Length::Meters),
            q: 12.0,
        },
        lattice: Lattice {
            columns: 22,
            rows: 22,
            spacing: Spacing::Even(Length::Wavelengths(0.5)),
        },
        coverage: conus,
        ..spec(Spacing::Even(Length::Wavelengths(0.5)))
    };
    let plan = Plan::new(&small, None).unwrap();
    let solution = solve(&small, 2);
    let CoverageMetrics {
        least_dbi,
        mean_dbi,
    } = solution.metrics;
    // Roundoff of another CPU may lead to another optimum: tolerances of the gallery.
    for (name, found, recorded, tolerance) in [
        ("d_min", least_dbi, 26.156, 0.02),
        ("d_mean", mean_dbi, 27.501, 0.1),
        ("bound_min", solution.minimum_bound.bound_dbi, 27.204, 0.04),
        ("bound_mean", solution.mean_bound.bound_dbi, 29.791, 0.01),
        ("spillover", solution.spillover_efficiency, 0.51867, 1e-5),
    ] {
        assert!((found - recorded).abs() <= tolerance, "{name} {found}");
    }
    assert!(solution.minimum_bound.bound_dbi > least_dbi);
    // Eightfold sampling density finds no lower minimum; the difference is of second order in 1/32 of a
    // beamwidth.
    let dense = Directions::evaluated(plan.coverage(), solution.aperture.beamwidth() / 256.0);
    let dense = dense.unwrap();
    let directivity = solution.aperture.directivity(&solution.phases, &dense.all);
    let dense = dense.evaluate(&directivity).least_dbi;
    assert!((least_dbi - dense).abs() < 2e-3, "{least_dbi} {dense}");
}

#[test]
fn the_window_sees_the_field_of_the_whole_array() {
    for element in [Element::Isotropic, Element::Aperture] {
        let array = array(element);
        let corners = [[-0.1, 0.0], [0.3, 0.25]];
        let directions: Vec<[f64; 2]> = (0..60)
            .map(|i| [0.1 + 0.4 * noise(i), 0.125 + 0.25 * noise(i + 77)])
            .collect();
        let window = Window::new(&array, corners).unwrap();
        assert!(window.rank() < array.len());
        let operator = Operator::new(&window, directions.clone());
        let x = excitation(&array);
        // The operator's excitations are relative to a beam toward the window's center.
        let steering = window.steering();
        let turned: Vec<Complex64> = x
            .iter()
            .zip(&steering)
            .map(|(x, s)| x * Complex64::cis(*s))
            .collect();
        let exact = array.array_factor(&x, &directions);
        let size = exact.iter().map(|f| f.norm()).fold(0.0, f64::max);
        for ((found, exact), &[u, v]) in operator.field(&turned).iter().zip(&exact).zip(&directions)
        {
            let exact = exact * element.factor(u, v)[0];
            assert!((found - exact).norm() < 1e-5 * size);
        }
        // ⟨q, Ax⟩ = ⟨Aᴴq, x⟩.
        let weights: Vec<Complex64> = (0..60)
            .map(|i| Complex64::new(noise(i + 5), noise(i + 9)))
            .collect();
        let inner = |a: &[Complex64], b: &[Complex64]| -> Complex64 {
            a.iter().zip(b).map(|(a, b)| a.conj() * b).sum()
        };
        let (left, right) = (
            inner(&weights, &operator.field(&turned)),
            inner(&operator.adjoint(&weights), &turned),
        );
        assert!((left - right).norm() < 1e-12 * left.norm());
    }
}

#[test]
fn the_pattern_by_nufft_is_the_sum_over_the_elements() {
    let array = array(Element::Isotropic);
    let grid = Grid {
        center: [0.1, -0.2],
        step: 0.013,
        counts: [21, 18],
    };
    let (x, y): (Vec<f64>, Vec<f64>) = array.places().map(|[x, y]| (x, y)).unzip();
    let pattern = Pattern::new(&device(1), grid, array.wavenumber(), &x, &y).unwrap();
    let directions: Vec<[f64; 2]> = grid.directions().collect();
    let exact = array.array_factor(&excitation(&array), &directions);
    let found = pattern.field(&excitation(&array)).unwrap();
    let size = exact.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt();
    let error: f64 = found
        .iter()
        .zip(&exact)
        .map(|(a, b)| (a - b).norm_sqr())
        .sum::<f64>()
        .sqrt();
    assert!(error < 1e-11 * size, "{:e}", error / size);
}

#[test]
fn a_synthesis_stays_below_its_bounds_and_near_them() {
    let solution = solve(&spec(Spacing::Even(Length::Wavelengths(0.5))), 1);
    let (found, bound) = (solution.metrics, &solution.minimum_bound);
    assert!(found.least_dbi < bound.bound_dbi && bound.relaxed_dbi < bound.bound_dbi);
    assert!(
        bound.bound_dbi - found.least_dbi < 2.0,
        "{found:?} {bound:?}"
    );
    assert!(found.mean_dbi < solution.mean_bound.bound_dbi);
    assert!(solution.mean_bound.bound_dbi <= solution.mean_bound.eigenvalue_dbi + 1e-6);
    assert!(solution.iterated.least_dbi < found.least_dbi);
    for trade in &solution.trade_off {
        assert!(
            trade.least_dbi < bound.bound_dbi && trade.mean_dbi < solution.mean_bound.bound_dbi
        );
    }
    assert!(solution.trade_off[3].mean_dbi > found.mean_dbi);
    assert!(solution.spillover_efficiency > 0.2 && solution.spillover_efficiency < 1.0);
}

#[test]
fn any_weights_and_any_y_bound_every_choice_of_phases() {
    let solution = solve(&spec(Spacing::Even(Length::Wavelengths(0.5))), 1);
    let array = &solution.aperture;
    let bound = &solution.minimum_bound;
    let y: Vec<f64> = (0..array.len()).map(|n| 1.0 + noise(n)).collect();
    let other = dual(array, &bound.directions, &bound.weights, &y).unwrap();
    assert!(10.0 * other.log10() > bound.bound_dbi);
    for trial in 0..20 {
        let phases: Vec<f64> = (0..array.len())
            .map(|n| 6.3 * noise(n + 1000 * trial))
            .collect();
        let directivity = array.directivity(&phases, &bound.directions);
        let weighted: f64 = directivity
            .iter()
            .zip(&bound.weights)
            .map(|(d, w)| d * w)
            .sum();
        assert!(weighted < other && 10.0 * weighted.log10() < bound.bound_dbi);
    }
}

#[test]
fn free_spacing_stretches_the_array_and_bits_do_not_depend_on_threads() {
    let small = |spacing| {
        let mut small = spec(spacing);
        (small.lattice.columns, small.lattice.rows) = (8, 7);
        small
    };
    let free = small(Spacing::Free(FreeSpacing {
        min: Length::Wavelengths(0.5),
        max: Length::Wavelengths(0.7),
    }));
    let (one, three) = (solve(&free, 1), solve(&free, 3));
    assert_eq!(one.phases, three.phases);
    assert_eq!(one.aperture, three.aperture);
    assert_eq!(one.metrics, three.metrics);
    assert_eq!(one.minimum_bound, three.minimum_bound);
    let even = solve(&small(Spacing::Even(Length::Wavelengths(0.5))), 1);
    assert!(one.metrics.least_dbi > even.metrics.least_dbi);
    let width = |s: &wavefield_reflectarray::Solution| s.aperture.column_widths.iter().sum::<f64>();
    assert!(width(&one) > 1.2 * width(&even));
    assert!(one.even.is_some() && even.even.is_none());
}

#[test]
fn what_cannot_be_is_refused_with_its_key() {
    let even = || spec(Spacing::Even(Length::Wavelengths(0.5)));
    let refused = |spec: &Spec| Plan::new(spec, None).unwrap_err();
    let issues = |spec: &Spec| -> Vec<(String, String)> {
        let Error::Invalid(invalid) = refused(spec) else {
            panic!("{spec:?}")
        };
        let issues = invalid.0.into_iter();
        issues.map(|issue| (issue.path, issue.message)).collect()
    };
    let paths = |spec: &Spec| -> Vec<String> {
        let issues = issues(spec).into_iter();
        issues.map(|(path, _)| path).collect()
    };
    let mut behind = even();
    behind.feed.position[2] = Length::Meters(-1.0);
    let found = issues(&behind);
    assert_eq!(found[0].0, "feed.position");
    assert!(found[0].1.contains("z = -1 m"), "{found:?}");
    let mut single = even();
    single.lattice.rows = 1;
    assert_eq!(paths(&single), ["lattice.rows"]);
    let mut tight = even();
    tight.lattice.spacing = Spacing::Free(FreeSpacing {
        min: Length::Wavelengths(0.7),
        max: Length::Wavelengths(0.5),
    });
    assert_eq!(paths(&tight), ["lattice.spacing.min"]);
    let mut everything = even();
    everything.frequency.0 = 0.0;
    everything.feed = FeedSpec {
        position: [0.0, f64::NAN, 1.0].map(Length::Meters),
        q: -1.0,
    };
    everything.lattice = Lattice {
        columns: 0,
        rows: 401,
        spacing: Spacing::Even(Length::Wavelengths(-0.5)),
    };
    everything.sidelobe_mask = Some(SidelobeMask {
        level_dbi: f64::NAN,
        transition: Some(2.0),
    });
    everything.coverage = CoverageSpec::default();
    assert_eq!(
        paths(&everything),
        [
            "frequency",
            "feed.position",
            "feed.q",
            "lattice.columns",
            "lattice.rows",
            "lattice.spacing",
            "sidelobe_mask.level_dbi",
            "sidelobe_mask.transition",
            "coverage",
        ]
    );
    let mut grazing = even();
    grazing.feed.position = [1.0, 0.0, 0.01].map(Length::Wavelengths);
    let unlit = refused(&grazing);
    assert!(matches!(unlit, Error::Unlit { .. }));
    assert_eq!(unlit.path().as_deref(), Some("feed.position"));
}

#[test]
fn a_run_stops_on_request() {
    let plan = Plan::new(&spec(Spacing::Even(Length::Wavelengths(0.5))), None).unwrap();
    let cancel = Cancel::new();
    cancel.request();
    assert!(matches!(
        plan.execute(&device(1), &NullStore, &cancel),
        Err(Error::Cancelled(_))
    ));
}

/// A checkpoint store that fails after a number of sections: an interruption between any two of them.
struct Interrupting {
    parts: Mutex<BTreeMap<String, Vec<u8>>>,
    most: usize,
}

impl CheckpointStore for Interrupting {
    fn load(&self, part: &str) -> Result<Option<Vec<u8>>, CheckpointError> {
        Ok(self.parts.lock().unwrap().get(part).cloned())
    }

    fn save_all(
        &self,
        new: &mut dyn Iterator<Item = Result<Part, CheckpointError>>,
    ) -> Result<(), CheckpointError> {
        let mut parts = self.parts.lock().unwrap();
        if parts.len() == self.most {
            return Err(CheckpointError("interrupted".to_owned()));
        }
        for part in new {
            let (name, bytes) = part?;
            parts.insert(name, bytes);
        }
        Ok(())
    }

    fn is_due(&self) -> bool {
        true
    }
}

#[test]
fn a_run_interrupted_anywhere_and_resumed_gives_the_same_bits() {
    let mut free = spec(Spacing::Free(FreeSpacing {
        min: Length::Wavelengths(0.5),
        max: Length::Wavelengths(0.7),
    }));
    // Every section is computed about three times; a smaller array has the same sections.
    (free.lattice.columns, free.lattice.rows) = (7, 6);
    let whole = solve(&free, 2);
    let plan = Plan::new(&free, None).unwrap();
    let device = device(2);
    let Device::Cpu(pool) = &device else {
        unreachable!("the device is a CPU")
    };
    let mut checkpoints = Interrupting {
        parts: Mutex::default(),
        most: 0,
    };
    let mut interruptions = 0;
    let resumed = loop {
        // Only checkpoint sections survive between attempts.
        match pool.install(|| plan.execute(&device, &checkpoints, &Silent)) {
            Ok(solution) => break solution,
            Err(Error::Checkpoint(_)) => interruptions += 1,
            Err(other) => panic!("{other}"),
        }
        checkpoints.most += 1;
    };
    assert!(interruptions >= 8, "{interruptions}");
    assert_eq!(resumed.phases, whole.phases);
    assert_eq!(resumed.aperture, whole.aperture);
    assert_eq!(resumed.minimum_bound, whole.minimum_bound);
    assert_eq!(resumed.mean_bound, whole.mean_bound);
    assert_eq!(resumed.iterated, whole.iterated);
    assert_eq!(resumed.trade_off, whole.trade_off);
    assert_eq!(resumed.steps, whole.steps);
}

#[test]
fn stages_lead_upwards_and_the_best_line_comes_first() {
    let solution = solve(&spec(Spacing::Even(Length::Wavelengths(0.5))), 1);
    let reached = |stage: Stage| {
        let of = solution.steps.iter().filter(|step| step.stage == stage);
        of.map(|step| step.metrics.least_dbi)
            .fold(f64::NEG_INFINITY, f64::max)
    };
    assert!(reached(Stage::MaxMin) > reached(Stage::Individual));
    let first = solution.steps[0];
    assert!(reached(Stage::Individual) > first.metrics.least_dbi);
    let ends = solution
        .lines
        .iter()
        .map(|line| line.last.metrics.least_dbi);
    let best = ends.fold(f64::NEG_INFINITY, f64::max);
    assert_eq!(best, solution.lines[0].last.metrics.least_dbi);
    assert!((best - solution.metrics.least_dbi).abs() < 1e-3);
    // Free amplitudes outperform phases alone and are not limited by the bound for fixed amplitudes.
    assert!(solution.free_amplitude_dbi.unwrap() > solution.metrics.least_dbi);
}

#[test]
fn a_ceiling_is_held_and_costs_some_of_the_minimum() {
    let mut spec = spec(Spacing::Even(Length::Wavelengths(0.5)));
    let open = solve(&spec, 1);
    assert!(open.outside.ceiling_dbi.is_none());
    let level_dbi = open.outside.highest_dbi - 5.0;
    spec.sidelobe_mask = Some(SidelobeMask {
        level_dbi,
        transition: None,
    });
    let held = solve(&spec, 1);
    assert!(
        held.outside.highest_dbi < level_dbi + 0.02,
        "{:?}",
        held.outside
    );
    assert!(held.metrics.least_dbi < open.metrics.least_dbi);
    assert!(held.metrics.least_dbi > open.metrics.least_dbi - 3.0);
    // A lower mask costs directivity.
    let reached = |index: usize| open.ceilings[index].metrics.least_dbi;
    assert!(reached(0) >= reached(1) && reached(1) > reached(2) && reached(2) > reached(3));
    spec.sidelobe_mask = Some(SidelobeMask {
        level_dbi: f64::NAN,
        transition: None,
    });
    let error = Plan::new(&spec, None).unwrap_err().to_string();
    assert!(error.contains("sidelobe_mask.level_dbi"), "{error}");
}
