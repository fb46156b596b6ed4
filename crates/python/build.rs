//! Tests embed the interpreter: they find its library where PyO3 found it.

fn main() {
    if let Some(folder) = &pyo3_build_config::get().lib_dir() {
        println!("cargo:rustc-link-arg-tests=-Wl,-rpath,{folder}");
    }
}
