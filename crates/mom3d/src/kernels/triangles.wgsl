// Shared declarations of the matrix fill: blocks of pairs by quadrature, overwritten by near pairs, gathered to entries.
// Appended to the function cos_sin of wavefield-gpu.
//
// For functions h = (r − v)/2A on both, G = e^{−jkR}/4πR and R = r − r′, with S₀ = ⟨G⟩, S₁ = ⟨G R⟩ and T = ⟨∇G⟩ over the
// source, d = r − v′ and a = r − v,
//
//   electric  jk/4 (a·d S₀ − a·S₁) − j/k S₀,   magnetic  −¼ [(a·T)(n·d) − (a·d)(n·T)].

struct Triangle {
    corners: array<f32, 9>,
    normal: array<f32, 3>,
    electric: f32,
    magnetic: f32,
    unused: array<f32, 2>,
}

struct Task {
    triangles: u32,
    sources: u32,
    // Order of the matrix; first column of the slab and number of its columns.
    size: u32,
    first: u32,
    columns: u32,
    wavenumber: f32,
    unused: vec2<u32>,
    // Quadrature rule: barycentric coordinates and weights.
    rule: array<vec4<f32>, 7>,
}

// Part of a basis function on one of its two triangles.
struct Share {
    // Triangle, or its index among the sources.
    triangle: u32,
    corner: u32,
    weight: f32,
}

struct Near {
    // Index of the block.
    place: u32,
    block: array<f32, 18>,
}

const THREADS: u32 = 64u;
const NODES: u32 = 7u;
const ONE_OVER_4PI: f32 = 0.079577471545947668;

@group(0) @binding(0) var<uniform> task: Task;

// Returns cos x and sin x for x ≥ 0.
fn wave(x: f32) -> vec2<f32> {
    if x < 0.5 {
        let y = x * x;
        return vec2<f32>(
            1.0 + y * (-0.5 + y * (4.1666667e-2 + y * (-1.3888889e-3 + y * 2.4801587e-5))),
            x * (1.0 + y * (-1.6666667e-1 + y * (8.3333333e-3 - y * 1.984127e-4))),
        );
    }
    return cos_sin(x);
}

fn times_j(z: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(-z.y, z.x);
}
