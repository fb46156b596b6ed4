// What sources add to the rate of the stage just made, in a few elements.

// Numbers of an element: six times its nodes.
override NUMBERS: u32;

struct Addition {
    // Numbers added in all.
    count: u32,
    dt: f32,
    // Of the rate in the fields.
    weight: f32,
}

@group(0) @binding(0) var<uniform> addition: Addition;
@group(0) @binding(1) var<storage, read_write> fields: array<f32>;
@group(0) @binding(2) var<storage, read_write> registers: array<f32>;
@group(0) @binding(3) var<storage, read> elements: array<u32>;
// [place among the elements][component][node].
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
