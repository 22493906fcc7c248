/* Where the descents of a round meet. Some are begun and kept under way, as
   they are while a search thinks, and then as many as a round has; those are
   looked at and forgotten. A little thinking lies between one sample and the
   next. Later descents go deeper than those of the whole search; the length of
   the main line is told for the mean depth of these. */
#include "scale/crowding.h"
#include "scale/measuring.h"
#include "search/descend.h"
#include "search/workers.h"

enum {
  SAMPLES = 40,
  BETWEEN = 2048, /* simulations */
  PATHS = CROWDING_LEAVES,
  STEPS = 48 /* of a path, at most */
};

typedef struct Way {
  uint32_t steps;
  NodeId nodes[STEPS];
  uint64_t moves[STEPS]; /* the joint ones, as one number */
} Way;

/* ---- a sample ---- */

static void follow(const Search *search, const Path *path, Way *way) {
  uint32_t roles = search->role_count;
  way->steps = path->steps < STEPS ? path->steps : STEPS;
  for (uint32_t i = 0; i < way->steps; i++) {
    way->nodes[i] = path->nodes.data[i];
    way->moves[i] = 0;
    for (uint32_t role = 0; role < roles; role++)
      way->moves[i] =
          way->moves[i] * UINT16_MAX + path->choices.data[i * roles + role];
  }
}

static void forget(Batch *batch, uint32_t number) {
  descend_forget(batch->search, &batch->list[number].path);
  batch->list[number].kind = LEAF_FREE;
  vector_push(&batch->free, number);
}

static void take_sample(Batch *batch, Way *ways) {
  NumberVector older = {0};
  assert(batch->free.count >= PATHS);
  descend_round(batch, batch->free.count - PATHS, batch->repeat);
  for (uint32_t i = 0; i < batch->fresh.count; i++)
    vector_push(&older, batch->fresh.data[i]);
  descend_round(batch, PATHS, batch->repeat);
  for (uint32_t i = 0; i < PATHS; i++) {
    uint32_t number = batch->fresh.data[i];
    follow(batch->search, &batch->list[number].path, &ways[i]);
    forget(batch, number);
  }
  for (uint32_t i = 0; i < older.count; i++) forget(batch, older.data[i]);
  vector_free(&older);
}

/* ---- what they have in common ---- */

static bool is_known(const Way *ways, uint32_t at, uint32_t step) {
  for (uint32_t i = 0; i < at; i++)
    if (ways[i].steps > step && ways[i].nodes[step] == ways[at].nodes[step] &&
        ways[i].moves[step] == ways[at].moves[step])
      return true;
  return false;
}

static uint32_t count_lessons(const Way *ways) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < PATHS; i++)
    for (uint32_t step = 0; step < ways[i].steps; step++)
      count += !is_known(ways, i, step);
  return count;
}

/* Returns the node that most ways have after this one, and how many do. */
static NodeId next_of_line(const Way *ways, uint32_t count, NodeId node,
                           uint32_t step, uint32_t *most) {
  NodeId best = 0;
  *most = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (ways[i].steps <= step + 1 || ways[i].nodes[step] != node) continue;
    NodeId next = ways[i].nodes[step + 1];
    uint32_t own = 0;
    for (uint32_t k = i; k < count; k++)
      own += ways[k].steps > step + 1 && ways[k].nodes[step] == node &&
             ways[k].nodes[step + 1] == next;
    if (own <= *most) continue;
    *most = own;
    best = next;
  }
  return best;
}

void measuring_line(Search *search, GameCosts *costs) {
  uint32_t all = SAMPLES * PATHS, most;
  Way *ways = memory_new(all * sizeof *ways);
  double lessons = 0, steps = 0;
  for (uint32_t i = 0; i < SAMPLES; i++) {
    search_think(search, &(Budget){.simulations = BETWEEN});
    take_sample(workers_first(search), ways + (size_t)i * PATHS);
    lessons += count_lessons(ways + (size_t)i * PATHS);
  }
  for (uint32_t i = 0; i < all; i++) steps += ways[i].steps;
  costs->lessons = lessons / steps * costs->depth;
  costs->best = costs->line = 0;
  NodeId node = search->root;
  for (uint32_t step = 0; node && step + 1 < STEPS; step++) {
    node = next_of_line(ways, all, node, step, &most);
    if (!step) costs->best = (double)most / all;
    costs->line += (double)most / all;
  }
  costs->line *= costs->depth / (steps / all);
  memory_delete(ways);
}
