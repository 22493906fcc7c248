/* tafl info GAME: what is known about a game before it is played. */
#include <stdio.h>
#include <string.h>

#include "about/findings.h"
#include "base/clock.h"
#include "command/command.h"
#include "command/wrap.h"
#include "engine/playout.h"
#include "engine/turn.h"

/* Statistics of a few random games. */
typedef struct Survey {
  uint32_t games, ended, cut_off;
  uint32_t unfinished; /* for want of time */
  double length;       /* mean of the ended games */
  double *choices;     /* by role: mean legal moves per state */
  double *deciding;    /* by role: share of states with a choice */
  double *goals;       /* by role: mean of the ended games */
  uint32_t states;     /* visited */
  bool turn_taking;    /* never two roles with a choice in one state */
} Survey;

enum { SAMPLE_GAMES = 20 };
static const double sample_seconds = 2;

static void survey_state(Game *game, Survey *survey) {
  for (uint32_t role = 0; role < game->role_count; role++) {
    const Move *moves;
    uint32_t count = game_legal(game, role, &moves);
    survey->choices[role] += count;
    survey->deciding[role] += count > 1;
  }
  survey->states++;
  survey->turn_taking &= turn_of(game).movers <= 1;
}

/* Plays one game a step at a time, so that every state is surveyed. */
static void survey_game(Game *game, Random *random, uint32_t step_limit,
                        double deadline, Survey *survey) {
  uint32_t length = 0, steps, stuck;
  game_reset(game);
  while (!game_terminal(game) && length < step_limit &&
         clock_now() < deadline) {
    survey_state(game, survey);
    PlayoutResult result = playout_run(game, random, 1, &steps, &stuck);
    if (result == PLAYOUT_STUCK || result == PLAYOUT_FAILED) return;
    length += steps;
  }
  survey->games++;
  if (!game_terminal(game)) {
    if (length < step_limit)
      survey->unfinished++;
    else
      survey->cut_off++;
    return;
  }
  survey->ended++;
  survey->length += length;
  for (uint32_t role = 0; role < game->role_count; role++) {
    int goal = game_goal(game, role);
    survey->goals[role] += goal > 0 ? goal : 0;
  }
}

static void survey_init(Game *game, const Options *options, Survey *survey) {
  Random random;
  random_seed(&random, (uint64_t)options->seed);
  *survey = (Survey){.turn_taking = true};
  survey->choices = memory_new(game->role_count * sizeof(double));
  survey->deciding = memory_new(game->role_count * sizeof(double));
  survey->goals = memory_new(game->role_count * sizeof(double));
  double deadline = clock_now() + sample_seconds;
  for (int i = 0;
       i < SAMPLE_GAMES && clock_now() < deadline && !game_failed(game); i++)
    survey_game(game, &random, (uint32_t)options->steps, deadline, survey);
  if (survey->ended) survey->length /= survey->ended;
  for (uint32_t role = 0; role < game->role_count; role++) {
    if (survey->states) survey->choices[role] /= survey->states;
    if (survey->states) survey->deciding[role] /= survey->states;
    if (survey->ended) survey->goals[role] /= survey->ended;
  }
}

static void survey_free(Survey *survey) {
  memory_delete(survey->choices);
  memory_delete(survey->deciding);
  memory_delete(survey->goals);
}

/* The analysis has seen more states than the survey. */
static const char *structure_of(Book *book, const Survey *survey) {
  const Analysis *analysis = book_analysis(book);
  if (book->description->rules.roles.count == 1) return "puzzle";
  bool taking =
      analysis ? analysis->turns.taking != EVIDENCE_NONE : survey->turn_taking;
  return taking ? "turn-taking" : "simultaneous";
}

/* Counts the game's own predicates that depend on this. */
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

static void print_engine(const Book *book, const Game *game) {
  const Net *net = &book->net;
  const Text *why = &book->why[BOOK_NET];
  if (book->has_net)
    printf("  engine      %s, on a net of %u fluents, %u moves, %u gates, %llu "
           "edges, %u loops\n",
           game->operations->name, net->fluents.count, net->moves.count,
           net_count_ands(net), (unsigned long long)net_count_edges(net),
           net->loops.count);
  else
    printf("  engine      %s, because %s\n", game->operations->name,
           why->length ? why->bytes : "it was asked for");
}

/* In the rules, whether it can be reached or not. */
static int highest_goal(const Book *book, uint32_t role) {
  return book->best_goal ? book->best_goal[role] : 100;
}

static void print_text(Book *book, Game *game, const Survey *survey) {
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
         structure_of(book, survey), game->role_count,
         game->role_count == 1 ? "" : "s", game_facts(game, &facts));
  print_engine(book, game);
  printf("  sample      %u random games: %u ended after %.1f steps on average, "
         "%u cut off%s\n",
         survey->games, survey->ended, survey->length, survey->cut_off,
         survey->unfinished ? ", the last not finished in time" : "");
  for (uint32_t role = 0; role < game->role_count; role++) {
    Text name = {0};
    term_write(game_terms(game), game_role(game, role), &name);
    printf("  role        %-12s %6.1f legal moves, has a choice in %3.0f %% of "
           "states, goal %.1f, at most %d\n",
           name.bytes, survey->choices[role], 100 * survey->deciding[role],
           survey->goals[role], highest_goal(book, role));
    text_free(&name);
  }
}

static json_t *roles_json(const Book *book, Game *game, const Survey *survey) {
  json_t *list = json_array();
  for (uint32_t role = 0; role < game->role_count; role++) {
    Text name = {0};
    term_write(game_terms(game), game_role(game, role), &name);
    json_array_append_new(list,
                          json_pack("{s:o, s:f, s:f, s:f, s:i}", "name",
                                    open_json_text(name.bytes), "legal_moves",
                                    survey->choices[role], "choice_share",
                                    survey->deciding[role], "goal_mean",
                                    survey->goals[role], "goal_highest",
                                    highest_goal(book, role)));
    text_free(&name);
  }
  return list;
}

static json_t *make_findings(Book *book) {
  const Analysis *analysis = book_analysis(book);
  const Text *why = &book->why[BOOK_ANALYSIS];
  if (analysis) return findings_json(analysis);
  return why->length ? json_pack("{s:s}", "failed", why->bytes) : json_null();
}

static json_t *times_json(const Book *book) {
  json_t *times = json_object();
  for (int i = 0; i < TASK_COUNT; i++)
    json_object_set_new(times, tasks_name((Task)i),
                        json_real(tasks_seconds(&book->tasks, (Task)i)));
  return times;
}

static int count_symmetries(Book *book) {
  const Symmetries *symmetries = book_symmetries(book);
  return symmetries ? (int)symmetries->count : 0;
}

static void print_json(Book *book, Game *game, const Survey *survey) {
  const Description *d = book->description;
  const Net *net = book->has_net ? &book->net : NULL;
  uint32_t facts_in_rules = count_facts_in_rules(d);
  const Term *facts;
  json_t *object = json_pack(
      "{s:o, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:s, s:i, s:s, s:s, s:i, s:i, "
      "s:i, s:i, s:f, s:o, s:o}",
      "game", open_json_text(d->source.name), "rules",
      (int)(d->rules.list.count - facts_in_rules), "facts", (int)facts_in_rules,
      "warnings", (int)d->report.warnings, "static_predicates",
      (int)count_predicates(d, ON_NOTHING), "state_predicates",
      (int)count_predicates(d, ON_STATE), "move_predicates",
      (int)count_predicates(d, ON_MOVES), "recursive_predicates",
      (int)count_recursive(d), "structure", structure_of(book, survey),
      "initial_facts", (int)game_facts(game, &facts), "engine",
      game->operations->name, "why", text_string(&book->why[BOOK_NET]),
      "fluents", net ? (int)net->fluents.count : -1, "gates",
      net ? (int)net_count_ands(net) : -1, "sample_games", (int)survey->games,
      "sample_ended", (int)survey->ended, "length_mean", survey->length,
      "roles", roles_json(book, game, survey), "findings", make_findings(book));
  json_object_set_new(object, "symmetries",
                      json_integer(count_symmetries(book)));
  json_object_set_new(object, "seconds", times_json(book));
  json_dumpf(object, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
  putchar('\n');
  json_decref(object);
}

/* Prints findings, a line each. */
static void print_findings(const char *findings) {
  while (*findings) {
    size_t length = strcspn(findings, "\n");
    printf("  %.*s\n", (int)length, findings);
    findings += length + (findings[length] == '\n');
  }
}

static void show_findings(Book *book) {
  const Analysis *analysis = book_analysis(book);
  const Text *why = &book->why[BOOK_ANALYSIS];
  Text text = {0};
  if (analysis)
    analysis_write(analysis, &text);
  else if (why->length)
    text_add(&text, why->bytes);
  const Symmetries *symmetries = book_symmetries(book);
  if (symmetries) symmetries_write(symmetries, &text);
  print_findings(text_string(&text));
  text_free(&text);
}

static void print_times(const Book *book) {
  Text list = {0}, line = {0};
  tasks_write(&book->tasks, &list);
  text_add(&line, "  time        ");
  wrap_list(&line, text_string(&list), (uint32_t)line.length);
  puts(line.bytes);
  text_free(&list);
  text_free(&line);
}

static const double standard_seconds = 20; /* for all of it */

static int show(const Options *options, Book *book) {
  Game *game = book_game(book);
  Survey survey;
  survey_init(game, options, &survey);
  if (!game_failed(game)) game_reset(game);
  book->limits.prove_seconds = analysis_default.prove_seconds;
  if (options->json) {
    print_json(book, game, &survey);
  } else {
    print_text(book, game, &survey);
    show_findings(book);
    print_times(book);
  }
  survey_free(&survey);
  return open_end(options, book, game);
}

int command_info(const Options *options) {
  if (options->argument_count != 1) {
    log_error("info takes one game");
    return EXIT_USAGE;
  }
  Description description;
  open_begin(options, standard_seconds);
  if (!open_description(options, options->arguments[0], &description))
    return EXIT_INPUT;
  Book book;
  int code = EXIT_LIMIT;
  if (open_book(options, &description, &book)) {
    code = show(options, &book);
    book_free(&book);
  }
  description_free(&description);
  return code;
}
