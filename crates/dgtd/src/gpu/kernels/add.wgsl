// Adds source terms of a few elements to the fields and registers after a stage.

// Numbers per element: six times its nodes.
override NUMBERS: u32;

struct Addition {
    // Total number of values.
    count: u32,
    dt: f32,
    // Weight of the rate in the fields.
    weight: f32,
}

@group(0) @binding(0) var<uniform> addition: Addition;
@group(0) @binding(1) var<storage, read_write> fields: array<f32>;
@group(0) @binding(2) var<storage, read_write> registers: array<f32>;
@group(0) @binding(3) var<storage, read> elements: array<u32>;
// [index among the elements][component][node].
@group(0) @binding(4) var<storage, read> rates: array<f32>;

@compute @workgroup_size(64)
fn add(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let i = (group.y * groups.x + group.x) * 64u + thread;
    if i >= addition.count {
        return;
    }
    let at = elements[i / NUMBERS] * NUMBERS + i % NUMBERS;
    registers[at] += addition.dt * rates[i];
    fields[at] += addition.weight * rates[i];
}
