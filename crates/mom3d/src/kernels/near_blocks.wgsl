// Overwrites the quadrature blocks of near pairs by those of the CPU. Appended to triangles.wgsl.

@group(0) @binding(1) var<storage, read> near: array<Near>;
@group(0) @binding(2) var<storage, read_write> blocks: array<vec2<f32>>;

@compute @workgroup_size(THREADS)
fn near_blocks(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let at = (group.y * groups.x + group.x) * THREADS + thread;
    if at >= arrayLength(&near) {
        return;
    }
    let place = 9u * near[at].place;
    for (var n = 0u; n < 9u; n++) {
        blocks[place + n] = vec2<f32>(near[at].block[2u * n], near[at].block[2u * n + 1u]);
    }
}
