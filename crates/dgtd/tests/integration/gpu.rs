//! Comparison of the GPU engine with the reference implementation.

use wavefield_dgtd::reference::State;
use wavefield_dgtd::runge_kutta::{A, B};
use wavefield_dgtd::{
    Boundary, Discretization, End, Engine, Error, Fields, GpuEngine, HuygensSurface, IncidentWave,
    Medium, NearToFarField, PhysicalGroups, PmlShape, Probe, Pulse, ReferenceEngine, Simulation,
    Source, stable_step,
};
use wavefield_gpu::{DeviceError, Fault, Gpu};
use wavefield_mesh::primitive::{open_tetrahedral_box, tetrahedral_box};
use wavefield_mesh::{Group, TetrahedralMesh};
use wavefield_numerics::observe::Silent;
use wavefield_physics::direction::Direction;

/// Weak PML, so that relative errors of the remaining fields are meaningful.
const LAYER: PmlShape = PmlShape {
    reflection: 0.5,
    exponent: 2.0,
    shift: 0.5,
};

const GLASS: Medium = Medium {
    permittivity: 2.25,
    permeability: 1.2,
    electric_loss: 0.3,
    magnetic_loss: 0.1,
};

fn gpu() -> Gpu {
    Gpu::open(None).expect("GPU tests do not skip: install mesa-vulkan-drivers")
}

/// Returns for each named volume whether it is the PML; the mesh has a PML and other volumes.
fn are_layers(mesh: &TetrahedralMesh) -> Vec<bool> {
    let names = mesh.volume_groups.iter().map(|group| group.name == "layer");
    let layers: Vec<bool> = names.collect();
    assert!(layers.len() > 1 && layers.iter().filter(|&&layer| layer).count() == 1);
    layers
}

/// Returns a box with every kind of element: vacuum, a dielectric, PML on all sides, and all boundary conditions around
/// the PML and in vacuum.
fn mixed_box(order: usize, cells: [u32; 3]) -> Discretization {
    let mut mesh = tetrahedral_box([1.0, 1.1, 0.8], cells, [1; 3]).unwrap();
    let walls = [
        Boundary::ElectricWall,
        Boundary::MagneticWall,
        Boundary::Absorbing,
    ];
    let is_layer = are_layers(&mesh);
    let air: Vec<usize> = (0..mesh.tetrahedra.len())
        .filter(|&element| !is_layer[mesh.volume_group_of[element] as usize])
        .collect();
    let bricks: u32 = cells.iter().map(|n| n - 2).product();
    assert_eq!(air.len(), 6 * bricks as usize);
    for (number, &element) in air.iter().enumerate() {
        // Every third tetrahedron is dielectric, in a group of its own, and some have a sheet on one face.
        if number % 3 == 0 {
            mesh.volume_group_of[element] = 2;
        }
        if number % 2 == 1 {
            let [a, b, c, _] = mesh.tetrahedra[element];
            mesh.triangles.push([a, b, c]);
            mesh.surface_group_of.push(6 + number as u32 / 2 % 3);
        }
    }
    let physical_groups = PhysicalGroups {
        media: vec![Medium::VACUUM, Medium::VACUUM, GLASS],
        layers: [is_layer, vec![false]].concat(),
        surfaces: [walls, walls, walls]
            .concat()
            .into_iter()
            .map(Some)
            .collect(),
        outside: Boundary::ElectricWall,
        upwind: 0.8,
        layer: LAYER,
    };
    let d = Discretization::new(&mesh, order, &physical_groups).unwrap();
    assert!(d.layer_terms.iter().flatten().any(|t| t.second != 0.0));
    d
}

/// Returns an open box: vacuum, a Huygens surface, and a PML on all sides.
fn open_box(order: usize) -> (Discretization, HuygensSurface) {
    let mesh = open_tetrahedral_box([1.0, 1.0, 1.2], [5; 3], 1, 1).unwrap();
    let filling = |group: &Group| match group.name.as_str() {
        "total" => GLASS,
        _ => Medium::VACUUM,
    };
    let physical_groups = PhysicalGroups {
        media: mesh.volume_groups.iter().map(filling).collect(),
        layers: are_layers(&mesh),
        surfaces: vec![Some(Boundary::ElectricWall), None],
        outside: Boundary::ElectricWall,
        upwind: 1.0,
        layer: LAYER,
    };
    let d = Discretization::new(&mesh, order, &physical_groups).unwrap();
    let surface = HuygensSurface::new(&d, 1, "huygens").unwrap();
    (d, surface)
}

fn smooth([x, y, z]: [f64; 3]) -> Fields {
    let wave = |a: f64, b: f64, c: f64| (a * x + b * y + c * z).sin();
    [
        [
            wave(3.0, 2.0, 1.0),
            wave(-1.0, 4.0, 2.0),
            wave(2.0, -3.0, 3.0),
        ],
        [
            wave(1.0, 1.0, -4.0),
            wave(4.0, 0.5, 1.0),
            wave(-2.0, 3.0, 2.0),
        ],
    ]
}

/// Returns the relative root-mean-square difference.
fn apart<'a>(
    found: impl IntoIterator<Item = &'a Fields>,
    wanted: impl IntoIterator<Item = &'a Fields>,
) -> f64 {
    let (mut difference, mut size) = (0.0, 0.0);
    for (f, w) in found.into_iter().zip(wanted) {
        for kind in 0..2 {
            for c in 0..3 {
                difference += (f[kind][c] - w[kind][c]).powi(2);
                size += w[kind][c].powi(2);
            }
        }
    }
    assert!(size > 0.0, "there is nothing to compare with");
    (difference / size).sqrt()
}

/// Returns the relative differences of the fields, and of the auxiliary fields of the PML.
fn states_apart(found: &State, wanted: &State) -> [f64; 2] {
    assert_eq!(found.fields.len(), wanted.fields.len());
    assert_eq!(found.layers.len(), wanted.layers.len());
    [
        apart(&found.fields, &wanted.fields),
        apart(
            found.layers.iter().flatten(),
            wanted.layers.iter().flatten(),
        ),
    ]
}

fn advance(engine: &mut dyn Engine, steps: usize, dt: f64) {
    for _ in 0..steps {
        for (a, b) in A.into_iter().zip(B) {
            engine.stage(a, b, dt);
        }
    }
}

#[test]
fn fields_stay_those_of_the_plain_equations() {
    let gpu = gpu();
    // Numbers of elements and faces that fill several workgroups, and such as leave the last one incomplete.
    for (order, cells) in [(1, [5, 4, 3]), (3, [3, 3, 3]), (5, [3, 3, 3])] {
        let d = mixed_box(order, cells);
        let dt = 0.5 * stable_step(&d);
        let start = State::from_fn(&d, smooth);
        let mut plain = ReferenceEngine::new(&d);
        let mut on_gpu = GpuEngine::new(&gpu, &d).unwrap();
        for engine in [&mut plain as &mut dyn Engine, &mut on_gpu] {
            engine.set(&start);
            advance(engine, 30, dt);
        }
        let errors = states_apart(&on_gpu.state(), &plain.state());
        let energy = on_gpu.energy() / plain.energy() - 1.0;
        let left = plain.energy() / wavefield_dgtd::reference::energy(&d, &start);
        println!(
            "order {order}: fields {:.1e}, layers {:.1e}, energy {energy:.1e}, of which {left:.1e} is left",
            errors[0], errors[1]
        );
        on_gpu.fault().unwrap();
        // Tolerance: 150 stages with rounding errors of 6e-8 each, which accumulate as a random walk.
        assert!(
            errors[0] <= 1e-4 && errors[1] <= 1e-4,
            "{order}: {errors:?}"
        );
        assert!(energy.abs() <= 1e-4, "{order}: {energy}");
    }
}

#[test]
fn every_order_makes_a_step() {
    let gpu = gpu();
    for order in 1..=8 {
        let d = mixed_box(order, [3, 3, 3]);
        let dt = 0.5 * stable_step(&d);
        let start = State::from_fn(&d, smooth);
        let mut plain = ReferenceEngine::new(&d);
        let mut on_gpu = GpuEngine::new(&gpu, &d).unwrap();
        for engine in [&mut plain as &mut dyn Engine, &mut on_gpu] {
            engine.set(&start);
            advance(engine, 1, dt);
        }
        let errors = states_apart(&on_gpu.state(), &plain.state());
        println!(
            "order {order}: fields {:.1e}, layers {:.1e}",
            errors[0], errors[1]
        );
        // Tolerance: entries of derivatives and lift grow as the square of the order and cancel.
        assert!(errors[0] < 3e-6 && errors[1] < 3e-6, "{order}: {errors:?}");
    }
}

#[test]
fn an_open_box_empties_as_by_the_plain_equations() {
    let (d, _) = open_box(2);
    let dt = 0.5 * stable_step(&d);
    let start = State::from_fn(&d, |point| {
        let away: f64 = point.iter().map(|x| x * x).sum();
        smooth(point).map(|f| f.map(|x| x * (-20.0 * away).exp()))
    });
    let mut plain = ReferenceEngine::new(&d);
    let mut on_gpu = GpuEngine::new(&gpu(), &d).unwrap();
    for engine in [&mut plain as &mut dyn Engine, &mut on_gpu] {
        engine.set(&start);
        advance(engine, 30, dt);
    }
    let errors = states_apart(&on_gpu.state(), &plain.state());
    println!("{errors:?}");
    assert!(errors[0] <= 1e-4 && errors[1] <= 1e-4, "{errors:?}");
}

/// Runs both engines; returns the relative differences of fields, probes, energies, and the far field.
fn driven_apart(
    gpu: &Gpu,
    (d, surface): &(Discretization, HuygensSurface),
    drives: &[Source],
    steps: u64,
) -> [f64; 4] {
    let dt = 0.5 * stable_step(d);
    let engines: [Box<dyn Engine + '_>; 2] = [
        Box::new(GpuEngine::new(gpu, d).unwrap()),
        Box::new(ReferenceEngine::new(d)),
    ];
    let [on_gpu, plain] = engines.map(|engine| {
        let mut simulation = Simulation::new(d, engine, dt);
        for drive in drives {
            simulation.drive(drive.clone());
        }
        simulation.sampling = 2;
        simulation.transform = Some(NearToFarField::new(d, surface, &[5.0]));
        for point in [[0.02, 0.03, 0.01], [0.1, -0.2, 0.25]] {
            simulation.probes.push(Probe::new(d, point).unwrap());
        }
        let end = End {
            decay: 0.0,
            time: (steps as f64 - 0.5) * dt,
        };
        simulation.run(end, &Silent).unwrap();
        assert_eq!(simulation.steps, steps);
        simulation
    });
    // Two components of the far field in two directions.
    let far = |s: &Simulation<'_>| -> Vec<Fields> {
        let directions = [(30.0, 10.0), (120.0, 200.0)];
        let directions = directions.map(|(theta, phi)| Direction::from_degrees(theta, phi));
        let transform = s.transform.as_ref().unwrap();
        (transform.far_field(0, &directions).iter())
            .map(|f| [[f.theta.re, f.theta.im, 0.0], [f.phi.re, f.phi.im, 0.0]])
            .collect()
    };
    let probes = |s: &Simulation<'_>| -> Vec<Fields> {
        s.probes.iter().flat_map(|p| p.record.clone()).collect()
    };
    let energy = (on_gpu.energies.iter().zip(&plain.energies))
        .map(|(a, b)| (a[1] / b[1] - 1.0).abs())
        .fold(0.0, f64::max);
    assert!(!plain.energies.is_empty());
    [
        apart(&on_gpu.engine.state().fields, &plain.engine.state().fields),
        apart(&probes(&on_gpu), &probes(&plain)),
        apart(&far(&on_gpu), &far(&plain)),
        energy,
    ]
}

#[test]
fn a_dipole_drives_the_same_fields() {
    let world = open_box(2);
    let pulse = Pulse {
        carrier: 6.0,
        width: 0.08,
    };
    let place = |point: [f64; 3]| Source::dipole(&world.0, point, [0.1, -0.3, 1.0], pulse).unwrap();
    // Two dipoles: one in the dielectric, one in vacuum.
    let drives = [place([0.03, -0.04, 0.05]), place([0.2, 0.21, -0.17])];
    let errors = driven_apart(&gpu(), &world, &drives, 30);
    println!("{errors:?}");
    assert!(errors.iter().all(|&e| e < 1e-5), "{errors:?}");
}

#[test]
fn a_plane_wave_drives_the_same_fields() {
    let world = open_box(3);
    let wave = IncidentWave {
        from: Direction::from_degrees(0.0, 0.0),
        polarization: [0.6, 0.8, 0.0],
    };
    let pulse = Pulse {
        carrier: 6.0,
        width: 0.04,
    };
    let drive = Source::plane_wave(&world.0, &world.1, wave, pulse);
    let errors = driven_apart(&gpu(), &world, &[drive], 24);
    println!("{errors:?}");
    assert!(errors.iter().all(|&e| e < 1e-5), "{errors:?}");
}

#[test]
fn the_same_bits_every_time_and_after_a_pause() {
    let gpu = gpu();
    let d = mixed_box(3, [4, 3, 3]);
    let dt = 0.5 * stable_step(&d);
    let start = State::from_fn(&d, smooth);
    let run = || {
        let mut on_gpu = GpuEngine::new(&gpu, &d).unwrap();
        on_gpu.set(&start);
        advance(&mut on_gpu, 7, dt);
        on_gpu
    };
    let (first, mut second) = (run(), run());
    assert_eq!(first.energy().to_bits(), second.energy().to_bits());
    let state = first.state();
    assert_eq!(state, second.state());
    // A state after whole time steps is complete, and reading it does not change the run.
    let mut resumed = GpuEngine::new(&gpu, &d).unwrap();
    resumed.set(&state);
    for on_gpu in [&mut second, &mut resumed] {
        advance(on_gpu, 3, dt);
    }
    assert_eq!(resumed.state(), second.state());
    assert_ne!(resumed.state(), state);
    let nodes = [(0, 0), (17, 3), (100, 19)];
    let mut found = Vec::new();
    resumed.fields_at(&nodes, &mut found);
    let state = resumed.state();
    let wanted = nodes.map(|(element, node)| state.fields[element as usize * 20 + node as usize]);
    assert_eq!(found, wanted);
}

#[test]
fn an_unfinished_step_is_seen_as_it_is() {
    let d = mixed_box(2, [4, 3, 3]);
    let dt = 0.5 * stable_step(&d);
    let start = State::from_fn(&d, smooth);
    let mut plain = ReferenceEngine::new(&d);
    let mut on_gpu = GpuEngine::new(&gpu(), &d).unwrap();
    for engine in [&mut plain as &mut dyn Engine, &mut on_gpu] {
        engine.set(&start);
        for stage in 0..3 {
            engine.stage(A[stage], B[stage], dt);
        }
    }
    let errors = states_apart(&on_gpu.state(), &plain.state());
    assert!(errors[0] < 1e-6 && errors[1] < 1e-6, "{errors:?}");
}

#[test]
fn a_gpu_that_fails_is_an_error() {
    let d = mixed_box(1, [3, 3, 3]);
    for (fault, lost) in [(Fault::Validation, false), (Fault::DeviceLost, true)] {
        let gpu = gpu();
        let mut on_gpu = GpuEngine::new(&gpu, &d).unwrap();
        on_gpu.set(&State::from_fn(&d, smooth));
        on_gpu.fault().unwrap();
        gpu.inject_fault(fault);
        advance(&mut on_gpu, 2, 1e-3);
        // All later results are NaN.
        assert!(on_gpu.energy().is_nan());
        let mut found = Vec::new();
        on_gpu.fields_at(&[(0, 0), (1, 1)], &mut found);
        assert!(found.len() == 2 && found[1][1][2].is_nan());
        assert!(on_gpu.state().fields.iter().all(|f| f[0][0].is_nan()));
        for _ in 0..2 {
            let told = on_gpu.fault().unwrap_err();
            assert_eq!(
                matches!(told, Error::Device(DeviceError::Lost { .. })),
                lost,
                "{told}"
            );
        }
        let mut simulation = Simulation::new(&d, Box::new(on_gpu), 1e-3);
        let end = End {
            decay: 0.0,
            time: 0.005,
        };
        let told = simulation.run(end, &Silent).unwrap_err();
        assert!(matches!(told, Error::Device(_)), "{told}");
    }
}
