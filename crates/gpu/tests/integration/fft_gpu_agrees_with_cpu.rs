//! The FFT on the GPU compared with that on the CPU in double precision.

use num_complex::Complex;
use wavefield_gpu::fft::{FftError, FftPlan, Real};
use wavefield_gpu::{Device, DeviceChoice};
use wavefield_numerics::fft::FftKind;

/// Rounding errors of an N-point FFT grow as ε·√(log₂ N): about 3e-7 in single and 5e-16 in double
/// precision at N = 2²⁰. The tolerances include a factor of a few for radices 3 and 5; a twiddle factor of
/// the wrong precision or index exceeds them by orders of magnitude.
const F32_TOLERANCE: f64 = 1e-6;
const F64_TOLERANCE: f64 = 1e-13;

fn gpu() -> Device {
    Device::open(&DeviceChoice::Gpu, None)
        .expect("GPU tests do not skip: install mesa-vulkan-drivers")
}

fn cpu() -> Device {
    Device::open(&DeviceChoice::Cpu, None).unwrap()
}

/// Returns reproducible numbers, uniform in (−1, 1).
fn noise(len: usize, seed: u64) -> Vec<f64> {
    let mut state = seed;
    (0..len)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        })
        .collect()
}

trait Narrow: Real {
    fn narrow(value: f64) -> Self;
    fn wide(self) -> f64;
    const TOLERANCE: f64;
    const NAME: &'static str;
}

impl Narrow for f32 {
    fn narrow(value: f64) -> Self {
        value as Self
    }
    fn wide(self) -> f64 {
        f64::from(self)
    }
    const TOLERANCE: f64 = F32_TOLERANCE;
    const NAME: &'static str = "f32";
}

impl Narrow for f64 {
    fn narrow(value: f64) -> Self {
        value
    }
    fn wide(self) -> f64 {
        self
    }
    const TOLERANCE: f64 = F64_TOLERANCE;
    const NAME: &'static str = "f64";
}

fn relative_error(found: impl Iterator<Item = f64>, exact: impl Iterator<Item = f64>) -> f64 {
    let (error, norm) = found
        .zip(exact)
        .fold((0.0, 0.0), |(error, norm), (found, exact)| {
            (error + (found - exact).powi(2), norm + exact * exact)
        });
    (error / norm).sqrt()
}

fn parts<R: Narrow>(values: &[Complex<R>]) -> impl Iterator<Item = f64> {
    values
        .iter()
        .flat_map(|value| [value.re.wide(), value.im.wide()])
}

fn complex_case<R: Narrow>(gpu: &Device, shape: &[usize], batch: usize) {
    let len = batch * shape.iter().product::<usize>();
    let noise = noise(2 * len, len as u64);
    let narrow: Vec<Complex<R>> = noise
        .chunks(2)
        .map(|pair| Complex::new(R::narrow(pair[0]), R::narrow(pair[1])))
        .collect();
    // The reference starts from the rounded numbers, so that only the transform is tested.
    let wide: Vec<Complex<f64>> = narrow
        .iter()
        .map(|z| Complex::new(z.re.wide(), z.im.wide()))
        .collect();
    let on_gpu = FftPlan::<R>::new(gpu, shape, batch, FftKind::Complex).unwrap();
    let on_cpu = FftPlan::<f64>::new(&cpu(), shape, batch, FftKind::Complex).unwrap();
    // The inverse of a long line differs from its forward transform only in two conjugations, so short
    // lines suffice for it.
    let both = if len > 1 << 17 {
        &[false][..]
    } else {
        &[false, true]
    };
    for &inverse in both {
        let (mut found, mut exact) = (narrow.clone(), wide.clone());
        if inverse {
            on_gpu.inverse(&mut found).unwrap();
            on_cpu.inverse(&mut exact).unwrap();
        } else {
            on_gpu.forward(&mut found).unwrap();
            on_cpu.forward(&mut exact).unwrap();
        }
        let error = relative_error(parts(&found), parts(&exact));
        println!(
            "{} complex {shape:?} x {batch} inverse {inverse}: {error:.2e}",
            R::NAME
        );
        assert!(
            error <= R::TOLERANCE,
            "{shape:?} x {batch}, inverse {inverse}: {error:e}"
        );
    }
}

fn real_case<R: Narrow>(gpu: &Device, shape: &[usize], batch: usize) {
    let len = batch * shape.iter().product::<usize>();
    let narrow: Vec<R> = noise(len, len as u64).into_iter().map(R::narrow).collect();
    let wide: Vec<f64> = narrow.iter().map(|value| value.wide()).collect();
    let on_gpu = FftPlan::<R>::new(gpu, shape, batch, FftKind::Real).unwrap();
    let on_cpu = FftPlan::<f64>::new(&cpu(), shape, batch, FftKind::Real).unwrap();
    let mut found = vec![Complex::new(R::narrow(0.0), R::narrow(0.0)); on_gpu.spectrum_len()];
    let mut exact = vec![Complex::new(0.0, 0.0); on_cpu.spectrum_len()];
    on_gpu.forward_real(&narrow, &mut found).unwrap();
    on_cpu.forward_real(&wide, &mut exact).unwrap();
    let error = relative_error(parts(&found), parts(&exact));
    println!("{} real {shape:?} x {batch}: {error:.2e}", R::NAME);
    assert!(error <= R::TOLERANCE, "{shape:?} x {batch}: {error:e}");

    let mut back = vec![R::narrow(0.0); len];
    on_gpu.inverse_real(&found, &mut back).unwrap();
    let points = shape.iter().product::<usize>() as f64;
    let error = relative_error(
        back.iter().map(|value| value.wide() / points),
        wide.iter().copied(),
    );
    println!("{} real {shape:?} x {batch} and back: {error:.2e}", R::NAME);
    assert!(
        error <= R::TOLERANCE,
        "{shape:?} x {batch} and back: {error:e}"
    );
}

const LINES: [usize; 15] = [
    1,
    2,
    3,
    4,
    5,
    8,
    15,
    243,
    1000,
    1536,
    2048,
    6000,
    59_049,
    78_125,
    1 << 20,
];

#[test]
fn complex_lines_in_single_precision() {
    let gpu = gpu();
    for length in LINES {
        complex_case::<f32>(&gpu, &[length], 1);
    }
}

#[test]
fn complex_lines_in_double_precision() {
    let gpu = gpu();
    for length in LINES {
        complex_case::<f64>(&gpu, &[length], 1);
    }
}

#[test]
fn planes() {
    let gpu = gpu();
    for shape in [[96, 96], [288, 288], [2400, 10], [1024, 1024]] {
        complex_case::<f32>(&gpu, &shape, 1);
        complex_case::<f64>(&gpu, &shape, 1);
    }
}

#[test]
fn boxes() {
    let gpu = gpu();
    for shape in [[32, 24, 20], [1, 16, 1], [3, 5, 2]] {
        complex_case::<f32>(&gpu, &shape, 1);
        complex_case::<f64>(&gpu, &shape, 1);
    }
}

#[test]
fn batches() {
    let gpu = gpu();
    complex_case::<f32>(&gpu, &[60], 1001);
    complex_case::<f64>(&gpu, &[60], 1001);
    complex_case::<f32>(&gpu, &[5000], 7);
    complex_case::<f64>(&gpu, &[12, 10], 33);
    complex_case::<f64>(&gpu, &[4, 6, 5], 9);
}

#[test]
fn lines_of_three_factors() {
    // Longer than the square of the longest line in workgroup memory in double precision at 32 KiB
    // (1024²).
    complex_case::<f64>(&gpu(), &[1 << 21], 1);
}

#[test]
fn real_data() {
    let gpu = gpu();
    for length in [1, 2, 3, 8, 15, 1000, 59_049, 65_536] {
        real_case::<f32>(&gpu, &[length], 3);
        real_case::<f64>(&gpu, &[length], 3);
    }
    for shape in [&[96, 96][..], &[3000, 10], &[20, 24, 32], &[6, 5, 9]] {
        real_case::<f32>(&gpu, shape, 2);
        real_case::<f64>(&gpu, shape, 2);
    }
}

#[test]
fn other_prime_factors_are_refused_with_the_next_good_length() {
    let refused = FftPlan::<f32>::new(&gpu(), &[2 * 3 * 5 * 7], 1, FftKind::Complex);
    assert_eq!(
        refused.err(),
        Some(FftError::Size {
            size: 210,
            next: 216
        })
    );
}
