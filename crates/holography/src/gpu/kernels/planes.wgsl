// From the angular spectra of holograms to those of the fields in another plane, and from padded fields to those at the
// microphones. Appended to the definition of the type `complex`.

// Fields of a hologram: pressure and three components of velocity.
const FIELDS: u32 = 4u;

// Points of the padded grid.
override POINTS: u32;
// Columns of the padded grid, rows and columns of the array, row and column at which the array begins.
override GRID_COLUMNS: u32;
override ROWS: u32;
override COLUMNS: u32;
override TOP: u32;
override LEFT: u32;

// [hologram][point].
@group(0) @binding(0) var<storage, read> spectra: array<complex>;
// [hologram][field][point]: filter, propagator, and factor from pressure to this field.
@group(0) @binding(1) var<storage, read> factors: array<complex>;
// [hologram][field][point].
@group(0) @binding(2) var<storage, read_write> waves: array<complex>;
// [hologram][field][channel].
@group(0) @binding(3) var<storage, read_write> fields: array<complex>;

@compute @workgroup_size(64)
fn propagate(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let i = (group.y * groups.x + group.x) * 64u + thread;
    if i >= arrayLength(&waves) {
        return;
    }
    let wave = spectra[i / (FIELDS * POINTS) * POINTS + i % POINTS];
    let factor = factors[i];
    waves[i] = complex(
        wave.x * factor.x - wave.y * factor.y,
        wave.x * factor.y + wave.y * factor.x,
    );
}

@compute @workgroup_size(64)
fn crop(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let i = (group.y * groups.x + group.x) * 64u + thread;
    if i >= arrayLength(&fields) {
        return;
    }
    let channels = ROWS * COLUMNS;
    let channel = i % channels;
    let row = TOP + channel / COLUMNS;
    let column = LEFT + channel % COLUMNS;
    fields[i] = waves[i / channels * POINTS + row * GRID_COLUMNS + column];
}
