//! Time of an iteration of live holography, from a hop of bits to the field near the sources.
//!
//! `cargo run --release -p wavefield-holography --example live`

use std::error::Error;
use std::time::Instant;

use num_complex::Complex64;
use wavefield_holography::front_end::{Frame, Streaming};
use wavefield_holography::{
    Border, Filter, Hologram, LatencyHistogram, LiveHolography, Microphone, MicrophoneArray,
    Packing,
};
use wavefield_physics::medium::Fluid;

fn main() -> Result<(), Box<dyn Error>> {
    let array = MicrophoneArray::default();
    let packing = Packing::new(&array)?;
    let bins = [22, 44, 66, 87, 110];
    let whole = Frame::new(packing, 1024, &bins)?;
    let pressures = (0..array.channels()).map(|c| Complex64::from_polar(1.0, 0.01 * c as f64));
    let tone = Hologram::new(array, whole.frequency(44), pressures.collect())?;
    let hop = 32;
    let stream = Microphone::default().record(packing, &[tone], 64 * hop * 32, 1)?;
    println!(
        "holograms  1 %    median  99 %  longest, ms, of {} hops",
        3000
    );
    for count in [1, 5] {
        let frame = Frame::new(packing, 1024, &bins[..count])?;
        let mut live = LiveHolography::new(
            array,
            Streaming::new(frame, 3, hop)?,
            Microphone::default().full_scale,
            &Fluid::AIR,
            &Border::default(),
            0.04,
            &vec![Filter::ModifiedTikhonov { parameter: 1e-3 }; count],
        )?;
        let clocks = live.hop_clocks();
        let mut histogram = LatencyHistogram::default();
        for i in 0..3100 {
            let words = stream.clocks_from(i % 64 * clocks, clocks)?;
            let began = Instant::now();
            live.push(words)?;
            if i >= 100 {
                histogram.record(began.elapsed());
            }
        }
        let milliseconds = |part| histogram.quantile(part).unwrap_or_default().as_secs_f64() * 1e3;
        println!(
            "{count:9} {:6.3} {:7.3} {:6.3} {:7.3}",
            milliseconds(0.01),
            milliseconds(0.5),
            milliseconds(0.99),
            milliseconds(1.0)
        );
    }
    Ok(())
}
