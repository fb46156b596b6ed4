//! What a sweep can lack for a product.

use wavefield_gpu::fft::FftError;
use wavefield_nufft::NufftError;
use wavefield_solver::{Classified, ErrorClass};

/// Why a product cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProductError {
    /// One frequency tells no range.
    #[error(
        "`products` need at least 2 frequencies, not {found}: give `frequency` a range, such as {{ start = \"9 GHz\", stop = \"11 GHz\", count = 64 }}"
    )]
    FewFrequencies {
        /// Frequencies of the sweep.
        found: usize,
    },
    /// Frequencies at uneven steps, or falling ones.
    #[error(
        "`products` need frequencies that rise in even steps; after {after} Hz the step is {found} Hz, not {step} Hz"
    )]
    UnevenFrequencies {
        /// The frequency before the step.
        after: f64,
        /// The step there.
        found: f64,
        /// The mean step.
        step: f64,
    },
    /// An image needs the body to turn before the radar.
    #[error(
        "`products.image` and `products.centres` need `observation.kind = \"monostatic\"`: an image is made by the body's turn before the radar"
    )]
    Bistatic,
    /// Patches are looked at from where the wave comes from.
    #[error(
        "`products.direct_image` and `products.surface_map` need `observation.kind = \"monostatic\"`"
    )]
    OnlyBack,
    /// A resolution that makes no sense.
    #[error("`products.direct_image.{key}` must be positive, not {metres} m")]
    Resolution {
        /// Which one.
        key: &'static str,
        /// Its value.
        metres: f64,
    },
    /// One angle tells no cross-range.
    #[error(
        "`products.image` and `products.centres` need at least 2 angles, not {found}: give `incidence.phi` or `incidence.theta` a range"
    )]
    FewAngles {
        /// Directions of the sweep.
        found: usize,
    },
    /// A grid of directions, or one that is no cut.
    #[error(
        "`products.image` and `products.centres` need a sweep of φ at one θ, or of θ at one φ, not of both"
    )]
    BothAngles,
    /// Angles at uneven steps.
    #[error(
        "`products.image` and `products.centres` need angles in even steps; after {after} deg the step is {found} deg, not {step} deg"
    )]
    UnevenAngles {
        /// The angle before the step.
        after: f64,
        /// The step there.
        found: f64,
        /// The mean step.
        step: f64,
    },
    /// A turn that has no middle to look from.
    #[error(
        "`products.image` and `products.centres` need a sweep of less than {most} deg, not of {found} deg: sides of the body that are never seen together make no picture"
    )]
    Span {
        /// The sweep in degrees.
        found: f64,
        /// Its limit.
        most: f64,
    },
    /// Turning about the line of sight.
    #[error(
        "`products.image` and `products.centres` need a body that turns before the radar; at θ = {theta} deg a sweep of φ turns it about the line of sight"
    )]
    AlongTheAxis {
        /// θ of the sweep.
        theta: f64,
    },
    /// A number of centres out of range.
    #[error("`products.centres.count` must lie between 1 and {most}, not at {found}")]
    Count {
        /// What was asked for.
        found: usize,
        /// The most.
        most: usize,
    },
    /// A dynamic range that makes no sense.
    #[error("`products.centres.below_peak` must be positive and at most {most} dB, not {found} dB")]
    BelowPeak {
        /// What was asked for.
        found: f64,
        /// The most.
        most: f64,
    },
    /// An image of more cells than is sensible.
    #[error(
        "an image of {rows} by {columns} cells is too large (at most {most:.0e} cells): the resolution is too fine for so large a body; is the mesh in the right unit?"
    )]
    TooManyCells {
        /// Cells down-range.
        rows: f64,
        /// Cells cross-range.
        columns: f64,
        /// The most.
        most: f64,
    },
    /// The transform of profiles failed.
    #[error(transparent)]
    Fft(#[from] FftError),
    /// The transform of an image failed.
    #[error(transparent)]
    Nufft(#[from] NufftError),
}

impl Classified for ProductError {
    fn class(&self) -> ErrorClass {
        match self {
            ProductError::Fft(error) => error.class(),
            ProductError::Nufft(NufftError::Device(error)) => error.class(),
            ProductError::FewFrequencies { .. }
            | ProductError::UnevenFrequencies { .. }
            | ProductError::Bistatic
            | ProductError::OnlyBack
            | ProductError::Resolution { .. }
            | ProductError::FewAngles { .. }
            | ProductError::BothAngles
            | ProductError::UnevenAngles { .. }
            | ProductError::Span { .. }
            | ProductError::AlongTheAxis { .. }
            | ProductError::Count { .. }
            | ProductError::BelowPeak { .. }
            | ProductError::TooManyCells { .. }
            | ProductError::Nufft(_) => ErrorClass::Input,
        }
    }
}
