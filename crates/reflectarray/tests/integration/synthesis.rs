//! Operators against the sums they stand for, and a small synthesis against its bounds.

use num_complex::Complex64;
use std::collections::BTreeMap;
use std::sync::Mutex;
use wavefield_compute::checkpoint::{Forgetful, Keeper, NotKept, Part};
use wavefield_compute::observe::{Cancel, Silent};
use wavefield_compute::{Device, DeviceChoice};
use wavefield_physics::quantity::{Angle, Frequency, Length};
use wavefield_reflectarray::coverage::{CoverageSpec, EllipseUv};
use wavefield_reflectarray::pattern::{Grid, Pattern};
use wavefield_reflectarray::{
    Aperture, Ceiling, Element, Error, Feed, FeedSpec, FreeSpacing, Lattice, Operator, Plan,
    Spacing, Spec, Stage, Window, dual,
};

/// Numbers between −½ and ½.
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
            exponent: 8.0,
        },
        lattice: Lattice {
            columns: 10,
            rows: 9,
            spacing,
        },
        element: Element::Even,
        coverage: CoverageSpec {
            ellipse: Some(EllipseUv {
                centre: [0.05, 0.1],
                semi_axes: [0.2, 0.12],
                rotation: Angle::from_degrees(30.0),
            }),
            ..CoverageSpec::default()
        },
        ceiling: None,
    }
}

fn device(threads: usize) -> Device {
    Device::open(&DeviceChoice::Cpu, Some(threads)).unwrap()
}

fn solve(spec: &Spec, threads: usize) -> wavefield_reflectarray::Solution {
    let device = device(threads);
    let Device::Cpu(pool) = &device else {
        unreachable!("a processor was asked for")
    };
    let plan = Plan::new(spec, None).unwrap();
    pool.install(|| plan.execute(&device, &Forgetful, &Silent))
        .unwrap()
}

#[test]
fn the_window_sees_the_field_of_the_whole_array() {
    for element in [Element::Even, Element::Aperture] {
        let array = array(element);
        let corners = [[-0.1, 0.0], [0.3, 0.25]];
        let directions: Vec<[f64; 2]> = (0..60)
            .map(|i| [0.1 + 0.4 * noise(i), 0.125 + 0.25 * noise(i + 77)])
            .collect();
        let window = Window::new(&array, corners).unwrap();
        assert!(window.rank() < array.len());
        let operator = Operator::new(&window, directions.clone());
        let x = excitation(&array);
        // The operator's excitations are those of a beam towards the window's middle.
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
    let array = array(Element::Even);
    let grid = Grid {
        centre: [0.1, -0.2],
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
    let (found, bound) = (solution.judgement, &solution.minimum_bound);
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
    assert!(solution.illumination_efficiency > 0.2 && solution.illumination_efficiency < 1.0);
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
    let free = spec(Spacing::Free(FreeSpacing {
        least: Length::Wavelengths(0.5),
        most: Length::Wavelengths(0.7),
    }));
    let (one, three) = (solve(&free, 1), solve(&free, 3));
    assert_eq!(one.phases, three.phases);
    assert_eq!(one.aperture, three.aperture);
    assert_eq!(one.judgement, three.judgement);
    assert_eq!(one.minimum_bound, three.minimum_bound);
    let even = solve(&spec(Spacing::Even(Length::Wavelengths(0.5))), 1);
    assert!(one.judgement.least_dbi > even.judgement.least_dbi);
    let width = |s: &wavefield_reflectarray::Solution| s.aperture.column_widths.iter().sum::<f64>();
    assert!(width(&one) > 1.2 * width(&even));
    assert!(one.even.is_some() && even.even.is_none());
}

#[test]
fn what_cannot_be_is_refused_with_its_key() {
    let even = || spec(Spacing::Even(Length::Wavelengths(0.5)));
    let refused = |spec: Spec| Plan::new(&spec, None).unwrap_err();
    let mut behind = even();
    behind.feed.position[2] = Length::Metres(-1.0);
    assert!(matches!(refused(behind), Error::FeedBehind { .. }));
    let mut single = even();
    single.lattice.rows = 1;
    assert!(refused(single).to_string().contains("lattice.rows"));
    let mut tight = even();
    tight.lattice.spacing = Spacing::Free(FreeSpacing {
        least: Length::Wavelengths(0.7),
        most: Length::Wavelengths(0.5),
    });
    assert!(matches!(refused(tight), Error::Spacing { .. }));
    let mut grazing = even();
    grazing.feed.position = [1.0, 0.0, 0.01].map(Length::Wavelengths);
    assert!(matches!(refused(grazing), Error::Unlit { .. }));
}

#[test]
fn a_run_stops_on_request() {
    let plan = Plan::new(&spec(Spacing::Even(Length::Wavelengths(0.5))), None).unwrap();
    let cancel = Cancel::new();
    cancel.request();
    assert!(matches!(
        plan.execute(&device(1), &Forgetful, &cancel),
        Err(Error::Cancelled(_))
    ));
}

/// Keeps parts until so many are there, then fails: an interruption between any two of them.
struct Interrupting {
    parts: Mutex<BTreeMap<String, Vec<u8>>>,
    most: usize,
}

impl Keeper for Interrupting {
    fn recall(&self, part: &str) -> Result<Option<Vec<u8>>, NotKept> {
        Ok(self.parts.lock().unwrap().get(part).cloned())
    }

    fn keep_all(
        &self,
        new: &mut dyn Iterator<Item = Result<Part, NotKept>>,
    ) -> Result<(), NotKept> {
        let mut parts = self.parts.lock().unwrap();
        if parts.len() == self.most {
            return Err(NotKept("interrupted".to_owned()));
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
    let free = spec(Spacing::Free(FreeSpacing {
        least: Length::Wavelengths(0.5),
        most: Length::Wavelengths(0.7),
    }));
    let whole = solve(&free, 2);
    let plan = Plan::new(&free, None).unwrap();
    let device = device(2);
    let Device::Cpu(pool) = &device else {
        unreachable!("a processor was asked for")
    };
    let mut keeper = Interrupting {
        parts: Mutex::default(),
        most: 0,
    };
    let mut interruptions = 0;
    let resumed = loop {
        // Nothing but what was kept survives from one try to the next.
        match pool.install(|| plan.execute(&device, &keeper, &Silent)) {
            Ok(solution) => break solution,
            Err(Error::NotKept(_)) => interruptions += 1,
            Err(other) => panic!("{other}"),
        }
        keeper.most += 1;
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
        of.map(|step| step.judgement.least_dbi)
            .fold(f64::NEG_INFINITY, f64::max)
    };
    assert!(reached(Stage::MaxMin) > reached(Stage::Individual));
    let first = solution.steps[0];
    assert!(reached(Stage::Individual) > first.judgement.least_dbi);
    let ends = solution
        .lines
        .iter()
        .map(|line| line.last.judgement.least_dbi);
    let best = ends.fold(f64::NEG_INFINITY, f64::max);
    assert_eq!(best, solution.lines[0].last.judgement.least_dbi);
    assert!((best - solution.judgement.least_dbi).abs() < 1e-3);
    // Free amplitudes can do more than phases alone, and the fixed ones bound nothing of it.
    assert!(solution.free_amplitude_dbi.unwrap() > solution.judgement.least_dbi);
}

#[test]
fn a_ceiling_is_held_and_costs_some_of_the_minimum() {
    let mut spec = spec(Spacing::Even(Length::Wavelengths(0.5)));
    let open = solve(&spec, 1);
    assert!(open.outside.ceiling_dbi.is_none());
    let level_dbi = open.outside.highest_dbi - 5.0;
    spec.ceiling = Some(Ceiling {
        level_dbi,
        transition: None,
    });
    let held = solve(&spec, 1);
    assert!(
        held.outside.highest_dbi < level_dbi + 0.02,
        "{:?}",
        held.outside
    );
    assert!(held.judgement.least_dbi < open.judgement.least_dbi);
    assert!(held.judgement.least_dbi > open.judgement.least_dbi - 3.0);
    // Lower ceilings cost more.
    let reached = |index: usize| open.ceilings[index].judgement.least_dbi;
    assert!(reached(0) >= reached(1) && reached(1) > reached(2) && reached(2) > reached(3));
    spec.ceiling = Some(Ceiling {
        level_dbi: f64::NAN,
        transition: None,
    });
    let error = Plan::new(&spec, None).unwrap_err().to_string();
    assert!(error.contains("ceiling.level_dbi"), "{error}");
}
