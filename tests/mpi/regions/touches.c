/* Touches as many pages of new memory as it is told in one region, and none in another; with `thread`
   another thread does so, too. Prints `touches: right`. */
#include <mpi.h>
#include <mpiscope.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static long pages;

static void touch(const char *name)
{
    size_t size = sysconf(_SC_PAGESIZE);
    char *memory = mmap(0, pages * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(memory, pages * size, MADV_NOHUGEPAGE);
    mpiscope_region_begin(name);
    for (long page = 0; page < pages; page++)
        memory[page * size] = 1;
    mpiscope_region_end(name);
    munmap(memory, pages * size);
}

static void *beside(void *unused)
{
    touch("touch of a thread");
    return unused;
}

int main(int argc, char **argv)
{
    int rank, size, provided, sum = 0;
    pages = atol(argv[1]);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < 3; step++) {
        volatile double number = 1;
        touch("touch");
        mpiscope_region_begin("compute");
        for (int i = 0; i < 3000000; i++)
            number = number * 0.5 + 1;
        mpiscope_region_end("compute");
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    if (argc > 2 && !strcmp(argv[2], "thread")) {
        pthread_t thread;
        pthread_create(&thread, 0, beside, 0);
        pthread_join(thread, 0);
    }
    if (rank == 0)
        printf("touches: %s\n", sum == size * (size - 1) / 2 ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}
