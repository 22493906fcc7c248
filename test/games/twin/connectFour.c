/* Counts the move sequences of Connect Four on seven columns of six rows; a
 * sequence that makes four in a line cannot be continued. The board is an array
 * with an empty border, so that a line can be followed until it meets another
 * colour or the border. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 7, ROWS = 6, WIDTH = COLUMNS + 2 };

static char board[(ROWS + 2) * WIDTH]; /* 0 empty, otherwise 1 or 2 */
static int height[COLUMNS];

static int run(int at, int step) {
  int length = 0;

  for (int i = at + step; board[i] == board[at]; i += step) length++;
  return length;
}

static bool four(int at) {
  static const int step[4] = {1, WIDTH - 1, WIDTH, WIDTH + 1};

  for (int i = 0; i < 4; i++)
    if (run(at, step[i]) + run(at, -step[i]) >= 3) return true;
  return false;
}

static unsigned long long count(int player, int depth) {
  unsigned long long sum = 0;

  if (depth == 0) return 1;
  for (int c = 0; c < COLUMNS; c++) {
    if (height[c] == ROWS) continue;
    const int at = (height[c] + 1) * WIDTH + c + 1;
    board[at] = (char)player;
    height[c]++;
    if (depth == 1 || !four(at)) sum += count(3 - player, depth - 1);
    height[c]--;
    board[at] = 0;
  }
  return sum;
}

int main(int argc, char **argv) {
  const int depth = argc == 2 ? atoi(argv[1]) : 0;

  if (depth < 1) {
    fprintf(stderr, "usage: connectFour DEPTH\n");
    return 2;
  }
  for (int d = 1; d <= depth; d++)
    printf(d > 1 ? " %llu" : "%llu", count(1, d));
  printf("\n");
  return 0;
}
