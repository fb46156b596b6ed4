//! Cases `compute/*`: GPU compared with CPU, arrays larger than a binding, and reproducible sums.

use num_complex::Complex;
use wavefield_gpu::fft::{FftError, FftPlan, Real};
use wavefield_gpu::{Access, Device, DeviceChoice, Kernel, KernelSource, LargeBuffer};
use wavefield_numerics::cpu::CpuPool;
use wavefield_numerics::fft::FftKind;
use wavefield_numerics::sum;

use super::{noise, open_gpu, relative_error};
use crate::measure::{Case, Limit, Measured};
use wavefield::Error;
use wavefield::device;
use wavefield::numerics::worst::Worst;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case::new(
            "compute/chunking",
            "GPU kernel on an array of 300 MB, larger than a storage binding",
            chunking,
        )
        .limits([
            ("bytes", Limit::AtLeast(3e8)),
            ("error", Limit::AtMost(0.0)),
        ]),
        Case::new(
            "compute/fft-gpu",
            "FFT on the GPU in f32 compared with the CPU in f64",
            || Ok([("error_f32", fft_error(|x| x as f32)?)].into()),
        )
        .limits([("error_f32", Limit::AtMost(1e-6))]),
        Case::new(
            "compute/fft-gpu-f64",
            "FFT on the GPU in f64 compared with the CPU, if the adapter supports f64",
            fft_gpu_f64,
        )
        .limits([("error_f64", Limit::AtMost(1e-13))]),
        Case::new(
            "compute/sum",
            "bitwise differences of a sum between 1, 2, 3, and 8 threads",
            sums,
        )
        .limits([("differing_bits", Limit::AtMost(0.0))]),
    ]
}

fn transform(error: FftError) -> Error {
    match error {
        FftError::Device(error) => Error::from(error),
        other => Error::runtime(other.to_string()),
    }
}

/// Shapes of transforms: powers of two to 2²⁰, other products of 2, 3, and 5, planes, and boxes.
const SHAPES: &[&[usize]] = &[
    &[2],
    &[64],
    &[1000],
    &[1024],
    &[1536],
    &[4096],
    &[32_768],
    &[59_049],
    &[1 << 17],
    &[1 << 20],
    &[96, 96],
    &[288, 288],
    &[120, 625],
    &[512, 512],
    &[1024, 1024],
    &[32, 24, 20],
    &[64, 64, 64],
];

fn fft_gpu_f64() -> Result<Measured, Error> {
    let (_, gpu) = open_gpu()?;
    if !gpu.capabilities().f64 {
        return Ok(Measured::Skipped("the adapter has no f64".to_owned()));
    }
    Ok([("error_f64", fft_error::<f64>(|x| x)?)].into())
}

/// Returns the largest error over all shapes and both directions.
fn fft_error<R: Real + Into<f64>>(narrow: fn(f64) -> R) -> Result<f64, Error> {
    let cpu = device::open(&DeviceChoice::Cpu, None)?;
    let (gpu, _) = open_gpu()?;
    let mut worst = Worst::default();
    for shape in SHAPES {
        let points = shape.iter().product();
        let input: Vec<Complex<f64>> = (0..points)
            .map(|i| Complex::new(noise(2 * i), noise(2 * i + 1)))
            .collect();
        for forward in [true, false] {
            let mut reference = input.clone();
            run_plan(&cpu, shape, &mut reference, forward)?;
            let mut found: Vec<Complex<R>> = (input.iter())
                .map(|z| Complex::new(narrow(z.re), narrow(z.im)))
                .collect();
            run_plan(&gpu, shape, &mut found, forward)?;
            let wide = (found.iter()).map(|z| Complex::new(z.re.into(), z.im.into()));
            worst.see(relative_error(wide, &reference));
        }
    }
    Ok(worst.value())
}

fn run_plan<R: Real>(
    device: &Device,
    shape: &[usize],
    data: &mut [Complex<R>],
    forward: bool,
) -> Result<(), Error> {
    let plan = FftPlan::<R>::new(device, shape, 1, FftKind::Complex).map_err(transform)?;
    let done = if forward {
        plan.forward(data)
    } else {
        plan.inverse(data)
    };
    done.map_err(transform)
}

const SCALE: &str = "
override factor: f32;
@group(0) @binding(0) var<storage, read_write> values: array<f32>;
@compute @workgroup_size(64) fn scale(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let index = (group.y * groups.x + group.x) * 64u + thread;
    if index < arrayLength(&values) { values[index] = factor * values[index] + 1.0; }
}";

fn chunking() -> Result<Measured, Error> {
    let (_, gpu) = open_gpu()?;
    let kernel = Kernel::new(
        &gpu,
        &KernelSource {
            name: "scale",
            wgsl: SCALE,
            entry: "scale",
            constants: &[("factor", 0.5)],
            bindings: &[Access::ReadWrite],
        },
    )?;
    let count = 75_000_000usize;
    // Multiples of 2⁻¹² below 2⁸: halving and adding one are exact in f32, so every error is a lost element.
    let value = |i: usize| (i % (1 << 20)) as f32 / 4096.0;
    let input: Vec<f32> = (0..count).map(value).collect();
    let large = LargeBuffer::from_slice(&gpu, &input)?;
    let chunks = large.chunks().iter().count();
    gpu.dispatch_chunks(&kernel, large.chunks(), 64, |chunk| {
        Ok(vec![large.bind(chunk)?])
    })?;
    let output = large.read()?;
    let pairs = output.iter().zip(&input);
    let error = Worst::of(pairs.map(|(got, x)| f64::from((got - (0.5 * x + 1.0)).abs())));
    Ok([
        ("bytes", (output.len() * size_of::<f32>()) as f64),
        ("chunks", chunks as f64),
        ("error", error),
    ]
    .into())
}

fn sums() -> Result<Measured, Error> {
    let values: Vec<f64> = (0..3_000_017)
        .map(|i| noise(i) * 10f64.powi((i % 31) as i32 - 15))
        .collect();
    let singles: Vec<f32> = values.iter().map(|v| *v as f32).collect();
    let complex: Vec<Complex<f64>> = values
        .windows(2)
        .map(|w| Complex::new(w[0], w[1]))
        .collect();
    let mut reference: Option<[u64; 5]> = None;
    let mut differing = 0u32;
    for threads in [1, 2, 3, 8] {
        let pool = CpuPool::new(Some(threads))?;
        let found = pool.install(|| {
            let whole = sum::sum(&complex);
            let product = sum::dot(&complex, &complex);
            [
                sum::sum(&values).to_bits(),
                u64::from(sum::sum(&singles).to_bits()),
                whole.re.to_bits(),
                whole.im.to_bits(),
                product.re.to_bits(),
            ]
        });
        let first = reference.get_or_insert(found);
        differing += first
            .iter()
            .zip(&found)
            .map(|(a, b)| (a ^ b).count_ones())
            .sum::<u32>();
    }
    Ok([("differing_bits", f64::from(differing))].into())
}
