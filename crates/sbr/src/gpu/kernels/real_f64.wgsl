// Positions and path lengths in native double precision.

alias real = f64;

fn wide(x: f32) -> real {
    return f64(x);
}

fn narrow(x: real) -> f32 {
    return f32(x);
}

fn plus(a: real, b: real) -> real {
    return a + b;
}

fn minus(a: real, b: real) -> real {
    return a - b;
}

fn times(a: real, b: real) -> real {
    return a * b;
}

fn over(a: real, b: real) -> real {
    return a / b;
}

// Fractional part of a number of turns, between −½ and ½.
fn fraction(turns: real) -> f32 {
    return f32(turns - floor(turns + 0.5lf));
}
