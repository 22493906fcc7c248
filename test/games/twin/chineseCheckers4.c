/* Counts the move sequences of Chinese Checkers for four. Usage:
   chineseCheckers4 DEPTH. The holes are kept as on paper, in a drawing with two
   characters between neighbours of a row and one row between lines, so that the
   six directions are right, left (2) and the slanted ones (a line and 1). Each
   player has two directions and a lane of 5 by 5 holes, spanned by them from
   the corner where it begins. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 17
#define SIZE (9 * WIDTH)

static char board[] = "                 "
                      "                 "
                      "  m m . . . y y  "
                      "   m . . . . y   "
                      "    . . . . .    "
                      "   b . . . . g   "
                      "  b b . . . g g  "
                      "                 "
                      "                 ";
static const char names[] = "ygbm";
static const int steps[4][2] = {
    {-2, WIDTH - 1}, {-2, -WIDTH - 1}, {2, -WIDTH + 1}, {2, WIDTH + 1}};
static const int corner[4] = {2 * WIDTH + 14, 6 * WIDTH + 14, 6 * WIDTH + 2,
                              2 * WIDTH + 2};
static char lane[4][SIZE];   /* holes of the player's lane */
static char target[4][SIZE]; /* holes of the tip at its end */

static void draw_lanes(void) {
  for (int p = 0; p < 4; p++)
    for (int i = 0; i < 5; i++)
      for (int j = 0; j < 5; j++) {
        int hole = corner[p] + i * steps[p][0] + j * steps[p][1];

        lane[p][hole] = 1;
        target[p][hole] = i + j >= 7;
      }
}

static int finished(int p) {
  int n = 0;

  for (int hole = 0; hole < SIZE; hole++)
    n += target[p][hole] && board[hole] == names[p];
  return n == 3;
}

static int vacant(int p, int hole) {
  return lane[p][hole] && board[hole] == '.';
}

static int stone(int p, int hole) {
  return lane[p][hole] && strchr(names, board[hole]);
}

static void jumps(int p, int from, char *reached) {
  for (int i = 0; i < 2; i++)
    if (stone(p, from + steps[p][i]) && vacant(p, from + 2 * steps[p][i]))
      reached[from + 2 * steps[p][i]] = 1;
}

static unsigned long long count(int turn, int depth) {
  int p = turn % 4, moves = 0;
  unsigned long long sum = 0;

  if (depth == 0) return 1;
  if (finished(0) + finished(1) + finished(2) + finished(3) > 1 || turn == 59)
    return 0;
  for (int from = 0; from < SIZE; from++) {
    char once[SIZE] = {0}, reached[SIZE] = {0};

    if (board[from] != names[p]) continue;
    jumps(p, from, once);
    for (int to = 0; to < SIZE; to++)
      if (once[to]) {
        reached[to] = 1;
        jumps(p, to, reached);
      }
    for (int i = 0; i < 2; i++)
      if (vacant(p, from + steps[p][i])) reached[from + steps[p][i]] = 1;
    for (int to = 0; to < SIZE; to++)
      if (reached[to]) {
        moves++;
        board[to] = board[from];
        board[from] = '.';
        sum += count(turn + 1, depth - 1);
        board[from] = board[to];
        board[to] = '.';
      }
  }
  return moves ? sum : count(turn + 1, depth - 1);
}

int main(int argc, char **argv) {
  int depth = argc == 2 ? atoi(argv[1]) : 0;

  if (depth < 1) {
    fprintf(stderr, "usage: %s DEPTH\n", argv[0]);
    return 2;
  }
  draw_lanes();
  for (int d = 1; d <= depth; d++)
    printf("%llu%c", count(0, d), d < depth ? ' ' : '\n');
  return 0;
}
