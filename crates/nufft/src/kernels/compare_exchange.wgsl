// Addition to a grid value on any device by a compare-exchange loop.

// Real and imaginary parts of the grid, as bit patterns.
@group(0) @binding(4) var<storage, read_write> parts: array<atomic<u32>>;

fn part_zero() -> u32 {
    return 0u;
}

fn add(part: u32, value: f32) {
    var seen = atomicLoad(&parts[part]);
    loop {
        let wanted = bitcast<u32>(bitcast<f32>(seen) + value);
        let outcome = atomicCompareExchangeWeak(&parts[part], seen, wanted);
        if outcome.exchanged {
            break;
        }
        seen = outcome.old_value;
    }
}
