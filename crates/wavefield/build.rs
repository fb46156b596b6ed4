//! Passes the commit of the build to the program, which is part of the identity of checkpoints.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Development builds do not depend on the commit, so that a commit compiles nothing anew.
    let release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = if release { commit() } else { None };
    let commit = commit.unwrap_or_else(|| "unknown".to_owned());
    println!("cargo:rustc-env=WAVEFIELD_COMMIT={commit}");
}

/// Returns the commit of the checkout, if this is one.
fn commit() -> Option<String> {
    // The log of HEAD changes with every commit and checkout.
    let log = Path::new("../../.git/logs/HEAD");
    if log.exists() {
        println!("cargo:rerun-if-changed={}", log.display());
    }
    let output = Command::new("git")
        .args(["rev-parse", "--short=12", "HEAD"])
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let commit = text.trim();
    (output.status.success() && !commit.is_empty()).then(|| commit.to_owned())
}
