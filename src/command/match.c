/* tafl match GAME: agents, players over HTTP and people play each other, one
   match or a contest; or a match that was broken off is resumed from its
   record. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "command/command.h"
#include "command/interrupt.h"
#include "command/match_show.h"
#include "command/ranked.h"
#include "command/refereed.h"
#include "contest/contest.h"

enum {
  GAMES = 100,             /* by default */
  RECORD_LARGEST = 1 << 28 /* bytes of a record to resume */
};

typedef struct Run {
  MatchShow show;
  ContestOptions contest;
  Refereed refereed;
} Run;

/* ---- callbacks of the contest ---- */

static void finished(void *context, const Contest *contest,
                     const Fixture *game) {
  const Run *run = context;
  match_show_game(&run->show, contest, game);
}

static void play(void *context, const ContestTable *table,
                 MatchResult *result) {
  Run *run = context;
  refereed_play(&run->refereed, table, result);
}

static void open_record(void *context, const ContestTable *table,
                        Record *record) {
  const Run *run = context;
  refereed_open(&run->refereed, table, record);
}

static void show_step(void *context, const ContestTable *table, uint32_t step,
                      const RecordTurn *turns) {
  const Run *run = context;
  refereed_step(&run->refereed, table, step, turns);
}

static void close_record(void *context, Record *record) {
  Run *run = context;
  refereed_close(&run->refereed, record);
}

static const ContestRecords records = {open_record, show_step, close_record};

static void report_interrupt(const Run *run, const Contest *contest) {
  const char *file = refereed_file(&run->refereed);
  Text why = {0};
  if (interrupt_late())
    text_format(&why, "the limit of %g s (--limit) was reached after %u games",
                run->show.options->limit, contest->games);
  else
    text_add(&why, "interrupted");
  if (file)
    text_format(&why, "; tafl match --resume %s continues the match", file);
  log_error("%s", why.bytes);
  text_free(&why);
}

/* Prints what went wrong and returns the exit code. */
static int report_end(const Run *run, const Contest *contest) {
  if (contest->errors)
    log_error("%s: %u of %u games ended with an error; %s",
              contest->description->source.name, contest->errors,
              contest->games, text_string(&contest->error));
  else if (contest->error.length)
    log_error("%s: %s", contest->description->source.name,
              contest->error.bytes);
  if (contest->faults)
    log_error("%s: %llu replies were late, illegal or missing; %s",
              contest->description->source.name,
              (unsigned long long)contest->faults,
              text_string(&contest->fault));
  if (interrupt_came()) report_interrupt(run, contest);
  if (contest->illegal || contest->faults) return EXIT_PLAYER;
  return contest->error.length || interrupt_came() ||
                 atomic_load(&run->refereed.lost)
             ? EXIT_LIMIT
             : EXIT_FINE;
}

/* ---- options ---- */

/* Returns how many threads the agents have, at most. */
static uint32_t most_threads(const AgentSpecs *players) {
  int64_t most = 1;
  for (uint32_t i = 0; i < players->count; i++)
    if (players->data[i].settings.threads > most)
      most = players->data[i].settings.threads;
  return (uint32_t)most;
}

/* Returns as many as fit the processors, since only one player of a match
   thinks at a time. With players over HTTP or people there is one match at a
   time. */
static uint32_t thread_count(const Options *options,
                             const AgentSpecs *players) {
  uint32_t processors = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
  uint32_t most = most_threads(players);
  if (party_has_person(players)) return 1;
  if (options->threads) return (uint32_t)options->threads;
  if (party_has_remote(players)) return 1;
  return processors > most ? processors / most : 1;
}

/* Other ranks play as well, but for players whom one process must ask. */
static void read_ranks(const Options *options, const AgentSpecs *players,
                       Run *run) {
  ContestOptions *out = &run->contest;
  if (party_has_remote(players) || *options->resume) {
    if (ranked_count() > 1)
      log_error("one rank plays this, and %u ranks have nothing to do: %s",
                ranked_count() - 1,
                *options->resume ? "one match is resumed"
                                 : "players over HTTP are asked by one");
    return;
  }
  out->spread = ranked_spread(options, most_threads(players));
  out->threads = ranked_threads(options, out->threads);
  if (out->play) out->records = &records;
}

static void read_options(const Options *options, const AgentSpecs *players,
                         Run *run) {
  ContestOptions *out = &run->contest;
  *out = (ContestOptions){
      .games = (uint32_t)options->games,
      .threads = thread_count(options, players),
      .seed = (uint64_t)options->seed,
      .match = {.start = open_start_budget(options),
                .play = open_budget(options),
                .step_limit = (uint32_t)options->steps,
                .idle = options->idle,
                .keep_moves = options->json && options->verbose},
      .limits = open_limits(options),
      .ground = strcmp(options->engine, "rules") != 0,
      .need_net = strcmp(options->engine, "scalar") == 0,
      .sprt = options->sprt,
      .elo0 = options->elo0,
      .elo1 = options->elo1,
      .alpha = 0.05,
      .beta = 0.05,
      .finished = finished,
      .context = run};
  out->match.play.stop = interrupt_flag();
  if (refereed_wanted(options, players)) out->play = play;
  if (!out->games && !out->sprt) out->games = out->play ? 1 : GAMES;
  read_ranks(options, players, run);
}

/* Checks options against the game and the players. */
static bool check_options(const Options *options,
                          const Description *description,
                          const AgentSpecs *players) {
  const char *wrong = NULL;
  if (strcmp(options->engine, "wide") == 0)
    wrong = "the wide engine is for bench only";
  else if (options->sprt &&
           (description->rules.roles.count != 2 || players->count != 2))
    wrong = "--sprt is for two players of a game with two roles";
  else if (options->json && party_has_person(players))
    wrong = "--json is not for matches with people at the terminal";
  else if (options->sprt && options->elo0 >= options->elo1)
    wrong = "--elo0 must be less than --elo1";
  else if (ranked_count() > 1 && party_has_person(players))
    wrong = "people at the terminal cannot play in a job of several ranks";
  else if (ranked_count() > 1 && *options->knowledge)
    wrong = "--knowledge is not for a job of several ranks, since none would "
            "know what another has learned";
  if (wrong) log_error("%s", wrong);
  return !wrong;
}

static int run_contest(Run *run, const Description *description,
                       const AgentSpecs *players) {
  Contest contest;
  contest_init(&contest, description, players, &run->contest);
  interrupt_catch();        /* games finished so far count */
  signal(SIGXFSZ, SIG_IGN); /* writing beyond the limit returns an error */
  interrupt_at_limit();
  contest_run(&contest);
  interrupt_release();
  log_progress_end();
  match_show_summary(&run->show, &contest);
  int code = report_end(run, &contest);
  contest_free(&contest);
  return code;
}

/* ---- new matches ---- */

static int run_new(const Options *options, const Description *description,
                   const AgentSpecs *players) {
  Run run = {.show = {options, clock_now()}};
  if (!check_options(options, description, players)) return EXIT_USAGE;
  read_options(options, players, &run);
  if (!refereed_check(options, run.contest.games)) return EXIT_USAGE;
  if (run.contest.play && !refereed_init(&run.refereed, options, players,
                                         &run.contest.match, run.contest.games))
    return EXIT_LIMIT;
  run.refereed.stop = interrupt_flag();
  return run_contest(&run, description, players);
}

static int begin(const Options *options) {
  Description description;
  AgentSpecs players;
  Text error = {0};
  if (!spec_parse_list(&players, options->players, &error)) {
    log_error("--players: %s", error.bytes);
    text_free(&error);
    return EXIT_USAGE;
  }
  int code = EXIT_INPUT;
  if (open_description(options, options->arguments[0], &description)) {
    code = run_new(options, &description, &players);
    description_free(&description);
  }
  spec_free_list(&players);
  return code;
}

/* ---- resuming a match ---- */

static int run_resumed(const Options *options, Record *record,
                       const Description *description,
                       const AgentSpecs *players) {
  Run run = {.show = {options, clock_now()}};
  RefereeOptions *referee = &run.refereed.referee;
  read_options(options, players, &run);
  bool keep = run.contest.match.keep_moves;
  if (!refereed_init(&run.refereed, options, players, &run.contest.match, 1))
    return EXIT_LIMIT;
  run.refereed.stop = interrupt_flag();
  record_options(record, &referee->party.clocks, &referee->match,
                 &referee->party.scramble);
  referee->match.play.stop = interrupt_flag();
  referee->match.keep_moves = keep;
  run.refereed.resumed = record;
  run.contest.games = 1;
  run.contest.threads = 1;
  run.contest.sprt = false;
  run.contest.match = referee->match;
  return run_contest(&run, description, players);
}

static bool read_players(const Record *record, AgentSpecs *players,
                         Text *error) {
  *players = (AgentSpecs){0};
  for (uint32_t role = 0; role < record_roles(record); role++) {
    AgentSpec spec;
    if (!spec_parse(&spec, record_player(record, role), error)) {
      spec_free_list(players);
      return false;
    }
    vector_push(players, spec);
  }
  return true;
}

/* Reads rules and players of the record, and plays if they are valid. */
static int open_resumed(const Options *options, Record *record, Text *error) {
  Description description;
  AgentSpecs players;
  const char *rules = record_rules(record);
  int code = EXIT_INPUT;
  if (!read_players(record, &players, error)) return code;
  description_init(&description, record_game(record), rules, strlen(rules));
  if (!description_valid(&description))
    text_add(error, "its rules are not valid");
  else if (description.rules.roles.count != players.count)
    text_add(error, "its number of players is not that of roles");
  else
    code = run_resumed(options, record, &description, &players);
  description_free(&description);
  spec_free_list(&players);
  return code;
}

static int resume(const Options *options) {
  Record record;
  Text error = {0};
  int code = EXIT_INPUT;
  if (record_read(&record, options->resume, RECORD_LARGEST, &error)) {
    if (*options->record) {
      text_clear(&record.path);
      text_add(&record.path, options->record);
    }
    text_add(&record.xml, options->xml);
    code = open_resumed(options, &record, &error);
    record_free(&record);
  }
  if (error.length) log_error("%s: %s", options->resume, error.bytes);
  text_free(&error);
  return code;
}

int command_match(const Options *options) {
  open_begin(options, 0);
  if (options->argument_count != (*options->resume ? 0 : 1)) {
    log_error(*options->resume ? "match --resume takes no game"
                               : "match takes one game");
    return EXIT_USAGE;
  }
  if (*options->resume) return resume(options);
  if (!*options->players) {
    log_error("match needs --players A,B; see tafl agents");
    return EXIT_USAGE;
  }
  return begin(options);
}
