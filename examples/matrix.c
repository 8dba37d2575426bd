/* Matrix multiplication by a master and workers: C = A B in stripes of rows.
 *
 * Every worker gets B and a stripe of A; whoever sends a result back gets the
 * next stripe. The master takes results from anybody, in the order in which
 * they come; the product does not depend on it.
 *
 *     matrix [size = 240] [rows of a stripe = 4] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORK = 1, RESULT, STOP };

static int size, rows;

/* One stripe of the product: rows of A times B. */
static void multiply(const double *a, const double *b, double *c)
{
    memset(c, 0, sizeof(double) * rows * size);
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < size; k++)
            for (int j = 0; j < size; j++)
                c[i * size + j] += a[i * size + k] * b[k * size + j];
}

/* Sends stripe `first` to a worker; the first word says which. */
static void send_stripe(const double *a, int first, int worker, double *message)
{
    message[0] = first;
    memcpy(message + 1, a + (size_t)first * size, sizeof(double) * rows * size);
    MPI_Send(message, 1 + rows * size, MPI_DOUBLE, worker, WORK, MPI_COMM_WORLD);
}

static void master(const double *a, double *c, int workers)
{
    double *message = malloc(sizeof(double) * (1 + rows * size));
    int next = 0, outstanding = 0;
    for (int worker = 1; worker <= workers && next < size; worker++, next += rows, outstanding++)
        send_stripe(a, next, worker, message);
    while (outstanding > 0) {
        MPI_Status status;
        MPI_Recv(message, 1 + rows * size, MPI_DOUBLE, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &status);
        memcpy(c + (size_t)message[0] * size, message + 1, sizeof(double) * rows * size);
        outstanding--;
        if (next < size) {
            send_stripe(a, next, status.MPI_SOURCE, message);
            next += rows;
            outstanding++;
        }
    }
    for (int worker = 1; worker <= workers; worker++)
        MPI_Send(message, 0, MPI_DOUBLE, worker, STOP, MPI_COMM_WORLD);
    free(message);
}

static void worker(const double *b)
{
    double *message = malloc(sizeof(double) * (1 + rows * size));
    double *product = malloc(sizeof(double) * (1 + rows * size));
    for (;;) {
        MPI_Status status;
        MPI_Recv(message, 1 + rows * size, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == STOP)
            break;
        product[0] = message[0];
        multiply(message + 1, b, product + 1);
        MPI_Send(product, 1 + rows * size, MPI_DOUBLE, 0, RESULT, MPI_COMM_WORLD);
    }
    free(message);
    free(product);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, processes;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    rows = argc > 2 ? atoi(argv[2]) : 4;
    size = argc > 1 ? atoi(argv[1]) : 240;
    if (processes < 2 || rows < 1 || size < rows || size % rows) {
        if (rank == 0)
            fprintf(stderr, "two processes at least, and a size that is a multiple of the rows\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    double *a = malloc(sizeof(double) * size * size);
    double *b = malloc(sizeof(double) * size * size);
    double *c = malloc(sizeof(double) * size * size);
    for (int i = 0; i < size * size; i++) {
        a[i] = i % 7 - 3;
        b[i] = i % 5 - 2;
    }
    double began = MPI_Wtime();
    MPI_Bcast(b, size * size, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    double start = MPI_Wtime(), sum = 0;
    if (rank == 0)
        master(a, c, processes - 1);
    else
        worker(b);
    MPI_Barrier(MPI_COMM_WORLD);
    double multiplied = MPI_Wtime();
    for (int i = 0; rank == 0 && i < size * size; i++)
        sum += c[i] * (i % 11);
    if (rank == 0) {
        double end = MPI_Wtime();
        printf("checksum %.0f\n", sum);
        fprintf(stderr, "seconds %.6f\n", end - start);
        fprintf(stderr, "stages: distribute %.6f multiply %.6f sum %.6f\n", start - began, multiplied - start, end - multiplied);
    }
    free(a);
    free(b);
    free(c);
    MPI_Finalize();
}
