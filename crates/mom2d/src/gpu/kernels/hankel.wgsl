// H₀⁽²⁾ and H₁⁽²⁾ of a real argument, to 10⁻⁶ of their modulus. Appended to hankel_table.wgsl and
// the function cos_sin of wavefield-gpu.
//
// Below 4 J and the regular parts of Y are polynomials in x²; above, modulus and phase are polynomials in 1/x² (DLMF
// §10.17). The built-in logarithm and sine of WGSL may be less accurate, so both are evaluated from bits and polynomials.

const SPLIT: f32 = 4.0;
const TWO_OVER_PI: f32 = 0.63661977;

struct Hankel {
    h0: vec2<f32>,
    h1: vec2<f32>,
}

// Returns ln x of a normal number: x = 2ᵏm with m between √½ and √2, ln m = 2 artanh((m − 1)/(m + 1)); polynomial of fdlibm.
fn logarithm(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    let exponent = i32((bits - 0x3f3504f3u + 0x40000000u) >> 23u) - 128;
    let mantissa = bitcast<f32>(bits - (bitcast<u32>(exponent) << 23u));
    let f = (mantissa - 1.0) / (mantissa + 1.0);
    let z = f * f;
    let series = z * (0.66666662693 + z * (0.40000972152 + z * (0.28498786688 + z * 0.24279078841)));
    return f32(exponent) * 0.69314718 + f * (2.0 + series);
}

fn hankel(x: f32) -> Hankel {
    if x < SPLIT {
        let s = 0.125 * x * x - 1.0;
        let weight = TWO_OVER_PI * logarithm(x);
        let j0 = polynomial_j0(s);
        let j1 = polynomial_j1(s);
        let y0 = weight * j0 + polynomial_y0(s);
        let y1 = x * (weight * j1 + polynomial_y1(s)) - TWO_OVER_PI / x;
        return Hankel(vec2<f32>(j0, -y0), vec2<f32>(x * j1, -y1));
    }
    let inverse = 1.0 / x;
    let s = 32.0 * inverse * inverse - 1.0;
    let circle = cos_sin(x);
    // √(2/πx) e^{−j(x−π/4)} = √(1/πx) (cos x + sin x + j(cos x − sin x)).
    let wave = sqrt(0.31830989 * inverse) * vec2<f32>(circle.x + circle.y, circle.x - circle.y);
    let p0 = polynomial_p0(s);
    let q0 = polynomial_q0(s) * inverse;
    let p1 = polynomial_p1(s);
    let q1 = polynomial_q1(s) * inverse;
    // (P − jQ) and j(P − jQ) times the phase factor: order one is a quarter turn ahead.
    return Hankel(
        vec2<f32>(p0 * wave.x + q0 * wave.y, p0 * wave.y - q0 * wave.x),
        vec2<f32>(q1 * wave.x - p1 * wave.y, p1 * wave.x + q1 * wave.y),
    );
}
