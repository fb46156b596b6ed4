//! Fuzz target `recorded_sound`.

use std::sync::LazyLock;

use wavefield_holography::{Files, Plan, Spec};

/// A small array and short frames, so that short files suffice for a plan.
static SPEC: LazyLock<Spec> = LazyLock::new(|| {
    let text = r#"
        frequency = "5 kHz"
        hologram_z = "5 cm"
        reconstruction_z = "1 cm"
        frame = 64
        [array]
        rows = 8
        columns = 8
        pitch = "2 cm"
        [measurement]
        kind = "recorded"
        file = "sound"
    "#;
    toml::from_str(text).expect("the problem of this target is one")
});

/// Splits the input into files: each but the last is preceded by its length in two bytes.
fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(u16::from_le_bytes(*length).into())
}

/// Any recording files are rejected with the key of the file, or give a holography plan with whole frames.
pub fn recorded_sound(bytes: &[u8]) {
    let Some((microphones, rest)) = split(bytes) else {
        return;
    };
    let Some((calibration, sound)) = split(rest) else {
        return;
    };
    // A file of zero length is not referred to by the problem.
    let files = Files {
        sound: Some(sound),
        microphones: Some(microphones).filter(|bytes| !bytes.is_empty()),
        calibration: Some(calibration).filter(|bytes| !bytes.is_empty()),
    };
    match Plan::with_files(&SPEC, &files) {
        Ok(_) => assert!(sound.len() >= 64 * 64 / 8),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
