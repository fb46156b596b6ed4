//! Workers of a transform: the threads of a pool, or the caller alone if a pool would cost more than it
//! gains.

use rayon::prelude::*;
use wavefield_numerics::cpu::CpuPool;

/// The calling thread alone, or a pool.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Workers<'a> {
    Caller,
    Pool(&'a CpuPool),
}

impl Workers<'_> {
    /// Returns the number of concurrent workers.
    pub(crate) fn count(self) -> usize {
        match self {
            Workers::Caller => 1,
            Workers::Pool(pool) => pool.threads(),
        }
    }

    /// Calls `work` for every task, in any order, with the state that `prepare` creates for each worker.
    pub(crate) fn for_each<T>(
        self,
        tasks: usize,
        prepare: impl Fn() -> T + Sync + Send,
        work: impl Fn(&mut T, usize) + Sync + Send,
    ) {
        match self {
            Workers::Caller => {
                let mut held = prepare();
                (0..tasks).for_each(|task| work(&mut held, task));
            }
            Workers::Pool(pool) => pool.install(|| {
                (0..tasks)
                    .into_par_iter()
                    .for_each_init(prepare, |held, task| work(held, task));
            }),
        }
    }
}
