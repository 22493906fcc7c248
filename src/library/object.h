/* What games, positions and agents of the library have in common: a memory
   scope that lives as long as the object, and the way a call enters it. */
#ifndef TAFL_LIBRARY_OBJECT_H
#define TAFL_LIBRARY_OBJECT_H

#include "base/log.h"
#include "base/trial.h"
#include "library/tafl.h"

typedef struct Object {
  Scope scope;
  tafl_status status; /* of the failure that ended it; TAFL_OK: it works */
  char reason[200];   /* of that */
} Object;

/* Sets the message of this thread; returns the status. */
tafl_status object_fail(tafl_status status, const char *format, ...)
    PRINTF_LIKE(2, 3);

/* A zeroed structure of `size` bytes that begins with an Object; NULL, with the
   message set, if the system has no memory. */
void *object_new(size_t size, uint64_t limit);
/* Releases everything that was allocated by calls on the object, and it. */
void object_delete(Object *object);

/* Runs `work` in the object's scope. If memory runs out, the object is ended
   and its scope released. Returns the object's status. */
tafl_status object_call(Object *object, TrialWork *work, void *context);
/* Ends the object: every call on it fails like this from now on. */
tafl_status object_end(Object *object, tafl_status status, const char *reason);

#endif
