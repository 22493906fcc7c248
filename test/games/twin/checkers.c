/* Counts the move sequences of Checkers as games/checkers.kif has it: English
   draughts in which capturing is free, a series of jumps is one move of at most
   three jumps that may stop early, and the game ends with no piece, no move, or
   after 101 moves. Usage: checkers DEPTH prints the number of sequences of each
   length 1..DEPTH. A square holds 0, 1 (man) or 2 (king) of red, -1 or -2 of
   black; squares are [file][rank] from 0. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int at[8][8];
  int mover; /* 1 red, -1 black */
  int made;  /* moves made so far */
} State;

typedef unsigned long long Count;

static Count perft(const State *s, int depth);

static bool inside(int x, int y) {
  return x >= 0 && x < 8 && y >= 0 && y < 8;
}

static bool may_go(int piece, int dy) {
  return abs(piece) == 2 || dy == piece;
}

/* The state after the piece at x y has gone to u v, captures being made by the
 * caller. */
static State moved(const State *s, int x, int y, int u, int v) {
  State n = *s;
  int piece = s->at[x][y];
  n.at[x][y] = 0;
  if (piece == 1 && v == 7) piece = 2;
  if (piece == -1 && v == 0) piece = -2;
  n.at[u][v] = piece;
  n.mover = -s->mover;
  n.made++;
  return n;
}

/* Counts below the moves that begin with the jumps made so far: the piece
   still stands at x y in s, has come to u v by jumps, the last of them in
   direction lastx lasty, and dead holds the squares jumped over. It cannot land
   on a square that it has left or jumped over, for s is not changed yet. */
static Count series(const State *s, int depth, int x, int y, int u, int v,
                    int jumps, int lastx, int lasty, int dead[3][2]) {
  Count sum = 0;
  if (jumps > 0) {
    State n = moved(s, x, y, u, v);
    for (int i = 0; i < jumps; i++) n.at[dead[i][0]][dead[i][1]] = 0;
    sum += perft(&n, depth - 1);
  }
  if (jumps == 3) return sum;
  for (int dx = -1; dx <= 1; dx += 2)
    for (int dy = -1; dy <= 1; dy += 2) {
      int a = u + 2 * dx, b = v + 2 * dy;
      if (!may_go(s->at[x][y], dy) || !inside(a, b)) continue;
      if (jumps > 0 && dx == -lastx && dy == -lasty) continue;
      if (s->at[u + dx][v + dy] * s->mover >= 0 || s->at[a][b] != 0) continue;
      dead[jumps][0] = u + dx;
      dead[jumps][1] = v + dy;
      sum += series(s, depth, x, y, a, b, jumps + 1, dx, dy, dead);
    }
  return sum;
}

static bool has_piece(const State *s, int side) {
  for (int x = 0; x < 8; x++)
    for (int y = 0; y < 8; y++)
      if (s->at[x][y] * side > 0) return true;
  return false;
}

/* A state without moves sums up to nothing, as it should. */
static Count perft(const State *s, int depth) {
  if (depth == 0) return 1;
  if (s->made == 101 || !has_piece(s, 1) || !has_piece(s, -1)) return 0;
  Count sum = 0;
  for (int x = 0; x < 8; x++)
    for (int y = 0; y < 8; y++) {
      int piece = s->at[x][y], dead[3][2];
      if (piece * s->mover <= 0) continue;
      for (int dx = -1; dx <= 1; dx += 2)
        for (int dy = -1; dy <= 1; dy += 2) {
          if (!may_go(piece, dy) || !inside(x + dx, y + dy)) continue;
          if (s->at[x + dx][y + dy] != 0) continue;
          State n = moved(s, x, y, x + dx, y + dy);
          sum += perft(&n, depth - 1);
        }
      sum += series(s, depth, x, y, x, y, 0, 0, 0, dead);
    }
  return sum;
}

int main(int argc, char **argv) {
  State s = {.mover = 1, .made = 0};
  memset(s.at, 0, sizeof s.at);
  for (int x = 0; x < 8; x++)
    for (int y = 0; y < 8; y++)
      if ((x + y) % 2 == 1) s.at[x][y] = y < 3 ? 1 : y > 4 ? -1 : 0;
  for (int d = 1; argc > 1 && d <= atoi(argv[1]); d++)
    printf("%s%llu", d > 1 ? " " : "", perft(&s, d));
  printf("\n");
  return 0;
}
