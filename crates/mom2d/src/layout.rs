//! From bodies as they are asked for to curves with nodes and equations on them.

use wavefield_mesh::Contour;
use wavefield_physics::constants::{SPEED_OF_LIGHT, vacuum_wavenumber};
use wavefield_physics::exact::cylinder::Polarisation;
use wavefield_physics::exact::sphere::Core;
use wavefield_physics::medium::Medium;

use crate::boundary::{Boundary, Layout, Size};
use crate::certificate::Canonical;
use crate::curve::{self, Curve};
use crate::error::Error;
use crate::field;
use crate::formulation::{BodyEquations, Surface};
use crate::piece::Piece;
use crate::spec::{Body, BodyMaterial, Combination, Density, Equation, LinearSolver, Method, Spec};
use crate::system::System;
use crate::wave::Wave;

/// Most unknowns: a matrix of 160 GB.
pub(crate) const MOST_UNKNOWNS: usize = 100_000;
/// The same where no matrix is filled.
pub(crate) const MOST_FAST_UNKNOWNS: usize = 10_000_000;
/// Largest angle of an arc in one panel, where panels are chosen by the wavelength.
const WIDEST_ARC: f64 = std::f64::consts::FRAC_PI_4;
/// Halvings more towards corners in a finer solution, less in a coarser one.
const GRADING_STEP: isize = 4;

/// What lays out the cases of a problem.
#[derive(Clone, Debug)]
pub(crate) struct Bodies {
    pub(crate) spec: Spec,
    pub(crate) contour: Option<Contour>,
}

/// One curve and what its surface does.
struct Outline {
    curve: Curve,
    surface: Surface,
    /// Refractive index of the denser side.
    index: f64,
}

/// Panels are made twice as many so often; half as many where it is negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fineness(pub(crate) i32);

impl Fineness {
    pub(crate) const AS_ASKED: Fineness = Fineness(0);
}

impl Bodies {
    /// Share of the electric field; strips always have 1.
    pub(crate) fn alpha(&self) -> f64 {
        match self.spec.equation {
            Some(Equation::Efie) => 1.0,
            Some(Equation::Mfie) => 0.0,
            Some(Equation::Cfie(Combination { alpha })) => alpha,
            None => match self.spec.method {
                Method::Pulse(_) => 1.0,
                _ => Combination::default().alpha,
            },
        }
    }

    /// Lays out one case.
    pub(crate) fn system(
        &self,
        frequency: f64,
        polarisation: Polarisation,
        fineness: Fineness,
    ) -> Result<System, Error> {
        let outlines = self.outlines(frequency, polarisation)?;
        let wavelength = SPEED_OF_LIGHT / frequency;
        let alpha = self.alpha();
        if !(0.0..=1.0).contains(&alpha) {
            return Err(Error::Range {
                key: "equation.alpha",
                value: alpha,
                least: 0.0,
                most: 1.0,
            });
        }
        for (i, outline) in outlines.iter().enumerate() {
            if !outline.curve.closed && self.spec.equation.is_some() && alpha < 1.0 {
                return Err(Error::OpenBody {
                    body: i + 1,
                    what: "the MFIE or CFIE",
                });
            }
        }
        let equations = outlines
            .iter()
            .map(|outline| {
                let share = if outline.curve.closed { alpha } else { 1.0 };
                BodyEquations::new(outline.surface, polarisation, share)
            })
            .collect();
        let indices: Vec<f64> = outlines.iter().map(|outline| outline.index).collect();
        if matches!(self.spec.method, Method::Pulse(_)) {
            let conductors = outlines.iter().all(|o| o.surface == Surface::Conductor);
            if polarisation != Polarisation::Tm || !conductors || alpha != 1.0 {
                return Err(Error::Method {
                    method: "pulse",
                    reason: "is the TM EFIE of perfect conductors and nothing else; use \"nystrom\"",
                });
            }
        }
        let curves: Vec<Curve> = outlines.into_iter().map(|outline| outline.curve).collect();
        let boundary = match &self.spec.method {
            Method::Nystrom(nystrom) => {
                let layouts: Vec<Layout> = indices
                    .iter()
                    .map(|index| Layout {
                        size: match nystrom.panels {
                            Some(count) => Size::Count(fineness.count(count)),
                            None => {
                                let nodes = nystrom.points_per_wavelength * index / wavelength;
                                Size::Longest(fineness.length(nystrom.order as f64 / nodes))
                            }
                        },
                        widest_arc: fineness.length(WIDEST_ARC),
                        grading: fineness.grading(nystrom.grading),
                    })
                    .collect();
                Boundary::panels(curves, &layouts, nystrom.order)
            }
            Method::Kress(density) => {
                if !curves.iter().all(smooth) {
                    return Err(Error::Method {
                        method: "kress",
                        reason: "needs circles and ellipses; use \"nystrom\"",
                    });
                }
                let counts: Vec<usize> = curves
                    .iter()
                    .zip(&indices)
                    .map(|(curve, index)| {
                        let count = match density.unknowns {
                            Some(count) => count as f64,
                            None => {
                                let longest = curve.pieces[0].top_speed();
                                (density.points_per_wavelength * index * longest / wavelength)
                                    .max(16.0)
                            }
                        };
                        2 * fineness.count((0.5 * count).ceil() as usize)
                    })
                    .collect();
                Boundary::even(curves, &counts)
            }
            Method::Pulse(density) => {
                let layouts: Vec<Layout> = indices
                    .iter()
                    .map(|index| Layout {
                        size: match density.unknowns {
                            Some(count) => Size::Count(fineness.count(count)),
                            None => {
                                let cells = density.points_per_wavelength * index / wavelength;
                                Size::Longest(fineness.length(1.0 / cells))
                            }
                        },
                        widest_arc: fineness.length(WIDEST_ARC),
                        grading: 0,
                    })
                    .collect();
                let mut boundary = Boundary::panels(curves, &layouts, 1);
                // A pulse has the length of its cell, not that of its tangent.
                for panel in 0..boundary.panels.len() {
                    boundary.weight[panel] = boundary.panels[panel].length;
                }
                boundary
            }
        };
        Ok(System {
            boundary: boundary.into(),
            equations,
            wavenumber: vacuum_wavenumber(frequency),
        })
    }

    /// The curves of all bodies with their surfaces.
    fn outlines(&self, frequency: f64, polarisation: Polarisation) -> Result<Vec<Outline>, Error> {
        if self.spec.bodies.is_empty() {
            return Err(Error::NoBody);
        }
        let meshed = self.spec.bodies.iter().any(|b| matches!(b, Body::Mesh(_)));
        if meshed != self.contour.is_some() {
            return Err(Error::MeshMissing);
        }
        let wavelength = SPEED_OF_LIGHT / frequency;
        let mut outlines = Vec::new();
        for (i, body) in self.spec.bodies.iter().enumerate() {
            let number = i + 1;
            let (surface, index) = surface(number, body, frequency, polarisation)?;
            let curves = curve::of_body(number, body, wavelength, self.contour.as_ref())?;
            for curve in curves {
                if !curve.closed && surface != Surface::Conductor {
                    return Err(Error::OpenBody {
                        body: number,
                        what: "a material other than \"pec\"",
                    });
                }
                outlines.push(Outline {
                    curve,
                    surface,
                    index,
                });
            }
        }
        Ok(outlines)
    }

    /// The circle, if it is alone and has a series.
    pub(crate) fn canonical(&self, frequency: f64) -> Result<Option<Canonical>, Error> {
        let [Body::Circle(circle)] = &self.spec.bodies[..] else {
            return Ok(None);
        };
        let BodyMaterial::Material(material) = &circle.material else {
            return Ok(None);
        };
        let wavelength = SPEED_OF_LIGHT / frequency;
        Ok(Some(Canonical {
            centre: circle.centre.map(|c| c.metres(wavelength)),
            radius: circle.radius.metres(wavelength),
            core: material
                .core(frequency)
                .map_err(|source| Error::Material { body: 1, source })?,
        }))
    }
}

impl Fineness {
    fn count(self, count: usize) -> usize {
        match self.0 {
            0.. => count << self.0,
            _ => count.div_ceil(1 << -self.0),
        }
    }

    fn length(self, length: f64) -> f64 {
        length * 2f64.powi(-self.0)
    }

    fn grading(self, grading: usize) -> usize {
        grading.saturating_add_signed(GRADING_STEP * self.0 as isize)
    }
}

/// A body's surface and the refractive index of the denser side.
fn surface(
    number: usize,
    body: &Body,
    frequency: f64,
    polarisation: Polarisation,
) -> Result<(Surface, f64), Error> {
    let material = match body {
        Body::Circle(shape) => &shape.material,
        Body::Ellipse(shape) => &shape.material,
        Body::Polygon(shape) => &shape.material,
        Body::Spline(shape) => &shape.material,
        Body::Mesh(shape) => &shape.material,
        Body::Strip(_) => return Ok((Surface::Conductor, 1.0)),
    };
    match material {
        BodyMaterial::Impedance(surface) => {
            let z = surface.impedance.value();
            if !z.is_finite() || z.re < 0.0 {
                return Err(Error::Range {
                    key: "impedance",
                    value: z.re,
                    least: 0.0,
                    most: f64::MAX,
                });
            }
            Ok((Surface::Impedance(z), 1.0))
        }
        BodyMaterial::Material(material) => {
            let core = material.core(frequency).map_err(|source| Error::Material {
                body: number,
                source,
            })?;
            match core {
                Core::Pec => Ok((Surface::Conductor, 1.0)),
                Core::Medium(medium) if medium == Medium::VACUUM => {
                    Err(Error::Nothing { body: number })
                }
                Core::Medium(medium) => Ok((
                    Surface::Dielectric {
                        wave: Wave::new(medium.wavenumber(frequency)),
                        ratio: match polarisation {
                            Polarisation::Tm => medium.permeability,
                            Polarisation::Te => medium.permittivity,
                        },
                    },
                    medium.refractive_index().norm().max(1.0),
                )),
            }
        }
    }
}

/// Whether a curve is one closed arc.
fn smooth(curve: &Curve) -> bool {
    curve.closed && matches!(&curve.pieces[..], [Piece::Arc { .. }])
}

pub(crate) fn check_method(method: &Method, solver: LinearSolver) -> Result<(), Error> {
    let within = |key, value: f64, least: f64, most: f64| {
        if (least..=most).contains(&value) {
            Ok(())
        } else {
            Err(Error::Range {
                key,
                value,
                least,
                most,
            })
        }
    };
    let most = most_unknowns(solver) as f64;
    let density = |density: &Density| {
        positive(
            "method.points_per_wavelength",
            density.points_per_wavelength,
        )?;
        let unknowns = density.unknowns.unwrap_or(4) as f64;
        within("method.unknowns", unknowns, 4.0, most)
    };
    match method {
        Method::Nystrom(nystrom) => {
            within("method.order", nystrom.order as f64, 1.0, 12.0)?;
            within("method.grading", nystrom.grading as f64, 0.0, 40.0)?;
            within(
                "method.panels",
                nystrom.panels.unwrap_or(2) as f64,
                2.0,
                most,
            )?;
            positive(
                "method.points_per_wavelength",
                nystrom.points_per_wavelength,
            )?;
        }
        Method::Kress(options) | Method::Pulse(options) => density(options)?,
    }
    let limits = |tolerance: f64, restart: usize, iterations: usize| {
        within("linear_solver.tolerance", tolerance, 1e-15, 0.1)?;
        within("linear_solver.restart", restart as f64, 1.0, most)?;
        within("linear_solver.iterations", iterations as f64, 1.0, 1e9)
    };
    match solver {
        LinearSolver::Gmres(gmres) => limits(gmres.tolerance, gmres.restart, gmres.iterations)?,
        LinearSolver::Fast(fast) => {
            limits(fast.tolerance, fast.restart, fast.iterations)?;
            within("linear_solver.accuracy", fast.accuracy, 1e-10, 1e-2)?;
            if !matches!(method, Method::Nystrom(_)) {
                return Err(Error::FastMethod);
            }
        }
        LinearSolver::Lu => {}
    }
    Ok(())
}

/// Most unknowns of a solver.
pub(crate) fn most_unknowns(solver: LinearSolver) -> usize {
    match solver {
        LinearSolver::Fast(_) => MOST_FAST_UNKNOWNS,
        _ => MOST_UNKNOWNS,
    }
}

pub(crate) fn positive(key: &'static str, value: f64) -> Result<f64, Error> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(Error::NotPositive { key, value })
    }
}

/// Refuses bodies of which one holds a node of another.
pub(crate) fn overlap(boundary: &Boundary) -> Result<(), Error> {
    for (first, curve) in boundary.curves.iter().enumerate() {
        if !curve.closed || boundary.bodies() == 1 {
            continue;
        }
        let line = curve.polyline(field::fineness(curve.pieces.len()));
        for second in (0..boundary.bodies()).filter(|&b| b != first) {
            let held = |node| curve.holds(boundary.position(node), &line);
            if boundary.nodes_of(second).any(held) {
                return Err(Error::Overlap {
                    first: first + 1,
                    second: second + 1,
                });
            }
        }
    }
    Ok(())
}
