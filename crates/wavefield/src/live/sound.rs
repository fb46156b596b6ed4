//! Real-time playback: simulated sources or a recorded PDM bitstream.

use std::time::{Duration, Instant};

use wavefield_holography::{Bitstream, HopReader, LiveSound, MovingSources};

use super::End;
use super::picture::Shown;
use crate::Error;

/// Lag beyond which the clock is reset: missed hops are not caught up.
const BEHIND: Duration = Duration::from_millis(100);

/// Playback options.
#[derive(Clone, Copy, Debug)]
pub(super) struct Playing {
    pub(super) hop_words: usize,
    pub(super) hop_seconds: f64,
    pub(super) once: bool,
}

impl Playing {
    /// Writes hops into the ring, each at its time.
    pub(super) fn play(
        &self,
        sound: LiveSound,
        mut reader: HopReader,
        shown: &Shown,
        end: &End<'_>,
    ) -> Result<(), Error> {
        let mut hops = match sound {
            LiveSound::Sources(moving) => Hops::Simulated(moving),
            LiveSound::Bits(stream) => Hops::recorded(stream, self)?,
        };
        let mut words = vec![0; self.hop_words];
        let (mut began, mut played) = (Instant::now(), 0_u32);
        while !end.reached() {
            if !hops.next(&mut words)? {
                // The stages still process the hops that wait in the ring.
                std::thread::sleep(Duration::from_secs_f64(
                    super::WAITING as f64 * self.hop_seconds,
                ));
                break;
            }
            let due = began + Duration::from_secs_f64(f64::from(played) * self.hop_seconds);
            let now = Instant::now();
            match due.checked_duration_since(now) {
                Some(early) => std::thread::sleep(early),
                None if now - due > BEHIND => (began, played) = (now, 0),
                None => {}
            }
            // A full ring counts the hops that it drops.
            reader.put(&words)?;
            shown.played(self.hop_seconds);
            played += 1;
        }
        Ok(())
    }
}

enum Hops {
    Simulated(Box<MovingSources>),
    Recorded {
        stream: Bitstream,
        hop: usize,
        hops: usize,
        hop_words: usize,
        once: bool,
    },
}

impl Hops {
    fn recorded(stream: Bitstream, playing: &Playing) -> Result<Self, Error> {
        let hops = stream.words().len() / playing.hop_words;
        if hops == 0 {
            return Err(Error::input(
                "the recording is shorter than one hop of 1024 clocks".to_owned(),
            ));
        }
        Ok(Self::Recorded {
            stream,
            hop: 0,
            hops,
            hop_words: playing.hop_words,
            once: playing.once,
        })
    }

    /// Writes the next hop; returns whether there was one.
    fn next(&mut self, words: &mut [u32]) -> Result<bool, Error> {
        match self {
            Self::Simulated(moving) => moving.next_clocks(words)?,
            Self::Recorded {
                stream,
                hop,
                hops,
                hop_words,
                once,
            } => {
                if hop == hops {
                    if *once {
                        return Ok(false);
                    }
                    *hop = 0;
                }
                let from = *hop * *hop_words;
                words.copy_from_slice(&stream.words()[from..from + *hop_words]);
                *hop += 1;
            }
        }
        Ok(true)
    }
}
