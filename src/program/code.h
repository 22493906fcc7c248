/* Machine code for lane vectors of eight words, for processors with AVX-512. */
#ifndef TAFL_PROGRAM_CODE_H
#define TAFL_PROGRAM_CODE_H

#include "program/order.h"

typedef struct Code {
  void *bytes;       /* NULL: not made */
  ScopePages *pages; /* that they are in */
} Code;

/* slots[value] belongs to the value from the step that computes it to its last
   use. Values in slots below `fixed` are there after a run. Returns false if
   the system provides no executable memory. */
bool code_make(const Order *order, const uint32_t *slots, uint32_t fixed,
               uint32_t slot_count, Code *code);
void code_run(const Code *code, uint64_t *memory);
void code_free(Code *code);

#endif
