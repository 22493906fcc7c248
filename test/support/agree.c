#include "support/agree.h"

#include "net/build.h"
#include "scalar/scalar.h"
#include "support/netgame.h"

/* ---- one state at a time ---- */

static bool agree_compare_state(const AgreeCheck *check, Game *game,
                                uint32_t state) {
  TermVector answer = {0};
  bool same = true;
  if (game_terminal(game) != check->record->states.data[state].terminal) {
    agree_write_place(check, state, 0);
    text_add(check->why, " terminal differs");
    same = false;
  }
  for (uint32_t s = 0; same && s < check->record->sections; s++) {
    agree_ask(game, s, &answer);
    same = agree_compare(check, state, s, &answer);
  }
  if (same && strcmp(game->operations->name, "scalar") == 0 &&
      game_key(game) != game_state_hash(game)) {
    agree_write_place(check, state, 0);
    text_add(check->why, " key");
    same = false;
  }
  vector_free(&answer);
  return same;
}

/* Walks from the last state of a recorded game back to its first. */
static bool agree_walk_back(const AgreeCheck *check, Game *game,
                            uint32_t state) {
  bool same = true;
  for (; same && !check->record->states.data[state].begins; state--) {
    game_retract(game);
    same = agree_compare_state(check, game, state - 1);
  }
  return same;
}

bool agree_walk(const AgreeCheck *check, Game *game) {
  const AgreeRecord *record = check->record;
  for (uint32_t i = 0; i < record->states.count; i++) {
    const AgreeState *state = &record->states.data[i];
    if (state->begins) game_reset(game);
    if (!agree_compare_state(check, game, i)) return false;
    if (state->moves)
      compare_make(game, record->joints.data + (size_t)i * record->roles);
    else if (!agree_walk_back(check, game, i))
      return false;
  }
  return true;
}

/* ---- all of them ---- */

/* Lets one engine walk the record; deletes the game. */
static bool agree_walk_with(AgreeCheck *check, Game *game, const char *name) {
  Text engine = {0};
  text_format(&engine, "%s on the %s", game->operations->name, name);
  check->engine = engine.bytes;
  bool same = agree_walk(check, game);
  game_delete(game);
  text_free(&engine);
  return same;
}

/* Plain evaluation needs at least one fluent and visits the whole net in each
   round of a fixpoint: minutes for large nets with loops. */
static bool agree_slow_wanted(const Net *net) {
  uint64_t work = (uint64_t)net_count_ands(net) * (net->loops.count + 1);
  return net->fluents.count && work < 5000000;
}

static bool agree_net(const AgreeRecord *record, Description *description,
                      const Net *net, const char *name, uint32_t least,
                      const AgreeBudget *budget, Text *why) {
  AgreeCheck check = {.record = record, .net = net, .why = why};
  bool same = !agree_slow_wanted(net) ||
              agree_walk_with(&check, netgame_new(description, net), name);
  return same &&
         agree_walk_with(&check, scalar_engine_new(description, net), name) &&
         agree_wide(&check, name, least, budget);
}

/* Builds both nets; returns false, with the reason, if the rules cannot be
   ground. */
static bool agree_load(Description *description, const AgreeBudget *budget,
                       Net *built, Net *reduced, Text *why) {
  Ground ground;
  bool fine = ground_init(&ground, description, &budget->load.ground, why);
  if (fine) {
    fine = build_net(built, &ground, why);
    if (!fine) net_free(built);
  }
  ground_free(&ground);
  ReduceOptions options = {.seconds = budget->load.reduce_seconds,
                           .legal = true};
  if (fine) reduce_net(built, reduced, &options, NULL);
  return fine;
}

AgreeResult agree_check(Description *description, const AgreeBudget *budget,
                        uint32_t *states, Text *why) {
  Net built, reduced;
  AgreeRecord record;
  *states = 0;
  if (!agree_load(description, budget, &built, &reduced, why))
    return AGREE_NOT_GROUND;
  agree_record_init(&record, description, budget);
  *states = record.states.count;
  bool same =
      agree_net(&record, description, &built, "net", 0, budget, why) &&
      agree_net(&record, description, &reduced, "reduced net", 2, budget, why);
  agree_record_free(&record);
  net_free(&built);
  net_free(&reduced);
  return same ? AGREE_SAME : AGREE_DIFFERENT;
}
