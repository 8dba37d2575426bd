/* Forks after MPI_Init: the child exits at once without a call of MPI, while the
 * parent exchanges messages and waits for it. */
#include "count.h"
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int status = -1, got;
    MPI_Init(&argc, &argv);
    look_around();
    pid_t child = fork();
    if (child == 0)
        _exit(5);
    CHECK(child > 0);
    for (int i = 0; i < 10; i++) {
        MPI_Sendrecv(&i, 1, MPI_INT, right, 0, &got, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        count_sent(right, sizeof i);
        count_received(left, sizeof got);
        CHECK(got == i);
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 5);
    print_counted();
    MPI_Finalize();
}
