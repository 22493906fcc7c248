/* Counts the move sequences of circle solitaire (games/circleSolitaire.kif):
 * eight places in a circle with green (G) or red (R) disks; taking a green one
 * turns its neighbours; three resets allowed, the third one loses.
 * circleSolitaire DEPTH prints the counts of length 1..DEPTH. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 8, MOVES_MAX = 27 };

static const char layout[PLACES + 1] = "GGRRGRGR";
static const char empty[PLACES + 1] = "........";
static unsigned long long count[MOVES_MAX + 1];

static char turned(char disk) {
  return disk == 'G' ? 'R' : disk == 'R' ? 'G' : '.';
}

static void walk(const char *disks, int resets, int made, int depth) {
  count[made]++;
  if (made == depth || resets == 3 || !strcmp(disks, empty)) return;
  for (int p = 0; p < PLACES; p++) {
    if (disks[p] != 'G') continue;
    int left = (p + PLACES - 1) % PLACES, right = (p + 1) % PLACES;
    char after[PLACES + 1];
    memcpy(after, disks, sizeof after);
    after[p] = '.';
    after[left] = turned(after[left]);
    after[right] = turned(after[right]);
    walk(after, resets, made + 1, depth);
  }
  walk(layout, resets + 1, made + 1, depth);
}

int main(int argc, char **argv) {
  int depth = argc > 1 ? atoi(argv[1]) : 0;
  if (depth < 1 || depth > MOVES_MAX) return 1;
  walk(layout, 0, 0, depth);
  for (int i = 1; i <= depth; i++)
    printf("%llu%c", count[i], i < depth ? ' ' : '\n');
  return 0;
}
