//! Discontinuous Galerkin time-domain (DGTD) solver for Maxwell's equations on tetrahedral meshes.
//!
//! # Formulation
//!
//! The equations ε ∂E/∂t = ∇×H − σE − J and μ ∂H/∂t = −∇×E − σ*H are discretized by the nodal discontinuous Galerkin
//! method: in every element E and H are polynomials of order 1 to 8, given by their values at nodes.
//!
//! - Numerical flux between neighboring elements: upwind flux, central flux, or a penalized flux in between
//!   ([`FaceFlux`]).
//! - Boundaries: PEC, PMC, and first-order absorbing (Silver–Müller) ([`Boundary`]).
//! - Perfectly matched layer (PML): uniaxial, with complex-frequency-shifted (CFS) stretching and polynomial grading
//!   ([`PmlTerms`], [`PmlProfile`]).
//! - Plane waves: total-field/scattered-field (TF/SF) source on a Huygens surface ([`Source`], [`HuygensSurface`]).
//! - Hertzian dipoles, and lumped ports with a reference impedance ([`Port`]), from which S-parameters follow.
//! - Excitation: a cosine-modulated Gaussian pulse ([`Pulse`]); one run covers its whole spectrum.
//! - Far fields: near-to-far-field transformation (NTFF) of running Fourier transforms on the Huygens surface
//!   ([`NearToFarField`]), for the radar cross section (RCS) and radiation patterns.
//! - Resonances that outlast a run: reduced rank extrapolation of the spectra.
//!
//! # Algorithm
//!
//! Time advances by the five-stage, fourth-order low-storage Runge–Kutta method LSRK4(5) ([`runge_kutta`]). The time
//! step is the CFL number times the largest stable step, which [`stable_step`] estimates from a trace inequality. Four
//! engines implement the stage: the reference implementation ([`ReferenceEngine`], module [`mod@reference`]), SIMD kernels on
//! blocks of eight elements ([`BlockEngine`]), GPU kernels ([`GpuEngine`]), and the SIMD kernels on a mesh partitioned
//! among processes ([`DistributedEngine`]). Results of the CPU engine do not depend on the number of threads or
//! processes: they are bitwise identical.
//!
//! # Limits
//!
//! - Elements have straight edges, and one order holds for the whole mesh.
//! - Media are linear, isotropic, and nondispersive; conductivities are constant.
//! - The PML is a box in vacuum around everything else. At most one Huygens surface is supported; it must be closed.
//! - The time step is global: the thinnest element limits it.
//! - The GPU engine computes in single precision.
//!
//! # Units
//!
//! Lengths are in meters. Times are lengths c·t in meters (c = 1), wavenumbers are in rad/m, and H stands for Z₀H.
//!
//! # References
//!
//! - J. S. Hesthaven, T. Warburton, *Nodal Discontinuous Galerkin Methods*, Springer 2008.
//! - L. Zhao, G. Chen, W. Yu, Prog. Electromagn. Res. M 48 (2016) 1–11: the numerical flux.
//! - M. H. Carpenter, C. A. Kennedy, NASA TM-109112 (1994): LSRK4(5).
//! - S. D. Gedney, IEEE Trans. Antennas Propag. 44 (1996) 1630–1639, and M. Kuzuoglu, R. Mittra, IEEE Microw. Guided
//!   Wave Lett. 6 (1996) 447–449: the uniaxial and the CFS PML.
//! - A. Klöckner, T. Warburton, J. Bridge, J. S. Hesthaven, J. Comput. Phys. 228 (2009) 7863–7882: DGTD on GPUs.
//!
//! # Example
//!
//! ```
//! use std::f64::consts::PI;
//! use wavefield_dgtd::{Discretization, PhysicalGroups, reference};
//! use wavefield_mesh::primitive::tetrahedral_box;
//!
//! // Mode TM₁₁₀ of a cubic PEC cavity: after half a period E is reversed.
//! let mesh = tetrahedral_box([1.0; 3], [3; 3], [0; 3])?;
//! let cavity = Discretization::new(&mesh, 4, &PhysicalGroups::vacuum(&mesh))?;
//! let mode = |[x, y, _]: [f64; 3]| [[0.0, 0.0, (PI * x).cos() * (PI * y).cos()], [0.0; 3]];
//! let before = reference::State::from_fn(&cavity, mode);
//! let (mut state, mut register) = (before.clone(), reference::State::zero(&cavity));
//! let half_period = 1.0 / 2.0_f64.sqrt();
//! for _ in 0..60 {
//!     reference::step(&cavity, &mut state, &mut register, half_period / 60.0);
//! }
//! let sums = before.fields.iter().zip(&state.fields);
//! let error = sums.map(|(a, b)| (a[0][2] + b[0][2]).abs()).fold(0.0, f64::max);
//! assert!(error < 0.01, "{error}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(unsafe_code)]

pub mod basis;
mod contract;
mod discretization;
mod distributed;
mod domain;
mod engine;
mod error;
mod extrapolation;
mod flux;
mod geometry;
mod gpu;
mod huygens;
mod kernels;
mod medium;
mod mesh_resolution;
mod mesh_size;
mod near_to_far;
mod outcome;
mod partition;
mod physical_groups;
mod plan;
mod pml;
mod port;
mod pulse;
pub mod reference;
mod result;
mod run_checkpoint;
pub mod runge_kutta;
mod simulation;
mod snapshot;
mod source;
mod spec;
mod spectrum;
mod stability;
mod surface_current;
mod topology;

pub use contract::{DgtdRun, DgtdSolver, HIDDEN, SENT};
pub use discretization::{Discretization, PhysicalGroups, PmlShape};
pub use distributed::{DistributedEngine, Traffic};
pub use engine::{Engine, ReferenceEngine, engine};
pub use error::Error;
pub use flux::{FaceFlux, Fields};
pub use geometry::Geometry;
pub use gpu::GpuEngine;
pub use huygens::{HuygensFace, HuygensSurface};
pub use kernels::{BlockEngine, ELEMENTS, Number};
pub use medium::Medium;
pub use near_to_far::NearToFarField;
pub use partition::{Part, Pieces};
pub use plan::Plan;
pub use pml::{PmlProfile, PmlTerms};
pub use port::Port;
pub use pulse::Pulse;
pub use result::{Currents, Run, Scattering, Snapshots, Solution};
pub use simulation::{End, Probe, Simulation};
pub use snapshot::{Frame, Slice, SnapshotRecorder};
pub use source::{IncidentWave, Source, SourceTerms};
pub use spec::{
    AxisName, DomainSpec, NamedVolumeMaterial, OuterBoundary, PlaneSpec, PmlSpec, Precision,
    Settings, SnapshotSpec, Spec, StopSpec, SurfaceKind, VolumeMaterial,
};
pub use stability::stable_step;
pub use surface_current::SurfaceCurrent;
pub use topology::{Boundary, Side, Topology};
