/* Loading. Everything that is made of the text is in the game's scope; what is
   made on demand is made there too, under a lock and in a trial of its own. */
#include "library/game.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/moves.h"
#include "library/report.h"

enum { FILE_LIMIT = 64 << 20 };

static const double reduce_seconds = 4;

/* ---- options ---- */

void tafl_options_init(tafl_options *options, size_t size) {
  const tafl_options defaults = {.size = size,
                                 .engine = TAFL_ENGINE_AUTO,
                                 .memory = (uint64_t)1 << 30,
                                 .ground_seconds = 10,
                                 .state_seconds = 60};
  memset(options, 0, size);
  memcpy(options, &defaults, size < sizeof defaults ? size : sizeof defaults);
}

/* Fields that the caller's version of the structure lacks have defaults. */
static tafl_options read_options(const tafl_options *given) {
  tafl_options options;
  tafl_options_init(&options, sizeof options);
  if (given)
    memcpy(&options, given,
           given->size < sizeof options ? given->size : sizeof options);
  return options;
}

static bool options_valid(const tafl_options *options) {
  return options->size >= sizeof options->size && options->memory > 0 &&
         options->ground_seconds >= 0 && options->state_seconds >= 0 &&
         (options->engine == TAFL_ENGINE_AUTO ||
          options->engine == TAFL_ENGINE_CIRCUIT ||
          options->engine == TAFL_ENGINE_RULES);
}

/* The scope bounds what the rules engine derives. */
static BookLimits make_limits(const tafl_options *options) {
  size_t memory =
      options->memory < SIZE_MAX / 4 ? (size_t)options->memory : SIZE_MAX / 4;
  return (BookLimits){
      .ground = {.seconds = options->ground_seconds, .memory = memory},
      .reduce_seconds = reduce_seconds,
      .rules = {.memory = SIZE_MAX / 4, .seconds = options->state_seconds}};
}

/* ---- loading ---- */

typedef struct Loading {
  tafl_game *game;
  const char *text, *name;
  size_t length;
  bool wants_report;
  ReportParts report;
} Loading;

static void list_roles(tafl_game *game) {
  const Rules *rules = &game->description.rules;
  for (uint32_t i = 0; i < rules->roles.count; i++) {
    Text name = {0};
    term_write(&rules->terms, rules->roles.data[i], &name);
    vector_push(&game->roles, name);
  }
}

static void load(void *context) {
  Loading *loading = context;
  tafl_game *game = loading->game;
  const char *name = loading->name ? loading->name : "game";
  game->name = memory_new(strlen(name) + 1);
  memcpy(game->name, name, strlen(name));
  description_init(&game->description, game->name, loading->text,
                   loading->length);
  if (loading->wants_report || !description_valid(&game->description))
    report_collect(&loading->report, &game->description.report);
  if (!description_valid(&game->description)) return;
  list_roles(game);
  book_init(&game->book, &game->description, &game->limits,
            game->options.engine != TAFL_ENGINE_RULES);
  /* Positions make engines in scopes of their own. */
  if (game->book.spare) game_delete(game->book.spare);
  game->book.spare = NULL;
}

static tafl_status judge(const Loading *loading) {
  const tafl_game *game = loading->game;
  if (!description_valid(&game->description))
    return object_fail(TAFL_ERROR_RULES, "%s", loading->report.first);
  if (game->options.engine == TAFL_ENGINE_CIRCUIT && !game->book.has_net)
    return object_fail(TAFL_ERROR_ENGINE, "%s",
                       text_string(&game->book.why[BOOK_NET]));
  return TAFL_OK;
}

static tafl_status load_text(Loading *loading, const tafl_options *given,
                             tafl_game **made, tafl_report **report) {
  tafl_options options = read_options(given);
  if (!options_valid(&options))
    return object_fail(TAFL_ERROR_ARGUMENT, "an option is out of range");
  tafl_game *game = object_new(sizeof *game, options.memory);
  if (!game) return TAFL_ERROR_MEMORY;
  atomic_init(&game->users, 1);
  pthread_mutex_init(&game->lock, NULL);
  game->options = options;
  game->limits = make_limits(&options);
  loading->game = game;
  loading->wants_report = report;
  tafl_status status = object_call(&game->object, load, loading);
  if (!status) status = judge(loading);
  if (report &&
      (!status || status == TAFL_ERROR_RULES || status == TAFL_ERROR_ENGINE)) {
    *report = report_make(&loading->report);
    if (!*report) status = TAFL_ERROR_MEMORY;
  }
  if (status)
    tafl_game_close(game);
  else
    *made = game;
  return status;
}

tafl_status tafl_game_load(const char *text, size_t length, const char *name,
                           const tafl_options *options, tafl_game **game,
                           tafl_report **report) {
  if (report) *report = NULL;
  if (!text || !game || length > FILE_LIMIT)
    return object_fail(TAFL_ERROR_ARGUMENT,
                       "a text of at most 64 MiB and a place for the game are "
                       "needed");
  Loading loading = {.text = text, .length = length, .name = name};
  return load_text(&loading, options, game, report);
}

static char *read_file(const char *path, size_t *length, tafl_status *status) {
  FILE *file = fopen(path, "rb");
  struct stat about;
  char *text = NULL;
  if (!file || fstat(fileno(file), &about)) {
    *status = object_fail(TAFL_ERROR_FILE, "%s: %s", path, strerror(errno));
  } else if (!S_ISREG(about.st_mode) || about.st_size > FILE_LIMIT) {
    *status = object_fail(TAFL_ERROR_FILE,
                          "%s: is not a file of at most 64 MiB", path);
  } else if (!(text = malloc((size_t)about.st_size + 1))) {
    *status = object_fail(TAFL_ERROR_MEMORY, "the system has no more memory");
  } else {
    *length = fread(text, 1, (size_t)about.st_size, file);
    if (ferror(file)) {
      *status = object_fail(TAFL_ERROR_FILE, "%s: %s", path, strerror(errno));
      free(text);
      text = NULL;
    }
  }
  if (file) fclose(file);
  return text;
}

tafl_status tafl_game_load_file(const char *path, const tafl_options *options,
                                tafl_game **game, tafl_report **report) {
  tafl_status status = TAFL_OK;
  size_t length;
  if (report) *report = NULL;
  if (!path || !game)
    return object_fail(TAFL_ERROR_ARGUMENT,
                       "a path and a place for the game are needed");
  char *text = read_file(path, &length, &status);
  if (!text) return status;
  status = tafl_game_load(text, length, path, options, game, report);
  free(text);
  return status;
}

void game_hold(tafl_game *game) {
  atomic_fetch_add_explicit(&game->users, 1, memory_order_relaxed);
}

void tafl_game_close(tafl_game *game) {
  if (!game || atomic_fetch_sub(&game->users, 1) > 1) return;
  pthread_mutex_destroy(&game->lock);
  object_delete(&game->object);
}

/* ---- questions ---- */

tafl_engine tafl_game_engine(const tafl_game *game) {
  return game->book.has_net ? TAFL_ENGINE_CIRCUIT : TAFL_ENGINE_RULES;
}

const char *tafl_game_reason(const tafl_game *game) {
  return text_string(&game->book.why[BOOK_NET]);
}

uint32_t tafl_game_role_count(const tafl_game *game) {
  return game->roles.count;
}

const char *tafl_game_role(const tafl_game *game, uint32_t role) {
  return role < game->roles.count ? text_string(&game->roles.data[role]) : NULL;
}

int tafl_game_find_role(const tafl_game *game, const char *name) {
  for (uint32_t i = 0; name && i < game->roles.count; i++)
    if (strcmp(text_string(&game->roles.data[i]), name) == 0) return (int)i;
  return -1;
}

/* ---- what is shared ---- */

void game_play_init(Play *play, tafl_game *game) {
  play->book = &game->book;
  if (game->book.has_net) return;
  description_init(&play->description, game->name,
                   text_string(&game->description.text),
                   game->description.text.length);
  book_init(&play->own, &play->description, &game->limits, false);
  play->book = &play->own;
}

typedef struct Preparing {
  tafl_game *game;
  const Settings *settings;
  bool failed;
} Preparing;

/* Asks the book for what search_new will ask for, so that it is made in the
   game's scope. A stage that the limit does not allow is given up by the book
   for good, and agents do without it. */
static void make_parts(void *context) {
  const Preparing *preparing = context;
  const Settings *settings = preparing->settings;
  Book *book = &preparing->game->book;
  if (settings && settings->fast) book_features(book);
  if (settings && settings->solver) book_analysis(book);
  if (settings && (settings->lanes == 1 || settings->tree == TREE_NONE)) return;
  uint32_t words = settings ? (uint32_t)settings->lanes / 64 : 0;
  book_cones(book, words);
  if (!settings) return;
  if (settings->prune) book_deciding(book, words, DECISIVE_BOTH);
  book_deciding(book, words, (Decisive)settings->decisive);
  if (settings->capture)
    book_deciding_captures(book, words, (Decisive)settings->decisive);
}

/* The game must not fail as a whole, since others are playing on its net. */
static void prepare(void *context) {
  Preparing *preparing = context;
  Book *book = &preparing->game->book;
  Book before = *book;
  if (trial_run(SIZE_MAX, make_parts, preparing)) return;
  preparing->failed = true;
  book->analysis = before.analysis;
  book->features = before.features;
  book->cones = before.cones;
  book->capturing = before.capturing;
  memcpy(book->deciding, before.deciding, sizeof book->deciding);
  memcpy(book->deciding_captures, before.deciding_captures,
         sizeof book->deciding_captures);
  for (int stage = BOOK_ANALYSIS; stage < BOOK_STAGES; stage++)
    book->why[stage] = before.why[stage];
}

tafl_status game_prepare(tafl_game *game, const Settings *settings) {
  if (!game->book.has_net) return TAFL_OK;
  Preparing preparing = {.game = game, .settings = settings};
  tafl_status status = object_call(&game->object, prepare, &preparing);
  if (!status && preparing.failed)
    status = object_fail(TAFL_ERROR_MEMORY, "the memory limit was reached");
  return status;
}
