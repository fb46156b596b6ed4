//! The requested device is opened or refused, without silent fallback.

use wavefield_gpu::{AdapterKind, Device, DeviceChoice, DeviceError, Gpu, adapters};
use wavefield_numerics::cpu::{CpuInfo, CpuPool, PoolError};

const NO_ADAPTER: &str = "GPU tests do not skip: install mesa-vulkan-drivers";

#[test]
fn choices_are_read_as_they_are_written() {
    for text in ["auto", "cpu", "gpu", "gpu:radeon rx"] {
        assert_eq!(text.parse::<DeviceChoice>().unwrap().to_string(), text);
    }
    assert_eq!(
        " GPU:Radeon ".parse(),
        Ok(DeviceChoice::GpuNamed("radeon".to_owned()))
    );
    for text in ["", "cuda", "gpu:", "gpu0"] {
        let error = text.parse::<DeviceChoice>().unwrap_err();
        assert_eq!(error.found, text);
        assert!(error.to_string().contains("`gpu:NAME`"));
    }
}

#[test]
fn a_software_adapter_is_taken_only_when_asked_for() {
    let present = adapters();
    let first = present.first().expect(NO_ADAPTER);
    assert!(matches!(
        Device::open(&DeviceChoice::Gpu, None),
        Ok(Device::Gpu(_))
    ));
    let automatic = Device::open(&DeviceChoice::Auto, Some(1)).unwrap();
    let software_only = present
        .iter()
        .all(|adapter| matches!(adapter.kind, AdapterKind::Software | AdapterKind::Unknown));
    assert_eq!(matches!(automatic, Device::Cpu(_)), software_only);

    let part = first.name.split_whitespace().next().unwrap().to_uppercase();
    let named = Device::open(&DeviceChoice::GpuNamed(part), None).unwrap();
    assert!(named.describe().contains(&first.name));
}

#[test]
fn an_unknown_name_lists_what_exists() {
    let error = Gpu::open(Some("no such gpu")).unwrap_err();
    let present: Vec<String> = adapters().into_iter().map(|adapter| adapter.name).collect();
    assert!(
        error
            .to_string()
            .contains(present.first().expect(NO_ADAPTER))
    );
    let name = "no such gpu".to_owned();
    assert_eq!(error, DeviceError::UnknownAdapter { name, present });
}

#[test]
fn the_pool_has_the_threads_that_were_asked_for() {
    for threads in [1, 3] {
        let pool = CpuPool::new(Some(threads)).unwrap();
        assert_eq!(pool.threads(), threads);
        assert_eq!(pool.install(rayon::current_num_threads), threads);
        assert!(pool.describe().starts_with("cpu: "));
    }
    for threads in [0, 5000, usize::MAX] {
        assert!(matches!(CpuPool::new(Some(threads)), Err(PoolError { .. })));
    }
    assert_eq!(
        CpuPool::new(None).unwrap().threads(),
        CpuInfo::detect().logical_cores
    );
}

#[test]
fn an_opened_gpu_knows_how_exactly_it_computes() {
    let gpu = Gpu::open(None).expect(NO_ADAPTER);
    let accuracy = gpu.accuracy().unwrap();
    for measured in [
        accuracy.add,
        accuracy.multiply,
        accuracy.divide,
        accuracy.square_root,
    ] {
        assert!(measured.promised(), "{measured:?}");
    }
    assert!(accuracy.sine.promised() && accuracy.cosine.promised());
    assert!(
        accuracy.double_float.promised(),
        "{:?}",
        accuracy.double_float
    );
    assert_eq!(accuracy.f64.is_some(), gpu.capabilities().f64);
    assert!(accuracy.f64.is_none_or(|measured| measured.promised()));
}
