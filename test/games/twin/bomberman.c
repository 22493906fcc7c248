/* Counts the joint move sequences of Bomberman for two. Usage: bomberman DEPTH.
   A yard of 8 by 8 cells with walls; both players move at once (four ways, stay
   or drop a bomb). A bomb dropped in turn t sets its row and column on fire for
   the state after turn t + 4, the row unless a wall is on its east, the column
   unless one is on its north; a player in the fire ends the game. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NORTH, EAST, SOUTH, WEST, STAY, DROP };

typedef struct {
  int x, y;
} Cell;

typedef struct {
  int turn;
  Cell player[2];
  Cell bomb[5][2]; /* bomb[k]: dropped k turns ago; x = 0 if none */
} State;

static int in(const char *set, int i) {
  return strchr(set, '0' + i) != NULL;
}

static int wall_north(Cell c) {
  return c.y == 8 || (in("2457", c.x) && c.y != 4);
}

static int wall_east(Cell c) {
  return c.x == 8 || (in("2457", c.y) && c.x != 4);
}

static int walk(Cell c, int move, Cell *to) {
  *to = c;
  switch (move) {
  case NORTH: to->y++; return !wall_north(c);
  case EAST: to->x++; return !wall_east(c);
  case SOUTH: to->y--; return to->y > 0 && !wall_north(*to);
  case WEST: to->x--; return to->x > 0 && !wall_east(*to);
  default: return 1;
  }
}

static int burned(const State *s, Cell c) {
  for (int i = 0; i < 2; i++) {
    Cell b = s->bomb[4][i];

    if (b.x &&
        ((b.y == c.y && !wall_east(b)) || (b.x == c.x && !wall_north(b))))
      return 1;
  }
  return 0;
}

static unsigned long long count(const State *s, int depth) {
  unsigned long long sum = 0;

  if (depth == 0) return 1;
  if (burned(s, s->player[0]) || burned(s, s->player[1]) || s->turn == 49)
    return 0;
  for (int i = 0; i <= DROP; i++)
    for (int j = 0; j <= DROP; j++) {
      static const Cell none = {0, 0};
      State t = *s;

      if (!walk(s->player[0], i, &t.player[0]) ||
          !walk(s->player[1], j, &t.player[1]))
        continue;
      t.turn++;
      memmove(t.bomb[1], t.bomb[0], 4 * sizeof t.bomb[0]);
      t.bomb[0][0] = i == DROP ? s->player[0] : none;
      t.bomb[0][1] = j == DROP ? s->player[1] : none;
      sum += count(&t, depth - 1);
    }
  return sum;
}

int main(int argc, char **argv) {
  int depth = argc == 2 ? atoi(argv[1]) : 0;
  State s = {.player = {{1, 1}, {8, 8}}};

  if (depth < 1) {
    fprintf(stderr, "usage: %s DEPTH\n", argv[0]);
    return 2;
  }
  for (int d = 1; d <= depth; d++)
    printf("%llu%c", count(&s, d), d < depth ? ' ' : '\n');
  return 0;
}
