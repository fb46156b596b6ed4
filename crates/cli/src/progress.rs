//! Progress of a run on the terminal, and its cancellation.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use wavefield_numerics::observe::{Cancel, Meter, Observer, Progress};
use wavefield_report::format::format_duration;

/// Interval between progress lines where stderr is not a terminal.
const PATIENCE: Duration = Duration::from_secs(30);

/// Progress line on stderr; the observer of a run.
pub(crate) struct Terminal {
    cancel: Cancel,
    state: Mutex<State>,
}

struct State {
    bar: ProgressBar,
    /// Time of the last line written, where stderr is not a terminal.
    written: Option<Instant>,
    meter: Meter,
    stage: String,
}

impl Terminal {
    /// Creates a progress bar on stderr, or periodic lines where stderr is not a terminal; `quiet` disables both.
    pub(crate) fn new(cancel: Cancel, quiet: bool) -> Terminal {
        let target = if quiet || !std::io::stderr().is_terminal() {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr_with_hz(10)
        };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        let style = ProgressStyle::with_template("{prefix:>12} {bar:32} {percent:>3} %  {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style.progress_chars("━╸ "));
        Terminal {
            cancel,
            state: Mutex::new(State {
                bar,
                written: (!quiet && !std::io::stderr().is_terminal()).then(Instant::now),
                meter: Meter::new(Instant::now()),
                stage: String::new(),
            }),
        }
    }

    /// Clears the progress bar.
    pub(crate) fn finish(&self) {
        if let Ok(state) = self.state.lock() {
            state.bar.finish_and_clear();
        }
    }
}

impl Observer for Terminal {
    fn progress(&self, event: &Progress<'_>) {
        // A poisoned lock costs a progress line only.
        let Ok(mut state) = self.state.lock() else {
            return;
        };
        let reading = state.meter.read(event, Instant::now());
        if state.stage != event.stage {
            event.stage.clone_into(&mut state.stage);
            state.bar.set_prefix(state.stage.clone());
        }
        state.bar.set_length(event.total.unwrap_or(event.done));
        state.bar.set_position(event.done);
        let mut message = format!("{}/s", engineering(reading.rate));
        if let Some(residual) = event.residual {
            message.push_str(&format!("  residual {residual:.2e}"));
        }
        if let Some(remaining) = reading.remaining {
            message.push_str(&format!("  {} left", format_duration(remaining)));
        }
        if state.written.is_some_and(|last| last.elapsed() >= PATIENCE) {
            state.written = Some(Instant::now());
            let part = event.total.map(|total| 100 * event.done / total.max(1));
            let part =
                part.map_or_else(|| event.done.to_string(), |percent| format!("{percent} %"));
            eprintln!("{}: {part}, {message}", event.stage);
        }
        state.bar.set_message(message);
    }

    fn stop_requested(&self) -> bool {
        self.cancel.is_requested()
    }
}

/// Formats a number with an SI prefix: 12.3 k, 4.56 M.
fn engineering(value: f64) -> String {
    for (factor, prefix) in [(1e9, " G"), (1e6, " M"), (1e3, " k")] {
        if value >= factor {
            return format!("{:.3}{prefix}", value / factor);
        }
    }
    format!("{value:.1} ")
}
