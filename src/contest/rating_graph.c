/* Who is connected with whom. Draw an arrow from a to b if a has scored against
   b. The likelihood has a maximum if and only if, within each component, every
   player reaches every other along the arrows (Ford 1957). */
#include "contest/rating_fit.h"

static bool played(const RatingFit *fit, uint32_t a, uint32_t b) {
  return fit->games[(size_t)a * fit->count + b] > 0;
}

static void flood(RatingFit *fit, uint32_t first, uint32_t component) {
  NumberVector found = {0};
  vector_push(&found, first);
  fit->component[first] = component;
  for (uint32_t i = 0; i < found.count; i++)
    for (uint32_t b = 0; b < fit->count; b++)
      if (fit->component[b] == UINT32_MAX && played(fit, found.data[i], b)) {
        fit->component[b] = component;
        vector_push(&found, b);
      }
  for (uint32_t i = 0; i < found.count; i++)
    fit->size[found.data[i]] = found.count;
  vector_free(&found);
}

static void find_components(RatingFit *fit) {
  for (uint32_t a = 0; a < fit->count; a++) fit->component[a] = UINT32_MAX;
  for (uint32_t a = 0; a < fit->count; a++)
    if (fit->component[a] == UINT32_MAX) flood(fit, a, fit->components++);
}

/* The transitive closure (Warshall 1962). */
static void find_reach(RatingFit *fit) {
  uint32_t n = fit->count;
  for (size_t i = 0; i < (size_t)n * n; i++)
    fit->reaches[i] = fit->score[i] > 0;
  for (uint32_t a = 0; a < n; a++) fit->reaches[(size_t)a * n + a] = true;
  for (uint32_t via = 0; via < n; via++)
    for (uint32_t a = 0; a < n; a++)
      if (fit->reaches[(size_t)a * n + via])
        for (uint32_t b = 0; b < n; b++)
          fit->reaches[(size_t)a * n + b] |= fit->reaches[(size_t)via * n + b];
}

void rating_fit_connect(RatingFit *fit) {
  uint32_t n = fit->count;
  find_components(fit);
  find_reach(fit);
  for (uint32_t a = 0; a < n; a++) {
    uint32_t *body = &fit->body[fit->component[a]];
    for (uint32_t b = 0; b < n; b++)
      fit->level[a] +=
          fit->reaches[(size_t)a * n + b] && fit->reaches[(size_t)b * n + a];
    if (fit->level[a] > *body) *body = fit->level[a];
    fit->weight[a] = fit->level[a] < fit->size[a];
  }
}
