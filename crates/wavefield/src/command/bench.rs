//! `wavefield bench`.

use crate::failure::Failure;
use crate::measure::{matching, print_all};

pub(super) fn bench(pattern: Option<&str>, json: bool, list: bool) -> Result<(), Failure> {
    let cases = crate::bench::cases();
    let chosen = matching(&cases, pattern)?;
    if list {
        for case in chosen {
            println!("{:<28}{}", case.name, case.about);
        }
        return Ok(());
    }
    print_all(&chosen, json)
}
