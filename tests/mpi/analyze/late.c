/* Of two ranks one comes late to each of these: the other one waits, in the
 * line and way that a comment tells, for the rank that it names. The barrier
 * before each keeps apart what belongs to different ones; of the one marked
 * WORST is waited for longest. */
#include <mpi.h>
#include <unistd.h>

enum { MS = 1000, ROUNDS = 2 };

static int rank, one = 1, sum;

/* Lets a rank come so many milliseconds late. */
static void late(int who, int ms)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == who)
        usleep(ms * MS);
}

int main(int argc, char **argv)
{
    MPI_Comm all = MPI_COMM_WORLD;
    MPI_Status *none = MPI_STATUS_IGNORE;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(all, &rank);
    for (int round = 0; round < ROUNDS; round++) {
        late(1, 80);
        if (rank == 0)
            MPI_Recv(&one, 1, MPI_INT, 1, 0, all, none); /* WAIT: late sender, rank 0 for rank 1 */
        else
            MPI_Send(&one, 1, MPI_INT, 0, 0, all);
        late(0, 80);
        if (rank == 0)
            MPI_Recv(&one, 1, MPI_INT, 1, 1, all, none);
        else
            MPI_Ssend(&one, 1, MPI_INT, 0, 1, all); /* WAIT: late receiver, rank 1 for rank 0 */
        if (rank == 0)
            MPI_Irecv(&one, 1, MPI_INT, 1, 2, all, &request);
        late(1, 80);
        if (rank == 0)
            MPI_Wait(&request, none); /* WAIT: late sender, rank 0 for rank 1 */
        else
            MPI_Send(&one, 1, MPI_INT, 0, 2, all);
        late(0, 300);
        MPI_Barrier(all); /* WAIT: wait at barrier, rank 1 for rank 0; WORST */
        late(1, 80);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all); /* WAIT: wait at n x n, rank 0 for rank 1 */
        late(1, 80);
        MPI_Bcast(&one, 1, MPI_INT, 1, all); /* WAIT: late broadcast, rank 0 for rank 1 */
        late(1, 80);
        MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, all); /* WAIT: early reduce, rank 0 for rank 1 */
        late(0, 80);
        MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, all); /* WAIT: early scan, rank 1 for rank 0 */
    }
    MPI_Finalize();
    return 0;
}
