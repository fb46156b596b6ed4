//! Results of each frequency of a sweep.

use crate::Solution;

use wavefield_solver::outcome::{Data, Outcome};

/// Adds the table of results of each frequency.
pub(super) fn table(
    outcome: &mut Outcome,
    solution: &Solution,
    kinds: &[(&'static str, &'static str)],
    unit: &'static str,
) {
    let column = |value: &dyn Fn(&crate::AtFrequency) -> f64| {
        Data::Real(solution.frequencies.iter().map(value).collect())
    };
    let mut columns = vec![
        ("frequency", "Hz", column(&|f| f.frequency)),
        ("ka", "", column(&|f| f.ka)),
        ("partial_waves", "", column(&|f| f.partial_waves as f64)),
    ];
    for (index, (extinction, scattering)) in kinds.iter().enumerate() {
        columns.push((
            extinction,
            unit,
            column(&|f| f.cross_sections[index].extinction),
        ));
        columns.push((
            scattering,
            unit,
            column(&|f| f.cross_sections[index].scattering),
        ));
    }
    outcome.add_table(
        "frequencies",
        "Extinction, total scattering, and number of partial waves at each frequency",
        columns,
    );
}
