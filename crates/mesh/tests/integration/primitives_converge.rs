//! Primitives converge to the exact body, and are closed, oriented outward, and within the edge length.

use std::collections::HashSet;
use std::f64::consts::{FRAC_PI_2, PI, SQRT_2, TAU};

use wavefield_mesh::primitive::*;
use wavefield_mesh::{Contour, Edges, TriangleMesh, WedgeShape};

/// Integrates by Simpson's rule; the error of 2000 intervals is far below the tolerances used here.
fn integral(from: f64, to: f64, f: impl Fn(f64) -> f64) -> f64 {
    let n = 2000;
    let h = (to - from) / f64::from(n);
    (0..=n)
        .map(|k| {
            let weight = match k {
                0 => 1.0,
                k if k == n => 1.0,
                k if k % 2 == 1 => 4.0,
                _ => 2.0,
            };
            weight * f(from + h * f64::from(k))
        })
        .sum::<f64>()
        * h
        / 3.0
}

/// Returns the observed order of convergence in the edge length between two meshes.
fn observed_order(errors: [f64; 2], edges: [f64; 2]) -> f64 {
    (errors[0] / errors[1]).ln() / (edges[0] / edges[1]).ln()
}

/// Second order, less 0.1 for higher-order terms on the coarse mesh.
const SECOND: f64 = 1.9;

/// Toward a tip the rings keep their spacing while they shrink, which adds the sum of 1/r over the rings, a
/// logarithm: the error of the area is h² ln(1/h), and the observed order over a factor of four is up to 0.3
/// lower.
const SECOND_WITH_TIP: f64 = 1.7;

/// Returns the actual edge length of a mesh: numbers of edges are rounded up, so it differs from the
/// requested one.
fn typical_edge(mesh: &TriangleMesh) -> f64 {
    (mesh.area() / mesh.triangles.len() as f64).sqrt()
}

fn check_closed(mesh: &TriangleMesh, edge: f64) {
    mesh.validate().unwrap();
    let seen = mesh.inspect();
    assert!(seen.watertight, "{seen}");
    assert_eq!(seen.outward, Some(true), "{seen}");
    assert_eq!(seen.components, 1);
    assert_eq!(seen.degenerate_triangles, 0);
    assert_eq!(seen.duplicate_triangles, 0);
    // A length computed twice may differ in the last bits.
    assert!(seen.longest_edge <= edge * (1.0 + 1e-12), "{edge}: {seen}");
    let euler =
        mesh.points.len() as i64 - Edges::of(mesh).len() as i64 + mesh.triangles.len() as i64;
    assert_eq!(euler, 2, "a closed body without handles");
}

fn check_second_order(
    make: impl Fn(f64) -> TriangleMesh,
    edge: f64,
    area: f64,
    volume: f64,
    area_order: f64,
) {
    let (coarse, fine) = (make(edge), make(edge / 4.0));
    check_closed(&coarse, edge);
    check_closed(&fine, edge / 4.0);
    let edges = [&coarse, &fine].map(typical_edge);
    // Second order in volume, less 0.1 for higher-order terms on the coarse mesh.
    let order = observed_order([&coarse, &fine].map(|m| (m.area() - area).abs()), edges);
    assert!(order > area_order, "area converges with order {order}");
    let order = observed_order([&coarse, &fine].map(|m| (m.volume() - volume).abs()), edges);
    assert!(order > 1.9, "volume converges with order {order}");
}

#[test]
fn sphere_converges_to_its_area_and_volume() {
    let r = 0.3;
    let volume = 4.0 / 3.0 * PI * r * r * r;
    check_second_order(
        |e| sphere(r, e).unwrap(),
        0.1,
        4.0 * PI * r * r,
        volume,
        SECOND,
    );
}

#[test]
fn sphere_points_lie_on_the_sphere() {
    let mesh = sphere(0.3, 0.05).unwrap();
    for p in &mesh.points {
        let distance = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
        // Normalization and multiplication round a few times.
        assert!((distance - 0.3).abs() < 4.0 * 0.3 * f64::EPSILON);
    }
}

#[test]
fn cylinder_converges_to_its_area_and_volume() {
    let (r, l) = (0.2, 0.5);
    let area = 2.0 * PI * r * (r + l);
    check_second_order(
        |e| cylinder(r, l, e).unwrap(),
        0.1,
        area,
        PI * r * r * l,
        SECOND,
    );
}

#[test]
fn ogive_converges_to_its_area_and_volume() {
    // In inches: arc radius 13, center 12 below the axis, half length 5.
    let (big, offset, h) = (13.0_f64, 12.0, 5.0_f64);
    let angle = (h / big).asin();
    let volume = 2.0 * PI * (big * big * h - h.powi(3) / 3.0 - offset * big * big * angle);
    let area = 4.0 * PI * big * (h - offset * angle);
    check_second_order(
        |e| ogive(10.0, OGIVE_HALF_ANGLE, e).unwrap(),
        0.6,
        area,
        volume,
        SECOND_WITH_TIP,
    );
}

#[test]
fn ogive_has_the_published_half_angle_and_width() {
    // 22.62° is printed with four digits.
    assert!((OGIVE_HALF_ANGLE.to_degrees() - 22.62).abs() < 0.005);
    let bounds = ogive(10.0, OGIVE_HALF_ANGLE, 0.1)
        .unwrap()
        .bounding_box()
        .unwrap();
    assert!((bounds.max[0] - 5.0).abs() < 1e-12 && (bounds.min[0] + 5.0).abs() < 1e-12);
    // The widest ring need not be at the center: a step of 0.1 misses it by at most 0.05²/(2·13).
    assert!((bounds.max[1] - 1.0).abs() < 1e-4);
}

#[test]
fn almond_converges_to_its_area_and_volume() {
    // Semi-axes of the cross-section at x, for unit length, from the published formula.
    let taper = |x: f64| {
        if x < 0.0 {
            (1.0 - (12.0 * x / 5.0).powi(2)).max(0.0).sqrt()
        } else {
            ((1.0 - (12.0 * x / 25.0).powi(2)).sqrt() - 0.96) / 0.04
        }
    };
    let (a, b) = (29.0 / 150.0, 29.0 / 450.0);
    // The rear by the angle θ with x = −5/12 cos θ, where the integrand is smooth at the pole.
    let volume = 2.0 / 3.0 * PI * a * b * 5.0 / 12.0
        + PI * a * b * integral(0.0, 7.0 / 12.0, |x| taper(x).powi(2));
    assert!((almond_volume(2.0) / (8.0 * volume) - 1.0).abs() < 1e-10);
    // dS = |∂r/∂x × ∂r/∂ψ| dx dψ with r = (x, a t cos ψ, b t sin ψ).
    let strip = |t: f64, dx: f64, dt: f64| {
        4.0 * integral(0.0, FRAC_PI_2, |psi| {
            let (s, c) = psi.sin_cos();
            let n = [a * b * t * dt, -b * t * dx * c, -a * t * dx * s];
            (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt()
        })
    };
    let rear = integral(0.0, FRAC_PI_2, |angle| {
        let (s, c) = angle.sin_cos();
        strip(s, 5.0 / 12.0 * s, c)
    });
    let front = integral(0.0, 7.0 / 12.0, |x| {
        let slope =
            -(12.0_f64 / 25.0).powi(2) * x / (1.0 - (12.0 * x / 25.0).powi(2)).sqrt() / 0.04;
        strip(taper(x), 1.0, slope)
    });
    check_second_order(
        |e| almond(1.0, e).unwrap(),
        0.06,
        rear + front,
        volume,
        SECOND_WITH_TIP,
    );
}

#[test]
fn almond_has_its_length_and_its_tip_at_plus_x() {
    let bounds = almond(ALMOND_LENGTH, 0.005)
        .unwrap()
        .bounding_box()
        .unwrap();
    assert!((bounds.size()[0] - 9.936 * 0.0254).abs() < 1e-15);
    assert!((bounds.max[0] - 7.0 / 12.0 * ALMOND_LENGTH).abs() < 1e-15);
    // Printed to six digits in the paper: semi-axes 0.193333 d and 0.064444 d.
    assert!((bounds.max[1] / ALMOND_LENGTH - 0.193333).abs() < 1e-6);
    assert!((bounds.max[2] / ALMOND_LENGTH - 0.064444).abs() < 2e-3);
}

#[test]
fn ellipsoid_converges_to_its_area_and_volume_along_any_axis() {
    // A prolate spheroid, S = 2πa² (1 + c/(a e) arcsin e) with e² = 1 − a²/c².
    let (a, c) = (0.1_f64, 0.25_f64);
    let e = (1.0 - a * a / (c * c)).sqrt();
    let area = 2.0 * PI * a * a * (1.0 + c / (a * e) * e.asin());
    for half_axes in [[a, a, c], [a, c, a], [c, a, a]] {
        check_second_order(
            |edge| ellipsoid(half_axes, edge).unwrap(),
            0.06,
            area,
            4.0 / 3.0 * PI * a * a * c,
            SECOND,
        );
    }
    for half_axes in [[0.1, 0.2, 0.3], [0.3, 0.1, 0.2], [0.2, 0.1, 0.3]] {
        let mesh = ellipsoid(half_axes, 0.02).unwrap();
        check_closed(&mesh, 0.02);
        for p in &mesh.points {
            let place: f64 = (0..3).map(|k| (p[k] / half_axes[k]).powi(2)).sum();
            // Rounding errors of numbers near one.
            assert!((place - 1.0).abs() < 1e-14);
        }
    }
}

const HELIX: HelixAntenna = HelixAntenna {
    radius: 5e-3,
    pitch: 6e-3,
    turns: 3.3,
    section: WireSection::Square { width: 2e-3 },
    gap: 1e-3,
    ground_radius: 10e-3,
    edge: 1e-3,
    ground_edge: 2e-3,
};

#[test]
fn helical_wire_has_the_volume_of_its_screw() {
    for (section, area) in [
        (WireSection::Square { width: 2e-3 }, 4e-6),
        (WireSection::Round { radius: 1e-3 }, PI * 1e-6),
    ] {
        // The rise does not change the volume that a plane figure sweeps around an axis, A·2πR per turn.
        let volume = area * TAU * HELIX.radius * HELIX.turns;
        let make = |edge: f64| {
            let antenna = HelixAntenna {
                section,
                edge,
                ..HELIX
            };
            helix_antenna(&antenna).unwrap().wire
        };
        let meshes = [1e-3, 0.25e-3].map(|edge| {
            let mesh = make(edge);
            let seen = mesh.inspect();
            assert!(seen.watertight && seen.outward == Some(true), "{seen}");
            assert_eq!((seen.components, seen.degenerate_triangles), (1, 0));
            assert!(seen.longest_edge <= edge * (1.0 + 1e-12), "{edge}: {seen}");
            mesh
        });
        let errors = meshes.each_ref().map(|m| (m.volume() - volume).abs());
        let order = observed_order(errors, meshes.each_ref().map(typical_edge));
        assert!(order > SECOND, "{section:?} converges with order {order}");
    }
}

#[test]
fn helix_is_fed_between_ground_and_wire() {
    for section in [
        WireSection::Square { width: 2e-3 },
        WireSection::Round { radius: 1e-3 },
    ] {
        let antenna = HelixAntenna { section, ..HELIX };
        let HelixSurfaces { wire, sheet } = helix_antenna(&antenna).unwrap();
        sheet.validate().unwrap();
        let ground = sheet.part("ground").unwrap();
        let seen = ground.inspect();
        assert_eq!(
            (
                seen.components,
                seen.inconsistent_edges,
                seen.degenerate_triangles
            ),
            (1, 0, 0)
        );
        assert!(seen.longest_edge <= antenna.ground_edge * (1.0 + 1e-12));
        // A polygon of n corners lacks about 6.6/n² of its circle; there are more than 40 corners.
        assert!((seen.area / (PI * 1e-4) - 1.0).abs() < 6.6 / 1600.0);
        assert!(ground.points.iter().all(|p| p[2] == 0.0));

        let feed = sheet.part("feed").unwrap();
        let width = feed.area() / antenna.gap;
        match section {
            WireSection::Square { width: side } => assert!((width - side).abs() < 1e-15),
            WireSection::Round { radius } => assert!(width > 0.0 && width < 2.0 * radius),
        }
        // Its lower edge consists of points of the plate, its upper edge of points of the wire.
        let bits = |p: &[f64; 3]| p.map(|c| (c + 0.0).to_bits());
        for (height, other) in [(0.0, &ground), (antenna.gap, &wire)] {
            let known: HashSet<_> = other.points.iter().map(bits).collect();
            let mut ends = 0;
            for point in feed.points.iter().filter(|p| p[2] == height) {
                assert!(known.contains(&bits(point)), "{point:?}");
                ends += 1;
            }
            assert!(ends >= 2);
        }
    }
}

#[test]
fn impossible_helices_are_refused() {
    for antenna in [
        HelixAntenna {
            turns: f64::NAN,
            ..HELIX
        },
        HelixAntenna { gap: 0.0, ..HELIX },
        HelixAntenna {
            pitch: 1.5e-3,
            ..HELIX
        },
        HelixAntenna {
            radius: 0.9e-3,
            ..HELIX
        },
        HelixAntenna {
            ground_radius: 5.5e-3,
            ..HELIX
        },
    ] {
        assert!(matches!(
            helix_antenna(&antenna),
            Err(PrimitiveError::OutOfRange { .. })
        ));
    }
    assert!(matches!(
        helix_antenna(&HelixAntenna {
            edge: 1e-9,
            ..HELIX
        }),
        Err(PrimitiveError::TooFine { .. })
    ));
}

#[test]
fn box_has_its_exact_area_and_volume_at_any_edge_length() {
    for edge in [10.0, 0.7, 0.11] {
        let mesh = cuboid([1.0, 0.5, 0.25], edge).unwrap();
        check_closed(&mesh, edge.max(1.2));
        // Sums of a few thousand products, each rounded.
        assert!((mesh.area() - 2.0 * (0.5 + 0.125 + 0.25)).abs() < 1e-12);
        assert!((mesh.volume() - 0.125).abs() < 1e-12);
        assert_eq!(mesh.groups.len(), 6);
        let top = mesh.part("z+").unwrap();
        assert!(top.points.iter().all(|p| p[2] == 0.125));
        assert!((top.area() - 0.5).abs() < 1e-12);
        assert!((0..top.triangles.len()).all(|t| top.area_vector(t)[2] > 0.0));
    }
}

#[test]
fn sharp_edges_of_a_box_are_its_twelve_edges() {
    let mesh = cuboid([1.0, 0.5, 0.25], 0.2).unwrap();
    let sharp = mesh.sharp_edges(&Edges::of(&mesh), 0.1);
    let length: f64 = (sharp.wedges.iter())
        .map(|w| {
            let [a, b] = w.ends.map(|i| mesh.points[i as usize]);
            ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2) + (a[2] - b[2]).powi(2)).sqrt()
        })
        .sum();
    assert!((length - 4.0 * 1.75).abs() < 1e-12);
    for wedge in &sharp.wedges {
        assert_eq!(wedge.shape(), WedgeShape::Convex);
        assert!((wedge.exterior_angle - 1.5 * PI).abs() < 1e-12);
        assert!((wedge.interior_angle() - 0.5 * PI).abs() < 1e-12);
    }
}

#[test]
fn sharp_edges_of_a_cylinder_are_its_two_rims() {
    let mesh = cylinder(0.2, 0.5, 0.02).unwrap();
    let sharp = mesh.sharp_edges(&Edges::of(&mesh), 0.5);
    assert!(!sharp.wedges.is_empty());
    for wedge in &sharp.wedges {
        for index in wedge.ends {
            let p = mesh.points[index as usize];
            assert!((p[2].abs() - 0.25).abs() < 1e-12);
            assert!((p[0].hypot(p[1]) - 0.2).abs() < 1e-12);
        }
    }
    let count = |z: f64| {
        mesh.points
            .iter()
            .filter(|p| p[2] == z && (p[0].hypot(p[1]) - 0.2).abs() < 1e-12)
            .count()
    };
    assert_eq!(sharp.wedges.len(), count(0.25) + count(-0.25));
}

#[test]
fn a_smooth_body_has_no_sharp_edges() {
    let mesh = sphere(1.0, 0.1).unwrap();
    let sharp = mesh.sharp_edges(&Edges::of(&mesh), 0.3);
    assert!(sharp.wedges.is_empty() && sharp.open.is_empty() && sharp.inconsistent.is_empty());
}

#[test]
fn plate_is_open_and_faces_up() {
    let mesh = plate(0.3, 0.2, 0.05).unwrap();
    let seen = mesh.inspect();
    assert!(!seen.watertight && seen.volume.is_none());
    assert!((seen.area - 0.06).abs() < 1e-15);
    assert!(seen.longest_edge <= 0.05 * (1.0 + 1e-12));
    assert!((0..mesh.triangles.len()).all(|t| mesh.area_vector(t)[2] > 0.0));
    let sharp = mesh.sharp_edges(&Edges::of(&mesh), 0.1);
    assert_eq!(sharp.open.len(), seen.open_edges);
    assert!(sharp.wedges.is_empty());
}

#[test]
fn dihedral_folds_along_z_and_looks_into_its_opening() {
    let (width, height, opening) = (0.3, 0.2, 1.4);
    let mesh = dihedral(width, height, opening, 0.05).unwrap();
    mesh.validate().unwrap();
    let seen = mesh.inspect();
    assert_eq!((seen.components, seen.inconsistent_edges), (1, 0));
    assert!((seen.area - 2.0 * width * height).abs() < 1e-12);
    assert!((0..mesh.triangles.len()).all(|t| mesh.area_vector(t)[0] > 0.0));
    let sharp = mesh.sharp_edges(&Edges::of(&mesh), 0.1);
    assert!(!sharp.wedges.is_empty());
    for wedge in &sharp.wedges {
        assert_eq!(wedge.shape(), WedgeShape::Concave);
        assert!((wedge.exterior_angle - opening).abs() < 1e-12);
        assert!(
            wedge
                .ends
                .iter()
                .all(|&i| mesh.points[i as usize][0] == 0.0)
        );
    }
}

#[test]
fn trihedrals_look_into_their_opening() {
    let square = square_trihedral(0.3, 0.05).unwrap();
    let triangular = triangular_trihedral(0.3, 0.05).unwrap();
    for (mesh, area) in [(square, 3.0 * 0.09), (triangular, 1.5 * 0.09)] {
        mesh.validate().unwrap();
        let seen = mesh.inspect();
        assert_eq!((seen.components, seen.inconsistent_edges), (1, 0));
        assert!((seen.area - area).abs() < 1e-12);
        assert!(seen.longest_edge <= 0.05 * (1.0 + 1e-12));
        for t in 0..mesh.triangles.len() {
            let normal = mesh.area_vector(t);
            assert!(normal.iter().all(|&c| c >= 0.0));
        }
        let sharp = mesh.sharp_edges(&Edges::of(&mesh), 0.1);
        assert!(
            sharp
                .wedges
                .iter()
                .all(|w| (w.exterior_angle - FRAC_PI_2).abs() < 1e-12)
        );
        assert!(!sharp.wedges.is_empty());
    }
}

fn check_loop(contour: &Contour, edge: f64) {
    contour.validate().unwrap();
    let curves = contour.curves();
    assert_eq!(curves.len(), 1);
    assert!(curves[0].closed);
    assert_eq!(curves[0].segments.len(), contour.segments.len());
    for s in 0..contour.segments.len() {
        let [a, b] = contour.ends(s);
        assert!((b[0] - a[0]).hypot(b[1] - a[1]) <= edge * (1.0 + 1e-12));
    }
    assert!(contour.area() > 0.0, "counterclockwise");
}

#[test]
fn circle_and_ellipse_converge_to_their_area_and_length() {
    let r = 0.4;
    let (coarse, fine) = (circle(r, 0.1).unwrap(), circle(r, 0.025).unwrap());
    check_loop(&coarse, 0.1);
    check_loop(&fine, 0.025);
    let typical = |c: &Contour| c.length() / c.segments.len() as f64;
    let order = |coarse: &Contour, fine: &Contour, exact: f64, measure: fn(&Contour) -> f64| {
        let errors = [coarse, fine].map(|c| (measure(c) - exact).abs());
        observed_order(errors, [coarse, fine].map(typical))
    };
    // Second order, less 0.1 for higher-order terms on the coarse mesh.
    assert!(order(&coarse, &fine, PI * r * r, Contour::area) > 1.9);
    assert!(order(&coarse, &fine, 2.0 * PI * r, Contour::length) > 1.9);
    let [coarse, fine] = [0.1, 0.025].map(|edge| ellipse(0.4, 0.1, edge).unwrap());
    check_loop(&fine, 0.025);
    assert!(order(&coarse, &fine, PI * 0.04, Contour::area) > 1.9);
}

#[test]
fn polygons_keep_their_corners_and_run_counterclockwise() {
    let clockwise = [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]];
    let square = polygon(&clockwise, 0.3).unwrap();
    check_loop(&square, 0.3);
    assert!((square.area() - 1.0).abs() < 1e-14);
    assert!((square.length() - 4.0).abs() < 1e-14);
    assert_eq!(square.groups.len(), 4);
    assert!(
        clockwise
            .iter()
            .all(|corner| square.points.contains(corner))
    );
    let diamond = regular_polygon(4, 1.0, 0.5).unwrap();
    check_loop(&diamond, 0.5);
    assert!((diamond.length() - 4.0 * SQRT_2).abs() < 1e-14);
}

#[test]
fn several_bodies_stay_several_curves() {
    let mut both = circle(0.1, 0.02).unwrap();
    let mut other = circle(0.2, 0.02).unwrap();
    other.translate([1.0, 0.0]);
    both.append(&other);
    assert_eq!(both.curves().len(), 2);
    assert_eq!(both.groups.len(), 1);
    let before = both.area();
    both.mirror_x();
    both.rotate(0.3);
    // Rounding of some hundred products.
    assert!((both.area() - before).abs() < 1e-12);
}

#[test]
fn an_open_strip_is_walked_from_its_beginning() {
    let mut strip = circle(1.0, 0.5).unwrap();
    strip.segments.remove(4);
    strip.group_of.remove(4);
    let curves = strip.curves();
    assert_eq!(curves.len(), 1);
    assert!(!curves[0].closed);
    assert_eq!(strip.segments[curves[0].segments[0] as usize][0], 5);
}

#[test]
fn senseless_sizes_are_refused_with_the_number() {
    assert!(
        matches!(sphere(-1.0, 0.1), Err(PrimitiveError::OutOfRange { value, .. }) if value == -1.0)
    );
    assert!(matches!(
        sphere(1.0, f64::NAN),
        Err(PrimitiveError::OutOfRange { .. })
    ));
    for result in [
        sphere(1.0, 1e-300),
        cuboid([1.0; 3], 1e-9),
        plate(1.0, 1e9, 1e-9),
        cylinder(1.0, 1.0, 1e-9),
        cylinder(1e-9, 1e9, 1e-9),
        almond(1.0, 1e-9),
        ogive(1.0, 0.3, 1e-9),
        dihedral(1.0, 1.0, 1.0, 1e-9),
        square_trihedral(1.0, 1e-9),
        triangular_trihedral(1.0, 1e-9),
    ] {
        assert!(
            matches!(result, Err(PrimitiveError::TooFine { .. })),
            "{result:?}"
        );
    }
    assert!(matches!(
        circle(1.0, 1e-12),
        Err(PrimitiveError::TooFine { .. })
    ));
    assert!(matches!(
        regular_polygon(usize::MAX, 1.0, 1.0),
        Err(PrimitiveError::TooFine { .. })
    ));
    assert!(matches!(
        polygon(&[[0.0; 2]; 2], 1.0),
        Err(PrimitiveError::TooFewCorners { corners: 2 })
    ));
    assert!(matches!(
        polygon(&[[0.0; 2]; 3], 1.0),
        Err(PrimitiveError::OutOfRange { .. })
    ));
}
