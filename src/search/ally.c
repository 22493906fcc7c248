#include "search/ally.h"

void ally_free_result(AllyResult *result) {
  vector_free(&result->playouts);
  vector_free(&result->steps);
  vector_free(&result->sums);
  vector_free(&result->highest);
  vector_free(&result->tails);
  vector_free(&result->ends);
  vector_free(&result->credit);
}
