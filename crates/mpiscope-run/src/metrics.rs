//! Values that the program tells of itself, and counters, as OTF2's metrics: a class of one member
//! each, with a value whenever one is told or read.

use std::collections::BTreeSet;

use otf2::{Base, Definition, MetricMode, MetricOccurrence, MetricType, RecorderKind, Type};

use crate::counters;
use crate::list::List;
use crate::process::Process;

/// What the processes of a run tell values of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlannedMetric {
    /// The name that the program gave.
    pub name: String,
    /// Whether values are doubles; else they are signed integers.
    pub real: bool,
    /// Whether it is a counter, which begins with its thread and only grows.
    pub counter: bool,
}

/// Returns what all tell values of, by name, and for each process the numbers of its own.
pub fn unify(processes: &[&Process]) -> (Vec<PlannedMetric>, Vec<Vec<(u32, u32)>>) {
    let planned = |metric: &crate::process::Metric| PlannedMetric {
        name: metric.name.clone(),
        real: metric.real,
        counter: metric.counter,
    };
    let all = processes.iter().flat_map(|process| &process.metrics);
    let all: BTreeSet<PlannedMetric> = all.map(planned).collect();
    let all: Vec<PlannedMetric> = all.into_iter().collect();
    let numbers = |process: &&Process| {
        let number = |metric: &crate::process::Metric| {
            let at = all.binary_search(&planned(metric)).ok()?;
            Some((metric.id, at as u32))
        };
        process.metrics.iter().filter_map(number).collect()
    };
    let numbers = processes.iter().map(numbers).collect();
    (all, numbers)
}

/// Defines them; members and classes have the same numbers.
pub fn define(list: &mut List, metrics: &[PlannedMetric]) {
    for (id, metric) in (0..).zip(metrics) {
        let name = list.string(&metric.name);
        let unit = match metric.counter {
            true => counters::unit(&metric.name),
            false => "#",
        };
        let (description, unit) = (list.string(""), list.string(unit));
        list.definitions.push(Definition::MetricMember {
            id,
            name,
            description,
            metric_type: match metric.counter {
                true => MetricType::OTHER,
                false => MetricType::USER,
            },
            metric_mode: match metric.counter {
                true => MetricMode::ACCUMULATED_START,
                false => MetricMode::ABSOLUTE_POINT,
            },
            value_type: match metric.real {
                true => Type::DOUBLE,
                false => Type::INT64,
            },
            base: Base::DECIMAL,
            exponent: 0,
            unit,
        });
    }
    for (id, metric) in (0..).zip(metrics) {
        list.definitions.push(Definition::MetricClass {
            id,
            metric_members: vec![id],
            metric_occurrence: match metric.counter {
                true => MetricOccurrence::SYNCHRONOUS,
                false => MetricOccurrence::ASYNCHRONOUS,
            },
            recorder_kind: RecorderKind::CPU,
        });
    }
}
