/* Counts the move sequences of the cube (games/rubiksCube.kif): 54 coloured
 * stickers, 18 turns and noop, over when every face has one colour or after 50
 * moves. rubiksCube DEPTH prints the counts of length 1..DEPTH.
 *
 * A sticker's place is a point (x y z): 2 or -2 along the normal of its face,
 * -1..1 along the other axes. x runs from left to right, y from front to back,
 * z from down to up. A turn rotates the points of one layer. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FACES = 6, PLACES = 54, TURNS = 18, MOVES_MAX = 50 };

typedef struct Point {
  int at[3];
} Point;

static const struct Face {
  int axis, sign;
  Point right, up;    /* as the face is seen from outside */
  const char *colors; /* at the start, row by row from the top left */
} faces[FACES] = {
    {2, 1, {{1, 0, 0}}, {{0, 1, 0}}, "fblbuddbr"},
    {2, -1, {{1, 0, 0}}, {{0, -1, 0}}, "uulfdfbbu"},
    {1, -1, {{1, 0, 0}}, {{0, 0, 1}}, "ruuuflbff"},
    {1, 1, {{-1, 0, 0}}, {{0, 0, 1}}, "dddfbullr"},
    {0, -1, {{0, -1, 0}}, {{0, 0, 1}}, "rrbllrudl"},
    {0, 1, {{0, 1, 0}}, {{0, 0, 1}}, "frbdrrdlf"},
};

static Point place[PLACES];
static int goes[TURNS][PLACES];
static unsigned long long count[MOVES_MAX + 1];

static void make_places(char *colors) {
  for (int f = 0; f < FACES; f++)
    for (int i = 0; i < 9; i++) {
      Point *p = &place[9 * f + i];
      for (int k = 0; k < 3; k++)
        p->at[k] = (i % 3 - 1) * faces[f].right.at[k] +
                   (1 - i / 3) * faces[f].up.at[k];
      p->at[faces[f].axis] = 2 * faces[f].sign;
      colors[9 * f + i] = faces[f].colors[i];
    }
}

static int find(Point p) {
  int i = 0;
  while (memcmp(&place[i], &p, sizeof p)) i++;
  return i;
}

/* A quarter turn clockwise about +k takes axis k+1 to minus axis k+2. */

static Point turned(Point p, int axis, int sign) {
  Point q = p;
  if (p.at[axis] * sign < 1) return q;
  int a = (axis + 1) % 3, b = (axis + 2) % 3;
  q.at[a] = sign * p.at[b];
  q.at[b] = -sign * p.at[a];
  return q;
}

static void make_turns(void) {
  for (int t = 0; t < TURNS; t++)
    for (int i = 0; i < PLACES; i++) {
      Point p = place[i];
      for (int quarter = 0; quarter <= t % 3; quarter++)
        p = turned(p, faces[t / 3].axis, faces[t / 3].sign);
      goes[t][i] = find(p);
    }
}

static bool solved(const char *colors) {
  for (int i = 0; i < PLACES; i++)
    if (colors[i] != colors[i / 9 * 9 + 4]) return false;
  return true;
}

static void walk(const char *colors, int made, int depth) {
  count[made]++;
  if (made == depth || made == MOVES_MAX || solved(colors)) return;
  walk(colors, made + 1, depth);
  for (int t = 0; t < TURNS; t++) {
    char after[PLACES];
    for (int i = 0; i < PLACES; i++) after[goes[t][i]] = colors[i];
    walk(after, made + 1, depth);
  }
}

int main(int argc, char **argv) {
  int depth = argc > 1 ? atoi(argv[1]) : 0;
  if (depth < 1 || depth > MOVES_MAX) return 1;
  char colors[PLACES];
  make_places(colors);
  make_turns();
  walk(colors, 0, depth);
  for (int i = 1; i <= depth; i++)
    printf("%llu%c", count[i], i < depth ? ' ' : '\n');
  return 0;
}
