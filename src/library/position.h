/* A position of the library, as agents use it. */
#ifndef TAFL_LIBRARY_POSITION_H
#define TAFL_LIBRARY_POSITION_H

#include "engine/moves.h"
#include "library/answer.h"
#include "library/game.h"

/* Where moves began: the initial state, or one that was entered. */
typedef struct Root {
  bool entered;
  Answer facts; /* if it was */
} Root;

/* Moves are numbers in the sorted list of legal moves, one for each role and
   step: the same for every engine of the game. */
struct tafl_position {
  Object object;
  tafl_game *game; /* held */
  Play play;
  Game *engine;
  uint32_t roles;
  Root root;
  NumberVector moves; /* since the root */
  uint32_t way;       /* steps that the engine can retract */
  MoveVector *legal;  /* by role, sorted */
  bool *legal_known;  /* by role */
  Answer answer;
};

/* Copies a root; in the scope of who gets it. */
void root_copy(Root *copy, const Root *root);
bool root_same(const Root *a, const Root *b);

/* Fails unless moves can be chosen here: the game goes on and every role has a
   legal move. */
tafl_status position_check_moves(tafl_position *position);

#endif
