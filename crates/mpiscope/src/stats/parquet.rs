//! `--parquet DIR`: what was counted, as tables that data frames read.
//!
//! One file each for statements, messages, procedures, loops and ranks, in the
//! names of `--json`, but apart for each rank, thread and partner: sums are for
//! whoever reads them to make. All columns are optional; what is not known is null.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use mpiscope_archive::model::statistics::{
    Kind, Peer, Process, Record, Side, Statement, Statistics,
};

use super::facts::{sent, Sent};
use super::Loaded;
use crate::aside::{beside, remove};
use crate::packed;
use crate::signals;
use crate::table::{self, Cell, Heading};

/// A column by its name, and its cells.
enum Column {
    Numbers(&'static str, Vec<Option<u64>>),
    Texts(&'static str, Vec<Option<String>>),
}

/// Writes all tables into a folder, made if it is not there.
pub fn write(folder: &Path, run: &Path, loaded: &Loaded) -> Result<()> {
    let all = &loaded.statistics;
    let about = [
        ("mpiscope.run", packed::given(run).display().to_string()),
        ("mpiscope.program", loaded.info.program.clone()),
        ("mpiscope.notes", loaded.notes.join("\n")),
    ];
    let about = about.map(|(key, value)| (key.to_owned(), value));
    let made = match folder.is_dir() {
        true => beside(&folder.join("tables"), "partial")?,
        false => beside(folder, "partial")?,
    };
    signals::remove_when_ended(&made)?;
    fs::create_dir_all(&made).with_context(|| format!("cannot make {}", folder.display()))?;
    let tables = [
        ("statements", statements(all)),
        ("messages", messages(&sent(all))),
        ("procedures", procedures(all)),
        ("loops", loops(all)),
        ("ranks", ranks(&all.ranks)),
    ];
    let context = || format!("cannot write {}", folder.display());
    let written = tables.into_iter().try_for_each(|(name, columns)| {
        write_table(&made.join(format!("{name}.parquet")), &columns, &about)
    });
    let kept = written.and_then(|()| signals::hold(|| merge(&made, folder)));
    let _ = remove(&made);
    kept.with_context(context)
}

/// Moves the files of a folder to those of another.
fn merge(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::rename(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}

/// Something counted, and the statement that it is of.
struct Counted<'a> {
    all: &'a Statistics,
    record: &'a Record,
    statement: &'a Statement,
}

fn counted(all: &Statistics, kind: Kind) -> Vec<Counted<'_>> {
    let rows = all.records.iter().filter_map(|record| {
        let statement = all.statements.get(record.statement)?;
        (statement.kind == kind).then_some(Counted {
            all,
            record,
            statement,
        })
    });
    rows.collect()
}

impl Counted<'_> {
    fn caller(&self) -> Option<&Statement> {
        self.all.statements.get(self.record.caller?)
    }

    /// Returns the procedure that a statement lies in.
    fn procedure_of(&self, statement: &Statement) -> Option<String> {
        let parent = |statement: &&Statement| self.all.statements.get(statement.parent?);
        let mut around = std::iter::successors(parent(&statement), parent);
        let procedure = around.find(|statement| statement.kind == Kind::Procedure)?;
        Some(procedure.name.clone())
    }
}

fn numbers<T>(name: &'static str, rows: &[T], of: impl Fn(&T) -> u64) -> Column {
    Column::Numbers(name, rows.iter().map(|row| Some(of(row))).collect())
}

fn texts<T>(name: &'static str, rows: &[T], of: impl Fn(&T) -> Option<String>) -> Column {
    Column::Texts(name, rows.iter().map(of).collect())
}

/// Who counted, and which statement.
fn places(rows: &[Counted]) -> Vec<Column> {
    let line = |of: fn(&Statement) -> u32| {
        let lines = rows.iter().map(move |row| of(row.statement));
        lines
            .map(|line| (line > 0).then_some(line.into()))
            .collect()
    };
    vec![
        numbers("rank", rows, |row| row.record.rank.into()),
        numbers("thread", rows, |row| row.record.thread.into()),
        texts("name", rows, |row| Some(row.statement.name.clone())),
        texts("place", rows, |row| Some(row.statement.place())),
        texts("file", rows, |row| Some(row.statement.file.clone())),
        Column::Numbers("line", line(|statement| statement.line)),
        Column::Numbers("end", line(|statement| statement.end)),
    ]
}

fn times(rows: &[Counted]) -> [Column; 4] {
    [
        numbers("calls", rows, |row| row.record.figures.calls),
        numbers("time_ns", rows, |row| row.record.figures.time),
        numbers("intrusion_ns", rows, |row| row.record.figures.intrusion),
        numbers("longest_ns", rows, |row| row.record.figures.longest),
    ]
}

fn statements(all: &Statistics) -> Vec<Column> {
    let rows = counted(all, Kind::Communication);
    let peer = |row: &Counted| match row.record.peer {
        Peer::Rank(rank) => Some(u64::from(rank)),
        _ => None,
    };
    let with = |row: &Counted| match row.record.peer {
        Peer::Rank(_) => "rank",
        Peer::All(_) => "all",
        Peer::Any => "any",
        Peer::Others => "others",
        Peer::None => "none",
    };
    let side = |row: &Counted| match row.record.side {
        Side::None => "none",
        Side::Sent => "sent",
        Side::Received => "received",
        Side::Collective => "collective",
    };
    let mut columns = places(&rows);
    columns.extend([
        texts("procedure", &rows, |row| row.procedure_of(row.statement)),
        Column::Numbers("peer", rows.iter().map(peer).collect()),
        texts("with", &rows, |row| Some(with(row).to_owned())),
        texts("side", &rows, |row| Some(side(row).to_owned())),
        numbers("messages", &rows, |row| row.record.figures.messages),
        numbers("bytes", &rows, |row| row.record.figures.bytes),
        numbers("waiting_ns", &rows, |row| row.record.figures.delay),
        numbers("separated_calls", &rows, |row| row.record.figures.separated),
    ]);
    columns.extend(times(&rows));
    columns
}

fn procedures(all: &Statistics) -> Vec<Column> {
    let rows = counted(all, Kind::Procedure);
    let mut columns = places(&rows);
    columns.extend([
        texts("called_at", &rows, |row| Some(row.caller()?.place())),
        texts("called_by", &rows, |row| row.procedure_of(row.caller()?)),
    ]);
    columns.extend(times(&rows));
    columns
}

fn loops(all: &Statistics) -> Vec<Column> {
    let rows = counted(all, Kind::Loop);
    let mut columns = places(&rows);
    columns.extend([
        texts("procedure", &rows, |row| row.procedure_of(row.statement)),
        numbers("iterations", &rows, |row| row.record.figures.messages),
    ]);
    columns.extend(times(&rows));
    columns
}

fn messages(rows: &[Sent]) -> Vec<Column> {
    vec![
        numbers("from", rows, |row| row.from.into()),
        numbers("to", rows, |row| row.to.into()),
        numbers("messages", rows, |row| row.messages),
        numbers("bytes", rows, |row| row.bytes),
    ]
}

fn ranks(rows: &[Process]) -> Vec<Column> {
    vec![
        numbers("rank", rows, |row| row.rank.into()),
        texts("host", rows, |row| Some(row.host.clone())),
        numbers("pid", rows, |row| row.pid.into()),
        numbers("started_ns", rows, |row| row.started),
        numbers("duration_ns", rows, |row| row.duration),
        numbers("thread_time_ns", rows, |row| row.thread_time),
        numbers("mpi_ns", rows, |row| row.mpi),
        numbers("calls", rows, |row| row.calls),
        numbers("intrusion_ns", rows, |row| row.intrusion),
        numbers("refused", rows, |row| row.refused),
    ]
}

fn write_table(file: &Path, columns: &[Column], about: &[(String, String)]) -> Result<()> {
    let headings = columns.iter().map(|column| match *column {
        Column::Numbers(name, _) => (name, table::Kind::Number),
        Column::Texts(name, _) => (name, table::Kind::Text),
    });
    let headings: Vec<Heading> = headings
        .map(|(name, kind)| Heading { name, kind })
        .collect();
    let mut sink = table::parquet::create(file, &headings, about)?;
    let rows = columns.first().map_or(0, Column::len);
    for row in 0..rows {
        for (at, column) in columns.iter().enumerate() {
            sink.cell(at, column.cell(row))?;
        }
        sink.end_row()?;
    }
    sink.finish()
}

impl Column {
    fn len(&self) -> usize {
        match self {
            Column::Numbers(_, cells) => cells.len(),
            Column::Texts(_, cells) => cells.len(),
        }
    }

    fn cell(&self, row: usize) -> Cell<'_> {
        match self {
            Column::Numbers(_, cells) => Cell::maybe(cells[row]),
            Column::Texts(_, cells) => Cell::text(cells[row].as_deref()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use parquet::file::metadata::KeyValue;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Row;

    use super::super::tests::loaded;
    use super::*;

    /// Writes the tables of the run that `stats` is tested with.
    fn written() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let all = loaded(folder.path());
        let tables = folder.path().join("new/tables");
        write(&tables, Path::new("heat.mpiscope"), &all).unwrap();
        folder
    }

    fn read(folder: &Path, table: &str) -> (Vec<Row>, Vec<KeyValue>) {
        let file = File::open(folder.join(format!("new/tables/{table}.parquet"))).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let about = reader.metadata().file_metadata().key_value_metadata();
        let about = about.cloned().unwrap_or_default();
        let rows = reader.get_row_iter(None).unwrap();
        (rows.map(Result::unwrap).collect(), about)
    }

    #[track_caller]
    fn check(table: &str, row: usize, expected: &str) {
        let folder = written();
        let (rows, _) = read(folder.path(), table);
        assert_eq!(rows[row].to_string(), expected);
    }

    #[test]
    fn a_table_has_a_row_for_each_rank_and_partner() {
        let folder = written();
        let counts = ["statements", "messages", "procedures", "loops", "ranks"]
            .map(|table| read(folder.path(), table).0.len());
        assert_eq!(counts, [4, 2, 6, 2, 2]);
        let (_, about) = read(folder.path(), "loops");
        let program = about.iter().find(|of| of.key == "mpiscope.program");
        assert_eq!(program.unwrap().value.as_deref(), Some("heat"));
    }

    #[test]
    fn what_is_not_known_is_null() {
        check(
            "statements",
            1,
            "{rank: 0, thread: 0, name: \"MPI_Allreduce\", place: \"heat+0x40\", \
             file: \"/no/such/heat\", line: null, end: null, procedure: \"(no symbol)\", peer: null, \
             with: \"all\", side: \"collective\", messages: 7, bytes: 56, waiting_ns: 0, \
             separated_calls: 0, calls: 7, time_ns: 5000, intrusion_ns: 10, longest_ns: 5010}",
        );
    }

    #[test]
    fn a_procedure_has_a_row_for_each_statement_that_calls_it() {
        check(
            "procedures",
            1,
            "{rank: 0, thread: 0, name: \"work\", place: \"heat.c:50-60\", file: \"heat.c\", line: 50, \
             end: 60, called_at: \"heat.c:14\", called_by: \"main\", calls: 50, time_ns: 200000, \
             intrusion_ns: 10, longest_ns: 200010}",
        );
    }

    #[test]
    fn pyarrow_reads_the_tables() {
        let folder = written();
        let python = |code: &str| {
            let mut python = crate::testing::oracle_python();
            python.args(["-c", code]).current_dir(folder.path());
            python.output().is_ok_and(|done| done.status.success())
        };
        if !python("import pyarrow.parquet") {
            return crate::testing::missing("no Python with pyarrow");
        }
        assert!(python(
            "import pyarrow.parquet as p; t = p.read_table('new/tables/loops.parquet'); \
             assert t['iterations'].to_pylist() == [50, 50]",
        ));
    }
}
