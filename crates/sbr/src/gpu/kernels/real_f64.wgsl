// Places and ways in the device's own double precision.

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

// What is left of a number of turns without its whole ones, between −½ and ½.
fn fraction(turns: real) -> f32 {
    return f32(turns - floor(turns + 0.5lf));
}
