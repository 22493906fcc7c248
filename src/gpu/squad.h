/* The kernel for games of any size, with scores and credit, which solo kernels
   (gpu/solo.h) do not have: a block of 32 warps plays 32 words of games, as a
   team does (gpu/team.h), but the gates are code. A warp computes its part of
   every band (gpu/bands.h) for all 32 words, a thread for each; values that
   others read are in memory.

   What can be seen is computed in parts, and the moves that are known after a
   part are counted before the next one, which may use their memory again.

   All games of a block are in step: they go through the legs of a round
   (wide/legs.h) together, with code for each leg. A playout whose start belongs
   to another leg waits for it.

   A word of memory has a home: in the block's shared memory, or far, in memory
   of the card that the block has to itself. Near homes are places
   (gpu/roster.h): word g of the games is at place ^ g. */
#ifndef TAFL_GPU_SQUAD_H
#define TAFL_GPU_SQUAD_H

#include "gpu/roster.h"

#define SQUAD_NEVER UINT32_MAX

/* Parameters of the entry `play`, in this order, before those of a team. */
#define SQUAD_PARAMETERS(POINTER) \
  POINTER(homes)   /* of legal moves, by number; then SQUAD_AHEAD more */ \
  POINTER(fluents) /* homes */ \
  POINTER(marks)   /* numbers of moves for credit, by number */ \
  POINTER(phases)  /* legs of the starts */ \
  POINTER(far)     /* memory of the blocks */

enum {
  SQUAD_WARPS = 32, /* and words */
  /* Chosen moves are lines: of up to so many moves of a role one for each;
     of more, one for each of the lower bits of their numbers and one for each
     of the upper ones. */
  SQUAD_DIRECT = 96,
  SQUAD_LOW_BITS = 6,
  SQUAD_LOW = 1 << SQUAD_LOW_BITS,
  SQUAD_AHEAD = 64 /* homes are read so far before they are used */
};

/* A home: a near slot's number, or that of a far one with this bit. */
#define SQUAD_FAR (UINT32_C(1) << 31)

/* The moves that a role may have in a leg. */
typedef struct SquadGroup {
  uint32_t block, end; /* of 32 numbers of moves */
  uint32_t low;        /* near slot of the first line */
  uint32_t high;       /* the same for upper bits; 0: there are none */
  uint32_t count;      /* moves; 1: nothing is chosen */
} SquadGroup;

/* What is counted after a part of `look`: the blocks of a role whose moves are
   known by then, and not before; none of a role with one move. */
typedef struct SquadRound {
  uint32_t from, to;
} SquadRound;

typedef struct SquadLaunch {
#define POINTER(name) unsigned long long name; /* a CUdeviceptr */
  SQUAD_PARAMETERS(POINTER)
#undef POINTER
} SquadLaunch;

typedef struct SquadLeg {
  const Program *look, *next;
  uint32_t *number;  /* by move of the net, or SQUAD_NEVER */
  uint32_t *changed; /* fluents, by output of `next` */
  uint32_t changes;
  /* After squad_write: */
  uint32_t parts;     /* of `look` */
  SquadRound *rounds; /* by part and role */
} SquadLeg;

typedef struct Squad {
  const Cones *cones; /* borrowed; only squad_init and squad_write need them */
  uint32_t roles;
  const Program *goal; /* computes the goals */
  Program *own_goal;   /* the same, if it was made for this; else NULL */
  RosterShape shape;
  uint32_t legs;
  SquadLeg *leg;
  uint32_t moves;     /* numbers of moves, over all roles and legs */
  SquadGroup *groups; /* by role and leg */
  uint32_t *fluents;  /* homes, by fluent */
  uint32_t *legal;    /* homes of legal moves, by number */
  uint32_t terminal;  /* near slot */
  uint32_t *goals;    /* near slots */
  uint32_t zero;      /* near slot of a word that is always zero */
  uint32_t lines;     /* the first near slot of lines */
  uint32_t line_count;
  uint32_t near, far; /* the first slots that programs use in turn */
  uint32_t near_most; /* near slots that there may be */
  /* After squad_write: */
  uint32_t near_slots, far_slots;
  uint32_t instructions; /* of all legs, without the goals */
} Squad;

/* `shared` is the memory of a block in bytes, of which `most` slots are used,
   or all if that is 0. Returns false and says why if the game cannot be played
   so; to be freed in either case. */
bool squad_init(Squad *squad, const Cones *cones, uint32_t shared,
                uint32_t most, Text *why);
void squad_free(Squad *squad);

/* Writes the module. */
void squad_write(Squad *squad, Text *text);

/* Returns the bytes that a block needs: of shared memory, and far. */
uint32_t squad_shared(const Squad *squad);
size_t squad_far(const Squad *squad);

/* Returns how the card is told of a home: its place in bytes if it is near,
   else its place in the far memory, with SQUAD_FAR. */
uint32_t squad_home(const Squad *squad, uint32_t home);

#endif
