//! Errors of the radar products.

use wavefield_gpu::fft::FftError;
use wavefield_nufft::NufftError;
use wavefield_solver::{Classified, ErrorClass};

/// Error of a radar product.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProductError {
    /// A single frequency has no range resolution.
    #[error(
        "radar products need at least 2 frequencies, not {found}: give `frequency` a range, such as {{ start = \"9 GHz\", stop = \"11 GHz\", count = 64 }}"
    )]
    FewFrequencies {
        /// Number of frequencies.
        found: usize,
    },
    /// The frequency steps are nonuniform or descending.
    #[error(
        "radar products need ascending frequencies with a uniform step; after {after} Hz the step is {found} Hz, not {step} Hz: use a linear sweep"
    )]
    UnevenFrequencies {
        /// Frequency before the step, Hz.
        after: f64,
        /// Step, Hz.
        found: f64,
        /// Mean step, Hz.
        step: f64,
    },
    /// An image requires monostatic observation over the aspect angle.
    #[error(
        "`image` and `scattering_centers` need `observation.kind = \"monostatic\"`: an image is formed over the aspect angle"
    )]
    Bistatic,
    /// Surface maps and image-domain images require monostatic observation.
    #[error("`image_domain` and `surface_map` need `observation.kind = \"monostatic\"`")]
    OnlyBack,
    /// A single angle has no cross-range resolution.
    #[error(
        "`image` and `scattering_centers` need at least 2 angles, not {found}: give `excitation.phi` or `excitation.theta` a range"
    )]
    FewAngles {
        /// Number of directions.
        found: usize,
    },
    /// The sweep varies both angles and is not a cut.
    #[error("`image` and `scattering_centers` need a sweep of either φ or θ, not of both")]
    BothAngles,
    /// The angular steps are nonuniform.
    #[error(
        "`image` and `scattering_centers` need a uniform angular step; after {after} deg the step is {found} deg, not {step} deg"
    )]
    UnevenAngles {
        /// Angle before the step, degrees.
        after: f64,
        /// Step, degrees.
        found: f64,
        /// Mean step, degrees.
        step: f64,
    },
    /// The angular aperture has no unique center.
    #[error(
        "`image` and `scattering_centers` need an angular aperture below {most} deg, not {found} deg; reduce the sweep"
    )]
    Span {
        /// Angular aperture, degrees.
        found: f64,
        /// Limit, degrees.
        most: f64,
    },
    /// The sweep rotates the body about the line of sight.
    #[error(
        "`image` and `scattering_centers` need a varying aspect angle; at θ = {theta} deg a sweep of φ rotates the body about the line of sight"
    )]
    AlongTheAxis {
        /// θ of the sweep, degrees.
        theta: f64,
    },
    /// The image exceeds the maximum number of pixels.
    #[error(
        "an image of {rows} × {columns} pixels exceeds the limit of {most:.0e}; check the unit of the mesh or reduce the bandwidth or the angular aperture"
    )]
    TooManyCells {
        /// Number of pixels down-range.
        rows: f64,
        /// Number of pixels cross-range.
        columns: f64,
        /// Maximum number of pixels.
        most: f64,
    },
    /// The FFT of range profiles failed.
    #[error(transparent)]
    Fft(#[from] FftError),
    /// The NUFFT of an image failed.
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
            | ProductError::FewAngles { .. }
            | ProductError::BothAngles
            | ProductError::UnevenAngles { .. }
            | ProductError::Span { .. }
            | ProductError::AlongTheAxis { .. }
            | ProductError::TooManyCells { .. }
            | ProductError::Nufft(_) => ErrorClass::Input,
        }
    }
}
