/* A game that was played to the end. */
#ifndef TAFL_SOLVE_SEQUENCE_H
#define TAFL_SOLVE_SEQUENCE_H

#include "engine/game.h"

/* Moves from the puzzle's state to the end of the game. */
typedef struct Sequence {
  int score; /* -1: there is none */
  MoveVector moves;
} Sequence;

void sequence_free(Sequence *sequence);
void sequence_copy(Sequence *to, const Sequence *from);
/* The higher score, then the shorter sequence. */
bool sequence_better(const Sequence *sequence, const Sequence *than);

#endif
