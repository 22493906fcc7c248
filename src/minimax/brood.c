#include "minimax/brood.h"

#include "base/bits.h"

/* ---- values ---- */

static Score value_of(Worker *worker, const uint64_t *state,
                      const int32_t *sums) {
  const Evaluation *evaluation = worker->minimax->evaluation;
  const Scale *scale = &worker->minimax->scale;
  float values[RULE_ROLES];
  worker->evaluated++;
  if (!evaluation) return (scale->low + scale->high) / 2;
  evaluation_values(evaluation, state, sums, NULL, values);
  return scale_values(scale, values);
}

Result brood_evaluate(Worker *worker, uint32_t ply) {
  const Ply *node = &worker->plies[ply];
  return (Result){value_of(worker, node->state, node->sums), false};
}

void brood_goals(Worker *worker, float *goals) {
  const Minimax *minimax = worker->minimax;
  for (uint32_t role = 0; role < minimax->role_count; role++) {
    int goal = game_goal(worker->game, role);
    goals[role] = (float)(goal < 0 ? minimax->scale.aim.cut : goal);
  }
}

Result brood_end(Worker *worker, uint32_t ply) {
  float goals[RULE_ROLES];
  const Scale *scale = &worker->minimax->scale;
  brood_goals(worker, goals);
  return (Result){scale_end(scale, goals, ply), true};
}

/* ---- moves ---- */

static void push(Worker *worker, Move move, const HatchChild *hatched,
                 NestPlace place) {
  const Minimax *minimax = worker->minimax;
  uint32_t at = worker->child_count++;
  size_t sums = minimax->evaluation ? minimax->evaluation->sum_count : 0;
  worker->children[at] =
      (Child){.move = move,
              .hatched = hatched,
              .place = place,
              .state = worker->words + (size_t)at * minimax->words,
              .sums = worker->sums + at * sums};
}

/* Drops moves of worker->listed that symmetric ones stand for; the others stay
   in order. */
static void leave_out(Worker *worker, Brood *brood) {
  brood->count = symmetries_reduce_turn(
      worker->minimax->symmetries, worker->plies[brood->ply].state,
      brood->mover, worker->listed, brood->count);
}

bool brood_list(Worker *worker, uint32_t ply, Brood *brood) {
  const Move *moves;
  Minimax *minimax = worker->minimax;
  uint32_t roles = minimax->role_count, mover = roles;
  Ply *node = &worker->plies[ply];
  for (uint32_t role = 0; role < roles; role++) {
    uint32_t count = game_legal(worker->game, role, &moves);
    if (!count) return false;
    node->joint[role] = moves[0];
    if (count == 1) continue;
    if (mover < roles) atomic_store(&minimax->sound, false);
    mover = role;
  }
  *brood = (Brood){.ply = ply,
                   .first = worker->child_count,
                   .mover = mover < roles ? mover : 0,
                   .other = mover < roles && mover != minimax->role};
  brood->count = game_legal(worker->game, brood->mover, &moves);
  if (brood->first + brood->count > worker->child_room) return false;
  if (minimax->symmetries && mover < roles) {
    memcpy(worker->listed, moves, brood->count * sizeof *moves);
    leave_out(worker, brood);
    moves = worker->listed;
  }
  for (uint32_t i = 0; i < brood->count; i++)
    push(worker, moves[i], NULL, (NestPlace){0});
  worker->listings++;
  return true;
}

/* Finds a node's brood by the child that leads to it, or by its key. */
static bool find(const Nest *nest, NestPlace place, uint64_t key, bool attacks,
                 NestBrood *found) {
  return (nest_follow(nest, place, found) && (attacks || !found->attacks)) ||
         nest_find(nest, key, found);
}

/* Copies the node's brood out of the nest. */
static bool copy_out(Worker *worker, const Ply *node, bool attacks,
                     NestBrood *found) {
  const Nest *nest = worker->minimax->nest;
  HatchChild *copy = worker->hatchlings + worker->child_count;
  nest_enter(nest, worker->number);
  bool there = find(nest, node->place, node->key, attacks, found) &&
               worker->child_count + found->count <= worker->child_room;
  if (there) memcpy(copy, found->children, found->count * sizeof *copy);
  nest_leave(nest, worker->number);
  return there;
}

/* Puts the brood's children there, but for those that symmetric ones stand for:
   what is known of the others moves together, since what is fetched next lies
   behind the last. */
static void push_hatched(Worker *worker, Brood *brood, const NestBrood *found) {
  const Minimax *minimax = worker->minimax;
  HatchChild *kept = worker->hatchlings + brood->first;
  uint32_t from = 0;
  for (uint32_t i = 0; i < brood->count; i++) worker->listed[i] = kept[i].move;
  if (minimax->symmetries && !found->forced) leave_out(worker, brood);
  for (uint32_t i = 0; i < brood->count; i++, from++) {
    while (kept[from].move != worker->listed[i]) from++;
    kept[i] = kept[from];
    push(worker, kept[i].move, &kept[i], nest_place(found, from));
  }
}

bool brood_fetch(Worker *worker, uint32_t ply, bool attacks, Brood *brood) {
  const Minimax *minimax = worker->minimax;
  NestBrood found;
  if (!minimax->nest || !copy_out(worker, &worker->plies[ply], attacks, &found))
    return false;
  *brood = (Brood){.ply = ply,
                   .first = worker->child_count,
                   .count = found.count,
                   .mover = found.mover,
                   .other = !found.forced && found.mover != minimax->role,
                   .hatched = true};
  worker->hatched++;
  push_hatched(worker, brood, &found);
  return true;
}

void brood_keep_attacks(Worker *worker, Brood *brood) {
  const Features *features = worker->minimax->features;
  const uint64_t *state = worker->plies[brood->ply].state;
  uint32_t kept = 0;
  if (!features) return;
  for (uint32_t i = 0; i < brood->count; i++) {
    Child *child = brood_child(worker, brood, i);
    if (!brood_attacks(features, brood->mover, child->move, state)) continue;
    Child *keeper = brood_child(worker, brood, kept++);
    keeper->move = child->move;
    keeper->hatched = child->hatched;
    keeper->place = child->place;
  }
  brood->count = kept;
}

void brood_free(Worker *worker, const Brood *brood) {
  worker->child_count = brood->first;
}

/* ---- children ---- */

bool brood_captures(const Minimax *minimax, uint32_t mover,
                    const uint64_t *from, const uint64_t *to) {
  for (uint32_t role = 0; role < minimax->role_count; role++) {
    const uint64_t *pieces = minimax->pieces + (size_t)role * minimax->words;
    int change = 0;
    if (role == mover) continue;
    for (uint32_t w = 0; w < minimax->words; w++) {
      uint64_t changed = (from[w] ^ to[w]) & pieces[w];
      if (!changed) continue;
      change += __builtin_popcountll(changed & to[w]);
      change -= __builtin_popcountll(changed & from[w]);
    }
    if (change < 0) return true;
  }
  return false;
}

/* The same, by what the move changes. */
static bool changes_capture(const Minimax *minimax, uint32_t mover,
                            const uint64_t *from, const HatchChild *changed) {
  for (uint32_t role = 0; role < minimax->role_count; role++) {
    const uint64_t *pieces = minimax->pieces + (size_t)role * minimax->words;
    int change = 0;
    if (role == mover) continue;
    for (uint32_t i = 0; i < changed->count; i++) {
      uint32_t fluent = changed->changes[i];
      if (bits_has(pieces, fluent)) change += bits_has(from, fluent) ? -1 : 1;
    }
    if (change < 0) return true;
  }
  return false;
}

/* The state of a child from the nest. */
static void make_hatched(const Worker *worker, uint32_t ply,
                         const Child *child) {
  const HatchChild *changed = child->hatched;
  memcpy(child->state, worker->plies[ply].state,
         worker->minimax->words * sizeof *child->state);
  for (uint32_t i = 0; i < changed->count; i++)
    bits_flip(child->state, changed->changes[i]);
}

static void make_state(Worker *worker, const Brood *brood, Child *child) {
  Ply *node = &worker->plies[brood->ply];
  const uint64_t *words;
  child->stated = true;
  if (child->hatched) {
    make_hatched(worker, brood->ply, child);
    return;
  }
  node->joint[brood->mover] = child->move;
  game_successor(worker->game, node->joint, &words);
  memcpy(child->state, words, worker->minimax->words * sizeof *words);
}

/* The sums of a child from the nest by what it changes. Returns false if its
   state is needed for them. */
static bool add_changes(const Evaluation *evaluation, const Ply *node,
                        Child *child) {
  const HatchChild *changed = child->hatched;
  return changed &&
         (!evaluation ||
          evaluation_change(evaluation, node->state, changed->changes,
                            changed->count, child->sums));
}

void brood_make(Worker *worker, const Brood *brood, Child *child) {
  const Minimax *minimax = worker->minimax;
  const Evaluation *evaluation = minimax->evaluation;
  const Ply *node = &worker->plies[brood->ply];
  bool sums = evaluation && evaluation->sum_count;
  child->made = true;
  worker->states++;
  if (sums)
    memcpy(child->sums, node->sums,
           evaluation->sum_count * sizeof *child->sums);
  if (!add_changes(evaluation, node, child)) {
    make_state(worker, brood, child);
    if (sums)
      evaluation_update(evaluation, node->state, child->state, child->sums);
  }
  if (minimax->captures)
    child->capture =
        child->hatched
            ? changes_capture(minimax, brood->mover, node->state,
                              child->hatched)
            : brood_captures(minimax, brood->mover, node->state, child->state);
}

static void take_end(Worker *worker, const Brood *brood, Child *child) {
  if (!child->stated) make_state(worker, brood, child);
  game_enter(worker->game, child->state, worker->minimax->words);
  if (!game_terminal(worker->game)) return; /* never */
  Score score = brood_end(worker, brood->ply + 1).score;
  child->score = brood->other ? -score : score;
  child->ends = child->valued = true;
}

/* Finds ends among up to 64 children. */
static void find_ends(Worker *worker, const Brood *brood, uint32_t from,
                      uint32_t count) {
  const uint64_t *states[64];
  for (uint32_t i = 0; i < count; i++)
    states[i] = brood_child(worker, brood, from + i)->state;
  uint64_t found = ends_find(&worker->minimax->ends, worker->ends,
                             worker->plies[brood->ply].state, states, count);
  while (found)
    take_end(worker, brood,
             brood_child(worker, brood, from + bits_take(&found)));
}

static void find_made_ends(Worker *worker, const Brood *brood, uint32_t from,
                           uint32_t to) {
  for (; from + 64 < to; from += 64) find_ends(worker, brood, from, 64);
  find_ends(worker, brood, from, to - from);
}

static void find_hatched_ends(Worker *worker, const Brood *brood, uint32_t from,
                              uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    Child *child = brood_child(worker, brood, i);
    if (child->hatched->over) take_end(worker, brood, child);
  }
}

static void find_all_ends(Worker *worker, const Brood *brood, uint32_t from,
                          uint32_t to) {
  if (!worker->minimax->ends.program) return; /* they are found when entered */
  if (brood->hatched)
    find_hatched_ends(worker, brood, from, to);
  else
    find_made_ends(worker, brood, from, to);
}

void brood_make_some(Worker *worker, const Brood *brood, uint32_t from,
                     uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    Child *child = brood_child(worker, brood, i);
    if (!child->made) brood_make(worker, brood, child);
  }
  find_all_ends(worker, brood, from, to);
  for (uint32_t i = from; i < to; i++) {
    Child *child = brood_child(worker, brood, i);
    if (child->valued) continue;
    Score score = value_of(worker, child->state, child->sums);
    child->score = brood->other ? -score : score;
    child->valued = true;
  }
}

/* Shell sort: broods have some 30 children, but in some games thousands. */
void brood_sort(Worker *worker, const Brood *brood, uint32_t from,
                uint32_t to) {
  static const uint32_t gaps[] = {701, 301, 132, 57, 23, 10, 4, 1}; /* Ciura */
  Child *children = worker->children + brood->first + from;
  uint32_t count = to > from ? to - from : 0;
  for (uint32_t g = count < 24 ? 7 : 0; g < 8; g++)
    for (uint32_t gap = gaps[g], i = gap; i < count; i++) {
      Child child = children[i];
      uint32_t at = i;
      for (; at >= gap && children[at - gap].order < child.order; at -= gap)
        children[at] = children[at - gap];
      children[at] = child;
    }
}

void brood_pick(Worker *worker, const Brood *brood, uint32_t count) {
  Child *children = worker->children + brood->first;
  for (uint32_t i = 0; i < count && i < brood->count; i++) {
    uint32_t best = i;
    for (uint32_t j = i + 1; j < brood->count; j++)
      if (children[j].order > children[best].order) best = j;
    Child child = children[best];
    children[best] = children[i];
    children[i] = child;
  }
}

static uint64_t key_of(const Worker *worker, const Ply *from,
                       const Child *child) {
  const uint64_t *keys = worker->minimax->book->zobrist;
  uint64_t sum = from->key;
  if (child->hatched) {
    for (uint32_t i = 0; i < child->hatched->count; i++) {
      uint32_t fluent = child->hatched->changes[i];
      uint64_t key = keys[fluent];
      sum += bits_has(from->state, fluent) ? 0 - key : key;
    }
    return sum;
  }
  for (uint32_t w = 0; w < worker->minimax->words; w++)
    for (uint64_t left = from->state[w] ^ child->state[w]; left;) {
      uint32_t bit = bits_take(&left);
      uint64_t key = keys[w * 64 + bit];
      sum += child->state[w] >> bit & 1 ? key : 0 - key;
    }
  return sum;
}

void brood_descend(Worker *worker, uint32_t ply, const Child *child) {
  const Ply *from = &worker->plies[ply];
  Ply *to = &worker->plies[ply + 1];
  if (!child->stated) make_hatched(worker, ply, child);
  to->state = child->state;
  to->sums = child->sums;
  to->line.count = 0;
  to->place = child->place;
  to->key = key_of(worker, from, child);
}

bool brood_there(const Worker *worker, uint32_t ply, const Child *child) {
  const Nest *nest = worker->minimax->nest;
  uint64_t key = key_of(worker, &worker->plies[ply], child);
  NestBrood found;
  nest_enter(nest, worker->number);
  bool there = find(nest, child->place, key, false, &found);
  nest_leave(nest, worker->number);
  return there;
}
