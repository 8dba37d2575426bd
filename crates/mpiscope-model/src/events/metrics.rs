//! Values that a program told, or that counters had, at a time.

use super::Events;
use crate::definitions::MetricId;

/// The value of one metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetricValue {
    /// Which metric.
    pub metric: MetricId,
    /// What it was.
    pub value: Number,
}

/// A number of any of the three types that metrics have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// An integer that may be negative.
    Int(i64),
    /// An integer that may not.
    Unsigned(u64),
    /// The bits of a floating-point number, so that one that is no number equals itself.
    Real(u64),
}

impl Number {
    /// Returns a floating-point number.
    pub fn real(value: f64) -> Number {
        Number::Real(value.to_bits())
    }

    /// Returns it as a floating-point number; large integers lose their last digits.
    pub fn as_f64(self) -> f64 {
        match self {
            Number::Int(value) => value as f64,
            Number::Unsigned(value) => value as f64,
            Number::Real(bits) => f64::from_bits(bits),
        }
    }
}

impl std::fmt::Display for Number {
    /// Writes all digits that it takes to read the same number again; a floating-point one has a
    /// point, an exponent or letters.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Number::Int(value) => write!(f, "{value}"),
            Number::Unsigned(value) => write!(f, "{value}"),
            Number::Real(bits) => write!(f, "{:?}", f64::from_bits(*bits)),
        }
    }
}

/// The values of all events of a location, one event's behind the other's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Values {
    /// Events, and where their values begin.
    pub begins: Vec<(u32, u32)>,
    pub values: Vec<MetricValue>,
}

impl Values {
    /// Returns the values of a row.
    pub fn of(&self, row: usize) -> &[MetricValue] {
        let begin = self.begins[row].1 as usize;
        let next = self.begins.get(row + 1);
        let end = next.map_or(self.values.len(), |next| next.1 as usize);
        &self.values[begin..end]
    }

    pub fn push(&mut self, event: u32, values: &[MetricValue]) {
        self.begins.push((event, self.values.len() as u32));
        self.values.extend_from_slice(values);
    }

    pub fn clear(&mut self) {
        self.begins.clear();
        self.values.clear();
    }

    pub fn append(&mut self, next: &mut Values) {
        self.begins.append(&mut next.begins);
        self.values.append(&mut next.values);
    }
}

impl Events {
    /// Walks through the events at which metrics had values, with their numbers.
    pub fn metrics(&self) -> impl Iterator<Item = (u32, &[MetricValue])> {
        let begins = self.metrics.begins.iter().enumerate();
        begins.map(|(row, &(event, _))| (event, self.metrics.of(row)))
    }

    /// Makes all values zero, for who must not see what a program computed.
    pub fn forget_values(&mut self) {
        for value in &mut self.metrics.values {
            value.value = match value.value {
                Number::Int(_) => Number::Int(0),
                Number::Unsigned(_) => Number::Unsigned(0),
                Number::Real(_) => Number::real(0.0),
            };
        }
    }
}
