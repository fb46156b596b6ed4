//! Input files of a holography problem.

use wavefield_solver::{Error, Inputs};

use crate::{Files, Measurement, Spec};

/// Contents of the recording, microphone positions, and calibration files that a problem names.
#[derive(Clone, Debug, Default)]
pub struct SoundFiles {
    sound: Option<Vec<u8>>,
    microphones: Option<Vec<u8>>,
    calibration: Option<Vec<u8>>,
}

impl SoundFiles {
    /// Reads the files that a specification names.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub fn read(spec: &Spec, inputs: &dyn Inputs) -> Result<Self, Error> {
        let Measurement::Recorded(recorded) = &spec.measurement else {
            return Ok(Self::default());
        };
        let read = |name: &String| inputs.file(name);
        Ok(Self {
            sound: Some(read(&recorded.file)?),
            microphones: recorded.microphones.as_ref().map(read).transpose()?,
            calibration: recorded.calibration.as_ref().map(read).transpose()?,
        })
    }

    /// Borrows the contents for [`Plan::with_files`](crate::Plan::with_files).
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
    use wavefield_mesh::AnyMesh;
    use wavefield_mesh::gmsh::Task;
    use wavefield_numerics::observe::Observer;

    use super::*;

    /// Inputs with one recording and nothing else.
    struct Room;

    impl Inputs for Room {
        fn file(&self, path: &str) -> Result<Vec<u8>, Error> {
            match path {
                "room.wav" => Ok(b"sound".to_vec()),
                _ => Err(Error::input(format!("cannot read {path}"))),
            }
        }

        fn generate_mesh(&self, _: &Task, _: &dyn Observer) -> Result<AnyMesh, Error> {
            Err(Error::runtime("no mesh generator"))
        }
    }

    #[test]
    fn named_files_are_read_and_missing_ones_are_named() {
        let spec = |more: &str| -> Spec {
            toml::from_str(&format!(
                "frequency = [\"1 kHz\"]\nhologram_z = \"5 cm\"\nreconstruction_z = \"1 cm\"\n\
                 [measurement]\nkind = \"recorded\"\nfile = \"room.wav\"\n{more}"
            ))
            .unwrap()
        };
        let files = SoundFiles::read(&spec(""), &Room).unwrap();
        assert_eq!(files.borrowed().sound, Some(&b"sound"[..]));
        assert_eq!(files.borrowed().microphones, None);
        let missing = SoundFiles::read(&spec("microphones = \"grid.xml\""), &Room).unwrap_err();
        assert!(missing.to_string().contains("grid.xml"), "{missing}");
    }
}
