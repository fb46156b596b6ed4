//! Streaming holography: hops of the PDM bitstream to pictures, with regularization filters updated every few seconds.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use wavefield_holography::{
    Filter, Hologram, HopSource, LatencyHistogram, LiveHolography, PlanarHolography,
};

use super::End;
use super::picture::{Picture, Shown, levels};
use crate::Error;

/// Interval between pictures.
const BETWEEN: Duration = Duration::from_millis(25);

/// Interval between updates of the filters.
const TUNING: Duration = Duration::from_secs(2);

/// Polling interval of an empty ring: a tenth of a hop.
const NAP: Duration = Duration::from_micros(70);

/// Stages with their hops and tuner.
pub(super) struct Stages {
    stages: LiveHolography,
    source: HopSource,
    holography: PlanarHolography,
    height: f64,
}

/// Input of the tuner: holograms, and the distance to the plane.
type Question = (Vec<Hologram>, f64);

/// Filters, and the distance they were computed for.
type Answer = (Vec<Filter>, f64);

impl Stages {
    pub(super) fn new(
        stages: LiveHolography,
        source: HopSource,
        holography: PlanarHolography,
        height: f64,
    ) -> Self {
        Self {
            stages,
            source,
            holography,
            height,
        }
    }

    /// Processes hops into pictures until the end. A separate thread updates the filters, so that hops do not wait for
    /// it.
    pub(super) fn run(self, hop_words: usize, shown: &Shown, end: &End<'_>) -> Result<(), Error> {
        let (ask, questions) = mpsc::sync_channel::<Question>(1);
        let (reply, answers) = mpsc::channel();
        let holography = self.holography;
        std::thread::scope(|threads| {
            let tuner = threads.spawn(move || tune(&holography, &questions, &reply));
            let ended = self.compute(hop_words, shown, end, &ask, &answers);
            // The tuner ends when the channel closes.
            drop(ask);
            let tuned = tuner.join().unwrap_or_else(|_| {
                let message = "the thread that updates the filters failed";
                Err(Error::runtime(message.to_owned()))
            });
            ended.and(tuned)
        })
    }

    fn compute(
        mut self,
        hop_words: usize,
        shown: &Shown,
        end: &End<'_>,
        ask: &mpsc::SyncSender<Question>,
        answers: &mpsc::Receiver<Answer>,
    ) -> Result<(), Error> {
        let mut words = vec![0; hop_words];
        let mut times = LatencyHistogram::default();
        let (mut hop_time, mut counted) = (Duration::ZERO, Instant::now());
        let (mut number, mut last) = (0, None::<Instant>);
        let (mut plane, mut asked) = (shown.wanted_plane(), None::<(Instant, f64)>);
        while !end.reached() {
            let Some(taken) = self.source.take(&mut words)? else {
                std::thread::sleep(NAP);
                continue;
            };
            if taken.missing > 0 {
                self.stages.restart();
            }
            let began = Instant::now();
            let ready = self.stages.push(&words)?;
            times.record(began.elapsed());
            if counted.elapsed() > Duration::from_secs(1) {
                hop_time = times.quantile(0.5).unwrap_or_default();
                (times, counted) = (LatencyHistogram::default(), Instant::now());
            }
            while let Ok((filters, distance)) = answers.try_recv() {
                self.stages.retune(distance, &filters)?;
                plane = self.height - distance;
            }
            if !ready {
                continue;
            }
            let wanted = shown.wanted_plane();
            let due = asked.is_none_or(|(at, asked)| at.elapsed() > TUNING || asked != wanted);
            if due {
                let holograms = (0..shown.frequencies())
                    .map(|bin| self.stages.hologram(bin))
                    .collect::<Result<_, _>>()?;
                match ask.try_send((holograms, self.height - wanted)) {
                    Ok(()) => asked = Some((Instant::now(), wanted)),
                    // A busy tuner is asked again at the next hop; a failed one reports its error.
                    Err(mpsc::TrySendError::Full(_)) => {}
                    Err(mpsc::TrySendError::Disconnected(_)) => return Ok(()),
                }
            }
            if last.is_none_or(|last| last.elapsed() >= BETWEEN) {
                last = Some(Instant::now());
                number += 1;
                shown.show(Picture {
                    number,
                    levels: (0..shown.frequencies())
                        .filter_map(|bin| self.stages.field(bin).map(levels))
                        .collect(),
                    plane,
                    dropped: self.source.dropped(),
                    hop_time,
                });
            }
        }
        Ok(())
    }
}

fn tune(
    holography: &PlanarHolography,
    questions: &mpsc::Receiver<Question>,
    reply: &mpsc::Sender<Answer>,
) -> Result<(), Error> {
    while let Ok((holograms, distance)) = questions.recv() {
        let filters = holograms
            .iter()
            .map(|hologram| holography.filter(hologram, distance))
            .collect::<Result<Vec<_>, _>>()?;
        // The stages have ended and need no answer.
        if reply.send((filters, distance)).is_err() {
            break;
        }
    }
    Ok(())
}
