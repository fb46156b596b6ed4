//! Arrays larger than a binding, or than a buffer, are processed in chunks.

use num_complex::Complex;
use wavefield_gpu::fft::FftPlan;
use wavefield_gpu::{
    Access, Buffer, Capabilities, Chunks, Device, DeviceError, Gpu, Kernel, KernelSource,
    LargeBuffer, fold_workgroups,
};
use wavefield_numerics::fft::FftKind;

fn gpu() -> Gpu {
    Gpu::open(None).expect("GPU tests do not skip: install mesa-vulkan-drivers")
}

#[test]
fn three_hundred_megabytes_through_a_kernel() {
    let gpu = gpu();
    let kernel = Kernel::new(
        &gpu,
        &KernelSource {
            name: "add one",
            wgsl: "@group(0) @binding(0) var<storage, read_write> values: array<u32>;
                   @compute @workgroup_size(64) fn add_one(
                       @builtin(workgroup_id) group: vec3<u32>,
                       @builtin(num_workgroups) groups: vec3<u32>,
                       @builtin(local_invocation_index) thread: u32,
                   ) {
                       let index = (group.y * groups.x + group.x) * 64u + thread;
                       if index < arrayLength(&values) { values[index] += 1u; }
                   }",
            entry: "add_one",
            constants: &[],
            bindings: &[Access::ReadWrite],
        },
    )
    .unwrap();
    let values: Vec<u32> = (0..75_000_007).collect();
    let large = LargeBuffer::from_slice(&gpu, &values).unwrap();
    let bytes = values.len() as u64 * 4;
    let least = bytes.div_ceil(gpu.capabilities().max_storage_binding) as usize;
    assert!(large.chunks().iter().count() >= least);
    gpu.dispatch_chunks(&kernel, large.chunks(), 64, |chunk| {
        Ok(vec![large.bind(chunk)?])
    })
    .unwrap();
    let found = large.read().unwrap();
    assert_eq!(found.len(), values.len());
    assert!(
        found
            .iter()
            .zip(&values)
            .all(|(found, value)| *found == value + 1)
    );
}

/// Limits small enough to exercise every rule of the partition.
fn small(gpu: &Gpu) -> Capabilities {
    Capabilities {
        max_buffer: 5000,
        max_storage_binding: 2000,
        storage_alignment: 64,
        ..gpu.capabilities().clone()
    }
}

#[test]
fn an_array_beyond_one_buffer_is_spread_over_several() {
    let gpu = gpu();
    let chunks = Chunks::new(&small(&gpu), 3000, 8).unwrap();
    let mut next = 0;
    for chunk in chunks.iter() {
        assert_eq!(chunk.range.start, next);
        assert_eq!(chunk.range.start * 8 % 64, 0);
        assert!(chunk.range.len() * 8 <= 2000);
        next = chunk.range.end;
    }
    assert_eq!(next, 3000);

    let kernel = Kernel::new(
        &gpu,
        &KernelSource {
            name: "copy",
            wgsl: "@group(0) @binding(0) var<storage, read> from_here: array<u32>;
                   @group(0) @binding(1) var<storage, read_write> to_there: array<vec2<u32>>;
                   @compute @workgroup_size(64) fn copy(@builtin(global_invocation_id) id: vec3<u32>) {
                       if id.x < arrayLength(&to_there) {
                           to_there[id.x] = vec2<u32>(from_here[id.x], arrayLength(&to_there));
                       }
                   }",
            entry: "copy",
            constants: &[],
            bindings: &[Access::Read, Access::ReadWrite],
        },
    )
    .unwrap();
    // Arrays of narrow and wide elements share the partition of the wide one.
    let narrow = LargeBuffer::<u32>::zeroed(&gpu, &chunks).unwrap();
    let wide = LargeBuffer::<[u32; 2]>::zeroed(&gpu, &chunks).unwrap();
    let numbers: Vec<u32> = (0..3000).map(|value| value * 3).collect();
    narrow.write(&numbers).unwrap();
    assert!(wide.buffers() > 1);
    gpu.dispatch_chunks(&kernel, &chunks, 64, |chunk| {
        Ok(vec![narrow.bind(chunk)?, wide.bind(chunk)?])
    })
    .unwrap();
    let found = wide.read().unwrap();
    for chunk in chunks.iter() {
        for index in chunk.range.clone() {
            assert_eq!(found[index], [numbers[index], chunk.range.len() as u32]);
        }
    }
}

#[test]
fn an_element_wider_than_a_binding_is_refused() {
    let refused = Chunks::new(&small(&gpu()), 10, 4000).unwrap_err();
    assert!(matches!(refused, DeviceError::TooLarge { limit: 2000, .. }));
}

#[test]
fn workgroups_fold_to_two_axes_without_losing_any() {
    for groups in [1_u64, 65_535, 65_536, 100_000, 4_294_836_225] {
        let (x, y) = fold_workgroups(groups, 65_535).unwrap();
        let launched = u64::from(x) * u64::from(y);
        assert!(
            x <= 65_535 && y <= 65_535 && launched >= groups && launched - groups < u64::from(y)
        );
    }
    let refused = fold_workgroups(4_294_836_226, 65_535).unwrap_err();
    let (groups, limit) = (4_294_836_226, 4_294_836_225);
    assert_eq!(refused, DeviceError::TooManyWorkgroups { groups, limit });
}

#[test]
fn transforms_whose_batch_exceeds_a_binding() {
    let gpu = gpu();
    let device = Device::Gpu(gpu.clone());
    let points = 1 << 12;
    let element = size_of::<Complex<f32>>();
    let per_binding = gpu.capabilities().max_storage_binding as usize / (points * element);
    let batch = per_binding + 3;
    // A harmonic of a different order in each transform has a single line in its spectrum.
    let data: Vec<Complex<f32>> = (0..batch)
        .flat_map(|wave| {
            (0..points).map(move |n| {
                let turns = ((wave * n) % points) as f32 / points as f32;
                Complex::cis(std::f32::consts::TAU * turns)
            })
        })
        .collect();
    let plan = FftPlan::<f32>::new(&device, &[points], batch, FftKind::Complex).unwrap();
    let buffer = Buffer::from_slice(&gpu, &data).unwrap();
    drop(data);
    gpu.submit(|commands| plan.record_forward(commands, &buffer))
        .unwrap();
    for (wave, spectrum) in buffer.read().unwrap().chunks(points).enumerate() {
        for (k, value) in spectrum.iter().enumerate() {
            let exact = if k == wave % points {
                points as f32
            } else {
                0.0
            };
            // Rounding of the input, 6e-8 per term, accumulates to √N of it in the spectrum; ten times that is
            // the margin.
            assert!(
                (value - exact).norm() < 6e-7 * points as f32,
                "transform {wave}, element {k}: {value}"
            );
        }
    }
}
