// Runge–Kutta stage of a batch of elements: fluxes, derivatives, lift, losses, and PML in one dispatch. Fields are read
// from one buffer and written to another, so that neighbors are read as before the stage.
//
// Field buffers have the layout [element][component][node], with the components of E, then those of H. A thread
// processes one node of one element; a workgroup processes BATCH elements, which stay in workgroup memory.

// Nodes per element and per face; elements per workgroup.
override NODES: u32;
override ON_FACE: u32;
override BATCH: u32;
// Range of the elements of this dispatch, and whether they belong to the PML.
override FIRST: u32;
override END: u32;
override LAYER: bool;

const WALL: u32 = 0x80000000u;

struct Stage {
    // register = a·register + dt·rate, fields = fields + b·register.
    a: f32,
    b: f32,
    dt: f32,
}

struct Face {
    // Outward normal.
    normal: vec3<f32>,
    // Four times the neighbor plus its face, or WALL with the factors of E and H beyond, each plus one, in two bits.
    beyond: u32,
    // Coefficients of n × ΔH in the equation of E and of −n × ΔE in that of H, then of the tangential jumps; times the
    // ratio of the Jacobians of face and volume.
    turned: vec2<f32>,
    tangential: vec2<f32>,
}

struct Shape {
    gradient_r: vec3<f32>,
    inverse_permittivity: f32,
    gradient_s: vec3<f32>,
    inverse_permeability: f32,
    gradient_t: vec3<f32>,
    // Decay rates σ/ε and σ*/μ.
    electric_decay: f32,
    magnetic_decay: f32,
}

struct Fields {
    e: vec3<f32>,
    h: vec3<f32>,
}

@group(0) @binding(0) var<uniform> stage: Stage;
// Nodes of the four faces.
@group(0) @binding(1) var<uniform> face_nodes: array<vec4<u32>, 45>;
@group(0) @binding(2) var<storage, read> before: array<f32>;
@group(0) @binding(3) var<storage, read_write> after: array<f32>;
@group(0) @binding(4) var<storage, read_write> registers: array<f32>;
@group(0) @binding(5) var<storage, read> faces: array<Face>;
@group(0) @binding(6) var<storage, read> shapes: array<Shape>;
// ∂/∂r, ∂/∂s, ∂/∂t by column and row; then the lift by groups of four face nodes and by row.
@group(0) @binding(7) var<storage, read> operators: array<vec4<f32>>;
// P, Q, and their registers in the PML: [element][which][component][node].
@group(0) @binding(8) var<storage, read_write> memory: array<f32>;
// PML coefficients c₀, b₁, b₂, α + σ, and α: [element][which][component of E or H][node].
@group(0) @binding(9) var<storage, read> terms: array<f32>;

// Fields of the own elements, and fluxes through their faces, [element][face][node]; six components as four and two.
var<workgroup> own_four: array<vec4<f32>, NODES * BATCH>;
var<workgroup> own_two: array<vec2<f32>, NODES * BATCH>;
var<workgroup> flux_four: array<vec4<f32>, 4u * ON_FACE * BATCH>;
var<workgroup> flux_two: array<vec2<f32>, 4u * ON_FACE * BATCH>;

fn own(at: u32) -> Fields {
    let four = own_four[at];
    return Fields(four.xyz, vec3<f32>(four.w, own_two[at]));
}

fn flux(at: u32) -> Fields {
    let four = flux_four[at];
    return Fields(four.xyz, vec3<f32>(four.w, flux_two[at]));
}

fn fields_before(element: u32, node: u32) -> Fields {
    let at = element * 6u * NODES + node;
    return Fields(
        vec3<f32>(before[at], before[at + NODES], before[at + 2u * NODES]),
        vec3<f32>(before[at + 3u * NODES], before[at + 4u * NODES], before[at + 5u * NODES]),
    );
}

// Returns the contribution of a face to ∂E/∂t and ∂H/∂t at one of its nodes before the lift.
fn through(face: Face, node_on_face: u32, inside: Fields) -> Fields {
    var outside: Fields;
    if (face.beyond & WALL) != 0u {
        outside.e = (f32(face.beyond & 3u) - 1.0) * inside.e;
        outside.h = (f32((face.beyond >> 2u) & 3u) - 1.0) * inside.h;
    } else {
        let node = face_nodes[node_on_face][face.beyond & 3u];
        outside = fields_before(face.beyond >> 2u, node);
    }
    let n = face.normal;
    let e = outside.e - inside.e;
    let h = outside.h - inside.h;
    return Fields(
        face.turned.x * cross(n, h) + face.tangential.x * (e - dot(n, e) * n),
        face.tangential.y * (h - dot(n, h) * n) - face.turned.y * cross(n, e),
    );
}

fn remembered(at: u32) -> vec3<f32> {
    return vec3<f32>(memory[at], memory[at + NODES], memory[at + 2u * NODES]);
}

fn remember(at: u32, value: vec3<f32>) {
    memory[at] = value.x;
    memory[at + NODES] = value.y;
    memory[at + 2u * NODES] = value.z;
}

fn term(at: u32) -> vec3<f32> {
    return vec3<f32>(terms[at], terms[at + NODES], terms[at + 2u * NODES]);
}

// Returns the PML terms to subtract from the rate of E (kind 0) or H (kind 1), and advances P and Q.
fn absorbed(layer: u32, node: u32, kind: u32, field: vec3<f32>) -> vec3<f32> {
    let at_p = layer * 24u * NODES + 3u * kind * NODES + node;
    let at_q = at_p + 6u * NODES;
    let at_terms = layer * 15u * NODES + node;
    let p = remembered(at_p);
    let q = remembered(at_q);
    let rate_p = field - term(at_terms + 9u * NODES) * p;
    let rate_q = rate_p - term(at_terms + 12u * NODES) * q;
    let register_p = stage.a * remembered(at_p + 12u * NODES) + stage.dt * rate_p;
    let register_q = stage.a * remembered(at_q + 12u * NODES) + stage.dt * rate_q;
    remember(at_p + 12u * NODES, register_p);
    remember(at_q + 12u * NODES, register_q);
    remember(at_p, p + stage.b * register_p);
    remember(at_q, q + stage.b * register_q);
    return term(at_terms) * field + term(at_terms + 3u * NODES) * p + term(at_terms + 6u * NODES) * q;
}

// Advances three components, beginning at an index.
fn advance(at: u32, field: vec3<f32>, rate: vec3<f32>) {
    for (var c = 0u; c < 3u; c++) {
        let place = at + c * NODES;
        let next = stage.a * registers[place] + stage.dt * rate[c];
        registers[place] = next;
        after[place] = field[c] + stage.b * next;
    }
}

@compute @workgroup_size(NODES * BATCH)
fn advance_batch(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let first = FIRST + (group.y * groups.x + group.x) * BATCH;
    let element = first + thread / NODES;
    let node = thread % NODES;
    if element < END {
        let fields = fields_before(element, node);
        own_four[thread] = vec4<f32>(fields.e, fields.h.x);
        own_two[thread] = fields.h.yz;
    }
    workgroupBarrier();

    for (var i = thread; i < 4u * ON_FACE * BATCH; i += NODES * BATCH) {
        let place = i / (4u * ON_FACE);
        let face = i / ON_FACE % 4u;
        let on_face = i % ON_FACE;
        if first + place < END {
            let inside = own(place * NODES + face_nodes[on_face][face]);
            let added = through(faces[4u * (first + place) + face], on_face, inside);
            flux_four[i] = vec4<f32>(added.e, added.h.x);
            flux_two[i] = added.h.yz;
        }
    }
    workgroupBarrier();
    if element >= END {
        return;
    }

    let place = thread / NODES;
    var e_r = vec3<f32>();
    var e_s = vec3<f32>();
    var e_t = vec3<f32>();
    var h_r = vec3<f32>();
    var h_s = vec3<f32>();
    var h_t = vec3<f32>();
    for (var m = 0u; m < NODES; m++) {
        let derivative = operators[m * NODES + node];
        let fields = own(place * NODES + m);
        e_r += derivative.x * fields.e;
        e_s += derivative.y * fields.e;
        e_t += derivative.z * fields.e;
        h_r += derivative.x * fields.h;
        h_s += derivative.y * fields.h;
        h_t += derivative.z * fields.h;
    }
    let shape = shapes[element];
    let curl_e = cross(shape.gradient_r, e_r) + cross(shape.gradient_s, e_s) + cross(shape.gradient_t, e_t);
    let curl_h = cross(shape.gradient_r, h_r) + cross(shape.gradient_s, h_s) + cross(shape.gradient_t, h_t);

    var lifted = Fields();
    for (var four = 0u; four < ON_FACE; four++) {
        let weights = operators[(NODES + four) * NODES + node];
        let at = 4u * (place * ON_FACE + four);
        for (var k = 0u; k < 4u; k++) {
            let added = flux(at + k);
            lifted.e += weights[k] * added.e;
            lifted.h += weights[k] * added.h;
        }
    }

    let fields = own(thread);
    var rate_e = shape.inverse_permittivity * curl_h - shape.electric_decay * fields.e + lifted.e;
    var rate_h = lifted.h - shape.inverse_permeability * curl_e - shape.magnetic_decay * fields.h;
    if LAYER {
        rate_e -= absorbed(element - FIRST, node, 0u, fields.e);
        rate_h -= absorbed(element - FIRST, node, 1u, fields.h);
    }
    let at = element * 6u * NODES + node;
    advance(at, fields.e, rate_e);
    advance(at + 3u * NODES, fields.h, rate_h);
}
