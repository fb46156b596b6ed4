// Places and ways in single precision, to show what that costs. The second number of a pair is idle: the arrays keep
// their layout.

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

// What is left of a number of turns without its whole ones, between −½ and ½.
fn fraction(turns: real) -> f32 {
    return turns.x - round(turns.x);
}
