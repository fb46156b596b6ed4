//! From what is asked to a synthesised array.

use num_complex::Complex64;
use wavefield_compute::Device;
use wavefield_compute::observe::{Observer, Progress};
use wavefield_physics::far_field::power_db;

use crate::aperture::Aperture;
use crate::beam::Beam;
use crate::certificate;
use crate::coverage::Coverage;
use crate::directions::{Directions, Judgement};
use crate::error::Error;
use crate::feed::Feed;
use crate::max_min::{self, Found};
use crate::pattern::{Grid, Pattern};
use crate::projections;
use crate::radiated;
use crate::result::{Cuts, Even, Size, Solution};
use crate::spacing::{Free, Limits, Spacings};
use crate::spec::{Spacing, Spec};
use crate::trade_off;
use crate::window::{Operator, Window};

/// Most rows or columns.
const MOST_SIDE: usize = 400;
/// Samples are so many beamwidths apart, judged directions so many, and those of the mean bound.
const SAMPLED: f64 = 1.0 / 8.0;
const JUDGED: f64 = 1.0 / 32.0;
const AVERAGED: f64 = 1.0 / 64.0;
/// Directions of iterated projections and of the trade-off.
const HALVED: f64 = 1.0 / 16.0;
/// The level that iterated projections are asked for, above what max–min reached, dB: asked for no more than
/// that they stop short of it.
const ASKED_DB: f64 = 0.35;
/// What of the minimum is given up for the mean, dB.
const GIVEN_UP_DB: [f64; 4] = [0.02, 0.16, 0.43, 0.84];
/// Pitch and margin of the map in beamwidths.
const MAP_STEP: f64 = 1.0 / 6.0;
const MAP_MARGIN: f64 = 3.0;
/// φ of the cuts, and first θ, step and number of each, degrees.
const CUT_PHI: [f64; 4] = [0.0, 45.0, 90.0, 135.0];
const CUT_THETA: (f64, f64, usize) = (-30.0, 0.1, 601);
/// Where free distances start, as a share of their range, and the quadratic phases they start with.
const FIRST_SHARE: f64 = 0.5;
const FIRST_PHASES: [[f64; 3]; 4] = [
    [0.6, -0.6, 0.0],
    [-0.6, 0.6, 0.0],
    [0.6, 0.6, 0.0],
    [-0.6, 0.6, -0.6],
];
/// Distances that differ by less than this part of a wavelength are even.
const EVEN: f64 = 1e-3;

/// A problem ready to run.
#[derive(Debug)]
pub struct Plan {
    coverage: Coverage,
    aperture: Aperture,
    limits: Option<Limits>,
    samples: Directions,
    judged: Directions,
    window: Window,
}

impl Plan {
    /// Lays out array and coverage; `geojson` is the text of the coverage's file, if it names one.
    ///
    /// # Errors
    /// Whatever in the problem makes no array or no coverage.
    pub fn new(spec: &Spec, geojson: Option<&str>) -> Result<Plan, Error> {
        let frequency = positive("frequency", spec.frequency.0)?;
        let wavelength = wavefield_physics::constants::SPEED_OF_LIGHT / frequency;
        let feed = Feed {
            position: spec.feed.position.map(|length| length.metres(wavelength)),
            exponent: spec.feed.exponent,
        };
        if feed.position[2] <= 0.0 || feed.position.iter().any(|p| !p.is_finite()) {
            return Err(Error::FeedBehind {
                z: feed.position[2],
            });
        }
        if !(0.0..=1e4).contains(&feed.exponent) {
            return Err(Error::Range {
                key: "feed.exponent",
                value: feed.exponent,
                least: 0.0,
                most: 1e4,
            });
        }
        for (key, value) in [
            ("lattice.columns", spec.lattice.columns),
            ("lattice.rows", spec.lattice.rows),
        ] {
            if !(2..=MOST_SIDE).contains(&value) {
                return Err(Error::Count {
                    key,
                    value,
                    most: MOST_SIDE,
                });
            }
        }
        let (first, limits) = match &spec.lattice.spacing {
            Spacing::Even(length) => (
                positive("lattice.spacing", length.metres(wavelength))?,
                None,
            ),
            Spacing::Free(free) => {
                let least = positive("lattice.spacing.least", free.least.metres(wavelength))?;
                let most = positive("lattice.spacing.most", free.most.metres(wavelength))?;
                if least >= most {
                    return Err(Error::Spacing { least, most });
                }
                (most, Some(Limits { least, most }))
            }
        };
        let coverage = Coverage::new(&spec.coverage, geojson)?;
        let gaps = |count: usize| vec![first; count - 1];
        let aperture = Aperture::new(
            wavelength,
            feed,
            spec.element,
            &gaps(spec.lattice.columns),
            &gaps(spec.lattice.rows),
        );
        if let Some(n) = aperture
            .amplitude
            .iter()
            .position(|a| a.is_nan() || *a <= 0.0)
        {
            let columns = aperture.columns.len();
            return Err(Error::Unlit {
                x: aperture.columns[n % columns],
                y: aperture.rows[n / columns],
            });
        }
        let beamwidth = aperture.beamwidth();
        Ok(Plan {
            samples: Directions::new(&coverage, SAMPLED * beamwidth)?,
            judged: Directions::new(&coverage, JUDGED * beamwidth)?,
            window: Window::new(&aperture, coverage.bounds())?,
            coverage,
            aperture,
            limits,
        })
    }

    /// The coverage.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// The array, before its distances are found.
    pub fn aperture(&self) -> &Aperture {
        &self.aperture
    }

    /// Samples, judged directions and degrees of freedom.
    pub fn size(&self) -> Size {
        Size {
            samples: self.samples.all.len(),
            judged: self.judged.all.len(),
            rank: self.window.rank(),
        }
    }

    /// Bytes a run takes.
    pub fn memory(&self) -> usize {
        let size = self.size();
        let averaged = size.judged * 4;
        16 * size.rank * (2 * averaged + 4 * size.judged + 8 * size.samples)
            + 16 * 200 * self.aperture.len()
    }

    /// Floating-point operations of a run, for a guess at the time.
    pub fn operations(&self) -> f64 {
        let size = self.size();
        let elements = self.aperture.len() as f64;
        let gradient = 16.0 * size.samples as f64 * size.rank as f64
            + 40.0 * elements * (size.rank as f64).sqrt();
        let synthesis = 20_000.0 * gradient;
        match self.limits {
            Some(_) => 2.0 * synthesis + 1500.0 * 32.0 * size.samples as f64 * elements,
            None => synthesis,
        }
    }

    /// Half widths of the coverage in u and v.
    fn half_widths(&self) -> [f64; 2] {
        let [low, high] = self.coverage.bounds();
        [0, 1].map(|axis| 0.5 * (high[axis] - low[axis]))
    }

    /// A directivity to measure others by.
    fn reference(&self) -> f64 {
        4.0 * std::f64::consts::PI / self.coverage.area() / 3.0
    }

    /// Finds the phases, and what bounds them, on the rayon pool the caller has installed.
    ///
    /// # Errors
    /// Stopped on request.
    pub fn execute(&self, device: &Device, observer: &dyn Observer) -> Result<Solution, Error> {
        let (aperture, even) = match self.limits {
            None => (self.aperture.clone(), None),
            Some(limits) => self.spaced(limits, observer)?,
        };
        let shaped = self.shape(&aperture, observer)?;
        let Shaped {
            beam,
            judged,
            found,
        } = &shaped;
        let window = beam.operator.window();
        let judgement = shaped.judge(&found.phases);

        let minimum_bound = certificate::minimum(beam, observer)?;
        observer.progress(&Progress::new("bound on the mean", 0, 1));
        let averaged = self
            .coverage
            .interior_points(AVERAGED * aperture.beamwidth())?;
        let mean_bound = certificate::mean(&aperture, window, averaged)?;
        let iterated = shaped.judge(&self.iterated(&aperture, window, found, judgement, observer)?);
        let nearer = Directions::new(&self.coverage, HALVED * aperture.beamwidth())?;
        let traded = Beam::new(
            &aperture,
            Operator::new(window, nearer.all.clone()),
            self.reference(),
        );
        let mut trade_off = Vec::new();
        for given_up in GIVEN_UP_DB {
            let level = 10.0_f64.powf(0.1 * (judgement.least_dbi - given_up));
            let phases =
                trade_off::largest_mean(&traded, nearer.inside, &found.phases, level, observer)?;
            trade_off.push(shaped.judge(&phases));
        }

        // Distances that turned out even are their own comparison.
        let even = even.or(self.limits.map(|_| Even {
            spacing: aperture.columns[1] - aperture.columns[0],
            judgement,
        }));

        let phases = shaped.absolute(&found.phases);
        let excitation = aperture.excitation(&phases);
        let radiated = radiated::power(device, &aperture, &excitation)?;
        let beamwidth = aperture.beamwidth();
        let grid = Grid::around(
            self.coverage.bounds(),
            MAP_MARGIN * beamwidth,
            MAP_STEP * beamwidth,
        );
        let (x, y): (Vec<f64>, Vec<f64>) = aperture.places().map(|[x, y]| (x, y)).unzip();
        let pattern = Pattern::new(device, grid, aperture.wavenumber(), &x, &y)?;
        let map = polarised(&aperture, &pattern.field(&excitation)?, grid.directions());
        let cuts = cuts(&aperture, &excitation);
        Ok(Solution {
            command_phases: aperture.command_phases(&phases),
            judgement,
            minimum_bound,
            mean_bound,
            iterated,
            trade_off,
            starts: found.starts.clone(),
            start: found.start,
            even,
            illumination_efficiency: aperture.illumination_efficiency(),
            radiated_db: power_db(radiated / aperture.captured),
            grid,
            map,
            cuts,
            size: Size {
                samples: beam.operator.directions().len(),
                judged: judged.all.len(),
                rank: window.rank(),
            },
            phases,
            aperture: aperture.clone(),
        })
    }

    /// The best phases of an array for the largest minimum.
    fn shape<'a>(
        &self,
        aperture: &'a Aperture,
        observer: &dyn Observer,
    ) -> Result<Shaped<'a>, Error> {
        let beamwidth = aperture.beamwidth();
        let samples = Directions::new(&self.coverage, SAMPLED * beamwidth)?;
        let judged = Directions::new(&self.coverage, JUDGED * beamwidth)?;
        let window = Window::new(aperture, self.coverage.bounds())?;
        let beam = Beam::new(
            aperture,
            Operator::new(&window, samples.all),
            self.reference(),
        );
        let found = max_min::synthesize(&beam, self.half_widths(), &judged, observer)?;
        Ok(Shaped {
            beam,
            judged,
            found,
        })
    }

    /// Distances between rows and columns, and an even array of the same aperture beside it.
    fn spaced(
        &self,
        limits: Limits,
        observer: &dyn Observer,
    ) -> Result<(Aperture, Option<Even>), Error> {
        let [low, high] = self.coverage.bounds();
        let free = Free {
            pattern: &self.aperture,
            limits,
            directions: &self.samples.all,
            centre: [0, 1].map(|axis| 0.5 * (low[axis] + high[axis])),
            reference: self.reference(),
        };
        let mut best: Option<(Spacings, f64)> = None;
        let first = limits.least + FIRST_SHARE * (limits.most - limits.least);
        for factors in FIRST_PHASES {
            let phases = max_min::quadratic(&self.aperture, self.half_widths(), factors);
            let (spacings, reached) = free.find(first, &phases, observer)?;
            if best.as_ref().is_none_or(|(_, most)| reached > *most) {
                best = Some((spacings, reached));
            }
        }
        let (spacings, _) = best.expect("there is always a start");
        let Aperture {
            wavelength,
            feed,
            element,
            ..
        } = self.aperture;
        let aperture = Aperture::new(wavelength, feed, element, &spacings.columns, &spacings.rows);
        let gaps: Vec<f64> = spacings
            .columns
            .iter()
            .chain(&spacings.rows)
            .copied()
            .collect();
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        let even = |count: usize| vec![mean; count - 1];
        let (columns, rows) = (aperture.columns.len(), aperture.rows.len());
        let beside = Aperture::new(wavelength, feed, element, &even(columns), &even(rows));
        if gaps
            .iter()
            .all(|gap| (gap - mean).abs() < EVEN * wavelength)
        {
            return Ok((beside, None));
        }
        let shaped = self.shape(&beside, observer)?;
        let judgement = shaped.judge(&shaped.found.phases);
        Ok((
            aperture,
            Some(Even {
                spacing: mean,
                judgement,
            }),
        ))
    }

    /// Iterated projections from the start of the result, with about as many fields as max–min computed from
    /// there.
    fn iterated(
        &self,
        aperture: &Aperture,
        window: &Window,
        found: &Found,
        reached: Judgement,
        observer: &dyn Observer,
    ) -> Result<Vec<f64>, Error> {
        let step = HALVED * aperture.beamwidth();
        let operator = Operator::new(window, self.coverage.interior_points(step)?);
        let start = max_min::quadratic(aperture, self.half_widths(), found.start);
        let level = 10.0_f64.powf(0.1 * (reached.least_dbi + ASKED_DB));
        Ok(projections::iterate(
            aperture, &operator, step, &start, level, observer,
        )?)
    }
}

/// An array with the phases found for it.
struct Shaped<'a> {
    beam: Beam<'a>,
    judged: Directions,
    found: Found,
}

impl Shaped<'_> {
    /// Phases of the aperture field from those relative to a beam towards the middle of the window.
    fn absolute(&self, phases: &[f64]) -> Vec<f64> {
        let steering = self.beam.operator.window().steering();
        phases.iter().zip(steering).map(|(p, s)| p - s).collect()
    }

    /// How relative phases fill the coverage, by the sum over all elements.
    fn judge(&self, phases: &[f64]) -> Judgement {
        let directivity = self
            .beam
            .aperture
            .directivity(&self.absolute(phases), &self.judged.all);
        self.judged.judge(&directivity)
    }
}

/// Co- and cross-polar fields of array factors, of such a size that |E|² is the directivity.
fn polarised(
    aperture: &Aperture,
    factors: &[Complex64],
    directions: impl Iterator<Item = [f64; 2]>,
) -> [Vec<Complex64>; 2] {
    let size = aperture.scale().sqrt();
    factors
        .iter()
        .zip(directions)
        .map(|(f, [u, v])| {
            let [co, cross] = aperture.element.factor(u, v);
            (f * (size * co), f * (size * cross))
        })
        .unzip::<_, _, Vec<_>, Vec<_>>()
        .into()
}

/// The field along cuts through the normal of the array.
fn cuts(aperture: &Aperture, excitation: &[Complex64]) -> Cuts {
    let (first, step, number) = CUT_THETA;
    let directions: Vec<[f64; 2]> = CUT_PHI
        .iter()
        .flat_map(|phi| {
            (0..number).map(move |i| {
                let sine = (first + step * i as f64).to_radians().sin();
                let phi = phi.to_radians();
                [sine * phi.cos(), sine * phi.sin()]
            })
        })
        .collect();
    let factors = aperture.array_factor(excitation, &directions);
    Cuts {
        phi: CUT_PHI.to_vec(),
        theta: CUT_THETA,
        field: polarised(aperture, &factors, directions.into_iter()),
    }
}

fn positive(key: &'static str, value: f64) -> Result<f64, Error> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(Error::NotPositive { key, value })
    }
}
