/* What programs say by the macros of MPE, Score-P and NVTX. */
#include <mpe.h>
#include <mpi.h>
#include <nvtx3/nvToolsExt.h>
#include <scorep/SCOREP_User.h>
#include <stdio.h>

static void counted(void)
{
    SCOREP_USER_FUNC_BEGIN()
    SCOREP_USER_FUNC_END()
}

int main(int argc, char **argv)
{
    SCOREP_USER_REGION_DEFINE(handle)
    int rank, begin, end, solo;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPE_Init_log();
    MPE_Log_get_state_eventIDs(&begin, &end);
    MPE_Log_get_solo_eventID(&solo);
    MPE_Describe_state(begin, end, "mpe state", "red");
    MPE_Describe_event(solo, "mpe event", "blue");
    for (int i = 0; i < 2; i++) {
        MPE_Log_event(begin, i, 0);
        MPE_Log_event(solo, i, 0);
        MPE_Log_bare_event(end);
    }
    MPE_Log_event(4711, 0, 0); /* nobody described it */
    MPE_Finish_log("log");

    for (int i = 0; i < 3; i++) {
        SCOREP_USER_REGION_BEGIN(handle, "scorep region", SCOREP_USER_REGION_TYPE_COMMON)
        counted();
        SCOREP_USER_REGION_END(handle)
    }
    SCOREP_USER_REGION_BY_NAME_BEGIN("scorep by name", SCOREP_USER_REGION_TYPE_PHASE)
    SCOREP_USER_REGION_BY_NAME_END("scorep by name")

    nvtxEventAttributes_t attributes = {0};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = "nvtx with attributes";
    nvtxRangePushA("nvtx range");
    nvtxRangePushEx(&attributes);
    nvtxRangePop();
    nvtxMarkA("nvtx mark");
    nvtxRangePop();

    MPI_Finalize();
    if (rank == 0)
        puts("others: ok");
    return 0;
}
