//! `wavefield schema`.

use wavefield::failure::Failure;

pub(super) fn schema() -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(&wavefield::problem::schema())
        .map_err(|error| Failure::Runtime(error.to_string()))?;
    say!("{text}");
    Ok(())
}
