/* Each rank switches recording off and on at times of its own, also while receives, sends,
 * persistent requests and probed messages are under way. The n-th message of a tag has
 * n % 1000 + 1 bytes, so that a send and a receive that belong together have one length; the
 * first byte tells whether its sender was recording. Prints how many both sides recorded.
 * With arguments it prints the process ids first, and takes a millisecond a step; a third
 * one leaves out the receives that are completed a step later.
 *
 *     pcontrol [steps = 8 [salt = 0 [soon]]] */
#include "count.h"
#include <string.h>
#include <unistd.h>

enum { PLAIN, POSTED, LATE, PERSISTENT, PROBED, FREED, NEVER, TAGS, LONGEST = 1024 };
static int sent[TAGS], received[TAGS], on = 1, salt;
static long pairs;
static MPI_Comm comms[2];

static void switch_somehow(int step, int phase)
{
    unsigned dice = (rank + 1) * 2654435761u ^ (step * 3 + phase + 1) * 2246822519u ^ salt * 668265263u;
    on = (dice ^ dice >> 15) * 3266489917u >> 31;
    MPI_Pcontrol(on);
    MPI_Pcontrol(-7); /* means nothing */
}

/* Fills in the next message of a channel to the right; returns its length. */
static int next(int tag, char *message)
{
    memset(message, on, LONGEST);
    if (on)
        count_sent(right, sent[tag] % 1000 + 1);
    return sent[tag]++ % 1000 + 1;
}

/* Looks at the message that was posted as the channel's `number`-th. */
static void look(int number, const char *message, MPI_Status *status)
{
    int bytes;
    MPI_Get_count(status, MPI_BYTE, &bytes);
    CHECK(bytes == number % 1000 + 1 && status->MPI_SOURCE == left);
    if (on)
        count_status(status);
    pairs += on && message[0];
}

static void send(int tag, MPI_Comm comm)
{
    char message[LONGEST];
    int bytes = next(tag, message);
    MPI_Send(message, bytes, MPI_BYTE, right, tag, comm);
}

static void receive(int from, int tag, MPI_Comm comm)
{
    char message[LONGEST];
    MPI_Status status;
    MPI_Recv(message, LONGEST, MPI_BYTE, from, tag, comm, &status);
    look(received[tag]++, message, &status);
}

static void collect(int step)
{
    int one = 1, sum;
    counted[COLLECTIVES] += 2 * on;
    MPI_Barrier(comms[step % 2]);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == size);
}

int main(int argc, char **argv)
{
    static char late[2][LONGEST], in[LONGEST], out[LONGEST], probed[LONGEST], nothing[1];
    int steps = argc > 1 ? atoi(argv[1]) : 8, late_number[2], probed_number = 0, soon = argc > 3;
    MPI_Request requests[2], waiting[2], never = MPI_REQUEST_NULL, freed, persistent;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status statuses[2], status;

    salt = argc > 2 ? atoi(argv[2]) : 0;
    MPI_Init(&argc, &argv);
    look_around();
    if (argc > 1) {
        printf("rank %d pid %d\n", rank, (int)getpid());
        fflush(stdout);
    }
    MPI_Pcontrol(0);
    comms[0] = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    MPI_Comm_set_name(comms[1], "made while off");
    MPI_Recv_init(in, LONGEST, MPI_BYTE, left, PERSISTENT, comms[1], &persistent);
    for (int step = 0; step < steps; step++) {
        switch_somehow(step, 0);
        send(PLAIN, comms[step % 2]);
        receive(step % 3 ? left : MPI_ANY_SOURCE, PLAIN, comms[step % 2]);

        MPI_Irecv(in, LONGEST, MPI_BYTE, MPI_ANY_SOURCE, POSTED, comms[0], &requests[0]);
        MPI_Isend(out, next(POSTED, out), MPI_BYTE, right, POSTED, comms[0], &requests[1]);
        switch_somehow(step, 1);
        MPI_Waitall(2, requests, statuses);
        look(received[POSTED]++, in, &statuses[0]);

        /* The first is received a step later than the second and the third. */
        if (!soon) {
            late_number[step % 2] = received[LATE]++;
            MPI_Irecv(late[step % 2], LONGEST, MPI_BYTE, step % 4 ? MPI_ANY_SOURCE : left, LATE, comms[0], &waiting[step % 2]);
        }
        for (int i = soon; i < 3; i++)
            send(LATE, comms[0]);
        receive(MPI_ANY_SOURCE, LATE, comms[0]);
        receive(left, LATE, comms[0]);
        if (step > 0) {
            int before = (step + 1) % 2;
            if (!soon) {
                MPI_Wait(&waiting[before], &status);
                look(late_number[before], late[before], &status);
            }
            MPI_Mrecv(probed, LONGEST, MPI_BYTE, &message, &status);
            look(probed_number, probed, &status);
            MPI_Cancel(&never);
            MPI_Wait(&never, MPI_STATUS_IGNORE);
        }
        MPI_Start(&persistent);
        send(PERSISTENT, comms[1]);
        if (step % 2)
            switch_somehow(step, 2);
        MPI_Wait(&persistent, &status);
        look(received[PERSISTENT]++, in, &status);

        for (int i = 0; i < 2; i++)
            send(PROBED, comms[0]);
        MPI_Mprobe(left, PROBED, comms[0], &message, MPI_STATUS_IGNORE);
        probed_number = received[PROBED]++;
        receive(left, PROBED, comms[0]);

        MPI_Isend(out, next(FREED, out), MPI_BYTE, right, FREED, comms[0], &freed);
        MPI_Request_free(&freed);
        receive(left, FREED, comms[0]);
        MPI_Irecv(nothing, 1, MPI_BYTE, left, NEVER, comms[0], &never);
        collect(step);
        if (argc > 1)
            usleep(1000);
    }
    switch_somehow(steps, 0);
    MPI_Mrecv(probed, LONGEST, MPI_BYTE, &message, &status);
    look(probed_number, probed, &status);
    if (!soon) {
        MPI_Wait(&waiting[(steps + 1) % 2], &status);
        look(late_number[(steps + 1) % 2], late[(steps + 1) % 2], &status);
    }
    MPI_Cancel(&never);
    MPI_Wait(&never, MPI_STATUS_IGNORE);
    MPI_Request_free(&persistent);
    MPI_Pcontrol(2);
    on = 1;
    long all;
    COLLECTIVE(MPI_Reduce(&pairs, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD));
    if (rank == 0)
        printf("counted pairs=%ld\n", all);
    print_counted();
    MPI_Finalize();
}
