/* Whose a port is: the process that listens at it, as far as the system tells.
 */
#ifndef TAFL_IO_OWNER_H
#define TAFL_IO_OWNER_H

#include <sys/types.h>

#include "base/text.h"

typedef struct Owner {
  pid_t pid; /* 0: unknown, for example another user's */
  Text command;
  Text user;
} Owner;

/* Returns false if nobody listens at the TCP port; nothing to free then. */
bool owner_find(Owner *owner, unsigned port);
void owner_free(Owner *owner);

#endif
