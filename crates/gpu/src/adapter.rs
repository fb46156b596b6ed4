//! GPU adapters, their capabilities, and their selection.

use std::fmt;

use crate::error::DeviceError;

/// Kind of hardware of an adapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdapterKind {
    /// A discrete GPU with its own memory.
    Discrete,
    /// An integrated GPU that shares the memory of the CPU.
    Integrated,
    /// A virtual GPU of a virtual machine.
    Virtual,
    /// A software rasterizer on the CPU: suitable for tests, slow for computation.
    Software,
    /// Not reported by the driver.
    Unknown,
}

impl AdapterKind {
    fn of(device_type: wgpu::DeviceType) -> Self {
        match device_type {
            wgpu::DeviceType::DiscreteGpu => Self::Discrete,
            wgpu::DeviceType::IntegratedGpu => Self::Integrated,
            wgpu::DeviceType::VirtualGpu => Self::Virtual,
            wgpu::DeviceType::Cpu => Self::Software,
            wgpu::DeviceType::Other => Self::Unknown,
        }
    }

    fn preference(self) -> u8 {
        match self {
            Self::Discrete => 0,
            Self::Integrated => 1,
            Self::Virtual => 2,
            Self::Unknown => 3,
            Self::Software => 4,
        }
    }
}

impl fmt::Display for AdapterKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Discrete => "discrete",
            Self::Integrated => "integrated",
            Self::Virtual => "virtual",
            Self::Software => "software",
            Self::Unknown => "unknown kind",
        })
    }
}

/// Capabilities of an adapter; sizes in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capabilities {
    /// Double precision in kernels.
    pub f64: bool,
    /// 64-bit integers in kernels.
    pub i64: bool,
    /// Atomic addition of `f32`.
    pub f32_atomics: bool,
    /// Smallest and largest subgroup (warp, wave), if kernels may use subgroups.
    pub subgroup_sizes: Option<(u32, u32)>,
    /// Timestamp queries: kernels can be timed by the clock of the device.
    pub timestamps: bool,
    /// Maximum size of a buffer.
    pub max_buffer: u64,
    /// Maximum size of a storage binding.
    pub max_storage_binding: u64,
    /// Required alignment of the offset of a storage binding.
    pub storage_alignment: u64,
    /// Maximum number of storage buffers of a kernel.
    pub max_storage_buffers: u32,
    /// Shared memory of a workgroup.
    pub workgroup_memory: u32,
    /// Maximum number of threads of a workgroup.
    pub max_invocations: u32,
    /// Maximum number of workgroups per axis of a dispatch.
    pub max_workgroups_per_axis: u32,
}

/// A GPU adapter, as listed by `doctor`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdapterInfo {
    /// Name of the device.
    pub name: String,
    /// Graphics API: Vulkan, Metal, or DX12.
    pub backend: String,
    /// Driver and its version.
    pub driver: String,
    /// Kind of hardware.
    pub kind: AdapterKind,
    /// Capabilities.
    pub capabilities: Capabilities,
}

impl AdapterInfo {
    pub(super) fn of(adapter: &wgpu::Adapter) -> Self {
        let info = adapter.get_info();
        let (features, limits) = (adapter.features(), adapter.limits());
        let driver = format!("{} {}", info.driver, info.driver_info);
        Self {
            name: info.name,
            backend: format!("{:?}", info.backend),
            driver: driver.trim().to_owned(),
            kind: AdapterKind::of(info.device_type),
            capabilities: Capabilities {
                f64: features.contains(wgpu::Features::SHADER_F64),
                i64: features.contains(wgpu::Features::SHADER_INT64),
                f32_atomics: features.contains(wgpu::Features::SHADER_FLOAT32_ATOMIC),
                subgroup_sizes: features
                    .contains(wgpu::Features::SUBGROUP)
                    .then_some((info.subgroup_min_size, info.subgroup_max_size)),
                timestamps: features.contains(wgpu::Features::TIMESTAMP_QUERY),
                max_buffer: limits.max_buffer_size,
                max_storage_binding: limits.max_storage_buffer_binding_size,
                storage_alignment: u64::from(limits.min_storage_buffer_offset_alignment),
                max_storage_buffers: limits.max_storage_buffers_per_shader_stage,
                workgroup_memory: limits.max_compute_workgroup_storage_size,
                max_invocations: limits.max_compute_invocations_per_workgroup,
                max_workgroups_per_axis: limits.max_compute_workgroups_per_dimension,
            },
        }
    }
}

pub(super) fn wanted_features() -> wgpu::Features {
    wgpu::Features::SHADER_F64
        | wgpu::Features::SHADER_INT64
        | wgpu::Features::SHADER_FLOAT32_ATOMIC
        | wgpu::Features::SUBGROUP
        | wgpu::Features::TIMESTAMP_QUERY
}

/// Returns all adapters of this machine, the preferred one first.
#[must_use]
pub fn adapters() -> Vec<AdapterInfo> {
    ranked().iter().map(AdapterInfo::of).collect()
}

/// Returns the preferred hardware adapter.
pub(crate) fn hardware() -> Option<wgpu::Adapter> {
    ranked().into_iter().find(|adapter| {
        matches!(
            AdapterKind::of(adapter.get_info().device_type),
            AdapterKind::Discrete | AdapterKind::Integrated | AdapterKind::Virtual
        )
    })
}

pub(super) fn find(name: Option<&str>) -> Result<wgpu::Adapter, DeviceError> {
    let all = ranked();
    if all.is_empty() {
        return Err(DeviceError::NoAdapter);
    }
    let present: Vec<String> = all.iter().map(|adapter| adapter.get_info().name).collect();
    let Some(name) = name else {
        return all.into_iter().next().ok_or(DeviceError::NoAdapter);
    };
    let wanted = name.to_lowercase();
    all.into_iter()
        .find(|adapter| adapter.get_info().name.to_lowercase().contains(&wanted))
        .ok_or_else(|| DeviceError::UnknownAdapter {
            name: name.to_owned(),
            present,
        })
}

fn ranked() -> Vec<wgpu::Adapter> {
    let backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = backends;
    // Validation by wgpu itself stays enabled; the validation layers of the driver would only print.
    descriptor.flags = wgpu::InstanceFlags::empty();
    // A driver that overcommits memory fails later together with the process; a refused buffer is a
    // recoverable error.
    descriptor.memory_budget_thresholds.for_resource_creation = Some(95);
    let instance = wgpu::Instance::new(descriptor);
    let mut found: Vec<wgpu::Adapter> = pollster::block_on(instance.enumerate_adapters(backends));
    found.retain(|adapter| {
        adapter
            .get_downlevel_capabilities()
            .flags
            .contains(wgpu::DownlevelFlags::COMPUTE_SHADERS)
    });
    found.sort_by_key(|adapter| AdapterKind::of(adapter.get_info().device_type).preference());
    found
}
