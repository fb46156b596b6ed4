//! A GPU fault and an invalid request are errors, without a CPU fallback.

use wavefield_gpu::{DeviceError, Fault, Gpu};
use wavefield_mesh::primitive;
use wavefield_physics::direction::Direction;
use wavefield_sbr::{Density, Error, GpuScatterer, Scatterer};

fn gpu() -> Gpu {
    Gpu::open(None).expect("GPU tests do not skip: install mesa-vulkan-drivers")
}

fn plate() -> Scatterer {
    Scatterer::new(&primitive::plate(0.3, 0.3, 1.0).unwrap()).unwrap()
}

#[test]
fn a_lost_gpu_stays_lost() {
    let gpu = gpu();
    let plate = plate();
    let body = GpuScatterer::new(&gpu, &plate).unwrap();
    let from = Direction::from_degrees(20.0, 10.0);
    let run = || body.scatter(from, &[from], &[3e9], Density::default());
    assert!(run().is_ok());
    gpu.inject_fault(Fault::DeviceLost);
    for _ in 0..2 {
        assert!(matches!(
            run(),
            Err(Error::Device(DeviceError::Lost { .. }))
        ));
    }
    assert!(matches!(
        GpuScatterer::new(&gpu, &plate),
        Err(Error::Device(DeviceError::Lost { .. }))
    ));
}

#[test]
fn a_fault_in_between_is_reported() {
    let gpu = gpu();
    let plate = plate();
    let body = GpuScatterer::new(&gpu, &plate).unwrap();
    let from = Direction::from_degrees(20.0, 10.0);
    gpu.inject_fault(Fault::Validation);
    // Results before the fault may be wrong as well: the body must be uploaded again.
    for _ in 0..2 {
        assert!(matches!(
            body.scatter(from, &[from], &[3e9], Density::default()),
            Err(Error::Device(DeviceError::Validation { .. }))
        ));
    }
}

#[test]
fn nonsense_is_refused_as_on_the_processor() {
    let body = plate();
    let on_gpu = GpuScatterer::new(&gpu(), &body).unwrap();
    let from = Direction::from_degrees(20.0, 10.0);
    let odd = Density {
        step: 0.0,
        ..Density::default()
    };
    for (frequency, density) in [
        (0.0, Density::default()),
        (f64::NAN, Density::default()),
        (3e9, odd),
        (1e18, Density::default()),
    ] {
        let told = on_gpu
            .scatter(from, &[from], &[frequency], density)
            .unwrap_err();
        let expected = body
            .scatter(from, &[from], &[frequency], density)
            .unwrap_err();
        assert_eq!(told.to_string(), expected.to_string());
    }
}
