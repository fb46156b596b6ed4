//! Links tests, which embed the interpreter, with the library that PyO3 found.

fn main() {
    if let Some(folder) = &pyo3_build_config::get().lib_dir() {
        println!("cargo:rustc-link-arg-tests=-Wl,-rpath,{folder}");
    }
}
