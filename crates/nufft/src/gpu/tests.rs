//! Transforms on the GPU compared with direct summation.

use num_complex::{Complex, Complex64};
use wavefield_gpu::DeviceError;
use wavefield_numerics::fft::next_good_size;

use super::geometry::Geometry;
use super::*;
use crate::direct;
use crate::kernel::Kernel;
use crate::options::Options;
use crate::type3::Type3;

fn gpu() -> Gpu {
    Gpu::open(None).expect("GPU tests do not skip: install mesa-vulkan-drivers")
}

/// Returns reproducible numbers in [0, 1) from a multiplicative hash.
fn uniform(seed: u64, index: usize) -> f64 {
    let bits = (index as u64 + 1 + (seed << 40)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (bits ^ (bits >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((mixed ^ (mixed >> 32)) >> 11) as f64 / (1_u64 << 53) as f64
}

fn noise<R: Precision>(seed: u64, count: usize) -> Vec<Complex<R>> {
    let part = |index| R::narrow(uniform(seed, index) - 0.5);
    (0..count)
        .map(|i| Complex::new(part(2 * i), part(2 * i + 1)))
        .collect()
}

fn zeros<R: Precision>(count: usize) -> Vec<Complex<R>> {
    vec![Complex::new(R::zero(), R::zero()); count]
}

fn wide<R: Precision>(values: &[Complex<R>]) -> Vec<Complex64> {
    values
        .iter()
        .map(|z| Complex64::new(z.re.wide(), z.im.wide()))
        .collect()
}

/// Returns ‖got − want‖/‖want‖.
fn relative<R: Precision>(got: &[Complex<R>], want: &[Complex64]) -> f64 {
    let difference: f64 = wide(got)
        .iter()
        .zip(want)
        .map(|(g, w)| (g - w).norm_sqr())
        .sum();
    let size: f64 = want.iter().map(Complex64::norm_sqr).sum();
    (difference / size).sqrt()
}

#[derive(Clone, Copy, Debug)]
enum Layout {
    Uniform,
    Clustered,
    OnTheEdge,
    Coincident,
}

const LAYOUTS: [Layout; 4] = [
    Layout::Uniform,
    Layout::Clustered,
    Layout::OnTheEdge,
    Layout::Coincident,
];

/// Returns coordinates axis by axis.
fn points<R: Precision>(layout: Layout, dimensions: usize, count: usize) -> Vec<Vec<R>> {
    let pi = std::f64::consts::PI;
    let edges = [-pi, pi, 0.0, pi.next_down(), -0.0, -1e-300, 2.0 * pi];
    (0..dimensions)
        .map(|axis| {
            (0..count)
                .map(|i| {
                    let u = uniform(axis as u64 + 7, i);
                    R::narrow(match layout {
                        Layout::Uniform => 3.0 * pi * (2.0 * u - 1.0),
                        Layout::Clustered => 0.3 + 0.05 * u,
                        Layout::OnTheEdge => edges[(i + axis) % edges.len()],
                        Layout::Coincident => 1.234,
                    })
                })
                .collect()
        })
        .collect()
}

fn slices<T>(rows: &[Vec<T>]) -> Vec<&[T]> {
    rows.iter().map(Vec::as_slice).collect()
}

/// Parameters of a transform under test.
#[derive(Clone, Copy, Debug)]
struct Case<'a> {
    modes: &'a [usize],
    width: usize,
    sign: Sign,
    spreader: Spreader,
    addition: Addition,
    layers: Layers,
    per_slice: Option<usize>,
}

impl<'a> Case<'a> {
    fn new(modes: &'a [usize], width: usize) -> Self {
        Case {
            modes,
            width,
            sign: Sign::Plus,
            spreader: Spreader::Deterministic,
            addition: Addition::Native,
            layers: Layers::default(),
            per_slice: None,
        }
    }

    fn transform<R: Precision>(&self, gpu: &Gpu) -> Result<GpuTransform<R>, NufftError> {
        let kernel = Kernel::prolate(self.width, 2.0);
        let grid: Vec<usize> = self
            .modes
            .iter()
            .map(|&count| next_good_size(2 * count.max(self.width)))
            .collect();
        let correction: Vec<Vec<f64>> = self
            .modes
            .iter()
            .zip(&grid)
            .map(|(&count, &fine)| {
                (0..count as i64)
                    .map(|index| {
                        let mode = direct::first_mode(count) + index;
                        let theta = std::f64::consts::TAU * mode as f64 / fine as f64;
                        1.0 / kernel.transform(theta)
                    })
                    .collect()
            })
            .collect();
        let setup = GpuSetup {
            modes: self.modes,
            grid: &grid,
            width: self.width,
            coefficients: &kernel.coefficients,
            correction: &correction,
            spreader: self.spreader,
        };
        let mut transform = GpuTransform::with(gpu, &setup, self.addition, self.layers)?;
        if let Some(count) = self.per_slice {
            transform.points.set_per_slice(count);
        }
        Ok(transform)
    }

    /// Checks the errors of both types for every layout, and that the types are adjoint.
    fn holds<R: Precision>(&self, gpu: &Gpu, count: usize, tolerance: f64) {
        let mut transform = self.transform::<R>(gpu).unwrap();
        let total: usize = self.modes.iter().product();
        for layout in LAYOUTS {
            let coordinates = points::<R>(layout, self.modes.len(), count);
            let exact: Vec<Vec<f64>> = coordinates
                .iter()
                .map(|axis| axis.iter().map(|x| x.wide()).collect())
                .collect();
            let exact = slices(&exact);
            transform.set_points(&slices(&coordinates)).unwrap();

            let strengths = noise::<R>(1, count);
            let mut modes = zeros(total);
            transform.type1(self.sign, &strengths, &mut modes).unwrap();
            let want = direct::type1(self.modes, &exact, &wide(&strengths), self.sign);
            let first = relative(&modes, &want);

            let coefficients = noise::<R>(2, total);
            let mut values = zeros(count);
            transform
                .type2(self.sign, &coefficients, &mut values)
                .unwrap();
            let want = direct::type2(self.modes, &exact, &wide(&coefficients), self.sign);
            let second = relative(&values, &want);
            assert!(
                first <= tolerance && second <= tolerance,
                "{self:?}, {layout:?}: {first:e}, {second:e}"
            );

            // Without conjugation, Σ f_k T1(c)_k = Σ c_j T2(f)_j: each is the transpose of the
            // other.
            let product = |a: &[Complex<R>], b: &[Complex<R>]| -> Complex64 {
                wide(a).iter().zip(wide(b)).map(|(a, b)| a * b).sum()
            };
            let norm = |a: &[Complex<R>]| -> f64 {
                let square: f64 = wide(a).iter().map(Complex64::norm_sqr).sum();
                square.sqrt()
            };
            let (left, right) = (product(&coefficients, &modes), product(&strengths, &values));
            let size = norm(&coefficients) * norm(&modes);
            // Rounding only: some w^d and log₂ N operations, far below the aliasing error of the
            // window.
            let rounding = 30.0 * R::epsilon().wide();
            assert!(
                (left - right).norm() <= rounding * size,
                "{self:?}, {layout:?}: {left} against {right}"
            );
        }
    }
}

/// Modes in one to three dimensions, odd and even, down to grids of two widths.
const SHAPES: [&[usize]; 8] = [
    &[1],
    &[37],
    &[300],
    &[9, 16],
    &[40, 27],
    &[2, 70],
    &[5, 6, 7],
    &[12, 3, 18],
];

// Widths and errors. Windows of 8 and 14 grid points have aliasing errors of 3e-8 and 1e-13 per
// axis; the rest is rounding of weights, sums, and FFT, which reaches 1e-6 and 6e-13 where the value
// at a single point nearly cancels.
const SINGLE: (usize, f64) = (8, 5e-6);
const DOUBLE: (usize, f64) = (14, 5e-12);

#[test]
fn gathering_in_single_precision_agrees_with_direct_sums() {
    let gpu = gpu();
    for (number, modes) in SHAPES.iter().enumerate() {
        let sign = [Sign::Plus, Sign::Minus][number % 2];
        let case = Case {
            sign,
            ..Case::new(modes, SINGLE.0)
        };
        case.holds::<f32>(&gpu, 300, SINGLE.1);
    }
}

#[test]
fn gathering_in_double_precision_agrees_with_direct_sums() {
    let gpu = gpu();
    for (number, modes) in SHAPES.iter().enumerate() {
        let sign = [Sign::Minus, Sign::Plus][number % 2];
        let case = Case {
            sign,
            ..Case::new(modes, DOUBLE.0)
        };
        case.holds::<f64>(&gpu, 200, DOUBLE.1);
    }
}

#[test]
fn atomics_of_either_kind_agree_with_direct_sums() {
    let gpu = gpu();
    let mut additions = vec![Addition::CompareExchange];
    if gpu.capabilities().f32_atomics {
        additions.push(Addition::Native);
    }
    for addition in additions {
        for modes in SHAPES {
            let case = Case {
                spreader: Spreader::Atomic,
                addition,
                per_slice: Some(211),
                ..Case::new(modes, SINGLE.0)
            };
            case.holds::<f32>(&gpu, 300, SINGLE.1);
        }
    }
}

#[test]
fn crowds_and_slices_are_spread_layer_by_layer() {
    let gpu = gpu();
    for (points, round, per_slice) in [(7, 3, None), (64, 4096, Some(100)), (50, 5, Some(120))] {
        for modes in [&[300][..], &[40, 27], &[12, 3, 18]] {
            let case = Case {
                layers: Layers { points, round },
                per_slice,
                ..Case::new(modes, SINGLE.0)
            };
            case.holds::<f32>(&gpu, 300, SINGLE.1);
        }
    }
}

#[test]
fn the_narrowest_and_the_widest_window_run() {
    let gpu = gpu();
    for modes in [&[21][..], &[8, 9], &[4, 5, 6]] {
        // A window of two grid points preserves one digit of the sums, less of a single small one.
        Case::new(modes, 2).holds::<f32>(&gpu, 50, 0.5);
        Case::new(modes, 16).holds::<f64>(&gpu, 50, DOUBLE.1);
    }
}

#[test]
fn gathering_gives_the_same_bits_on_every_run() {
    let gpu = gpu();
    for modes in [&[300][..], &[40, 27], &[12, 9, 18]] {
        let total: usize = modes.iter().product();
        for layout in [Layout::Uniform, Layout::Clustered] {
            let case = Case {
                layers: Layers {
                    points: 40,
                    round: 7,
                },
                ..Case::new(modes, 7)
            };
            let coordinates = points::<f32>(layout, modes.len(), 1000);
            let strengths = noise::<f32>(5, 1000);
            let bits = |transform: &GpuTransform<f32>| -> Vec<u32> {
                let mut result = zeros(total);
                transform
                    .type1(Sign::Plus, &strengths, &mut result)
                    .unwrap();
                result
                    .iter()
                    .flat_map(|z| [z.re.to_bits(), z.im.to_bits()])
                    .collect()
            };
            let mut transform = case.transform(&gpu).unwrap();
            transform.set_points(&slices(&coordinates)).unwrap();
            let first = bits(&transform);
            for _ in 0..3 {
                assert!(bits(&transform) == first, "{modes:?} {layout:?}");
            }
            let mut again = case.transform(&gpu).unwrap();
            again.set_points(&slices(&coordinates)).unwrap();
            assert!(bits(&again) == first, "{modes:?} {layout:?}");
        }
    }
}

#[test]
fn points_in_single_precision_lose_nothing_on_a_long_grid() {
    // A position rounded to f32 on a grid of 60 000 points would be off by 1e-3 of the grid spacing.
    Case::new(&[29_989], SINGLE.0).holds::<f32>(&gpu(), 20, SINGLE.1);
}

#[test]
fn vectors_are_transformed_one_after_the_other() {
    let gpu = gpu();
    let mut transform = Case::new(&[9, 16], 8).transform::<f32>(&gpu).unwrap();
    let coordinates = points::<f32>(Layout::Uniform, 2, 40);
    transform.set_points(&slices(&coordinates)).unwrap();
    let (strengths, coefficients) = (noise::<f32>(3, 120), noise::<f32>(4, 3 * 144));
    let (mut modes, mut values) = (zeros(3 * 144), zeros(120));
    transform.type1(Sign::Plus, &strengths, &mut modes).unwrap();
    transform
        .type2(Sign::Plus, &coefficients, &mut values)
        .unwrap();
    for vector in 0..3 {
        let (of_modes, of_points) = (
            144 * vector..144 * (vector + 1),
            40 * vector..40 * (vector + 1),
        );
        let (mut own_modes, mut own_values) = (zeros(144), zeros(40));
        transform
            .type1(Sign::Plus, &strengths[of_points.clone()], &mut own_modes)
            .unwrap();
        transform
            .type2(Sign::Plus, &coefficients[of_modes.clone()], &mut own_values)
            .unwrap();
        assert_eq!(own_modes, modes[of_modes]);
        assert_eq!(own_values, values[of_points]);
    }
}

#[test]
fn memory_is_known_before_it_is_taken() {
    let gpu = gpu();
    let single = Case::new(&[9, 16], 8).transform::<f32>(&gpu).unwrap();
    let double = Case::new(&[9, 16], 8).transform::<f64>(&gpu).unwrap();
    // Two positions of index and fraction, the permutation, and strengths in both orders.
    assert_eq!(single.memory(1001) - single.memory(1000), 16 + 4 + 16);
    assert_eq!(double.memory(1001) - double.memory(1000), 24 + 4 + 32);
    assert!(single.memory(1) > (18 * 32 + 9 * 16) * size_of::<Complex<f32>>());
}

#[test]
fn no_points_are_a_sum_of_nothing() {
    let mut transform = Case::new(&[9, 16], 8).transform::<f32>(&gpu()).unwrap();
    transform.set_points::<f32>(&[&[], &[]]).unwrap();
    let mut modes = noise::<f32>(1, 144);
    transform.type1(Sign::Plus, &[], &mut modes).unwrap();
    assert_eq!(modes, zeros(144));
    transform.type2(Sign::Plus, &modes, &mut []).unwrap();
}

#[test]
fn every_tile_is_reached_by_the_tiles_whose_windows_touch_it_each_once() {
    for (lengths, width) in [
        (&[16][..], 8),
        (&[256], 16),
        (&[257], 16),
        (&[540], 7),
        (&[20, 48], 10),
        (&[30, 33], 15),
        (&[9, 10, 32], 4),
        (&[32, 36, 40], 16),
    ] {
        let geometry = Geometry::new(&GpuSetup {
            modes: lengths,
            grid: lengths,
            width,
            coefficients: &[],
            correction: &[],
            spreader: Spreader::Deterministic,
        });
        let reaching: Vec<Vec<usize>> = (0..geometry.tile_count())
            .map(|tile| geometry.reaching(tile).collect())
            .collect();
        for tiles in &reaching {
            let mut once = tiles.clone();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), tiles.len(), "{lengths:?} {width}: {tiles:?}");
        }
        let [x, y, z] = geometry.grid;
        for cell in 0..x * y * z {
            let first = [cell % x, cell / x % y, cell / (x * y)];
            let source = geometry.tile_of(first.map(|index| index as u32));
            // The corners and the middle of the window lie in every tile that the window overlaps.
            for step in [0, (width - 1) / 2, width - 1] {
                for axes in 0..8 {
                    let touched = [0, 1, 2].map(|axis| {
                        let moved = if axis < lengths.len() && axes >> axis & 1 == 1 {
                            step
                        } else {
                            0
                        };
                        ((first[axis] + moved) % geometry.grid[axis]) as u32
                    });
                    let tile = geometry.tile_of(touched);
                    assert!(reaching[tile].contains(&source), "{lengths:?} {first:?}");
                }
            }
        }
    }
}

#[test]
fn what_the_device_cannot_do_is_refused() {
    let gpu = gpu();
    let atomic = Case {
        spreader: Spreader::Atomic,
        ..Case::new(&[16], 8)
    };
    let refused = atomic.transform::<f64>(&gpu).unwrap_err();
    assert_eq!(refused, NufftError::AtomicDoubles);

    let limit = gpu.capabilities().max_storage_binding as usize;
    let vast = [limit / 8 + 1];
    let setup = GpuSetup {
        modes: &vast,
        grid: &vast,
        width: 8,
        coefficients: &[],
        correction: &[],
        spreader: Spreader::Deterministic,
    };
    let refused = GpuTransform::<f32>::new(&gpu, &setup).unwrap_err();
    assert!(matches!(
        refused,
        NufftError::Device(DeviceError::TooLarge { .. })
    ));

    let mut transform = Case::new(&[16, 9], 8).transform::<f32>(&gpu).unwrap();
    let refused = transform.set_points(&[&[0.0, 1.0], &[0.0, f32::NAN]]);
    assert!(matches!(
        refused,
        Err(NufftError::NotFinite {
            axis: 1,
            index: 1,
            ..
        })
    ));
    assert!(transform.set_points(&[&[0.0]]).is_err());
    assert!(transform.set_points(&[&[0.0], &[0.0, 1.0]]).is_err());
    transform.set_points(&[&[0.0, 1.0], &[0.0, 1.0]]).unwrap();
    assert!(
        transform
            .type1(Sign::Plus, &zeros(3), &mut zeros(144))
            .is_err()
    );
    assert!(
        transform
            .type1(Sign::Plus, &zeros(4), &mut zeros(144))
            .is_err()
    );
    assert!(
        transform
            .type2(Sign::Plus, &zeros(143), &mut zeros(2))
            .is_err()
    );
    assert!(transform.type2(Sign::Plus, &[], &mut []).is_err());
}

/// Checks type 3 and its adjoint for points and frequencies away from zero, and that runs are bitwise identical.
fn type3_holds<R: Precision>(axes: usize, tolerance: f64, spreader: Spreader) {
    let options = Options {
        tolerance,
        spreader,
        sign: Sign::Minus,
        ..Options::default()
    };
    let rows = |seed: u64, count: usize, middle: f64, range: f64| -> Vec<Vec<R>> {
        (0..axes)
            .map(|axis| {
                let number = |i| middle + range * (uniform(seed + axis as u64, i) - 0.5);
                (0..count).map(|i| R::narrow(number(i))).collect()
            })
            .collect()
    };
    let widened = |rows: &[Vec<R>]| -> Vec<Vec<f64>> {
        let wide = |row: &Vec<R>| row.iter().map(|x| x.wide()).collect();
        rows.iter().map(wide).collect()
    };
    let (points, frequencies) = (rows(3, 211, 2.0, 5.0), rows(9, 180, -3.0, 16.0));
    let device = Device::Gpu(gpu());
    let mut plan = Type3::<R>::new(&device, axes, &options).unwrap();
    plan.set_points(&slices(&points), &slices(&frequencies))
        .unwrap();
    assert_eq!((plan.points(), plan.frequencies()), (211, 180));
    let (strengths, given) = (noise::<R>(5, 2 * 211), noise::<R>(6, 2 * 180));
    let (mut values, mut back) = (zeros(2 * 180), zeros(2 * 211));
    plan.execute(&strengths, &mut values).unwrap();
    plan.adjoint(&given, &mut back).unwrap();
    let (points, frequencies) = (widened(&points), widened(&frequencies));
    let (points, frequencies) = (slices(&points), slices(&frequencies));
    let ahead = |c: &[Complex<R>]| direct::type3(&points, &frequencies, &wide(c), Sign::Minus);
    let behind = |v: &[Complex<R>]| direct::type3(&frequencies, &points, &wide(v), Sign::Plus);
    let want = [ahead(&strengths[..211]), ahead(&strengths[211..])].concat();
    assert!(relative(&values, &want) < tolerance, "{axes} axes");
    let want = [behind(&given[..180]), behind(&given[180..])].concat();
    assert!(relative(&back, &want) < tolerance, "{axes} axes");
    if spreader == Spreader::Deterministic {
        let mut again = zeros(2 * 180);
        plan.execute(&strengths, &mut again).unwrap();
        assert_eq!(values, again);
    }
}

#[test]
fn type_3_agrees_with_direct_sums() {
    for axes in 1..=3 {
        type3_holds::<f32>(axes, 1e-4, Spreader::Deterministic);
        type3_holds::<f64>(axes, 1e-9, Spreader::Deterministic);
    }
    type3_holds::<f32>(2, 1e-4, Spreader::Atomic);
}

#[test]
fn type_3_without_points_or_frequencies_is_zero() {
    let mut plan = Type3::<f32>::new(&Device::Gpu(gpu()), 1, &Options::default()).unwrap();
    plan.set_points(&[&[]], &[&[1.0, 2.0]]).unwrap();
    let mut values = noise::<f32>(1, 2);
    plan.execute(&[], &mut values).unwrap();
    assert_eq!(values, zeros(2));
    plan.set_points(&[&[1.0]], &[&[]]).unwrap();
    plan.execute(&noise(1, 1), &mut []).unwrap();
}
