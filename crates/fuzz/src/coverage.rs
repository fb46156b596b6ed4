//! Invariants of every coverage.

use wavefield_reflectarray::coverage::{Coverage, Outline};

/// Maximum displacement of a point by the grid of the set operations.
const ROUNDING: f64 = 1e-6;

/// Panics unless a coverage has an area and is within the unit circle of direction cosines.
pub(crate) fn assert_sound(coverage: &Coverage) {
    assert!(coverage.area() > 0.0 && coverage.area() < 3.2);
    assert!((0.0..=1.0).contains(&coverage.hidden_fraction()));
    let [low, high] = coverage.bounds();
    for point in coverage
        .outlines()
        .iter()
        .flat_map(Outline::rings)
        .flatten()
    {
        assert!(point[0].hypot(point[1]) <= 1.0 + ROUNDING);
        assert!((0..2).all(|axis| (low[axis]..=high[axis]).contains(&point[axis])));
    }
    let [u, v] = coverage.centroid();
    assert!(u.hypot(v) <= 1.0 + ROUNDING);
    assert!(coverage.solid_angle().is_finite());
}
