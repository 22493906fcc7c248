/* Counts the move sequences of Amazons, where a turn is two plies of the same
   player: an amazon moves like a queen, then fires an arrow like a queen.
   Usage: amazons DEPTH; prints the number of sequences of 1 to DEPTH plies.
   The board has a frame of filled squares, so that lines end by themselves.
   With SIZE 6 it counts the game on the small board (see amazonsSmall.c). */

#include <stdio.h>
#include <stdlib.h>

#ifndef SIZE
#define SIZE 10
#endif
#define WIDTH (SIZE + 2)
#define CORNER ((SIZE - 4) / 2) /* empty squares from corner to amazon */

enum { EMPTY, WHITE, BLACK, FILLED };

static const int directions[8] = {1,         -1,        WIDTH,     -WIDTH,
                                  WIDTH + 1, WIDTH - 1, 1 - WIDTH, -1 - WIDTH};
static int board[WIDTH * WIDTH];

static int square(int x, int y) {
  return y * WIDTH + x;
}

static void set_up(void) {
  int near = 1 + CORNER, far = SIZE - CORNER;

  for (int y = 0; y < WIDTH; y++)
    for (int x = 0; x < WIDTH; x++)
      board[square(x, y)] =
          x < 1 || x > SIZE || y < 1 || y > SIZE ? FILLED : EMPTY;
  board[square(near, 1)] = board[square(far, 1)] = WHITE;
  board[square(1, near)] = board[square(SIZE, near)] = WHITE;
  board[square(1, far)] = board[square(SIZE, far)] = BLACK;
  board[square(near, SIZE)] = board[square(far, SIZE)] = BLACK;
}

static unsigned long long count_moves(int player, int depth);

static unsigned long long count_shots(int player, int from, int depth) {
  unsigned long long sum = 0;

  for (int d = 0; d < 8; d++)
    for (int to = from + directions[d]; !board[to]; to += directions[d]) {
      if (depth == 1) {
        sum++;
        continue;
      }
      board[to] = FILLED;
      sum += count_moves(WHITE + BLACK - player, depth - 1);
      board[to] = EMPTY;
    }
  return sum;
}

static unsigned long long count_moves(int player, int depth) {
  unsigned long long sum = 0;

  for (int from = 0; from < WIDTH * WIDTH; from++) {
    if (board[from] != player) continue;
    for (int d = 0; d < 8; d++)
      for (int to = from + directions[d]; !board[to]; to += directions[d]) {
        if (depth == 1) {
          sum++;
          continue;
        }
        board[from] = EMPTY;
        board[to] = player;
        sum += count_shots(player, to, depth - 1);
        board[to] = EMPTY;
        board[from] = player;
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
  set_up();
  for (int d = 1; d <= depth; d++)
    printf("%llu%c", count_moves(WHITE, d), d < depth ? ' ' : '\n');
  return 0;
}
