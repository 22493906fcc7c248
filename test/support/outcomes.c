#include "support/outcomes.h"

void outcomes_init(Outcomes *outcomes, Game *game, uint64_t limit) {
  *outcomes = (Outcomes){.game = game, .limit = limit, .places = 1 << 12};
  outcomes->table = memory_new(outcomes->places * sizeof *outcomes->table);
}

void outcomes_free(Outcomes *outcomes) {
  memory_delete(outcomes->table);
  vector_free(&outcomes->list);
}

static int outcome_goal(Outcome outcome, uint32_t role) {
  return (int)(outcome >> 8 * role & 255);
}

/* ---- the table ---- */

static OutcomeEntry *outcomes_place(Outcomes *outcomes, uint64_t key) {
  uint32_t i = (uint32_t)(hash_mix(key) & (outcomes->places - 1));
  while (outcomes->table[i].count && outcomes->table[i].key != key)
    i = (i + 1) & (outcomes->places - 1);
  return &outcomes->table[i];
}

static void outcomes_keep(Outcomes *outcomes, uint64_t key,
                          const OutcomeSet *set) {
  if (2 * ++outcomes->used > outcomes->places) {
    OutcomeEntry *old = outcomes->table;
    uint32_t count = outcomes->places;
    outcomes->places *= 2;
    outcomes->table = memory_new(outcomes->places * sizeof *outcomes->table);
    for (uint32_t i = 0; i < count; i++)
      if (old[i].count) *outcomes_place(outcomes, old[i].key) = old[i];
    memory_delete(old);
  }
  *outcomes_place(outcomes, key) =
      (OutcomeEntry){key, outcomes->list.count, set->count};
  for (uint32_t i = 0; i < set->count; i++)
    vector_push(&outcomes->list, set->data[i]);
}

/* ---- the search ---- */

static void outcomes_collect(Outcomes *outcomes, OutcomeSet *set);

static void outcome_set_add(OutcomeSet *set, Outcome outcome) {
  for (uint32_t i = 0; i < set->count; i++)
    if (set->data[i] == outcome) return;
  vector_push(set, outcome);
}

int outcome_set_least(const OutcomeSet *set, uint32_t role) {
  int least = 101;
  for (uint32_t i = 0; i < set->count; i++)
    if (outcome_goal(set->data[i], role) < least)
      least = outcome_goal(set->data[i], role);
  return least;
}

int outcome_set_most(const OutcomeSet *set, uint32_t role) {
  int most = -1;
  for (uint32_t i = 0; i < set->count; i++)
    if (outcome_goal(set->data[i], role) > most)
      most = outcome_goal(set->data[i], role);
  return most;
}

uint32_t outcomes_mover(Outcomes *outcomes, Move *joint) {
  uint32_t mover = 0, movers = 0;
  for (uint32_t role = 0; role < outcomes->game->role_count; role++) {
    const Move *moves;
    if (game_legal(outcomes->game, role, &moves) > 1) mover = role, movers++;
    joint[role] = moves[0];
  }
  if (movers > 1) outcomes->simultaneous = true;
  return mover;
}

void outcomes_of_move(Outcomes *outcomes, Move *joint, uint32_t mover,
                      Move move, OutcomeSet *set) {
  joint[mover] = move;
  outcomes->states++;
  game_make(outcomes->game, joint);
  outcomes_collect(outcomes, set);
  game_retract(outcomes->game);
}

/* Of all sets, one for each move, the endings that the mover may allow. */
static void outcomes_unite(const OutcomeSet *sets, uint32_t count,
                           uint32_t mover, OutcomeSet *set) {
  for (uint32_t i = 0; i < count; i++) {
    int wanted = -1;
    for (uint32_t j = 0; j < count; j++) {
      int sure = outcome_set_least(&sets[j], mover);
      if (j != i && sure > wanted) wanted = sure;
    }
    for (uint32_t k = 0; k < sets[i].count; k++)
      if (outcome_goal(sets[i].data[k], mover) >= wanted)
        outcome_set_add(set, sets[i].data[k]);
  }
}

static void outcomes_expand(Outcomes *outcomes, OutcomeSet *set) {
  Move joint[OUTCOME_ROLES];
  uint32_t mover = outcomes_mover(outcomes, joint);
  const Move *legal;
  uint32_t count = game_legal(outcomes->game, mover, &legal);
  Move *moves = memory_new(count * sizeof *moves);
  OutcomeSet *sets = memory_new(count * sizeof *sets);
  memcpy(moves, legal, count * sizeof *moves);
  for (uint32_t i = 0; i < count; i++)
    outcomes_of_move(outcomes, joint, mover, moves[i], &sets[i]);
  outcomes_unite(sets, count, mover, set);
  for (uint32_t i = 0; i < count; i++) vector_free(&sets[i]);
  memory_delete(sets);
  memory_delete(moves);
}

/* Collects all endings of the current state. */
static void outcomes_collect(Outcomes *outcomes, OutcomeSet *set) {
  if (outcomes->states >= outcomes->limit) outcomes->beyond = true;
  if (outcomes->beyond || outcomes->simultaneous) return;
  if (game_terminal(outcomes->game)) {
    Outcome outcome = 0;
    for (uint32_t role = 0; role < outcomes->game->role_count; role++)
      outcome |= (Outcome)game_goal(outcomes->game, role) << 8 * role;
    vector_push(set, outcome);
    return;
  }
  uint64_t key = game_key(outcomes->game);
  const OutcomeEntry *entry = outcomes_place(outcomes, key);
  if (entry->count) {
    for (uint32_t i = 0; i < entry->count; i++)
      vector_push(set, outcomes->list.data[entry->first + i]);
    return;
  }
  outcomes_expand(outcomes, set);
  if (!outcomes->beyond && set->count) outcomes_keep(outcomes, key, set);
}
