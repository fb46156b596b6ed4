//! Who does the work: the threads of a pool, or the caller alone where a pool would cost more than it gives.

use rayon::prelude::*;
use wavefield_numerics::cpu::CpuPool;

/// The caller alone, or a pool.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Workers<'a> {
    Caller,
    Pool(&'a CpuPool),
}

impl Workers<'_> {
    /// How many work at a time.
    pub(crate) fn count(self) -> usize {
        match self {
            Workers::Caller => 1,
            Workers::Pool(pool) => pool.threads(),
        }
    }

    /// Calls `work` for every task, in any order, with what `prepare` makes for each worker.
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
