// Cropping of the fine grid to the modes and padding of the modes to the grid, both with deconvolution. Appended to
// the constants of the geometry.
//
// Modes are in the order −⌊N/2⌋ … ⌈N/2⌉ − 1; mode k is grid point k, negative ones counted from the end.

// Deconvolution factors: the modes of the fastest axis, then those of the next.
@group(0) @binding(0) var<storage, read> correction: array<real>;
@group(0) @binding(1) var<storage, read> input: array<complex>;
@group(0) @binding(2) var<storage, read_write> output: array<complex>;

fn factor(mode: vec3<u32>) -> real {
    var product = correction[mode.x];
    if DIMENSIONS > 1u {
        product *= correction[MODES_0 + mode.y];
    }
    if DIMENSIONS > 2u {
        product *= correction[MODES_0 + MODES_1 + mode.z];
    }
    return product;
}

fn on_grid(mode: u32, modes: u32, length: u32) -> u32 {
    let negative = modes / 2u;
    return select(length + mode - negative, mode - negative, mode >= negative);
}

// Returns the mode at a grid point, or `modes` if there is none.
fn on_modes(cell: u32, modes: u32, length: u32) -> u32 {
    let negative = modes / 2u;
    if cell < modes - negative {
        return cell + negative;
    }
    if cell >= length - negative {
        return cell - (length - negative);
    }
    return modes;
}

@compute @workgroup_size(THREADS)
fn crop(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = (group.y * groups.x + group.x) * THREADS + thread;
    if number >= arrayLength(&output) {
        return;
    }
    let mode = vec3(number % MODES_0, (number / MODES_0) % MODES_1, number / (MODES_0 * MODES_1));
    let x = on_grid(mode.x, MODES_0, GRID_0);
    let y = on_grid(mode.y, MODES_1, GRID_1);
    let z = on_grid(mode.z, MODES_2, GRID_2);
    output[number] = factor(mode) * input[(z * GRID_1 + y) * GRID_0 + x];
}

@compute @workgroup_size(THREADS)
fn pad(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let cell = (group.y * groups.x + group.x) * THREADS + thread;
    if cell >= arrayLength(&output) {
        return;
    }
    let mode = vec3(
        on_modes(cell % GRID_0, MODES_0, GRID_0),
        on_modes((cell / GRID_0) % GRID_1, MODES_1, GRID_1),
        on_modes(cell / (GRID_0 * GRID_1), MODES_2, GRID_2),
    );
    if all(mode < vec3(MODES_0, MODES_1, MODES_2)) {
        output[cell] = factor(mode) * input[(mode.z * MODES_1 + mode.y) * MODES_0 + mode.x];
    } else {
        output[cell] = complex();
    }
}
