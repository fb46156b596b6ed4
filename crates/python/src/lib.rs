//! Python bindings of the facade. The public interface is `python/wavefield`, which calls these functions.

#![deny(unsafe_code)]

mod devices;
mod errors;
mod exact;
mod holography;
mod nufft;
mod outcome;
mod problem;
mod run;
mod schema;
mod values;
mod xla;

use pyo3::prelude::*;

/// Native module of the `wavefield` package.
#[pymodule]
pub fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add(
        "ProblemError",
        module.py().get_type::<errors::ProblemError>(),
    )?;
    module.add("DeviceError", module.py().get_type::<errors::DeviceError>())?;
    module.add(
        "ConvergenceError",
        module.py().get_type::<errors::ConvergenceError>(),
    )?;
    module.add_function(wrap_pyfunction!(outcome::read_record, module)?)?;
    module.add_function(wrap_pyfunction!(outcome::report, module)?)?;
    module.add_function(wrap_pyfunction!(outcome::figure_svg, module)?)?;
    module.add_function(wrap_pyfunction!(outcome::save, module)?)?;
    module.add_function(wrap_pyfunction!(run::compare_results, module)?)?;
    module.add_function(wrap_pyfunction!(run::run_cli, module)?)?;
    module.add_function(wrap_pyfunction!(run::examples, module)?)?;
    module.add_function(wrap_pyfunction!(exact::sphere, module)?)?;
    module.add_function(wrap_pyfunction!(exact::cylinder, module)?)?;
    module.add_function(wrap_pyfunction!(exact::half_plane, module)?)?;
    module.add_function(wrap_pyfunction!(exact::piston, module)?)?;
    module.add_function(wrap_pyfunction!(exact::plate, module)?)?;
    module.add_function(wrap_pyfunction!(
        holography::holography_reconstruct,
        module
    )?)?;
    module.add_function(wrap_pyfunction!(
        holography::holography_simulate_pdm,
        module
    )?)?;
    module.add_class::<holography::StreamingHolography>()?;
    module.add_class::<nufft::NufftPlan>()?;
    module.add_class::<nufft::NufftType3>()?;
    module.add_function(wrap_pyfunction!(xla_handlers, module)?)?;
    module.add_class::<errors::Finding>()?;
    module.add_class::<problem::NativeProblem>()?;
    Ok(())
}

/// Returns the addresses of the handlers of XLA's foreign function calls by name.
#[pyfunction]
fn xla_handlers() -> std::collections::HashMap<&'static str, usize> {
    let address = |(name, handler)| (name, handler as usize);
    xla::HANDLERS.map(address).into()
}
