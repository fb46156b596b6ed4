//! The estimated error of S-parameters fails the check where edges of conductors are unresolved, and only there.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use num_complex::Complex64;
use wavefield_dgtd::{DgtdSolver, Error, Plan, Solution, Spec};
use wavefield_gpu::{Device, DeviceChoice, Gpu};
use wavefield_mesh::gmsh::Task;
use wavefield_mesh::primitive::tetrahedral_box;
use wavefield_mesh::{AnyMesh, Group, TetrahedralMesh, write_msh_volume};
use wavefield_numerics::observe::{Observer, Progress, Silent};
use wavefield_physics::constants::{VACUUM_IMPEDANCE, vacuum_wavenumber};
use wavefield_solver::checkpoint::{CheckpointError, CheckpointStore, NullStore, Part};
use wavefield_solver::outcome::Check;
use wavefield_solver::transport::{ThreadRank, Transport};
use wavefield_solver::{Context, Inputs, NoInputs, Plan as _, Solver};

use crate::ports::line;

/// A mesh as the only file.
struct MeshInput(Vec<u8>);

impl Inputs for MeshInput {
    fn file(&self, _: &str) -> Result<Vec<u8>, wavefield_solver::Error> {
        Ok(self.0.clone())
    }

    fn generate_mesh(
        &self,
        task: &Task,
        observer: &dyn Observer,
    ) -> Result<AnyMesh, wavefield_solver::Error> {
        NoInputs.generate_mesh(task, observer)
    }
}

/// Returns a strip dipole of 0.4 m by 0.1 m, one cell wide, with a port over one cell of its length.
fn dipole() -> TetrahedralMesh {
    let mut mesh = tetrahedral_box([0.6, 0.4, 0.4], [6, 4, 4], [0; 3]).unwrap();
    let first = mesh.surface_groups.len() as u32;
    mesh.surface_groups
        .extend(["strip", "port"].map(Group::named));
    let mut seen = std::collections::HashSet::new();
    for tetrahedron in mesh.tetrahedra.clone() {
        for face in 0..4 {
            let corners: [u32; 3] = std::array::from_fn(|c| tetrahedron[(face + 1 + c) % 4]);
            let at = corners.map(|c| mesh.points[c as usize]);
            let middle = |axis: usize| at.iter().map(|p| p[axis]).sum::<f64>() / 3.0;
            let on_strip = at.iter().all(|p| p[2].abs() < 1e-12)
                && (0.0..0.1).contains(&middle(1))
                && middle(0).abs() < 0.2;
            let mut key = corners;
            key.sort_unstable();
            if on_strip && seen.insert(key) {
                let group = first + u32::from((0.0..0.1).contains(&middle(0)));
                mesh.triangles.push(corners);
                mesh.surface_group_of.push(group);
            }
        }
    }
    mesh
}

fn dipole_spec(settings: &str) -> Spec {
    let problem = format!(
        r#"
        frequency = ["250 MHz", "350 MHz"]
        [excitation]
        kind = "ports"
        ports = [{{ kind = "lumped", surface = "port", direction = [1.0, 0.0, 0.0], reference_impedance = 73.0 }}]
        [dgtd]
        mesh = {{ file = "mesh.msh", unit = "m" }}
        band = ["100 MHz", "600 MHz"]
        outer_boundary = "absorbing"
        surfaces = {{ strip = "pec", port = "transparent", "x-" = "absorbing", "x+" = "absorbing", "y-" = "absorbing", "y+" = "absorbing", "z-" = "absorbing", "z+" = "absorbing" }}
        {settings}
        "#
    );
    toml::from_str(&problem).unwrap()
}

/// Returns the specification of a line that is shorted at one end and matched at the other, with a port of 50 Ω in its
/// middle.
fn line_spec(settings: &str) -> Spec {
    let problem = format!(
        r#"
        frequency = ["250 MHz", "350 MHz"]
        [excitation]
        kind = "ports"
        ports = [{{ kind = "lumped", surface = "port", direction = [0.0, 0.0, 1.0], reference_impedance = 50.0 }}]
        [dgtd]
        mesh = {{ file = "mesh.msh", unit = "m" }}
        band = ["100 MHz", "600 MHz"]
        surfaces = {{ "x-" = "pec", "x+" = "absorbing", "y-" = "pmc", "y+" = "pmc", "z-" = "pec", "z+" = "pec", port = "transparent" }}
        {settings}
        "#
    );
    toml::from_str(&problem).unwrap()
}

/// Returns the check of port convergence of a run, if it has one.
fn check(spec: &Spec, mesh: &TetrahedralMesh) -> Option<Check> {
    let mut file = Vec::new();
    write_msh_volume(mesh, &mut file).unwrap();
    let plan = DgtdSolver.plan(spec, &MeshInput(file), &Silent).unwrap();
    let device = Device::open(&DeviceChoice::Cpu, None).unwrap();
    let context = Context {
        device: &device,
        observer: &Silent,
        checkpoints: &NullStore,
        ranks: None,
    };
    let outcome = plan.execute(&context).unwrap();
    let of_ports = |check: &Check| check.name.contains("S-parameters");
    let check = outcome.checks.into_iter().find(of_ports)?;
    assert!(outcome.accuracy >= check.value);
    Some(check)
}

#[test]
fn a_port_between_unresolved_edges_fails() {
    let mesh = dipole();
    let spec = |order: usize| dipole_spec(&format!("order = {order}\nstop.energy_decay = 1e-5"));
    let found = check(&spec(2), &mesh).unwrap();
    println!("{found:?}");
    assert!(!found.passes());
    assert!(found.failure().contains("`dgtd.order`"), "{found:?}");
    // The change from order 2 to 3 is a lower bound of the error at order 2.
    let next = Plan::new(&spec(3), &mesh).unwrap();
    let next = next.execute(&NullStore, &Silent).unwrap();
    let pairs = (next.network.iter().flat_map(|n| &n.parameters))
        .zip(next.lower_order.iter().flat_map(|n| &n.parameters));
    let change = pairs.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    println!("{change}");
    assert!(change > 0.02 && found.value > change);
}

#[test]
fn a_port_without_edges_passes() {
    let spec = line_spec("order = 3");
    let found = check(&spec, &line()).unwrap();
    assert!(found.passes(), "{found:?}");
    assert_eq!(found.against, "the same ports at order 2");
    let solution = Plan::new(&spec, &line()).unwrap();
    let solution = solution.execute(&NullStore, &Silent).unwrap();
    let reflections = solution.network.iter().flat_map(|n| &n.parameters);
    let error = (solution.frequencies.iter().zip(reflections))
        .map(|(&f, s11)| {
            // Both halves in parallel: one matched, the other shorted at 0.4 m.
            let tangent = (vacuum_wavenumber(f) * 0.4).tan();
            let admittance = Complex64::new(1.0, -1.0 / tangent) * 50.0 / VACUUM_IMPEDANCE;
            (s11 - (1.0 - admittance) / (1.0 + admittance)).norm()
        })
        .fold(0.0, f64::max);
    println!("{error} {found:?}");
    // Truncated runs add some 10⁻³.
    assert!(error < found.value + 2e-3, "{error} {found:?}");
}

#[test]
fn the_lowest_order_is_not_assessed_and_does_not_pass() {
    let found = check(&line_spec("order = 1"), &line()).unwrap();
    assert!(!found.passes() && found.name.contains("not assessed"));
    let off = line_spec("order = 1\nport_convergence = false");
    assert_eq!(check(&off, &line()), None);
}

/// Sections in memory.
#[derive(Default)]
struct Memory(Mutex<BTreeMap<String, Vec<u8>>>);

impl CheckpointStore for Memory {
    fn load(&self, part: &str) -> Result<Option<Vec<u8>>, CheckpointError> {
        Ok(self.0.lock().unwrap().get(part).cloned())
    }

    fn save_all(
        &self,
        parts: &mut dyn Iterator<Item = Result<Part, CheckpointError>>,
    ) -> Result<(), CheckpointError> {
        for part in parts {
            let (name, bytes) = part?;
            let mut sections = self.0.lock().unwrap();
            if bytes.is_empty() {
                sections.remove(&name);
            } else {
                sections.insert(name, bytes);
            }
        }
        Ok(())
    }
}

/// Requests a stop in the middle of the run at the lower order.
#[derive(Default)]
struct StopsAtLowerOrder(AtomicBool);

impl Observer for StopsAtLowerOrder {
    fn progress(&self, event: &Progress<'_>) {
        if event.stage == "time steps at lower order" {
            self.0.store(true, Ordering::Release);
        }
    }

    fn stop_requested(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Settings of a short run.
const SHORT: &str = "order = 2\nstop = { energy_decay = 0.0, max_time = \"2 ns\" }";

fn short() -> (Plan, Solution) {
    let plan = Plan::new(&dipole_spec(SHORT), &dipole()).unwrap();
    let whole = plan.execute(&NullStore, &Silent).unwrap();
    assert!(whole.lower_order.is_some() && whole.lower_order != whole.network);
    (plan, whole)
}

#[test]
fn an_interrupted_run_at_the_lower_order_resumes() {
    let (plan, whole) = short();
    let memory = Memory::default();
    let stopped = plan.execute(&memory, &StopsAtLowerOrder::default());
    assert!(matches!(stopped, Err(Error::Cancelled(_))), "{stopped:?}");
    let kept: Vec<String> = memory.0.lock().unwrap().keys().cloned().collect();
    assert!(kept.iter().any(|name| name == "run 0"), "{kept:?}");
    assert!(
        (kept.iter()).any(|name| name.starts_with("run 0 at lower order: fields")),
        "{kept:?}"
    );
    assert!(plan.execute(&memory, &Silent).unwrap() == whole);
}

#[test]
fn processes_and_threads_agree_at_both_orders() {
    let (plan, whole) = short();
    let division = plan.pieces().graph().contiguous_parts(2);
    std::thread::scope(|scope| {
        for rank in ThreadRank::group(2) {
            let (plan, division, whole) = (&plan, &division, &whole);
            scope.spawn(move || {
                let found = plan.execute_shared(&rank, division, &NullStore, &Silent);
                assert!(found.unwrap().0 == *whole, "rank {}", rank.rank());
            });
        }
    });
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let found = (pool.unwrap()).install(|| plan.execute(&NullStore, &Silent));
        assert!(found.unwrap() == whole, "{threads} threads");
    }
}

#[test]
fn the_gpu_solves_both_orders() {
    let gpu = Gpu::open(None).expect("GPU tests do not skip: install mesa-vulkan-drivers");
    let settings = "order = 2\nstop = { energy_decay = 0.0, max_time = \"0.3 ns\" }";
    let plan = Plan::new(&line_spec(settings), &line()).unwrap();
    let wanted = plan.execute(&NullStore, &Silent).unwrap();
    let found = plan.execute_on(&gpu, &NullStore, &Silent).unwrap();
    for (found, wanted) in [
        (&found.network, &wanted.network),
        (&found.lower_order, &wanted.lower_order),
    ] {
        let [found, wanted] = [found, wanted].map(|n| &n.as_ref().unwrap().parameters);
        for (a, b) in found.iter().zip(wanted) {
            assert!((a - b).norm() < 1e-4, "{a} {b}");
        }
    }
}
