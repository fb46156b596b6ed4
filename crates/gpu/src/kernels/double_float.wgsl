// Double-float numbers: unevaluated sums (high, low) of two f32, about 48 bits. A compiler that may reassociate
// eliminates the error terms, so every intermediate result passes through `hidden`, an exclusive or with a zero
// that only the host knows at run time. Products are split after Dekker (1971), because `fma` need not be fused.

fn hidden(x: f32, zero: u32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ zero);
}

// Exact a + b (Knuth's TwoSum).
fn two_sum(a: f32, b: f32, zero: u32) -> vec2<f32> {
    let s = hidden(a + b, zero);
    let v = hidden(s - a, zero);
    let w = hidden(s - v, zero);
    let e = hidden(a - w, zero) + hidden(b - v, zero);
    return vec2<f32>(s, hidden(e, zero));
}

// Exact a + b for |a| ≥ |b| (FastTwoSum).
fn quick_two_sum(a: f32, b: f32, zero: u32) -> vec2<f32> {
    let s = hidden(a + b, zero);
    let v = hidden(s - a, zero);
    return vec2<f32>(s, hidden(b - v, zero));
}

fn split(a: f32, zero: u32) -> vec2<f32> {
    let c = hidden(4097.0 * a, zero);
    let d = hidden(c - a, zero);
    let high = hidden(c - d, zero);
    return vec2<f32>(high, hidden(a - high, zero));
}

// Exact a · b (Dekker's TwoProduct).
fn two_product(a: f32, b: f32, zero: u32) -> vec2<f32> {
    let p = hidden(a * b, zero);
    let x = split(a, zero);
    let y = split(b, zero);
    var e = hidden(hidden(x.x * y.x, zero) - p, zero);
    e = hidden(e + hidden(x.x * y.y, zero), zero);
    e = hidden(e + hidden(x.y * y.x, zero), zero);
    e = hidden(e + hidden(x.y * y.y, zero), zero);
    return vec2<f32>(p, e);
}

fn double_float_add(a: vec2<f32>, b: vec2<f32>, zero: u32) -> vec2<f32> {
    let high = two_sum(a.x, b.x, zero);
    let low = two_sum(a.y, b.y, zero);
    let first = quick_two_sum(high.x, hidden(high.y + low.x, zero), zero);
    return quick_two_sum(first.x, hidden(first.y + low.y, zero), zero);
}

fn double_float_multiply(a: vec2<f32>, b: vec2<f32>, zero: u32) -> vec2<f32> {
    let p = two_product(a.x, b.x, zero);
    let cross = hidden(hidden(a.x * b.y, zero) + hidden(a.y * b.x, zero), zero);
    return quick_two_sum(p.x, hidden(p.y + cross, zero), zero);
}
