/* A tool that looks whether it has MPI, and is linked with none. */
#include <stdio.h>

extern int MPI_Initialized(int *flag) __attribute__((weak));

int main(void)
{
    int flag = 0;
    if (MPI_Initialized)
        MPI_Initialized(&flag);
    printf("%s, %d\n", MPI_Initialized ? "MPI" : "no MPI", flag);
    return 0;
}
