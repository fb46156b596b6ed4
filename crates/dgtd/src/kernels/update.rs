//! End of a stage: rates at nodes, losses and PML, and the Runge–Kutta step.

use super::blocks::LayerPack;
use super::lanes::Lanes;
use super::operators::Operators;
use super::triple::{add, at_row, mirrored, sub};
use super::{ELEMENTS, NODE, PACK};

/// Coefficients of a stage: register = a·register + dt·rate, fields = fields + b·register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Factors<T> {
    /// Coefficient of the register.
    pub(super) a: T,
    /// Weight of the register in the fields.
    pub(super) b: T,
    /// Time step.
    pub(super) dt: T,
}

/// Fields of a block before and after a stage, and the register.
#[derive(Clone, Copy)]
pub(super) struct Fields<T> {
    /// Fields before the stage.
    pub(super) own: *const T,
    /// Fields after the stage.
    pub(super) next: *mut T,
    /// Runge–Kutta register.
    pub(super) register: *mut T,
    /// Whether fields are too large for the CPU caches and are written with non-temporal stores.
    pub(super) large: bool,
}

/// Local terms of the rate of a component at a node, besides curls and fluxes.
pub(super) trait Local<L: Lanes>: Copy {
    /// Returns the rate with the local terms, at an offset in numbers from the beginning of the block.
    ///
    /// # Safety
    /// The CPU supports the instruction set of `L`, and the offset is in the block.
    unsafe fn add(self, step: &Step<L>, place: usize, field: L, rate: L) -> L;
}

/// No local terms, in a lossless medium.
#[derive(Clone, Copy)]
pub(super) struct Nothing;

impl<L: Lanes> Local<L> for Nothing {
    #[inline(always)]
    unsafe fn add(self, _: &Step<L>, _: usize, _: L, rate: L) -> L {
        rate
    }
}

/// Losses: decay rates σ/ε of E and σ*/μ of H.
#[derive(Clone, Copy)]
pub(super) struct Loss<L>(pub(super) L);

impl<L: Lanes> Local<L> for Loss<L> {
    #[inline(always)]
    unsafe fn add(self, _: &Step<L>, _: usize, field: L, rate: L) -> L {
        // SAFETY: the caller has the instruction set.
        unsafe { rate.minus(self.0, field) }
    }
}

/// PML with losses; see [`PmlTerms`](crate::PmlTerms) for the equations.
#[derive(Clone, Copy)]
pub(super) struct Layer<L: Lanes> {
    /// Decay rates of the losses.
    pub(super) loss: L,
    /// PML coefficients of the block, from the first of its processed elements on.
    pub(super) terms: *const L::Real,
    /// P and Q of each component, interleaved.
    pub(super) memory: *mut L::Real,
    /// Runge–Kutta register of P and Q.
    pub(super) register: *mut L::Real,
}

impl<L: Lanes> Local<L> for Layer<L> {
    #[inline(always)]
    unsafe fn add(self, step: &Step<L>, place: usize, field: L, rate: L) -> L {
        // SAFETY: the caller's promise; the pointers lead to as many packs as the block has, twice as many for P and Q.
        unsafe {
            let numbers = size_of::<LayerPack<L::Real>>() / size_of::<L::Real>();
            let terms = self.terms.add(place / PACK * numbers);
            let (p_at, q_at) = (
                self.memory.add(2 * place),
                self.memory.add(2 * place + PACK),
            );
            let (p, q) = (L::load(p_at), L::load(q_at));
            let p_rate = field.minus(L::load_twice(terms.add(3 * ELEMENTS)), p);
            let q_rate = p_rate.minus(L::load_twice(terms.add(4 * ELEMENTS)), q);
            step.advance(p, p_rate, self.register.add(2 * place))
                .store(p_at);
            step.advance(q, q_rate, self.register.add(2 * place + PACK))
                .store(q_at);
            rate.minus(self.loss, field)
                .minus(L::load_twice(terms), field)
                .minus(L::load_twice(terms.add(ELEMENTS)), p)
                .minus(L::load_twice(terms.add(2 * ELEMENTS)), q)
        }
    }
}

/// Coefficients of a stage in all lanes.
#[derive(Clone, Copy)]
pub(super) struct Step<L> {
    a: L,
    b: L,
    dt: L,
}

impl<L: Lanes> Step<L> {
    /// Returns a value after the stage, and advances its register.
    #[inline(always)]
    unsafe fn advance(&self, value: L, rate: L, register: *mut L::Real) -> L {
        // SAFETY: the caller has the instruction set and a register for the value.
        unsafe {
            let passed_on = L::load(register).mul(self.a).plus(self.dt, rate);
            passed_on.store(register);
            value.plus(self.b, passed_on)
        }
    }

    /// Advances the three components at a node.
    #[inline(always)]
    unsafe fn node(&self, fields: Fields<L::Real>, local: impl Local<L>, node: u32, rate: [L; 3]) {
        // SAFETY: the caller has the instruction set, and the node is in the block.
        unsafe {
            for c in 0..3 {
                let place = node as usize * NODE + c * PACK;
                let field = L::load(fields.own.add(place));
                let rate = local.add(self, place, field, rate[c]);
                let next = self.advance(field, rate, fields.register.add(place));
                if fields.large {
                    next.stream(fields.next.add(place));
                } else {
                    next.store(fields.next.add(place));
                }
            }
        }
    }
}

/// Transforms the results of the products from sums and differences over mirror images to rates at nodes, and advances
/// the fields.
///
/// # Safety
/// The CPU supports the instruction set of `L`; pointers lead to a block, from the first of its processed elements on,
/// and `rates` to a row for each node.
#[inline(always)]
pub(super) unsafe fn update<L: Lanes>(
    operators: &Operators<L::Real>,
    rates: *const L::Real,
    fields: Fields<L::Real>,
    factors: Factors<L::Real>,
    local: impl Local<L>,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let step = Step {
            a: L::splat(factors.a),
            b: L::splat(factors.b),
            dt: L::splat(factors.dt),
        };
        let orbits = &operators.node_orbits;
        let rows = operators.output_rows;
        for (k, n) in orbits.four.iter().enumerate() {
            let at_nodes = mirrored([
                at_row::<L>(rates, rows[0] + k),
                at_row(rates, rows[1] + k),
                at_row(rates, rows[2] + k),
                at_row(rates, rows[3] + k),
            ]);
            for image in 0..4 {
                step.node(fields, local, n[image], at_nodes[image]);
            }
        }
        let four = orbits.four.len();
        for (k, n) in orbits.kept_by_sigma.iter().enumerate() {
            let even = at_row::<L>(rates, rows[0] + four + k);
            let odd = at_row(rates, rows[2] + four + k);
            step.node(fields, local, n[0], add(even, odd));
            step.node(fields, local, n[1], sub(even, odd));
        }
        let kept = four + orbits.kept_by_sigma.len();
        for (k, n) in orbits.kept_by_tau.iter().enumerate() {
            let even = at_row::<L>(rates, rows[0] + kept + k);
            let odd = at_row(rates, rows[1] + four + k);
            step.node(fields, local, n[0], add(even, odd));
            step.node(fields, local, n[1], sub(even, odd));
        }
        let kept = kept + orbits.kept_by_tau.len();
        for (k, &n) in orbits.one.iter().enumerate() {
            step.node(fields, local, n, at_row::<L>(rates, rows[0] + kept + k));
        }
    }
}
