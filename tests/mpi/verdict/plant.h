/* What the programs of this folder do for a while: nothing, so that other
 * programs on the machine change little, or so many steps of work. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Sleeps. */
static inline void rest(int ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000L};
    while (nanosleep(&time, &time) != 0)
        ;
}
