// Replaces matrix entries by corrections, or adds corrections to them. No two corrections have the same entry.

struct Correction {
    place: u32,
    // 1 if the correction replaces the entry, 0 if it is added.
    replaces: u32,
    value: vec2<f32>,
}

@group(0) @binding(0) var<storage, read> corrections: array<Correction>;
@group(0) @binding(1) var<storage, read_write> slab: array<vec2<f32>>;

const THREADS: u32 = 64u;

@compute @workgroup_size(THREADS)
fn correct(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let at = (group.y * groups.x + group.x) * THREADS + thread;
    if at >= arrayLength(&corrections) {
        return;
    }
    let correction = corrections[at];
    if correction.replaces == 1u {
        slab[correction.place] = correction.value;
    } else {
        slab[correction.place] += correction.value;
    }
}
