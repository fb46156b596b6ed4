//! Boundary of all bodies: curves cut into panels, with the nodes on them.

use std::ops::Range;

use wavefield_numerics::special::gauss_legendre;

use crate::curve::Curve;
use crate::grading::Grading;
use crate::kernels::{Points, Source};
use crate::piece::{Piece, minus, norm};

/// Part of a smooth piece, with a local coordinate from −1 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Panel {
    pub(crate) body: usize,
    pub(crate) piece: usize,
    /// Parameters of the piece at the ends of the panel.
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// Index of its first node.
    pub(crate) first: usize,
    pub(crate) center: [f64; 2],
    pub(crate) length: f64,
}

impl Panel {
    /// Returns the parameter of the piece at a local coordinate.
    pub(crate) fn parameter(&self, x: f64) -> f64 {
        0.5 * (self.from + self.to) + self.half() * x
    }

    /// Returns dt/dx.
    pub(crate) fn half(&self) -> f64 {
        0.5 * (self.to - self.from)
    }
}

/// Gauss–Legendre rule with the Legendre polynomials at its nodes.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) nodes: Vec<f64>,
    pub(crate) weights: Vec<f64>,
    /// wᵢ(2n + 1)/2·Pₙ(xᵢ) at i·order + n: maps Legendre moments to nodal weights.
    to_nodes: Vec<f64>,
}

impl Rule {
    pub(crate) fn new(order: usize) -> Rule {
        let (nodes, weights) = gauss_legendre(order);
        let mut to_nodes = Vec::with_capacity(order * order);
        let mut values = vec![0.0; order];
        for (&x, &w) in nodes.iter().zip(&weights) {
            legendre(x, &mut values);
            to_nodes.extend(
                values
                    .iter()
                    .enumerate()
                    .map(|(n, p)| w * (n as f64 + 0.5) * p),
            );
        }
        Rule {
            nodes,
            weights,
            to_nodes,
        }
    }

    pub(crate) fn order(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the row that maps moments to the weight of node i.
    pub(crate) fn to_node(&self, i: usize) -> &[f64] {
        let order = self.order();
        &self.to_nodes[i * order..(i + 1) * order]
    }

    /// Returns the interpolation weights of the nodal values at x.
    pub(crate) fn interpolation(&self, x: f64) -> Vec<f64> {
        let mut values = vec![0.0; self.order()];
        legendre(x, &mut values);
        (0..self.order())
            .map(|i| {
                self.to_node(i)
                    .iter()
                    .zip(&values)
                    .map(|(a, b)| a * b)
                    .sum()
            })
            .collect()
    }
}

/// Evaluates P₀ … at x.
pub(crate) fn legendre(x: f64, values: &mut [f64]) {
    let (mut below, mut here) = (0.0, 1.0);
    for (n, value) in values.iter_mut().enumerate() {
        *value = here;
        let n = n as f64;
        (below, here) = (here, ((2.0 * n + 1.0) * x * here - n * below) / (n + 1.0));
    }
}

/// Evaluates the derivatives P₀′ … at x from the values there.
pub(crate) fn legendre_slopes(values: &[f64], derivatives: &mut [f64]) {
    for n in 0..values.len() {
        derivatives[n] = match n {
            0 => 0.0,
            1 => 1.0,
            _ => derivatives[n - 2] + (2 * n - 1) as f64 * values[n - 1],
        };
    }
}

/// Panel layout on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Layout {
    /// Maximum panel length, m, or number of panels on the body.
    pub(crate) size: Size,
    /// Maximum angle of an arc in one panel, rad, if panels have a maximum length.
    pub(crate) widest_arc: f64,
    /// Number of times that all of these panels are halved.
    pub(crate) halvings: i32,
    /// Bisections of panels toward corners and ends.
    pub(crate) grading: Grading,
}

/// Panel size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Size {
    /// Maximum length, m.
    Longest(f64),
    /// Number of panels on the body.
    Count(usize),
}

/// All curves with their nodes. The nodes of a body are contiguous, and so are those of a panel.
#[derive(Clone, Debug)]
pub(crate) struct Boundary {
    pub(crate) curves: Vec<Curve>,
    pub(crate) panels: Vec<Panel>,
    pub(crate) rule: Rule,
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
    pub(crate) normal_x: Vec<f64>,
    pub(crate) normal_y: Vec<f64>,
    /// Arc length of each node, m: its quadrature weight.
    pub(crate) weight: Vec<f64>,
    /// Arc length from the start of the curve to each node, m.
    pub(crate) arc: Vec<f64>,
    bodies: Vec<Range<usize>>,
    panels_of: Vec<Range<usize>>,
}

impl Boundary {
    /// Creates panels of Gauss–Legendre nodes, with one layout per curve.
    pub(crate) fn panels(curves: Vec<Curve>, layouts: &[Layout], order: usize) -> Boundary {
        let mut boundary = Boundary::empty(curves, Rule::new(order));
        for body in 0..boundary.curves.len() {
            let mut panels = Vec::new();
            let curve = &boundary.curves[body];
            for (piece, division) in divisions(curve, layouts[body]).iter().enumerate() {
                for pair in division.cuts().windows(2) {
                    panels.push((piece, pair[0], pair[1]));
                }
            }
            boundary.begin_body();
            let mut walked = 0.0;
            for (piece, from, to) in panels {
                walked = boundary.add_panel(body, piece, from, to, walked);
            }
            boundary.end_body();
        }
        boundary
    }

    /// Creates uniform steps of the parameter on closed curves of one piece, with trapezoidal weights.
    pub(crate) fn even(curves: Vec<Curve>, counts: &[usize]) -> Boundary {
        let mut boundary = Boundary::empty(curves, Rule::new(1));
        for body in 0..boundary.curves.len() {
            let piece = boundary.curves[body].pieces[0].clone();
            let count = counts[body];
            boundary.begin_body();
            let mut walked = 0.0;
            for i in 0..count {
                let weight = boundary.add_node(&piece, i as f64 / count as f64, 1.0 / count as f64);
                boundary.arc.push(walked);
                walked += weight;
            }
            boundary.end_body();
        }
        boundary
    }

    fn empty(curves: Vec<Curve>, rule: Rule) -> Boundary {
        Boundary {
            curves,
            panels: Vec::new(),
            rule,
            x: Vec::new(),
            y: Vec::new(),
            normal_x: Vec::new(),
            normal_y: Vec::new(),
            weight: Vec::new(),
            arc: Vec::new(),
            bodies: Vec::new(),
            panels_of: Vec::new(),
        }
    }

    fn begin_body(&mut self) {
        let (node, panel) = (self.x.len(), self.panels.len());
        self.bodies.push(node..node);
        self.panels_of.push(panel..panel);
    }

    fn end_body(&mut self) {
        let last = self.bodies.len() - 1;
        self.bodies[last].end = self.x.len();
        self.panels_of[last].end = self.panels.len();
    }

    fn add_panel(&mut self, body: usize, piece: usize, from: f64, to: f64, walked: f64) -> f64 {
        let shape = self.curves[body].pieces[piece].clone();
        let mut panel = Panel {
            body,
            piece,
            from,
            to,
            first: self.x.len(),
            center: shape.position(0.5 * (from + to)),
            length: 0.0,
        };
        let (fine, fine_weights) = gauss_legendre(16);
        let arc = |end: f64| -> f64 {
            // From −1 to `end` of the local coordinate.
            let half = 0.5 * (end + 1.0);
            fine.iter()
                .zip(&fine_weights)
                .map(|(x, w)| {
                    let t = panel.parameter(half * (x + 1.0) - 1.0);
                    w * half * panel.half() * norm(shape.velocity(t))
                })
                .sum()
        };
        let length = arc(1.0);
        let rule = self.rule.clone();
        let arcs: Vec<f64> = rule.nodes.iter().map(|&x| walked + arc(x)).collect();
        panel.length = length;
        self.arc.extend(arcs);
        for (&x, &w) in rule.nodes.iter().zip(&rule.weights) {
            self.add_node(&shape, panel.parameter(x), w * panel.half());
        }
        self.panels.push(panel);
        walked + length
    }

    /// Adds a node without its arc length, and returns its weight.
    fn add_node(&mut self, piece: &Piece, t: f64, step: f64) -> f64 {
        let ([x, y], velocity) = (piece.position(t), piece.velocity(t));
        let speed = norm(velocity);
        self.x.push(x);
        self.y.push(y);
        self.normal_x.push(velocity[1] / speed);
        self.normal_y.push(-velocity[0] / speed);
        self.weight.push(step * speed);
        step * speed
    }

    pub(crate) fn len(&self) -> usize {
        self.x.len()
    }

    pub(crate) fn bodies(&self) -> usize {
        self.bodies.len()
    }

    /// Returns the nodes of a body.
    pub(crate) fn nodes_of(&self, body: usize) -> Range<usize> {
        self.bodies[body].clone()
    }

    /// Returns the panels of a body.
    pub(crate) fn panels_of(&self, body: usize) -> Range<usize> {
        self.panels_of[body].clone()
    }

    pub(crate) fn position(&self, node: usize) -> [f64; 2] {
        [self.x[node], self.y[node]]
    }

    pub(crate) fn normal(&self, node: usize) -> [f64; 2] {
        [self.normal_x[node], self.normal_y[node]]
    }

    pub(crate) fn source(&self, node: usize) -> Source {
        Source {
            at: self.position(node),
            normal: self.normal(node),
        }
    }

    /// Returns some nodes as observation points.
    pub(crate) fn points(&self, nodes: Range<usize>) -> Points<'_> {
        Points {
            x: &self.x[nodes.clone()],
            y: &self.y[nodes.clone()],
            normal_x: &self.normal_x[nodes.clone()],
            normal_y: &self.normal_y[nodes],
        }
    }

    /// Returns the smooth piece of a panel.
    pub(crate) fn piece(&self, panel: &Panel) -> &Piece {
        &self.curves[panel.body].pieces[panel.piece]
    }

    /// Returns a lower bound of the distance of a point from a panel, in panel lengths.
    pub(crate) fn clearance(panel: &Panel, point: [f64; 2]) -> f64 {
        norm(minus(point, panel.center)) / panel.length - 0.5
    }
}

/// Division of a smooth piece into panels.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Division {
    /// Number of steps uniform in the parameter, which may be any number.
    even: f64,
    /// Number of bisections of the first and of the last step toward the ends of the piece.
    bisections: [usize; 2],
}

impl Division {
    /// Returns the number of panels.
    fn panels(&self) -> f64 {
        let [first, last] = self.bisections;
        // Both ends share the middle of a single step.
        let shared = self.even == 1.0 && first > 0 && last > 0;
        self.even + (first + last - usize::from(shared)) as f64
    }

    /// Returns the parameters of the ends of the panels.
    fn cuts(&self) -> Vec<f64> {
        let steps = self.even as usize;
        let step = 1.0 / self.even;
        let [first, last] = self.bisections;
        let mut cuts = vec![0.0];
        cuts.extend((1..=first).rev().map(|l| step * 0.5f64.powi(l as i32)));
        cuts.extend((1..steps).map(|i| i as f64 / self.even));
        // Without the middle of a single step that is bisected toward both ends.
        let nearest = if steps == 1 && first > 0 { 2 } else { 1 };
        cuts.extend((nearest..=last).map(|l| 1.0 - step * 0.5f64.powi(l as i32)));
        cuts.push(1.0);
        cuts
    }
}

/// Returns the number of panels on a curve, which may be any number.
pub(crate) fn panel_count(curve: &Curve, layout: Layout) -> f64 {
    divisions(curve, layout).iter().map(Division::panels).sum()
}

/// Returns the division of each piece: uniform in its parameter, then bisected toward corners and ends.
fn divisions(curve: &Curve, layout: Layout) -> Vec<Division> {
    let speeds: Vec<f64> = curve.pieces.iter().map(Piece::top_speed).collect();
    let whole: f64 = speeds.iter().sum();
    curve
        .pieces
        .iter()
        .enumerate()
        .map(|(piece, shape)| {
            let steps = match layout.size {
                Size::Longest(length) => {
                    let by_angle = match shape {
                        Piece::Arc { from, to, .. } => (to - from).abs() / layout.widest_arc,
                        Piece::Line { .. } | Piece::Cubic { .. } => 1.0,
                    };
                    (by_angle.max(speeds[piece] / length) - 1e-9).ceil()
                }
                Size::Count(count) => (count as f64 * speeds[piece] / whole).round(),
            };
            let even = steps.max(1.0) * 2f64.powi(layout.halvings);
            let bisections = curve.turns(piece).map(|turn| match turn {
                Some(turn) => layout.grading.bisections(turn, speeds[piece] / even, whole),
                None => 0,
            });
            Division { even, bisections }
        })
        .collect()
}
