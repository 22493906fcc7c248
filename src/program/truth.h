/* Truth tables of three variables.

   Bit (a << 2 | b << 1 | c) of a table is the value at a, b, c: the order of
   the AVX-512 instruction vpternlog. */
#ifndef TAFL_PROGRAM_TRUTH_H
#define TAFL_PROGRAM_TRUTH_H

#include <stdbool.h>
#include <stdint.h>

enum { TRUTH_A = 0xf0, TRUTH_B = 0xcc, TRUTH_C = 0xaa };

/* Returns whether the table depends on variable 0 (a), 1 (b) or 2 (c). */
bool truth_depends(uint8_t table, uint32_t variable);
/* Returns the table with variable i moved to place[i]; variables that it does
   not depend on may share a place. */
uint8_t truth_move(uint8_t table, const uint32_t place[3]);
/* Returns the table with a variable fixed; it does not depend on that then. */
uint8_t truth_fix(uint8_t table, uint32_t variable, bool value);
/* Returns the table with variable i negated. */
uint8_t truth_negate(uint8_t table, uint32_t variable);

#endif
