/* Steps are learned from the last to the first, each by all paths that have it.
   Paths that made the same joint move in the same node make one lesson there
   (found by a hash table); their returns are added up. */
#include "search/merge.h"

#include "search/backup.h"
#include "search/survey.h"
#include "search/tree_share.h"

/* By role, the returns of a path or lesson and then the highest ones. */
static double *values_of(const Search *search, Merge *merge, uint32_t path) {
  return merge->values.data + (size_t)path * 2 * search->role_count;
}

static double *sums_of(const Search *search, Merge *merge, uint32_t lesson) {
  return merge->sums.data + (size_t)lesson * 2 * search->role_count;
}

void merge_add(Search *search, Scratch *own, const Path *path) {
  Merge *merge = &own->merge;
  if (merge->paths.count == MERGE_PATHS) merge_teach(search, own);
  assert(path->steps == path->nodes.count);
  vector_push(&merge->paths, path);
  for (uint32_t role = 0; role < search->role_count; role++)
    vector_push(&merge->values, own->values[role]);
  for (uint32_t role = 0; role < search->role_count; role++)
    vector_push(&merge->values, own->highest[role]);
}

/* ---- lessons ---- */

static uint32_t hash(const Search *search, NodeId node,
                     const uint32_t *choices) {
  uint64_t key = node;
  for (uint32_t role = 0; role < search->role_count; role++)
    key = key * 31 + choices[role];
  return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 40) % MERGE_SLOTS;
}

static bool is_about(const Search *search, const MergeLesson *lesson,
                     NodeId node, const uint32_t *choices) {
  const uint32_t *known = lesson->path->choices.data + lesson->at;
  bool same = lesson->node == node;
  for (uint32_t role = 0; role < search->role_count && same; role++)
    same = known[role] == choices[role];
  return same;
}

static uint32_t begin_lesson(const Search *search, Merge *merge, uint32_t slot,
                             const Path *path, uint32_t step) {
  uint32_t number = merge->lessons.count;
  MergeLesson lesson = {.node = path->nodes.data[step],
                        .at = step * search->role_count,
                        .slot = slot,
                        .path = path};
  vector_push(&merge->lessons, lesson);
  merge->table[slot] = number + 1;
  double *sums = sums_of(search, merge, number);
  for (uint32_t role = 0; role < search->role_count; role++) {
    sums[role] = 0;
    sums[search->role_count + role] = -INFINITY;
  }
  path_prefetch(path, step);
  tree_prefetch_offset(search->tree, lesson.node);
  return number;
}

/* Returns the number of the lesson of a path's step. */
static uint32_t find_lesson(const Search *search, Merge *merge,
                            const Path *path, uint32_t step) {
  NodeId node = path->nodes.data[step];
  const uint32_t *choices = path->choices.data + step * search->role_count;
  uint32_t slot = hash(search, node, choices);
  for (; merge->table[slot]; slot = (slot + 1) % MERGE_SLOTS) {
    uint32_t number = merge->table[slot] - 1;
    if (is_about(search, &merge->lessons.data[number], node, choices))
      return number;
  }
  return begin_lesson(search, merge, slot, path, step);
}

static void add_values(const Search *search, Merge *merge, uint32_t path,
                       uint32_t lesson) {
  uint32_t roles = search->role_count;
  double *values = values_of(search, merge, path);
  double *sums = sums_of(search, merge, lesson);
  for (uint32_t role = 0; role < roles; role++) {
    values[role] *= search->settings.gamma;
    values[roles + role] *= search->settings.gamma;
    sums[role] += values[role];
    if (values[roles + role] > sums[roles + role])
      sums[roles + role] = values[roles + role];
  }
}

static void gather(const Search *search, Merge *merge, uint32_t step) {
  for (uint32_t i = 0; i < merge->paths.count; i++) {
    const Path *path = merge->paths.data[i];
    if (step >= path->steps) continue;
    uint32_t number = find_lesson(search, merge, path, step);
    MergeLesson *lesson = &merge->lessons.data[number];
    lesson->count++;
    lesson->pending += path->pending;
    if (step + 1 < path->steps) lesson->child = path->nodes.data[step + 1];
    add_values(search, merge, i, number);
    merge->lesson_of[i] = number;
  }
}

/* ---- learning ---- */

static void let_go(const Search *search, Node **locked) {
  if (*locked) tree_unlock(search->tree, *locked);
  *locked = NULL;
}

/* `locked` is the node of the lesson before, or NULL; afterwards it is that of
   this one. */
static void teach(Search *search, Scratch *own, uint32_t number, uint32_t step,
                  Node **locked) {
  MergeLesson *known = &own->merge.lessons.data[number];
  double *sums = sums_of(search, &own->merge, number);
  uint32_t roles = search->role_count;
  Lesson lesson = {.step = step,
                   .count = known->count,
                   .pending = known->pending,
                   .choices = known->path->choices.data + known->at,
                   .moves = known->path->moves.data + known->at,
                   .totals = sums,
                   .highest = sums + roles};
  bool judged = search->minimax && known->child;
  if (*locked && (judged || (*locked)->id != known->node))
    let_go(search, locked);
  double judgement = judged ? survey_judgement(search, known->child) : NAN;
  backup_teach_moves(search, own, &lesson);
  if (!*locked) *locked = tree_lock(search->tree, known->node);
  if (judged)
    survey_back_up(search, *locked, lesson.choices, known->child, judgement);
  known->lifted = backup_teach(search, own, *locked, &lesson);
  if (!known->lifted) return;
  memcpy(sums, own->values, roles * sizeof *sums);
  memcpy(sums + roles, own->highest, roles * sizeof *sums);
}

/* Paths whose node has an exact value go on with that. */
static void lift(const Search *search, Merge *merge, uint32_t step) {
  for (uint32_t i = 0; i < merge->paths.count; i++) {
    uint32_t number = merge->lesson_of[i];
    if (step < merge->paths.data[i]->steps &&
        merge->lessons.data[number].lifted)
      memcpy(values_of(search, merge, i), sums_of(search, merge, number),
             2 * search->role_count * sizeof(double));
  }
}

static void teach_step(Search *search, Scratch *own, uint32_t step) {
  Merge *merge = &own->merge;
  Node *locked = NULL;
  bool lifted = false;
  gather(search, merge, step);
  for (uint32_t i = 0; i < merge->lessons.count; i++) {
    teach(search, own, i, step, &locked);
    lifted |= merge->lessons.data[i].lifted;
  }
  let_go(search, &locked);
  if (lifted) lift(search, merge, step);
  for (uint32_t i = 0; i < merge->lessons.count; i++)
    merge->table[merge->lessons.data[i].slot] = 0;
  vector_clear(&merge->lessons);
}

void merge_teach(Search *search, Scratch *own) {
  Merge *merge = &own->merge;
  uint32_t steps = 0;
  for (uint32_t i = 0; i < merge->paths.count; i++)
    if (merge->paths.data[i]->steps > steps)
      steps = merge->paths.data[i]->steps;
  vector_resize(&merge->sums, merge->paths.count * 2 * search->role_count);
  while (steps-- > 0) teach_step(search, own, steps);
  vector_clear(&merge->paths);
  vector_clear(&merge->values);
}
