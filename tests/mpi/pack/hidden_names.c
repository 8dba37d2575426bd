/* Rank 1 comes late to a message, in a function, a file and with an argument whose names nobody is
 * to read; it names what it can: communicators, a window, a file, its thread, a metric, a type.
 * Runs on 2 ranks. */
#define _GNU_SOURCE
#include <mpi.h>
#include "../../../crates/mpiscope/include/mpiscope.h"
#include <pthread.h>
#include <unistd.h>

__attribute__((noinline)) void hidden_function(int rank)
{
    int one = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Recv(&one, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        usleep(20000);
        MPI_Send(&one, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
}

/* Uses what has a name. */
static void name(void)
{
    MPI_Comm half, copy;
    MPI_Datatype type;
    MPI_File file;
    MPI_Win window;
    int one = 1, sum;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_set_name(copy, "/home/hidden/data.nc on hidden-host");
    MPI_Comm_split(copy, 0, 0, &half);
    MPI_Comm_set_name(half, "hidden half");
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, copy);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, half);
    MPI_Type_contiguous(1, MPI_INT, &type);
    MPI_Type_set_name(type, "hidden type");
    MPI_Type_commit(&type);
    MPI_Bcast(&one, 1, type, 0, half);
    MPI_Win_create(&one, sizeof one, 1, MPI_INFO_NULL, half, &window);
    MPI_Win_set_name(window, "hidden window");
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_File_open(half, "hidden-file", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, 0, &one, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    mpiscope_metric("hidden metric", 7);
    MPI_Comm_free(&half);
    MPI_Comm_free(&copy);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    pthread_setname_np(pthread_self(), "hidden thread");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    hidden_function(rank);
    name();
    MPI_Finalize();
}
