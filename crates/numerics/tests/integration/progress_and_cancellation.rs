//! Progress events, the rates of a meter, and cancellation.

use std::time::{Duration, Instant};

use wavefield_numerics::observe::{Cancel, Cancelled, Meter, Observer, Progress, Silent};

#[test]
fn a_meter_reads_rate_and_remaining_time_from_supplied_instants() {
    let start = Instant::now();
    let after = |seconds| start + Duration::from_secs(seconds);
    let mut meter = Meter::new(start);
    let first = meter.read(&Progress::new("march", 100, 1100), after(0));
    assert_eq!((first.rate, first.remaining), (0.0, None));
    // 200 units in 10 s leave 800 units: 40 s. The 100 initial units of a resumed run do not count.
    let second = meter.read(&Progress::new("march", 300, 1100), after(10));
    assert_eq!(second.rate, 20.0);
    assert_eq!(second.elapsed, Duration::from_secs(10));
    assert_eq!(second.remaining, Some(Duration::from_secs(40)));
    // A new stage resets the meter, and an iteration has no known end.
    let third = meter.read(&Progress::iteration("solve", 0, 1.0), after(20));
    assert_eq!((third.rate, third.remaining), (0.0, None));
    let fourth = meter.read(&Progress::iteration("solve", 8, 0.1), after(24));
    assert_eq!((fourth.rate, fourth.remaining), (2.0, None));
}

fn run(observer: &dyn Observer) -> Result<u64, Cancelled> {
    for step in 0..10 {
        observer.checkpoint()?;
        observer.progress(&Progress::new("march", step + 1, 10));
    }
    Ok(10)
}

#[test]
fn a_run_stops_when_asked_and_only_then() {
    assert_eq!(run(&Silent), Ok(10));
    let cancel = Cancel::new();
    assert_eq!(run(&cancel), Ok(10));
    cancel.clone().request();
    assert!(cancel.is_requested());
    assert_eq!(run(&cancel), Err(Cancelled));
}
