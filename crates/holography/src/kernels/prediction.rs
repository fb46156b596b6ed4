//! Burg's method for many lines side by side, in single precision: [`crate::LinearPrediction`] with one line per lane.

use super::dispatch;

/// Lines processed side by side; enough for the compiler to keep and vectorize the loops over lanes.
pub(crate) const LANES: usize = 32;

type Lane = [f32; LANES];

/// A complex number in each lane.
#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    re: Lane,
    im: Lane,
}

/// Workspace for models of one order on lines of one length.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    forward: Vec<Pair>,
    backward: Vec<Pair>,
    model: Vec<Pair>,
}

impl Room {
    /// Allocates the workspace for lines of `known` known points and models of an order below that.
    pub(crate) fn new(known: usize, order: usize) -> Self {
        Self {
            forward: vec![Pair::default(); known],
            backward: vec![Pair::default(); known],
            model: vec![Pair::default(); order],
        }
    }
}

/// Points of `lines` lines, all of the first point, then of the second: real and imaginary parts.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    pub(crate) re: &'a mut [f32],
    pub(crate) im: &'a mut [f32],
    pub(crate) lines: usize,
}

impl Lines<'_> {
    #[inline(always)]
    fn load(&self, point: usize, first: usize) -> Pair {
        let mut pair = Pair::default();
        let from = point * self.lines + first;
        let count = LANES.min(self.lines - first);
        if count == LANES {
            pair.re.copy_from_slice(&self.re[from..from + LANES]);
            pair.im.copy_from_slice(&self.im[from..from + LANES]);
        } else {
            pair.re[..count].copy_from_slice(&self.re[from..from + count]);
            pair.im[..count].copy_from_slice(&self.im[from..from + count]);
        }
        pair
    }

    #[inline(always)]
    fn store(&mut self, point: usize, first: usize, pair: &Pair) {
        let from = point * self.lines + first;
        let count = LANES.min(self.lines - first);
        if count == LANES {
            self.re[from..from + LANES].copy_from_slice(&pair.re);
            self.im[from..from + LANES].copy_from_slice(&pair.im);
        } else {
            self.re[from..from + count].copy_from_slice(&pair.re[..count]);
            self.im[from..from + count].copy_from_slice(&pair.im[..count]);
        }
    }
}

/// Returns sum + a·b, fused if available.
#[inline(always)]
fn plus<const FUSED: bool>(sum: f32, a: f32, b: f32) -> f32 {
    if FUSED {
        a.mul_add(b, sum)
    } else {
        sum + a * b
    }
}

/// Four accumulators of Σ a x or Σ a x* in each lane, separate for instruction-level parallelism.
#[derive(Clone, Copy, Default)]
struct Products {
    re_re: Lane,
    im_im: Lane,
    re_im: Lane,
    im_re: Lane,
}

impl Products {
    #[inline(always)]
    fn add<const FUSED: bool>(&mut self, a: &Pair, x: &Pair) {
        for l in 0..LANES {
            self.re_re[l] = plus::<FUSED>(self.re_re[l], a.re[l], x.re[l]);
            self.im_im[l] = plus::<FUSED>(self.im_im[l], a.im[l], x.im[l]);
            self.re_im[l] = plus::<FUSED>(self.re_im[l], a.re[l], x.im[l]);
            self.im_re[l] = plus::<FUSED>(self.im_re[l], a.im[l], x.re[l]);
        }
    }

    /// Returns −Σ a x.
    #[inline(always)]
    fn less(&self) -> Pair {
        let mut sum = Pair::default();
        for l in 0..LANES {
            sum.re[l] = self.im_im[l] - self.re_re[l];
            sum.im[l] = -self.re_im[l] - self.im_re[l];
        }
        sum
    }

    /// Returns −Σ a* x.
    #[inline(always)]
    fn less_conjugate(&self) -> Pair {
        let mut sum = Pair::default();
        for l in 0..LANES {
            sum.re[l] = -self.re_re[l] - self.im_im[l];
            sum.im[l] = self.im_re[l] - self.re_im[l];
        }
        sum
    }
}

/// Returns a + r x or, with the imaginary part of r negated, a + r* x in each lane.
#[inline(always)]
fn plus_product<const FUSED: bool>(a: &Pair, re: &Lane, im: &Lane, x: &Pair) -> Pair {
    let mut sum = Pair::default();
    for l in 0..LANES {
        sum.re[l] = plus::<FUSED>(plus::<FUSED>(a.re[l], re[l], x.re[l]), -im[l], x.im[l]);
        sum.im[l] = plus::<FUSED>(plus::<FUSED>(a.im[l], re[l], x.im[l]), im[l], x.re[l]);
    }
    sum
}

/// Computes the reflection coefficient r = −2 Σ f b* / Σ(|f|² + |b|²) in each lane.
#[inline(always)]
fn reflection<const FUSED: bool>(forward: &[Pair], backward: &[Pair]) -> Pair {
    let mut cross = Products::default();
    let (mut ahead, mut behind) = ([0.0; LANES], [0.0; LANES]);
    for (f, b) in forward.iter().zip(backward) {
        cross.add::<FUSED>(b, f);
        for l in 0..LANES {
            ahead[l] = plus::<FUSED>(ahead[l], f.re[l], f.re[l]);
            ahead[l] = plus::<FUSED>(ahead[l], f.im[l], f.im[l]);
            behind[l] = plus::<FUSED>(behind[l], b.re[l], b.re[l]);
            behind[l] = plus::<FUSED>(behind[l], b.im[l], b.im[l]);
        }
    }
    let mut r = cross.less_conjugate();
    for l in 0..LANES {
        let energy = ahead[l] + behind[l];
        let scale = if energy > f32::MIN_POSITIVE {
            2.0 / energy
        } else {
            0.0
        };
        r.re[l] *= scale;
        r.im[l] *= scale;
    }
    r
}

/// Fits the model a₁ … aₚ to the lines whose known points are in `forward` and `backward`.
#[inline(always)]
fn fit<const FUSED: bool>(room: &mut Room) {
    let known = room.forward.len();
    for step in 0..room.model.len() {
        let left = known - step;
        let r = reflection::<FUSED>(&room.forward[1..left], &room.backward[..left - 1]);
        let mut opposite = r.im;
        for im in &mut opposite {
            *im = -*im;
        }
        for t in 0..left - 1 {
            let (f, b) = (room.forward[t + 1], room.backward[t]);
            room.forward[t] = plus_product::<FUSED>(&f, &r.re, &r.im, &b);
            room.backward[t] = plus_product::<FUSED>(&b, &r.re, &opposite, &f);
        }
        // aₖ ← aₖ + r a*_{m−k} for k = 1 … m − 1, from both ends at once, and aₘ = r.
        room.model[step] = r;
        let conjugate = |mut pair: Pair| {
            for im in &mut pair.im {
                *im = -*im;
            }
            pair
        };
        let (mut low, mut high) = (0, step);
        while low < high {
            high -= 1;
            let (a, c) = (room.model[low], room.model[high]);
            room.model[low] = plus_product::<FUSED>(&a, &r.re, &r.im, &conjugate(c));
            if low != high {
                room.model[high] = plus_product::<FUSED>(&c, &r.re, &r.im, &conjugate(a));
            }
            low += 1;
        }
    }
}

#[inline(always)]
fn extend<const FUSED: bool>(lines: &mut Lines<'_>, border: usize, room: &mut Room) {
    let points = lines.re.len() / lines.lines;
    let end = points - border;
    for first in (0..lines.lines).step_by(LANES) {
        for t in border..end {
            let pair = lines.load(t, first);
            room.forward[t - border] = pair;
            room.backward[t - border] = pair;
        }
        fit::<FUSED>(room);
        for step in 0..border {
            let (after, before) = (end + step, border - 1 - step);
            let (mut ahead, mut behind) = (Products::default(), Products::default());
            for (k, a) in room.model.iter().enumerate() {
                ahead.add::<FUSED>(a, &lines.load(after - 1 - k, first));
                behind.add::<FUSED>(a, &lines.load(before + 1 + k, first));
            }
            lines.store(after, first, &ahead.less());
            // The time-reversed series has the conjugate model.
            lines.store(before, first, &behind.less_conjugate());
        }
    }
}

dispatch! {
    /// Extrapolates `border` points at both ends of every line from the points in between, each line by its own model.
    pub(crate) fn extend_lines(lines: &mut Lines<'_>, border: usize, room: &mut Room) =
        extend::<true>, extend::<false>
}

#[cfg(test)]
mod tests {
    use num_complex::Complex64;

    use super::*;
    use crate::burg::LinearPrediction;
    use wavefield_numerics::random::Random;
    use wavefield_numerics::simd::InstructionSet;

    #[test]
    fn lanes_predict_what_single_lines_predict() {
        let mut random = Random::stream(1, 1);
        for (lines, known, border, order) in [(32, 32, 32, 12), (19, 24, 10, 7), (16, 16, 5, 1)] {
            let points = known + 2 * border;
            let mut expected = vec![vec![Complex64::new(0.0, 0.0); points]; lines];
            for (i, line) in expected.iter_mut().enumerate() {
                let k = 0.2 + 0.03 * i as f64;
                for (t, value) in line.iter_mut().enumerate().skip(border).take(known) {
                    let wave = Complex64::cis(k * t as f64) + 0.4 * Complex64::cis(-(t as f64));
                    *value = wave + 0.05 * random.gaussian();
                }
            }
            let at = |i: usize| expected[i % lines][i / lines];
            let re: Vec<f32> = (0..points * lines).map(|i| at(i).re as f32).collect();
            let im: Vec<f32> = (0..points * lines).map(|i| at(i).im as f32).collect();
            for line in &mut expected {
                let model = LinearPrediction::fit(&[&line[border..border + known]], order);
                model.extend(line, border, border + known);
            }
            for &instructions in InstructionSet::all() {
                let (mut re, mut im) = (re.clone(), im.clone());
                let mut all = Lines {
                    re: &mut re,
                    im: &mut im,
                    lines,
                };
                extend_lines(instructions, &mut all, border, &mut Room::new(known, order));
                for i in 0..points * lines {
                    let exact = expected[i % lines][i / lines];
                    let found = Complex64::new(re[i].into(), im[i].into());
                    // Single-precision roundoff through a recursion of twelve steps.
                    assert!(
                        (found - exact).norm() < 1e-4,
                        "{instructions:?} {i}: {found} {exact}"
                    );
                }
            }
        }
    }
}
