//! Formatting of durations and sizes.

use std::time::Duration;

/// Formats a duration with an appropriate unit.
pub fn format_duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 90.0 => format!("{s:.1} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// Formats a number of bytes with an appropriate binary unit.
pub fn format_bytes(bytes: usize) -> String {
    let value = bytes as f64;
    for (factor, unit) in [
        (1024.0f64.powi(3), "GiB"),
        (1024.0f64.powi(2), "MiB"),
        (1024.0, "KiB"),
    ] {
        if value >= factor {
            return format!("{:.1} {unit}", value / factor);
        }
    }
    format!("{bytes} B")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_sizes_have_the_unit_that_fits() {
        assert_eq!(format_duration(Duration::from_micros(12)), "12 µs");
        assert_eq!(format_duration(Duration::from_millis(250)), "250 ms");
        assert_eq!(format_duration(Duration::from_secs(61)), "61.0 s");
        assert_eq!(format_duration(Duration::from_secs(600)), "10 min");
        assert_eq!(format_duration(Duration::from_secs(7200)), "2.0 h");
        assert_eq!(format_bytes(1536), "1.5 KiB");
    }
}
