/* Counts the sequences of joint moves of Tic-Tic-Toe: both players name an
 * empty cell of a 3 x 3 board at the same time, and mark their cells unless
 * they named the same one. The game ends with a line of three or after six
 * turns. The marks of a player are a set of nine bits. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 9, LINES = 8, TURNS = 6 };

static const unsigned line[LINES] = {0007, 0070, 0700, 0111,
                                     0222, 0444, 0421, 0124};

static bool three(unsigned marks) {
  for (int i = 0; i < LINES; i++)
    if ((marks & line[i]) == line[i]) return true;
  return false;
}

static unsigned long long count(unsigned x, unsigned o, int turn, int depth) {
  unsigned long long sum = 0;

  if (depth == 0) return 1;
  if (turn == TURNS || three(x) || three(o)) return 0;
  for (unsigned a = 1; a < 1u << CELLS; a <<= 1)
    for (unsigned b = 1; b < 1u << CELLS; b <<= 1) {
      if ((a | b) & (x | o)) continue;
      if (a == b)
        sum += count(x, o, turn + 1, depth - 1);
      else
        sum += count(x | a, o | b, turn + 1, depth - 1);
    }
  return sum;
}

int main(int argc, char **argv) {
  const int depth = argc == 2 ? atoi(argv[1]) : 0;

  if (depth < 1) {
    fprintf(stderr, "usage: ticTicToe DEPTH\n");
    return 2;
  }
  for (int d = 1; d <= depth; d++)
    printf(d > 1 ? " %llu" : "%llu", count(0, 0, 0, d));
  printf("\n");
  return 0;
}
