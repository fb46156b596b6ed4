// Matrix entries: sums over the blocks of the two triangles of both functions. Appended to triangles.wgsl.

@group(0) @binding(1) var<storage, read> rows: array<array<Share, 2>>;
@group(0) @binding(2) var<storage, read> columns: array<array<Share, 2>>;
@group(0) @binding(3) var<storage, read> blocks: array<vec2<f32>>;
@group(0) @binding(4) var<storage, read_write> slab: array<vec2<f32>>;

@compute @workgroup_size(THREADS)
fn gather(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let tiles = (task.size + THREADS - 1u) / THREADS;
    let tile = group.y * groups.x + group.x;
    let row = tile % tiles * THREADS + thread;
    let column = tile / tiles;
    if row >= task.size || column >= task.columns {
        return;
    }
    var sum = vec2<f32>();
    for (var b = 0u; b < 2u; b++) {
        let source = columns[column][b];
        for (var a = 0u; a < 2u; a++) {
            let test = rows[row][a];
            let place = (source.triangle * task.triangles + test.triangle) * 9u + 3u * test.corner + source.corner;
            sum += test.weight * source.weight * blocks[place];
        }
    }
    slab[(task.first + column) * task.size + row] = sum;
}
