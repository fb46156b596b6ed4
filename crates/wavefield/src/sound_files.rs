//! The files that a problem of holography names, read from the problem's folder.

use std::path::Path;

use wavefield_holography::{Files, Sound, Spec};

use crate::failure::Failure;

/// The bytes of recording, microphones' places and calibration, as far as a problem names them.
#[derive(Clone, Debug, Default)]
pub struct SoundFiles {
    sound: Option<Vec<u8>>,
    microphones: Option<Vec<u8>>,
    calibration: Option<Vec<u8>>,
}

impl SoundFiles {
    /// Reads what the spec names; paths are relative to `folder`.
    ///
    /// # Errors
    /// [`Failure::Input`] with the file that cannot be read.
    pub fn read(spec: &Spec, folder: &Path) -> Result<Self, Failure> {
        let Sound::Recorded(recorded) = &spec.sound else {
            return Ok(Self::default());
        };
        let read = |name: &String| {
            let path = folder.join(name);
            std::fs::read(&path).map_err(|error| Failure::reading(&path, &error))
        };
        Ok(Self {
            sound: Some(read(&recorded.file)?),
            microphones: recorded.microphones.as_ref().map(read).transpose()?,
            calibration: recorded.calibration.as_ref().map(read).transpose()?,
        })
    }

    /// The bytes as a plan takes them.
    pub fn borrowed(&self) -> Files<'_> {
        Files {
            sound: self.sound.as_deref(),
            microphones: self.microphones.as_deref(),
            calibration: self.calibration.as_deref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_files_are_read_and_missing_ones_are_named() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("room.wav"), b"sound").unwrap();
        let spec = |more: &str| -> Spec {
            toml::from_str(&format!(
                "frequency = [\"1 kHz\"]\nheight = \"5 cm\"\nplane = \"1 cm\"\n\
                 [sound]\nkind = \"recorded\"\nfile = \"room.wav\"\n{more}"
            ))
            .unwrap()
        };
        let files = SoundFiles::read(&spec(""), folder.path()).unwrap();
        assert_eq!(files.borrowed().sound, Some(&b"sound"[..]));
        assert_eq!(files.borrowed().microphones, None);
        match SoundFiles::read(&spec("microphones = \"grid.xml\""), folder.path()) {
            Err(Failure::Input(message)) => assert!(message.contains("grid.xml"), "{message}"),
            other => panic!("{other:?}"),
        }
    }
}
