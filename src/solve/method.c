/* The table of methods. A new one is added here and nowhere else. */
#include "solve/method.h"

#include <string.h>

#include "base/clock.h"
#include "solve/deepen.h"

const MethodKind *const method_kinds[] = {
    &deepen_method,
    NULL,
};
const uint32_t method_kind_count =
    sizeof method_kinds / sizeof *method_kinds - 1;

const MethodKind *method_find(const char *name) {
  for (uint32_t i = 0; i < method_kind_count; i++)
    if (strcmp(method_kinds[i]->name, name) == 0) return method_kinds[i];
  return NULL;
}

bool method_slice_over(const Slice *slice, uint64_t states) {
  if (states >= slice->states) return true;
  if (slice->stop && atomic_load_explicit(slice->stop, memory_order_relaxed))
    return true;
  return slice->until > 0 && clock_now() >= slice->until;
}
