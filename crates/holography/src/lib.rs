//! Planar near-field acoustic holography (NAH) in real time, from the PDM bitstreams of an array of digital
//! microphones: pressure, particle velocity, and intensity in a reconstruction plane near the sources.
//!
//! # Formulation
//!
//! The pressure p(x, y) e^{+jωt} in the hologram plane is expanded in its angular spectrum, a superposition of plane
//! waves P(k_x, k_y) e^{j(k_x x + k_y y − k_z z)} with k_z = √(k² − k_x² − k_y²) for propagating waves, inside the
//! radiation circle of k-space, and k_z = −j√(k_x² + k_y² − k²) for evanescent waves outside. Back-propagation by d
//! multiplies P by e^{jk_z d}. It amplifies evanescent waves, which carry subwavelength detail, together with their
//! noise; a regularization filter F(k_x, k_y) limits the noise. Particle velocity follows from Euler's equation,
//! v = −∇p/(jωρ). E. G. Williams, Fourier Acoustics, Academic Press 1999.
//!
//! # Algorithm
//!
//! Sigma-delta modulators in the microphones send pulse-density modulated (PDM) bits. A front end decimates them by a
//! cascaded integrator–comb (CIC) filter and computes the complex amplitudes at the DFT bins of interest. The hologram
//! is extrapolated beyond its edges by linear prediction (Burg's method) and tapered by a Tukey window before the FFT.
//! The filter is a Tikhonov, modified Tikhonov, or exponential (Veronesi) low-pass filter, whose parameter is chosen by
//! generalized cross-validation (GCV) or Morozov's discrepancy principle.
//!
//! | step | types |
//! |---|---|
//! | simulation: sources, microphones, PDM bits | [`Source`], [`exact_hologram`], [`Microphone`], [`Bitstream`] |
//! | bits to amplitudes: five front ends | [`front_end::FrontEnd`] |
//! | PCM recordings and their files | [`Recording`], [`RegularGrid`], [`files`] |
//! | extrapolation and window | [`Border`], [`LinearPrediction`] |
//! | angular spectrum | [`AngularSpectrum`], [`Wavenumbers`] |
//! | regularization | [`Filter`], [`Regularization`], [`noise_level`] |
//! | propagation | [`Propagator`] |
//! | complete reconstruction | [`PlanarHolography`]; streaming: [`LiveHolography`] with [`hop_ring`], [`MovingSources`] |
//! | reference solutions | [`mod@reference`] |
//! | GPU | [`gpu::GpuFrontEnd`], [`gpu::GpuPlanes`], [`Plan::execute_on`] |
//! | problem file | [`Spec`] → [`Plan`] → [`Solution`] |
//!
//! ```
//! use wavefield_numerics::observe::Silent;
//! use wavefield_holography::{Plan, Spec};
//!
//! // Two monopoles, measured at 5 cm and reconstructed at 1 cm.
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
//! # Limitations
//!
//! Sources lie on one side of the array, and the sound is stationary over a frame (22 ms). The regularization filter
//! limits the spatial resolution to about the distance from the sources, and spatial sampling to two pitches. Border
//! extrapolation by linear prediction is the subject of a patent ([`Border`]).

#![deny(unsafe_code)]

mod angular_spectrum;
mod array;
mod bitstream;
mod border;
mod burg;
mod contract;
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
mod regularization;
mod result;
mod sigma_delta;
mod sound_files;
mod source;
mod spec;
mod time_history;
mod wavenumber;

pub use angular_spectrum::AngularSpectrum;
pub use array::{MicrophoneArray, Packing};
pub use bitstream::Bitstream;
pub use border::{Border, Extended, Padding};
pub use burg::LinearPrediction;
pub use contract::{HolographyRun, HolographySolver};
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
pub use regularization::{Family, Regularization, Rule};
pub use result::{AtFrequency, Deviation, Solution};
pub use sigma_delta::{Modulator, NoiseTransfer};
pub use sound_files::SoundFiles;
pub use source::{Source, exact_hologram};
pub use spec::{
    Array, DipoleSpec, FilterSpec, FluidSpec, FrontEndSpec, Measurement, MicrophoneSpec,
    MonopoleSpec, PistonSpec, PlateSpec, Recorded, RuleSpec, Simulated, SourceSpec, Spec,
};
pub use time_history::FieldSnapshot;
pub use wavenumber::Wavenumbers;
