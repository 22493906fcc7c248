/* The way of the data from rules to a game, one call each, within the memory
   that the limits allow: what goes beyond is given up as a whole, and the
   description is as it was. */
#include "engine/load.h"

#include <stdio.h>

#include "engine/scalar.h"
#include "net/build.h"

typedef struct Loading {
  Description *description;
  const LoadLimits *limits;
  Net *net;             /* to be filled */
  ReduceReport *report; /* may be NULL */
  bool playable;        /* is `game` wanted? */
  Game *game;
  char reason[200]; /* of a failure; empty: memory */
} Loading;

static _Noreturn void give_up(Loading *loading, const Text *error) {
  snprintf(loading->reason, sizeof loading->reason, "%s", error->bytes);
  memory_fail(loading->reason);
}

static void load(void *context) {
  Loading *loading = context;
  Text error = {0};
  Ground ground;
  Net built;
  if (!ground_init(&ground, loading->description, &loading->limits->ground,
                   &error) ||
      !net_build(&built, &ground, &error))
    give_up(loading, &error);
  ground_free(&ground);
  ReduceOptions options = {.seconds = loading->limits->reduce_seconds,
                           .legal = true};
  net_reduce(&built, loading->net, &options, loading->report);
  net_free(&built);
  if (loading->playable)
    loading->game = scalar_engine_new(loading->description, loading->net);
}

static bool try(Loading *loading, Text *error) {
  Terms *terms = &loading->description->rules.terms;
  TermsMark mark = terms_mark(terms);
  size_t memory = loading->limits->ground.memory;
  if (memory_try(memory, load, loading)) return true;
  terms_restore(terms, &mark);
  if (loading->report) *loading->report = (ReduceReport){0};
  if (*loading->reason)
    text_add(error, loading->reason);
  else if (memory_limit_reached())
    text_format(error, "the circuit takes more than %zu MiB (--memory)",
                memory >> 20);
  else
    text_add(error, "the circuit takes more memory than there is");
  return false;
}

bool load_net(Description *description, const LoadLimits *limits, Net *net,
              ReduceReport *report, Text *error) {
  Loading loading = {.description = description,
                     .limits = limits,
                     .net = net,
                     .report = report};
  return try(&loading, error);
}

Game *load_game(Description *description, const LoadLimits *limits,
                LoadEngine engine, Text *why) {
  if (engine == LOAD_RULES)
    return rules_engine_new(description, &limits->rules);
  Net *net = memory_new(sizeof *net);
  Loading loading = {.description = description,
                     .limits = limits,
                     .net = net,
                     .playable = true};
  if (try(&loading, why)) {
    loading.game->net = net;
    return loading.game;
  }
  memory_delete(net);
  return engine == LOAD_SCALAR ? NULL
                               : rules_engine_new(description, &limits->rules);
}
