//! Discontinuous Galerkin time domain: Maxwell's equations in time, on tetrahedra.
//!
//! In every element E and H are polynomials of order one to eight, known by their values at nodes; elements speak to
//! their neighbours through fluxes at common faces, and time advances by an explicit Runge–Kutta method.
//! J. S. Hesthaven, T. Warburton, *Nodal Discontinuous Galerkin Methods*, Springer 2008;
//! L. Zhao, G. Chen, W. Yu, Prog. Electromagn. Res. M 48 (2016) 1–11.
//!
//! Lengths are metres, times are lengths (c = 1), and H stands for Z₀H.
//!
//! ```
//! use std::f64::consts::PI;
//! use wavefield_dgtd::{Discretisation, Meaning, plain};
//! use wavefield_mesh::primitive::tetrahedral_box;
//!
//! // The mode TM₁₁₀ of a conducting cube: after half a period E is reversed.
//! let mesh = tetrahedral_box([1.0; 3], [2; 3], [0; 3])?;
//! let cavity = Discretisation::new(&mesh, 4, &Meaning::vacuum(&mesh))?;
//! let mode = |[x, y, _]: [f64; 3]| [[0.0, 0.0, (PI * x).cos() * (PI * y).cos()], [0.0; 3]];
//! let before = plain::State::from_fn(&cavity, mode);
//! let (mut state, mut register) = (before.clone(), plain::State::zero(&cavity));
//! let half_period = 1.0 / 2.0_f64.sqrt();
//! for _ in 0..60 {
//!     plain::step(&cavity, &mut state, &mut register, half_period / 60.0);
//! }
//! let sums = before.fields.iter().zip(&state.fields);
//! let error = sums.map(|(a, b)| (a[0][2] + b[0][2]).abs()).fold(0.0, f64::max);
//! assert!(error < 0.01, "{error}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(unsafe_code)]

mod absorb;
pub mod basis;
mod contract;
mod discretisation;
mod distributed;
mod domain;
mod engine;
mod error;
mod extrapolation;
mod flux;
mod geometry;
mod gpu;
mod huygens;
mod kept_run;
mod kernels;
mod meaning;
mod medium;
mod mesh_size;
mod near_to_far;
mod outcome;
mod partition;
pub mod plain;
mod plan;
mod port;
mod pulse;
mod result;
pub mod runge_kutta;
mod simulation;
mod snapshot;
mod source;
mod spec;
mod spectrum;
mod stability;
mod surface_current;
mod topology;

pub use absorb::{LayerProfile, LayerTerms};
pub use contract::{DgtdRun, DgtdSolver, HIDDEN, SENT};
pub use discretisation::{Discretisation, LayerShape, Meaning};
pub use distributed::{DistributedEngine, Traffic};
pub use engine::{Engine, PlainEngine, engine};
pub use error::Error;
pub use flux::{FaceFlux, Fields};
pub use geometry::Geometry;
pub use gpu::GpuEngine;
pub use huygens::{HuygensFace, HuygensSurface};
pub use kernels::{BlockEngine, ELEMENTS, Number};
pub use medium::Medium;
pub use near_to_far::SurfaceTransform;
pub use partition::{Part, Pieces};
pub use plan::Plan;
pub use port::Port;
pub use pulse::Pulse;
pub use result::{Currents, Picture, Run, Scattering, Solution};
pub use simulation::{End, Probe, Simulation};
pub use snapshot::{Film, Frame, Slice};
pub use source::{Additions, Drive, IncidentWave};
pub use spec::{
    AxisName, DomainSpec, Filling, NamedFilling, OuterBoundary, PlaneSpec, PmlSpec, Precision,
    Settings, SnapshotSpec, Spec, StopSpec, SurfaceKind,
};
pub use stability::stable_step;
pub use surface_current::SurfaceCurrent;
pub use topology::{Boundary, Side, Topology};
