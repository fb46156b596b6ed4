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
        "radar products need at least 2 frequencies, not {found}: give `frequency` a range, such as {{ start = \"9 GHz\", stop = \"11 GHz\", count = 64 }}"
    )]
    FewFrequencies {
        /// Frequencies of the sweep.
        found: usize,
    },
    /// Frequencies at uneven steps, or falling ones.
    #[error(
        "radar products need frequencies that rise in even steps; after {after} Hz the step is {found} Hz, not {step} Hz"
    )]
    UnevenFrequencies {
        /// The frequency before the step.
        after: f64,
        /// The step there.
        found: f64,
        /// The mean step.
        step: f64,
    },
    /// An image needs the aspect of the body to change.
    #[error(
        "`image` and `scattering_centers` need `observation.kind = \"monostatic\"`: an image is formed over the aspect angle"
    )]
    Bistatic,
    /// Surface patches are observed from the direction of incidence.
    #[error("`image_domain` and `surface_map` need `observation.kind = \"monostatic\"`")]
    OnlyBack,
    /// One angle tells no cross-range.
    #[error(
        "`image` and `scattering_centers` need at least 2 angles, not {found}: give `excitation.phi` or `excitation.theta` a range"
    )]
    FewAngles {
        /// Directions of the sweep.
        found: usize,
    },
    /// A grid of directions, or one that is no cut.
    #[error(
        "`image` and `scattering_centers` need a sweep of φ at one θ, or of θ at one φ, not of both"
    )]
    BothAngles,
    /// Angles at uneven steps.
    #[error(
        "`image` and `scattering_centers` need angles in even steps; after {after} deg the step is {found} deg, not {step} deg"
    )]
    UnevenAngles {
        /// The angle before the step.
        after: f64,
        /// The step there.
        found: f64,
        /// The mean step.
        step: f64,
    },
    /// An angular aperture without a middle.
    #[error(
        "`image` and `scattering_centers` need a sweep of less than {most} deg, not of {found} deg: aspects of opposite sides form no image"
    )]
    Span {
        /// The sweep in degrees.
        found: f64,
        /// Its limit.
        most: f64,
    },
    /// Rotation about the line of sight.
    #[error(
        "`image` and `scattering_centers` need an aspect angle that changes; at θ = {theta} deg a sweep of φ rotates the body about the line of sight"
    )]
    AlongTheAxis {
        /// θ of the sweep.
        theta: f64,
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
