//! Live near-field acoustic holography in a browser on the same machine.
//!
//! `serve` plays a problem's PDM bitstream in real time, reconstructs every hop in the plane near the sources, and
//! shows the field on one page. The server is bound to the loopback address alone and answers only pages it served
//! itself: `Host` and `Origin` of every request are checked, so that no other site can connect through the browser.
//!
//! | file | contents |
//! |---|---|
//! | `sound` | real-time playback |
//! | `stages` | hops to pictures, filter updates |
//! | `picture` | binary format of a field |
//! | `server`, `connections`, `request`, `listener` | the page and its WebSocket |

mod connections;
mod listener;
mod page;
mod picture;
mod request;
mod server;
mod sound;
mod stages;

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use wavefield_holography::{Files, Plan, Spec, hop_ring};
use wavefield_numerics::observe::{Cancel, Observer};

use crate::Error;
use picture::Shown;
use server::Server;
use stages::Stages;

/// Hops that may wait between microphones and stages: 44 ms.
const WAITING: usize = 64;

/// Options of the live view.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Port on the loopback address; 0 selects a free port.
    pub port: u16,
    /// Title above the picture.
    pub title: String,
    /// Whether recorded bits are played once and not in a loop.
    pub once: bool,
}

/// Plays a problem's sound and shows its field until `stop` is requested, or until a recording that is played once has
/// ended. `ready` is called with the address as soon as the page can be opened.
///
/// # Errors
/// [`Error::input`] for an invalid problem or one that does not support the live view, [`Error::runtime`] for a port
/// that cannot be bound.
pub fn serve(
    spec: &Spec,
    files: &Files<'_>,
    options: &Options,
    stop: &Cancel,
    ready: &mut dyn FnMut(SocketAddr),
) -> Result<(), Error> {
    let problem = Plan::with_files(spec, files)?.live()?;
    let (reader, source) = hop_ring(WAITING, problem.hop_words)?;
    let server = Server::bind(options.port)?;
    let shown = Shown::new(&problem, options);
    let end = End {
        stop,
        over: AtomicBool::new(false),
        failure: Mutex::new(None),
    };
    let playing = sound::Playing {
        hop_words: problem.hop_words,
        hop_seconds: problem.stages.hop_clocks() as f64 / wavefield_holography::CLOCK_RATE,
        once: options.once,
    };
    let (sound, stages) = (problem.sound, problem.stages);
    let stages = Stages::new(stages, source, problem.holography, problem.height);
    std::thread::scope(|threads| {
        threads.spawn(|| end.when(playing.play(sound, reader, &shown, &end)));
        threads.spawn(|| end.when(stages.run(playing.hop_words, &shown, &end)));
        ready(server.address());
        server.run(threads, &shown, &end);
    });
    end.outcome()
}

/// Stop request of all threads, and the first failure.
struct End<'a> {
    stop: &'a Cancel,
    over: AtomicBool,
    failure: Mutex<Option<Error>>,
}

impl End<'_> {
    fn reached(&self) -> bool {
        self.over.load(Ordering::Relaxed) || self.stop.checkpoint().is_err()
    }

    /// Ends a thread: stops the others, and passes on its failure.
    fn when(&self, ended: Result<(), Error>) {
        if let Err(failure) = ended {
            let mut first = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert(failure);
        }
        self.over.store(true, Ordering::Relaxed);
    }

    fn outcome(self) -> Result<(), Error> {
        let failure = self.failure.into_inner();
        failure
            .unwrap_or_else(PoisonError::into_inner)
            .map_or(Ok(()), Err)
    }
}
