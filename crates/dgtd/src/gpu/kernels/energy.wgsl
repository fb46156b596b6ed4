// Energy ½ ∫ ε E² + μ H² of every element outside the PML, summed in a fixed order for reproducibility.

override NODES: u32;
override BATCH: u32;
// Index of the first PML element.
override END: u32;

@group(0) @binding(0) var<storage, read> fields: array<f32>;
// Mass matrix ∫ Lᵢ Lⱼ, by row.
@group(0) @binding(1) var<storage, read> mass: array<f32>;
// Half of ε and half of μ times the Jacobian.
@group(0) @binding(2) var<storage, read> densities: array<vec2<f32>>;
@group(0) @binding(3) var<storage, read_write> energies: array<f32>;

var<workgroup> parts: array<f32, NODES * BATCH>;

fn three(at: u32) -> vec3<f32> {
    return vec3<f32>(fields[at], fields[at + NODES], fields[at + 2u * NODES]);
}

@compute @workgroup_size(NODES * BATCH)
fn measure(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let element = (group.y * groups.x + group.x) * BATCH + thread / NODES;
    let node = thread % NODES;
    if element < END {
        let first = element * 6u * NODES;
        var e = vec3<f32>();
        var h = vec3<f32>();
        for (var m = 0u; m < NODES; m++) {
            // Column access of the symmetric matrix, so that neighboring threads read adjacent numbers.
            let weight = mass[m * NODES + node];
            e += weight * three(first + m);
            h += weight * three(first + 3u * NODES + m);
        }
        let density = densities[element];
        parts[thread] = density.x * dot(e, three(first + node)) + density.y * dot(h, three(first + 3u * NODES + node));
    }
    workgroupBarrier();
    if element < END && node == 0u {
        var sum = 0.0;
        for (var m = 0u; m < NODES; m++) {
            sum += parts[thread + m];
        }
        energies[element] = sum;
    }
}
