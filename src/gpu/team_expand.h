/* The team's kernel for expansions (gpu/expansion.h), which any game has, too:
   with the gates of a roster, as the one for playouts (gpu/team.h). A block
   expands as many words of 32 pairs together as its roster has, then takes the
   next group of words that no other block takes: groups are dealt in turn. */
#ifndef TAFL_GPU_TEAM_EXPAND_H
#define TAFL_GPU_TEAM_EXPAND_H

#include "gpu/roster.h"

/* Parameters of the entry `expand`, in this order. Results at 0 are not
   wanted. */
#define TEAM_EXPAND_PARAMETERS(POINTER, NUMBER) \
  POINTER(kinds)    /* of the roster */ \
  POINTER(operands) /* of the roster */ \
  POINTER(streams)  /* of the roster */ \
  POINTER(copies)   /* of the roster */ \
  POINTER(places)   /* by move of the net, then TEAM_EXPAND_NOWHERE up to a \
                       multiple of 64 */ \
  POINTER(goals)    /* TeamGoal, role by role */ \
  POINTER(bounds)   /* by role, and at the end: its first goal */ \
  POINTER(picked)   /* numbers of the pairs, of which results come to the \
                       same numbers; 0: all in turn */ \
  POINTER(limit)    /* there are no more pairs than it says; 0: as `count` */ \
  POINTER(states)   /* rows of fluents */ \
  POINTER(joints)   /* by pair and role: a move of the net; 0: no move */ \
  POINTER(successors) /* rows of fluents */ \
  POINTER(legal)      /* rows of moves */ \
  POINTER(terminal)   /* a byte each */ \
  POINTER(values)     /* by pair and role: the goal, or -1 */ \
  NUMBER(count)       /* of pairs */ \
  NUMBER(fluents) \
  NUMBER(row_words)   /* of 64 bits, of a state */ \
  NUMBER(legal_words) /* the same of a row of moves */ \
  NUMBER(copy_count) \
  NUMBER(first_move) /* slot */ \
  NUMBER(moves)      /* slots of the roster */ \
  NUMBER(roles) \
  NUMBER(terminal_place) \
  NUMBER(looks)  /* whether ROSTER_LOOK is to be run */ \
  NUMBER(judges) /* whether ROSTER_GOALS is to be run after that */

typedef struct TeamExpandLaunch {
#define POINTER(name) unsigned long long name; /* a CUdeviceptr */
#define NUMBER(name) uint32_t name;
  TEAM_EXPAND_PARAMETERS(POINTER, NUMBER)
#undef POINTER
#undef NUMBER
} TeamExpandLaunch;

#define TEAM_EXPAND_NOWHERE UINT32_MAX

/* Writes the module. */
void team_expand_write(const Roster *roster, Text *text);
/* Returns the bytes of shared memory that a block needs: its slots. */
uint32_t team_expand_shared(const Roster *roster);

#endif
