/* A binary heap of the variables that may be decided, the most active on top.
   [0] is not used; a variable knows its place. */
#include "base/sat_parts.h"

static bool more_active(const Sat *sat, uint32_t a, uint32_t b) {
  return sat->variables.data[a].activity > sat->variables.data[b].activity;
}

static void heap_put(Sat *sat, uint32_t place, uint32_t variable) {
  sat->heap.data[place] = variable;
  sat->variables.data[variable].place = place;
}

void sat_heap_rise(Sat *sat, uint32_t place) {
  uint32_t variable = sat->heap.data[place];
  for (; place > 1 && more_active(sat, variable, sat->heap.data[place / 2]);
       place /= 2)
    heap_put(sat, place, sat->heap.data[place / 2]);
  heap_put(sat, place, variable);
}

static void heap_sink(Sat *sat, uint32_t place) {
  uint32_t variable = sat->heap.data[place];
  for (uint32_t child; (child = place * 2) < sat->heap.count; place = child) {
    if (child + 1 < sat->heap.count &&
        more_active(sat, sat->heap.data[child + 1], sat->heap.data[child]))
      child++;
    if (!more_active(sat, sat->heap.data[child], variable)) break;
    heap_put(sat, place, sat->heap.data[child]);
  }
  heap_put(sat, place, variable);
}

void sat_heap_add(Sat *sat, uint32_t variable) {
  if (sat->variables.data[variable].place) return;
  vector_push(&sat->heap, variable);
  sat_heap_rise(sat, sat->heap.count - 1);
}

uint32_t sat_heap_take(Sat *sat) {
  uint32_t top = sat->heap.data[1];
  uint32_t last = sat->heap.data[--sat->heap.count];
  sat->variables.data[top].place = 0;
  if (sat->heap.count > 1) {
    heap_put(sat, 1, last);
    heap_sink(sat, 1);
  }
  return top;
}

void sat_heap_clear(Sat *sat) {
  for (uint32_t i = 1; i < sat->heap.count; i++)
    sat->variables.data[sat->heap.data[i]].place = 0;
  sat->heap.count = 1;
}
