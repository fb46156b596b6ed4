// Complex exponentials of phases, and far-field sums over a block of patches in a fixed tree.

const EACH: u32 = 16u;
const BLOCK: u32 = 1024u;
const TURN: f32 = 6.2831853;

struct Observer {
    direction: Place,
    // θ̂ and φ̂.
    received: array<f32, 6>,
}

// Wavelengths per radius of the body.
alias Frequency = real;

// cos and sin of a few turns; WGSL's `sin` has errors up to 5·10⁻⁴.
fn cis_turns(turns: f32) -> vec2<f32> {
    let quarter = round(4.0 * turns);
    let x = TURN * (turns - 0.25 * quarter);
    let y = x * x;
    let sine = x * (1.0 + y * (-1.6666667e-1 + y * (8.3333333e-3 + y * (-1.984127e-4 + y * 2.7557319e-6))));
    let cosine = 1.0 + y * (-0.5 + y * (4.1666667e-2 + y * (-1.3888889e-3 + y * (2.4801587e-5 - y * 2.7557319e-7))));
    let which = i32(quarter) & 3;
    if which == 0 {
        return vec2<f32>(cosine, sine);
    }
    if which == 1 {
        return vec2<f32>(-sine, cosine);
    }
    if which == 2 {
        return vec2<f32>(-cosine, -sine);
    }
    return vec2<f32>(sine, -cosine);
}

// e^{jx/2} for x in turns.
fn half_cis(turns: real) -> vec2<f32> {
    return cis_turns(fraction(times(turns, wide(0.5))));
}

// sin(x/2)/(x/2) for x in turns.
fn half_sinc(turns: real) -> f32 {
    let x = 0.5 * TURN * narrow(turns);
    if abs(x) < 0.1 {
        let y = x * x;
        return 1.0 - y * (1.6666667e-1 - y * (8.3333333e-3 - y * 1.984127e-4));
    }
    return half_cis(turns).y / x;
}

fn multiplied(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// Amplitudes of VV and VH, and of HV and HH.
struct Amplitudes {
    v: vec4<f32>,
    h: vec4<f32>,
}

fn amplitudes(field: vec2<f32>, received: array<f32, 6>, of_v: vec3<f32>, of_h: vec3<f32>) -> Amplitudes {
    let v = vec3<f32>(received[0], received[1], received[2]);
    let h = vec3<f32>(received[3], received[4], received[5]);
    return Amplitudes(
        vec4<f32>(field * dot(v, of_v), field * dot(v, of_h)),
        vec4<f32>(field * dot(h, of_v), field * dot(h, of_h)),
    );
}

var<workgroup> sums_v: array<vec4<f32>, THREADS>;
var<workgroup> sums_h: array<vec4<f32>, THREADS>;

// Pairwise sum over the threads; the first thread receives it.
fn over_threads(thread: u32, own: Amplitudes) -> Amplitudes {
    sums_v[thread] = own.v;
    sums_h[thread] = own.h;
    workgroupBarrier();
    for (var half = THREADS / 2u; half > 0u; half /= 2u) {
        if thread < half {
            sums_v[thread] += sums_v[thread + half];
            sums_h[thread] += sums_h[thread + half];
        }
        workgroupBarrier();
    }
    return Amplitudes(sums_v[0], sums_h[0]);
}
