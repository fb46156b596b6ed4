// Gathers the fields at some nodes for readback to the CPU.

override NODES: u32;

struct Request {
    // Number of nodes.
    count: u32,
}

@group(0) @binding(0) var<uniform> request: Request;
@group(0) @binding(1) var<storage, read> fields: array<f32>;
// Index of the first component of each node.
@group(0) @binding(2) var<storage, read> places: array<u32>;
// [node][component].
@group(0) @binding(3) var<storage, read_write> found: array<f32>;

@compute @workgroup_size(64)
fn gather(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let i = (group.y * groups.x + group.x) * 64u + thread;
    if i >= 6u * request.count {
        return;
    }
    found[i] = fields[places[i / 6u] + i % 6u * NODES];
}
