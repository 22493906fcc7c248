/* Work is a list of games: (series, number), block by block. Workers take the
   next one; each has a desk, which stays as long as the next game has the same
   rules. Everything that workers share is behind one lock, but the store, which
   has its own.

   Descriptions are read once by the calling thread and are shared read-only:
   a desk parses the text anew. */
#include "lab/runner.h"

#include <math.h>

#include "base/clock.h"
#include "base/thread.h"
#include "contest/desk.h"

enum { BLOCK = 5, FAILURES = 3, LARGEST = 64 << 20 };

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
  uint32_t finished, failed; /* by this run */
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
  Text *error;
  double began;
  pthread_mutex_t lock;
  uint32_t next; /* job to begin */
  bool done;     /* no more games are begun */
  bool failed;   /* the store cannot be written */
  RunnerProgress progress;
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

static bool prepare(Runner *runner, int64_t experiment,
                    const SeriesVector *list) {
  for (uint32_t i = 0; i < list->count; i++) {
    Entry entry = {.series = &list->data[i]};
    bool fine = prepare_entry(runner, &entry, experiment, i);
    vector_push(&runner->entries, entry);
    if (!fine) return false;
  }
  return true;
}

/* Lists the games that the store does not have. A series that is listed twice
   is played once. */
static bool list_jobs(Runner *runner) {
  uint32_t block = runner->options->block ? runner->options->block : BLOCK;
  bool more = true, fine = true;
  bool **there = memory_new((runner->entries.count + 1) * sizeof *there);
  for (uint32_t i = 0; fine && i < runner->entries.count; i++) {
    const Entry *entry = &runner->entries.data[i];
    uint32_t games = entry->series->games;
    there[i] = memory_new((games + 1) * sizeof **there);
    fine = results_there(runner->results, entry->id, there[i], games);
    for (uint32_t before = 0; before < i; before++)
      if (runner->entries.data[before].id == entry->id)
        memset(there[i], true,
               games < runner->entries.data[before].series->games
                   ? games
                   : runner->entries.data[before].series->games);
    runner->progress.all += games;
  }
  for (uint32_t first = 0; fine && more; first += block) {
    more = false;
    for (uint32_t i = 0; i < runner->entries.count; i++) {
      const Entry *entry = &runner->entries.data[i];
      uint32_t seats = entry->seating.seats, games = entry->series->games;
      for (uint32_t n = first * seats; n < (first + block) * seats && n < games;
           n++)
        if (!there[i][n]) vector_push(&runner->jobs, ((Job){i, n}));
      more |= (first + block) * seats < games;
    }
  }
  for (uint32_t i = 0; i < runner->entries.count; i++) memory_delete(there[i]);
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

static void free_notes(Notes *notes) {
  for (uint32_t i = 0; i < notes->moves.count; i++)
    text_free(&notes->moves.data[i].move);
  vector_free(&notes->moves);
}

static Fixture *play(const Runner *runner, const Entry *entry, Desk *desk,
                     uint32_t number, Notes *notes) {
  const Series *series = entry->series;
  const AgentSpec *players[RULE_ROLES];
  Fixture *fixture = fixture_new(&entry->seating, number);
  RefereeOptions options = {.match = {.start = series_start(series),
                                      .play = series_play(series),
                                      .step_limit = series->steps,
                                      .opening = series->opening,
                                      .idle = series->idle},
                            .stepped =
                                runner->options->moves ? note_step : NULL,
                            .context = notes};
  RefereeMatch match = {.book = &desk->book, .players = players};
  options.match.play.stop = options.match.start.stop = runner->options->stop;
  match.seed = fixture_seed(&entry->seating, series->seed, number);
  notes->roles = entry->seating.roles;
  for (uint32_t role = 0; role < entry->seating.roles; role++)
    players[role] = &entry->players.data[fixture->players[role]];
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
  if (entry->failed == entry->finished && entry->failed >= FAILURES)
    entry->given_up = true;
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

static void hand_in(Runner *runner, Entry *entry, const Fixture *fixture,
                    bool stored) {
  pthread_mutex_lock(&runner->lock);
  if (stored && fixture->result.end != MATCH_STOPPED)
    count(runner, entry, fixture);
  if (!stored && !runner->failed) {
    runner->failed = runner->done = true;
    fail_store(runner);
  }
  pthread_mutex_unlock(&runner->lock);
}

/* ---- workers ---- */

static bool take(Runner *runner, Job *job) {
  bool taken = false;
  pthread_mutex_lock(&runner->lock);
  while (!taken && !runner->done && runner->next < runner->jobs.count) {
    if (is_stopped(runner)) {
      runner->done = true;
      break;
    }
    *job = runner->jobs.data[runner->next++];
    taken = !runner->entries.data[job->entry].given_up;
  }
  pthread_mutex_unlock(&runner->lock);
  return taken;
}

static void play_job(Runner *runner, Job job, Desk *desk) {
  Entry *entry = &runner->entries.data[job.entry];
  double start = clock_now();
  Notes notes = {0};
  Fixture *fixture = play(runner, entry, desk, job.number, &notes);
  bool stored = fixture->result.end == MATCH_STOPPED ||
                results_add(runner->results, entry->id, fixture, entry->agents,
                            fixture_seed(&entry->seating, entry->series->seed,
                                         job.number),
                            clock_now() - start, &notes.moves);
  hand_in(runner, entry, fixture, stored);
  fixture_delete(fixture);
  free_notes(&notes);
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

static void play_all(Runner *runner) {
  uint32_t wanted = runner->options->threads ? runner->options->threads : 1;
  if (wanted > runner->jobs.count) wanted = runner->jobs.count;
  pthread_t *threads = memory_new((wanted + 1) * sizeof *threads);
  pthread_mutex_init(&runner->lock, NULL);
  for (uint32_t i = 0; i < wanted; i++)
    if (!thread_start(&threads[i], THREAD_STACK, work, runner))
      fatal("cannot start a thread");
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
  bool complete = runner.progress.done == runner.progress.all;
  for (uint32_t i = 0; i < runner.entries.count; i++)
    if (runner.entries.data[i].given_up && !error->length)
      text_format(error, "%s: given up, since the first games failed",
                  text_string(&runner.entries.data[i].series->game));
  runner_free(&runner);
  if (!ready || runner.failed || error->length) return RUNNER_FAILED;
  return complete ? RUNNER_DONE : RUNNER_STOPPED;
}
