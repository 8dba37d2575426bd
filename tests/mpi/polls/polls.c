/* Polls in many ways, finds nothing most of the time, and says how often it called what.
 *
 * The argument is how many polls of each loop find nothing. `for-ever` polls until somebody kills
 * it; the number of its calls is in the file `polls.RANK`, which outlives it. */
#include "../count.h"
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define WORLD MPI_COMM_WORLD

enum { TEST, TESTANY, TESTALL, TESTSOME, IPROBE, IMPROBE, STATUS, WIN, KINDS };
static const char *names[KINDS] = {
    "MPI_Test", "MPI_Testany", "MPI_Testall", "MPI_Testsome",
    "MPI_Iprobe", "MPI_Improbe", "MPI_Request_get_status", "MPI_Win_test",
};

/* What a thread polls with. */
struct loop {
    long calls[KINDS];
    MPI_Request requests[2];
    int values[2], tag;
};

static long polls = 1000;

static void receive(struct loop *it, int k)
{
    MPI_Irecv(&it->values[k], 1, MPI_INT, rank, it->tag + k, WORLD, &it->requests[k]);
}

static void send(struct loop *it, int k)
{
    int value = 100 * it->tag + k;
    MPI_Send(&value, 1, MPI_INT, rank, it->tag + k, WORLD);
}

static void received(struct loop *it, int k)
{
    CHECK(it->values[k] == 100 * it->tag + k);
    it->values[k] = -1;
}

static int test(struct loop *it)
{
    int flag;
    MPI_Status status;
    it->calls[TEST]++;
    MPI_Test(&it->requests[0], &flag, &status);
    return flag;
}

static int iprobe(struct loop *it)
{
    int flag;
    MPI_Status status;
    it->calls[IPROBE]++;
    MPI_Iprobe(rank, it->tag + 5, WORLD, &flag, &status);
    return flag;
}

/* One place. */
static void one(struct loop *it)
{
    receive(it, 0);
    for (long i = 0; i < polls; i++)
        CHECK(!test(it));
    send(it, 0);
    while (!test(it))
        continue;
    received(it, 0);
}

/* Two in turn, as a master that looks for work and for answers. */
static void two(struct loop *it)
{
    receive(it, 0);
    for (long i = 0; i < polls; i++)
        CHECK(!test(it) && !iprobe(it));
    send(it, 0);
    while (!test(it))
        CHECK(!iprobe(it));
    received(it, 0);
}

/* Of several requests, with what is computed in between. */
static void several(struct loop *it)
{
    int flag, index, done, indices[2];
    MPI_Status statuses[2];
    MPI_Message message;
    volatile double computed = 1;
    receive(it, 0);
    receive(it, 1);
    for (long i = 0; i < polls; i++) {
        it->calls[TESTALL]++;
        MPI_Testall(2, it->requests, &flag, statuses);
        CHECK(!flag);
        it->calls[TESTANY]++;
        MPI_Testany(2, it->requests, &index, &flag, statuses);
        CHECK(!flag);
        for (int k = 0; k < 100; k++)
            computed *= 1.000001;
        it->calls[TESTSOME]++;
        MPI_Testsome(2, it->requests, &done, indices, statuses);
        CHECK(done == 0);
        it->calls[IMPROBE]++;
        MPI_Improbe(rank, it->tag + 5, WORLD, &flag, &message, statuses);
        CHECK(!flag);
        it->calls[STATUS]++;
        MPI_Request_get_status(it->requests[0], &flag, statuses);
        CHECK(!flag);
    }
    send(it, 0);
    send(it, 1);
    do {
        it->calls[TESTALL]++;
        MPI_Testall(2, it->requests, &flag, statuses);
    } while (!flag);
    received(it, 0);
    received(it, 1);
}

/* An epoch that the last rank is waited for to begin and end. */
static void window(struct loop *it)
{
    int value = 0, flag = 0, go = 1, last = size - 1;
    MPI_Group world, other;
    MPI_Win win;
    if (size < 2)
        return;
    MPI_Comm_group(WORLD, &world);
    MPI_Win_create(&value, sizeof value, sizeof value, MPI_INFO_NULL, WORLD, &win);
    if (rank == 0) {
        MPI_Group_incl(world, 1, &last, &other);
        MPI_Win_post(other, 0, win);
        for (long i = 0; i < polls; i++) {
            it->calls[WIN]++;
            MPI_Win_test(win, &flag);
            CHECK(!flag);
        }
        MPI_Send(&go, 1, MPI_INT, last, 77, WORLD);
        while (!flag) {
            it->calls[WIN]++;
            MPI_Win_test(win, &flag);
        }
        MPI_Group_free(&other);
    } else if (rank == last) {
        int first = 0;
        MPI_Group_incl(world, 1, &first, &other);
        MPI_Recv(&go, 1, MPI_INT, 0, 77, WORLD, MPI_STATUS_IGNORE);
        MPI_Win_start(other, 0, win);
        MPI_Win_complete(win);
        MPI_Group_free(&other);
    }
    MPI_Win_free(&win);
    MPI_Group_free(&world);
}

static void *of_thread(void *argument)
{
    one(argument);
    two(argument);
    return NULL;
}

static void print(const struct loop *all, int loops)
{
    for (int kind = 0; kind < KINDS; kind++) {
        long sum = 0;
        for (int k = 0; k < loops; k++)
            sum += all[k].calls[kind];
        printf("rank %d called %s %ld\n", rank, names[kind], sum);
    }
    fflush(stdout);
}

static void for_ever(struct loop *it)
{
    char name[32];
    snprintf(name, sizeof name, "polls.%d", rank);
    int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
    CHECK(file >= 0 && ftruncate(file, sizeof(long)) == 0);
    volatile long *calls = mmap(NULL, sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    CHECK(calls != MAP_FAILED);
    receive(it, 0);
    printf("rank %d pid %d\n", rank, (int)getpid());
    fflush(stdout);
    for (;;) {
        *calls += 1;
        CHECK(!test(it));
    }
}

int main(int argc, char **argv)
{
    static struct loop loops[3];
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    look_around();
    for (int k = 0; k < 3; k++)
        loops[k].tag = 10 * (k + 1);
    if (argc > 1 && !strcmp(argv[1], "for-ever"))
        for_ever(&loops[0]);
    if (argc > 1)
        polls = atol(argv[1]);
    one(&loops[0]);
    two(&loops[0]);
    several(&loops[0]);
    window(&loops[0]);
    if (level == MPI_THREAD_MULTIPLE) {
        pthread_t threads[2];
        for (int k = 0; k < 2; k++)
            pthread_create(&threads[k], NULL, of_thread, &loops[k + 1]);
        for (int k = 0; k < 2; k++)
            pthread_join(threads[k], NULL);
    }
    print(loops, 3);
    MPI_Finalize();
    return 0;
}
