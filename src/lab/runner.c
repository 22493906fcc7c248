/* Work is a list of games: (series, number), block by block. Workers take the
   next one; each has a desk, which stays as long as the next game has the same
   rules. Everything that workers share is behind one lock, but the store, which
   has its own.

   A game is claimed in the store before it is played. What another process has
   claimed is put off until everything else is played; then it is either stored,
   or the other process has given it up, or it is waited for.

   For other ranks the calling thread takes games, deals them out and stores
   what came of them.

   Descriptions are read once by the calling thread and are shared read-only:
   a desk parses the text anew. */
#include "lab/runner.h"

#include <math.h>
#include <time.h>

#include "base/clock.h"
#include "base/thread.h"
#include "contest/desk.h"

enum { BLOCK = 5, FAILURES = 3, LARGEST = 64 << 20 };

static const struct timespec moment = {.tv_nsec = 100000000};

/* A file of rules, read once. */
typedef struct RulesFile {
  Text path;
  Description description;
  int64_t game; /* in the store */
} RulesFile;

/* A series with what is needed to play it. */
typedef struct Entry {
  const Series *series;
  int64_t id; /* in the store */
  RulesFile *rules;
  AgentSpecs players;
  int64_t *agents; /* in the store, by player */
  Seating seating;
  uint32_t finished, failed;
  bool given_up;
} Entry;

typedef struct Job {
  uint32_t entry, number;
} Job;

typedef struct Runner {
  Results *results;
  const RunnerOptions *options;
  VECTOR(RulesFile *) rules;
  VECTOR(Entry) entries;
  VECTOR(Job) jobs;
  VECTOR(Job) later; /* claimed by other processes */
  Text *error;
  double began;
  pthread_mutex_t lock;
  uint32_t next; /* job to begin */
  bool done;     /* no more games are begun */
  bool failed;   /* the store cannot be used any more */
  RunnerProgress progress;
  const AgentSpec *players[RULE_ROLES]; /* of the game that is being dealt */
} Runner;

static bool is_stopped(const Runner *runner) {
  const RunnerOptions *options = runner->options;
  return (options->stop && atomic_load(options->stop)) ||
         (options->seconds > 0 &&
          clock_now() - runner->began >= options->seconds);
}

/* ---- preparing ---- */

static bool fail_store(Runner *runner) {
  text_add(runner->error, results_error(runner->results));
  return false;
}

static bool read_rules(Runner *runner, RulesFile *rules, const char *name) {
  Text error = {0};
  bool fine = description_read(&rules->description, text_string(&rules->path),
                               LARGEST, &error);
  if (!fine) {
    text_format(runner->error, "%s: %s", name, text_string(&error));
  } else if (!description_valid(&rules->description)) {
    text_format(runner->error, "%s: the rules are not valid; see tafl check",
                text_string(&rules->path));
    description_free(&rules->description);
    fine = false;
  }
  text_free(&error);
  return fine;
}

/* Returns the rules of a game, read now or before; NULL if there are none. */
static RulesFile *find_rules(Runner *runner, const char *name) {
  const RunnerOptions *options = runner->options;
  RulesFile *rules = memory_new(sizeof *rules);
  if (!options->find) {
    text_add(&rules->path, name);
  } else if (!options->find(options->context, name, &rules->path)) {
    text_format(runner->error, "there is no game '%s'; see tafl games", name);
    memory_delete(rules);
    return NULL;
  }
  for (uint32_t i = 0; i < runner->rules.count; i++)
    if (!strcmp(text_string(&runner->rules.data[i]->path),
                text_string(&rules->path))) {
      text_free(&rules->path);
      memory_delete(rules);
      return runner->rules.data[i];
    }
  if (!read_rules(runner, rules, name)) {
    text_free(&rules->path);
    memory_delete(rules);
    return NULL;
  }
  vector_push(&runner->rules, rules);
  rules->game = results_game(runner->results, name, &rules->description);
  return rules;
}

static bool parse_players(Runner *runner, Entry *entry) {
  const TextVector *texts = &entry->series->players;
  entry->agents = memory_new((texts->count + 1) * sizeof *entry->agents);
  for (uint32_t i = 0; i < texts->count; i++) {
    AgentSpec spec;
    if (!spec_parse(&spec, text_string(&texts->data[i]), runner->error))
      return false;
    vector_push(&entry->players, spec);
    if (!spec_is_local(&spec)) {
      text_format(runner->error, "%s: only agents of this program play here",
                  spec.text);
      return false;
    }
    entry->agents[i] = results_agent(runner->results, &spec);
    if (!entry->agents[i]) return fail_store(runner);
  }
  if (texts->count) return true;
  text_format(runner->error, "%s: nobody plays",
              text_string(&entry->series->game));
  return false;
}

/* Finds the rules, the players and the place in the store. */
static bool prepare_entry(Runner *runner, Entry *entry, int64_t experiment,
                          uint32_t place) {
  Text key = {0};
  entry->rules = find_rules(runner, text_string(&entry->series->game));
  if (!entry->rules) return false;
  if (!entry->rules->game) return fail_store(runner);
  if (!parse_players(runner, entry)) return false;
  entry->seating = fixture_seating(entry->players.count,
                                   entry->rules->description.rules.roles.count);
  series_key(entry->series, &key);
  entry->id =
      results_series(runner->results, text_string(&key), entry->rules->game);
  text_free(&key);
  if (!entry->id) return fail_store(runner);
  return !experiment ||
         results_add_part(runner->results, experiment, entry->id, place) ||
         fail_store(runner);
}

/* Forgets what is to be played again, and sees to it that what stays was played
   by the agents as they are now. */
static bool clear(Runner *runner, const Entry *entry) {
  const RunnerOptions *options = runner->options;
  if (options->fresh)
    return results_forget(runner->results, entry->id) || fail_store(runner);
  if (options->retry && !results_forget_errors(runner->results, entry->id))
    return fail_store(runner);
  for (uint32_t i = 0; i < entry->players.count; i++) {
    bool other;
    if (!results_others(runner->results, entry->id, i, entry->agents[i],
                        &other))
      return fail_store(runner);
    if (!other) continue;
    text_format(runner->error,
                "%s: %s had other settings when games were stored; --fresh "
                "plays them anew",
                text_string(&entry->series->game), entry->players.data[i].text);
    return false;
  }
  return true;
}

static bool prepare(Runner *runner, int64_t experiment,
                    const SeriesVector *list) {
  for (uint32_t i = 0; i < list->count; i++) {
    Entry entry = {.series = &list->data[i]};
    bool fine =
        prepare_entry(runner, &entry, experiment, i) && clear(runner, &entry);
    vector_push(&runner->entries, entry);
    if (!fine) return false;
  }
  return true;
}

/* ---- what is missing ---- */

/* A game that always fails, perhaps after a minute each time, is not worth a
   hundred attempts. */
static void judge_failures(Entry *entry) {
  if (entry->failed == entry->finished && entry->failed >= FAILURES)
    entry->given_up = true;
}

/* Reads which games of an entry the store has, or an entry before it wants. */
static bool find_there(Runner *runner, uint32_t number, bool *there) {
  Entry *entry = &runner->entries.data[number];
  ResultsCount count;
  uint32_t games = entry->series->games;
  if (!results_there(runner->results, entry->id, there, games) ||
      !results_count(runner->results, entry->id, games, &count))
    return false;
  entry->finished = count.scored + count.errors;
  entry->failed = count.errors;
  judge_failures(entry);
  for (uint32_t i = 0; i < number; i++) {
    const Entry *before = &runner->entries.data[i];
    uint32_t same = before->series->games;
    if (before->id == entry->id)
      memset(there, true, same < games ? same : games);
  }
  return true;
}

/* Adds the missing games of one block of an entry; returns true if there are
   more blocks. */
static bool list_block(Runner *runner, uint32_t number, uint32_t first,
                       const bool *there) {
  const Entry *entry = &runner->entries.data[number];
  uint64_t block = runner->options->block ? runner->options->block : BLOCK;
  uint64_t seats = entry->seating.seats, games = entry->series->games;
  uint64_t end = (first + 1) * block * seats;
  for (uint64_t n = first * block * seats; n < end && n < games; n++)
    if (!there[n]) vector_push(&runner->jobs, ((Job){number, (uint32_t)n}));
  return end < games;
}

/* Lists the games that the store does not have. A series that is listed twice
   is played once. */
static bool list_jobs(Runner *runner) {
  uint32_t count = runner->entries.count;
  bool more = true, fine = true;
  bool **there = memory_new((count + 1) * sizeof *there);
  for (uint32_t i = 0; fine && i < count; i++) {
    uint32_t games = runner->entries.data[i].series->games;
    there[i] = memory_new((games + 1) * sizeof **there);
    fine = find_there(runner, i, there[i]);
    runner->progress.all += games;
  }
  for (uint32_t block = 0; fine && more; block++) {
    more = false;
    for (uint32_t i = 0; i < count; i++)
      more |= list_block(runner, i, block, there[i]);
  }
  for (uint32_t i = 0; i < count; i++) memory_delete(there[i]);
  memory_delete(there);
  runner->progress.done = runner->progress.all - runner->jobs.count;
  return fine || fail_store(runner);
}

/* ---- one game ---- */

/* Moves of a match as it goes. */
typedef struct Notes {
  ResultsMoves moves;
  uint32_t roles;
} Notes;

static void note_step(void *context, uint32_t step, const RecordTurn *turns) {
  Notes *notes = context;
  for (uint32_t role = 0; role < notes->roles; role++) {
    const RecordTurn *turn = &turns[role];
    bool searched = turn->report.searched;
    ResultsMove move = {.step = step,
                        .role = role,
                        .seconds = turn->seconds,
                        .simulations = turn->work.simulations,
                        .states = turn->work.states,
                        .value = searched ? turn->report.value : NAN,
                        .depth = searched ? turn->report.depth : NAN};
    text_add(&move.move, text_string(&turn->move));
    vector_push(&notes->moves, move);
  }
}

static MatchOptions match_options(const Runner *runner, const Series *series) {
  MatchOptions match = {.start = series_start(series),
                        .play = series_play(series),
                        .step_limit = series->steps,
                        .opening = series->opening,
                        .idle = series->idle};
  match.play.stop = match.start.stop = runner->options->stop;
  return match;
}

/* Fills in the players, by role. */
static Fixture *seat(const Entry *entry, uint32_t number,
                     const AgentSpec **players) {
  Fixture *fixture = fixture_new(&entry->seating, number);
  for (uint32_t role = 0; role < entry->seating.roles; role++)
    players[role] = &entry->players.data[fixture->players[role]];
  return fixture;
}

static uint64_t seed_of(const Entry *entry, uint32_t number) {
  return fixture_seed(&entry->seating, entry->series->seed, number);
}

static Fixture *play(const Runner *runner, const Entry *entry, Desk *desk,
                     uint32_t number, Notes *notes) {
  const AgentSpec *players[RULE_ROLES];
  Fixture *fixture = seat(entry, number, players);
  RefereeOptions options = {.match = match_options(runner, entry->series),
                            .stepped =
                                runner->options->moves ? note_step : NULL,
                            .context = notes};
  RefereeMatch match = {
      .book = &desk->book, .players = players, .seed = seed_of(entry, number)};
  notes->roles = entry->seating.roles;
  referee_play(&match, &options, &fixture->result);
  fixture_judge(fixture);
  return fixture;
}

/* ---- counting, under the lock ---- */

static void count(Runner *runner, Entry *entry, const Fixture *fixture) {
  RunnerProgress *progress = &runner->progress;
  bool scored = fixture_has_score(fixture);
  entry->finished++;
  entry->failed += !scored;
  judge_failures(entry);
  progress->done++;
  progress->played++;
  progress->errors += !scored;
  progress->seconds = clock_now() - runner->began;
  progress->left = progress->seconds / (double)progress->played *
                   (double)(progress->all - progress->done);
  if (runner->options->progress &&
      !runner->options->progress(runner->options->context, progress))
    runner->done = true;
}

/* The store has failed for this thread. */
static void break_off(Runner *runner) {
  if (!runner->failed) fail_store(runner);
  runner->failed = runner->done = true;
}

/* Stores the game and counts it; frees it and the notes. */
static void hand_in(Runner *runner, Job job, Fixture *fixture, Notes *notes,
                    double seconds) {
  Entry *entry = &runner->entries.data[job.entry];
  bool stored = fixture->result.end == MATCH_STOPPED ||
                results_add(runner->results, entry->id, fixture, entry->agents,
                            seed_of(entry, job.number), seconds, &notes->moves);
  pthread_mutex_lock(&runner->lock);
  if (!stored)
    break_off(runner);
  else if (fixture->result.end != MATCH_STOPPED)
    count(runner, entry, fixture);
  pthread_mutex_unlock(&runner->lock);
  results_release(runner->results, entry->id, job.number);
  fixture_delete(fixture);
  results_moves_free(&notes->moves);
}

/* ---- taking jobs, under the lock ---- */

/* Returns true if the game is to be played by this process now. */
static bool claim(Runner *runner, Job job) {
  const Entry *entry = &runner->entries.data[job.entry];
  bool there;
  if (entry->given_up) return false;
  if (!results_claim(runner->results, entry->id, job.number)) {
    vector_push(&runner->later, job);
    return false;
  }
  if (!results_has(runner->results, entry->id, job.number, &there)) {
    break_off(runner);
    there = true;
  } else if (there) {
    runner->progress.done++;
  }
  if (there) results_release(runner->results, entry->id, job.number);
  return !there;
}

/* Goes through the list once. */
static bool take_next(Runner *runner, Job *job) {
  bool taken = false;
  while (!taken && !runner->done && runner->next < runner->jobs.count) {
    runner->done = is_stopped(runner);
    if (runner->done) break;
    *job = runner->jobs.data[runner->next++];
    taken = claim(runner, *job);
  }
  return taken;
}

/* Puts on the list what was put off; returns false if there is nothing. */
static bool list_later(Runner *runner) {
  if (runner->done || !runner->later.count) return false;
  if (runner->next == runner->jobs.count) runner->next = runner->jobs.count = 0;
  for (uint32_t i = 0; i < runner->later.count; i++)
    vector_push(&runner->jobs, runner->later.data[i]);
  vector_clear(&runner->later);
  return true;
}

/* ---- workers ---- */

static bool take(Runner *runner, Job *job) {
  bool taken, wait;
  do {
    pthread_mutex_lock(&runner->lock);
    taken = take_next(runner, job);
    wait = !taken && list_later(runner);
    pthread_mutex_unlock(&runner->lock);
    if (wait) nanosleep(&moment, NULL);
  } while (wait);
  return taken;
}

static void play_job(Runner *runner, Job job, Desk *desk) {
  double start = clock_now();
  Notes notes = {0};
  Fixture *fixture =
      play(runner, &runner->entries.data[job.entry], desk, job.number, &notes);
  hand_in(runner, job, fixture, &notes, clock_now() - start);
}

static void *work(void *argument) {
  Runner *runner = argument;
  const BookLimits *limits = &runner->options->limits;
  const RulesFile *rules = NULL;
  Desk desk;
  Job job;
  while (take(runner, &job)) {
    const RulesFile *wanted = runner->entries.data[job.entry].rules;
    if (wanted == rules) {
      desk_clear(&desk, &rules->description, limits);
    } else {
      if (rules) desk_free(&desk);
      desk_init(&desk, &wanted->description, limits, true);
      rules = wanted;
    }
    play_job(runner, job, &desk);
  }
  if (rules) desk_free(&desk);
  return NULL;
}

/* ---- other ranks ---- */

/* A game that another rank plays. */
typedef struct Away {
  Job job;
  Fixture *fixture;
  Notes notes;
} Away;

static SpreadNext deal(void *context, SpreadGame *out) {
  Runner *runner = context;
  Job job;
  pthread_mutex_lock(&runner->lock);
  bool taken = out && take_next(runner, &job);
  if (!taken && runner->next == runner->jobs.count) list_later(runner);
  bool more = !runner->done && runner->next < runner->jobs.count;
  pthread_mutex_unlock(&runner->lock);
  if (!taken) return more ? SPREAD_LATER : SPREAD_OVER;
  const Entry *entry = &runner->entries.data[job.entry];
  Away *away = memory_new(sizeof *away);
  *away = (Away){.job = job, .notes = {.roles = entry->seating.roles}};
  away->fixture = seat(entry, job.number, runner->players);
  *out = (SpreadGame){.description = &entry->rules->description,
                      .ground = true,
                      .players = runner->players,
                      .seed = seed_of(entry, job.number),
                      .match = match_options(runner, entry->series),
                      .turns = runner->options->moves,
                      .own = away};
  return SPREAD_TAKEN;
}

static void note_away(void *context, const SpreadGame *game, uint32_t step,
                      const RecordTurn *turns) {
  Away *away = game->own;
  (void)context;
  note_step(&away->notes, step, turns);
}

static void end_away(void *context, const SpreadGame *game, MatchResult *result,
                     double seconds) {
  Away *away = game->own;
  away->fixture->result = *result;
  fixture_judge(away->fixture);
  hand_in(context, away->job, away->fixture, &away->notes, seconds);
  memory_delete(away);
}

static void deal_out(Runner *runner) {
  SpreadWork spread = {.take = deal,
                       .stepped = note_away,
                       .finished = end_away,
                       .stop = runner->options->stop,
                       .context = runner};
  spread_run(runner->options->spread, &spread);
}

/* ---- everything ---- */

static void play_all(Runner *runner) {
  const RunnerOptions *options = runner->options;
  uint32_t wanted = options->threads || options->spread ? options->threads : 1;
  if (wanted > runner->jobs.count) wanted = runner->jobs.count;
  pthread_t *threads = memory_new((wanted + 1) * sizeof *threads);
  pthread_mutex_init(&runner->lock, NULL);
  for (uint32_t i = 0; i < wanted; i++)
    if (!thread_start(&threads[i], THREAD_STACK, work, runner))
      fatal("cannot start a thread");
  if (options->spread) deal_out(runner);
  for (uint32_t i = 0; i < wanted; i++) pthread_join(threads[i], NULL);
  pthread_mutex_destroy(&runner->lock);
  memory_delete(threads);
}

/* ---- the run ---- */

static void runner_free(Runner *runner) {
  for (uint32_t i = 0; i < runner->entries.count; i++) {
    spec_free_list(&runner->entries.data[i].players);
    memory_delete(runner->entries.data[i].agents);
  }
  for (uint32_t i = 0; i < runner->rules.count; i++) {
    description_free(&runner->rules.data[i]->description);
    text_free(&runner->rules.data[i]->path);
    memory_delete(runner->rules.data[i]);
  }
  vector_free(&runner->entries);
  vector_free(&runner->rules);
  vector_free(&runner->jobs);
  vector_free(&runner->later);
}

/* Appends what is to be said of a series that was given up. */
static void explain(const Entry *entry, Text *error) {
  if (error->length) text_add(error, "; ");
  text_add(error, text_string(&entry->series->game));
  for (uint32_t i = 0; i < entry->players.count; i++)
    text_format(error, "%s%s", i ? ", " : ": ", entry->players.data[i].text);
  text_add(error, ": given up, since all games ended with an error");
}

static RunnerEnd judge(const Runner *runner) {
  bool broken = runner->failed;
  for (uint32_t i = 0; i < runner->entries.count; i++) {
    const Entry *entry = &runner->entries.data[i];
    if (!entry->given_up) continue;
    explain(entry, runner->error);
    broken = true;
  }
  return broken                                          ? RUNNER_BROKEN
         : runner->progress.done == runner->progress.all ? RUNNER_DONE
                                                         : RUNNER_STOPPED;
}

RunnerEnd runner_run(Results *results, int64_t experiment,
                     const SeriesVector *list, const RunnerOptions *options,
                     Text *error) {
  Runner runner = {.results = results,
                   .options = options,
                   .error = error,
                   .began = clock_now(),
                   .progress = {.left = NAN}};
  bool ready = prepare(&runner, experiment, list) && list_jobs(&runner);
  if (ready && options->progress)
    runner.done = !options->progress(options->context, &runner.progress);
  if (ready) play_all(&runner);
  RunnerEnd end = ready ? judge(&runner) : RUNNER_FAILED;
  runner_free(&runner);
  return end;
}
