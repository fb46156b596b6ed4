// Spreading with atomics: one thread per point adds to every grid point it touches, in arbitrary order. Appended
// to touched.wgsl and to atomic_add.wgsl or compare_exchange.wgsl, which define the addition.

@group(0) @binding(3) var<storage, read> strengths: array<complex>;

@compute @workgroup_size(THREADS)
fn clear(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let part = (group.y * groups.x + group.x) * THREADS + thread;
    if part < arrayLength(&parts) {
        atomicStore(&parts[part], part_zero());
    }
}

@compute @workgroup_size(THREADS)
fn spread_atomic(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let point = (group.y * groups.x + group.x) * THREADS + thread;
    if point >= arrayLength(&strengths) {
        return;
    }
    visit(point, arrayLength(&strengths));
    for (var c = 0u; c < WIDTH_2; c++) {
        for (var b = 0u; b < WIDTH_1; b++) {
            let start = row(c, b);
            let of_row = (weights_1[b] * weights_2[c]) * strengths[point];
            for (var a = 0u; a < WIDTH_0; a++) {
                let cell = start + wrapped(corner.x + a, GRID_0);
                add(2u * cell, weights_0[a] * of_row.x);
                add(2u * cell + 1u, weights_0[a] * of_row.y);
            }
        }
    }
}
