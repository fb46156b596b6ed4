//! Fields of point sources of one box at the points of another, and tests of them, in single precision.

use super::dispatch;

/// Points of a box.
pub(crate) const BOX: usize = 64;
/// Weights of the points of a box.
pub(crate) type BoxWeights = [f32; BOX];

/// Real and imaginary parts of the kernel from each point of the source to all points of the test.
pub(crate) type BoxTable = [[BoxWeights; 2]; BOX];

dispatch! {
    /// Writes, for each of four sets of source weights, the field at the points of the test's box, and its products with
    /// sets of test weights: `products[set][test]`, real and imaginary parts.
    pub(crate) fn box_products(
        table: &BoxTable,
        sources: &[BoxWeights; 4],
        tests: &[&BoxWeights],
        products: &mut [Vec<[f32; 2]>; 4],
    ) = all
}

#[inline(always)]
fn all<const FUSED: bool>(
    table: &BoxTable,
    sources: &[BoxWeights; 4],
    tests: &[&BoxWeights],
    products: &mut [Vec<[f32; 2]>; 4],
) {
    let mul_add = |a: f32, b: f32, c: f32| if FUSED { a.mul_add(b, c) } else { a * b + c };
    for (weights, products) in sources.iter().zip(products) {
        let mut field = [[0.0_f32; BOX]; 2];
        for (kernel, &weight) in table.iter().zip(weights) {
            for part in 0..2 {
                for at in 0..BOX {
                    field[part][at] = mul_add(weight, kernel[part][at], field[part][at]);
                }
            }
        }
        products.clear();
        for test in tests {
            let mut sums = [[0.0_f32; 16]; 2];
            for part in 0..2 {
                for first in (0..BOX).step_by(16) {
                    for lane in 0..16 {
                        sums[part][lane] = mul_add(
                            test[first + lane],
                            field[part][first + lane],
                            sums[part][lane],
                        );
                    }
                }
            }
            products.push(sums.map(|lanes| lanes.iter().sum()));
        }
    }
}
