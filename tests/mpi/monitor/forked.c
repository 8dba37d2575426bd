/* Forks a child that goes through procedures and loops too: they are not
 * counted, and it ends as it should. */
#include <mpi.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int work(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += getppid() > 0;
    return sum;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int status = -1;
    work(3);
    pid_t child = fork();
    if (child == 0)
        _exit(work(7));
    waitpid(child, &status, 0);
    printf("child ended with %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    MPI_Finalize();
}
