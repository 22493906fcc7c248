/* tafl info GAME: what the program knows of a game before it plays it. */
#include <stdio.h>

#include "base/clock.h"
#include "command/command.h"
#include "engine/playout.h"

/* Numbers of the description and of a sample of random games. */
typedef struct Sample {
  uint32_t games, ended, cut_off;
  double length;    /* mean of the ended games */
  double *choices;  /* by role: mean legal moves per state */
  double *deciding; /* by role: share of states with a choice */
  double *goals;    /* by role: mean of the ended games */
  uint32_t states;  /* that were looked at */
  bool turn_taking; /* never two roles with a choice in one state */
} Sample;

enum { SAMPLE_GAMES = 20 };
static const double sample_seconds = 2;

static void sample_state(Game *game, Sample *sample) {
  uint32_t choosing = 0;
  for (uint32_t role = 0; role < game->role_count; role++) {
    const Move *moves;
    uint32_t count = game_legal(game, role, &moves);
    sample->choices[role] += count;
    sample->deciding[role] += count > 1;
    choosing += count > 1;
  }
  sample->states++;
  sample->turn_taking &= choosing <= 1;
}

/* One game, a step at a time so that every state can be looked at. */
static void sample_game(Game *game, Random *random, uint32_t step_limit,
                        Sample *sample) {
  uint32_t length = 0, steps, stuck;
  game_reset(game);
  while (!game_terminal(game) && length < step_limit) {
    sample_state(game, sample);
    PlayoutResult result = playout_run(game, random, 1, &steps, &stuck);
    if (result == PLAYOUT_STUCK || result == PLAYOUT_FAILED) return;
    length += steps;
  }
  sample->games++;
  if (!game_terminal(game)) {
    sample->cut_off++;
    return;
  }
  sample->ended++;
  sample->length += length;
  for (uint32_t role = 0; role < game->role_count; role++) {
    int goal = game_goal(game, role);
    sample->goals[role] += goal > 0 ? goal : 0;
  }
}

static void sample_init(Game *game, const Options *options, Sample *sample) {
  Random random;
  random_seed(&random, (uint64_t)options->seed);
  *sample = (Sample){.turn_taking = true};
  sample->choices = memory_new(game->role_count * sizeof(double));
  sample->deciding = memory_new(game->role_count * sizeof(double));
  sample->goals = memory_new(game->role_count * sizeof(double));
  double deadline = clock_now() + sample_seconds;
  for (int i = 0;
       i < SAMPLE_GAMES && clock_now() < deadline && !game_failed(game); i++)
    sample_game(game, &random, (uint32_t)options->steps, sample);
  if (sample->ended) sample->length /= sample->ended;
  for (uint32_t role = 0; role < game->role_count; role++) {
    if (sample->states) sample->choices[role] /= sample->states;
    if (sample->states) sample->deciding[role] /= sample->states;
    if (sample->ended) sample->goals[role] /= sample->ended;
  }
}

static void sample_free(Sample *sample) {
  memory_delete(sample->choices);
  memory_delete(sample->deciding);
  memory_delete(sample->goals);
}

static const char *structure_of(const Game *game, const Sample *sample) {
  if (game->role_count == 1) return "puzzle";
  return sample->turn_taking ? "turn-taking" : "simultaneous";
}

/* Predicates with a name of their own, by what they depend on. */
static uint32_t count_predicates(const Description *description,
                                 Dependence depends) {
  uint32_t count = 0;
  const Dependencies *dependencies = &description->dependencies;
  for (uint32_t p = 1; p < dependencies->list.count; p++) {
    const Predicate *predicate = &dependencies->list.data[p];
    count += predicate->name >= SYMBOL_FIRST_FREE &&
             predicate->depends == depends && predicate->rules.count;
  }
  return count;
}

static uint32_t count_recursive(const Description *description) {
  uint32_t count = 0;
  for (uint32_t p = 1; p < description->dependencies.list.count; p++)
    count += description->dependencies.list.data[p].recursive;
  return count;
}

static uint32_t count_facts_in_rules(const Description *description) {
  uint32_t count = 0;
  for (uint32_t r = 0; r < description->rules.list.count; r++)
    count += description->rules.list.data[r].count == 0;
  return count;
}

static void print_text(Game *game, const Sample *sample) {
  const Description *d = game->description;
  uint32_t facts_in_rules = count_facts_in_rules(d);
  const Term *facts;
  printf("%s\n", d->source.name);
  printf("  rules       %u rules, %u facts; %u warnings\n",
         d->rules.list.count - facts_in_rules, facts_in_rules,
         d->report.warnings);
  printf(
      "  predicates  %u static, %u of the state, %u of moves; %u recursive\n",
      count_predicates(d, ON_NOTHING), count_predicates(d, ON_STATE),
      count_predicates(d, ON_MOVES), count_recursive(d));
  printf("  structure   %s, %u role%s; %u facts in the initial state\n",
         structure_of(game, sample), game->role_count,
         game->role_count == 1 ? "" : "s", game_facts(game, &facts));
  printf("  engine      %s (interprets the rules; no other engine fits)\n",
         game->operations->name);
  printf("  sample      %u random games: %u ended after %.1f steps on average, "
         "%u cut off\n",
         sample->games, sample->ended, sample->length, sample->cut_off);
  for (uint32_t role = 0; role < game->role_count; role++) {
    Text name = {0};
    term_write(game_terms(game), game_role(game, role), &name);
    printf("  role        %-12s %6.1f legal moves, has a choice in %3.0f %% of "
           "states, goal %.1f\n",
           name.bytes, sample->choices[role], 100 * sample->deciding[role],
           sample->goals[role]);
    text_free(&name);
  }
}

static json_t *roles_json(Game *game, const Sample *sample) {
  json_t *list = json_array();
  for (uint32_t role = 0; role < game->role_count; role++) {
    Text name = {0};
    term_write(game_terms(game), game_role(game, role), &name);
    json_array_append_new(
        list,
        json_pack("{s:o, s:f, s:f, s:f}", "name", open_json_text(name.bytes),
                  "legal_moves", sample->choices[role], "choice_share",
                  sample->deciding[role], "goal_mean", sample->goals[role]));
    text_free(&name);
  }
  return list;
}

static void print_json(Game *game, const Sample *sample) {
  const Description *d = game->description;
  uint32_t facts_in_rules = count_facts_in_rules(d);
  const Term *facts;
  json_t *object = json_pack(
      "{s:o, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:s, s:i, s:s, s:i, s:i, s:f, "
      "s:o}",
      "game", open_json_text(d->source.name), "rules",
      (int)(d->rules.list.count - facts_in_rules), "facts", (int)facts_in_rules,
      "warnings", (int)d->report.warnings, "static_predicates",
      (int)count_predicates(d, ON_NOTHING), "state_predicates",
      (int)count_predicates(d, ON_STATE), "move_predicates",
      (int)count_predicates(d, ON_MOVES), "recursive_predicates",
      (int)count_recursive(d), "structure", structure_of(game, sample),
      "initial_facts", (int)game_facts(game, &facts), "engine",
      game->operations->name, "sample_games", (int)sample->games,
      "sample_ended", (int)sample->ended, "length_mean", sample->length,
      "roles", roles_json(game, sample));
  json_dumpf(object, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
  putchar('\n');
  json_decref(object);
}

int command_info(const Options *options) {
  if (options->argument_count != 1) {
    log_error("info takes one game");
    return EXIT_USAGE;
  }
  Description description;
  if (!open_description(options, options->arguments[0], &description))
    return EXIT_INPUT;
  Game *game = open_engine(options, &description);
  Sample sample;
  sample_init(game, options, &sample);
  if (!game_failed(game)) game_reset(game);
  (options->json ? print_json : print_text)(game, &sample);
  sample_free(&sample);
  int code = close_engine(options, game);
  description_free(&description);
  return code;
}
