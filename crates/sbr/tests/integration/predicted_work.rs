//! The run time is estimated from rays and far-field terms that a pilot predicts.

use wavefield_numerics::observe::Silent;
use wavefield_physics::quantity::{Frequency, Length};
use wavefield_physics::sweep::Sweep;
use wavefield_sbr::{Plan, Spec};
use wavefield_solver::scene::{Body, Excitation, Geometry, Observation};

fn spec(gigahertz: f64, geometry: Geometry, angles: usize, max_refinements: u32) -> Spec {
    let mut spec = Spec::new(
        Sweep::by_count(Frequency(0.9e9 * gigahertz), Frequency(1e9 * gigahertz), 3),
        Body::pec(geometry),
        Excitation::plane_wave(
            Sweep::degrees_by_count(40.0, 70.0, angles),
            Sweep::degrees_by_count(20.0, 60.0, angles),
        ),
        Observation::Monostatic,
    );
    spec.sbr.rays.max_refinements = max_refinements;
    spec
}

#[test]
fn rays_are_predicted_within_a_factor_of_two() {
    let meters = Length::Meters;
    let cases = [
        ("sphere", 3.0, Geometry::sphere(meters(0.3)), 2),
        ("plate", 6.0, Geometry::plate(meters(0.4), meters(0.4)), 2),
        ("trihedral", 6.0, Geometry::trihedral(meters(0.4)), 2),
        ("large trihedral", 30.0, Geometry::trihedral(meters(0.4)), 0),
    ];
    for (name, gigahertz, geometry, refinements) in cases {
        let plan = Plan::new(&spec(gigahertz, geometry, 4, refinements), None).unwrap();
        let predicted = plan.work().rays;
        let traced = plan.execute(&Silent).unwrap().rays as f64;
        let ratio = predicted / traced;
        assert!(
            (0.5..2.0).contains(&ratio),
            "{name}: {predicted:.3e} predicted, {traced:.3e} traced"
        );
    }
}

#[test]
fn terms_grow_with_frequencies_and_refinements() {
    let trihedral = || Geometry::trihedral(Length::Meters(0.4));
    let work = |spec: &Spec| Plan::new(spec, None).unwrap().work();
    let once = work(&spec(6.0, trihedral(), 2, 0));
    let mut finer = spec(6.0, trihedral(), 2, 0);
    finer.frequency = Sweep::by_count(Frequency(5.4e9), Frequency(6e9), 30);
    let ratio = work(&finer).tube_terms / once.tube_terms;
    assert!((ratio - 10.0).abs() < 1e-9, "{ratio}");
    assert!((work(&finer).rays - once.rays).abs() < 1e-9 * once.rays);
    assert!(work(&spec(6.0, trihedral(), 2, 2)).rays >= once.rays);
}
