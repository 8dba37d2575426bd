//! Metrics, from the model's definitions and events to OTF2's.

use std::collections::BTreeMap;

use mpiscope_model::{MetricValue, Number, Trace};
use otf2::{Base, Definition, MetricMode, MetricOccurrence, MetricType, RecorderKind, Type};

use crate::trace::NO_UNIT;
use mpiscope_run::list::List;

/// The metrics that have values together, by their numbers, and the number of each such class.
pub(super) struct Classes(BTreeMap<Vec<u32>, u32>);

impl Classes {
    pub fn of(trace: &Trace) -> Classes {
        let locations = trace.locations.iter();
        let events = locations.flat_map(|location| location.events.metrics());
        let mut classes: BTreeMap<Vec<u32>, u32> =
            events.map(|(_, values)| (members(values), 0)).collect();
        let numbers = classes.values_mut().zip(0..);
        numbers.for_each(|(number, next)| *number = next);
        Classes(classes)
    }

    pub fn number(&self, values: &[MetricValue]) -> u32 {
        self.0.get(&members(values)).copied().unwrap_or_default()
    }
}

fn members(values: &[MetricValue]) -> Vec<u32> {
    values.iter().map(|value| value.metric.0).collect()
}

/// Defines all metrics and their classes.
pub(super) fn define(list: &mut List, trace: &Trace, classes: &Classes) {
    let types = types(trace);
    for (id, metric) in (0..).zip(&trace.definitions.metrics) {
        let unit = match metric.unit.is_empty() {
            true => NO_UNIT,
            false => &metric.unit,
        };
        let (name, description) = (list.string(&metric.name), list.string(""));
        let unit = list.string(unit);
        list.definitions.push(Definition::MetricMember {
            id,
            name,
            description,
            metric_type: MetricType::OTHER,
            metric_mode: match metric.accumulated {
                true => MetricMode::ACCUMULATED_START,
                false => MetricMode::ABSOLUTE_POINT,
            },
            value_type: types.get(&id).copied().unwrap_or(Type::DOUBLE),
            base: Base::DECIMAL,
            exponent: 0,
            unit,
        });
    }
    for (members, &id) in &classes.0 {
        list.definitions.push(Definition::MetricClass {
            id,
            metric_members: members.clone(),
            metric_occurrence: MetricOccurrence::ASYNCHRONOUS,
            recorder_kind: RecorderKind::UNKNOWN,
        });
    }
}

/// Returns the type of each metric's first value.
fn types(trace: &Trace) -> BTreeMap<u32, Type> {
    let mut types = BTreeMap::new();
    let locations = trace.locations.iter();
    for (_, values) in locations.flat_map(|location| location.events.metrics()) {
        for it in values {
            types.entry(it.metric.0).or_insert(value(it).kind);
        }
    }
    types
}

/// Returns a value as OTF2 has it.
pub(super) fn value(it: &MetricValue) -> otf2::MetricValue {
    match it.value {
        Number::Int(value) => value.into(),
        Number::Unsigned(value) => value.into(),
        Number::Real(bits) => f64::from_bits(bits).into(),
    }
}
