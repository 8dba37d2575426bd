//! The program that searches: libFuzzer around one target, which `MPISCOPE_FUZZ_TARGET` names.
//! One program for all targets is built once, and its counters cover the same code.
#![no_main]

use std::sync::OnceLock;

use mpiscope_fuzz::{target, Target};

static CHOSEN: OnceLock<&'static Target> = OnceLock::new();

fn chosen() -> &'static Target {
    CHOSEN.get_or_init(|| {
        let name = std::env::var("MPISCOPE_FUZZ_TARGET").unwrap_or_default();
        target(&name).unwrap_or_else(|| panic!("MPISCOPE_FUZZ_TARGET={name} is no target"))
    })
}

libfuzzer_sys::fuzz_target!(init: { chosen(); }, |input: &[u8]| chosen().run(input));
