// Far field of patches (patch.rs), by blocks of patches for each observer and frequency, without the factor k/2π.

struct Task {
    patches: u32,
    // Blocks of patches, each summed to one number.
    blocks: u32,
    observers: u32,
    frequencies: u32,
    // Index of the first pair of an observer and a frequency.
    pair: u32,
    // Zero that the compiler cannot fold.
    zero: u32,
    idle_a: u32,
    idle_b: u32,
}

struct Patch {
    point: Place,
    way: real,
    direction: Place,
    // Sides of a parallelogram, or corners of a triangle relative to its center.
    outline: array<Place, 3>,
    // Surface currents of V and H.
    currents: array<f32, 6>,
    area: f32,
    triangle: u32,
}

@group(0) @binding(0) var<uniform> task: Task;
@group(0) @binding(1) var<storage, read> observers: array<Observer>;
@group(0) @binding(2) var<storage, read> frequencies: array<Frequency>;
@group(0) @binding(3) var<storage, read> patches: array<Patch>;
@group(0) @binding(4) var<storage, read_write> sums: array<Amplitudes>;

// Phase in radians up to which a series is used.
const SMALL: f32 = 0.3;

// 2 ∫₀¹∫₀^{1−u} e^{jφ} dv du of a phase φ that is linear between its values at the corners, in turns.
fn over_triangle(p: real, q: real, r: real) -> vec2<f32> {
    // Start at the corner opposite to the largest phase difference: no division by a small number.
    let p_q = abs(narrow(minus(p, q)));
    let q_r = abs(narrow(minus(q, r)));
    let r_p = abs(narrow(minus(r, p)));
    var first = p;
    var middle = r;
    var last = q;
    if q_r >= max(r_p, p_q) {
        first = q;
        middle = p;
        last = r;
    } else if r_p >= p_q {
        first = r;
        middle = q;
        last = p;
    }
    let to_middle = minus(middle, first);
    let to_last = minus(last, first);
    let alpha = TURN * narrow(to_middle);
    let beta = TURN * narrow(to_last);
    let start = cis_turns(fraction(first));
    if abs(beta) < SMALL {
        // Σ jⁿ hₙ(α, β)/(n + 2)!, hₙ the complete homogeneous symmetric polynomial of degree n.
        let h1 = alpha + beta;
        let a2 = alpha * alpha;
        let h2 = a2 + beta * h1;
        let h3 = a2 * alpha + beta * h2;
        let h4 = a2 * a2 + beta * h3;
        let h5 = a2 * a2 * alpha + beta * h4;
        let series = vec2<f32>(
            1.0 - h2 / 12.0 + h4 / 360.0,
            h1 / 3.0 - h3 / 60.0 + h5 / 2520.0,
        );
        return multiplied(start, series);
    }
    // e^{jα/2} (e^{jβ/2} sinc((α − β)/2) − sinc(α/2))/(jβ).
    let part = half_cis(to_last) * half_sinc(minus(to_middle, to_last)) - vec2<f32>(half_sinc(to_middle), 0.0);
    let whole = multiplied(multiplied(start, half_cis(to_middle)), part);
    return 2.0 * vec2<f32>(whole.y, -whole.x) / beta;
}

@compute @workgroup_size(THREADS)
fn radiate(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group.y * groups.x + group.x;
    let block = number % task.blocks;
    let pair = task.pair + number / task.blocks;
    let observer = observers[min(pair / task.frequencies, task.observers - 1u)];
    let turns = frequencies[pair % task.frequencies];
    var sum: Amplitudes;
    for (var i = 0u; i < EACH; i++) {
        let place = block * BLOCK + thread * EACH + i;
        if place >= task.patches {
            continue;
        }
        let patch_here = patches[place];
        let along = difference(observer.direction, patch_here.direction);
        let a = times(inner(along, patch_here.outline[0]), turns);
        let b = times(inner(along, patch_here.outline[1]), turns);
        var spread = vec2<f32>(0.0);
        if patch_here.triangle != 0u {
            let c = times(inner(along, patch_here.outline[2]), turns);
            spread = over_triangle(a, b, c);
        } else {
            spread.x = half_sinc(a) * half_sinc(b);
        }
        let path = minus(inner(observer.direction, patch_here.point), patch_here.way);
        let phase = cis_turns(fraction(times(path, turns)));
        let wave = multiplied(phase, spread) * patch_here.area;
        let currents = patch_here.currents;
        let own = amplitudes(
            vec2<f32>(wave.y, -wave.x),
            observer.received,
            vec3<f32>(currents[0], currents[1], currents[2]),
            vec3<f32>(currents[3], currents[4], currents[5]),
        );
        sum.v += own.v;
        sum.h += own.h;
    }
    let total = over_threads(thread, sum);
    if thread == 0u && number < arrayLength(&sums) {
        sums[number] = total;
    }
}
