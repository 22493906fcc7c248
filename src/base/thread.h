/* Threads with a stack large enough for evaluating rules and reading nested
   text. */
#ifndef TAFL_BASE_THREAD_H
#define TAFL_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { THREAD_STACK = 8 << 20 }; /* bytes; the least that evaluation expects */

/* The processors that this process may use. */
uint32_t thread_processors(void);

typedef void *ThreadWork(void *context);

/* Starts a thread with a stack of `stack` bytes; the caller joins it. Returns
   false if the system cannot create another. */
bool thread_start(pthread_t *thread, size_t stack, ThreadWork *work,
                  void *context);
/* The same for a detached thread. */
bool thread_detach(size_t stack, ThreadWork *work, void *context);
/* Lowers the priority of the calling thread, and of those that it will start,
   by so much. */
void thread_be_nice(int nice);
/* Sleep of the calling thread ends when it should; otherwise the system wakes
   it up to 50 µs later. */
void thread_wake_promptly(void);

#endif
