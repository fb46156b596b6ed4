// Interpolation, the transpose of spreading: values of the grid at the points. One thread per point, in sorted
// order, so that adjacent threads read adjacent grid points. Appended to touched.wgsl.

// Index in the caller's order of every sorted point.
@group(0) @binding(3) var<storage, read> order: array<u32>;
@group(0) @binding(4) var<storage, read> grid: array<complex>;
@group(0) @binding(5) var<storage, read_write> values: array<complex>;

@compute @workgroup_size(THREADS)
fn interpolate(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let point = (group.y * groups.x + group.x) * THREADS + thread;
    if point >= arrayLength(&order) {
        return;
    }
    visit(point, arrayLength(&order));
    var sum = complex();
    for (var c = 0u; c < WIDTH_2; c++) {
        for (var b = 0u; b < WIDTH_1; b++) {
            let start = row(c, b);
            var of_row = complex();
            for (var a = 0u; a < WIDTH_0; a++) {
                of_row += weights_0[a] * grid[start + wrapped(corner.x + a, GRID_0)];
            }
            sum += (weights_1[b] * weights_2[c]) * of_row;
        }
    }
    values[order[point]] = sum;
}
