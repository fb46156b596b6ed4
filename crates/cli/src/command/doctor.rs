//! `wavefield doctor`: checks CPU, GPU, and dependencies, and prints remedies.

use serde_json::{Value, json};
use wavefield::Error;
use wavefield::gmsh;
use wavefield_gpu::{Accuracy, AdapterInfo, AdapterKind, Gpu, Measured};
use wavefield_numerics::cpu::CpuInfo;
use wavefield_validation::reference_data;

pub(super) fn doctor(as_json: bool) -> Result<(), Error> {
    let cpu = CpuInfo::detect();
    let adapters = wavefield_gpu::adapters();
    let probes: Vec<Result<Accuracy, String>> = adapters.iter().map(probe).collect();
    let gmsh = gmsh::version();
    let data = reference_data::find("austin-rcs");
    if as_json {
        let listed: Vec<Value> = adapters
            .iter()
            .zip(&probes)
            .map(|(a, p)| adapter_json(a, p))
            .collect();
        say!(
            "{}",
            json!({
                "program": concat!("wavefield ", env!("CARGO_PKG_VERSION")),
                "cpu": {
                    "brand": cpu.brand,
                    "logical_cores": cpu.logical_cores,
                    "simd": cpu.simd.to_string(),
                },
                "adapters": listed,
                "gmsh": gmsh,
                "reference_data": data.is_some(),
            })
        );
        return Ok(());
    }
    say!("wavefield {}", env!("CARGO_PKG_VERSION"));
    say!("");
    say!("CPU     {}", cpu.brand.as_deref().unwrap_or("unknown"));
    say!("        {} threads, {}", cpu.logical_cores, cpu.simd);
    for (adapter, probe) in adapters.iter().zip(&probes) {
        say!("");
        print_adapter(adapter, probe);
    }
    let hardware = adapters.iter().any(|a| a.kind != AdapterKind::Software);
    if !hardware {
        say!("");
        say!("GPU     no hardware GPU found; all solvers run on the CPU.");
        say!(
            "        If one is installed, its Vulkan driver is not visible: install the vendor's driver;"
        );
        say!("        in a container, pass the device in with its graphics capability.");
        if adapters.is_empty() {
            say!(
                "        For the GPU tests a software adapter suffices (Debian: mesa-vulkan-drivers)."
            );
        }
    }
    say!("");
    match gmsh {
        Some(version) => say!("Gmsh    {version}"),
        None => say!("Gmsh    not found; required for tetrahedral meshes only: pip install gmsh"),
    }
    match data {
        Some(_) => say!("Data    Austin benchmark suite found"),
        None => say!("Data    {}", reference_data::missing("austin-rcs")),
    }
    Ok(())
}

/// Opens the adapter and measures its arithmetic accuracy.
fn probe(adapter: &AdapterInfo) -> Result<Accuracy, String> {
    let gpu = Gpu::open(Some(&adapter.name)).map_err(|error| error.to_string())?;
    gpu.accuracy().cloned().map_err(|error| error.to_string())
}

fn measured(accuracy: &Accuracy) -> Vec<(&'static str, &Measured)> {
    let mut list = vec![
        ("f32_add_ulp", &accuracy.add),
        ("f32_multiply_ulp", &accuracy.multiply),
        ("f32_fma_ulp", &accuracy.fused_multiply_add),
        ("f32_divide_ulp", &accuracy.divide),
        ("f32_sqrt_ulp", &accuracy.square_root),
        ("f32_sin_absolute", &accuracy.sine),
        ("f32_cos_absolute", &accuracy.cosine),
        ("double_float_relative", &accuracy.double_float),
    ];
    if let Some(double) = &accuracy.f64 {
        list.push(("f64_relative", double));
    }
    list
}

fn adapter_json(adapter: &AdapterInfo, probe: &Result<Accuracy, String>) -> Value {
    let c = &adapter.capabilities;
    let accuracy = match probe {
        Ok(accuracy) => measured(accuracy)
            .into_iter()
            .map(|(name, m)| {
                let entry = json!({ "error": m.error, "limit": m.limit, "promised": m.promised() });
                (name.to_owned(), entry)
            })
            .collect::<serde_json::Map<_, _>>()
            .into(),
        Err(why) => json!({ "failed": why }),
    };
    json!({
        "name": adapter.name,
        "backend": adapter.backend,
        "driver": adapter.driver,
        "kind": adapter.kind.to_string(),
        "f64": c.f64,
        "i64": c.i64,
        "f32_atomics": c.f32_atomics,
        "subgroup_sizes": c.subgroup_sizes,
        "timestamps": c.timestamps,
        "max_buffer_bytes": c.max_buffer,
        "max_storage_binding_bytes": c.max_storage_binding,
        "workgroup_memory_bytes": c.workgroup_memory,
        "max_invocations_per_workgroup": c.max_invocations,
        "max_workgroups_per_axis": c.max_workgroups_per_axis,
        "accuracy": accuracy,
    })
}

fn print_adapter(adapter: &AdapterInfo, probe: &Result<Accuracy, String>) {
    let c = &adapter.capabilities;
    let mark = |there: bool| if there { "yes" } else { "no" };
    say!(
        "GPU     {} ({}, {})",
        adapter.name,
        adapter.kind,
        adapter.backend
    );
    say!("        driver {}", adapter.driver);
    say!(
        "        f64 {}   f32 atomics {}   subgroups {}   timestamps {}",
        mark(c.f64),
        mark(c.f32_atomics),
        c.subgroup_sizes.map_or("no".to_owned(), |(low, high)| {
            if low == high {
                low.to_string()
            } else {
                format!("{low}–{high}")
            }
        }),
        mark(c.timestamps)
    );
    say!(
        "        largest buffer {} MiB, binding {} MiB, workgroup memory {} KiB",
        c.max_buffer >> 20,
        c.max_storage_binding >> 20,
        c.workgroup_memory >> 10
    );
    match probe {
        Ok(accuracy) => {
            let bad: Vec<String> = measured(accuracy)
                .into_iter()
                .filter(|(_, m)| !m.promised())
                .map(|(name, m)| format!("{name} {:.1e} (limit {:.1e})", m.error, m.limit))
                .collect();
            let double = accuracy
                .f64
                .as_ref()
                .map_or(String::new(), |m| format!(", f64 {:.0e}", m.error));
            say!(
                "        arithmetic: double-float {:.0e}{double}",
                accuracy.double_float.error
            );
            if !bad.is_empty() {
                say!("        accuracy below specification: {}", bad.join("; "));
            }
        }
        Err(why) => say!("        could not be opened: {why}"),
    }
}
