/* The way of the data from rules to a game, one call each, within the memory
   that the limits allow: what goes beyond is given up as a whole, and the
   description is as it was. */
#include "game/load.h"

#include <stdio.h>

#include "analyse/beyond.h"
#include "base/trial.h"
#include "net/build.h"
#include "scalar/scalar.h"

/* What a narrowed net may cost before it is of use. */
enum {
  NARROW_TICKS = 50000000, /* rows looked at; about half a second */
  NARROW_EDGES = 300000    /* if a proof is needed */
};

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
  trial_fail(loading->reason);
}

/* Will it be of no use, since nothing is asked of nets of that size? */
static bool is_too_large(const Net *narrowed) {
  return (narrowed->beyond_base != SIGNAL_FALSE ||
          narrowed->beyond_input != SIGNAL_FALSE) &&
         net_count_edges(narrowed) > NARROW_EDGES;
}

/* The net of the rules, narrowed by `base` and `input` or not. */
static void make_net(Loading *loading, bool narrow) {
  GroundLimits limits = loading->limits->ground;
  Text error = {0};
  Ground ground;
  Net built;
  limits.narrow = narrow;
  if (narrow && (!limits.ticks || limits.ticks > NARROW_TICKS))
    limits.ticks = NARROW_TICKS;
  if (!ground_init(&ground, loading->description, &limits, &error) ||
      !build_net(&built, &ground, &error))
    give_up(loading, &error);
  ground_free(&ground);
  if (narrow && is_too_large(&built)) trial_fail("not proved");
  ReduceOptions options = {.seconds = loading->limits->reduce_seconds,
                           .legal = true};
  reduce_net(&built, loading->net, &options, loading->report);
  net_free(&built);
}

static bool has_rules(const Description *description, Symbol keyword) {
  const Dependencies *d = &description->dependencies;
  uint32_t p =
      dependencies_find(d, keyword, (uint32_t)rule_keyword_arity(keyword));
  return d->list.data[p].rules.count > 0;
}

static void make_narrowed(void *context) {
  Loading *loading = context;
  make_net(loading, true);
  if (!beyond_never(loading->net, &loading->description->rules.terms))
    trial_fail("not proved");
}

/* A description may be wrong about itself: narrowing holds only if it is proved
   to change nothing, in the work that is allowed. What only served the proof is
   dropped. Of the 128 public games with `base` and `input`, 21 have rules that
   seem to go beyond them; 10 of those are proved not to, and get smaller:
   mineClearingSmall from 101,900 to 1,700 two-input gates, snakeParallel from
   11,500 to 460, pacman3p from 3,900 to 2,100, checkersBarrelNoKings from 3,200
   to 2,300. */
static bool try_narrowed(Loading *loading) {
  Description *description = loading->description;
  Net *net = loading->net, made;
  if (!has_rules(description, SYMBOL_BASE) &&
      !has_rules(description, SYMBOL_INPUT))
    return false;
  TermsMark mark = terms_mark(&description->rules.terms);
  if (!trial_run(SIZE_MAX, make_narrowed, loading)) {
    terms_restore(&description->rules.terms, &mark);
    if (loading->report) *loading->report = (ReduceReport){0};
    *loading->reason = '\0';
    return false;
  }
  net->beyond_base = net->beyond_input = SIGNAL_FALSE;
  reduce_dead(net, &made, &(ReduceOptions){0});
  net_free(net);
  *net = made;
  return true;
}

static void load(void *context) {
  Loading *loading = context;
  if (!try_narrowed(loading)) make_net(loading, false);
  if (loading->playable)
    loading->game = scalar_engine_new(loading->description, loading->net);
}

static bool try(Loading *loading, Text *error) {
  Terms *terms = &loading->description->rules.terms;
  TermsMark mark = terms_mark(terms);
  size_t memory = loading->limits->ground.memory;
  if (trial_run(memory, load, loading)) return true;
  terms_restore(terms, &mark);
  if (loading->report) *loading->report = (ReduceReport){0};
  if (*loading->reason)
    text_add(error, loading->reason);
  else if (trial_limit_reached())
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
