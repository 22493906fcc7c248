/* A binary heap. */
#include "scale/moments.h"

static bool before(const Event *a, const Event *b) {
  return a->time < b->time || (a->time == b->time && a->number < b->number);
}

void moments_add(Moments *moments, double time, uint32_t kind, uint32_t item) {
  Event event = {time, moments->added++, kind, item};
  vector_push(&moments->heap, event);
  Event *heap = moments->heap.data;
  uint32_t at = moments->heap.count - 1;
  for (; at && before(&event, &heap[(at - 1) / 2]); at = (at - 1) / 2)
    heap[at] = heap[(at - 1) / 2];
  heap[at] = event;
}

bool moments_take(Moments *moments, Event *event) {
  Event *heap = moments->heap.data;
  if (!moments->heap.count) return false;
  *event = heap[0];
  Event last = heap[--moments->heap.count];
  uint32_t count = moments->heap.count, at = 0;
  for (;;) {
    uint32_t child = 2 * at + 1;
    if (child >= count) break;
    if (child + 1 < count && before(&heap[child + 1], &heap[child])) child++;
    if (!before(&heap[child], &last)) break;
    heap[at] = heap[child];
    at = child;
  }
  if (count) heap[at] = last;
  return true;
}

void moments_free(Moments *moments) {
  vector_free(&moments->heap);
}
