// Conversion between real lines and their half spectra. Appended to real_f32.wgsl or real_f64.wgsl.
//
// A line of n real numbers is transformed as m = n/2 complex ones z[t] = x[2t] + j·x[2t+1] if n is even, and as n
// complex ones without imaginary part if n is odd. Half spectra have n/2 + 1 elements, k = 0 to n/2.

override THREADS: u32 = 64u;
// Real numbers per line.
override LENGTH: u32 = 1u;

// Twiddle factors W_n^k for k from 0 to n/2.
@group(0) @binding(0) var<storage, read> twiddles: array<complex>;
@group(0) @binding(1) var<storage, read> input: array<complex>;
@group(0) @binding(2) var<storage, read_write> output: array<complex>;
// The same bindings, for entry points with real input or output.
@group(0) @binding(1) var<storage, read> real_input: array<real>;
@group(0) @binding(2) var<storage, read_write> real_output: array<real>;

fn multiply(a: complex, b: complex) -> complex {
    return complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

fn conjugate(a: complex) -> complex {
    return complex(a.x, -a.y);
}

fn number(group: vec3<u32>, groups: vec3<u32>, thread: u32) -> u32 {
    return (group.y * groups.x + group.x) * THREADS + thread;
}

// X[k] = ½(Z[k] + Z*[m−k]) − ½j·W_n^k·(Z[k] − Z*[m−k]), from m to m + 1 elements per line.
@compute @workgroup_size(THREADS)
fn separate_even(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let n = number(group, groups, thread);
    if n >= arrayLength(&output) {
        return;
    }
    let m = LENGTH / 2u;
    let first = (n / (m + 1u)) * m;
    let k = n % (m + 1u);
    let z = input[first + k % m];
    let mirrored = conjugate(input[first + (m - k) % m]);
    let odd = multiply(twiddles[k], z - mirrored);
    output[n] = HALF * (z + mirrored + complex(odd.y, -odd.x));
}

// Z[k] = (X[k] + X*[m−k]) + j·W_n^(−k)·(X[k] − X*[m−k]): twice the inverse of the above, as the unnormalized
// transform of half the length requires. The ends of a half spectrum are real; their imaginary parts are ignored.
@compute @workgroup_size(THREADS)
fn join_even(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let n = number(group, groups, thread);
    if n >= arrayLength(&output) {
        return;
    }
    let m = LENGTH / 2u;
    let first = (n / m) * (m + 1u);
    let k = n % m;
    var x = input[first + k];
    var mirrored = conjugate(input[first + m - k]);
    if k == 0u {
        x.y = ZERO;
        mirrored.y = ZERO;
    }
    let odd = multiply(conjugate(twiddles[k]), x - mirrored);
    output[n] = x + mirrored + complex(-odd.y, odd.x);
}

@compute @workgroup_size(THREADS)
fn widen_odd(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let n = number(group, groups, thread);
    if n < arrayLength(&output) {
        output[n] = complex(real_input[n], ZERO);
    }
}

// Extracts the half spectrum of each line.
@compute @workgroup_size(THREADS)
fn crop_odd(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let n = number(group, groups, thread);
    if n < arrayLength(&output) {
        let half = LENGTH / 2u + 1u;
        output[n] = input[(n / half) * LENGTH + n % half];
    }
}

// Completes a line from its half spectrum by conjugate symmetry: X[n − k] = X*[k].
@compute @workgroup_size(THREADS)
fn mirror_odd(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let n = number(group, groups, thread);
    if n >= arrayLength(&output) {
        return;
    }
    let half = LENGTH / 2u + 1u;
    let first = (n / LENGTH) * half;
    let k = n % LENGTH;
    if k == 0u {
        output[n] = complex(input[first].x, ZERO);
    } else if k < half {
        output[n] = input[first + k];
    } else {
        output[n] = conjugate(input[first + LENGTH - k]);
    }
}

@compute @workgroup_size(THREADS)
fn narrow_odd(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let n = number(group, groups, thread);
    if n < arrayLength(&real_output) {
        real_output[n] = input[n].x;
    }
}
