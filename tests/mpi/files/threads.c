/* Two threads of each process read and write files of their own, and one waits for what the other
 * began. */
#include "verdict.h"
#include <pthread.h>

static MPI_File files[2];
static MPI_Request request;
static char more[8];

static void *write_and_read(void *argument)
{
    int number = *(int *)argument;
    char data[32];
    memset(data, 'a', sizeof data);
    for (int k = 0; k < 8; k++) {
        MPI_File_write_at(files[number], 32 * k, data, 32, MPI_CHAR, MPI_STATUS_IGNORE);
        MPI_File_read_at(files[number], 32 * k, data, 16, MPI_CHAR, MPI_STATUS_IGNORE);
    }
    if (number == 1)
        MPI_File_iread_at(files[1], 0, more, 8, MPI_CHAR, &request);
    return NULL;
}

int main(int argc, char **argv)
{
    int level, numbers[2] = {0, 1};
    pthread_t thread;
    char name[32];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int k = 0; k < 2; k++) {
        snprintf(name, sizeof name, "data-%d-%d", rank, k);
        MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &files[k]);
    }
    if (level == MPI_THREAD_MULTIPLE) {
        pthread_create(&thread, NULL, write_and_read, &numbers[1]);
        write_and_read(&numbers[0]);
        pthread_join(thread, NULL);
    } else {
        write_and_read(&numbers[0]);
        write_and_read(&numbers[1]);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    moved[WRITTEN] += 2 * 8 * 32;
    moved[READ] += 2 * 8 * 16 + 8;
    for (int k = 0; k < 2; k++)
        MPI_File_close(&files[k]);
    return end();
}
