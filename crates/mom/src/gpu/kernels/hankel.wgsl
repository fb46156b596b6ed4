// H₀⁽²⁾ and H₁⁽²⁾ of a real argument, to 10⁻⁶ of their modulus. Appended to hankel_table.wgsl.
//
// Below 4 J and the regular parts of Y are polynomials in x²; above, modulus and phase are polynomials in 1/x² (DLMF
// §10.17). Logarithm and sine of the language may be off by far more, so they are had from bits and polynomials.

const SPLIT: f32 = 4.0;
const TWO_OVER_PI: f32 = 0.63661977;

struct Hankel {
    h0: vec2<f32>,
    h1: vec2<f32>,
}

// ln x of a normal number: x = 2ᵏm with m between √½ and √2, ln m = 2 artanh((m − 1)/(m + 1)); polynomial of fdlibm.
fn logarithm(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    let exponent = i32((bits - 0x3f3504f3u + 0x40000000u) >> 23u) - 128;
    let mantissa = bitcast<f32>(bits - (bitcast<u32>(exponent) << 23u));
    let f = (mantissa - 1.0) / (mantissa + 1.0);
    let z = f * f;
    let series = z * (0.66666662693 + z * (0.40000972152 + z * (0.28498786688 + z * 0.24279078841)));
    return f32(exponent) * 0.69314718 + f * (2.0 + series);
}

// cos x and sin x for 4 ≤ x < 2²². The mantissa of x times 1/2π, to 64 bits behind the point, is a whole number of
// turns and a fraction of one; whole numbers make the fraction exact, whatever a compiler does to sums of reals.
fn turned(x: f32) -> vec2<f32> {
    let bits = bitcast<u32>(x);
    let mantissa = (bits & 0x7fffffu) | 0x800000u;
    let shift = 150u - (bits >> 23u);
    // 1/2π = 0x28be60db9391054a·2⁻⁶⁴, times the power of two of x.
    let high = 0x28be60dbu >> shift;
    let low = (0x9391054au >> shift) | (0x28be60dbu << (32u - shift));
    // The upper word of mantissa·low, within three units.
    let carried = (((mantissa >> 12u) * (low >> 16u)) >> 4u)
        + (((mantissa & 0xfffu) * (low >> 16u)) >> 16u)
        + (((mantissa >> 12u) * (low & 0xffffu)) >> 20u);
    let fraction = mantissa * high + carried;
    let quarter = (fraction + 0x20000000u) >> 30u;
    let rest = bitcast<i32>(fraction - (quarter << 30u));
    let angle = f32(rest) * 1.4629180793e-9;
    let y = angle * angle;
    let sine = angle * (1.0 + y * (-1.6666667e-1 + y * (8.3333333e-3 + y * (-1.984127e-4 + y * 2.7557319e-6))));
    let cosine = 1.0 + y * (-0.5 + y * (4.1666667e-2 + y * (-1.3888889e-3 + y * (2.4801587e-5 - y * 2.7557319e-7))));
    if quarter == 0u {
        return vec2<f32>(cosine, sine);
    }
    if quarter == 1u {
        return vec2<f32>(-sine, cosine);
    }
    if quarter == 2u {
        return vec2<f32>(-cosine, -sine);
    }
    return vec2<f32>(sine, -cosine);
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
    let circle = turned(x);
    // √(2/πx) e^{−j(x−π/4)} = √(1/πx) (cos x + sin x + j(cos x − sin x)).
    let wave = sqrt(0.31830989 * inverse) * vec2<f32>(circle.x + circle.y, circle.x - circle.y);
    let p0 = polynomial_p0(s);
    let q0 = polynomial_q0(s) * inverse;
    let p1 = polynomial_p1(s);
    let q1 = polynomial_q1(s) * inverse;
    // (P − jQ) and j(P − jQ) times the wave: order one is a quarter turn ahead.
    return Hankel(
        vec2<f32>(p0 * wave.x + q0 * wave.y, p0 * wave.y - q0 * wave.x),
        vec2<f32>(q1 * wave.x - p1 * wave.y, p1 * wave.x + q1 * wave.y),
    );
}
