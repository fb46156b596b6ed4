//! Cases `nufft/*`: nonuniform FFTs compared with direct sums.

mod accuracy;
mod bits;
mod gpu;
mod sample;
mod type3;

use num_complex::Complex64;
use wavefield_gpu::DeviceChoice;
use wavefield_nufft::{NufftError, Options, Plan, Sign, Window, direct};

use super::{noise, open_gpu, relative_error};
use crate::measure::{Case, Limit, Measured};
use wavefield::Error;
use wavefield::device;
use wavefield::numerics::worst::Worst;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case::new(
            "nufft/accuracy",
            "NUFFT types 1 to 3 in 1 to 3 dimensions, all precisions and tolerances, compared with direct sums on difficult point sets",
            accuracy::measure,
        )
        .limits([
            ("worst_error_over_eps", Limit::AtMost(1.0)),
            ("adjoint_error", Limit::AtMost(1e-13)),
            ("gradient_error", Limit::AtMost(10.0 * accuracy::TIGHTEST)),
            ("gradient_error_over_eps", Limit::AtMost(10.0)),
            ("type3_error_over_eps", Limit::AtMost(1.0)),
            ("differing_bits", Limit::AtMost(0.0)),
        ]),
        Case::new(
            "nufft/gpu",
            "NUFFT types 1 to 3 on the GPU in f32 compared with direct sums, both spreading kernels",
            gpu::single,
        )
        .limits([
            ("error", Limit::AtMost(1e-5)),
            ("type3_error", Limit::AtMost(1e-5)),
        ]),
        Case::new(
            "nufft/gpu-f64",
            "NUFFT types 1 to 3 on the GPU in f64 compared with direct sums, if the adapter supports f64",
            gpu::double,
        )
        .limits([
            ("error", Limit::AtMost(1e-11)),
            ("type3_error", Limit::AtMost(1e-11)),
        ]),
        Case::new(
            "nufft/kaiser-bessel",
            "Kaiser–Bessel kernel with upsampling c = 2 and width K = 6 compared with direct sums, arrays of 10² to 100²",
            seed,
        )
        .limits([
            ("seed_ned_rms_percent", Limit::AtMost(1e-8)),
            ("seed_ner_rms_percent", Limit::AtMost(1e-8)),
        ]),
    ]
}

fn failed(error: NufftError) -> Error {
    match error {
        NufftError::Fft(wavefield_gpu::fft::FftError::Device(error))
        | NufftError::Device(error) => Error::from(error),
        other => Error::runtime(other.to_string()),
    }
}

/// M² points uniform in (−M/2, M/2)², M² modes, strengths with parts uniform in (0, 1): relative rms error of NED (type
/// 1) and NER (type 2) in percent.
fn seed() -> Result<Measured, Error> {
    let cpu = device::open(&DeviceChoice::Cpu, None)?;
    let options = Options {
        sign: Sign::Minus,
        window: Window::KaiserBessel,
        ..Options::default()
    };
    let (mut ned, mut ner) = (Worst::default(), Worst::default());
    for m in (10..=100).step_by(10) {
        let count = m * m;
        let coordinate = |axis: usize| -> Vec<f64> {
            (0..count)
                .map(|i| 2.0 * std::f64::consts::PI * noise(4 * i + axis))
                .collect()
        };
        let (x, y) = (coordinate(0), coordinate(1));
        let z: Vec<Complex64> = (0..count)
            .map(|i| Complex64::new(noise(4 * i + 2) + 0.5, noise(4 * i + 3) + 0.5))
            .collect();
        let mut plan = Plan::new(&cpu, &[m, m], &options).map_err(failed)?;
        plan.set_points(&[&x, &y]).map_err(failed)?;
        let (mut modes, mut values) = (z.clone(), z.clone());
        plan.type1(&z, &mut modes).map_err(failed)?;
        plan.type2(&z, &mut values).map_err(failed)?;
        let axes: [&[f64]; 2] = [&x, &y];
        ned.see(percent(
            &modes,
            &direct::type1(&[m, m], &axes, &z, Sign::Minus),
        ));
        ner.see(percent(
            &values,
            &direct::type2(&[m, m], &axes, &z, Sign::Minus),
        ));
    }
    Ok([
        ("seed_ned_rms_percent", ned.value()),
        ("seed_ner_rms_percent", ner.value()),
    ]
    .into())
}

/// Returns the relative error in percent.
fn percent(got: &[Complex64], want: &[Complex64]) -> f64 {
    100.0 * relative_error(got.iter().copied(), want)
}
