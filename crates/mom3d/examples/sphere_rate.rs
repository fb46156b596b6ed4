//! Compares a conducting sphere with the Mie series: `sphere_rate DIAMETER EDGE ALPHA SOLVER`, lengths in wavelengths, the
//! solver `lu` or `aim`.

use std::time::Instant;

use num_complex::Complex64;
use wavefield_mom3d::{Plan, Spec};
use wavefield_numerics::observe::{Observer, Progress};
use wavefield_numerics::vector::norm;
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::direction::Direction;
use wavefield_physics::exact::sphere::{MieSeries, Sphere};

/// Prints the time at which each stage ends.
struct Times(Instant);

impl Observer for Times {
    fn progress(&self, event: &Progress<'_>) {
        if Some(event.done) == event.total {
            eprintln!("{:8.2} s {}", self.0.elapsed().as_secs_f64(), event.stage);
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let [diameter, edge, share, solver] = &given[..] else {
        return Err("usage: sphere_rate DIAMETER EDGE ALPHA SOLVER".into());
    };
    let [diameter, edge, share]: [f64; 3] = [diameter.parse()?, edge.parse()?, share.parse()?];
    let spec: Spec = toml::from_str(&format!(
        r#"
        frequency = "{SPEED_OF_LIGHT:e} Hz"
        bodies = [{{ geometry = {{ shape = "sphere", radius = "{} m" }}, material = "pec" }}]
        excitation = {{ kind = "plane-wave", phi = "0 deg" }}
        observation = {{ kind = "bistatic", phi = {{ start = "0 deg", stop = "360 deg", step = "1 deg" }} }}
        mom3d.max_edge_length = "{edge} lambda"
        mom3d.equation = {{ kind = "cfie", alpha = {share:?} }}
        mom3d.linear_solver = {{ kind = "{solver}" }}
        "#,
        0.5 * diameter
    ))?;
    let start = Instant::now();
    let plan = Plan::new(&spec, None)?;
    println!("{} unknowns", plan.unknowns());
    let solution = plan.execute(&Times(start))?;
    let series = MieSeries::new(&Sphere::pec(0.5 * diameter), SPEED_OF_LIGHT)?;
    let mut errors = [0.0; 2];
    let (mut worst, mut largest) = (0.0_f64, 0.0_f64);
    for (aspect, found) in solution.aspects.iter().zip(&solution.matrices) {
        let exact = series.scattering(aspect.from, aspect.to);
        let db = |a: Complex64, b: Complex64| 20.0 * (a.norm() / b.norm()).log10().abs();
        errors[0] += db(found.vv, exact.vv) / solution.aspects.len() as f64;
        errors[1] += db(found.hh, exact.hh) / solution.aspects.len() as f64;
        worst = worst.max((found.vv - exact.vv).norm());
        largest = largest.max(exact.vv.norm());
    }
    let from = solution.aspects[0].from;
    let mesh = plan.mesh();
    let points: Vec<Direction> = (0..mesh.triangles.len())
        .map(|t| {
            let [a, b, c] = mesh.corners(t);
            Direction::from_vector(std::array::from_fn(|i| a[i] + b[i] + c[i]))
        })
        .collect();
    let exact = MieSeries::conductor_current(
        0.5 * diameter,
        SPEED_OF_LIGHT,
        from,
        from.theta_hat(),
        &points,
    )?;
    let (mut above, mut below) = (0.0, 0.0);
    for (triangle, (found, exact)) in solution.states[0][0].current.iter().zip(&exact).enumerate() {
        let area = norm(mesh.area_vector(triangle));
        for axis in 0..3 {
            above += area * (found[axis] - exact[axis]).norm_sqr();
            below += area * exact[axis].norm_sqr();
        }
    }
    println!(
        "mean error vv {:.4} dB, hh {:.4} dB, amplitude {:.2e} of the peak, current {:.2e}, {:?}",
        errors[0],
        errors[1],
        worst / largest,
        f64::sqrt(above / below),
        solution.checks[0]
    );
    Ok(())
}
