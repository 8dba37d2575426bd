/* A thread of its own that ends before anything else goes on.
   flags: -pthread */
#include <pthread.h>
#include <stdio.h>
static void *work(void *n) { for (int i = 0; i < 3; i++) ++*(int *)n; return n; }
int main(void)
{
  pthread_t thread;
  int n = 4;
  if (pthread_create(&thread, 0, work, &n)) return 9;
  pthread_join(thread, 0);
  return n;
}
