/* Breakthrough on a small board, solved: whether the player to move wins. The
   same search as support/proof.h, on boards of two words, so that positions far
   from the end can be solved. The player to move always goes up: the board is
   turned after every move. A player with a pawn one step from the far rank has
   won, since it can always go there; a player who is threatened with that must
   capture the pawn. */
#ifndef TAFL_TEST_SUPPORT_PAWNS_H
#define TAFL_TEST_SUPPORT_PAWNS_H

#include <stdbool.h>
#include <stdint.h>

enum {
  PAWNS_COLUMNS = 5,
  PAWNS_RANKS = 6,
  PAWNS_CELLS = PAWNS_COLUMNS * PAWNS_RANKS
};

/* Bit RANK * PAWNS_COLUMNS + COLUMN, both from 0. */
typedef struct Pawns {
  uint64_t own, other;
} Pawns;

typedef struct PawnsSolver PawnsSolver;

/* A proof is given up after that many boards. */
PawnsSolver *pawns_new(uint64_t limit);
void pawns_delete(PawnsSolver *solver);

/* The board as the other player sees it. */
Pawns pawns_turned(const Pawns *pawns);
/* Returns 1 if the player to move wins, 0 if not, -1 if the proof was given up.
   Nobody has won yet. */
int pawns_solve(PawnsSolver *solver, const Pawns *pawns);
/* The same after a move from one cell to another, for the player who made it.
 */
int pawns_solve_move(PawnsSolver *solver, const Pawns *pawns, uint32_t from,
                     uint32_t to);

#endif
