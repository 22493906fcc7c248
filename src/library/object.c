/* The structure of an object is allocated outside its scope: it is what remains
   after a failure. */
#include "library/object.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local char message[1024];

tafl_status object_fail(tafl_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return status;
}

const char *tafl_message(void) {
  return message;
}

const char *tafl_version(void) {
  return TAFL_VERSION;
}

const char *tafl_status_name(tafl_status status) {
  static const char *const names[] = {
      [TAFL_OK] = "TAFL_OK",
      [TAFL_ERROR_ARGUMENT] = "TAFL_ERROR_ARGUMENT",
      [TAFL_ERROR_FILE] = "TAFL_ERROR_FILE",
      [TAFL_ERROR_RULES] = "TAFL_ERROR_RULES",
      [TAFL_ERROR_ENGINE] = "TAFL_ERROR_ENGINE",
      [TAFL_ERROR_MOVE] = "TAFL_ERROR_MOVE",
      [TAFL_ERROR_STATE] = "TAFL_ERROR_STATE",
      [TAFL_ERROR_AGENT] = "TAFL_ERROR_AGENT",
      [TAFL_ERROR_LIMIT] = "TAFL_ERROR_LIMIT",
      [TAFL_ERROR_MEMORY] = "TAFL_ERROR_MEMORY",
  };
  return (size_t)status < sizeof names / sizeof *names ? names[status]
                                                       : "unknown status";
}

void *object_new(size_t size, uint64_t limit) {
  Object *object = calloc(1, size);
  if (object)
    scope_init(&object->scope,
               limit < SIZE_MAX / 4 ? (size_t)limit : SIZE_MAX / 4, true);
  else
    object_fail(TAFL_ERROR_MEMORY, "the system has no more memory");
  return object;
}

void object_delete(Object *object) {
  if (!object) return;
  scope_release(&object->scope);
  pthread_mutex_destroy(&object->scope.lock);
  free(object);
}

/* Messages of the engines may name the option of the command line that sets a
   limit, as in "more than 64 MiB (--memory)". */
static void drop_option(char *text) {
  char *option = strstr(text, " (--");
  if (!option) return;
  char *rest = option + strcspn(option, ")");
  if (*rest) rest++;
  memmove(option, rest, strlen(rest) + 1);
}

tafl_status object_end(Object *object, tafl_status status, const char *reason) {
  object->status = status;
  snprintf(object->reason, sizeof object->reason, "%s", reason);
  drop_option(object->reason);
  return object_fail(status, "%s", object->reason);
}

tafl_status object_call(Object *object, TrialWork *work, void *context) {
  if (object->status) return object_fail(object->status, "%s", object->reason);
  if (trial_run_in(&object->scope, work, context)) return TAFL_OK;
  return object_end(object, TAFL_ERROR_MEMORY,
                    trial_limit_reached() ? "the memory limit was reached"
                                          : "the system has no more memory");
}
