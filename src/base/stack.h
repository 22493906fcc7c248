/* How far recursion may go. */
#ifndef TAFL_BASE_STACK_H
#define TAFL_BASE_STACK_H

/* The address that recursion of this thread should not go below: half of what
   the stack has left here, so that what is called there has the other half. */
const char *stack_end(void);

#endif
