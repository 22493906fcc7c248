/* Counts the move sequences of TTCC4 for two players as games/ttcc4.kif has
   it: each has a pawn, a knight and a checker that reappear beside the board
   when captured, or drops discs into the three middle files; three in a line
   of the centre win, and 100 moves end the game. Usage: ttcc4 DEPTH prints the
   number of sequences of each length 1..DEPTH. Squares are [file][rank] from 0
   to 8, of which 2..6 by 2..6 are the board; light is upper case, dark lower
   case, P pawn, N knight, C checker, D disc, 0 nothing. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  char at[9][9];
  bool light; /* light is to move */
  int made;   /* moves made so far */
} State;

typedef unsigned long long Count;

static Count perft(const State *s, int depth);

static bool owns(bool light, char c) {
  return light ? isupper((unsigned char)c) != 0
               : islower((unsigned char)c) != 0;
}

static bool board(int x, int y) {
  return x >= 2 && x <= 6 && y >= 2 && y <= 6;
}

/* Takes away what stands at x y; all but discs go back to where they began. */
static void capture(State *s, int x, int y) {
  char c = s->at[x][y];
  s->at[x][y] = 0;
  switch (c) {
  case 'N': s->at[1][3] = c; break;
  case 'C': s->at[1][4] = c; break;
  case 'P': s->at[1][5] = c; break;
  case 'p': s->at[7][3] = c; break;
  case 'c': s->at[7][4] = c; break;
  case 'n': s->at[7][5] = c; break;
  default: break;
  }
}

static Count below(State *s, int depth) {
  s->light = !s->light;
  s->made++;
  return perft(s, depth - 1);
}

/* Counts below the move from x y to u v if it is one. */
static Count try(const State *s, int depth, int x, int y, int u, int v) {
  int dx = u - x, dy = v - y, size = dx * dx + dy * dy;
  char c = s->at[x][y], kind = (char)toupper((unsigned char)c);
  if (!board(u, v) || owns(s->light, s->at[u][v])) return 0;
  bool enemy = s->at[u][v] != 0;
  int mx = x + dx / 2, my = y + dy / 2; /* the middle, if it is a jump */
  bool jump = kind == 'C' && size == 8;
  if (kind == 'D' || (kind == 'N' && size != 5)) return 0;
  if (kind == 'P' && size != (enemy ? 2 : 1)) return 0;
  if (kind == 'C' && (enemy || (size != 2 && !jump))) return 0;
  if (jump && !owns(!s->light, s->at[mx][my])) return 0;
  State t = *s;
  if (jump) capture(&t, mx, my);
  capture(&t, u, v);
  t.at[x][y] = 0;
  t.at[u][v] = c;
  return below(&t, depth);
}

static bool line(const State *s, bool light) {
  static const int lines[8][4] = {{3, 3, 0, 1}, {4, 3, 0, 1}, {5, 3, 0, 1},
                                  {3, 3, 1, 0}, {3, 4, 1, 0}, {3, 5, 1, 0},
                                  {3, 3, 1, 1}, {3, 5, 1, -1}};
  for (int i = 0; i < 8; i++) {
    int run = 0;
    for (int k = 0; k < 3; k++)
      run += owns(
          light,
          s->at[lines[i][0] + k * lines[i][2]][lines[i][1] + k * lines[i][3]]);
    if (run == 3) return true;
  }
  return false;
}

/* A side that can neither move nor drop passes. */
static Count perft(const State *s, int depth) {
  if (depth == 0) return 1;
  if (s->made == 100 || line(s, true) || line(s, false)) return 0;
  Count sum = 0;
  bool any = false;
  for (int x = 3; x <= 5; x++) {
    int y = 6;
    if (s->at[x][y] != 0) continue;
    while (y > 2 && s->at[x][y - 1] == 0) y--;
    State t = *s;
    t.at[x][y] = s->light ? 'D' : 'd';
    sum += below(&t, depth);
    any = true;
  }
  for (int x = 1; x <= 7; x++)
    for (int y = 1; y <= 7; y++)
      for (int u = x - 2; owns(s->light, s->at[x][y]) && u <= x + 2; u++)
        for (int v = y - 2; v <= y + 2; v++) {
          if (!any) any = try(s, 1, x, y, u, v) > 0;
          sum += try(s, depth, x, y, u, v);
        }
  if (any) return sum;
  State t = *s;
  return below(&t, depth);
}

int main(int argc, char **argv) {
  State s = {.light = true, .made = 0};
  memset(s.at, 0, sizeof s.at);
  memcpy(&s.at[1][3], "NCP", 3);
  memcpy(&s.at[7][3], "pcn", 3);
  for (int d = 1; argc > 1 && d <= atoi(argv[1]); d++)
    printf("%s%llu", d > 1 ? " " : "", perft(&s, d));
  printf("\n");
  return 0;
}
