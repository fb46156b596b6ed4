//! The collective operations, in one process and between threads that stand for processes.

use std::sync::{Arc, Barrier, Mutex};

use wavefield_compute::transport::{Message, OneProcess, Transport, TransportError, share};

#[test]
fn one_process_talks_to_itself() {
    let mut values = [1.5, -2.0];
    OneProcess.all_sum(&mut values).unwrap();
    OneProcess.all_max(&mut values).unwrap();
    assert_eq!(values, [1.5, -2.0]);
    let message = Message {
        rank: 0,
        bytes: vec![7],
    };
    assert_eq!(
        OneProcess.exchange(vec![message.clone()]),
        Ok(vec![message])
    );
    let stray = OneProcess.exchange(vec![Message {
        rank: 2,
        bytes: Vec::new(),
    }]);
    assert_eq!(stray, Err(TransportError::NoSuchRank { rank: 2, size: 1 }));
}

#[test]
fn shares_cover_every_id_once() {
    for (total, size) in [(10, 3), (2, 5), (0, 4), (u64::MAX, 7)] {
        let mut next = 0;
        for rank in 0..size {
            let range = share(total, rank, size);
            assert_eq!(range.start, next);
            assert!(range.end - range.start <= total / u64::from(size) + 1);
            next = range.end;
        }
        assert_eq!(next, total);
    }
}

/// A rank among threads; enough of a transport to see that the provided sums keep their order.
struct Rank {
    rank: u32,
    size: u32,
    table: Arc<Mutex<Vec<Vec<u8>>>>,
    meeting: Arc<Barrier>,
}

impl Transport for Rank {
    fn rank(&self) -> u32 {
        self.rank
    }
    fn size(&self) -> u32 {
        self.size
    }
    fn barrier(&self) -> Result<(), TransportError> {
        self.meeting.wait();
        Ok(())
    }
    fn all_gather(&self, contribution: &[u8]) -> Result<Vec<Vec<u8>>, TransportError> {
        self.table.lock().unwrap()[self.rank as usize] = contribution.to_vec();
        self.barrier()?;
        let all = self.table.lock().unwrap().clone();
        self.barrier()?;
        Ok(all)
    }
    fn exchange(&self, outgoing: Vec<Message>) -> Result<Vec<Message>, TransportError> {
        Ok(outgoing)
    }
}

fn with_ranks<V: Send>(size: u32, work: impl Fn(&dyn Transport) -> V + Sync) -> Vec<V> {
    let table = Arc::new(Mutex::new(vec![Vec::new(); size as usize]));
    let meeting = Arc::new(Barrier::new(size as usize));
    std::thread::scope(|scope| {
        let ranks: Vec<_> = (0..size)
            .map(|rank| {
                let (table, meeting) = (Arc::clone(&table), Arc::clone(&meeting));
                let work = &work;
                scope.spawn(move || {
                    work(&Rank {
                        rank,
                        size,
                        table,
                        meeting,
                    })
                })
            })
            .collect();
        ranks.into_iter().map(|rank| rank.join().unwrap()).collect()
    })
}

#[test]
fn every_rank_holds_the_sum_from_rank_zero_upwards() {
    // In this order the ones are lost against 1e16 until it is cancelled; any other order gives another number.
    let terms = [1.0, 1e16, 1.0, -1e16];
    let in_order = terms.iter().fold(0.0, |sum, term| sum + term);
    let sums = with_ranks(4, |transport| {
        let mut values = [terms[transport.rank() as usize]];
        transport.all_sum(&mut values).unwrap();
        values[0].to_bits()
    });
    assert_eq!(sums, vec![f64::to_bits(in_order); 4]);
}

#[test]
fn ranks_that_disagree_are_told_who_differs() {
    let outcomes = with_ranks(2, |transport| {
        let mut values = vec![1.0; 3 - transport.rank() as usize];
        transport.all_sum(&mut values)
    });
    let expected = Err(TransportError::Length {
        rank: 1,
        expected: 3,
        found: 2,
    });
    assert_eq!(outcomes, [expected.clone(), expected]);
}
