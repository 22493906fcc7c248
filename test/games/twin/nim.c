/* Counts the move sequences of Nim with heaps of 1, 5, 4 and 2 counters: how
 * many ways there are to play 1, 2, .. DEPTH moves from the start, a move being
 * to take one or more counters from one heap. A sequence that empties the heaps
 * cannot be continued. The heaps are an array of counters left; the counts are
 * found by trying every move. */

#include <stdio.h>
#include <stdlib.h>

enum { HEAPS = 4 };

static int heap[HEAPS] = {1, 5, 4, 2};

static unsigned long long count(int depth) {
  unsigned long long sum = 0;

  if (depth == 0) return 1;
  for (int i = 0; i < HEAPS; i++) {
    const int size = heap[i];
    for (int left = 0; left < size; left++) {
      heap[i] = left;
      sum += count(depth - 1);
    }
    heap[i] = size;
  }
  return sum;
}

int main(int argc, char **argv) {
  const int depth = argc == 2 ? atoi(argv[1]) : 0;

  if (depth < 1) {
    fprintf(stderr, "usage: nim DEPTH\n");
    return 2;
  }
  for (int d = 1; d <= depth; d++) printf(d > 1 ? " %llu" : "%llu", count(d));
  printf("\n");
  return 0;
}
