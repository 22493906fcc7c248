/* Random games show what checks of the text cannot: roles without a move, goals
   that are missing or no numbers, games that do not end. */
#include "about/inspect.h"

#include "base/clock.h"
#include "engine/playout.h"

/* The place of a relation's first rule. */
static uint32_t place_of(const Description *description, Symbol keyword) {
  const Dependencies *dependencies = &description->dependencies;
  uint32_t p = dependencies_find(dependencies, keyword,
                                 (uint32_t)rule_keyword_arity(keyword));
  const Predicate *predicate = &dependencies->list.data[p];
  if (!predicate->rules.count) return 0;
  uint32_t rule = predicate->rules.data[0];
  return description->rules.list.data[rule].form->offset;
}

static const char *role_name(Game *game, uint32_t role, Text *text) {
  text_clear(text);
  term_write(game_terms(game), game_role(game, role), text);
  return text_string(text);
}

static void check_goals(Game *game, Report *report, Text *name) {
  for (uint32_t role = 0; role < game->role_count; role++) {
    const Term *values;
    uint32_t count = game_goals(game, role, &values);
    if (count != 1)
      report_error(report, place_of(game->description, SYMBOL_GOAL),
                   "goal-count",
                   "role %s has %s goal in a terminal state of a random game",
                   role_name(game, role, name), count ? "more than one" : "no");
    else if (game_goal(game, role) < 0)
      report_error(report, place_of(game->description, SYMBOL_GOAL),
                   "goal-value",
                   "role %s has a goal that is no whole number from 0 to 100",
                   role_name(game, role, name));
  }
}

/* ---- random games ---- */

/* What became of the random games, and why the last ones were not finished. */
typedef struct Trials {
  Inspection found;
  bool endless; /* because of the limit of steps */
  Text why;     /* empty: all were finished */
} Trials;

/* Plays a random game from the start, at most until the deadline. */
static PlayoutResult play_until(Game *game, Random *random, uint32_t limit,
                                double deadline, uint32_t *steps,
                                uint32_t *stuck) {
  PlayoutResult result;
  *steps = 0;
  game_reset(game);
  do {
    uint32_t more;
    result = playout_run(game, random, 1, &more, stuck);
    *steps += more;
  } while (result == PLAYOUT_CUT_OFF && *steps < limit &&
           clock_now() < deadline);
  return result;
}

/* Reports what a game has shown. */
static void judge(Game *game, PlayoutResult result, uint32_t steps,
                  uint32_t stuck) {
  Report *report = &game->description->report;
  Text name = {0};
  if (result == PLAYOUT_ENDED)
    check_goals(game, report, &name);
  else if (result == PLAYOUT_STUCK)
    report_error(report, place_of(game->description, SYMBOL_LEGAL),
                 "no-legal-move",
                 "role %s has no legal move after %u steps of a random game",
                 role_name(game, stuck, &name), steps);
  text_free(&name);
}

static void play_games(Game *game, const InspectOptions *options,
                       Trials *trials) {
  Random random;
  random_seed(&random, options->seed);
  double deadline = clock_now() + options->seconds;
  if (game->deadline > 0 && game->deadline < deadline)
    deadline = game->deadline;
  uint32_t limit = options->steps;
  for (int64_t i = 0; i < trials->found.wanted; i++) {
    uint32_t steps, stuck;
    PlayoutResult result =
        play_until(game, &random, limit, deadline, &steps, &stuck);
    text_clear(&trials->why);
    if (game_failed(game))
      text_add(&trials->why, text_string(&game->error));
    else if (result != PLAYOUT_CUT_OFF)
      trials->found.finished++;
    else if (steps < limit)
      text_format(&trials->why, "they took longer than %g s%s",
                  options->seconds, options->names ? " (--seconds)" : "");
    judge(game, result, steps, stuck);
    if (trials->why.length) return;
  }
  trials->endless = trials->found.finished < trials->found.wanted;
  if (trials->endless)
    text_format(&trials->why, "they had not ended after %u steps%s", limit,
                options->names ? " (--steps)" : "");
}

static void report_unfinished(Game *game, const Trials *trials) {
  static const char format[] = "%lld of %lld random games did not finish: %s";
  Report *report = &game->description->report;
  long long rest = (long long)(trials->found.wanted - trials->found.finished);
  if (trials->endless)
    report_warning(report, place_of(game->description, SYMBOL_TERMINAL),
                   "endless", format, rest, (long long)trials->found.wanted,
                   text_string(&trials->why));
  else
    report_warning(report, 0, "limit", format, rest,
                   (long long)trials->found.wanted, text_string(&trials->why));
}

Inspection inspect_play(Game *game, const InspectOptions *options) {
  Trials trials = {.found = {.wanted = options->games}};
  play_games(game, options, &trials);
  if (trials.found.finished < trials.found.wanted)
    report_unfinished(game, &trials);
  text_free(&trials.why);
  return trials.found;
}
