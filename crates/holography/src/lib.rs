//! Planar near-field acoustic holography: the sound at the surface of its sources, in real time, from the raw bits of
//! an array of digital microphones.
//!
//! # Equations
//!
//! The pressure p(x, y) e^{+jωt} measured in a plane is a sum of plane waves e^{j(k_x x + k_y y − k_z z)} with
//! k_z = √(k² − k_x² − k_y²), or −j√(k_x² + k_y² − k²) for waves that decay. In the plane d nearer to the sources each has
//! the amplitude P e^{jk_z d}; decaying waves, which hold the details, grow on the way, and so does noise, which a filter
//! F(k_x, k_y) takes back. Particle velocity follows from Euler's equation, v = −∇p/(jωρ). E. G. Williams, Fourier
//! Acoustics, Academic Press 1999.
//!
//! # From bits to fields
//!
//! | step | types |
//! |---|---|
//! | ground truth: sources, microphones, their bits | [`Source`], [`exact_hologram`], [`Microphone`], [`Bitstream`] |
//! | bits to amplitudes, five ways behind one trait | [`front_end::FrontEnd`] |
//! | recorded samples, and files of them | [`Recording`], [`RegularGrid`], [`files`] |
//! | a border around the hologram | [`Border`], [`LinearPrediction`] |
//! | plane waves | [`AngularSpectrum`], [`Wavenumbers`] |
//! | the filter, chosen from the hologram | [`Filter`], [`Regularisation`], [`noise_level`] |
//! | another plane | [`Propagator`] |
//! | all of it | [`PlanarHolography`]; live, hop by hop: [`LiveHolography`] with [`hop_ring`], [`MovingSources`] |
//! | what all this is measured against | [`mod@reference`] |
//! | on a graphics card | [`gpu::GpuFrontEnd`], [`gpu::GpuPlanes`], [`Plan::execute_on`] |
//! | as a problem | [`Spec`] → [`Plan`] → [`Solution`] |
//!
//! ```
//! use wavefield_numerics::observe::Silent;
//! use wavefield_holography::{Plan, Spec};
//!
//! // Two monopoles heard 5 cm away, looked at 1 cm away.
//! let spec: Spec = toml::from_str(r#"
//!     frequency = ["1 kHz"]
//!     hologram_z = "5 cm"
//!     reconstruction_z = "1 cm"
//!     [measurement]
//!     kind = "simulated"
//!     sources = [
//!         { kind = "monopole", center = ["-10 cm", "5 cm"], volume_velocity = 1e-3 },
//!         { kind = "monopole", center = ["13 cm", "-8 cm"], volume_velocity = 7e-4 },
//!     ]
//! "#)?;
//! let solution = Plan::new(&spec, None)?.execute(&Silent)?;
//! let deviation = solution.frequencies[0].deviation.unwrap();
//! assert!(deviation.hologram < 0.01 && deviation.pressure < 0.16);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Limits
//!
//! Sources lie on one side of the array, and the sound is stationary over a frame (22 ms). Details finer than the
//! distance to the sources are lost in noise; those finer than two pitches are not seen at all. The border by linear
//! prediction is the subject of a patent ([`Border`]).

#![deny(unsafe_code)]

mod angular_spectrum;
mod array;
mod bitstream;
mod border;
mod burg;
mod contract;
mod course;
mod deviation;
mod error;
pub mod files;
mod filter;
pub mod front_end;
pub mod gpu;
mod hologram;
mod hop_ring;
mod input;
mod kernels;
mod latency;
mod live;
mod live_problem;
mod microphone;
mod moving_sources;
mod noise_level;
mod outcome;
mod passage;
mod plan;
mod plane_transform;
mod propagator;
mod reconstruction;
mod recording;
pub mod reference;
mod regular_grid;
mod regularisation;
mod result;
mod sigma_delta;
mod sound_files;
mod source;
mod spec;
mod wavenumber;

pub use angular_spectrum::AngularSpectrum;
pub use array::{MicrophoneArray, Packing};
pub use bitstream::Bitstream;
pub use border::{Border, Extended, Padding};
pub use burg::LinearPrediction;
pub use contract::{HolographyRun, HolographySolver};
pub use course::FieldAtMoment;
pub use deviation::{nsad, relative_error, rmsre};
pub use error::Error;
pub use filter::Filter;
pub use hologram::Hologram;
pub use hop_ring::{HopReader, HopSource, TakenHop, hop_ring};
pub use input::Files;
pub use latency::LatencyHistogram;
pub use live::LiveHolography;
pub use live_problem::{LiveProblem, LiveSound};
pub use microphone::{CLOCK_RATE, Microphone};
pub use moving_sources::MovingSources;
pub use noise_level::noise_level;
pub use passage::Passage;
pub use plan::Plan;
pub use propagator::Propagator;
pub use reconstruction::{PlanarHolography, Reconstruction};
pub use recording::Recording;
pub use regular_grid::RegularGrid;
pub use regularisation::{Family, Regularisation, Rule};
pub use result::{AtFrequency, Deviation, Solution};
pub use sigma_delta::{Modulator, NoiseTransfer};
pub use sound_files::SoundFiles;
pub use source::{Source, exact_hologram};
pub use spec::{
    Array, DipoleSpec, FilterSpec, FluidSpec, FrontEndSpec, Measurement, MicrophoneSpec,
    MonopoleSpec, PistonSpec, PlateSpec, Recorded, RuleSpec, Simulated, SourceSpec, Spec,
};
pub use wavenumber::Wavenumbers;
