//! What gdb says on its machine interface, line by line (gdb manual, "GDB/MI Output Syntax").
//!
//! ```text
//! 12^done,value="5"                          answer to command 12
//! *stopped,reason="breakpoint-hit",bkptno="1"  what the program does
//! ~"Reading symbols…\n"                      words for a person
//! ```
//! Pure: a line in, a [`Record`] out. What is no record is nothing of gdb's,
//! and is passed over.

/// One line of gdb's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// The answer to a command.
    Result {
        /// The number that the command bore.
        token: Option<u32>,
        /// `done`, `running`, `error`, `exit` or `connected`.
        class: String,
        /// What was asked for.
        fields: Fields,
    },
    /// The program began to run, or stopped.
    Exec {
        /// `running` or `stopped`.
        class: String,
        /// Where and why.
        fields: Fields,
    },
    /// Words for a person.
    Console(String),
    /// Prompts, notices and logs, in which nobody here is interested.
    Other,
}

/// What stands in a record: names and values, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fields(Vec<(String, Value)>);

/// A value in a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// `"5"`
    Text(String),
    /// `{name="x",value="5"}`
    Tuple(Fields),
    /// `[…]`; names before its members are dropped, as they are all the same.
    List(Vec<Value>),
}

impl Fields {
    /// Returns a field.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let found = self.0.iter().find(|field| field.0 == name);
        found.map(|field| &field.1)
    }

    /// Returns a field that is a text.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns a field that is a tuple.
    pub fn tuple(&self, name: &str) -> Option<&Fields> {
        match self.get(name)? {
            Value::Tuple(fields) => Some(fields),
            _ => None,
        }
    }

    /// Returns the tuples of a field that is a list.
    pub fn tuples(&self, name: &str) -> Vec<&Fields> {
        let Some(Value::List(values)) = self.get(name) else {
            return Vec::new();
        };
        let mut tuples = Vec::new();
        for value in values {
            if let Value::Tuple(fields) = value {
                tuples.push(fields);
            }
        }
        tuples
    }
}

/// Reads a line; nothing if it is not of gdb's making.
pub fn parse(line: &str) -> Option<Record> {
    let line = line.trim_end_matches(['\r', '\n']);
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let (token, rest) = line.split_at(digits);
    let mark = rest.chars().next()?;
    let mut reader = Reader(&rest.as_bytes()[mark.len_utf8()..]);
    match mark {
        '^' | '*' => {
            let class = reader.name()?;
            let fields = reader.rest()?;
            Some(match mark {
                '^' => Record::Result {
                    token: token.parse().ok(),
                    class,
                    fields,
                },
                _ => Record::Exec { class, fields },
            })
        }
        '~' => reader.string().map(Record::Console),
        '=' | '+' | '&' | '@' => Some(Record::Other),
        _ if rest.trim_end() == "(gdb)" => Some(Record::Other),
        _ => None,
    }
}

/// Puts a text between quotes, as arguments of MI commands are.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            _ => quoted.push(character),
        }
    }
    quoted + "\""
}

/// What is left of a line.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.0.first() == Some(&byte);
        if found {
            self.0 = &self.0[1..];
        }
        found
    }

    /// Reads `breakpoint-hit`, `bkpt`.
    fn name(&mut self) -> Option<String> {
        let in_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let length = self.0.iter().take_while(|byte| in_name(byte)).count();
        let (name, rest) = self.0.split_at(length);
        self.0 = rest;
        (length > 0).then(|| String::from_utf8_lossy(name).into_owned())
    }

    /// Reads `,name=value` to the line's end.
    fn rest(&mut self) -> Option<Fields> {
        let mut fields = Fields::default();
        while self.take(b',') {
            fields.0.push(self.field()?);
        }
        self.0.is_empty().then_some(fields)
    }

    fn field(&mut self) -> Option<(String, Value)> {
        let name = self.name()?;
        self.take(b'=').then_some(())?;
        Some((name, self.value(DEEPEST)?))
    }

    fn value(&mut self, depth: u32) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        match self.0.first()? {
            b'"' => self.string().map(Value::Text),
            b'{' => self.tuple(depth),
            b'[' => self.list(depth),
            _ => None,
        }
    }

    fn tuple(&mut self, depth: u32) -> Option<Value> {
        let mut fields = Fields::default();
        self.next();
        while !self.take(b'}') {
            let name = self.name()?;
            self.take(b'=').then_some(())?;
            fields.0.push((name, self.value(depth)?));
            self.take(b',');
        }
        Some(Value::Tuple(fields))
    }

    fn list(&mut self, depth: u32) -> Option<Value> {
        let mut values = Vec::new();
        self.next();
        while !self.take(b']') {
            if self.name().is_some() {
                self.take(b'=').then_some(())?;
            }
            values.push(self.value(depth)?);
            self.take(b',');
        }
        Some(Value::List(values))
    }

    /// Reads a C string.
    fn string(&mut self) -> Option<String> {
        let mut bytes = Vec::new();
        self.take(b'"').then_some(())?;
        loop {
            match self.next()? {
                b'"' => return Some(String::from_utf8_lossy(&bytes).into_owned()),
                b'\\' => bytes.push(self.escaped()?),
                byte => bytes.push(byte),
            }
        }
    }

    fn escaped(&mut self) -> Option<u8> {
        let octal = self
            .0
            .iter()
            .take(3)
            .take_while(|b| (b'0'..=b'7').contains(b));
        match octal.count() {
            0 => Some(match self.next()? {
                b'n' => b'\n',
                b't' => b'\t',
                b'r' => b'\r',
                b'e' => 0x1b,
                other => other,
            }),
            length => {
                let (digits, rest) = self.0.split_at(length);
                self.0 = rest;
                let add = |value: u32, digit: &u8| value * 8 + u32::from(digit - b'0');
                Some(digits.iter().fold(0, add) as u8)
            }
        }
    }
}

/// How deep values may nest: much deeper than gdb's, less than a stack.
const DEEPEST: u32 = 64;

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{expect, Expect};

    fn check(line: &str, expected: Expect) {
        let fields = |fields: &Fields| {
            let shown = fields
                .0
                .iter()
                .map(|(name, value)| format!(" {name}={}", show(value)));
            shown.collect::<String>()
        };
        expected.assert_eq(&match parse(line) {
            Some(Record::Result {
                token,
                class,
                fields: f,
            }) => {
                format!(
                    "{} ^{class}{}",
                    token.map_or("-".into(), |t| t.to_string()),
                    fields(&f)
                )
            }
            Some(Record::Exec { class, fields: f }) => format!("*{class}{}", fields(&f)),
            Some(Record::Console(text)) => format!("~{text:?}"),
            Some(Record::Other) => "other".into(),
            None => "nothing".into(),
        });
    }

    fn show(value: &Value) -> String {
        match value {
            Value::Text(text) => text.clone(),
            Value::Tuple(fields) => {
                let shown: Vec<_> = fields
                    .0
                    .iter()
                    .map(|(name, value)| format!("{name}:{}", show(value)))
                    .collect();
                format!("{{{}}}", shown.join(" "))
            }
            Value::List(values) => format!("{:?}", values.iter().map(show).collect::<Vec<_>>()),
        }
    }

    #[test]
    fn answers_bear_the_number_of_their_command() {
        check(
            r#"12^done,value="{1, 2}""#,
            expect!["12 ^done value={1, 2}"],
        );
        check("7^running", expect!["7 ^running"]);
        check(
            r#"3^error,msg="No symbol \"y\" in current context.""#,
            expect![[r#"3 ^error msg=No symbol "y" in current context."#]],
        );
    }

    #[test]
    fn a_stop_tells_where() {
        check(
            r#"*stopped,reason="breakpoint-hit",disp="keep",bkptno="1",frame={addr="0x11fa",func="main",args=[{name="c",value="1"}],line="6"},thread-id="1""#,
            expect![[
                r#"*stopped reason=breakpoint-hit disp=keep bkptno=1 frame={addr:0x11fa func:main args:["{name:c value:1}"] line:6} thread-id=1"#
            ]],
        );
    }

    #[test]
    fn names_before_members_of_a_list_are_dropped() {
        check(
            r#"1^done,stack=[frame={level="0",func="a"},frame={level="1",func="b"}],none=[]"#,
            expect![[r#"1 ^done stack=["{level:0 func:a}", "{level:1 func:b}"] none=[]"#]],
        );
    }

    #[test]
    fn strings_are_those_of_c() {
        check(r#"~"a\tb\n""#, expect![[r#"~"a\tb\n""#]]);
        check(
            r#"~"\342\202\254 \\ \033[0m""#,
            expect![[r#"~"€ \\ \u{1b}[0m""#]],
        );
    }

    #[test]
    fn what_gdb_did_not_say_is_nothing() {
        for line in [
            "",
            "hello 0 7",
            "^",
            "1^done,",
            r#"^done,a="b"#,
            "*stopped,x={",
            "~open",
        ] {
            check(line, expect!["nothing"]);
        }
        let deep = format!("^done,a={}", "[".repeat(100_000));
        check(&deep, expect!["nothing"]);
        check("(gdb) ", expect!["other"]);
        check(r#"=library-loaded,id="x""#, expect!["other"]);
    }

    #[test]
    fn quoted_texts_are_read_back() {
        let text = "x == \"a\\b\"\n";
        let line = format!("~{}", quoted(text));
        assert_eq!(parse(&line), Some(Record::Console(text.to_owned())));
    }
}
