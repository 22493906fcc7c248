/* Files of positions in which the value of every move is known exactly.

     ; a comment
     game connectFour
     3 2 3 : 0 50 100 50 0 0 0

   A game is NAME.kif beside the file, or else one that is found by its name. A
   position is a line: the choices from the initial state on, then what each
   legal move of the role to move is worth to it, in goals. A choice is a number
   from 0 in the order of engine/moves.h; roles with only one legal move are
   left out, so that where roles take turns there is one number for each turn.
   The role to move is the first that has a choice. */
#ifndef TAFL_COMMAND_SOLVED_H
#define TAFL_COMMAND_SOLVED_H

#include "engine/game.h"

typedef struct SolvedPosition {
  uint32_t line;                  /* of the file */
  uint32_t choices, choice_count; /* in SolvedFile.numbers */
  uint32_t values, value_count;
} SolvedPosition;

typedef struct SolvedFile {
  const char *path; /* borrowed */
  Text game;
  VECTOR(SolvedPosition) positions;
  NumberVector numbers;
} SolvedFile;

/* Returns false and sets `error`, with its place, if there is no such file or
   it is not of this form. Free it either way. */
bool solved_read(SolvedFile *file, const char *path, Text *error);
void solved_free(SolvedFile *file);

/* Brings the game to the position and sets the role to move. Returns false and
   sets `error`, with its place, if there is no such position or the number of
   values is not that of the legal moves. */
bool solved_enter(const SolvedFile *file, uint32_t number, Game *game,
                  uint32_t *role, Text *error);
/* What the moves of the position are worth, in their order, and the most of it.
 */
const uint32_t *solved_values(const SolvedFile *file, uint32_t number);
uint32_t solved_best(const SolvedFile *file, uint32_t number);

#endif
