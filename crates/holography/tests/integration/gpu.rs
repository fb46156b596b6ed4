//! GPU and CPU compute the same amplitudes and fields; these tests fail without an adapter.

use num_complex::Complex64;
use wavefield_gpu::Gpu;
use wavefield_holography::front_end::{
    BasicAveraging, DotProducts, Frame, FrontEnd, Nominal, Streaming, Terms, WalshFourier,
    WeightedBits,
};
use wavefield_holography::gpu::GpuFrontEnd;
use wavefield_holography::{
    Error, Hologram, Microphone, MicrophoneArray, Packing, Plan, Spec, relative_error,
};
use wavefield_numerics::observe::{Cancel, Silent};

/// Limit on the relative difference between CPU and GPU that roundoff explains.
const PARITY: f64 = 1e-4;

fn gpu() -> Gpu {
    Gpu::open(None).expect("GPU tests do not skip: install mesa-vulkan-drivers")
}

fn plan(array: &str, more: &str) -> Result<Plan, Error> {
    let spec: Spec = toml::from_str(&format!(
        r#"
        frequency = ["800 Hz", "1.2 kHz", "3 kHz"]
        hologram_z = "5 cm"
        reconstruction_z = "1 cm"
        array = {array}
        {more}
        [measurement]
        kind = "simulated"
        seed = 9
        sources = [
            {{ kind = "piston", center = ["3 cm", "-2 cm"], radius = "4 cm", velocity = "0.03 m/s" }},
            {{ kind = "monopole", center = ["-9 cm", "4 cm"], volume_velocity = 2e-4 }},
        ]
        "#
    ))
    .unwrap();
    Plan::new(&spec, None)
}

#[test]
fn fields_of_a_gpu_are_the_processors() {
    let gpu = gpu();
    for (array, more) in [
        ("{ rows = 32, columns = 32, pitch = \"2 cm\" }", ""),
        (
            "{ rows = 16, columns = 24, pitch = \"2 cm\" }",
            "filter = { kind = \"modified-tikhonov\", lambda = 1e-3 }\nborder = { padding = \"edge\" }",
        ),
        (
            "{ rows = 24, columns = 16, pitch = \"2 cm\" }",
            "front_end = { method = \"nominal\" }\nframe = 256",
        ),
    ] {
        let plan = plan(array, more).unwrap();
        for difference in plan.device_differences(&gpu, &Silent).unwrap() {
            println!("{array} {more}: {difference:?}");
            assert!(difference.same_filter, "{difference:?}");
            assert!(difference.hologram <= PARITY, "{difference:?}");
            assert!(difference.front_end <= PARITY, "{difference:?}");
            assert!(difference.pressure <= PARITY, "{difference:?}");
            assert!(difference.velocity <= PARITY, "{difference:?}");
        }
    }
}

#[test]
fn every_front_end_is_a_sum_of_weighted_bits() {
    let gpu = gpu();
    let array = MicrophoneArray::new(8, 16, 0.02).unwrap();
    let packing = Packing::new(&array).unwrap();
    let frame = Frame::new(packing, 256, &[5, 40]).unwrap();
    let pressures = (0..array.channels()).map(|c| Complex64::from_polar(2.0, 0.3 * c as f64));
    let tone = Hologram::new(array, frame.frequency(5), pressures.collect()).unwrap();
    let stream = Microphone::default()
        .record(packing, &[tone], 2048 + frame.clocks(), 3)
        .unwrap();
    let front_ends: [Box<dyn FrontEnd>; 7] = [
        Box::new(Streaming::new(frame.clone(), 3, 32).unwrap()),
        Box::new(Streaming::new(frame.clone(), 5, 8).unwrap()),
        Box::new(Nominal::new(frame.clone()).unwrap()),
        Box::new(DotProducts::new(frame.clone()).unwrap()),
        Box::new(BasicAveraging::new(frame.clone()).unwrap()),
        Box::new(WalshFourier::new(frame.clone(), Terms::All).unwrap()),
        Box::new(WalshFourier::new(frame.clone(), Terms::Largest(40)).unwrap()),
    ];
    for (number, mut front_end) in front_ends.into_iter().enumerate() {
        let mut on_gpu = GpuFrontEnd::new(&gpu, &*front_end).unwrap();
        assert!(on_gpu.gpu_memory() > 0);
        let words = stream
            .clocks_from(7, front_end.lead_in() + frame.clocks())
            .unwrap();
        let mut wanted = vec![Complex64::new(0.0, 0.0); 2 * array.channels()];
        front_end.amplitudes(words, &mut wanted).unwrap();
        // Reference implementation: direct sums in double precision.
        let mut sums = wanted.clone();
        WeightedBits::new(&*front_end)
            .amplitudes(words, &mut sums)
            .unwrap();
        let mut found = wanted.clone();
        on_gpu.amplitudes(words, &mut found).unwrap();
        assert_eq!(on_gpu.bit_weights(5), front_end.bit_weights(5));
        let channels = array.channels();
        let [by_gpu, by_sums] = [(&sums, &found), (&wanted, &sums)]
            .map(|(p, q)| relative_error(&p[..channels], &q[..channels]).unwrap());
        println!("front end {number}: GPU {by_gpu:.2e}, front end {by_sums:.2e} from its sums");
        // Fast front ends compute samples in single precision; the GPU uses 42-bit weights.
        assert!(by_sums < 1e-6, "front end {number}: {by_sums}");
        assert!(by_gpu < 1e-11, "front end {number}: {by_gpu}");
        // The second bin contains only noise, which must agree too.
        let noise = relative_error(&sums[channels..], &found[channels..]).unwrap();
        assert!(noise < 1e-6, "front end {number}: {noise}");
    }
}

#[test]
fn grids_that_gpu_do_not_transform_are_refused() {
    // The padded width of 56 columns is 112, which has a factor of seven.
    let plan = plan("{ rows = 16, columns = 56, pitch = \"1 cm\" }", "").unwrap();
    let refused = plan.execute_on(&gpu(), &Silent);
    assert!(matches!(
        refused,
        Err(Error::GpuGrid {
            rows: 32,
            columns: 112
        })
    ));
}

#[test]
fn a_run_on_a_gpu_can_be_stopped() {
    let plan = plan("{ rows = 16, columns = 16, pitch = \"2 cm\" }", "").unwrap();
    let stop = Cancel::new();
    stop.request();
    let stopped = plan.execute_on(&gpu(), &stop);
    assert!(matches!(stopped, Err(Error::Cancelled(_))));
}
