//! `wavefield schema`.

use crate::failure::Failure;

pub(super) fn schema() -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(&crate::problem::schema())
        .map_err(|error| Failure::Runtime(error.to_string()))?;
    say!("{text}");
    Ok(())
}
