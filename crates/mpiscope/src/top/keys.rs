//! What keys do to the screen.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::rows::{RANKS, STATEMENTS};

/// What is looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Page {
    /// All ranks.
    #[default]
    Ranks,
    /// All communication statements.
    Statements,
    /// The statements of one rank.
    Rank(u32),
    /// The ranks that are in one statement, by name and place.
    Statement(String, String),
}

/// What the user has chosen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Choice {
    /// The page, and those to come back to.
    pub page: Page,
    pub behind: Vec<Page>,
    /// The selected row.
    pub row: usize,
    /// By which column rows are sorted; nothing for their own order.
    pub column: Option<usize>,
    /// Whether the screen stands still.
    pub paused: bool,
    /// Whether the keys are explained.
    pub help: bool,
    /// Whether to end.
    pub quit: bool,
}

/// The keys, as the help line has them.
pub const KEYS: &str =
    "arrows select  Enter more  Esc back  Tab ranks/statements  s sort  p pause  ? help  q quit";

impl Choice {
    /// Takes a key; `target` is what the selected row leads to, and there are so many rows.
    pub fn take(&mut self, key: KeyEvent, rows: usize, target: Option<Page>) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('q') => self.quit = true,
            KeyCode::Char('c') if control => self.quit = true,
            KeyCode::Char('p' | ' ') => self.paused = !self.paused,
            KeyCode::Char('?' | 'h') => self.help = !self.help,
            KeyCode::Char('s') => self.column = next(self.column, self.columns()),
            KeyCode::Down | KeyCode::Char('j') => self.row += 1,
            KeyCode::Up | KeyCode::Char('k') => self.row = self.row.saturating_sub(1),
            KeyCode::PageDown => self.row += 20,
            KeyCode::PageUp => self.row = self.row.saturating_sub(20),
            KeyCode::Home => self.row = 0,
            KeyCode::End => self.row = rows,
            KeyCode::Tab => self.turn(match self.page {
                Page::Ranks | Page::Rank(_) => Page::Statements,
                Page::Statements | Page::Statement(..) => Page::Ranks,
            }),
            KeyCode::Enter => {
                if let Some(target) = target {
                    let behind = std::mem::replace(&mut self.page, target);
                    self.behind.push(behind);
                    (self.row, self.column) = (0, None);
                }
            }
            KeyCode::Esc | KeyCode::Backspace | KeyCode::Left => {
                if let Some(page) = self.behind.pop() {
                    self.page = page;
                    (self.row, self.column) = (0, None);
                }
            }
            _ => {}
        }
        self.row = self.row.min(rows.saturating_sub(1));
    }

    fn turn(&mut self, page: Page) {
        *self = Self {
            page,
            paused: self.paused,
            help: self.help,
            ..Self::default()
        };
    }

    fn columns(&self) -> usize {
        match self.page {
            Page::Ranks | Page::Statement(..) => RANKS.len(),
            Page::Statements | Page::Rank(_) => STATEMENTS.len(),
        }
    }
}

fn next(column: Option<usize>, columns: usize) -> Option<usize> {
    let next = column.map_or(0, |column| column + 1);
    (next < columns).then_some(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(choice: &mut Choice, code: KeyCode) {
        choice.take(KeyEvent::from(code), 3, Some(Page::Rank(1)));
    }

    #[test]
    fn enter_goes_deeper_and_escape_comes_back() {
        let mut choice = Choice::default();
        press(&mut choice, KeyCode::Enter);
        assert_eq!(choice.page, Page::Rank(1));
        press(&mut choice, KeyCode::Esc);
        press(&mut choice, KeyCode::Esc);
        assert_eq!(choice, Choice::default());
    }

    #[test]
    fn the_selection_stays_within_the_rows() {
        let mut choice = Choice::default();
        for (code, row) in [
            (KeyCode::Up, 0),
            (KeyCode::Down, 1),
            (KeyCode::PageDown, 2),
            (KeyCode::Down, 2),
            (KeyCode::Home, 0),
            (KeyCode::End, 2),
        ] {
            press(&mut choice, code);
            assert_eq!(choice.row, row, "{code:?}");
        }
        choice.take(KeyEvent::from(KeyCode::Down), 0, None);
        assert_eq!(choice.row, 0);
    }

    #[test]
    fn sorting_goes_through_all_columns_and_ends() {
        let mut choice = Choice::default();
        for expected in (0..RANKS.len()).map(Some).chain([None]) {
            press(&mut choice, KeyCode::Char('s'));
            assert_eq!(choice.column, expected);
        }
    }

    #[test]
    fn q_and_control_c_end_it() {
        for key in [
            KeyEvent::from(KeyCode::Char('q')),
            KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL),
        ] {
            let mut choice = Choice::default();
            choice.take(key, 3, None);
            assert!(choice.quit);
        }
    }
}
