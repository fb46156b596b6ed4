//! Measures the time of an LU decomposition: `lu_rate ORDER THREADS` prints seconds as JSON, with the
//! backward error of a solution, ‖A·x − b‖∞ / (ε N ‖A‖∞ ‖x‖∞).

use std::time::Instant;

use num_complex::Complex64;
use wavefield_numerics::cpu::CpuPool;
use wavefield_numerics::dense::{Lu, Matrix};
use wavefield_numerics::observe::Silent;

/// Returns pseudorandom numbers in (−½, ½)².
fn noise(i: usize, j: usize) -> Complex64 {
    let mut state = ((i as u64) << 32 | j as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    Complex64::new(next(), next())
}

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let numbers: Vec<usize> = std::env::args()
        .skip(1)
        .map(|text| text.parse())
        .collect::<Result<_, _>>()?;
    let [order, threads] = numbers[..] else {
        return Err("usage: lu_rate ORDER THREADS".into());
    };
    CpuPool::new(Some(threads))?.install(|| {
        let filling = Instant::now();
        let matrix = Matrix::from_fn(order, order, noise);
        let fill = filling.elapsed().as_secs_f64();
        let factoring = Instant::now();
        let lu = Lu::factor(matrix, &Silent)?;
        let seconds = factoring.elapsed().as_secs_f64();
        let mut x: Vec<Complex64> = (0..order).map(|i| noise(i, order)).collect();
        lu.solve_in_place(&mut x);
        let (mut residual, mut norm) = (0.0_f64, 0.0_f64);
        for i in 0..order {
            let mut sum = -noise(i, order);
            let mut size = 0.0;
            for (j, x) in x.iter().enumerate() {
                sum += noise(i, j) * x;
                size += noise(i, j).norm();
            }
            residual = residual.max(sum.norm());
            norm = norm.max(size);
        }
        let largest = x.iter().map(|z| z.norm()).fold(0.0, f64::max);
        let error = residual / (f64::EPSILON * order as f64 * norm * largest);
        println!(
            "{{\"n\": {order}, \"threads\": {threads}, \"seconds\": {seconds}, \"fill\": {fill}, \
             \"backward_error\": {error:e}}}"
        );
        Ok(())
    })
}
