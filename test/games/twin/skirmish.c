/* Counts the move sequences of Skirmish as games/skirmish.kif has it: chess
   pieces without kings on a board with four holes, pawns that move only by
   capturing, an end after 59 moves or as soon as either player has no move.
   Usage: skirmish DEPTH prints the number of sequences of each length 1..DEPTH.
   Squares are numbers 10 * rank + file in a board of 10 by 10 whose margin and
   holes are '#'; white pieces are upper case, black ones lower case, '.' is an
   empty square. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NORTH = 10, SOUTH = -10, EAST = 1, WEST = -1 };

typedef struct {
  char at[101];
  bool white; /* white is to move */
  int made;   /* moves made so far */
} State;

typedef struct {
  int from, to;
} Move;

typedef unsigned long long Count;

static const int ways[8] = {NORTH,        EAST,         SOUTH,
                            WEST,         NORTH + EAST, SOUTH + EAST,
                            SOUTH + WEST, NORTH + WEST};
static const int hops[8] = {21, 12, -8, -19, -21, -12, 8, 19};

static bool belongs(char c, bool white) {
  return white ? isupper((unsigned char)c) != 0
               : islower((unsigned char)c) != 0;
}

/* The moves that a side has, be it to move or not. */
static int moves(const State *s, bool white, Move *list) {
  int n = 0;
  for (int i = 11; i <= 88; i++) {
    char c = (char)tolower((unsigned char)s->at[i]);
    if (!belongs(s->at[i], white)) continue;
    if (c == 'p') {
      for (int side = WEST; side <= EAST; side += 2) {
        int j = i + (white ? NORTH : SOUTH) + side;
        if (belongs(s->at[j], !white)) list[n++] = (Move){i, j};
      }
    } else if (c == 'n') {
      for (int k = 0; k < 8; k++) {
        int j = i + hops[k];
        if (j < 11 || j > 88 || s->at[j] == '#' || belongs(s->at[j], white))
          continue;
        list[n++] = (Move){i, j};
      }
    } else {
      for (int k = c == 'b' ? 4 : 0; k < (c == 'r' ? 4 : 8); k++)
        for (int j = i + ways[k]; s->at[j] != '#' && !belongs(s->at[j], white);
             j += ways[k]) {
          list[n++] = (Move){i, j};
          if (s->at[j] != '.') break;
        }
    }
  }
  return n;
}

static State after(const State *s, Move m) {
  State n = *s;
  n.at[m.to] = s->at[m.from];
  n.at[m.from] = '.';
  if (n.at[m.to] == 'P' && m.to / 10 == 8) n.at[m.to] = 'Q';
  if (n.at[m.to] == 'p' && m.to / 10 == 1) n.at[m.to] = 'q';
  n.white = !s->white;
  n.made++;
  return n;
}

static Count perft(const State *s, int depth) {
  Move list[200];
  if (depth == 0) return 1;
  if (s->made == 59 || moves(s, !s->white, list) == 0) return 0;
  int n = moves(s, s->white, list);
  Count sum = 0;
  for (int i = 0; i < n; i++) {
    State t = after(s, list[i]);
    sum += perft(&t, depth - 1);
  }
  return sum;
}

int main(int argc, char **argv) {
  State s = {.white = true, .made = 0};
  strcpy(s.at, "##########"
               "#.NBRRBN.#"
               "#..PPPP..#"
               "#..#..#..#"
               "#........#"
               "#........#"
               "#..#..#..#"
               "#..pppp..#"
               "#.nbrrbn.#"
               "##########");
  for (int d = 1; argc > 1 && d <= atoi(argv[1]); d++)
    printf("%s%llu", d > 1 ? " " : "", perft(&s, d));
  printf("\n");
  return 0;
}
