//! Figures and tables as people read them, and what several commands tell alike.

pub mod figures;
pub mod latency;
pub mod places;
pub mod plot;
pub mod show;
pub mod statistics;
pub mod truth;
