//! Pairs of directions, in order and in no more memory than they need.

use wavefield_physics::direction::Direction;
use wavefield_physics::sweep::Sweep;
use wavefield_solver::scene::aspects::{self, AspectError};
use wavefield_solver::scene::{Directions, Observation, PlaneWave, Polarization};

fn wave(thetas: usize, phis: usize) -> PlaneWave {
    PlaneWave {
        theta: Sweep::degrees_by_count(10.0, 20.0, thetas),
        phi: Sweep::degrees_by_count(0.0, 90.0, phis),
        polarization: Polarization::V,
    }
}

fn bistatic(phis: usize) -> Observation {
    Observation::Bistatic(Directions {
        theta: Sweep::degree(90.0),
        phi: Sweep::degrees_by_count(0.0, 180.0, phis),
    })
}

#[test]
fn observation_varies_fastest_then_azimuth() {
    let found = aspects::pairs(&wave(2, 3), &bistatic(2), 100.0).unwrap();
    let degrees = |d: Direction| [d.theta, d.phi].map(|angle| angle.to_degrees().round());
    let found: Vec<[[f64; 2]; 2]> = (found.into_iter())
        .map(|(from, to)| [degrees(from), degrees(to)])
        .collect();
    let mut expected = Vec::new();
    for theta in [10.0, 20.0] {
        for phi in [0.0, 45.0, 90.0] {
            for to in [0.0, 180.0] {
                expected.push([[theta, phi], [90.0, to]]);
            }
        }
    }
    assert_eq!(found, expected);
    let found = aspects::pairs(&wave(2, 3), &Observation::Monostatic, 100.0).unwrap();
    assert!(found.len() == 6 && found.iter().all(|(from, to)| from == to));
}

#[test]
fn lists_of_pairs_have_no_spare_room() {
    for (observation, count) in [(Observation::Monostatic, 3000), (bistatic(7), 21_000)] {
        let found = aspects::pairs(&wave(30, 100), &observation, 1e7).unwrap();
        assert_eq!((found.len(), found.capacity()), (count, count));
    }
    let most = aspects::pairs(&wave(30, 100), &bistatic(7), 20_000.0);
    assert!(matches!(most, Err(AspectError::TooMany { .. })));
}
