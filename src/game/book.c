/* The way of the data, from top to bottom: rules → ground rules → net → reduced
   net → engine, and on demand → analysis → features → wide programs. */
#include "game/book.h"

#include <malloc.h>
#include <stdio.h>

#include "base/clock.h"
#include "game/narrow.h"
#include "game/prefer.h"
#include "net/build.h"
#include "scalar/scalar.h"
#include "scalar/zobrist.h"

/* A net of decisive moves may have at most this many times the edges of the
   plain one. */
enum { DECIDING_GROWTH = 40 };
enum { MOST_BUILT = 150000 }; /* edges of a net as built that is kept */

/* ---- stages ---- */

/* Restoring moves the store, and other threads may read it while a stage that
   makes no terms is given up. */
static bool is_unchanged(const Terms *terms, const TermsMark *mark) {
  return terms->nodes.count == mark->nodes &&
         terms->arguments.count == mark->arguments &&
         terms->symbols.names.count == mark->symbols.count &&
         terms->symbols.arena.used == mark->symbols.arena.used;
}

static bool try_until(Book *book, double deadline, const char *what,
                      TrialWork *work, void *context, Text *why) {
  Terms *terms = &book->description->rules.terms;
  TermsMark mark = terms_mark(terms);
  size_t memory = book->limits.ground.memory;
  double start = clock_now();
  *book->reason = '\0';
  if (trial_run_until(memory, deadline, work, context)) return true;
  if (!is_unchanged(terms, &mark)) terms_restore(terms, &mark);
  malloc_trim(0); /* else what follows comes on top of what was released */
  if (*book->reason)
    text_add(why, book->reason);
  else if (trial_deadline_passed())
    text_format(why, "%s was given up after %.3g s, while %s", what,
                clock_now() - start, tasks_name(book->tasks.now));
  else if (trial_limit_reached())
    text_format(why, "%s takes more than %zu MiB (--memory)", what,
                memory >> 20);
  else
    text_format(why, "%s takes more memory than there is", what);
  return false;
}

bool book_try(Book *book, const char *what, TrialWork *work, void *context,
              Text *why) {
  return try_until(book, book->limits.deadline, what, work, context, why);
}

static double earlier(double a, double b) {
  return a <= 0 || (b > 0 && b < a) ? b : a;
}

static bool make(Book *book, BookStage stage, TrialWork *work, void *context) {
  static const char *const names[] = {"the circuit",
                                      "the analysis",
                                      "the search for features",
                                      "the wide program",
                                      "the wide program",
                                      "the wide program",
                                      "the search for symmetries"};
  static const Task tasks[] = {TASK_GROUNDING, TASK_ANALYSING, TASK_FEATURES,
                               TASK_COMPILING, TASK_COMPILING, TASK_COMPILING,
                               TASK_SYMMETRIES};
  double until = book->limits.deadline;
  Task outer = book->tasks.now;
  if (book->why[stage].length) return false;
  if (stage == BOOK_NET && book->limits.net_seconds > 0)
    until = earlier(until, clock_now() + book->limits.net_seconds);
  tasks_enter(&book->tasks, tasks[stage]);
  bool fine =
      try_until(book, until, names[stage], work, context, &book->why[stage]);
  tasks_enter(&book->tasks, outer);
  return fine;
}

static _Noreturn void give_up(Book *book, const Text *error) {
  snprintf(book->reason, sizeof book->reason, "%s", error->bytes);
  trial_fail(book->reason);
}

/* ---- at once: the net and an engine ---- */

/* The net as built is kept for proofs: reducing hides that parts of it look
   alike. */
static void drop_large(Net *built) {
  if (net_count_edges(built) <= MOST_BUILT) return;
  net_free(built);
  *built = (Net){0};
}

static void ground_and_reduce(Book *book) {
  ReduceOptions options = {.seconds = book->limits.reduce_seconds,
                           .legal = true};
  Text error = {0};
  Ground ground;
  Net *built = &book->built;
  if (narrow_net(book->description, &book->limits.ground, &options,
                 book->limits.offer, &book->tasks, &book->net, built,
                 &book->reductions)) {
    drop_large(built);
    return;
  }
  tasks_enter(&book->tasks, TASK_GROUNDING);
  if (!ground_init(&ground, book->description, &book->limits.ground, &error))
    give_up(book, &error);
  tasks_enter(&book->tasks, TASK_BUILDING);
  if (!build_net(built, &ground, &error)) give_up(book, &error);
  ground_free(&ground);
  reduce_huge(built);
  if (book->limits.offer)
    handover_offer(book->limits.offer, built, &book->description->rules.terms);
  tasks_enter(&book->tasks, TASK_REDUCING);
  reduce_net(built, &book->net, &options, &book->reductions);
  drop_large(built);
}

static void make_engine(Book *book) {
  if (!book->limits.idle)
    book->spare = scalar_engine_new(book->description, &book->net);
  book->zobrist = zobrist_keys(&book->net, &book->description->rules.terms);
  book->words = (book->net.fluents.count + 63) / 64;
}

static void make_net(void *context) {
  Book *book = context;
  ground_and_reduce(book);
  make_engine(book);
}

static void take_net(void *context) {
  Book *book = context;
  if (!handover_take(book->from, &book->net, &book->description->rules.terms)) {
    snprintf(book->reason, sizeof book->reason, "no net was offered");
    trial_fail(book->reason);
  }
  make_engine(book);
}

static void find_best_goals(Book *book) {
  uint32_t roles = book->description->rules.roles.count;
  book->best_goal = memory_new(roles * sizeof *book->best_goal);
  for (uint32_t role = 0; role < roles; role++)
    book->best_goal[role] = book->has_net ? 0 : 100;
  for (uint32_t i = 0; book->has_net && i < book->net.goals.count; i++) {
    const NetGoal *goal = &book->net.goals.data[i];
    if (goal->value > book->best_goal[goal->role])
      book->best_goal[goal->role] = goal->value;
  }
}

static void begin(Book *book, Description *description,
                  const BookLimits *limits) {
  *book = (Book){.description = description, .limits = *limits};
  book->limits.rules.deadline = limits->deadline;
  tasks_init(&book->tasks, TASK_PLAYING);
}

static void conclude(Book *book) {
  if (!book->has_net) {
    book->built = (Net){0};
    book->reductions = (ReduceReport){0};
    book->spare = NULL;
    book->zobrist = NULL;
    book->words = 0;
  }
  find_best_goals(book);
}

void book_init(Book *book, Description *description, const BookLimits *limits,
               bool ground) {
  begin(book, description, limits);
  book->has_net = ground && make(book, BOOK_NET, make_net, book);
  conclude(book);
}

void book_init_early(Book *book, Description *description,
                     const BookLimits *limits, Handover *from) {
  begin(book, description, limits);
  book->from = from;
  book->has_net = make(book, BOOK_NET, take_net, book);
  conclude(book);
}

Game *book_game(Book *book) {
  Game *game = book->spare;
  if (game)
    book->spare = NULL;
  else
    game = book->has_net
               ? scalar_engine_new(book->description, &book->net)
               : rules_engine_new(book->description, &book->limits.rules);
  game->deadline = book->limits.deadline;
  return game;
}

/* ---- on demand: analysis → features, symmetries ---- */

static void make_analysis(void *context) {
  Book *book = context;
  AnalysisOptions options = analysis_default;
  options.prove_seconds = book->limits.prove_seconds;
  book->analysis = memory_new(sizeof *book->analysis);
  analysis_init(book->analysis, &book->net, book->description, &options);
}

const Analysis *book_analysis(Book *book) {
  if (book->has_net && !book->analysis &&
      !make(book, BOOK_ANALYSIS, make_analysis, book))
    book->analysis = NULL;
  return book->analysis;
}

static void make_features(void *context) {
  Book *book = context;
  book->features = memory_new(sizeof *book->features);
  features_init(book->features, book->analysis);
}

const Features *book_features(Book *book) {
  if (book_analysis(book) && !book->features &&
      !make(book, BOOK_FEATURES, make_features, book))
    book->features = NULL;
  return book->features;
}

static void make_symmetries(void *context) {
  Book *book = context;
  Game *game = scalar_engine_new(book->description, &book->net);
  book->symmetries = memory_new(sizeof *book->symmetries);
  symmetries_init(book->symmetries, book->analysis, &book->built, game);
  game_delete(game);
}

const Symmetries *book_symmetries(Book *book) {
  if (book_analysis(book) && !book->symmetries &&
      !make(book, BOOK_SYMMETRIES, make_symmetries, book))
    book->symmetries = NULL;
  return book->symmetries;
}

const Symmetries *book_symmetries_from(Book *book, Game *game) {
  const uint64_t *state;
  const Symmetries *found = book_symmetries(book);
  if (!found || !found->count) return NULL;
  game_state(game, &state);
  return symmetries_hold(found, state) ? found : NULL;
}

/* ---- on demand: wide programs ---- */

static Cones *begin_cones(const Book *book, const Net *net) {
  uint32_t words = book->tune.words ? book->tune.words : BOOK_WORDS;
  return cones_new(net, &(ProgramMode){ISA_PLAIN, false, words});
}

static Cones *compile(const Book *book, const Net *net) {
  Cones *cones = begin_cones(book, net);
  tune_cones(cones, &book->tune);
  return cones;
}

static void make_first_cones(void *context) {
  Book *book = context;
  book->cones = begin_cones(book, &book->net);
}

static void tune_first_cones(void *context) {
  const Book *book = context;
  tune_cones(book->cones, &book->tune);
}

static void make_cones(void *context) {
  Book *book = context;
  book->cones = compile(book, &book->net);
}

static TuneOptions options_of(uint32_t words) {
  TuneOptions options = tune_default;
  options.words = words ? words : BOOK_WORDS;
  return options;
}

const Cones *book_first_cones(Book *book, uint32_t words) {
  if (!book->has_net || book->cones) return book->cones;
  book->tune = options_of(words);
  if (!make(book, BOOK_CONES, make_first_cones, book)) book->cones = NULL;
  return book->cones;
}

/* What book_first_cones has made gets what it lacks. */
static const Cones *finish_cones(Book *book) {
  Cones before = *book->cones;
  book->tuned = make(book, BOOK_CONES, tune_first_cones, book);
  if (book->tuned) return book->cones;
  cones_restore(book->cones, &before);
  return NULL;
}

const Cones *book_tuned_cones(Book *book, const TuneOptions *options) {
  if (!book->has_net || book->tuned) return book->cones;
  book->tune = *options;
  if (book->cones) return finish_cones(book);
  book->tuned = make(book, BOOK_CONES, make_cones, book);
  if (!book->tuned) book->cones = NULL;
  return book->cones;
}

/* The width of the lanes is fixed, so that results do not depend on a
   measurement; instructions and machine code are what measures fastest. */
const Cones *book_cones(Book *book, uint32_t words) {
  TuneOptions options = options_of(words);
  return book_tuned_cones(book, &options);
}

static void make_capturing(void *context) {
  Book *book = context;
  book->capturing =
      prefer_captures(&book->net, book->features, &book->preferring)
          ? compile(book, &book->preferring)
          : book->cones;
}

const Cones *book_capturing(Book *book, uint32_t words) {
  if (!book_cones(book, words) || book->capturing) return book->capturing;
  if (!book_features(book) || !make(book, BOOK_CAPTURING, make_capturing, book))
    book->capturing = book->cones;
  return book->capturing;
}

typedef struct Deciding {
  Book *book;
  Decisive kind;
} Deciding;

static void make_deciding(void *context) {
  const Deciding *deciding = context;
  Book *book = deciding->book;
  BookVariant *variant = &book->deciding[deciding->kind];
  ReduceOptions options = {.seconds = book->limits.reduce_seconds / 4,
                           .legal = true};
  Net net;
  if (!decisive_moves(book->analysis, deciding->kind, &net)) return;
  reduce_net(&net, &variant->net, &options, NULL);
  net_free(&net);
  if (net_count_edges(&variant->net) >
      DECIDING_GROWTH * net_count_edges(&book->net))
    net_free(&variant->net);
  else
    variant->cones = compile(book, &variant->net);
}

const Cones *book_deciding(Book *book, uint32_t words, Decisive kind) {
  BookVariant *variant = &book->deciding[kind];
  Deciding deciding = {book, kind};
  if (!book_cones(book, words) || variant->cones) return variant->cones;
  if (kind == DECISIVE_NONE || !book_analysis(book) ||
      !make(book, BOOK_DECIDING, make_deciding, &deciding) || !variant->cones)
    variant->cones = book->cones;
  return variant->cones;
}

static void make_deciding_captures(void *context) {
  const Deciding *deciding = context;
  Book *book = deciding->book;
  BookVariant *variant = &book->deciding_captures[deciding->kind];
  if (prefer_captures(&book->deciding[deciding->kind].net, book->features,
                      &variant->net))
    variant->cones = compile(book, &variant->net);
}

const Cones *book_deciding_captures(Book *book, uint32_t words, Decisive kind) {
  BookVariant *variant = &book->deciding_captures[kind];
  Deciding deciding = {book, kind};
  if (variant->cones) return variant->cones;
  const Cones *capturing = book_capturing(book, words);
  const Cones *plain = book_deciding(book, words, kind);
  if (plain == book->cones) return capturing;
  if (capturing == book->cones) return plain;
  if (!make(book, BOOK_DECIDING, make_deciding_captures, &deciding) ||
      !variant->cones)
    variant->cones = book->deciding[kind].cones;
  return variant->cones;
}

/* ---- the end ---- */

static void free_deciding(Book *book) {
  for (int kind = 0; kind < DECISIVE_KINDS; kind++) {
    BookVariant *plain = &book->deciding[kind];
    BookVariant *captures = &book->deciding_captures[kind];
    if (captures->cones && captures->cones != plain->cones) {
      cones_delete(captures->cones);
      net_free(&captures->net);
    }
    if (plain->cones && plain->cones != book->cones) {
      cones_delete(plain->cones);
      net_free(&plain->net);
    }
  }
}

void book_free(Book *book) {
  free_deciding(book);
  if (book->capturing && book->capturing != book->cones) {
    cones_delete(book->capturing);
    net_free(&book->preferring);
  }
  if (book->cones) cones_delete(book->cones);
  if (book->symmetries) symmetries_free(book->symmetries);
  memory_delete(book->symmetries);
  if (book->features) features_free(book->features);
  memory_delete(book->features);
  if (book->analysis) analysis_free(book->analysis);
  memory_delete(book->analysis);
  if (book->spare) game_delete(book->spare);
  reduce_report_free(&book->reductions);
  memory_delete(book->zobrist);
  memory_delete(book->best_goal);
  if (book->has_net) net_free(&book->net);
  net_free(&book->built);
  for (int i = 0; i < BOOK_STAGES; i++) text_free(&book->why[i]);
}
