// Blocks of a slab of source triangles with all test triangles. Appended to triangles.wgsl.

@group(0) @binding(1) var<storage, read> triangles: array<Triangle>;
@group(0) @binding(2) var<storage, read> sources: array<u32>;
@group(0) @binding(3) var<storage, read_write> blocks: array<vec2<f32>>;

fn corner(triangle: u32, number: u32) -> vec3<f32> {
    return vec3<f32>(
        triangles[triangle].corners[3u * number],
        triangles[triangle].corners[3u * number + 1u],
        triangles[triangle].corners[3u * number + 2u],
    );
}

@compute @workgroup_size(THREADS)
fn triangle_blocks(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let tiles = (task.triangles + THREADS - 1u) / THREADS;
    let tile = group.y * groups.x + group.x;
    let test = tile % tiles * THREADS + thread;
    let source = tile / tiles;
    if test >= task.triangles || source >= task.sources {
        return;
    }
    let k = task.wavenumber;
    let other = sources[source];
    var own: array<vec3<f32>, 3>;
    var its: array<vec3<f32>, 3>;
    for (var i = 0u; i < 3u; i++) {
        own[i] = corner(test, i);
        its[i] = corner(other, i);
    }
    let normal = vec3<f32>(triangles[test].normal[0], triangles[test].normal[1], triangles[test].normal[2]);
    let electric = triangles[test].electric;
    let magnetic = triangles[test].magnetic;
    var block: array<vec2<f32>, 9>;
    for (var p = 0u; p < NODES; p++) {
        let own_node = task.rule[p];
        let at = own_node.x * own[0] + own_node.y * own[1] + own_node.z * own[2];
        var s0 = vec2<f32>();
        var s1_re = vec3<f32>();
        var s1_im = vec3<f32>();
        var t_re = vec3<f32>();
        var t_im = vec3<f32>();
        for (var q = 0u; q < NODES; q++) {
            let node = task.rule[q];
            let r = at - (node.x * its[0] + node.y * its[1] + node.z * its[2]);
            let square = dot(r, r);
            let distance = sqrt(square);
            let x = k * distance;
            let turn = wave(x);
            let g = vec2<f32>(turn.x, -turn.y) * (node.w * ONE_OVER_4PI / distance);
            // −(1 + jx) G/R².
            let slope = vec2<f32>(x * g.y - g.x, -x * g.x - g.y) / square;
            s0 += g;
            s1_re += r * g.x;
            s1_im += r * g.y;
            t_re += r * slope.x;
            t_im += r * slope.y;
        }
        let across = vec2<f32>(dot(normal, t_re), dot(normal, t_im));
        for (var i = 0u; i < 3u; i++) {
            let a = at - own[i];
            let along_s = vec2<f32>(dot(a, s1_re), dot(a, s1_im));
            let along_t = vec2<f32>(dot(a, t_re), dot(a, t_im));
            for (var j = 0u; j < 3u; j++) {
                let d = at - its[j];
                let along = dot(a, d);
                let e = times_j(0.25 * k * (along * s0 - along_s) - s0 / k);
                let m = -0.25 * (along_t * dot(normal, d) - along * across);
                block[3u * i + j] += own_node.w * (electric * e + magnetic * m);
            }
        }
    }
    let place = (source * task.triangles + test) * 9u;
    for (var n = 0u; n < 9u; n++) {
        blocks[place + n] = block[n];
    }
}
