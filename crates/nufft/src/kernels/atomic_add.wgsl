// Addition to a grid value by native atomics.

// Real and imaginary parts of the grid.
@group(0) @binding(4) var<storage, read_write> parts: array<atomic<f32>>;

fn part_zero() -> f32 {
    return 0.0;
}

fn add(part: u32, value: f32) {
    atomicAdd(&parts[part], value);
}
