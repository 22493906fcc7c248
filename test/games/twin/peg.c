/* Counts the jump sequences of peg solitaire on the English board of 33 holes,
   beginning with the centre empty. Usage: peg DEPTH. The board is a drawing in
   a frame two wide, so that no jump can leave it. */

#include <stdio.h>
#include <stdlib.h>

#define WIDTH 11

static char board[] = "           "
                      "           "
                      "    ooo    "
                      "    ooo    "
                      "  ooooooo  "
                      "  ooo.ooo  "
                      "  ooooooo  "
                      "    ooo    "
                      "    ooo    "
                      "           "
                      "           ";

static unsigned long long count(int depth) {
  static const int directions[4] = {1, -1, WIDTH, -WIDTH};
  unsigned long long sum = 0;

  if (depth == 0) return 1;
  for (int hole = 0; hole < WIDTH * WIDTH; hole++)
    for (int d = 0; d < 4; d++) {
      int step = directions[d];

      if (board[hole] != '.' || board[hole + step] != 'o' ||
          board[hole + 2 * step] != 'o')
        continue;
      board[hole] = 'o';
      board[hole + step] = board[hole + 2 * step] = '.';
      sum += count(depth - 1);
      board[hole] = '.';
      board[hole + step] = board[hole + 2 * step] = 'o';
    }
  return sum;
}

int main(int argc, char **argv) {
  int depth = argc == 2 ? atoi(argv[1]) : 0;

  if (depth < 1) {
    fprintf(stderr, "usage: %s DEPTH\n", argv[0]);
    return 2;
  }
  for (int d = 1; d <= depth; d++)
    printf("%llu%c", count(d), d < depth ? ' ' : '\n');
  return 0;
}
