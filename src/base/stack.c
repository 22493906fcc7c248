/* The lowest address of a thread's stack is asked for once: for the main thread
   the C library reads a file of the system. That stack ends where the limit on
   stacks says (ulimit -s), those of others where they were made to. */
#include "base/stack.h"

#include <pthread.h>
#include <stddef.h>

enum { ASSUMED = 512 << 10 }; /* bytes left, where nothing is known */

static const char *find_lowest(const char *here) {
  pthread_attr_t attributes;
  void *lowest = NULL;
  size_t size;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return here - ASSUMED;
  int failed = pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  return failed || (const char *)lowest > here ? here - ASSUMED : lowest;
}

const char *stack_end(void) {
  static _Thread_local const char *lowest;
  const char *here = __builtin_frame_address(0);
  if (!lowest) lowest = find_lowest(here);
  return lowest + (here - lowest) / 2;
}
