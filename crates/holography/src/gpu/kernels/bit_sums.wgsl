// Sums of weighted bits of all microphones, ±1: the amplitudes at some bins, from packed words.
//
// Weights are 42-bit integers in two limbs, high · 2²¹ + low. Integer sums are exact, and identical on every GPU and in
// any order. The number of clock cycles in a block is limited so that the sum of a limb fits 32 bits; between blocks
// the low limb carries over.

// Bits of the low limb.
const LIMB: u32 = 21u;

// Words of one clock cycle, an even number.
override WORDS: u32;
override BINS: u32;
// Clock cycles of a block.
override BLOCK: u32;

struct Slice {
    clocks: u32,
    blocks: u32,
}

@group(0) @binding(0) var<uniform> slice: Slice;
// [clock][word].
@group(0) @binding(1) var<storage, read> bits: array<u32>;
// [bin][clock]: high and low limb of the real part, then of the imaginary part.
@group(0) @binding(2) var<storage, read> weights: array<vec4<i32>>;
// [block][bin][place].
@group(0) @binding(3) var<storage, read_write> parts: array<vec4<i32>>;
// [bin][place].
@group(0) @binding(4) var<storage, read_write> sums: array<vec4<i32>>;

// A workgroup processes two words: a thread for each bit.
@compute @workgroup_size(64)
fn weigh(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group.y * groups.x + group.x;
    let pairs = WORDS / 2u;
    let block = number / (pairs * BINS);
    if block >= slice.blocks {
        return;
    }
    let bin = number / pairs % BINS;
    let place = 64u * (number % pairs) + thread;
    let word = place / 32u;
    let bit = place % 32u;
    let end = min((block + 1u) * BLOCK, slice.clocks);
    var sum = vec4<i32>();
    for (var clock = block * BLOCK; clock < end; clock++) {
        let weight = weights[bin * slice.clocks + clock];
        let is_one = (bits[clock * WORDS + word] >> bit & 1u) == 1u;
        sum += select(-weight, weight, is_one);
    }
    parts[(block * BINS + bin) * 32u * WORDS + place] = sum;
}

@compute @workgroup_size(64)
fn gather(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let i = (group.y * groups.x + group.x) * 64u + thread;
    let count = 32u * WORDS * BINS;
    if i >= count {
        return;
    }
    var sum = sums[i];
    for (var block = 0u; block < slice.blocks; block++) {
        sum += parts[block * count + i];
        // Arithmetic shifts keep the sign: the remaining low limb is between 0 and 2²¹.
        let carry = sum.yw >> vec2<u32>(LIMB);
        sum = vec4<i32>(
            sum.x + carry.x,
            sum.y - (carry.x << LIMB),
            sum.z + carry.y,
            sum.w - (carry.y << LIMB),
        );
    }
    sums[i] = sum;
}
