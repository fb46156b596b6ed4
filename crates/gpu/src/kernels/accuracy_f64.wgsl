// Only operations that all drivers support in f64; transcendental functions are not among them.

@group(0) @binding(0) var<storage, read> a: array<f64>;
@group(0) @binding(1) var<storage, read> b: array<f64>;
@group(0) @binding(2) var<storage, read_write> result: array<f64>;

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
    result[2u * count + i] = x / y;
    result[3u * count + i] = sqrt(abs(x));
}
