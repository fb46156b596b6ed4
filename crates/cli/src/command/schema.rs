//! `wavefield schema`.

use wavefield::Error;

pub(super) fn schema() -> Result<(), Error> {
    let text = serde_json::to_string_pretty(&wavefield::problem::schema())
        .map_err(|error| Error::runtime(error.to_string()))?;
    say!("{text}");
    Ok(())
}
