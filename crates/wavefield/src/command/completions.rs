//! `wavefield completions`.

pub(super) fn completions(shell: clap_complete::Shell) {
    clap_complete::generate(
        shell,
        &mut super::definition(),
        "wavefield",
        &mut std::io::stdout(),
    );
}
