/* Eras count from 1; 0 is no member in any era. After 2^32 - 1 of them all
   marks are wiped and counting starts again. */
#include "base/marks.h"

void marks_clear(Marks *marks) {
  if (++marks->era) return;
  if (marks->eras.count)
    memset(marks->eras.data, 0, marks->eras.count * sizeof(uint32_t));
  marks->era = 1;
}

void marks_grow(Marks *marks, uint32_t number) {
  uint32_t old = marks->eras.count;
  if (number >= marks->eras.capacity) vector_grow(&marks->eras, number + 1);
  marks->eras.count = marks->eras.capacity;
  memset(marks->eras.data + old, 0,
         (marks->eras.count - old) * sizeof(uint32_t));
}

void marks_remove(Marks *marks, uint32_t number) {
  if (marks_has(marks, number)) marks->eras.data[number] = 0;
}

void marks_free(Marks *marks) {
  vector_free(&marks->eras);
}
