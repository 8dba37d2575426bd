/* Programs that log by MPE (Chan, Gropp, Lusk), traced by mpiscope: states become regions, events
 * marks. Include it in place of MPE's own mpe.h, and do not link MPE. Data of events and colours are
 * left out.
 */
#ifndef MPISCOPE_MPE_H
#define MPISCOPE_MPE_H

#include "mpiscope.h"

#define MPE_LOG_OK 0
#define MPE_LOG_NOT_INITIALIZED 4
#define MPE_MAX_KNOWN_EVENTID 4096

typedef char MPE_LOG_BYTES[32];

struct mpiscope_mpe_event {
    const char *name;
    int kind; /* 0 unknown, 1 begins a state, 2 ends it, 3 stands for itself */
};

/* One table for all files of a program. */
__attribute__((weak)) struct mpiscope_mpe_event mpiscope_mpe_events[MPE_MAX_KNOWN_EVENTID];
__attribute__((weak)) int mpiscope_mpe_next = 1;

__attribute__((no_instrument_function, unused)) static inline int mpiscope_mpe_describe(int event, const char *name, int kind)
{
    if (event >= 0 && event < MPE_MAX_KNOWN_EVENTID) {
        mpiscope_mpe_events[event].name = __builtin_strdup(name);
        mpiscope_mpe_events[event].kind = kind;
    }
    return MPE_LOG_OK;
}

__attribute__((no_instrument_function, unused)) static inline const char *mpiscope_mpe_name(int event)
{
    return event >= 0 && event < MPE_MAX_KNOWN_EVENTID ? mpiscope_mpe_events[event].name : 0;
}

__attribute__((no_instrument_function, unused)) static inline void (*mpiscope_mpe_call(int event))(const char *)
{
    const struct mpiscope_calls *calls = mpiscope_calls();
    switch (event >= 0 && event < MPE_MAX_KNOWN_EVENTID ? mpiscope_mpe_events[event].kind : 0) {
    case 1: return calls->region_begin;
    case 2: return calls->region_end;
    case 3: return calls->mark;
    default: return mpiscope_nothing;
    }
}

__attribute__((no_instrument_function, unused)) static inline int MPE_Log_get_event_number(void)
{
    return __atomic_fetch_add(&mpiscope_mpe_next, 1, __ATOMIC_RELAXED);
}

__attribute__((no_instrument_function, unused)) static inline int MPE_Log_get_state_eventIDs(int *begin, int *end)
{
    *begin = MPE_Log_get_event_number();
    *end = MPE_Log_get_event_number();
    return MPE_LOG_OK;
}

__attribute__((no_instrument_function, unused)) static inline int MPE_Log_get_solo_eventID(int *event)
{
    *event = MPE_Log_get_event_number();
    return MPE_LOG_OK;
}

#define MPE_Describe_state(begin, end, name, color) \
    (mpiscope_mpe_describe((begin), (name), 1), mpiscope_mpe_describe((end), (name), 2))
#define MPE_Describe_info_state(begin, end, name, color, format) MPE_Describe_state(begin, end, name, color)
#define MPE_Describe_event(event, name, color) mpiscope_mpe_describe((event), (name), 3)
#define MPE_Describe_info_event(event, name, color, format) MPE_Describe_event(event, name, color)

#define MPE_Log_event(event, data, bytes) (mpiscope_mpe_call(event)(mpiscope_mpe_name(event)), mpiscope_zero())
#define MPE_Log_bare_event(event) MPE_Log_event(event, 0, 0)
#define MPE_Log_info_event(event, bytes) MPE_Log_event(event, 0, bytes)

/* mpiscope begins and ends by itself. */
#define MPE_Init_log() mpiscope_zero()
#define MPE_Initialized_logging() 1
#define MPE_Start_log() mpiscope_zero()
#define MPE_Stop_log() mpiscope_zero()
#define MPE_Finish_log(name) mpiscope_zero()
#define MPE_Log_sync_clocks() mpiscope_zero()
#define MPE_Log_pack(bytes, position, kind, count, data) mpiscope_zero()

#endif
