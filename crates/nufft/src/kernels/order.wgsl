// Permutes strengths from the caller's order to sorted order. Appended to the constants of the geometry.

// Index in the caller's order of every sorted point.
@group(0) @binding(0) var<storage, read> order: array<u32>;
@group(0) @binding(1) var<storage, read> given: array<complex>;
@group(0) @binding(2) var<storage, read_write> sorted: array<complex>;

@compute @workgroup_size(THREADS)
fn sort_strengths(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let point = (group.y * groups.x + group.x) * THREADS + thread;
    if point < arrayLength(&order) {
        sorted[point] = given[order[point]];
    }
}
