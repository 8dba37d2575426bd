//! Windows: their creation, fences, epochs, locks and notifications.

use super::Machine;

impl Machine {
    pub(super) fn create_window(&mut self) {}
    pub(super) fn fence(&mut self) {}
    pub(super) fn epoch(&mut self) {}
    pub(super) fn lock(&mut self) {}
    pub(super) fn notify(&mut self) {}
}
