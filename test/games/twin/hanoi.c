/* Counts the move sequences of the Towers of Hanoi (games/hanoi.kif): five
 * discs on three pillars, 31 moves. A state is the pillar of each disc; discs
 * on one pillar are always in order. hanoi DEPTH prints the counts of length
 * 1..DEPTH. */

#include <stdio.h>
#include <stdlib.h>

enum { DISCS = 5, PILLARS = 3, MOVES_MAX = 31 };

static int pillar[DISCS]; /* disc 0 is the smallest */
static unsigned long long count[MOVES_MAX + 1];

static int top(int p) { /* the smallest disc there, DISCS if none */
  int disc = 0;
  while (disc < DISCS && pillar[disc] != p) disc++;
  return disc;
}

static void walk(int made, int depth) {
  count[made]++;
  if (made == depth || made == MOVES_MAX) return;
  for (int from = 0; from < PILLARS; from++)
    for (int to = 0; to < PILLARS; to++) {
      int disc = top(from);
      if (disc >= top(to)) continue;
      pillar[disc] = to;
      walk(made + 1, depth);
      pillar[disc] = from;
    }
}

int main(int argc, char **argv) {
  int depth = argc > 1 ? atoi(argv[1]) : 0;
  if (depth < 1 || depth > MOVES_MAX) return 1;
  walk(0, depth);
  for (int i = 1; i <= depth; i++)
    printf("%llu%c", count[i], i < depth ? ' ' : '\n');
  return 0;
}
