/* Programs that mark regions by the user macros of Score-P, traced by mpiscope. Include it in place
 * of Score-P's own header: the include directory of mpiscope goes before that of Score-P. Parameters
 * are left out.
 */
#ifndef MPISCOPE_SCOREP_USER_H
#define MPISCOPE_SCOREP_USER_H

#include <stdlib.h>
#include <string.h>

#include "../mpiscope.h"

/* A metric keeps its name, which may lie in memory that is used for something else. */
__attribute__((no_instrument_function, unused)) static inline const char *mpiscope_kept(const char *name)
{
    size_t size = strlen(name) + 1;
    void *kept = malloc(size);
    return kept ? (const char *)memcpy(kept, name, size) : "(no name)";
}

#define SCOREP_USER_REGION_TYPE_COMMON 0
#define SCOREP_USER_REGION_TYPE_FUNCTION 1
#define SCOREP_USER_REGION_TYPE_LOOP 2
#define SCOREP_USER_REGION_TYPE_DYNAMIC 4
#define SCOREP_USER_REGION_TYPE_PHASE 8

typedef const char *SCOREP_User_RegionHandle;
#define SCOREP_USER_INVALID_REGION 0

#define SCOREP_USER_REGION_DEFINE(handle) static SCOREP_User_RegionHandle handle = SCOREP_USER_INVALID_REGION;
#define SCOREP_GLOBAL_REGION_DEFINE(handle) SCOREP_User_RegionHandle handle = SCOREP_USER_INVALID_REGION;
#define SCOREP_GLOBAL_REGION_EXTERNAL(handle) extern SCOREP_User_RegionHandle handle;

#define SCOREP_USER_REGION_INIT(handle, name, type) handle = (name);
#define SCOREP_USER_REGION_ENTER(handle) mpiscope_region_begin(handle);
#define SCOREP_USER_REGION_BEGIN(handle, name, type) \
    do { \
        handle = (name); \
        mpiscope_region_begin(handle); \
    } while (0);
#define SCOREP_USER_REGION_END(handle) mpiscope_region_end(handle);
#define SCOREP_USER_REGION_BY_NAME_BEGIN(name, type) mpiscope_region_begin(name);
#define SCOREP_USER_REGION_BY_NAME_END(name) mpiscope_region_end(name);

#define SCOREP_USER_FUNC_DEFINE()
#define SCOREP_USER_FUNC_BEGIN() mpiscope_region_begin(__func__);
#define SCOREP_USER_FUNC_END() mpiscope_region_end(__func__);

#define SCOREP_USER_OA_PHASE_BEGIN(handle, name, type) SCOREP_USER_REGION_BEGIN(handle, name, type)
#define SCOREP_USER_OA_PHASE_END(handle) SCOREP_USER_REGION_END(handle)

#define SCOREP_USER_PARAMETER_DEFINE(handle)
#define SCOREP_USER_PARAMETER_INT64(handle, name, value)
#define SCOREP_USER_PARAMETER_UINT64(handle, name, value)
#define SCOREP_USER_PARAMETER_STRING(handle, name, value)
#define SCOREP_USER_METRIC_LOCAL(handle) static const char *handle = "(no name)";
#define SCOREP_USER_METRIC_GLOBAL(handle) const char *handle = "(no name)";
#define SCOREP_USER_METRIC_EXTERNAL(handle) extern const char *handle;
#define SCOREP_USER_METRIC_INIT(handle, name, unit, type, context) handle = mpiscope_kept(name);
#define SCOREP_USER_METRIC_INT64(handle, value) mpiscope_metric_int(handle, value);
#define SCOREP_USER_METRIC_UINT64(handle, value) mpiscope_metric_int(handle, (long long)(value));
#define SCOREP_USER_METRIC_DOUBLE(handle, value) mpiscope_metric(handle, value);

/* Recording is switched by MPI_Pcontrol; a program that includes mpi.h after this file may, too. */
#define SCOREP_RECORDING_ON() MPI_Pcontrol(1);
#define SCOREP_RECORDING_OFF() MPI_Pcontrol(0);

#ifdef __cplusplus
#define MPISCOPE_JOINED_(a, b) a##b
#define MPISCOPE_JOINED(a, b) MPISCOPE_JOINED_(a, b)
#define SCOREP_USER_REGION(name, type) mpiscope::region MPISCOPE_JOINED(mpiscope_region_of_line_, __LINE__)(name);
#endif

#endif
