// One operation per row of the result, which the host compares with its own arithmetic.

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read> c: array<f32>;
@group(0) @binding(3) var<storage, read_write> result: array<f32>;

@compute @workgroup_size(64)
fn probe(@builtin(global_invocation_id) id: vec3<u32>) {
    let count = arrayLength(&a);
    let i = id.x;
    if i >= count {
        return;
    }
    let x = a[i];
    let y = b[i];
    result[i] = x + y;
    result[count + i] = x * y;
    result[2u * count + i] = fma(x, y, c[i]);
    result[3u * count + i] = x / y;
    result[4u * count + i] = sqrt(abs(x));
    result[5u * count + i] = sin(x);
    result[6u * count + i] = cos(x);
}
