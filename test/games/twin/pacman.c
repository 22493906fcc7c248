/* Counts the joint move sequences of Pac-Man for three: pacman moves alone,
   then the two ghosts at the same time, in turn; the game ends when pacman
   shares a cell with a ghost or after 99 turns. Pellets change no move and are
   left out. Usage: pacman DEPTH. */

#include <stdio.h>
#include <stdlib.h>

#define WIDTH 10

static const char maze[] = "##########"
                           "###....###"
                           "###.##.###"
                           "#........#"
                           "#.#.##.#.#"
                           "#.#.##.#.#"
                           "#........#"
                           "###.##.###"
                           "###....###"
                           "##########";
static const int directions[4] = {1, -1, WIDTH, -WIDTH};

static unsigned long long count(int turn, int pacman, int blinky, int inky,
                                int depth) {
  unsigned long long sum = 0;

  if (depth == 0) return 1;
  if (pacman == blinky || pacman == inky || turn == 99) return 0;
  for (int i = 0; i < 4; i++) {
    int mine = pacman + directions[i], his = blinky + directions[i];

    if (turn % 2 == 0) {
      if (maze[mine] == '.')
        sum += count(turn + 1, mine, blinky, inky, depth - 1);
      continue;
    }
    for (int j = 0; j < 4; j++) {
      int other = inky + directions[j];

      if (maze[his] == '.' && maze[other] == '.')
        sum += count(turn + 1, pacman, his, other, depth - 1);
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
  for (int d = 1; d <= depth; d++)
    printf("%llu%c", count(0, 3 * WIDTH + 5, 6 * WIDTH + 4, 6 * WIDTH + 5, d),
           d < depth ? ' ' : '\n');
  return 0;
}
