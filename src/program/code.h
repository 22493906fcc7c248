/* Machine code for lane vectors of eight words, for processors with AVX-512. */
#ifndef TAFL_PROGRAM_CODE_H
#define TAFL_PROGRAM_CODE_H

#include "program/order.h"

typedef struct Code {
  void *bytes; /* NULL: none */
  size_t size;
} Code;

/* slots[value] is the value's own from the step that makes it to the last that
   needs it. Values in slots below `fixed` are found there afterwards. False if
   the system gives no memory that can be executed. */
bool code_make(const Order *order, const uint32_t *slots, uint32_t fixed,
               uint32_t slot_count, Code *code);
void code_run(const Code *code, uint64_t *memory);
void code_free(Code *code);

#endif
