/* What each move of a puzzle needs and changes, and which moves it interferes
   with: those that it may make illegal, or change the effect of. Moves none of
   which interfere with each other can be made in any order, and lead to the
   same state. Fluents that depend on the number of steps alone are left out: a
   puzzle in which others read them has no such description. */
#ifndef TAFL_SOLVE_INTERFERE_H
#define TAFL_SOLVE_INTERFERE_H

#include "analyse/analysis.h"

typedef enum {
  WRITE_FALSE,
  WRITE_TRUE,
  WRITE_DEPENDS /* on the state */
} WriteKind;

typedef struct Write {
  uint32_t fluent;
  WriteKind kind;
} Write;

typedef struct InterfereMove {
  uint32_t writes, write_count; /* in Interfere.writes */
  uint32_t rivals, rival_count; /* in Interfere.rivals: moves it may harm */
  bool depends;                 /* it has writes that do */
} InterfereMove;

typedef enum {
  INTERFERE_WORKING,
  INTERFERE_READY,
  INTERFERE_USELESS /* there is no such description, or it is too large, or
                       nearly all moves interfere */
} InterfereStatus;

typedef struct Interfere {
  const Net *net; /* borrowed */
  VECTOR(InterfereMove) moves;
  VECTOR(Write) writes;
  NumberVector rivals;
  /* Values of the autonomous fluents after each number of steps from the start,
     as states of which all other bits are zero; `words` each. If `settled`,
     they stay as in the last one for good. */
  uint32_t words, time_count;
  VECTOR(uint64_t) times;
  bool settled;
  bool *timed; /* by fluent: it is among them, and its value changes */
  InterfereStatus status;
  struct InterfereMaker *maker; /* NULL once it is ready */
} Interfere;

/* The net has one role and no loops. */
void interfere_init(Interfere *interfere, const Net *net,
                    const Analysis *analysis, const uint64_t *start);
void interfere_free(Interfere *interfere);
/* Describes one more move. */
InterfereStatus interfere_work(Interfere *interfere);

static inline const uint64_t *interfere_time(const Interfere *interfere,
                                             uint32_t steps) {
  if (steps >= interfere->time_count) steps = interfere->time_count - 1;
  return interfere->times.data + (size_t)steps * interfere->words;
}

#endif
