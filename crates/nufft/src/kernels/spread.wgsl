// Spreading without atomics: every grid point gathers from the points that touch it. Appended to window.wgsl.
//
// A workgroup owns a tile of the grid, and a thread a column of it along the slowest axis. Points are sorted by the
// tile of the first grid point they touch, so those that touch a tile are in a few tiles at and before it. They are
// staged in workgroup memory in batches, each with its weights, and every thread adds the contributions to its own
// column in the order of the list: a single writer per value and a fixed order of addition, independent of scheduling.
//
// A workgroup processes one layer of at most LAYER points of a tile; further layers of crowded tiles are gathered into
// partial tiles and added by `collect`.

@group(0) @binding(3) var<storage, read> strengths: array<complex>;
// Index of the first point of every tile, and the number of points.
@group(0) @binding(4) var<storage, read> starts: array<u32>;
// For every tile along every axis: the first tile whose points reach it, and the number of such tiles.
@group(0) @binding(5) var<storage, read> reach: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read_write> output: array<complex>;
// Tile and layer of each workgroup.
@group(0) @binding(7) var<storage, read> items: array<vec2<u32>>;

// First point of each list that reaches the tile; number of points in the lists before it; total number.
var<workgroup> list_first: array<u32, LISTS>;
var<workgroup> list_before: array<u32, LISTS>;
var<workgroup> list_total: u32;

// MISSING for a point of the lists that does not touch the tile.
const MISSING: u32 = 0xffffffffu;
var<workgroup> batch_point: array<u32, BATCH>;
var<workgroup> batch_first: array<vec3<u32>, BATCH>;
var<workgroup> batch_strength: array<complex, BATCH>;
var<workgroup> batch_weights: array<real, BATCH_WEIGHTS>;

// Sums of the thread's column.
var<private> sums: array<complex, TILE_2>;

fn tile_along_axes(tile: u32) -> vec3<u32> {
    return vec3(tile % TILES_0, (tile / TILES_0) % TILES_1, tile / (TILES_0 * TILES_1));
}

// Returns the start of a thread's column; past the end of an axis in the last tile.
fn column(tile: u32, thread: u32) -> vec3<u32> {
    let within = vec3(thread % TILE_0, thread / TILE_0, 0u);
    return tile_along_axes(tile) * vec3(TILE_0, TILE_1, TILE_2) + within;
}

// Returns the index of a grid point in the window that starts at `first`, periodic; WIDTH or more if outside.
fn place(cell: u32, first: u32, length: u32) -> u32 {
    return select(cell + length - first, cell - first, cell >= first);
}

// Returns whether a window overlaps the tile, axis by axis: it covers the tile's first grid point, or starts in the
// tile.
fn touches(first: vec3<u32>, corner: vec3<u32>) -> vec3<bool> {
    return vec3(
        place(corner.x, first.x, GRID_0) < WIDTH_0 || place(first.x, corner.x, GRID_0) < TILE_0,
        place(corner.y, first.y, GRID_1) < WIDTH_1 || place(first.y, corner.y, GRID_1) < TILE_1,
        place(corner.z, first.z, GRID_2) < WIDTH_2 || place(first.z, corner.z, GRID_2) < TILE_2,
    );
}

fn find_lists(tile: u32, layer: u32, thread: u32) {
    let along = tile_along_axes(tile);
    let x = reach[along.x];
    let y = reach[TILES_0 + along.y];
    let z = reach[TILES_0 + TILES_1 + along.z];
    let lists = x.y * y.y * z.y;
    for (var n = thread; n < lists; n += THREADS) {
        let a = (x.x + n % x.y) % TILES_0;
        let b = (y.x + (n / x.y) % y.y) % TILES_1;
        let c = (z.x + n / (x.y * y.y)) % TILES_2;
        let source = (c * TILES_1 + b) * TILES_0 + a;
        let end = starts[source + 1u];
        let first = min(starts[source] + layer * LAYER, end);
        list_first[n] = first;
        list_before[n] = min(end - first, LAYER);
    }
    workgroupBarrier();
    if thread == 0u {
        var before = 0u;
        for (var n = 0u; n < lists; n++) {
            let count = list_before[n];
            list_before[n] = before;
            before += count;
        }
        for (var n = lists; n < LISTS; n++) {
            list_before[n] = before;
        }
        list_total = before;
    }
}

// Returns the point with this index in the concatenated lists: in the last list that starts at or before it.
fn listed(number: u32) -> u32 {
    var list = 0u;
    var beyond = LISTS;
    while beyond - list > 1u {
        let middle = (list + beyond) / 2u;
        if list_before[middle] <= number {
            list = middle;
        } else {
            beyond = middle;
        }
    }
    return list_first[list] + number - list_before[list];
}

fn gather(tile: u32, layer: u32, thread: u32) {
    find_lists(tile, layer, thread);
    let total = workgroupUniformLoad(&list_total);
    let points = arrayLength(&strengths);
    let corner = column(tile, 0u);
    let cell = column(tile, thread);
    for (var done = 0u; done < total; done += BATCH) {
        let count = min(BATCH, total - done);
        for (var n = thread; n < count; n += THREADS) {
            let point = listed(done + n);
            var first = vec3(0u);
            first.x = firsts[point];
            if DIMENSIONS > 1u {
                first.y = firsts[points + point];
            }
            if DIMENSIONS > 2u {
                first.z = firsts[2u * points + point];
            }
            batch_point[n] = select(MISSING, point, all(touches(first, corner)));
            batch_first[n] = first;
            batch_strength[n] = strengths[point];
        }
        workgroupBarrier();
        for (var n = thread; n < count * DIMENSIONS * WIDTH; n += THREADS) {
            let axis = (n / WIDTH) % DIMENSIONS;
            let point = batch_point[n / (WIDTH * DIMENSIONS)];
            if point != MISSING {
                batch_weights[n] = weight(n % WIDTH, withins[axis * points + point]);
            }
        }
        workgroupBarrier();
        for (var n = 0u; n < count; n++) {
            if batch_point[n] == MISSING {
                continue;
            }
            let first = batch_first[n];
            let own = n * DIMENSIONS * WIDTH;
            let a = place(cell.x, first.x, GRID_0);
            let b = place(cell.y, first.y, GRID_1);
            if a >= WIDTH_0 || b >= WIDTH_1 {
                continue;
            }
            var value = batch_weights[own + a] * batch_strength[n];
            if DIMENSIONS > 1u {
                value *= batch_weights[own + WIDTH + b];
            }
            if DIMENSIONS < 3u {
                sums[0] += value;
                continue;
            }
            for (var z = 0u; z < TILE_2; z++) {
                let c = place(cell.z + z, first.z, GRID_2);
                if c < WIDTH {
                    sums[z] += batch_weights[own + 2u * WIDTH + c] * value;
                }
            }
        }
        workgroupBarrier();
    }
}

// Writes the first layer of every tile to the grid.
@compute @workgroup_size(THREADS)
fn spread(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let tile = group.y * groups.x + group.x;
    if tile >= TILES_0 * TILES_1 * TILES_2 {
        return;
    }
    gather(tile, 0u, thread);
    let cell = column(tile, thread);
    if cell.x >= GRID_0 || cell.y >= GRID_1 {
        return;
    }
    for (var z = 0u; z < TILE_2 && cell.z + z < GRID_2; z++) {
        output[((cell.z + z) * GRID_1 + cell.y) * GRID_0 + cell.x] = sums[z];
    }
}

// Gathers further layers into partial tiles.
@compute @workgroup_size(THREADS)
fn spread_layer(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group.y * groups.x + group.x;
    if number >= arrayLength(&items) {
        return;
    }
    let item = items[number];
    gather(item.x, item.y, thread);
    for (var z = 0u; z < TILE_2; z++) {
        output[(number * TILE_2 + z) * THREADS + thread] = sums[z];
    }
}
