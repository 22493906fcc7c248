/* Growing arrays of any type: VECTOR(Term) terms = {0}; vector_push(&terms, t);
   Elements are terms.data[0 … terms.count - 1]; pointers into data are valid
   until the next push. */
#ifndef TAFL_BASE_VECTOR_H
#define TAFL_BASE_VECTOR_H

#include <stdint.h>
#include <string.h>

#include "base/memory.h"

#define VECTOR(type) \
  struct { \
    type *data; \
    uint32_t count, capacity; \
  }

typedef VECTOR(uint32_t) NumberVector;

#define vector_push(vector, value) \
  do { \
    if ((vector)->count == (vector)->capacity) \
      vector_grow(vector, (vector)->count + 1); \
    (vector)->data[(vector)->count++] = (value); \
  } while (0)

/* Makes room for at least `wanted` elements. */
#define vector_grow(vector, wanted) \
  ((vector)->data = vector_grown((vector)->data, &(vector)->capacity, wanted, \
                                 sizeof *(vector)->data))

/* The same, and does nothing if there is room. */
#define vector_reserve(vector, wanted) \
  do { \
    if ((wanted) > (vector)->capacity) vector_grow(vector, wanted); \
  } while (0)

/* Sets the count; new elements are not initialised. */
#define vector_resize(vector, wanted) \
  do { \
    if ((wanted) > (vector)->capacity) vector_grow(vector, wanted); \
    (vector)->count = (wanted); \
  } while (0)

/* Releases room that is not needed; room for one element always stays. */
#define vector_shrink(vector) \
  ((vector)->capacity = (vector)->count ? (vector)->count : 1, \
   (vector)->data = memory_resize((vector)->data, (vector)->capacity * \
                                                      sizeof *(vector)->data))

#define vector_last(vector) ((vector)->data[(vector)->count - 1])
#define vector_clear(vector) ((vector)->count = 0)
#define vector_free(vector) \
  (memory_delete((vector)->data), (vector)->data = NULL, \
   (vector)->count = (vector)->capacity = 0)

void *vector_grown(void *data, uint32_t *capacity, uint32_t wanted,
                   size_t size);

#endif
