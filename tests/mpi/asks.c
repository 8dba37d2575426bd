/* Asks whether its MPI has MPI_Type_size_c, which is newer than many, before it calls it. */
#include <mpi.h>
#include <stdio.h>

extern int MPI_Type_size_c(MPI_Datatype type, MPI_Count *size) __attribute__((weak));

int main(int argc, char **argv)
{
    MPI_Count large = 0;
    int size = 0;

    MPI_Init(&argc, &argv);
    if (MPI_Type_size_c)
        MPI_Type_size_c(MPI_DOUBLE, &large);
    else
        MPI_Type_size(MPI_DOUBLE, &size);
    printf("%s: %d\n", MPI_Type_size_c ? "has it" : "has it not", (int)large + size);
    return MPI_Finalize();
}
