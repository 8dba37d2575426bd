//! `mpiscope info`: what a run or an archive holds, and how far its clocks can be trusted.

mod facts;
mod recorded;
mod regions;
mod text;

use anyhow::Result;
use mpiscope_run::order as records;

use crate::cli::Info;
use crate::exit::DAMAGED;
use crate::input::{self, Input};
use crate::{say, stats};

/// Runs the command; returns its exit code.
pub fn run(arguments: &Info) -> Result<u8> {
    let mut input = match Input::open(&arguments.input) {
        Ok(input) => input,
        Err(_) if stats::only(&arguments.input) => {
            return stats::describe(&arguments.input, arguments.json);
        }
        Err(_) if records::exists(&arguments.input) => {
            return recorded::describe(&arguments.input, arguments.json);
        }
        Err(error) => {
            if arguments.json {
                input::report_damaged("path", &arguments.input, &error)?;
            }
            return Err(error);
        }
    };
    let facts = facts::facts(&mut input, arguments.clocks);
    match arguments.json {
        true => say::report(serde_json::to_string_pretty(&facts)?)?,
        false => say::report(text::text(&facts))?,
    }
    for damage in &facts.damage {
        say::aside(format!("error: {damage}"));
    }
    Ok(if facts.damage.is_empty() { 0 } else { DAMAGED })
}
