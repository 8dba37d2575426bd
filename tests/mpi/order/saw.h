/* What the programs on order share: each rank hashes what it sees, in the order in which it
 * sees it, and dawdles at random so that another run would see something else. */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int rank, size;
static uint64_t seen = 14695981039346656037u;
static unsigned chance;

static inline void saw_into(uint64_t *hash, long value)
{
    *hash = (*hash ^ (uint64_t)value) * 1099511628211u;
}

static inline void saw(long value)
{
    saw_into(&seen, value);
}

static inline void saw_status(const MPI_Status *status)
{
    saw(status->MPI_SOURCE);
    saw(status->MPI_TAG);
}

/* A random while of at most so many microseconds; often none. */
static inline void dawdle(unsigned most)
{
    if (rand_r(&chance) % 3 == 0)
        usleep(rand_r(&chance) % most);
}

static inline void look_around(void)
{
    struct timespec now;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    clock_gettime(CLOCK_REALTIME, &now);
    chance = (unsigned)now.tv_nsec + 977u * (unsigned)rank;
}

/* Prints on rank 0 what each rank has seen. */
static inline void print_saw(void)
{
    uint64_t all[64];
    MPI_Gather(&seen, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size; i++)
        printf("rank %d saw %016llx\n", i, (unsigned long long)all[i]);
}
