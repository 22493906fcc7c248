#include "base/thread.h"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

uint32_t thread_processors(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  int count = CPU_COUNT(&set);
  return count > 1 ? (uint32_t)count : 1;
}

static bool create(pthread_t *thread, size_t stack, int state, ThreadWork *work,
                   void *context) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack);
  pthread_attr_setdetachstate(&attributes, state);
  int failed = pthread_create(thread, &attributes, work, context);
  pthread_attr_destroy(&attributes);
  return !failed;
}

bool thread_start(pthread_t *thread, size_t stack, ThreadWork *work,
                  void *context) {
  return create(thread, stack, PTHREAD_CREATE_JOINABLE, work, context);
}

bool thread_detach(size_t stack, ThreadWork *work, void *context) {
  pthread_t thread;
  return create(&thread, stack, PTHREAD_CREATE_DETACHED, work, context);
}

/* Priorities are those of threads (man 2 setpriority, "C library/kernel
   differences"). */
void thread_be_nice(int nice) {
  id_t own = (id_t)gettid();
  setpriority(PRIO_PROCESS, own, getpriority(PRIO_PROCESS, own) + nice);
}

void thread_wake_promptly(void) {
  prctl(PR_SET_TIMERSLACK, 1UL, 0, 0, 0); /* nanoseconds */
}
