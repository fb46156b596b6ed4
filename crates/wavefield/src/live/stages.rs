//! Hops of bits to pictures: the stages, as fast as hops come, and their filters, chosen anew every few seconds.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use wavefield_holography::{
    Filter, Hologram, HopSource, LatencyHistogram, LiveHolography, PlanarHolography,
};

use super::End;
use super::picture::{Picture, Shown, levels};
use crate::Error;

/// Between pictures: no eye asks for more.
const BETWEEN: Duration = Duration::from_millis(25);

/// Between choices of filters.
const TUNING: Duration = Duration::from_secs(2);

/// How long an empty ring is left alone: a tenth of a hop.
const NAP: Duration = Duration::from_micros(70);

/// The stages with their hops and their tuner.
pub(super) struct Stages {
    stages: LiveHolography,
    source: HopSource,
    holography: PlanarHolography,
    height: f64,
}

/// What filters are to be chosen for: holograms, and the distance to the plane.
type Question = (Vec<Hologram>, f64);

/// Filters, and the distance they were chosen for.
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

    /// Takes hops and shows pictures to the end. Filters are chosen on a thread of their own, so that hops need not
    /// wait for them.
    pub(super) fn run(self, hop_words: usize, shown: &Shown, end: &End<'_>) -> Result<(), Error> {
        let (ask, questions) = mpsc::sync_channel::<Question>(1);
        let (reply, answers) = mpsc::channel();
        let holography = self.holography;
        std::thread::scope(|threads| {
            let tuner = threads.spawn(move || tune(&holography, &questions, &reply));
            let ended = self.compute(hop_words, shown, end, &ask, &answers);
            // The tuner ends when nobody asks any more.
            drop(ask);
            let tuned = tuner.join().unwrap_or_else(|_| {
                let message = "filters could no longer be chosen";
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
                    // A tuner that is still busy is asked again at the next hop; one that has failed says why.
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
        // Stages that have ended need no answer.
        if reply.send((filters, distance)).is_err() {
            break;
        }
    }
    Ok(())
}
