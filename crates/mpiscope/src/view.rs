//! `mpiscope view`: a run in the browser.
//!
//! ```text
//! archives -> load: one Shown per run -> mpiscope_serve::Server at a port or socket
//!                                     -> place: the address, and how to reach it
//!                                     -> report: the page with answers in one file
//! statistics -> live: what `mpiscope top` sees of a job, for the same server
//!                                     -> picture: time lines as SVG and PNG
//! kept: what is beside the archive from an earlier time; events stay there, read by block
//! ```

mod anonymous;
mod kept;
mod live;
mod load;
mod picture;
mod place;
pub mod report;

use std::io::Read;
use std::path::PathBuf;

use anyhow::{ensure, Context, Result};
use mpiscope_archive::memory;
use mpiscope_serve::{Again, Live, Server, Site};

use crate::cli::View;
use crate::{input, say, signals};
use anonymous::Names;
pub use load::corrected as corrected_times;
use place::Listening;

/// Runs the command; returns its exit code.
pub fn run(arguments: &View) -> Result<u8> {
    input::limit_memory_for_all(&arguments.inputs, arguments.memory)?;
    if arguments.build {
        return build(&arguments.inputs);
    }
    // What may be refused is, before anything that takes long.
    let live = live::asked(&arguments.inputs)?;
    let inputs = match live {
        Some(_) => &[],
        None => arguments.inputs.as_slice(),
    };
    inputs.iter().try_for_each(|it| load::refuse(it))?;
    let listening = Listening::at(arguments)?;
    let site = Site {
        live: live.map(|it| Box::new(it) as Box<dyn Live>),
        ..site_of(inputs, Names::Kept, arguments.no_cache)?
    };
    // What reading runs took is much, and what answers take is little.
    memory::give_back_unused();
    let token = token()?;
    // From here on signals end the server, and that is no failure.
    let wish = signals::Wish::heard()?;
    let text = listening.text(&token);
    let address = listening.address(&token);
    let (place, _removed_at_the_end) = listening.into_place();
    let again = again(inputs.to_owned(), arguments.no_cache);
    let server = Server::start(site, token, place, again).context("cannot answer requests")?;
    say::report(text)?;
    if arguments.open {
        place::open(&address);
    }
    wish.wait();
    drop(server);
    Ok(0)
}

/// Keeps beside runs what the page needs; returns the exit code.
fn build(inputs: &[PathBuf]) -> Result<u8> {
    ensure!(
        live::asked(inputs)?.is_none(),
        "of a job under `mpiscope monitor` nothing is kept for the page: it shows what the job does now"
    );
    inputs.iter().try_for_each(|it| load::refuse(it))?;
    let mut code = 0;
    for input in inputs {
        let (said, damage) = load::keep(input)?;
        say::report(said)?;
        code = code.max(say::damaged(&damage));
    }
    Ok(code)
}

/// Reads runs, all that a page shows.
fn site_of(inputs: &[PathBuf], names: Names, no_cache: bool) -> Result<Site> {
    let runs = inputs
        .iter()
        .map(|it| load::load(it, names, no_cache))
        .collect::<Result<_>>()?;
    Ok(Site {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        runs,
        live: None,
        edition: 0,
    })
}

/// Returns what reads the runs once more when one of them was changed, as `mpiscope sync` does.
fn again(inputs: Vec<PathBuf>, no_cache: bool) -> Box<Again> {
    Box::new(move || {
        let read = || {
            inputs.iter().try_for_each(|it| load::refuse(it))?;
            site_of(&inputs, Names::Kept, no_cache)
        };
        let site = read().map_err(|error| format!("{error:#}"));
        memory::give_back_unused();
        site
    })
}

/// Draws 128 bits that nobody can guess.
fn token() -> Result<String> {
    let mut bytes = [0; 16];
    let mut random = std::fs::File::open("/dev/urandom").context("cannot draw a token")?;
    random
        .read_exact(&mut bytes)
        .context("cannot draw a token")?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
