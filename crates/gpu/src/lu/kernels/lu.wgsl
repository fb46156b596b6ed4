// Blocked LU decomposition with partial pivoting, and solutions. Appended to real_f32.wgsl or real_f64.wgsl.
//
// A matrix is stored as slabs of whole columns in column-major order; right-hand sides are one more slab on the right.
// BLOCK columns at a time are copied to the panel, factored there, and copied back; in every slab the rows are then
// interchanged, the block row is solved, and the rest is updated (J. J. Dongarra et al., Solving Linear Systems on
// Vector and Shared Memory Computers, §5.4: the right-looking algorithm). Columns to the left of a panel keep the row
// order in which they were factored, so right-hand sides are interchanged panel by panel as well. All sums have a fixed
// order, so results are bitwise identical on every run.

override BLOCK: u32 = 32u;

struct Task {
    // Rows of the matrix.
    size: u32,
    // First column of the panel, and its number of columns, at most BLOCK.
    first: u32,
    width: u32,
    // First column of the slab in the matrix, and its number of columns.
    slab_first: u32,
    slab_columns: u32,
    // Columns of the slab and rows that an update changes.
    column_from: u32,
    row_from: u32,
    row_to: u32,
}

@group(0) @binding(0) var<uniform> task: Task;
// All rows of the columns of the panel.
@group(0) @binding(1) var<storage, read_write> panel: array<complex>;
@group(0) @binding(2) var<storage, read_write> slab: array<complex>;
// Row interchanges, then pivot magnitudes, then column sums of moduli; the latter two as bit patterns.
@group(0) @binding(3) var<storage, read_write> pivots: array<u32>;

fn multiplied(a: complex, b: complex) -> complex {
    return complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// a/b without squares of b, which would overflow or underflow early (R. L. Smith, Commun. ACM 5 (1962) 435).
fn divided(a: complex, b: complex) -> complex {
    if abs(b.x) >= abs(b.y) {
        let ratio = b.y / b.x;
        let whole = b.x + b.y * ratio;
        return complex((a.x + a.y * ratio) / whole, (a.y - a.x * ratio) / whole);
    }
    let ratio = b.x / b.y;
    let whole = b.x * ratio + b.y;
    return complex((a.x * ratio + a.y) / whole, (a.y * ratio - a.x) / whole);
}

fn number(group: vec3<u32>, groups: vec3<u32>) -> u32 {
    return group.y * groups.x + group.x;
}

const COPIED: u32 = 64u;

// Copies columns of the slab to the panel.
@compute @workgroup_size(COPIED)
fn take(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let at = number(group, groups) * COPIED + thread;
    if at < task.size * task.width {
        panel[at] = slab[(task.first - task.slab_first) * task.size + at];
    }
}

// Copies the panel back to the slab.
@compute @workgroup_size(COPIED)
fn give(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let at = number(group, groups) * COPIED + thread;
    if at < task.size * task.width {
        slab[(task.first - task.slab_first) * task.size + at] = panel[at];
    }
}

const SEARCHERS: u32 = 256u;

var<workgroup> largest: array<real, SEARCHERS>;
var<workgroup> places: array<u32, SEARCHERS>;
var<workgroup> pivot_row: array<complex, BLOCK>;

// Factors the panel below the diagonal, in one workgroup. The pivot is the entry with the largest |re| + |im|, the
// uppermost of equals.
@compute @workgroup_size(SEARCHERS)
fn factor(@builtin(local_invocation_index) thread: u32) {
    for (var j = 0u; j < task.width; j++) {
        let diagonal = task.first + j;
        let column = j * task.size;
        var best = -ONE;
        var place = diagonal;
        for (var row = diagonal + thread; row < task.size; row += SEARCHERS) {
            let value = panel[column + row];
            let size = abs(value.x) + abs(value.y);
            if size > best {
                best = size;
                place = row;
            }
        }
        largest[thread] = best;
        places[thread] = place;
        workgroupBarrier();
        for (var half = SEARCHERS / 2u; half > 0u; half /= 2u) {
            if thread < half {
                let other = largest[thread + half];
                let there = places[thread + half];
                if other > largest[thread] || (other == largest[thread] && there < places[thread]) {
                    largest[thread] = other;
                    places[thread] = there;
                }
            }
            workgroupBarrier();
        }
        let found = places[0];
        let size = largest[0];
        if thread == 0u {
            pivots[diagonal] = found;
            pivots[task.size + diagonal] = bitcast<u32>(f32(size));
        }
        for (var c = thread; c < task.width; c += SEARCHERS) {
            let upper = panel[c * task.size + diagonal];
            let lower = panel[c * task.size + found];
            panel[c * task.size + diagonal] = lower;
            panel[c * task.size + found] = upper;
            pivot_row[c] = lower;
        }
        storageBarrier();
        workgroupBarrier();
        let pivot = pivot_row[j];
        if size > real() {
            for (var row = diagonal + 1u + thread; row < task.size; row += SEARCHERS) {
                let multiple = divided(panel[column + row], pivot);
                panel[column + row] = multiple;
                for (var c = j + 1u; c < task.width; c++) {
                    panel[c * task.size + row] -= multiplied(multiple, pivot_row[c]);
                }
            }
        }
        storageBarrier();
        workgroupBarrier();
    }
}

const COLUMNS: u32 = 32u;

var<workgroup> block: array<complex, COLUMNS * BLOCK>;

// Applies the row interchanges of the panel to all columns on its right, and solves for their block row with the unit
// lower triangle of the panel.
@compute @workgroup_size(COLUMNS)
fn forward(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let column = number(group, groups) * COLUMNS + thread;
    let whole = task.slab_first + column;
    if column >= task.slab_columns || whole < task.first + task.width {
        return;
    }
    let start = column * task.size;
    for (var i = 0u; i < task.width; i++) {
        let other = pivots[task.first + i];
        let value = slab[start + other];
        slab[start + other] = slab[start + task.first + i];
        slab[start + task.first + i] = value;
    }
    for (var i = 0u; i < task.width; i++) {
        var value = slab[start + task.first + i];
        for (var j = 0u; j < i; j++) {
            value -= multiplied(panel[j * task.size + task.first + i], block[j * COLUMNS + thread]);
        }
        block[i * COLUMNS + thread] = value;
        slab[start + task.first + i] = value;
    }
}

// Solves with the upper triangle of the panel for the block row of right-hand sides.
@compute @workgroup_size(COLUMNS)
fn backward(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let column = number(group, groups) * COLUMNS + thread;
    if column >= task.slab_columns {
        return;
    }
    let start = column * task.size;
    for (var above = task.width; above > 0u; above--) {
        let i = above - 1u;
        var value = slab[start + task.first + i];
        for (var j = i + 1u; j < task.width; j++) {
            value -= multiplied(panel[j * task.size + task.first + i], block[j * COLUMNS + thread]);
        }
        value = divided(value, panel[i * task.size + task.first + i]);
        block[i * COLUMNS + thread] = value;
        slab[start + task.first + i] = value;
    }
}

const TILE: u32 = 64u;
const THREADS: u32 = 16u;
const DEPTH: u32 = 8u;

var<workgroup> left: array<complex, TILE * DEPTH>;
var<workgroup> right: array<complex, TILE * DEPTH>;

// Subtracts a thread's four rows of one column of a product from the slab.
fn take_off(row: u32, column: u32, re: vec4<real>, im: vec4<real>) {
    if column >= task.slab_columns {
        return;
    }
    let start = column * task.size;
    if row < task.row_to {
        slab[start + row] -= complex(re.x, im.x);
    }
    if row + THREADS < task.row_to {
        slab[start + row + THREADS] -= complex(re.y, im.y);
    }
    if row + 2u * THREADS < task.row_to {
        slab[start + row + 2u * THREADS] -= complex(re.z, im.z);
    }
    if row + 3u * THREADS < task.row_to {
        slab[start + row + 3u * THREADS] -= complex(re.w, im.w);
    }
}

// Subtracts the product of the panel and the block row from rows `row_from` to `row_to` of the slab, in tiles. A thread
// computes four rows, as vector components, by four columns, written out, because loops over them would not be
// unrolled.
@compute @workgroup_size(THREADS, THREADS)
fn update(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_id) thread: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
) {
    let tiles = (task.row_to - task.row_from + TILE - 1u) / TILE;
    let tile = number(group, groups);
    let row = task.row_from + tile % tiles * TILE;
    let column = task.column_from + tile / tiles * TILE;
    var re_0 = vec4<real>();
    var im_0 = vec4<real>();
    var re_1 = vec4<real>();
    var im_1 = vec4<real>();
    var re_2 = vec4<real>();
    var im_2 = vec4<real>();
    var re_3 = vec4<real>();
    var im_3 = vec4<real>();
    for (var depth = 0u; depth < task.width; depth += DEPTH) {
        for (var at = index; at < TILE * DEPTH; at += THREADS * THREADS) {
            let r = row + at % TILE;
            let inner = depth + at / TILE;
            left[at] = complex();
            if r < task.row_to && inner < task.width {
                left[at] = panel[inner * task.size + r];
            }
            let c = column + at / DEPTH;
            let deep = depth + at % DEPTH;
            right[at] = complex();
            if c < task.slab_columns && deep < task.width {
                right[at] = slab[c * task.size + task.first + deep];
            }
        }
        workgroupBarrier();
        for (var inner = 0u; inner < DEPTH; inner++) {
            let across = inner * TILE + thread.x;
            let a_0 = left[across];
            let a_1 = left[across + THREADS];
            let a_2 = left[across + 2u * THREADS];
            let a_3 = left[across + 3u * THREADS];
            let re = vec4<real>(a_0.x, a_1.x, a_2.x, a_3.x);
            let im = vec4<real>(a_0.y, a_1.y, a_2.y, a_3.y);
            let along = thread.y * DEPTH + inner;
            let b_0 = right[along];
            let b_1 = right[along + THREADS * DEPTH];
            let b_2 = right[along + 2u * THREADS * DEPTH];
            let b_3 = right[along + 3u * THREADS * DEPTH];
            re_0 += re * b_0.x - im * b_0.y;
            im_0 += re * b_0.y + im * b_0.x;
            re_1 += re * b_1.x - im * b_1.y;
            im_1 += re * b_1.y + im * b_1.x;
            re_2 += re * b_2.x - im * b_2.y;
            im_2 += re * b_2.y + im * b_2.x;
            re_3 += re * b_3.x - im * b_3.y;
            im_3 += re * b_3.y + im * b_3.x;
        }
        workgroupBarrier();
    }
    let own = row + thread.x;
    let first = column + thread.y;
    take_off(own, first, re_0, im_0);
    take_off(own, first + THREADS, re_1, im_1);
    take_off(own, first + 2u * THREADS, re_2, im_2);
    take_off(own, first + 3u * THREADS, re_3, im_3);
}

const ADDERS: u32 = 256u;

var<workgroup> sums: array<complex, ADDERS>;

// Sums the contributions of the threads pairwise; every thread gets the sum.
fn over_threads(thread: u32, own: complex) -> complex {
    sums[thread] = own;
    workgroupBarrier();
    for (var half = ADDERS / 2u; half > 0u; half /= 2u) {
        if thread < half {
            sums[thread] += sums[thread + half];
        }
        workgroupBarrier();
    }
    let sum = sums[0];
    workgroupBarrier();
    return sum;
}

// Column sums of moduli of a slab, one column per workgroup.
@compute @workgroup_size(ADDERS)
fn moduli(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let column = number(group, groups);
    var own = complex();
    if column < task.slab_columns {
        for (var row = thread; row < task.size; row += ADDERS) {
            let value = slab[column * task.size + row];
            own.x += sqrt(value.x * value.x + value.y * value.y);
        }
    }
    let sum = over_threads(thread, own);
    if thread == 0u && column < task.slab_columns {
        pivots[2u * task.size + task.slab_first + column] = bitcast<u32>(f32(sum.x));
    }
}

fn conjugate(a: complex) -> complex {
    return complex(a.x, -a.y);
}

// Subtracts the conjugate transpose of the panel times rows `row_from` to `row_to` of a right-hand side from its block
// row.
fn gather(thread: u32, start: u32) {
    for (var i = 0u; i < task.width; i++) {
        var own = complex();
        for (var row = task.row_from + thread; row < task.row_to; row += ADDERS) {
            own += multiplied(conjugate(panel[i * task.size + row]), slab[start + row]);
        }
        let sum = over_threads(thread, own);
        if thread == 0u {
            slab[start + task.first + i] -= sum;
        }
    }
    storageBarrier();
}

// Solves for the block row of right-hand sides, one per workgroup, with the conjugate transpose of the upper triangle.
@compute @workgroup_size(ADDERS)
fn adjoint_upper(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let start = group.x * task.size;
    gather(thread, start);
    if thread == 0u {
        for (var i = 0u; i < task.width; i++) {
            let column = i * task.size + task.first;
            var value = slab[start + task.first + i];
            for (var j = 0u; j < i; j++) {
                value -= multiplied(conjugate(panel[column + j]), slab[start + task.first + j]);
            }
            slab[start + task.first + i] = divided(value, conjugate(panel[column + i]));
        }
    }
}

// Solves with the conjugate transpose of the lower triangle, then reverts the row interchanges of the panel.
@compute @workgroup_size(ADDERS)
fn adjoint_lower(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let start = group.x * task.size;
    gather(thread, start);
    if thread == 0u {
        for (var above = task.width; above > 0u; above--) {
            let i = above - 1u;
            let column = i * task.size + task.first;
            var value = slab[start + task.first + i];
            for (var j = i + 1u; j < task.width; j++) {
                value -= multiplied(conjugate(panel[column + j]), slab[start + task.first + j]);
            }
            slab[start + task.first + i] = value;
        }
        for (var above = task.width; above > 0u; above--) {
            let row = task.first + above - 1u;
            let other = pivots[row];
            let value = slab[start + row];
            slab[start + row] = slab[start + other];
            slab[start + other] = value;
        }
    }
}
