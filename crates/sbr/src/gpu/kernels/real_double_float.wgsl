// Positions and path lengths as double-floats (sums of two f32), for devices without double precision.
// Appended to double_float.wgsl.

alias real = vec2<f32>;

fn wide(x: f32) -> real {
    return vec2<f32>(x, 0.0);
}

fn narrow(x: real) -> f32 {
    return x.x;
}

fn plus(a: real, b: real) -> real {
    return double_float_add(a, b, task.zero);
}

fn minus(a: real, b: real) -> real {
    return double_float_add(a, -b, task.zero);
}

fn times(a: real, b: real) -> real {
    return double_float_multiply(a, b, task.zero);
}

// Two steps of long division: the second quotient is small, and f32 suffices for it.
fn over(a: real, b: real) -> real {
    let first = hidden(a.x / b.x, task.zero);
    let rest = minus(a, times(wide(first), b));
    let second = hidden(rest.x / b.x, task.zero);
    let last = minus(rest, times(wide(second), b));
    let sum = quick_two_sum(first, second, task.zero);
    return plus(sum, wide(last.x / b.x));
}

// Fractional part of a number of turns, between −½ and ½.
fn fraction(turns: real) -> f32 {
    return hidden(turns.x - round(turns.x), task.zero) + turns.y;
}
