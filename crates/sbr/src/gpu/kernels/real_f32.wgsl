// Positions and path lengths in single precision, for comparison of the accuracy. The second component of a pair is
// unused: the arrays keep their layout.

alias real = vec2<f32>;

fn wide(x: f32) -> real {
    return vec2<f32>(x, 0.0);
}

fn narrow(x: real) -> f32 {
    return x.x;
}

fn plus(a: real, b: real) -> real {
    return wide(a.x + b.x);
}

fn minus(a: real, b: real) -> real {
    return wide(a.x - b.x);
}

fn times(a: real, b: real) -> real {
    return wide(a.x * b.x);
}

fn over(a: real, b: real) -> real {
    return wide(a.x / b.x);
}

// Fractional part of a number of turns, between −½ and ½.
fn fraction(turns: real) -> f32 {
    return turns.x - round(turns.x);
}
