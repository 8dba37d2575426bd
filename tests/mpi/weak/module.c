/* A module that is opened RTLD_LOCAL, and its libmpi with it: what it asks the loader for by
 * name is in its own scope. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>

int has(const char *name)
{
    return dlsym(RTLD_DEFAULT, name) != NULL;
}

int start(void)
{
    int (*init)(int *, char ***);
    *(void **)&init = dlsym(RTLD_DEFAULT, "MPI_Init");
    return init == NULL ? 1 : init(NULL, NULL);
}

int end(void)
{
    return MPI_Finalize();
}
