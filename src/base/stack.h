/* Limits of recursion. */
#ifndef TAFL_BASE_STACK_H
#define TAFL_BASE_STACK_H

#include <stddef.h>

/* Returns the address below which recursion in this thread should stop: it may
   use half of the stack that is left here, so that what it calls at the end has
   the other half. */
const char *stack_end(void);

/* Runs `work` with `size` bytes of stack: in this thread if it has them,
   otherwise in a new one if the system allows. */
typedef void StackWork(void *context);
void stack_run(size_t size, StackWork *work, void *context);

#endif
