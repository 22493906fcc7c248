/* Counts the move sequences of Nine Board Tic-Tac-Toe: nine boards of 3 x 3
 * cells, the cell of a mark within its board names the board of the answer, the
 * first move and the answer to a full board are free, and the first line of
 * three in any board ends the game. Boards and cells are numbered 0 to 8 in the
 * same order; the marks of a player in a board are a set of nine bits. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { BOARDS = 9, CELLS = 9, LINES = 8, FULL = 0777, ANY = -1 };

static const unsigned line[LINES] = {0007, 0070, 0700, 0111,
                                     0222, 0444, 0421, 0124};
static unsigned marks[2][BOARDS];

static bool three(unsigned set) {
  for (int i = 0; i < LINES; i++)
    if ((set & line[i]) == line[i]) return true;
  return false;
}

static unsigned long long count(int player, int target, int depth) {
  unsigned long long sum = 0;

  if (depth == 0) return 1;
  if (target != ANY && (marks[0][target] | marks[1][target]) == FULL)
    target = ANY;
  for (int board = 0; board < BOARDS; board++) {
    if (target != ANY && board != target) continue;
    for (int cell = 0; cell < CELLS; cell++) {
      const unsigned bit = 1u << cell;
      if ((marks[0][board] | marks[1][board]) & bit) continue;
      marks[player][board] |= bit;
      if (depth == 1 || !three(marks[player][board]))
        sum += count(1 - player, cell, depth - 1);
      marks[player][board] &= ~bit;
    }
  }
  return sum;
}

int main(int argc, char **argv) {
  const int depth = argc == 2 ? atoi(argv[1]) : 0;

  if (depth < 1) {
    fprintf(stderr, "usage: nineBoardTicTacToe DEPTH\n");
    return 2;
  }
  for (int d = 1; d <= depth; d++)
    printf(d > 1 ? " %llu" : "%llu", count(0, ANY, d));
  printf("\n");
  return 0;
}
