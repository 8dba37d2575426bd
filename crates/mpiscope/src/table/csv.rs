//! Comma-separated values (RFC 4180): a header, then a line per row; null is an empty field, and
//! text is quoted where it must be.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Result;

use super::{Cell, Heading, Sink};

/// A file of comma-separated values.
#[derive(Debug)]
pub struct Csv<W: Write>(W);

/// Makes a file with its header.
pub fn create(file: &Path, headings: &[Heading]) -> Result<Box<dyn Sink>> {
    Ok(Box::new(Csv::new(
        BufWriter::new(File::create(file)?),
        headings,
    )?))
}

impl<W: Write> Csv<W> {
    fn new(mut out: W, headings: &[Heading]) -> Result<Csv<W>> {
        let names: Vec<&str> = headings.iter().map(|heading| heading.name).collect();
        write!(out, "{}\r\n", names.join(","))?;
        Ok(Csv(out))
    }
}

impl<W: Write> Sink for Csv<W> {
    fn cell(&mut self, column: usize, cell: Cell) -> Result<()> {
        let out = &mut self.0;
        if column > 0 {
            out.write_all(b",")?;
        }
        match cell {
            Cell::Null => {}
            Cell::Number(number) => write!(out, "{number}")?,
            Cell::Real(number) => write!(out, "{number:?}")?,
            Cell::Flag(flag) => write!(out, "{flag}")?,
            Cell::Text(text) if text.contains([',', '"', '\r', '\n']) => {
                write!(out, "\"{}\"", text.replace('"', "\"\""))?;
            }
            Cell::Text(text) => out.write_all(text.as_bytes())?,
        }
        Ok(())
    }

    fn end_row(&mut self) -> Result<()> {
        Ok(self.0.write_all(b"\r\n")?)
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        Ok(self.0.flush()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Kind;

    #[test]
    fn text_is_quoted_where_it_must_be() {
        let headings = [("a", Kind::Text), ("b", Kind::Number), ("c", Kind::Flag)];
        let headings = headings.map(|(name, kind)| Heading { name, kind });
        let mut csv = Csv::new(Vec::new(), &headings).unwrap();
        let rows = [
            [
                Cell::text(Some("plain")),
                Cell::Number(-1),
                Cell::Flag(true),
            ],
            [Cell::text(Some("a \"b\", c\nd")), Cell::Null, Cell::Null],
        ];
        for row in rows {
            for (at, cell) in row.into_iter().enumerate() {
                csv.cell(at, cell).unwrap();
            }
            csv.end_row().unwrap();
        }
        let text = String::from_utf8(csv.0).unwrap();
        assert_eq!(
            text,
            "a,b,c\r\nplain,-1,true\r\n\"a \"\"b\"\", c\nd\",,\r\n"
        );
    }
}
