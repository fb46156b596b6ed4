//! Device faults are returned as errors; no number computed after a fault is returned.

use num_complex::Complex;
use wavefield_gpu::fft::{FftError, FftPlan};
use wavefield_gpu::{Access, Buffer, Device, DeviceError, Fault, Gpu, Kernel, KernelSource};
use wavefield_numerics::fft::FftKind;

fn gpu() -> Gpu {
    Gpu::open(None).expect("GPU tests do not skip: install mesa-vulkan-drivers")
}

const DOUBLING: KernelSource<'_> = KernelSource {
    name: "double",
    wgsl: "@group(0) @binding(0) var<storage, read_write> values: array<f32>;
           @compute @workgroup_size(64) fn double(@builtin(global_invocation_id) id: vec3<u32>) {
               if id.x < arrayLength(&values) { values[id.x] *= 2.0; }
           }",
    entry: "double",
    constants: &[],
    bindings: &[Access::ReadWrite],
};

#[test]
fn a_lost_device_stays_lost() {
    let gpu = gpu();
    let kernel = Kernel::new(&gpu, &DOUBLING).unwrap();
    let values = Buffer::from_slice(&gpu, &[1.0_f32; 100]).unwrap();
    let plan = FftPlan::<f32>::new(&Device::Gpu(gpu.clone()), &[64], 1, FftKind::Complex).unwrap();
    gpu.dispatch(&kernel, &[values.bind()], 2).unwrap();
    gpu.inject_fault(Fault::DeviceLost);

    let is_lost = |error: DeviceError| matches!(error, DeviceError::Lost { .. });
    assert!(is_lost(
        gpu.dispatch(&kernel, &[values.bind()], 2).unwrap_err()
    ));
    assert!(is_lost(values.read().unwrap_err()));
    assert!(is_lost(values.write(0, &[3.0]).unwrap_err()));
    assert!(is_lost(Buffer::<f32>::zeroed(&gpu, 4).unwrap_err()));
    assert!(is_lost(Kernel::new(&gpu, &DOUBLING).unwrap_err()));
    assert!(is_lost(gpu.wait().unwrap_err()));
    let mut data = vec![Complex::new(1.0, 0.0); 64];
    assert!(
        matches!(plan.forward(&mut data), Err(FftError::Device(error)) if is_lost(error.clone()))
    );
}

#[test]
fn a_fault_outside_every_scope_is_reported_once_by_the_next_operation() {
    let gpu = gpu();
    let values = Buffer::from_slice(&gpu, &[1.0_f32, 2.0]).unwrap();
    gpu.inject_fault(Fault::Validation);
    assert!(matches!(values.read(), Err(DeviceError::Validation { .. })));
    assert_eq!(values.read(), Ok(vec![1.0, 2.0]));
}

#[test]
fn running_out_of_memory_is_told_apart() {
    let gpu = gpu();
    let values = Buffer::from_slice(&gpu, &[1.0_f32, 2.0]).unwrap();
    gpu.inject_fault(Fault::OutOfMemory);
    assert!(matches!(
        values.read(),
        Err(DeviceError::OutOfMemory { .. })
    ));
    assert_eq!(values.read(), Ok(vec![1.0, 2.0]));
}

#[test]
fn a_wrong_kernel_carries_the_compilers_message() {
    let wrong = KernelSource {
        name: "wrong",
        wgsl: "fn double( {",
        ..DOUBLING
    };
    match Kernel::new(&gpu(), &wrong) {
        Err(DeviceError::Kernel { name, message }) => {
            assert_eq!(name, "wrong");
            assert!(message.contains("expected"), "{message}");
        }
        other => panic!("{other:?}"),
    }
    let absent = KernelSource {
        entry: "triple",
        ..DOUBLING
    };
    assert!(matches!(
        Kernel::new(&gpu(), &absent),
        Err(DeviceError::Kernel { .. })
    ));
}

#[test]
fn requests_that_do_not_fit_are_refused_with_the_numbers() {
    let gpu = gpu();
    let limit = gpu.capabilities().max_buffer;
    let bytes = (limit / 4 + 1) * 4;
    let refused = Buffer::<f32>::zeroed(&gpu, (bytes / 4) as usize).unwrap_err();
    assert_eq!(
        refused,
        DeviceError::TooLarge {
            what: "one buffer",
            bytes,
            limit
        }
    );

    let values = Buffer::from_slice(&gpu, &[0.0_f32; 8]).unwrap();
    let beyond = values.write(6, &[0.0; 3]).unwrap_err();
    assert_eq!(
        beyond,
        DeviceError::Length {
            what: "the buffer",
            expected: 8,
            found: 9
        }
    );

    let kernel = Kernel::new(&gpu, &DOUBLING).unwrap();
    let none = gpu.dispatch(&kernel, &[], 1).unwrap_err();
    assert!(matches!(
        none,
        DeviceError::Length {
            expected: 1,
            found: 0,
            ..
        }
    ));
    // A binding that ends beyond its buffer is rejected when it is bound.
    let outside = gpu
        .dispatch(&kernel, &[values.bind_range(0..64)], 1)
        .unwrap_err();
    assert!(matches!(outside, DeviceError::Validation { .. }));
    assert_eq!(values.read().unwrap(), [0.0; 8]);
}

#[test]
fn a_failed_recording_submits_nothing() {
    let gpu = gpu();
    let kernel = Kernel::new(&gpu, &DOUBLING).unwrap();
    let values = Buffer::from_slice(&gpu, &[1.0_f32; 4]).unwrap();
    let failed = gpu.submit(|commands| {
        commands.dispatch(&kernel, &[values.bind()], 1)?;
        commands.dispatch(&kernel, &[], 1)
    });
    assert!(matches!(failed, Err(DeviceError::Length { .. })));
    assert_eq!(values.read().unwrap(), [1.0; 4]);
}
