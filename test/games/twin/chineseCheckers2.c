/* Counts the move sequences of Chinese Checkers for two on a rhombus of 5 by 5
   holes. Usage: chineseCheckers2 DEPTH. Red goes towards higher numbers, teal
   towards lower; a frame two wide of walls ends every line. A move is a pair of
   holes, however it comes about, and passing is always allowed. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 9
#define AT(x, y) (((y) + 1) * WIDTH + (x) + 1)

static char board[WIDTH * WIDTH];
static const int target[2][3] = {{AT(5, 4), AT(4, 5), AT(5, 5)},
                                 {AT(2, 1), AT(1, 2), AT(1, 1)}};

static int finished(int player) {
  for (int k = 0; k < 3; k++)
    if (board[target[player][k]] != "rt"[player]) return 0;
  return 1;
}

static int stone(int hole) {
  return board[hole] == 'r' || board[hole] == 't';
}

/* Marks in reached the holes to which the stone at from can jump. */
static void jumps(int from, const int steps[2], char *reached) {
  for (int i = 0; i < 2; i++)
    if (stone(from + steps[i]) && board[from + 2 * steps[i]] == '.')
      reached[from + 2 * steps[i]] = 1;
}

static unsigned long long count(int turn, int depth) {
  int player = turn % 2, sign = player ? -1 : 1;
  int steps[2] = {sign, sign * WIDTH};
  unsigned long long sum;

  if (depth == 0) return 1;
  if (finished(0) || finished(1) || turn == 39) return 0;
  sum = count(turn + 1, depth - 1);
  for (int from = 0; from < WIDTH * WIDTH; from++) {
    char once[WIDTH * WIDTH] = {0}, reached[WIDTH * WIDTH] = {0};

    if (board[from] != "rt"[player]) continue;
    jumps(from, steps, once);
    for (int to = 0; to < WIDTH * WIDTH; to++)
      if (once[to]) {
        reached[to] = 1;
        jumps(to, steps, reached);
      }
    for (int i = 0; i < 2; i++)
      if (board[from + steps[i]] == '.') reached[from + steps[i]] = 1;
    for (int to = 0; to < WIDTH * WIDTH; to++)
      if (reached[to]) {
        board[to] = board[from];
        board[from] = '.';
        sum += count(turn + 1, depth - 1);
        board[from] = board[to];
        board[to] = '.';
      }
  }
  return sum;
}

int main(int argc, char **argv) {
  int depth = argc == 2 ? atoi(argv[1]) : 0;

  if (depth < 1) {
    fprintf(stderr, "usage: %s DEPTH\n", argv[0]);
    return 2;
  }
  memset(board, '#', sizeof board);
  for (int y = 1; y <= 5; y++)
    for (int x = 1; x <= 5; x++) board[AT(x, y)] = '.';
  for (int k = 0; k < 3; k++) {
    board[target[1][k]] = 'r';
    board[target[0][k]] = 't';
  }
  for (int d = 1; d <= depth; d++)
    printf("%llu%c", count(0, d), d < depth ? ' ' : '\n');
  return 0;
}
