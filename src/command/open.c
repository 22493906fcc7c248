/* What verbs share: a game read, checked and loaded, budgets, the end. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/time.h>

#include "base/clock.h"
#include "command/command.h"
#include "command/find.h"
#include "engine/moves.h"
#include "gpu/solo.h"
#include "io/json.h"
#include "learn/shelf.h"

/* ---- knowledge ---- */

const char *open_knowledge(const Options *options) {
  static Text user;
  const char *given = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
  if (!*options->knowledge) return NULL;
  if (strcmp(options->knowledge, "user") != 0) return options->knowledge;
  if (!user.length && given && *given == '/')
    text_format(&user, "%s/tafl/knowledge", given);
  else if (!user.length)
    text_format(&user, "%s/.local/share/tafl/knowledge",
                home && *home ? home : ".");
  return text_string(&user);
}

bool open_knowledge_check(const Options *options) {
  const char *directory = open_knowledge(options);
  Text error = {0};
  bool fine = !directory || shelf_open(directory, &error);
  if (!fine) log_error("--knowledge: %s", text_string(&error));
  text_free(&error);
  return fine;
}

/* ---- games ---- */

bool open_read(const Options *options, const char *path,
               Description *description) {
  Text error = {0}, missing = {0};
  log_set_subject(path);
  bool fine = description_read(description, path,
                               (size_t)options->file_size << 20, &error);
  if (!fine && find_explain(options, path, &missing))
    log_error("%s", missing.bytes);
  else if (!fine)
    log_error("%s: %s", path, text_string(&error));
  text_free(&missing);
  text_free(&error);
  return fine;
}

bool open_description(const Options *options, const char *path,
                      Description *description) {
  if (!open_knowledge_check(options) || !open_read(options, path, description))
    return false;
  if (description_valid(description)) return true;
  Text text = {0};
  report_write(&description->report, true, &text);
  fputs(text_string(&text), stderr);
  text_free(&text);
  description_free(description);
  return false;
}

/* ---- the time limit ---- */

/* Of the game in work; 0: none. */
static double begun, limit_seconds, deadline;

void open_begin(const Options *options, double standard) {
  begun = clock_now();
  limit_seconds = options->limit > 0 ? options->limit : standard;
  deadline = limit_seconds > 0 ? begun + limit_seconds : 0;
}

void open_alarm(void (*handler)(int)) {
  double left = fmax(deadline - clock_now(), 1e-3);
  struct itimerval timer = {
      .it_value = {.tv_sec = (time_t)left,
                   .tv_usec = (long)(1e6 * fmod(left, 1))}};
  if (deadline <= 0) return;
  signal(SIGALRM, handler);
  setitimer(ITIMER_REAL, &timer, NULL);
}

bool open_late(const Book *book) {
  if (deadline <= 0 || clock_now() <= deadline) return false;
  Text text = {0};
  Task now = book->tasks.now, longest = tasks_longest(&book->tasks);
  text_format(&text, "the limit of %g s (--limit) was reached while %s",
              limit_seconds, tasks_name(now));
  if (longest != now)
    text_format(&text, "; most of it was used by %s", tasks_name(longest));
  text_add(&text, " (");
  tasks_write(&book->tasks, &text);
  log_error("%s: %s)", book->description->source.name, text_string(&text));
  text_free(&text);
  return true;
}

/* ---- books ---- */

/* Grounding keeps to --ground-seconds, reducing to work; what else a net takes
   is little in proportion, unless the rules are made to take long. */
static double net_seconds(const Options *options) {
  enum { AMPLE = 3 };
  if (options->reduce_seconds <= 0) return 0;
  return AMPLE * (options->ground_seconds + options->reduce_seconds);
}

BookLimits open_limits(const Options *options) {
  return (BookLimits){.ground = {.seconds = options->ground_seconds,
                                 .memory = (size_t)options->memory << 20},
                      .net_seconds = net_seconds(options),
                      .deadline = deadline,
                      .reduce_seconds = options->reduce_seconds,
                      .knowledge = open_knowledge(options),
                      .rules = {.memory = (size_t)options->memory << 20,
                                .seconds = options->state_seconds}};
}

/* The net may take three quarters of the time if the game can be played without
   it. */
static bool make_book(const Options *options, Description *description,
                      bool ground, bool need_net, bool idle, Book *book) {
  BookLimits limits = open_limits(options);
  limits.idle = idle;
  double start = clock_now(), most = 0.75 * (deadline - start);
  if (deadline > 0 && !need_net &&
      (limits.net_seconds <= 0 || limits.net_seconds > most))
    limits.net_seconds = most > 0.001 ? most : 0.001;
  book_init(book, description, &limits, ground);
  if (begun > 0) book->tasks.seconds[TASK_READING] = start - begun;
  if (book->has_net || !need_net) return true;
  Text more = {0};
  if (deadline > 0 && clock_now() > deadline)
    text_format(&more, "; the limit of %g s (--limit) was reached",
                limit_seconds);
  log_error("%s: %s%s", description->source.name,
            text_string(&book->why[BOOK_NET]), text_string(&more));
  text_free(&more);
  book_free(book);
  return false;
}

bool open_book(const Options *options, Description *description, Book *book) {
  if (strcmp(options->engine, "wide") == 0 ||
      strcmp(options->engine, "gpu") == 0) {
    log_error("the %s engine is for bench only", options->engine);
    return false;
  }
  return make_book(options, description, strcmp(options->engine, "rules") != 0,
                   strcmp(options->engine, "scalar") == 0, false, book);
}

bool open_net(const Options *options, Description *description, Book *book) {
  return make_book(options, description, true, true, true, book);
}

bool open_role(const Options *options, const Game *game, uint32_t *role) {
  Text name = {0}, all = {0};
  bool found = !*options->role;
  for (uint32_t each = 0; each < game->role_count && !found; each++) {
    text_clear(&name);
    moves_write_role(game, each, &name);
    text_format(&all, "%s%s", each ? ", " : "", name.bytes);
    found = strcasecmp(name.bytes, options->role) == 0;
    if (found) *role = each;
  }
  if (!found)
    log_error("--role: there is no role '%s'; the roles are %s", options->role,
              text_string(&all));
  text_free(&name);
  text_free(&all);
  return found;
}

bool open_tune(const Options *options) {
  SoloPlan any = {.frame = {.threads = 32}, .legs = 1};
  Text why = {0};
  bool valid = solo_tune(&any, options->tune, &why);
  if (!valid) log_error("--tune: %s", text_string(&why));
  text_free(&why);
  return valid;
}

Options open_seconds(const Options *options, double standard) {
  Options own = *options;
  if (own.seconds <= 0) own.seconds = standard;
  return own;
}

Budget open_budget(const Options *options) {
  Budget budget = {.seconds = options->play,
                   .simulations = (uint64_t)options->sims,
                   .states = (uint64_t)options->states};
  if (!budget_limited(&budget)) budget.seconds = 1;
  return budget;
}

Budget open_start_budget(const Options *options) {
  uint64_t count = (uint64_t)options->start;
  if (options->sims) return (Budget){.simulations = count};
  if (options->states) return (Budget){.states = count};
  return (Budget){.seconds = options->start};
}

int open_end(const Options *options, const Book *book, Game *game) {
  if (!open_late(book)) return open_finish(options, game);
  text_clear(&game->error);
  open_finish(options, game);
  return EXIT_LIMIT;
}

int open_finish(const Options *options, Game *game) {
  int code = EXIT_FINE;
  if (game_failed(game)) {
    log_error("%s: %s", game->description->source.name,
              text_string(&game->error));
    code = EXIT_LIMIT;
  }
  if (options->statistics) statistics_print(&game->statistics);
  game_delete(game);
  return code;
}

json_t *open_json_text(const char *text) {
  return json_plain(text);
}
