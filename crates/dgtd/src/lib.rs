//! Discontinuous Galerkin time domain: Maxwell's equations in time, on tetrahedra.
//!
//! In every element E and H are polynomials of order one to eight, known by their values at nodes; elements speak to
//! their neighbours through fluxes at common faces, and time advances by an explicit Runge–Kutta method.
//! J. S. Hesthaven, T. Warburton, *Nodal Discontinuous Galerkin Methods*, Springer 2008;
//! L. Zhao, G. Chen, W. Yu, Prog. Electromagn. Res. M 48 (2016) 1–11.
//!
//! Lengths are metres, times are lengths (c = 1), and H stands for Z₀H.

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
    AlmondShape, AxisName, BodySpec, Conductor, CuboidShape, CylinderShape, DipoleSpec, DomainSpec,
    EndSpec, Filling, HelixSpec, LayerSpec, MediumConstants, NamedFilling, Precision,
    SentPolarisations, Shape, SolidMaterial, Spec, SphereShape, SurfaceKind, SurfaceShape, Wall,
};
pub use stability::stable_step;
pub use surface_current::SurfaceCurrent;
pub use topology::{Boundary, Side, Topology};
