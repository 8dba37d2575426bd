//! The words for what happened: OTF2's, in lower case.

use mpiscope_archive::model::{Event, OneSidedEvent, ThreadEvent};

/// Names an event.
pub fn name(event: &Event) -> &'static str {
    match event {
        Event::Enter(_) => "enter",
        Event::Leave(_) => "leave",
        Event::MpiSend(_) => "send",
        Event::MpiIsend(_) => "isend",
        Event::MpiIsendComplete(_) => "isend_complete",
        Event::MpiIrecvRequest(_) => "irecv_request",
        Event::MpiRecv(_) => "recv",
        Event::MpiIrecv(_) => "irecv",
        Event::MpiRequestCancelled(_) => "request_cancelled",
        Event::MpiRequestTest(_) => "request_test",
        Event::MpiCollectiveBegin => "collective_begin",
        Event::MpiCollectiveEnd(_) => "collective_end",
        Event::MpiProbe(_) => "probe",
        Event::NonBlockingCollectiveRequest(_) => "icollective_request",
        Event::NonBlockingCollectiveComplete(..) => "icollective_complete",
        Event::CommCreate(_) => "comm_create",
        Event::Thread(event) => thread(event),
        Event::OneSided(event) => one_sided(event),
        Event::MeasurementOnOff(true) => "measurement_on",
        Event::MeasurementOnOff(false) => "measurement_off",
        Event::Other(_) => "other",
    }
}

fn thread(event: &ThreadEvent) -> &'static str {
    use ThreadEvent::*;
    match event {
        Fork(_) => "thread_fork",
        Join => "thread_join",
        TeamBegin(_) => "thread_team_begin",
        TeamEnd(_) => "thread_team_end",
        Create(_) => "thread_create",
        Begin(_) => "thread_begin",
        Wait(_) => "thread_wait",
        End(_) => "thread_end",
        AcquireLock(_) => "thread_acquire_lock",
        ReleaseLock(_) => "thread_release_lock",
        TaskCreate(_) => "thread_task_create",
        TaskSwitch(_) => "thread_task_switch",
        TaskComplete(_) => "thread_task_complete",
    }
}

fn one_sided(event: &OneSidedEvent) -> &'static str {
    use OneSidedEvent::*;
    match event {
        WinCreate(_) => "rma_win_create",
        WinDestroy(_) => "rma_win_destroy",
        CollectiveBegin => "rma_collective_begin",
        CollectiveEnd(_) => "rma_collective_end",
        GroupSync(..) => "rma_group_sync",
        RequestLock(_) => "rma_request_lock",
        AcquireLock(_) => "rma_acquire_lock",
        TryLock(_) => "rma_try_lock",
        ReleaseLock(_) => "rma_release_lock",
        NotifyIn(..) => "rma_notify_in",
        NotifyOut(..) => "rma_notify_out",
    }
}
