//! Who may ask: whoever has the token, from a page that this server gave.
//!
//! A page of another site cannot read answers (other origin), nor have its name point here (DNS
//! rebinding), as only names of the machine itself are taken; and without the token, which stands in
//! no address that is sent, it gets nothing anyway.

use std::hint::black_box;

/// The names by which a browser on this machine, or at the end of a tunnel, calls the server.
const NAMES: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// What a request says of itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asker<'a> {
    /// `Host`.
    pub host: Option<&'a str>,
    /// `Origin`, which browsers send with requests of other sites.
    pub origin: Option<&'a str>,
    /// `Authorization`.
    pub authorization: Option<&'a str>,
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It came under another name, or from a page of another site.
    Foreign,
    /// It has no token, or another one.
    Token,
}

impl Asker<'_> {
    /// Returns whether the request came by a name of this machine, and from no other site.
    pub fn is_local(&self) -> bool {
        let Some(host) = self.host.filter(|host| is_ours(host)) else {
            return false;
        };
        match self.origin {
            None => true,
            Some(origin) => origin.strip_prefix("http://") == Some(host),
        }
    }

    /// Holds a question against the token.
    ///
    /// # Errors
    /// When it may not be answered.
    pub fn may_ask(&self, token: &str) -> Result<(), Refused> {
        if !self.is_local() {
            return Err(Refused::Foreign);
        }
        let given = self.authorization.and_then(|it| it.strip_prefix("Bearer "));
        match given.is_some_and(|given| is_same(given.as_bytes(), token.as_bytes())) {
            true => Ok(()),
            false => Err(Refused::Token),
        }
    }
}

/// Returns whether a `Host` is a name of this machine, with any port or none: that at the near end
/// of a tunnel is another.
fn is_ours(host: &str) -> bool {
    let after = NAMES.iter().find_map(|name| host.strip_prefix(name));
    let Some(after) = after else { return false };
    match after.strip_prefix(':') {
        None => after.is_empty(),
        Some(port) => port
            .parse::<u16>()
            .is_ok_and(|_| port.bytes().all(|it| it.is_ascii_digit())),
    }
}

/// Compares in a time that does not depend on where texts differ.
fn is_same(a: &[u8], b: &[u8]) -> bool {
    let differ = |(a, b): (&u8, &u8)| black_box(a ^ b);
    let differences = a
        .iter()
        .zip(b)
        .map(differ)
        .fold(0, |all, it| black_box(all | it));
    a.len() == b.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_taken() {
        for host in ["127.0.0.1:80", "localhost", "localhost:65535", "[::1]:8"] {
            assert!(is_ours(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil:80",
            "localhost:",
            "localhost:+8",
            "127.0.0.1:99999",
        ] {
            assert!(!is_ours(host), "{host}");
        }
    }

    #[test]
    fn pages_of_other_sites_are_refused() {
        let asker = |origin| Asker {
            host: Some("localhost:8080"),
            origin,
            authorization: Some("Bearer 12"),
        };
        assert_eq!(asker(None).may_ask("12"), Ok(()));
        assert_eq!(asker(Some("http://localhost:8080")).may_ask("12"), Ok(()));
        for origin in [
            "null",
            "http://localhost:8081",
            "https://localhost:8080",
            "http://evil",
        ] {
            assert_eq!(asker(Some(origin)).may_ask("12"), Err(Refused::Foreign));
        }
    }

    #[test]
    fn tokens_are_the_same_or_not() {
        assert!(is_same(b"abc", b"abc"));
        assert!(!is_same(b"abc", b"abd"));
        assert!(!is_same(b"abc", b"ab"));
        assert!(!is_same(b"", b"ab"));
    }
}
