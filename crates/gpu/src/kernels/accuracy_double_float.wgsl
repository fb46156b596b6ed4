// Appended to double_float.wgsl.

struct Hiding {
    zero: u32,
}

@group(0) @binding(0) var<uniform> hiding: Hiding;
@group(0) @binding(1) var<storage, read> a: array<vec2<f32>>;
@group(0) @binding(2) var<storage, read> b: array<vec2<f32>>;
@group(0) @binding(3) var<storage, read_write> result: array<vec2<f32>>;

@compute @workgroup_size(64)
fn probe(@builtin(global_invocation_id) id: vec3<u32>) {
    let count = arrayLength(&a);
    let i = id.x;
    if i >= count {
        return;
    }
    result[i] = double_float_add(a[i], b[i], hiding.zero);
    result[count + i] = double_float_multiply(a[i], b[i], hiding.zero);
}
