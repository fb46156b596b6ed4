//! Layout of bodies: curves with panels, nodes, and equations.

use std::f64::consts::TAU;

use wavefield_mesh::Contour;
use wavefield_numerics::special::gauss_legendre;
use wavefield_physics::constants::{SPEED_OF_LIGHT, vacuum_wavenumber};
use wavefield_physics::exact::cylinder::Polarization;
use wavefield_physics::exact::sphere::Core;
use wavefield_physics::material::Material;
use wavefield_physics::medium::Medium;
use wavefield_solver::scene::{Body, Geometry};

use crate::boundary::{Boundary, Layout, Size, panel_count};
use crate::certificate::Canonical;
use crate::curve::{self, Curve};
use crate::error::Error;
use crate::field;
use crate::formulation::{BodyEquations, Surface};
use crate::grading::{Grading, Wedges};
use crate::spec::{LinearSolver, Method, Spec};
use crate::system::System;
use crate::wave::Wave;

/// Maximum number of unknowns of a dense matrix, which then takes 160 GB.
pub(crate) const MAX_UNKNOWNS: usize = 100_000;
/// Maximum number of unknowns with the MLFMA.
pub(crate) const MAX_MLFMA_UNKNOWNS: usize = 10_000_000;
/// Memory that an unknown needs at least, with its node and its solution, bytes.
const BYTES_PER_UNKNOWN: f64 = 1000.0;
/// Maximum angle of an arc in one panel, rad, if panels are chosen by the wavelength.
const WIDEST_ARC: f64 = std::f64::consts::FRAC_PI_4;

/// Layout of the cases of a problem.
#[derive(Clone, Debug)]
pub(crate) struct Bodies {
    pub(crate) spec: Spec,
    /// Contours of bodies of shape "mesh", by body index.
    pub(crate) contours: Vec<Option<Contour>>,
    /// Memory that the run may use, bytes.
    pub(crate) memory: usize,
}

/// Curve with its boundary condition.
struct Outline {
    /// Body index.
    body: usize,
    curve: Curve,
    surface: Surface,
    /// Refractive index of the denser side.
    index: f64,
}

/// Number of times the number of panels is doubled, or halved if negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fineness(pub(crate) i32);

impl Fineness {
    pub(crate) const AS_ASKED: Fineness = Fineness(0);
}

impl Bodies {
    /// Lays out one case.
    pub(crate) fn system(
        &self,
        frequency: f64,
        polarization: Polarization,
        fineness: Fineness,
    ) -> Result<System, Error> {
        let outlines = self.outlines(frequency, polarization)?;
        let wavelength = SPEED_OF_LIGHT / frequency;
        let settings = &self.spec.mom2d;
        let alpha = settings.alpha();
        for outline in &outlines {
            if !outline.curve.closed && settings.equation.is_some() && alpha < 1.0 {
                return Err(Error::OpenBody {
                    body: outline.body,
                    what: "the MFIE or CFIE",
                });
            }
        }
        let equations = outlines
            .iter()
            .map(|outline| {
                let share = if outline.curve.closed { alpha } else { 1.0 };
                BodyEquations::new(outline.surface, polarization, share)
            })
            .collect();
        let indices: Vec<f64> = outlines.iter().map(|outline| outline.index).collect();
        let wedges: Vec<Wedges> = outlines.iter().map(Outline::wedges).collect();
        let curves: Vec<Curve> = outlines.into_iter().map(|outline| outline.curve).collect();
        let boundary = match &settings.method {
            Method::Nystrom(nystrom) => {
                let nodes = gauss_legendre(nystrom.order).0;
                let layouts: Vec<Layout> = indices
                    .iter()
                    .zip(wedges)
                    .map(|(index, wedges)| Layout {
                        size: match nystrom.panels {
                            Some(count) => Size::Count(fineness.count(count)),
                            None => {
                                let nodes = nystrom.points_per_wavelength * index / wavelength;
                                Size::Longest(fineness.length(nystrom.order as f64 / nodes))
                            }
                        },
                        widest_arc: fineness.length(WIDEST_ARC),
                        halvings: fineness.halvings(),
                        grading: match nystrom.grading {
                            Some(bisections) => Grading::fixed(bisections, fineness.0),
                            None => {
                                let wavenumber = TAU * index / wavelength;
                                Grading::by_corners(wedges, wavenumber, &nodes, fineness.0)
                            }
                        },
                    })
                    .collect();
                self.require_size(&curves, &layouts, nystrom.order)?;
                Boundary::panels(curves, &layouts, nystrom.order)
            }
            Method::Kress(density) => {
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
                        2 * (fineness.count((0.5 * count).ceil() as usize) << fineness.halvings())
                    })
                    .collect();
                self.require_unknowns(counts.iter().map(|&count| count as f64).sum())?;
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
                        halvings: fineness.halvings(),
                        grading: Grading::Fixed(0),
                    })
                    .collect();
                self.require_size(&curves, &layouts, 1)?;
                let mut boundary = Boundary::panels(curves, &layouts, 1);
                // The weight of a pulse is the length of its cell, not that of its tangent.
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

    /// Refuses panels that are too many before they are made.
    fn require_size(
        &self,
        curves: &[Curve],
        layouts: &[Layout],
        order: usize,
    ) -> Result<(), Error> {
        let panels = curves.iter().zip(layouts);
        let panels: f64 = panels
            .map(|(curve, &layout)| panel_count(curve, layout))
            .sum();
        self.require_unknowns(order as f64 * panels)
    }

    fn require_unknowns(&self, unknowns: f64) -> Result<(), Error> {
        let most = most_unknowns(self.spec.mom2d.linear_solver);
        if unknowns.is_nan() || unknowns > most as f64 {
            return Err(Error::TooLarge { unknowns, most });
        }
        if unknowns * BYTES_PER_UNKNOWN > self.memory as f64 {
            return Err(Error::Memory {
                unknowns,
                gibibytes: unknowns * BYTES_PER_UNKNOWN / f64::from(1 << 30),
            });
        }
        Ok(())
    }

    /// Returns the curves of all bodies with their boundary conditions.
    fn outlines(&self, frequency: f64, polarization: Polarization) -> Result<Vec<Outline>, Error> {
        let wavelength = SPEED_OF_LIGHT / frequency;
        let mut outlines = Vec::new();
        for (number, body) in self.spec.bodies.iter().enumerate() {
            let (surface, index) = surface(number, body, frequency, polarization)?;
            let contour = self.contours.get(number).and_then(Option::as_ref);
            for curve in curve::of_body(number, &body.geometry, wavelength, contour)? {
                if !curve.closed && surface != Surface::Conductor {
                    return Err(Error::OpenBody {
                        body: number,
                        what: "a material other than \"pec\"",
                    });
                }
                outlines.push(Outline {
                    body: number,
                    curve,
                    surface,
                    index,
                });
            }
        }
        Ok(outlines)
    }

    /// Returns the circle, if it is the only body and has an exact series.
    pub(crate) fn canonical(&self, frequency: f64) -> Result<Option<Canonical>, Error> {
        let [body] = &self.spec.bodies[..] else {
            return Ok(None);
        };
        let (Geometry::Circle(circle), material) = (&body.geometry, &body.material) else {
            return Ok(None);
        };
        if matches!(material, Material::Surface(_)) {
            return Ok(None);
        }
        let wavelength = SPEED_OF_LIGHT / frequency;
        Ok(Some(Canonical {
            center: circle.center.map(|c| c.meters(wavelength)),
            radius: circle.radius.meters(wavelength),
            core: material
                .core(frequency)
                .map_err(|source| Error::Material { body: 0, source })?,
        }))
    }
}

impl Outline {
    /// Returns the wedges of the fields at corners.
    fn wedges(&self) -> Wedges {
        match self.surface {
            Surface::Dielectric { ratio, .. } => Wedges::Both {
                contrast: ((ratio - 1.0) / (ratio + 1.0)).norm().max(1.0),
            },
            _ if self.curve.closed => Wedges::Outside,
            _ => Wedges::Both { contrast: 1.0 },
        }
    }
}

impl Fineness {
    /// Returns the number of panels, fewer in a coarser solution.
    fn count(self, count: usize) -> usize {
        count.div_ceil(1 << (-self.0).max(0))
    }

    /// Returns the maximum length of panels, larger in a coarser solution.
    fn length(self, length: f64) -> f64 {
        length * 2f64.powi((-self.0).max(0))
    }

    /// Returns how many times every panel is halved, so that a finer solution has more panels also where they are short.
    fn halvings(self) -> i32 {
        self.0.max(0)
    }
}

/// Returns the boundary condition of a body and the refractive index of the denser side.
fn surface(
    number: usize,
    body: &Body,
    frequency: f64,
    polarization: Polarization,
) -> Result<(Surface, f64), Error> {
    if let Material::Surface(surface) = &body.material {
        return Ok((Surface::Impedance(surface.surface_impedance.value()), 1.0));
    }
    let core = body
        .material
        .core(frequency)
        .map_err(|source| Error::Material {
            body: number,
            source,
        })?;
    match core {
        Core::Pec => Ok((Surface::Conductor, 1.0)),
        Core::Medium(medium) if medium == Medium::VACUUM => Err(Error::Nothing { body: number }),
        Core::Medium(medium) => Ok((
            Surface::Dielectric {
                wave: Wave::new(medium.wavenumber(frequency)),
                ratio: match polarization {
                    Polarization::Tm => medium.permeability,
                    Polarization::Te => medium.permittivity,
                },
            },
            medium.refractive_index().norm().max(1.0),
        )),
    }
}

/// Returns the maximum number of unknowns of a linear solver.
pub(crate) fn most_unknowns(solver: LinearSolver) -> usize {
    match solver {
        LinearSolver::Mlfma(_) => MAX_MLFMA_UNKNOWNS,
        _ => MAX_UNKNOWNS,
    }
}

/// Refuses bodies that contain a node of another.
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
