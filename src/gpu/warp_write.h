/* Parts of kernels in which a warp looks after a node of a tree or a brood: the
   loop over its row of legal moves, and what follows from these of each role.
   They use registers that the kernel declares: lane, at, s0 to s2, p, d0, d1,
   and `row`, the address of the row of moves; d_masks has a row of the moves of
   each role. */
#ifndef TAFL_GPU_WARP_WRITE_H
#define TAFL_GPU_WARP_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* i: the number of this warp, or thread; stride: how many there are. */
void warp_write_number(bool warps, Text *text);
/* to = array + size · item */
void warp_write_item(const char *to, const char *array, const char *item,
                     uint32_t size, Text *text);

/* Begins a loop in which the threads of a warp go through a row of legal moves,
   which has so many words of 64 bits: s0 is the thread's word of 32, of the
   moves of a role. The label is also the beginning of that of the end. */
void warp_write_words(const char *label, const char *role, uint32_t words,
                      Text *text);
void warp_write_words_end(const char *label, Text *text);

/* Sets count, and first<role>: a role's legal moves, and the first of them. The
   mover is the role with the most, n; `choosers` counts roles that have a
   choice; over and stuck are set if the role has no move. */
void warp_write_role(uint32_t role, uint32_t words, Text *text);

/* In that loop: slots is the number of the thread's first move among all of the
   role's, from `base` on, which counts those of the words so far. */
void warp_write_rank(Text *text);

#endif
