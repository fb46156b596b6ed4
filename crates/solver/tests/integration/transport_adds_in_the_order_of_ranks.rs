//! Collective operations, in one process and between threads that act as ranks.

use wavefield_solver::transport::{
    Message, OneProcess, ThreadRank, Transport, TransportError, share,
};

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

/// Runs `work` on every rank and returns the results in rank order.
fn with_ranks<V: Send>(size: u32, work: impl Fn(&dyn Transport) -> V + Sync) -> Vec<V> {
    std::thread::scope(|scope| {
        let ranks: Vec<_> = (ThreadRank::group(size).into_iter())
            .map(|rank| {
                let work = &work;
                scope.spawn(move || work(&rank))
            })
            .collect();
        ranks.into_iter().map(|rank| rank.join().unwrap()).collect()
    })
}

#[test]
fn every_rank_holds_the_sum_from_rank_zero_upwards() {
    // In rank order the ones are absorbed by 1e16 until it cancels; any other order gives another sum.
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

#[test]
fn sums_and_messages_reach_every_rank_in_order() {
    let sums = with_ranks(4, |rank| {
        let mut values = [f64::from(rank.rank()), 1.0];
        rank.all_sum(&mut values).unwrap();
        values
    });
    assert_eq!(sums, [[6.0, 4.0]; 4]);
    let received = with_ranks(3, |rank| {
        let next = (rank.rank() + 1) % 3;
        let outgoing = [1, 2].map(|n| Message {
            rank: next,
            bytes: vec![rank.rank() as u8; n],
        });
        rank.exchange(outgoing.to_vec()).unwrap()
    });
    let from = received[0].iter().map(|m| (m.rank, m.bytes.clone()));
    assert_eq!(from.collect::<Vec<_>>(), [(2, vec![2]), (2, vec![2, 2])]);
}

#[test]
fn neighbors_exchange_while_work_is_done() {
    let found = with_ranks(2, |rank| {
        let other = 1 - rank.rank();
        let message = |bytes| Message { rank: other, bytes };
        let mut incoming = [message(vec![0; 3])];
        let mut worked = 0;
        rank.exchange_during(
            &[message(vec![rank.rank() as u8; 3])],
            &mut incoming,
            &mut || {
                worked += 1;
                worked < 5
            },
        )
        .unwrap();
        (worked, incoming[0].bytes.clone())
    });
    assert_eq!(found, [(5, vec![1; 3]), (5, vec![0; 3])]);
}
