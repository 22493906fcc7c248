/* tafl bench --signature: one number for how all agents behave. Every preset,
   and `random` and `legal`, which show the engines alone, plays a few games
   against itself; what is hashed are the moves, what each turn's thinking came
   to (simulations, states, nodes), how the match ended, and the goals. Values
   are left out: the last bits of a logarithm differ between libraries, which
   changes a choice next to never.

   The number must be the same on every machine, however it was compiled and
   however busy it is. So:
   - Budgets are counted, in simulations or in states, the start's as well, in
     which evaluations are learned and short games decide between minds.
   - Every search has one thread.
   - Each match has a book of its own, so that what one agent has made when it
     is first asked for, such as the analysis, means nothing to the next one. A
     new preset leaves the lines of the others as they are.
   - The width of the lanes, which decides which random numbers a playout gets,
     is fixed before a measurement chooses among instruction sets and machine
     code (wide/tune.h); --isa and --jit fix these, too. Tuning is short.
   - There is no limit to the time of any stage, and nothing is kept of what was
     learned (--knowledge). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "command/bench.h"
#include "command/find.h"
#include "match/referee.h"

typedef struct Row {
  const char *game;
  bool rules;                   /* played by the rules engine */
  bool simulated;               /* budgets are simulations, else states */
  uint64_t start, lesson, play; /* lesson: the start of agents that learn */
  uint32_t steps;
} Row;

/* All of it takes 6 s. Roles that take turns, that move at once, three and
   four roles, and puzzles. */
static const Row rows[] = {
    {"ticTacToe", true, true, 100, 100, 50, 9},
    {"connectFour", false, true, 600, 20000, 60, 6},
    {"breakthrough", false, false, 10000, 1200000, 1200, 4},
    {"blocker", false, true, 1000, 8000, 50, 5},
    {"pacman", false, true, 120, 120, 30, 3},
    {"chineseCheckers4", false, false, 4000, 4000, 400, 5},
    {"eightPuzzle", false, false, 3000, 3000, 1000, 8},
    {"knightsTour", false, true, 300, 300, 50, 12},
};

enum {
  ROWS = sizeof rows / sizeof *rows,
  CELL = 6,    /* characters of a match's hash that are printed */
  MEMORY = 32, /* MiB of each agent: empty tables of usual size take longer than
                  the matches */
};

typedef struct Signature {
  const Options *options;
  TuneOptions tune;
  AgentSpecs agents;
  Text paths[ROWS];
  uint64_t all, of_agent, of_match[ROWS];
  uint32_t roles; /* of the match */
  Text text;      /* what happens in it */
} Signature;

/* ---- a match ---- */

static void note_step(void *context, uint32_t step, const RecordTurn *turns) {
  Signature *signature = context;
  for (uint32_t role = 0; role < signature->roles; role++) {
    const RecordTurn *turn = &turns[role];
    const AgentReport *report = &turn->report;
    text_format(&signature->text, "%u %u %s", step, role, turn->move.bytes);
    if (report->searched)
      text_format(&signature->text, " %" PRIu64 " %" PRIu64 " %u %d",
                  report->simulations, report->states, report->nodes,
                  report->proven);
    text_add_byte(&signature->text, '\n');
  }
}

static void note_end(Signature *signature, const MatchResult *result) {
  text_format(&signature->text, "%s after %u", match_end_name(result->end),
              result->steps);
  for (uint32_t role = 0; role < result->role_count; role++)
    text_format(&signature->text, ", %d %" PRIu64 " %" PRIu64,
                result->sides[role].goal, result->sides[role].work.simulations,
                result->sides[role].work.states);
}

static Budget budget_of(const Row *row, uint64_t count) {
  return (Budget){.simulations = row->simulated ? count : 0,
                  .states = row->simulated ? 0 : count};
}

/* Returns false if the match could not be played. */
static bool play(Signature *signature, const Row *row, const AgentSpec *agent,
                 Book *book) {
  const AgentSpec *players[RULE_ROLES];
  MatchResult result;
  RefereeMatch match = {.book = book,
                        .players = players,
                        .seed = (uint64_t)signature->options->seed};
  bool learns = agent->settings.evaluation == EVALUATION_LEARNED;
  uint64_t start = learns ? row->lesson : row->start;
  RefereeOptions options = {.match = {.start = budget_of(row, start),
                                      .play = budget_of(row, row->play),
                                      .step_limit = row->steps},
                            .stepped = note_step,
                            .context = signature};
  signature->roles = book->description->rules.roles.count;
  for (uint32_t role = 0; role < signature->roles; role++)
    players[role] = agent;
  text_clear(&signature->text);
  referee_play(&match, &options, &result);
  note_end(signature, &result);
  bool fine = result.end == MATCH_ENDED || result.end == MATCH_CUT_OFF;
  if (!fine)
    log_error("%s, %s: %s", agent->text, row->game, text_string(&result.error));
  match_result_free(&result);
  return fine;
}

/* Makes the wide programs before agents ask for them. */
static void tune(const Signature *signature, const AgentSpec *agent,
                 Book *book) {
  TuneOptions options = signature->tune;
  options.words = (uint32_t)agent->settings.lanes / 64;
  if (!options.words) options.words = BOOK_WORDS;
  if (spec_thinks(agent)) book_tuned_cones(book, &options);
}

static int sign_match(Signature *signature, uint32_t number,
                      const AgentSpec *agent) {
  const Row *row = &rows[number];
  const Options *options = signature->options;
  BookLimits limits = open_limits(options);
  Description description;
  Book book;
  limits.ground.seconds = limits.net_seconds = limits.rules.seconds = 0;
  limits.knowledge = NULL;
  log_progress("%s plays %s", agent->text, row->game);
  if (!open_description(options, signature->paths[number].bytes, &description))
    return EXIT_INPUT;
  book_init(&book, &description, &limits, !row->rules);
  tune(signature, agent, &book);
  bool fine = play(signature, row, agent, &book);
  signature->of_match[number] =
      hash_bytes(signature->text.bytes, signature->text.length);
  book_free(&book);
  description_free(&description);
  return fine ? EXIT_FINE : EXIT_LIMIT;
}

/* ---- what is printed ---- */

static void print_head(const Options *options) {
  if (options->json || !options->verbose) return;
  printf("%-10s", "agent");
  for (uint32_t i = 0; i < ROWS; i++) printf(" %.*s", CELL, rows[i].game);
  putchar('\n');
}

static json_t *json_hash(uint64_t hash) {
  char digits[17];
  snprintf(digits, sizeof digits, "%016" PRIx64, hash);
  return json_string(digits);
}

static void print_json(json_t *line) {
  json_dumpf(line, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
  putchar('\n');
  json_decref(line);
}

static void print_agent(const Signature *signature, const AgentSpec *agent) {
  const Options *options = signature->options;
  if (options->json) {
    json_t *games = json_object();
    for (uint32_t i = 0; i < ROWS; i++)
      json_object_set_new(games, rows[i].game,
                          json_hash(signature->of_match[i]));
    print_json(json_pack("{s:o, s:o, s:o}", "agent",
                         open_json_text(agent->text), "signature",
                         json_hash(signature->of_agent), "games", games));
  } else if (options->verbose) {
    printf("%-10s", agent->text);
    for (uint32_t i = 0; i < ROWS; i++)
      printf(" %0*" PRIx64, CELL, signature->of_match[i] >> (64 - 4 * CELL));
    putchar('\n');
  }
  fflush(stdout);
}

static void print_all(const Signature *signature) {
  if (signature->options->json)
    print_json(json_pack("{s:o}", "signature", json_hash(signature->all)));
  else
    printf("%s%016" PRIx64 "\n",
           signature->options->verbose ? "signature  " : "", signature->all);
}

/* ---- everything ---- */

static int sign_agent(Signature *signature, const AgentSpec *agent) {
  int code = EXIT_FINE;
  signature->of_agent = hash_bytes(agent->text, strlen(agent->text));
  for (uint32_t i = 0; i < ROWS && code == EXIT_FINE; i++) {
    code = sign_match(signature, i, agent);
    signature->of_agent =
        hash_pair(signature->of_agent, signature->of_match[i]);
  }
  log_progress_end();
  if (code == EXIT_FINE) print_agent(signature, agent);
  return code;
}

static int sign_all(Signature *signature) {
  int code = EXIT_FINE;
  print_head(signature->options);
  for (uint32_t i = 0; i < signature->agents.count && code == EXIT_FINE; i++) {
    AgentSpec *agent = &signature->agents.data[i];
    agent->settings.threads = 1;
    agent->settings.memory = MEMORY;
    code = sign_agent(signature, agent);
    signature->all = hash_pair(signature->all, signature->of_agent);
  }
  if (code == EXIT_FINE) print_all(signature);
  return code;
}

/* Those of --players, or else all that there are. */
static bool read_agents(Signature *signature) {
  const char *players = signature->options->players;
  Text text = {0}, error = {0};
  text_add(&text, *players ? players : "random,legal");
  for (uint32_t i = 0; !*players && i < preset_count; i++)
    text_format(&text, ",%s", presets[i].name);
  bool fine = spec_parse_list(&signature->agents, text.bytes, &error);
  if (!fine) log_error("--players: %s", text_string(&error));
  for (uint32_t i = 0; fine && i < signature->agents.count; i++) {
    fine = spec_is_local(&signature->agents.data[i]);
    if (!fine)
      log_error("--players: bench needs agents that run here, not %s",
                signature->agents.data[i].text);
  }
  text_free(&text);
  text_free(&error);
  return fine;
}

static bool find_games(Signature *signature) {
  for (uint32_t i = 0; i < ROWS; i++)
    if (!find_game(signature->options, rows[i].game, &signature->paths[i])) {
      log_error("there is no game %s (see --games-path)", rows[i].game);
      return false;
    }
  return true;
}

int bench_signature(const Options *options) {
  Signature signature = {.options = options, .tune = tune_default};
  int code = EXIT_USAGE;
  signature.tune.seconds = 0;
  signature.tune.code = options->jit;
  if (!bench_isa(options, &signature.tune)) return EXIT_LIMIT;
  if (options->argument_count)
    log_error("bench --signature has games of its own and takes none");
  else if (read_agents(&signature))
    code = find_games(&signature) ? sign_all(&signature) : EXIT_INPUT;
  for (uint32_t i = 0; i < ROWS; i++) text_free(&signature.paths[i]);
  spec_free_list(&signature.agents);
  text_free(&signature.text);
  return code;
}
