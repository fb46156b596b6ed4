// Adds partial tiles to the grid, layer by layer. Appended to the constants of the geometry.

@group(0) @binding(0) var<storage, read> partials: array<complex>;
// Tile, index of its first partial tile, and their number.
@group(0) @binding(1) var<storage, read> layered: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> grid: array<complex>;

@compute @workgroup_size(THREADS)
fn collect(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group.y * groups.x + group.x;
    if number >= arrayLength(&layered) {
        return;
    }
    let tile = layered[number].x;
    let x = (tile % TILES_0) * TILE_0 + thread % TILE_0;
    let y = ((tile / TILES_0) % TILES_1) * TILE_1 + thread / TILE_0;
    if x >= GRID_0 || y >= GRID_1 {
        return;
    }
    let corner = (tile / (TILES_0 * TILES_1)) * TILE_2;
    let first = layered[number].y;
    for (var z = 0u; z < TILE_2 && corner + z < GRID_2; z++) {
        let cell = ((corner + z) * GRID_1 + y) * GRID_0 + x;
        var sum = grid[cell];
        for (var n = first; n < first + layered[number].z; n++) {
            sum += partials[(n * TILE_2 + z) * THREADS + thread];
        }
        grid[cell] = sum;
    }
}
