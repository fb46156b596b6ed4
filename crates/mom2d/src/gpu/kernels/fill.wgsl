// Matrix entries: kernel times weight between all nodes of a block of rows and a block of columns. Appended to
// hankel.wgsl.
//
// With a = R̂·n, b = R̂·n′ and R̂ from source to point, and x = kR,
//
//   H₀ [s + h ab] + H₁ [d b − d′ a + h (n·n′ − 2ab)/x].

struct Node {
    // Positions in quanta, so that differences are exact.
    x: i32,
    y: i32,
    normal_x: f32,
    normal_y: f32,
    weight: f32,
}

struct Task {
    // Order of the matrix.
    size: u32,
    // First row and its node, number of rows.
    row: u32,
    row_node: u32,
    rows: u32,
    // First column within the slab and its node, number of columns.
    column: u32,
    column_node: u32,
    columns: u32,
    // Number of media: one, or two including an interior.
    media: u32,
    // Of each medium: [radians to a quantum, –, –, –], [s, d], [d′, h].
    medium: array<vec4<f32>, 6>,
}

@group(0) @binding(0) var<uniform> task: Task;
@group(0) @binding(1) var<storage, read> nodes: array<Node>;
@group(0) @binding(2) var<storage, read_write> slab: array<vec2<f32>>;

const ROWS: u32 = 64u;

fn multiplied(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

@compute @workgroup_size(ROWS)
fn fill(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let tiles = (task.rows + ROWS - 1u) / ROWS;
    let tile = group.y * groups.x + group.x;
    let i = tile % tiles * ROWS + thread;
    let j = tile / tiles;
    if i >= task.rows || j >= task.columns {
        return;
    }
    let point = nodes[task.row_node + i];
    let source = nodes[task.column_node + j];
    let dx = f32(point.x - source.x);
    let dy = f32(point.y - source.y);
    // Coincident nodes: finite here, replaced by a correction later.
    let distance = max(sqrt(dx * dx + dy * dy), 1.0);
    let a = (dx * point.normal_x + dy * point.normal_y) / distance;
    let b = (dx * source.normal_x + dy * source.normal_y) / distance;
    let along = point.normal_x * source.normal_x + point.normal_y * source.normal_y;
    var sum = vec2<f32>();
    for (var m = 0u; m < task.media; m++) {
        let x = task.medium[3u * m].x * distance;
        let singles = task.medium[3u * m + 1u];
        let others = task.medium[3u * m + 2u];
        let value = hankel(x);
        let even = singles.xy + others.zw * (a * b);
        let odd = singles.zw * b - others.xy * a + others.zw * ((along - 2.0 * a * b) / x);
        sum += multiplied(even, value.h0) + multiplied(odd, value.h1);
    }
    slab[(task.column + j) * task.size + task.row + i] = source.weight * sum;
}
