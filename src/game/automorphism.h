/* Automorphisms of a game: permutations of its fluents and of each role's moves
   that leave the rules as they are. They map games to games with the same
   goals. What is found is proved from the net. */
#ifndef TAFL_GAME_AUTOMORPHISM_H
#define TAFL_GAME_AUTOMORPHISM_H

#include "analyse/analysis.h"
#include "engine/game.h"

/* What each fluent and each move becomes. */
typedef struct Automorphism {
  uint32_t *fluents, *moves;
} Automorphism;

typedef struct AutomorphismSearch {
  const Net *net;   /* borrowed, like all of these */
  const Net *proof; /* that proofs are made of: the same, or one whose fluents
                       and moves have the same numbers and values in all
                       reachable states. The net as it was built is best: the
                       reductions hide that parts of it look alike */
  const Terms *terms;
  const Analysis *analysis; /* its proved groups are taken for granted: `start`
                               must have them; NULL: nothing is */
  Game *game;               /* an engine on the net, at `start` */
  const uint64_t *start;
  uint32_t words;     /* of a state */
  bool fixed;         /* only those that leave `start` as it is; else those
                         come first */
  uint32_t more;      /* states of random games of which only legal moves and
                         ends are compared, beside a few that are compared with
                         all successors */
  uint64_t most_work; /* after which it gives up */
  /* A permutation that samples did not refute: is it worth a proof? */
  bool (*wanted)(void *context, const Automorphism *image);
  /* It is proved. */
  void (*found)(void *context, const Automorphism *image);
  void *context;
  /* What was done. */
  uint32_t candidates; /* permutations of fluents */
  uint32_t sampled;    /* of them, those that sampled states did not refute, and
                          that were wanted */
  uint32_t proved;     /* of those */
  uint64_t work;       /* inputs of gates evaluated, literals propagated, and
                          states compared */
} AutomorphismSearch;

/* Returns false, and does nothing, if the net is too large. */
bool automorphism_search(AutomorphismSearch *search);

#endif
