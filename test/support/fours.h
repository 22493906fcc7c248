/* Connect Four on seven columns of six rows, solved: whether the player to move
   wins, draws or loses. Boards are two words of 49 bits, seven for each column
   with the lowest row first and an empty bit above the column, so that lines
   are found by shifts (the representation of J. Tromp's Fhourstones).
   Alpha-beta with a table; moves that lose at once are left out, those that
   make most threats come first. */
#ifndef TAFL_TEST_SUPPORT_FOURS_H
#define TAFL_TEST_SUPPORT_FOURS_H

#include <stdbool.h>
#include <stdint.h>

enum { FOURS_COLUMNS = 7, FOURS_ROWS = 6 };

typedef struct Fours {
  uint64_t own, all; /* discs of the player to move, and of both */
  uint32_t discs;
} Fours;

typedef struct FoursSolver FoursSolver;

FoursSolver *fours_new(void);
void fours_delete(FoursSolver *solver);

/* Columns are 0 to 6. */
bool fours_free(const Fours *fours, uint32_t column);
bool fours_wins(const Fours *fours, uint32_t column);
void fours_drop(Fours *fours, uint32_t column);

/* Returns the goal, 0, 50 or 100, of the player to move; nobody has four yet.
 */
int fours_solve(FoursSolver *solver, const Fours *fours);
/* Returns the goal of the player to move after this move. */
int fours_solve_move(FoursSolver *solver, const Fours *fours, uint32_t column);

#endif
