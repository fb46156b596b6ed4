// FFT of many lines, each in workgroup memory for all its passes (Stockham's autosort algorithm, radices 2, 3, 4, 5,
// and 8). Appended to real_f32.wgsl or real_f64.wgsl.
//
// A line that exceeds workgroup memory is factored as N = N1·N2(·N3) and takes one dispatch per factor (Bailey's
// four-step algorithm): the first dispatches multiply their results by the twiddle factors W_M^(a·k), the last one
// writes them in transposed order. The strides describe all of it.

// Length of a line, lines per workgroup, threads per workgroup.
override LENGTH: u32 = 1u;
override LINES: u32 = 1u;
override THREADS: u32 = 64u;

// Radices of the passes of a line; unused ones are 1.
override RADIX_0: u32 = 1u;
override RADIX_1: u32 = 1u;
override RADIX_2: u32 = 1u;
override RADIX_3: u32 = 1u;
override RADIX_4: u32 = 1u;
override RADIX_5: u32 = 1u;
override RADIX_6: u32 = 1u;
override RADIX_7: u32 = 1u;

// Whether adjacent threads access adjacent lines (instead of adjacent elements of one line), for coalesced memory
// access.
override READ_ACROSS: bool = false;
override WRITE_ACROSS: bool = false;

// Line number = inner + SIZE_INNER·(a + SIZE_A·(b + SIZE_B·outer)); the stride of `inner` is 1. They are constants
// because a compiler replaces division by a constant with multiplication, and eliminates division by one.
override SIZE_INNER: u32 = 1u;
override SIZE_A: u32 = 1u;
override SIZE_B: u32 = 1u;
override READ_A: u32 = 0u;
override READ_B: u32 = 0u;
override READ_ELEMENT: u32 = 1u;
override WRITE_A: u32 = 0u;
override WRITE_B: u32 = 0u;
override WRITE_ELEMENT: u32 = 1u;
override OUTER: u32 = 1u;

// Whether the results are multiplied by W_M^(a·k), which is coarse[q >> STEP_SHIFT] · fine[q & (2^STEP_SHIFT − 1)]
// for q = a·k; the fine table comes first.
override STEP_TWIDDLES: bool = false;
override STEP_SHIFT: u32 = 0u;

struct Orientation {
    // −1 conjugates input and output, which yields the inverse transform.
    sign: f32,
}

@group(0) @binding(0) var<uniform> orientation: Orientation;
// Twiddle factors W_LENGTH^q for q from 0 to LENGTH − 1.
@group(0) @binding(1) var<storage, read> twiddles: array<complex>;
@group(0) @binding(2) var<storage, read> step_twiddles: array<complex>;
@group(0) @binding(3) var<storage, read_write> output: array<complex>;
@group(0) @binding(4) var<storage, read> input: array<complex>;

var<workgroup> line: array<complex, 2u * LENGTH * LINES>;

fn multiply(a: complex, b: complex) -> complex {
    return complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// −j·a
fn turn(a: complex) -> complex {
    return complex(a.y, -a.x);
}

fn oriented(a: complex) -> complex {
    return complex(a.x, a.y * real(orientation.sign));
}

struct Place {
    read: u32,
    write: u32,
    a: u32,
}

fn place(number: u32) -> Place {
    let inner = number % SIZE_INNER;
    var rest = number / SIZE_INNER;
    let a = rest % SIZE_A;
    rest = rest / SIZE_A;
    let b = rest % SIZE_B;
    let outer = rest / SIZE_B;
    return Place(
        inner + a * READ_A + b * READ_B + outer * OUTER,
        inner + a * WRITE_A + b * WRITE_B + outer * OUTER,
        a,
    );
}

// Butterfly j of a pass with radix r and span p takes elements j + t·LENGTH/r, multiplies them by W_(p·r)^(k·t) with
// k = j mod p, and stores its results at (j − k)·r + k + t·p.
struct Butterfly {
    read: u32,
    step: u32,
    write: u32,
    turn: u32,
}

fn butterfly(number: u32, radix: u32, span: u32, source: u32, sink: u32) -> Butterfly {
    let step = LENGTH / radix;
    let base = (number / step) * LENGTH;
    let j = number % step;
    let k = j % span;
    return Butterfly(source + base + j, step, sink + base + (j - k) * radix + k, k * (step / span));
}

fn turned(b: Butterfly, t: u32) -> complex {
    let value = line[b.read + t * b.step];
    return multiply(value, twiddles[t * b.turn]);
}

fn pass_2(thread: u32, span: u32, source: u32, sink: u32) {
    for (var n = thread; n < LINES * LENGTH / 2u; n += THREADS) {
        let b = butterfly(n, 2u, span, source, sink);
        let x0 = line[b.read];
        let x1 = turned(b, 1u);
        line[b.write] = x0 + x1;
        line[b.write + span] = x0 - x1;
    }
}

fn pass_3(thread: u32, span: u32, source: u32, sink: u32) {
    for (var n = thread; n < LINES * LENGTH / 3u; n += THREADS) {
        let b = butterfly(n, 3u, span, source, sink);
        let x0 = line[b.read];
        let x1 = turned(b, 1u);
        let x2 = turned(b, 2u);
        let sum = x1 + x2;
        let middle = x0 - HALF * sum;
        let side = SIN_60 * turn(x1 - x2);
        line[b.write] = x0 + sum;
        line[b.write + span] = middle + side;
        line[b.write + 2u * span] = middle - side;
    }
}

fn pass_4(thread: u32, span: u32, source: u32, sink: u32) {
    for (var n = thread; n < LINES * LENGTH / 4u; n += THREADS) {
        let b = butterfly(n, 4u, span, source, sink);
        let x0 = line[b.read];
        let x1 = turned(b, 1u);
        let x2 = turned(b, 2u);
        let x3 = turned(b, 3u);
        let even = x0 + x2;
        let even_difference = x0 - x2;
        let odd = x1 + x3;
        let odd_difference = turn(x1 - x3);
        line[b.write] = even + odd;
        line[b.write + span] = even_difference + odd_difference;
        line[b.write + 2u * span] = even - odd;
        line[b.write + 3u * span] = even_difference - odd_difference;
    }
}

fn pass_5(thread: u32, span: u32, source: u32, sink: u32) {
    for (var n = thread; n < LINES * LENGTH / 5u; n += THREADS) {
        let b = butterfly(n, 5u, span, source, sink);
        let x0 = line[b.read];
        let x1 = turned(b, 1u);
        let x2 = turned(b, 2u);
        let x3 = turned(b, 3u);
        let x4 = turned(b, 4u);
        let outer_sum = x1 + x4;
        let outer_difference = turn(x1 - x4);
        let inner_sum = x2 + x3;
        let inner_difference = turn(x2 - x3);
        let middle_1 = x0 + COS_72 * outer_sum + COS_144 * inner_sum;
        let middle_2 = x0 + COS_144 * outer_sum + COS_72 * inner_sum;
        let side_1 = SIN_72 * outer_difference + SIN_144 * inner_difference;
        let side_2 = SIN_144 * outer_difference - SIN_72 * inner_difference;
        line[b.write] = x0 + outer_sum + inner_sum;
        line[b.write + span] = middle_1 + side_1;
        line[b.write + 2u * span] = middle_2 + side_2;
        line[b.write + 3u * span] = middle_2 - side_2;
        line[b.write + 4u * span] = middle_1 - side_1;
    }
}

fn pass_8(thread: u32, span: u32, source: u32, sink: u32) {
    for (var n = thread; n < LINES * LENGTH / 8u; n += THREADS) {
        let b = butterfly(n, 8u, span, source, sink);
        let x0 = line[b.read];
        let x1 = turned(b, 1u);
        let x2 = turned(b, 2u);
        let x3 = turned(b, 3u);
        let x4 = turned(b, 4u);
        let x5 = turned(b, 5u);
        let x6 = turned(b, 6u);
        let x7 = turned(b, 7u);

        let e0 = (x0 + x4) + (x2 + x6);
        let e1 = (x0 - x4) + turn(x2 - x6);
        let e2 = (x0 + x4) - (x2 + x6);
        let e3 = (x0 - x4) - turn(x2 - x6);
        let o0 = (x1 + x5) + (x3 + x7);
        let o1 = (x1 - x5) + turn(x3 - x7);
        let o2 = (x1 + x5) - (x3 + x7);
        let o3 = (x1 - x5) - turn(x3 - x7);

        // The odd half times W_8, W_8² = −j, and W_8³.
        let t1 = SQRT_HALF * (o1 + turn(o1));
        let t2 = turn(o2);
        let t3 = SQRT_HALF * (turn(o3) - o3);
        line[b.write] = e0 + o0;
        line[b.write + span] = e1 + t1;
        line[b.write + 2u * span] = e2 + t2;
        line[b.write + 3u * span] = e3 + t3;
        line[b.write + 4u * span] = e0 - o0;
        line[b.write + 5u * span] = e1 - t1;
        line[b.write + 6u * span] = e2 - t2;
        line[b.write + 7u * span] = e3 - t3;
    }
}

// Computes one pass; returns the offset of its results.
fn pass_of(radix: u32, thread: u32, span: u32, source: u32) -> u32 {
    if radix == 1u {
        return source;
    }
    let sink = LENGTH * LINES - source;
    switch radix {
        case 2u: { pass_2(thread, span, source, sink); }
        case 3u: { pass_3(thread, span, source, sink); }
        case 4u: { pass_4(thread, span, source, sink); }
        case 5u: { pass_5(thread, span, source, sink); }
        default: { pass_8(thread, span, source, sink); }
    }
    return sink;
}

// Computes all passes; returns the offset of the transform.
fn transform(thread: u32) -> u32 {
    var at = 0u;
    var span = 1u;
    workgroupBarrier();
    at = pass_of(RADIX_0, thread, span, at);
    span *= RADIX_0;
    workgroupBarrier();
    at = pass_of(RADIX_1, thread, span, at);
    span *= RADIX_1;
    workgroupBarrier();
    at = pass_of(RADIX_2, thread, span, at);
    span *= RADIX_2;
    workgroupBarrier();
    at = pass_of(RADIX_3, thread, span, at);
    span *= RADIX_3;
    workgroupBarrier();
    at = pass_of(RADIX_4, thread, span, at);
    span *= RADIX_4;
    workgroupBarrier();
    at = pass_of(RADIX_5, thread, span, at);
    span *= RADIX_5;
    workgroupBarrier();
    at = pass_of(RADIX_6, thread, span, at);
    span *= RADIX_6;
    workgroupBarrier();
    at = pass_of(RADIX_7, thread, span, at);
    workgroupBarrier();
    return at;
}

// Returns the line of the workgroup and its element of the thread's n-th access.
fn access(n: u32, across: bool) -> vec2<u32> {
    if across {
        return vec2<u32>(n % LINES, n / LINES);
    }
    return vec2<u32>(n / LENGTH, n % LENGTH);
}

fn write_out(first: u32, count: u32, thread: u32, at: u32) {
    for (var n = thread; n < LINES * LENGTH; n += THREADS) {
        let which = access(n, WRITE_ACROSS);
        if first + which.x < count {
            let p = place(first + which.x);
            var value = line[at + which.x * LENGTH + which.y];
            if STEP_TWIDDLES {
                let q = p.a * which.y;
                let fine = 1u << STEP_SHIFT;
                let w = multiply(step_twiddles[q & (fine - 1u)], step_twiddles[fine + (q >> STEP_SHIFT)]);
                value = multiply(value, w);
            }
            output[p.write + which.y * WRITE_ELEMENT] = oriented(value);
        }
    }
}

@compute @workgroup_size(THREADS)
fn out_of_place(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let first = (group.y * groups.x + group.x) * LINES;
    let count = arrayLength(&output) / LENGTH;
    for (var n = thread; n < LINES * LENGTH; n += THREADS) {
        let which = access(n, READ_ACROSS);
        if first + which.x < count {
            let origin = place(first + which.x).read + which.y * READ_ELEMENT;
            line[which.x * LENGTH + which.y] = oriented(input[origin]);
        }
    }
    let at = transform(thread);
    write_out(first, count, thread, at);
}

@compute @workgroup_size(THREADS)
fn in_place(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let first = (group.y * groups.x + group.x) * LINES;
    let count = arrayLength(&output) / LENGTH;
    for (var n = thread; n < LINES * LENGTH; n += THREADS) {
        let which = access(n, READ_ACROSS);
        if first + which.x < count {
            let origin = place(first + which.x).read + which.y * READ_ELEMENT;
            line[which.x * LENGTH + which.y] = oriented(output[origin]);
        }
    }
    let at = transform(thread);
    write_out(first, count, thread, at);
}
