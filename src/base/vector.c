/* The growth policy of all vectors: double, starting from 8. */
#include "base/vector.h"

#include "base/trial.h"

void *vector_grown(void *data, uint32_t *capacity, uint32_t wanted,
                   size_t size) {
  uint64_t grown = *capacity ? *capacity : 8;
  while (grown < wanted) grown *= 2;
  if (grown <= *capacity) grown = (uint64_t)*capacity * 2;
  if (grown > UINT32_MAX) trial_fail("an array of over 4,294,967,295 elements");
  data = memory_resize(data, (size_t)grown * size); /* may not return */
  *capacity = (uint32_t)grown;
  return data;
}
