/* The lowest address of a thread's stack is looked up once, since for the main
   thread the C library reads a file. The main thread's stack ends at the limit
   (ulimit -s), those of others at the size they were made with. */
#include "base/stack.h"

#include "base/thread.h"

enum {
  ASSUMED = 512 << 10, /* bytes left if the system does not say */
  RESERVE = 64 << 10   /* of a new stack, beyond what the work needs */
};

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

static ptrdiff_t room_below(const char *here) {
  static _Thread_local const char *lowest;
  if (!lowest) lowest = find_lowest(here);
  return here - lowest;
}

const char *stack_end(void) {
  const char *here = __builtin_frame_address(0);
  return here - room_below(here) / 2;
}

typedef struct Errand {
  StackWork *work;
  void *context;
} Errand;

static void *do_errand(void *context) {
  Errand *errand = context;
  errand->work(errand->context);
  return NULL;
}

void stack_run(size_t size, StackWork *work, void *context) {
  Errand errand = {work, context};
  pthread_t thread;
  if (room_below(__builtin_frame_address(0)) < (ptrdiff_t)size &&
      thread_start(&thread, size + RESERVE, do_errand, &errand))
    pthread_join(thread, NULL);
  else
    work(context);
}
