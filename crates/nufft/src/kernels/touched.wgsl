// Grid points that a point touches, and its weights, for kernels with one thread per point. Appended to window.wgsl.

// Axes beyond the dimensions of the transform have one grid point, of weight one.
var<private> weights_0: array<real, WIDTH_0>;
var<private> weights_1: array<real, WIDTH_1>;
var<private> weights_2: array<real, WIDTH_2>;
var<private> corner: vec3<u32>;

fn visit(point: u32, points: u32) {
    corner.x = firsts[point];
    let u_0 = withins[point];
    for (var t = 0u; t < WIDTH_0; t++) {
        weights_0[t] = weight(t, u_0);
    }
    weights_1[0] = ONE;
    if DIMENSIONS > 1u {
        corner.y = firsts[points + point];
        let u_1 = withins[points + point];
        for (var t = 0u; t < WIDTH_1; t++) {
            weights_1[t] = weight(t, u_1);
        }
    }
    weights_2[0] = ONE;
    if DIMENSIONS > 2u {
        corner.z = firsts[2u * points + point];
        let u_2 = withins[2u * points + point];
        for (var t = 0u; t < WIDTH_2; t++) {
            weights_2[t] = weight(t, u_2);
        }
    }
}

fn wrapped(index: u32, length: u32) -> u32 {
    return select(index, index - length, index >= length);
}

// Returns the start of row (c, b) of the window on the grid.
fn row(c: u32, b: u32) -> u32 {
    return (wrapped(corner.z + c, GRID_2) * GRID_1 + wrapped(corner.y + b, GRID_1)) * GRID_0;
}
