// The sum of sum.rs with identical order of additions: blocks of 1024 in eight interleaved lanes, then pairs
// of blocks.

@group(0) @binding(0) var<storage, read> terms: array<f32>;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;

const BLOCK: u32 = 1024u;
const LANES: u32 = 8u;
const BLOCKS_PER_GROUP: u32 = 8u;

var<workgroup> lanes: array<f32, 64>;

@compute @workgroup_size(64)
fn blocks(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let count = arrayLength(&terms);
    let block = (group.y * groups.x + group.x) * BLOCKS_PER_GROUP + thread / LANES;
    let end = min(count, (block + 1u) * BLOCK);
    var total = 0.0;
    for (var index = block * BLOCK + thread % LANES; index < end; index += LANES) {
        total += terms[index];
    }
    lanes[thread] = total;
    workgroupBarrier();
    if thread % LANES == 0u && block < arrayLength(&sums) {
        let left = (lanes[thread] + lanes[thread + 1u]) + (lanes[thread + 2u] + lanes[thread + 3u]);
        let right = (lanes[thread + 4u] + lanes[thread + 5u]) + (lanes[thread + 6u] + lanes[thread + 7u]);
        sums[block] = left + right;
    }
}

@compute @workgroup_size(64)
fn pairs(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let pair = (group.y * groups.x + group.x) * 64u + thread;
    if pair >= arrayLength(&sums) {
        return;
    }
    if 2u * pair + 1u < arrayLength(&terms) {
        sums[pair] = terms[2u * pair] + terms[2u * pair + 1u];
    } else {
        sums[pair] = terms[2u * pair];
    }
}
