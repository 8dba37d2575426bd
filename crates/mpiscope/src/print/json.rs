//! An event as a JSON object in a line of its own.

use std::io::{Result, Write};

use serde::Serialize;
use serde_json::{json, Value as Json};

use super::{Format, Shown};
use crate::input::Input;
use crate::packed;
use mpiscope_analysis::described::{comm_name, metrics, region_name};
use mpiscope_archive::model::{Metric, Number};

/// One object a line.
#[derive(Debug)]
pub struct Lines;

/// An event as it is written: what it does not say is left out.
#[derive(Debug, Serialize)]
struct Line<'a> {
    time_ns: i64,
    rank: u32,
    thread: u32,
    location: u64,
    number: u32,
    event: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    call_site: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peer: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    communicator: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    communicator_id: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    window_id: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operation: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_sent: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_received: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    periods: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    metrics: Vec<Value<'a>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    any_source: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    any_tag: bool,
}

/// The value of a metric.
#[derive(Debug, Serialize)]
struct Value<'a> {
    metric: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    unit: &'a str,
    /// Null if it is no number, or without bounds.
    value: Json,
}

impl<'a> From<(&'a Metric, Number)> for Value<'a> {
    fn from((metric, value): (&'a Metric, Number)) -> Value<'a> {
        Value {
            metric: &metric.name,
            unit: &metric.unit,
            value: match value {
                Number::Int(value) => value.into(),
                Number::Unsigned(value) => value.into(),
                Number::Real(bits) => f64::from_bits(bits).into(),
            },
        }
    }
}

impl Format for Lines {
    fn head(&self, input: &Input, out: &mut impl Write) -> Result<()> {
        let head = json!({
            "path": packed::given(&input.path),
            "archive": packed::given(&input.anchor),
            "clock": input.clock,
            "ranks": input.ranks(),
            "locations": input.trace.locations.len(),
            "events": input.trace.event_count(),
        });
        writeln!(out, "{head}")
    }

    fn event(&self, input: &Input, shown: &Shown, out: &mut impl Write) -> Result<()> {
        let trace = &input.trace;
        let location = &trace.locations[shown.event.location.index()];
        let index = shown.event.index as usize;
        let it = shown.describer.describe(index);
        let sites = &trace.definitions.call_sites;
        let site = it.site.and_then(|site| sites.get(site.index()));
        let line = Line {
            time_ns: it.time_ns,
            rank: location.rank.0,
            thread: location.thread,
            location: location.id,
            number: shown.event.index,
            event: it.kind,
            region: it.region.and_then(|region| region_name(trace, region)),
            call_site: site.map(ToString::to_string),
            peer: it.peer,
            communicator: it.comm.and_then(|comm| comm_name(trace, comm)),
            communicator_id: it.comm.map(|comm| comm.0),
            window_id: it.window.map(|window| window.0),
            tag: it.tag,
            bytes: it.bytes,
            operation: it.operation,
            root: it.root,
            bytes_sent: it.sent,
            bytes_received: it.received,
            request: it.request,
            periods: it.periods,
            metrics: metrics(trace, it.values).map(Value::from).collect(),
            any_source: it.any_source,
            any_tag: it.any_tag,
        };
        serde_json::to_writer(&mut *out, &line)?;
        writeln!(out)
    }
}
