//! `wavefield validate` and `wavefield bench`: cases chosen, listed or measured.

use crate::failure::Failure;
use crate::measure::{Case, matching, print_all};

pub(super) fn measure(
    cases: &[Case],
    pattern: Option<&str>,
    json: bool,
    list: bool,
) -> Result<(), Failure> {
    let chosen = matching(cases, pattern)?;
    if list {
        for case in chosen {
            println!("{:<28}{}", case.name, case.about);
        }
        return Ok(());
    }
    print_all(&chosen, json)
}
