//! Commands that run in a folder, on runs that lie there.

use std::path::Path;
use std::process::Command;

use super::trial::Json;
use super::{mpiscope, process, Done};

/// Runs `mpiscope WORDS` in a folder.
pub fn in_folder(folder: &Path, words: &str) -> Done {
    let words = words.split(' ');
    process::run(Command::new(mpiscope()).current_dir(folder).args(words))
}

/// Runs it, expects that it ends well, and returns the JSON that it prints.
#[track_caller]
pub fn json_of(folder: &Path, words: &str) -> Json {
    let done = in_folder(folder, words);
    done.check(0, &[]);
    Json(serde_json::from_str(&done.out).unwrap())
}

/// Returns what `scale` says of each size.
pub fn of_sizes(json: &Json, key: &str) -> Vec<f64> {
    let sizes = json.get("sizes").as_array().unwrap();
    sizes.iter().map(|it| it[key].as_f64().unwrap()).collect()
}
