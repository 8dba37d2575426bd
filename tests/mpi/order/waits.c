/* Which of several requests: each wait and test for any, some, all and one, over receives from
 * somebody, receives from anybody and a nonblocking collective. */
#include "saw.h"

enum { ROUNDS = 3, FORMS = 7 };
#define MOST 64

static int count, data[MOST], done[MOST];
static MPI_Request requests[MOST];

static void finished(int index, const MPI_Status *status)
{
    saw(index);
    if (index < count - 1) {
        saw(data[index]);
        saw(status->MPI_SOURCE);
    }
    done[index] = 1;
}

static int left(void)
{
    int n = 0;
    for (int k = 0; k < count; k++)
        n += !done[k];
    return n;
}

static void complete(int form)
{
    int index, flag = 0, n, indices[MOST], polls = 0;
    MPI_Status status = {0}, statuses[MOST];
    switch (form) {
    case 0:
        MPI_Waitany(count, requests, &index, &status);
        finished(index, &status);
        break;
    case 1:
    case 2:
        do {
            if (form == 1)
                MPI_Waitsome(count, requests, &n, indices, statuses);
            else
                MPI_Testsome(count, requests, &n, indices, statuses);
            polls++;
        } while (n == 0);
        for (int k = 0; k < n; k++)
            finished(indices[k], &statuses[k]);
        break;
    case 3:
        for (; !flag; polls++)
            MPI_Testany(count, requests, &index, &flag, &status);
        finished(index, &status);
        break;
    case 4:
        for (int k = 0; !flag; k = (k + 1) % count, polls++)
            if (!done[k]) {
                MPI_Test(&requests[k], &flag, &status);
                if (flag)
                    finished(k, &status);
            }
        break;
    case 5:
        for (int k = 0; !flag; k = (k + 1) % count, polls++)
            if (!done[k])
                MPI_Request_get_status(requests[k], &flag, MPI_STATUS_IGNORE);
        break;
    case 6:
        for (; !flag; polls++)
            MPI_Testall(count, requests, &flag, MPI_STATUSES_IGNORE);
        for (int k = 0; k < count; k++)
            if (!done[k])
                finished(k, &status);
        break;
    }
    saw(polls);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    look_around();
    count = 2 * (size - 1) + 1;
    for (int round = 0; round < ROUNDS * FORMS; round++) {
        MPI_Request collective;
        if (rank > 0) {
            for (int tag = 0; tag < 2; tag++) {
                int out = 100 * rank + round;
                dawdle(500);
                MPI_Send(&out, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
            }
            MPI_Ibarrier(MPI_COMM_WORLD, &collective);
            MPI_Wait(&collective, MPI_STATUS_IGNORE);
            continue;
        }
        for (int k = 0; k < count - 1; k++) /* by name, and from anybody */
            MPI_Irecv(&data[k], 1, MPI_INT, k % 2 ? k / 2 + 1 : MPI_ANY_SOURCE, k % 2, MPI_COMM_WORLD, &requests[k]);
        MPI_Ibarrier(MPI_COMM_WORLD, &requests[count - 1]);
        for (int k = 0; k < count; k++)
            done[k] = 0;
        for (int form = round; left() > 0; form++)
            complete(form % FORMS == 6 && left() < count ? 0 : form % FORMS);
    }
    print_saw();
    MPI_Finalize();
}
