//! Lock-free ring buffer of hops between the thread that reads the array and the thread that computes.
//!
//! Single producer, single consumer. A hop that finds the ring full is dropped and counted; hops carry sequence
//! numbers, by which the consumer detects interruptions of the stream.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

use crate::error::{Error, long_as};

/// Ring of hops. The indices increase monotonically; a slot is an index modulo the number of slots.
#[derive(Debug)]
struct Ring {
    slots: Vec<Slot>,
    /// Next index to write; modified by the producer only.
    written: AtomicUsize,
    /// Next index to read; modified by the consumer only.
    read: AtomicUsize,
    dropped: AtomicU64,
}

/// Slot of one hop. Atomic words avoid unsafe code; relaxed accesses compile to plain moves.
#[derive(Debug)]
struct Slot {
    number: AtomicU64,
    words: Vec<AtomicU32>,
}

/// Producer end of a ring.
#[derive(Debug)]
pub struct HopReader {
    ring: Arc<Ring>,
    number: u64,
}

/// Consumer end of a ring.
#[derive(Debug)]
pub struct HopSource {
    ring: Arc<Ring>,
    expected: u64,
}

/// Metadata of a hop taken from a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakenHop {
    /// Sequence number since the beginning, counting dropped hops.
    pub number: u64,
    /// Number of hops dropped immediately before this one.
    pub missing: u64,
    /// Number of hops that wait behind this one; a backlog shows that the consumer is late.
    pub waiting: usize,
}

/// Creates a ring of `hops` slots of `words` words each.
///
/// # Errors
/// Returns [`Error::Nothing`] for a ring without slots or words.
pub fn hop_ring(hops: usize, words: usize) -> Result<(HopReader, HopSource), Error> {
    if hops == 0 || words == 0 {
        return Err(Error::Nothing {
            what: "hops of a ring and words of a hop",
        });
    }
    let slot = || Slot {
        number: AtomicU64::new(0),
        words: (0..words).map(|_| AtomicU32::new(0)).collect(),
    };
    let ring = Arc::new(Ring {
        slots: (0..hops).map(|_| slot()).collect(),
        written: AtomicUsize::new(0),
        read: AtomicUsize::new(0),
        dropped: AtomicU64::new(0),
    });
    Ok((
        HopReader {
            ring: Arc::clone(&ring),
            number: 0,
        },
        HopSource { ring, expected: 0 },
    ))
}

impl HopReader {
    /// Writes a hop to the ring. Returns whether a slot was free.
    ///
    /// # Errors
    /// Returns [`Error::Length`] unless `words` is a whole hop.
    pub fn put(&mut self, words: &[u32]) -> Result<bool, Error> {
        let ring = &*self.ring;
        long_as("a hop", ring.slots[0].words.len(), words.len())?;
        let number = self.number;
        self.number += 1;
        let index = ring.written.load(Ordering::Relaxed);
        // Slots that the consumer has read may be overwritten.
        if index.wrapping_sub(ring.read.load(Ordering::Acquire)) == ring.slots.len() {
            ring.dropped.fetch_add(1, Ordering::Relaxed);
            return Ok(false);
        }
        let slot = &ring.slots[index % ring.slots.len()];
        slot.number.store(number, Ordering::Relaxed);
        for (to, &word) in slot.words.iter().zip(words) {
            to.store(word, Ordering::Relaxed);
        }
        ring.written.store(index.wrapping_add(1), Ordering::Release);
        Ok(true)
    }
}

impl HopReader {
    /// Counts hops that were lost upstream; the consumer sees them as missing.
    pub fn skip(&mut self, hops: u64) {
        self.number += hops;
        self.ring.dropped.fetch_add(hops, Ordering::Relaxed);
    }
}

impl HopSource {
    /// Takes the oldest hop from the ring, if any.
    ///
    /// # Errors
    /// Returns [`Error::Length`] unless `words` has the length of a hop.
    pub fn take(&mut self, words: &mut [u32]) -> Result<Option<TakenHop>, Error> {
        let ring = &*self.ring;
        long_as("a hop", ring.slots[0].words.len(), words.len())?;
        let index = ring.read.load(Ordering::Relaxed);
        let there = ring.written.load(Ordering::Acquire).wrapping_sub(index);
        if there == 0 {
            return Ok(None);
        }
        let slot = &ring.slots[index % ring.slots.len()];
        let number = slot.number.load(Ordering::Relaxed);
        for (to, word) in words.iter_mut().zip(&slot.words) {
            *to = word.load(Ordering::Relaxed);
        }
        ring.read.store(index.wrapping_add(1), Ordering::Release);
        let missing = number - self.expected;
        self.expected = number + 1;
        Ok(Some(TakenHop {
            number,
            missing,
            waiting: there - 1,
        }))
    }

    /// Returns the number of hops dropped since the beginning.
    pub fn dropped(&self) -> u64 {
        self.ring.dropped.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_ring_drops_and_counts() {
        let (mut reader, mut source) = hop_ring(2, 3).unwrap();
        assert!(reader.put(&[1; 3]).unwrap());
        assert!(reader.put(&[2; 3]).unwrap());
        assert!(!reader.put(&[3; 3]).unwrap());
        let mut words = [0; 3];
        let taken = |hop: Option<TakenHop>| hop.map(|hop| (hop.number, hop.missing, hop.waiting));
        assert_eq!(taken(source.take(&mut words).unwrap()), Some((0, 0, 1)));
        assert!(reader.put(&[4; 3]).unwrap());
        assert_eq!(taken(source.take(&mut words).unwrap()), Some((1, 0, 1)));
        assert_eq!(taken(source.take(&mut words).unwrap()), Some((3, 1, 0)));
        assert_eq!(words, [4; 3]);
        assert_eq!(source.take(&mut words).unwrap(), None);
        assert_eq!(source.dropped(), 1);
    }

    #[test]
    fn hops_lost_on_the_way_here_are_missing() {
        let (mut reader, mut source) = hop_ring(4, 1).unwrap();
        assert!(reader.put(&[1]).unwrap());
        reader.skip(3);
        assert!(reader.put(&[2]).unwrap());
        let mut words = [0];
        let mut take = || {
            source
                .take(&mut words)
                .unwrap()
                .map(|hop| (hop.number, hop.missing))
        };
        assert_eq!(take(), Some((0, 0)));
        assert_eq!(take(), Some((4, 3)));
        assert_eq!(source.dropped(), 3);
    }

    #[test]
    fn hops_of_another_length_are_refused() {
        assert!(hop_ring(0, 3).is_err() && hop_ring(3, 0).is_err());
        let (mut reader, mut source) = hop_ring(2, 3).unwrap();
        assert!(reader.put(&[0; 2]).is_err());
        assert!(source.take(&mut [0; 4]).is_err());
    }

    #[test]
    fn hops_arrive_whole_and_in_order_while_both_threads_run() {
        let (mut reader, mut source) = hop_ring(4, 257).unwrap();
        let hops = 20_000_u32;
        std::thread::scope(|scope| {
            scope.spawn(move || {
                for number in 0..hops {
                    reader.put(&[number; 257]).unwrap();
                    if number % 64 == 0 {
                        std::thread::yield_now();
                    }
                }
                // Retries until the last hop is accepted, so that the consumer sees the end.
                while !reader.put(&[u32::MAX; 257]).unwrap() {
                    std::thread::yield_now();
                }
            });
            let mut words = [0; 257];
            let (mut last, mut missing) = (None, 0);
            loop {
                let Some(hop) = source.take(&mut words).unwrap() else {
                    std::thread::yield_now();
                    continue;
                };
                assert!(words.iter().all(|word| *word == words[0]));
                missing += hop.missing;
                if words[0] == u32::MAX {
                    break;
                }
                assert_eq!(u64::from(words[0]), hop.number);
                assert!(last.is_none_or(|last| last < hop.number));
                last = Some(hop.number);
            }
            assert_eq!(missing, source.dropped());
        });
    }
}
