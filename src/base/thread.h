/* Threads with a stack deep enough for evaluation and for reading nested
   text. */
#ifndef TAFL_BASE_THREAD_H
#define TAFL_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { THREAD_STACK = 8 << 20 }; /* bytes; the least that evaluation expects */

typedef void *ThreadWork(void *context);

/* Starts a thread with a stack of `stack` bytes; the caller joins it. Returns
   false if the system has no more threads. */
bool thread_start(pthread_t *thread, size_t stack, ThreadWork *work,
                  void *context);
/* The same for a thread that nobody joins. */
bool thread_detach(size_t stack, ThreadWork *work, void *context);

#endif
