// Range reduction and evaluation of cos x and sin x for ½ ≤ x < 2²², to 10⁻⁷. The mantissa of x times 1/2π, to 64
// fractional bits, yields an integer number of turns and a fraction; integer arithmetic keeps the fraction exact, whatever
// floating-point transformations a compiler makes.
fn cos_sin(x: f32) -> vec2<f32> {
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
