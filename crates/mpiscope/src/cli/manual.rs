//! Arguments of `mpiscope completions` and `mpiscope man`.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

/// Arguments of `mpiscope completions`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mpiscope completions bash > ~/.local/share/bash-completion/completions/mpiscope\n  mpiscope completions zsh > ~/.zfunc/_mpiscope      (a folder in zsh's fpath)\n  mpiscope completions fish > ~/.config/fish/completions/mpiscope.fish\n\nExit codes: 0 printed, 2 wrong usage or not printed."
)]
pub struct Completions {
    /// Whose
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

/// Arguments of `mpiscope man`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mpiscope man -o ~/.local/share/man/man1\n\nExit codes: 0 written, 2 cannot be written."
)]
pub struct Man {
    /// Folder to write them into; it is made if it is not there
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
}
