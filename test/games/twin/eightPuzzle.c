/* Counts the move sequences of the eight puzzle (games/eightPuzzle.kif): tiles
 * 8 7 6 5 4 3 2 1 and a hole on a 3x3 board, at most 60 moves, over as soon as
 * the tiles are in order. eightPuzzle DEPTH prints the counts of length
 * 1..DEPTH. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOVES_MAX = 60 };

static const char ordered[] = "12345678 ";
static unsigned long long count[MOVES_MAX + 1];

static void swap(char *board, int a, int b) {
  char c = board[a];
  board[a] = board[b];
  board[b] = c;
}

static void walk(char *board, int hole, int made, int depth) {
  count[made]++;
  if (made == depth || made == MOVES_MAX || !strcmp(board, ordered)) return;
  for (int from = 0; from < 9; from++) {
    int rows = abs(from / 3 - hole / 3), cols = abs(from % 3 - hole % 3);
    if (rows + cols != 1) continue;
    swap(board, from, hole);
    walk(board, from, made + 1, depth);
    swap(board, from, hole);
  }
}

int main(int argc, char **argv) {
  int depth = argc > 1 ? atoi(argv[1]) : 0;
  if (depth < 1 || depth > MOVES_MAX) return 1;
  char board[] = "87654321 ";
  walk(board, 8, 0, depth);
  for (int i = 1; i <= depth; i++)
    printf("%llu%c", count[i], i < depth ? ' ' : '\n');
  return 0;
}
