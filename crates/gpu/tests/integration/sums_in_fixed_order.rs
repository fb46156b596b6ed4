//! The fixed-tree sum of the GPU compared with that of the CPU.

use wavefield_gpu::{Buffer, FixedSum, Gpu};
use wavefield_numerics::sum;

/// Returns multiples of 2⁻³⁰.
fn numerator(index: usize) -> i64 {
    let mixed = (index as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 34) as i64
}

const UNIT: f64 = 1.0 / (1_u64 << 30) as f64;

#[test]
fn the_gpu_adds_in_the_same_order() {
    let gpu = Gpu::open(None).expect("GPU tests do not skip: install mesa-vulkan-drivers");
    let adder = FixedSum::new(&gpu).unwrap();
    for count in [0, 1, 1023, 1025, 70_001, 3_000_000] {
        let values: Vec<f32> = (0..count)
            .map(|index| (numerator(index) as f64 * UNIT) as f32 - 0.4)
            .collect();
        let found = adder
            .sum(&Buffer::from_slice(&gpu, &values).unwrap())
            .unwrap();
        let exact = sum::sum(&values);
        if gpu.accuracy().unwrap().add.promised() {
            // Correctly rounded additions in identical order leave no room for a difference.
            assert_eq!(found.to_bits(), exact.to_bits(), "{count} terms");
        } else {
            // Twice the bound of 141 half units of either sum, for terms below one.
            assert!((found - exact).abs() <= 141.0 * f32::EPSILON * count as f32);
        }
    }
}
