/* No MPI in it: the agent must leave such a program alone. */
#include <stdio.h>

int main(void)
{
    puts("hello without MPI");
}
