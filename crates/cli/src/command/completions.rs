//! `wavefield completions`.

pub(super) fn completions(shell: clap_complete::Shell) {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut super::definition(), "wavefield", &mut script);
    say!("{}", String::from_utf8_lossy(&script).trim_end());
}
