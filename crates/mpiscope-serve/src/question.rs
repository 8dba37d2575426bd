//! The address of a question, taken apart. Nothing of it ever names a file.

use std::borrow::Cow;

/// An address below `/api/`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// Its parts, without `/api/`.
    pub path: Vec<String>,
    /// What stands behind the question mark, in order.
    pub parameters: Vec<(String, String)>,
}

impl Question {
    /// Takes the address of a request apart; nothing if it is none of a question.
    pub fn new(path: &str, query: Option<&str>) -> Option<Question> {
        let path = path.strip_prefix("/api/")?;
        let parameter = |pair: &str| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let plain = |text: &str| decoded(&text.replace('+', " ")).into_owned();
            (plain(name), plain(value))
        };
        let pairs = query.unwrap_or_default().split('&');
        Some(Question {
            path: path
                .split('/')
                .map(|part| decoded(part).into_owned())
                .collect(),
            parameters: pairs.filter(|it| !it.is_empty()).map(parameter).collect(),
        })
    }

    /// Returns a parameter, if it is there and not empty.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        let mut named = self.parameters.iter().filter(|(it, _)| it == name);
        let (_, value) = named.next()?;
        (!value.is_empty()).then_some(value)
    }

    /// Returns a parameter that is a number.
    ///
    /// # Errors
    /// When it is there and is no number of that type; the sentence says so.
    pub fn number<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, String> {
        let wrong = |text: &str| format!("{name}={text}: a number is expected");
        let value = self.parameter(name);
        value
            .map(|text| text.parse().map_err(|_| wrong(text)))
            .transpose()
    }

    /// Returns a parameter that is a moment, in nanoseconds; fractions and what lies before the
    /// begin are put right.
    ///
    /// # Errors
    /// When it is no number.
    pub fn moment(&self, name: &str) -> Result<Option<u64>, String> {
        let time = self.number::<f64>(name)?;
        match time {
            Some(time) if time.is_nan() => Err(format!("{name}: a moment is expected")),
            // Conversion saturates.
            time => Ok(time.map(|time| time as u64)),
        }
    }
}

/// Puts characters in the place of `%20` and the like.
fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let byte = digits.and_then(|two| u8::from_str_radix(two, 16).ok());
        match byte.filter(|_| first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_apart() {
        let asked =
            Question::new("/api/run/0/a%2Fb/x", Some("text=MPI%20Send+x&from=3.5&=&%")).unwrap();
        assert_eq!(asked.path, ["run", "0", "a/b", "x"]);
        assert_eq!(asked.parameter("text"), Some("MPI Send x"));
        assert_eq!(asked.moment("from"), Ok(Some(3)));
        assert_eq!(asked.parameter("to"), None);
        assert!(asked.number::<u32>("text").is_err());
        assert_eq!(Question::new("/index.html", None), None);
    }

    #[test]
    fn moments_beyond_all_bounds_are_the_bounds() {
        let moment = |text: &str| Question::new("/api/", Some(text)).unwrap().moment("t");
        assert_eq!(moment("t=-5"), Ok(Some(0)));
        assert_eq!(moment("t=1e300"), Ok(Some(u64::MAX)));
        assert!(moment("t=NaN").is_err());
    }
}
