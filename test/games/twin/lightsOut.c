/* Counts the move sequences of lights out (games/lightsOut.kif): 25 lamps as
 * bits of one word, a press flips a lamp and its neighbours, over when all are
 * dark or after 20 moves. lightsOut DEPTH prints the counts of length
 * 1..DEPTH. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 5, MOVES_MAX = 20 };

static const char *const start[SIDE] = {
    "..#..", "#..##", ".#.#.", "..###", "..#..",
};

static uint32_t press[SIDE * SIDE];
static unsigned long long count[MOVES_MAX + 1];

static uint32_t bit(int row, int col) {
  if (row < 0 || row >= SIDE || col < 0 || col >= SIDE) return 0;
  return (uint32_t)1 << (row * SIDE + col);
}

static void walk(uint32_t lit, int made, int depth) {
  count[made]++;
  if (!lit || made == depth || made == MOVES_MAX) return;
  for (int i = 0; i < SIDE * SIDE; i++) walk(lit ^ press[i], made + 1, depth);
}

int main(int argc, char **argv) {
  int depth = argc > 1 ? atoi(argv[1]) : 0;
  if (depth < 1 || depth > MOVES_MAX) return 1;
  uint32_t lit = 0;
  for (int r = 0; r < SIDE; r++)
    for (int c = 0; c < SIDE; c++) {
      press[r * SIDE + c] = bit(r, c) | bit(r - 1, c) | bit(r + 1, c) |
                            bit(r, c - 1) | bit(r, c + 1);
      if (start[r][c] == '#') lit |= bit(r, c);
    }
  walk(lit, 0, depth);
  for (int i = 1; i <= depth; i++)
    printf("%llu%c", count[i], i < depth ? ' ' : '\n');
  return 0;
}
