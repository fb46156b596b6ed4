// First triangle on a ray: stackless traversal of a bounding volume hierarchy (BVH) in depth-first order. Each node
// has a skip link, the node to continue with after a miss, and is the only state of a ray.
//
// Node tests are in f32 and only cull. The triangle test is that of intersection.rs (Woop, Benthin, Wald 2013),
// first in f32; triangles closer to an edge than the f32 error, and all hits, are tested again in the precision of
// phases. A ray that remains undecided within the rounding error is returned to the CPU.

struct Task {
    // Number of rays and of nodes.
    rays: u32,
    nodes: u32,
    // Error bound of a sheared vertex, and distance below which a ray that leaves a triangle ignores a plane.
    rounding: f32,
    clearance: f32,
    // Zero that the compiler cannot fold.
    zero: u32,
    idle_a: u32,
    idle_b: u32,
    idle_c: u32,
}

struct Node {
    low: vec3<f32>,
    // Next node after this subtree.
    skip: u32,
    high: vec3<f32>,
    // Eight times the first slot of a leaf plus its number of slots; zero for inner nodes.
    leaf: u32,
}

// Vertices of a triangle in the order of the tree.
struct Slot {
    a: vec3<f32>,
    triangle: u32,
    b: vec3<f32>,
    idle_b: f32,
    c: vec3<f32>,
    idle_c: f32,
}

struct Facet {
    a: Place,
    b: Place,
    c: Place,
    twice_area: f32,
    idle: u32,
}

struct Ray {
    origin: Place,
    direction: Place,
    // Triangle to ignore.
    leaves: u32,
    idle: u32,
}

@group(0) @binding(0) var<uniform> task: Task;
@group(0) @binding(1) var<storage, read> nodes: array<Node>;
@group(0) @binding(2) var<storage, read> slots: array<Slot>;
@group(0) @binding(3) var<storage, read> facets: array<Facet>;
@group(0) @binding(4) var<storage, read> rays: array<Ray>;
@group(0) @binding(5) var<storage, read_write> found: array<u32>;

const NOTHING: u32 = 0xffffffffu;
const UNDECIDED: u32 = 0xfffffffeu;

// Error bound of a sheared vertex in f32: a few roundings of positions up to four radii away.
const BLUR: f32 = 2e-6;
// Error bound of the coordinate along the ray.
const DEPTH: f32 = 1e-5;
const FAR: f32 = 1e30;
// Relative increase of the distance to back faces: 2⁻⁴⁰.
const BACK: f32 = 9.094947e-13;

// Permutes the axes: the largest component of the direction is last.
fn turned(p: vec3<f32>, axis: u32) -> vec3<f32> {
    if axis == 2u {
        return p;
    }
    if axis == 1u {
        return p.zxy;
    }
    return p.yzx;
}

fn turned_place(p: Place, axis: u32) -> Place {
    if axis == 2u {
        return p;
    }
    if axis == 1u {
        return Place(p.z, p.x, p.y);
    }
    return Place(p.y, p.z, p.x);
}

fn sheared(corner: vec3<f32>, origin: vec3<f32>, axis: u32, slope: vec2<f32>) -> vec2<f32> {
    let p = turned(corner - origin, axis);
    return p.xy - slope * p.z;
}

fn sheared_place(corner: Place, origin: Place, axis: u32, slope_x: real, slope_y: real) -> Place {
    let p = turned_place(difference(corner, origin), axis);
    return Place(minus(p.x, times(slope_x, p.z)), minus(p.y, times(slope_y, p.z)), p.z);
}

fn crossed(a: vec2<f32>, b: vec2<f32>) -> f32 {
    return a.x * b.y - a.y * b.x;
}

fn crossed_places(a: Place, b: Place) -> real {
    return minus(times(a.x, b.y), times(a.y, b.x));
}

// Error bound of the edge function for a vertex error of one.
fn blurred(a: vec2<f32>, b: vec2<f32>) -> f32 {
    return abs(a.x) + abs(a.y) + abs(b.x) + abs(b.y);
}

fn not_nought(x: f32) -> f32 {
    if abs(x) < 1e-12 {
        return select(1e-12, -1e-12, x < 0.0);
    }
    return x;
}

fn smaller(a: real, b: real) -> real {
    if narrow(minus(a, b)) < 0.0 {
        return a;
    }
    return b;
}

fn nearest(ray: Ray) -> u32 {
    let origin = narrowed(ray.origin);
    let direction = narrowed(ray.direction);
    let size = abs(direction);
    var axis = 0u;
    if size.z >= size.x && size.z >= size.y {
        axis = 2u;
    } else if size.y >= size.x {
        axis = 1u;
    }
    let fast = turned(direction, axis);
    let slope = fast.xy / fast.z;
    let exact = turned_place(ray.direction, axis);
    let slope_x = over(exact.x, exact.z);
    let slope_y = over(exact.y, exact.z);
    let per_depth = over(wide(1.0), exact.z);
    let stretch = abs(narrow(per_depth));
    let inverse = 1.0 / vec3<f32>(not_nought(direction.x), not_nought(direction.y), not_nought(direction.z));
    var triangle = NOTHING;
    var best = wide(FAR);
    var best_error = 0.0;
    // Nearest undecided hit.
    var doubt = wide(FAR);
    var reach = FAR;
    var at = 0u;
    while at < task.nodes {
        let node = nodes[at];
        let one = (node.low - origin) * inverse;
        let other = (node.high - origin) * inverse;
        let enters = min(one, other);
        let leaves = max(one, other);
        let first = max(max(enters.x, enters.y), max(enters.z, 0.0));
        let last = min(min(leaves.x, leaves.y), min(leaves.z, reach));
        if first > last {
            at = node.skip;
            continue;
        }
        if node.leaf == 0u {
            at += 1u;
            continue;
        }
        let begin = node.leaf / 8u;
        let end = begin + node.leaf % 8u;
        for (var i = begin; i < end; i++) {
            let slot = slots[i];
            if slot.triangle == ray.leaves {
                continue;
            }
            let p = sheared(slot.a, origin, axis, slope);
            let q = sheared(slot.b, origin, axis, slope);
            let r = sheared(slot.c, origin, axis, slope);
            let rough = vec3<f32>(crossed(r, q), crossed(p, r), crossed(q, p));
            let blur = BLUR * vec3<f32>(blurred(r, q), blurred(p, r), blurred(q, p));
            if !(all(rough >= -blur) || all(rough <= blur)) {
                continue;
            }
            let facet = facets[i];
            let a = sheared_place(facet.a, ray.origin, axis, slope_x, slope_y);
            let b = sheared_place(facet.b, ray.origin, axis, slope_x, slope_y);
            let c = sheared_place(facet.c, ray.origin, axis, slope_x, slope_y);
            let u = crossed_places(c, b);
            let v = crossed_places(a, c);
            let w = crossed_places(b, a);
            let edges = vec3<f32>(narrow(u), narrow(v), narrow(w));
            let a_xy = narrowed(a).xy;
            let b_xy = narrowed(b).xy;
            let c_xy = narrowed(c).xy;
            let off = task.rounding * vec3<f32>(blurred(c_xy, b_xy), blurred(a_xy, c_xy), blurred(b_xy, a_xy));
            if !(all(edges >= -off) || all(edges <= off)) {
                continue;
            }
            let depths = vec3<f32>(narrow(a.z), narrow(b.z), narrow(c.z));
            let nearer = min(depths.x, min(depths.y, depths.z));
            let farther = max(depths.x, max(depths.y, depths.z));
            let determinant = plus(plus(u, v), w);
            let all_off = off.x + off.y + off.z;
            let extent = abs(narrow(determinant));
            if extent <= 8.0 * all_off {
                // Edge-on: a possible hit lies anywhere along the triangle.
                let ends = vec2<f32>(nearer, farther) * narrow(per_depth);
                if max(ends.x, ends.y) >= -DEPTH * stretch {
                    doubt = smaller(wide(min(ends.x, ends.y) - DEPTH * stretch), doubt);
                }
                continue;
            }
            let height = plus(plus(times(u, a.z), times(v, b.z)), times(w, c.z));
            let distance = times(over(height, determinant), per_depth);
            let error = 2.0 * stretch * (task.rounding + all_off / extent * (farther - nearer));
            if narrow(distance) < -error {
                continue;
            }
            var seen = distance;
            if narrow(determinant) * narrow(per_depth) < 0.0 {
                seen = plus(distance, times(distance, wide(BACK)));
            }
            let certain = all(edges > off) || all(edges < -off);
            let height_error = 2.0 * dot(off, abs(depths));
            let lost = ray.leaves != NOTHING
                && abs(narrow(height)) <= 2.0 * task.clearance * facet.twice_area + height_error;
            if !certain || lost || narrow(distance) <= error {
                doubt = smaller(minus(seen, wide(error)), doubt);
                continue;
            }
            let later = narrow(minus(seen, best));
            if abs(later) <= error + best_error {
                doubt = smaller(minus(seen, wide(error)), doubt);
            }
            if later < 0.0 {
                best = seen;
                best_error = error;
                triangle = slot.triangle;
                // Rounded up, because node tests are in f32.
                reach = (narrow(seen) + error) * 1.000002;
            }
        }
        at = node.skip;
    }
    if narrow(doubt) < FAR && narrow(minus(doubt, plus(best, wide(best_error)))) <= 0.0 {
        return UNDECIDED;
    }
    return triangle;
}

@compute @workgroup_size(THREADS)
fn trace(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = (group.y * groups.x + group.x) * THREADS + thread;
    if number < task.rays {
        found[number] = nearest(rays[number]);
    }
}
