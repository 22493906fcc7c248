#include "minimax/minimax.h"

bool minimax_plays(Book *book) {
  (void)book;
  return false;
}
