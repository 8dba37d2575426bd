//! The words for what happened: ours, which are OTF2's in lower case, and OTF2's own.

use mpiscope_model::{Event, OneSidedEvent, ThreadEvent};

/// Returns our word for an event, and OTF2's.
pub fn names(event: &Event) -> (&'static str, &'static str) {
    match event {
        Event::Enter(_) => ("enter", "Enter"),
        Event::Leave(_) => ("leave", "Leave"),
        Event::MpiSend(_) => ("send", "MpiSend"),
        Event::MpiIsend(_) => ("isend", "MpiIsend"),
        Event::MpiIsendComplete(_) => ("isend_complete", "MpiIsendComplete"),
        Event::MpiIrecvRequest(_) => ("irecv_request", "MpiIrecvRequest"),
        Event::MpiRecv(_) => ("recv", "MpiRecv"),
        Event::MpiIrecv(_) => ("irecv", "MpiIrecv"),
        Event::MpiRequestCancelled(_) => ("request_cancelled", "MpiRequestCancelled"),
        Event::MpiRequestTest(_) => ("request_test", "MpiRequestTest"),
        Event::MpiCollectiveBegin => ("collective_begin", "MpiCollectiveBegin"),
        Event::MpiCollectiveEnd(_) => ("collective_end", "MpiCollectiveEnd"),
        Event::MpiProbe(_) => ("probe", "MpiProbe"),
        Event::NonBlockingCollectiveRequest(_) => {
            ("icollective_request", "NonBlockingCollectiveRequest")
        }
        Event::NonBlockingCollectiveComplete(..) => {
            ("icollective_complete", "NonBlockingCollectiveComplete")
        }
        Event::CommCreate(_) => ("comm_create", "CommCreate"),
        Event::Thread(event) => thread(event),
        Event::OneSided(event) => one_sided(event),
        Event::Sample(_) => ("sample", "CallingContextSample"),
        Event::Metric(_) => METRIC,
        Event::MeasurementOnOff(true) => ("measurement_on", "MeasurementOnOff"),
        Event::MeasurementOnOff(false) => ("measurement_off", "MeasurementOnOff"),
        Event::Other(number) => other(*number),
    }
}

/// Values of metrics, also of such that nobody defined.
const METRIC: (&str, &str) = ("metric", "Metric");

/// Events that nobody here asks for, by OTF2's numbers of them.
const OTHERS: &[(u32, (&str, &str))] = &[
    (10, ("buffer_flush", "BufferFlush")),
    (31, METRIC),
    (32, ("parameter_string", "ParameterString")),
    (33, ("parameter_int", "ParameterInt")),
    (34, ("parameter_unsigned_int", "ParameterUnsignedInt")),
    (46, ("rma_put", "RmaPut")),
    (47, ("rma_get", "RmaGet")),
    (48, ("rma_atomic", "RmaAtomic")),
    (49, ("rma_op_complete_blocking", "RmaOpCompleteBlocking")),
    (
        50,
        ("rma_op_complete_non_blocking", "RmaOpCompleteNonBlocking"),
    ),
    (66, ("calling_context_enter", "CallingContextEnter")),
    (67, ("calling_context_leave", "CallingContextLeave")),
    (68, ("calling_context_sample", "CallingContextSample")),
    (69, ("io_create_handle", "IoCreateHandle")),
    (70, ("io_destroy_handle", "IoDestroyHandle")),
    (71, ("io_duplicate_handle", "IoDuplicateHandle")),
    (72, ("io_seek", "IoSeek")),
    (73, ("io_change_status_flags", "IoChangeStatusFlags")),
    (74, ("io_delete_file", "IoDeleteFile")),
    (75, ("io_operation_begin", "IoOperationBegin")),
    (76, ("io_operation_test", "IoOperationTest")),
    (77, ("io_operation_issued", "IoOperationIssued")),
    (78, ("io_operation_complete", "IoOperationComplete")),
    (79, ("io_operation_cancelled", "IoOperationCancelled")),
    (80, ("io_acquire_lock", "IoAcquireLock")),
    (81, ("io_release_lock", "IoReleaseLock")),
    (82, ("io_try_lock", "IoTryLock")),
    (83, ("program_begin", "ProgramBegin")),
    (84, ("program_end", "ProgramEnd")),
    (88, ("comm_destroy", "CommDestroy")),
];

fn other(number: u32) -> (&'static str, &'static str) {
    let row = OTHERS.iter().find(|row| row.0 == number);
    row.map_or(("other", "Other"), |row| row.1)
}

fn thread(event: &ThreadEvent) -> (&'static str, &'static str) {
    use ThreadEvent::*;
    match event {
        Fork(_) => ("thread_fork", "ThreadFork"),
        Join => ("thread_join", "ThreadJoin"),
        TeamBegin(_) => ("thread_team_begin", "ThreadTeamBegin"),
        TeamEnd(_) => ("thread_team_end", "ThreadTeamEnd"),
        Create(_) => ("thread_create", "ThreadCreate"),
        Begin(_) => ("thread_begin", "ThreadBegin"),
        Wait(_) => ("thread_wait", "ThreadWait"),
        End(_) => ("thread_end", "ThreadEnd"),
        AcquireLock(_) => ("thread_acquire_lock", "ThreadAcquireLock"),
        ReleaseLock(_) => ("thread_release_lock", "ThreadReleaseLock"),
        TaskCreate(_) => ("thread_task_create", "ThreadTaskCreate"),
        TaskSwitch(_) => ("thread_task_switch", "ThreadTaskSwitch"),
        TaskComplete(_) => ("thread_task_complete", "ThreadTaskComplete"),
    }
}

fn one_sided(event: &OneSidedEvent) -> (&'static str, &'static str) {
    use OneSidedEvent::*;
    match event {
        WinCreate(_) => ("rma_win_create", "RmaWinCreate"),
        WinDestroy(_) => ("rma_win_destroy", "RmaWinDestroy"),
        CollectiveBegin => ("rma_collective_begin", "RmaCollectiveBegin"),
        CollectiveEnd(_) => ("rma_collective_end", "RmaCollectiveEnd"),
        GroupSync(..) => ("rma_group_sync", "RmaGroupSync"),
        RequestLock(_) => ("rma_request_lock", "RmaRequestLock"),
        AcquireLock(_) => ("rma_acquire_lock", "RmaAcquireLock"),
        TryLock(_) => ("rma_try_lock", "RmaTryLock"),
        ReleaseLock(_) => ("rma_release_lock", "RmaReleaseLock"),
        NotifyIn(..) => ("rma_notify_in", "RmaNotifyIn"),
        NotifyOut(..) => ("rma_notify_out", "RmaNotifyOut"),
    }
}
