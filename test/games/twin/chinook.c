/* Counts the sequences of joint moves of Chinook as games/chinook.kif has it:
   in each step one player moves on the dark squares of a cylinder and the other
   on the light ones, stepping or jumping slantwise forward or passing, until a
   piece reaches its far rank or 40 steps are made. Usage: chinook DEPTH prints
   the number of sequences of each length 1..DEPTH. Squares are [file][rank]
   from 0, so that a square is dark if file + rank is even; they hold 1 for
   white, -1 for black, 0 for nobody. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int at[8][8];
  int made; /* steps made so far */
} State;

typedef struct {
  int x, y, side, length; /* length 0: pass, 1: step, 2: jump */
} Move;

typedef unsigned long long Count;

static int file(int x) {
  return (x + 8) % 8;
}

/* The moves of a player on the squares of one colour, including the pass. */
static int moves(const State *s, int player, int colour, Move *list) {
  int n = 0;
  list[n++] = (Move){0, 0, 0, 0};
  for (int x = 0; x < 8; x++)
    for (int y = 0; y < 8; y++)
      for (int side = -1; side <= 1; side += 2) {
        if ((x + y) % 2 != colour || s->at[x][y] != player) continue;
        int near = y + player, far = y + 2 * player;
        if (near < 0 || near > 7) continue;
        int met = s->at[file(x + side)][near];
        if (met == 0)
          list[n++] = (Move){x, y, side, 1};
        else if (met == -player && far >= 0 && far <= 7 &&
                 s->at[file(x + 2 * side)][far] == 0)
          list[n++] = (Move){x, y, side, 2};
      }
  return n;
}

static void make(State *s, int player, Move m) {
  if (m.length == 0) return;
  s->at[m.x][m.y] = 0;
  s->at[file(m.x + m.side)][m.y + player] = 0;
  s->at[file(m.x + m.length * m.side)][m.y + m.length * player] = player;
}

static bool over(const State *s) {
  for (int x = 0; x < 8; x++)
    if (s->at[x][7] == 1 || s->at[x][0] == -1) return true;
  return s->made == 40;
}

static Count perft(const State *s, int depth) {
  if (depth == 0) return 1;
  if (over(s)) return 0;
  Move white[40], black[40];
  int dark = s->made % 2; /* the colour of the squares where white moves */
  int m = moves(s, 1, dark, white), n = moves(s, -1, 1 - dark, black);
  Count sum = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      State t = *s;
      make(&t, 1, white[i]);
      make(&t, -1, black[j]);
      t.made++;
      sum += perft(&t, depth - 1);
    }
  return sum;
}

int main(int argc, char **argv) {
  State s = {.made = 0};
  memset(s.at, 0, sizeof s.at);
  for (int x = 0; x < 8; x++) {
    s.at[x][0] = 1;
    s.at[x][7] = -1;
    if (x == 0 || x == 7) continue;
    s.at[x][1] = 1;
    s.at[x][6] = -1;
  }
  for (int d = 1; argc > 1 && d <= atoi(argv[1]); d++)
    printf("%s%llu", d > 1 ? " " : "", perft(&s, d));
  printf("\n");
  return 0;
}
