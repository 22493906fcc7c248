/* Counts the move sequences of hunter (games/hunter.kif): a knight on a board
 * of five rows and three columns, 14 moves, pawns do not hinder it.
 * hunter DEPTH prints the counts of length 1..DEPTH. */

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 5, COLS = 3, MOVES_MAX = 14 };

/* ways[r][c]: sequences that end on the square */

static unsigned long long step(unsigned long long ways[ROWS][COLS]) {
  unsigned long long sum = 0, after[ROWS][COLS] = {{0}};
  for (int i = 0; i < ROWS * COLS; i++)
    for (int j = 0; j < ROWS * COLS; j++)
      if (abs(i / COLS - j / COLS) * abs(i % COLS - j % COLS) == 2)
        after[j / COLS][j % COLS] += ways[i / COLS][i % COLS];
  for (int i = 0; i < ROWS * COLS; i++)
    sum += ways[i / COLS][i % COLS] = after[i / COLS][i % COLS];
  return sum;
}

int main(int argc, char **argv) {
  int depth = argc > 1 ? atoi(argv[1]) : 0;
  if (depth < 1 || depth > MOVES_MAX) return 1;
  unsigned long long ways[ROWS][COLS] = {{1}};
  for (int i = 1; i <= depth; i++)
    printf("%llu%c", step(ways), i < depth ? ' ' : '\n');
  return 0;
}
