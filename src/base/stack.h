/* How far recursion may go. */
#ifndef TAFL_BASE_STACK_H
#define TAFL_BASE_STACK_H

#include <stddef.h>

/* The address that recursion of this thread should not go below: half of what
   the stack has left here, so that what is called there has the other half. */
const char *stack_end(void);

/* Run `work` where the stack has `size` bytes left: in this thread if it has
   them, else in one made for it, if that can be had. */
typedef void StackWork(void *context);
void stack_run(size_t size, StackWork *work, void *context);

#endif
