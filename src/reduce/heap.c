/* A binary heap in an array; the children of i are 2i + 1 and 2i + 2. Equal
   counts come in the order of their pairs, so that results are reproducible. */
#include "reduce/heap.h"

#include <stdbool.h>

static bool before(HeapEntry x, HeapEntry y) {
  if (x.count != y.count) return x.count > y.count;
  return x.a != y.a ? x.a < y.a : x.b < y.b;
}

void heap_push(Heap *heap, HeapEntry entry) {
  vector_push(heap, entry);
  uint32_t at = heap->count - 1;
  while (at && before(entry, heap->data[(at - 1) / 2])) {
    heap->data[at] = heap->data[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  heap->data[at] = entry;
}

HeapEntry heap_pop(Heap *heap) {
  HeapEntry top = heap->data[0], last = heap->data[--heap->count];
  uint32_t at = 0;
  while (2 * at + 1 < heap->count) {
    uint32_t child = 2 * at + 1;
    if (child + 1 < heap->count &&
        before(heap->data[child + 1], heap->data[child]))
      child++;
    if (!before(heap->data[child], last)) break;
    heap->data[at] = heap->data[child];
    at = child;
  }
  heap->data[at] = last;
  return top;
}
