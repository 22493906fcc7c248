/* The symmetries of a game: a set of its proved automorphisms
   (game/automorphism.h), as far as possible closed under composition. In a
   state that some of them leave as it is, moves that they map to each other
   lead to the same future, and a search needs to look at one of them only.

   Where several roles choose at once this holds for a role's moves only if the
   automorphism leaves all legal moves of the others as they are: in matching
   pennies both coins look the same, but a role that always shows heads loses.
   Where roles take turns, the others have one move each, which stays. */
#ifndef TAFL_GAME_SYMMETRIES_H
#define TAFL_GAME_SYMMETRIES_H

#include "game/automorphism.h"

enum { SYMMETRIES_MOST = 63 };

typedef struct Symmetries {
  const Analysis *analysis; /* borrowed; its groups hold in every state that
                               symmetries are used in: symmetries_hold */
  const Net *net;           /* borrowed */
  uint32_t count;           /* without the identity */
  Automorphism list[SYMMETRIES_MOST];
  uint32_t starting; /* how many leave the initial state as it is */
  uint32_t candidates, sampled, proved;
  uint64_t work;
} Symmetries;

/* Uses the engine, which must be on the analysis' net. `built` is the same game
   as it was built from the rules, for proofs, or empty. */
void symmetries_init(Symmetries *symmetries, const Analysis *analysis,
                     const Net *built, Game *game);
void symmetries_free(Symmetries *symmetries);

/* Writes one line of text; nothing if there are none. */
void symmetries_write(const Symmetries *symmetries, Text *text);

/* Returns true if they are symmetries of all that follows from the state. It is
   so in all states of a match that began in the initial state. */
bool symmetries_hold(const Symmetries *symmetries, const uint64_t *state);

/* Returns true if number `which` of the list leaves the state as it is. */
bool symmetries_fix(const Symmetries *symmetries, uint32_t which,
                    const uint64_t *state);
/* Says for each of the legal moves, which are listed role by role and in order,
   which one stands for it: itself, or a lower one of the same list. Returns
   false, and fills in nothing, if each stands for itself. */
bool symmetries_twins(const Symmetries *symmetries, const uint64_t *state,
                      const uint32_t *moves, const uint32_t *counts,
                      uint32_t *twins);
/* Leaves only moves that stand for themselves; `counts` is by role. The list
   may be only some of the legal moves. Returns the number of moves left. */
uint32_t symmetries_reduce(const Symmetries *symmetries, const uint64_t *state,
                           uint32_t *moves, uint32_t *counts);
/* The same for the moves of one role where no other has a choice. */
uint32_t symmetries_reduce_turn(const Symmetries *symmetries,
                                const uint64_t *state, uint32_t role,
                                uint32_t *moves, uint32_t count);

#endif
