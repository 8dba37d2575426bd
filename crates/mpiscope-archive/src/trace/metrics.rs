//! Metrics and their values, from OTF2's records to the model's.

use std::collections::HashMap;

use mpiscope_model::{Metric, MetricId, MetricValue, Number};
use otf2::{Base, Definition, MetricMode, Type};

/// Unit of what is a mere number.
pub(crate) const NO_UNIT: &str = "#";

/// Which metrics the events of a class, or of an instance of one, have values of.
#[derive(Default)]
pub(super) struct Classes {
    classes: HashMap<u32, Vec<MetricId>>,
    /// Of which class each instance is.
    instances: HashMap<u32, u32>,
}

impl Classes {
    /// Returns what an event says; nothing if it has other values than its class.
    pub fn values(&self, class: u32, values: &[otf2::MetricValue]) -> Option<Vec<MetricValue>> {
        let class = self.instances.get(&class).unwrap_or(&class);
        let members = self.classes.get(class)?;
        (members.len() == values.len()).then(|| {
            let pairs = members.iter().zip(values);
            pairs
                .map(|(&metric, &value)| MetricValue {
                    metric,
                    value: number(value),
                })
                .collect()
        })
    }
}

fn number(value: otf2::MetricValue) -> Number {
    match value.kind {
        Type::DOUBLE => Number::Real(value.bits),
        Type::INT64 => Number::Int(value.bits as i64),
        _ => Number::Unsigned(value.bits),
    }
}

/// Returns all metrics, and the classes of which they are part.
pub(super) fn read(
    definitions: &[Definition],
    name: &impl Fn(&u32) -> String,
) -> (Vec<Metric>, Classes) {
    let (mut metrics, mut numbers) = (Vec::new(), HashMap::new());
    for definition in definitions {
        let Definition::MetricMember {
            id,
            name: text,
            unit,
            base,
            exponent,
            metric_mode,
            ..
        } = definition
        else {
            continue;
        };
        numbers.insert(*id, MetricId(metrics.len() as u32));
        metrics.push(Metric {
            name: name(text),
            unit: self::unit(name(unit), *base, *exponent),
            accumulated: *metric_mode == MetricMode::ACCUMULATED_START,
        });
    }
    let mut classes = Classes::default();
    for definition in definitions {
        match definition {
            Definition::MetricClass {
                id, metric_members, ..
            } => {
                let members = metric_members.iter().map(|id| numbers.get(id).copied());
                let members: Option<Vec<MetricId>> = members.collect();
                let members = members.map(|members| (*id, members));
                classes.classes.extend(members);
            }
            Definition::MetricInstance {
                id, metric_class, ..
            } => {
                classes.instances.insert(*id, *metric_class);
            }
            _ => {}
        }
    }
    (metrics, classes)
}

/// Returns a unit with the power that its numbers are multiples of: `10^-9 s`.
fn unit(unit: String, base: Base, exponent: i64) -> String {
    let unit = if unit == NO_UNIT { "" } else { &unit };
    let power = match (exponent, base == Base::BINARY) {
        (0, _) => String::new(),
        (exponent, true) => format!("2^{exponent}"),
        (exponent, false) => format!("10^{exponent}"),
    };
    [&power, unit].join(" ").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instance_has_the_values_of_its_class_wherever_that_is_defined() {
        let class = |id, metric_members| Definition::MetricClass {
            id,
            metric_members,
            metric_occurrence: otf2::MetricOccurrence::ASYNCHRONOUS,
            recorder_kind: otf2::RecorderKind::CPU,
        };
        let definitions = [
            Definition::MetricInstance {
                id: 5,
                metric_class: 4,
                recorder: 0,
                metric_scope: otf2::MetricScope::LOCATION,
                scope: 0,
            },
            class(4, vec![9]),
            class(6, vec![9, 10]),
            Definition::MetricMember {
                id: 9,
                name: 0,
                description: 0,
                metric_type: otf2::MetricType::OTHER,
                metric_mode: otf2::MetricMode::ABSOLUTE_POINT,
                value_type: Type::INT64,
                base: Base::DECIMAL,
                exponent: 0,
                unit: 0,
            },
        ];
        let (metrics, classes) = read(&definitions, &|_| "a".to_owned());
        assert_eq!(metrics.len(), 1);
        let value = otf2::MetricValue::from(-7i64);
        let expected = MetricValue {
            metric: MetricId(0),
            value: Number::Int(-7),
        };
        for id in [4, 5] {
            assert_eq!(classes.values(id, &[value]), Some(vec![expected]));
            assert_eq!(classes.values(id, &[value, value]), None);
        }
        // A member is defined nowhere.
        assert_eq!(classes.values(6, &[value, value]), None);
    }

    #[test]
    fn a_unit_says_what_its_numbers_are_multiples_of() {
        let check = |text: &str, base, exponent, expected: &str| {
            assert_eq!(unit(text.to_owned(), base, exponent), expected);
        };
        check("s", Base::DECIMAL, -9, "10^-9 s");
        check("B", Base::BINARY, 10, "2^10 B");
        check("K", Base::DECIMAL, 0, "K");
        check("#", Base::DECIMAL, 0, "");
        check("#", Base::DECIMAL, 3, "10^3");
    }
}
