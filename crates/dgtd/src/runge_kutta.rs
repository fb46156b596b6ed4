//! Low-storage Runge–Kutta method LSRK4(5): two registers, five stages, fourth order.
//!
//! M. H. Carpenter, C. A. Kennedy, NASA TM-109112 (1994), solution 3.

/// Coefficients A of the register at each stage.
pub const A: [f64; 5] = [
    0.0,
    -567_301_805_773.0 / 1_357_537_059_087.0,
    -2_404_267_990_393.0 / 2_016_746_695_238.0,
    -3_550_918_686_646.0 / 2_091_501_179_385.0,
    -1_275_806_237_668.0 / 842_570_457_699.0,
];

/// Coefficients B of the register in the solution at each stage.
pub const B: [f64; 5] = [
    1_432_997_174_477.0 / 9_575_080_441_755.0,
    5_161_836_677_717.0 / 13_612_068_292_357.0,
    1_720_146_321_549.0 / 2_090_206_949_498.0,
    3_134_564_353_537.0 / 4_481_467_310_338.0,
    2_277_821_191_437.0 / 14_882_151_754_819.0,
];

/// Times C of the stages, relative to the time step.
pub const C: [f64; 5] = [
    0.0,
    1_432_997_174_477.0 / 9_575_080_441_755.0,
    2_526_269_341_429.0 / 6_820_363_962_896.0,
    2_006_345_519_317.0 / 3_224_310_063_776.0,
    2_802_321_613_138.0 / 2_924_317_926_251.0,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_of_fourth_order() {
        // y' = −y + sin t, y(0) = 1.
        let error = |steps: usize| {
            let dt = 2.0 / steps as f64;
            let (mut y, mut register) = (1.0, 0.0);
            for step in 0..steps {
                for stage in 0..5 {
                    let t = (step as f64 + C[stage]) * dt;
                    register = A[stage] * register + dt * (t.sin() - y);
                    y += B[stage] * register;
                }
            }
            let exact = 1.5 * (-2f64).exp() + 0.5 * (2f64.sin() - 2f64.cos());
            (y - exact).abs()
        };
        let order = (error(20) / error(40)).log2();
        assert!((3.8..4.3).contains(&order), "{order}");
    }
}
