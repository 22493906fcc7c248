#include "support/units.h"

#include "support/unit.h"

void units_open(ExhaustPuzzle *opened, const char *text) {
  exhaust_open(opened, text, true);
  assert_non_null(book_analysis(&opened->book));
}
