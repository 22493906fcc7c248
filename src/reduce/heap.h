/* Pairs in order of a count, highest first. A count in the heap may be out of
   date: the caller checks it, and puts the pair back with the true one. */
#ifndef TAFL_REDUCE_HEAP_H
#define TAFL_REDUCE_HEAP_H

#include "base/vector.h"

typedef struct HeapEntry {
  uint32_t count, a, b;
} HeapEntry;

typedef VECTOR(HeapEntry) Heap;

void heap_push(Heap *heap, HeapEntry entry);
HeapEntry heap_pop(Heap *heap); /* must not be empty */

#endif
