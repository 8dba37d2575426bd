//! The screen: two lines on the run, a table, a line of keys.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use ratatui::crossterm::event::{self, Event, KeyEventKind};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Row, Table, TableState};
use ratatui::Frame;
use signal_hook::consts::{SIGHUP, SIGTERM};

use super::keys::{Choice, Page, KEYS};
use super::rows::{self, Listing};
use super::{Eye, View};

/// Shows a run until the user has seen enough.
pub fn show(eye: &mut Eye, interval: Duration) -> Result<()> {
    let told = Arc::new(AtomicBool::new(false));
    for signal in [SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&told)).context("cannot watch signals")?;
    }
    let mut terminal = ratatui::try_init().context("cannot use this terminal")?;
    let mut choice = Choice::default();
    let result = loop {
        let step = (|| {
            let listing = listing(eye, &choice);
            let trouble = eye.trouble.as_deref();
            terminal.draw(|frame| draw(frame, eye.view(), trouble, &listing, &choice))?;
            attend(eye, &mut choice, &listing, interval)
        })();
        if step.is_err() || choice.quit || told.load(Ordering::Relaxed) {
            break step;
        }
    };
    ratatui::restore();
    result
}

/// Takes keys until it is time to look again.
fn attend(eye: &mut Eye, choice: &mut Choice, listing: &Listing, interval: Duration) -> Result<()> {
    let passed = eye.looked.elapsed();
    let left = interval.saturating_sub(passed);
    if event::poll(left.min(Duration::from_millis(500)))? {
        match event::read()? {
            Event::Key(key) if key.kind == KeyEventKind::Press => {
                let target = listing.targets.get(choice.row).cloned().flatten();
                choice.take(key, listing.rows.len(), target);
            }
            _ => {}
        }
    }
    if eye.looked.elapsed() >= interval {
        eye.looked = Instant::now();
        if !choice.paused {
            // What was seen stays on the screen, with what went wrong.
            eye.trouble = eye.look().err().map(|error| crate::say::chain(&error));
        }
    }
    Ok(())
}

/// Returns the rows of the page that was chosen.
fn listing(eye: &Eye, choice: &Choice) -> Listing {
    let view = eye.view();
    match &choice.page {
        Page::Ranks => rows::ranks(&view.ranks, choice.column),
        Page::Statements => rows::statements(&view.statements, choice.column),
        Page::Rank(rank) => rows::statements(&eye.of_rank(*rank), choice.column),
        Page::Statement(name, place) => {
            rows::by_rank(&eye.of_statement(name, place), choice.column)
        }
    }
}

/// Draws all.
pub fn draw(
    frame: &mut Frame,
    view: &View,
    trouble: Option<&str>,
    listing: &Listing,
    choice: &Choice,
) {
    let mut head: Vec<Line> = rows::head(view).into_iter().map(Line::from).collect();
    let notes = view.notes.iter().take(3);
    head.extend(notes.map(|note| Line::from(format!("note: {note}"))));
    head.extend(trouble.map(|what| Line::from(format!("error: {what}"))));
    head.push(Line::from(title(choice)).style(Style::new().add_modifier(Modifier::BOLD)));
    if let Page::Rank(rank) = choice.page {
        head.extend(rows::threads(view, rank).into_iter().map(Line::from));
    }
    let lines = head.len() as u16;
    let [top, middle, bottom] = Layout::vertical([
        Constraint::Length(lines),
        Constraint::Min(1),
        Constraint::Length(if choice.help { HELP.len() as u16 } else { 1 }),
    ])
    .areas(frame.area());
    frame.render_widget(Paragraph::new(head), top);
    let widths = listing.widths().into_iter().map(Constraint::Length);
    let header = Row::new(listing.header_marked(choice.column));
    let table = Table::new(listing.rows.iter().map(|row| Row::new(row.clone())), widths)
        .header(header.style(Style::new().add_modifier(Modifier::UNDERLINED)))
        .row_highlight_style(Style::new().add_modifier(Modifier::REVERSED))
        .column_spacing(2);
    let selected = (!listing.rows.is_empty()).then_some(choice.row);
    let mut state = TableState::default().with_selected(selected);
    frame.render_stateful_widget(table, middle, &mut state);
    let keys: Vec<Line> = match choice.help {
        true => HELP.iter().map(|line| Line::from(*line)).collect(),
        false => vec![Line::from(KEYS)],
    };
    frame.render_widget(Paragraph::new(keys), bottom);
}

fn title(choice: &Choice) -> String {
    let what = match &choice.page {
        Page::Ranks => "ranks".to_owned(),
        Page::Statements => "communication statements".to_owned(),
        Page::Rank(rank) => format!("communication statements of rank {rank}"),
        Page::Statement(name, place) => format!("{name} {place}, by rank"),
    };
    if choice.paused {
        format!("{what} (paused)")
    } else {
        what
    }
}

const HELP: [&str; 6] = [
    KEYS,
    "for: since when the rank is in its call   waits for: whom the call deals with",
    "MPI: part of the rank's time   waiting: for partners, - where not told apart from transfer",
    "now: part of the last interval that all ranks spent there   inside: ranks that are there",
    "Enter on a rank: its statements   on a statement: its ranks",
    "a rank that died stands where it was last seen",
];
