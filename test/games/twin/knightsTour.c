/* Counts the move sequences of the knight's tour (games/knightsTour.kif): six
 * columns, five rows, from a corner; left squares become holes; a jump into a
 * hole ends the game. knightsTour DEPTH prints the counts of length
 * 1..DEPTH. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLS = 6, ROWS = 5, MOVES_MAX = COLS * ROWS };

static bool hole[COLS][ROWS];
static unsigned long long count[MOVES_MAX + 1];

static void walk(int col, int row, int made, int depth) {
  count[made]++;
  if (made == depth || hole[col][row]) return;
  hole[col][row] = true;
  for (int c = 0; c < COLS; c++)
    for (int r = 0; r < ROWS; r++)
      if (abs(c - col) * abs(r - row) == 2) walk(c, r, made + 1, depth);
  hole[col][row] = false;
}

int main(int argc, char **argv) {
  int depth = argc > 1 ? atoi(argv[1]) : 0;
  if (depth < 1 || depth > MOVES_MAX) return 1;
  walk(0, 0, 0, depth);
  for (int i = 1; i <= depth; i++)
    printf("%llu%c", count[i], i < depth ? ' ' : '\n');
  return 0;
}
