// Points on the fine grid and the weights of their window. Appended to the constants of the geometry.
//
// Axes count from the fastest. A point touches WIDTH grid points per axis, from `firsts` on, periodic; all weights
// of an axis are polynomials of its position between two grid points.

// Coefficients by power, each for the WIDTH grid points of a window.
@group(0) @binding(0) var<storage, read> coefficients: array<real>;
// By axis, each for all points.
@group(0) @binding(1) var<storage, read> firsts: array<u32>;
@group(0) @binding(2) var<storage, read> withins: array<real>;

// Returns the weight of the t-th grid point of a window, by Horner's rule.
fn weight(t: u32, u: real) -> real {
    var sum = coefficients[DEGREE * WIDTH + t];
    for (var power = DEGREE; power > 0u; power--) {
        sum = sum * u + coefficients[(power - 1u) * WIDTH + t];
    }
    return sum;
}
