/* A library that calls MPI itself, whatever MPI it is: for a program in another language. */
int MPI_Initialized(int *flag);

int from_c(void)
{
    int flag;
    return MPI_Initialized(&flag) + 0 * flag; /* the call */
}
