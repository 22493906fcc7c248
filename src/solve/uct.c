/* A slice is a number of simulations. The expected line of the best move is
   offered as a plan; where there is none, the search has an opinion of the
   moves, which no other method has. */
#include "solve/uct.h"

#include <inttypes.h>

#include "base/clock.h"
#include "search/search.h"

typedef struct Uct {
  Method method;
  Search *search;
  MoveVector line;
} Uct;

static Method *new_method(const MethodTask *task) {
  Uct *uct = memory_new(sizeof *uct);
  Settings settings = *task->settings;
  int64_t most = (int64_t)(task->memory >> 20);
  settings.threads = 1;
  settings.gpu = 0;
  if (most < 1) most = 1;
  if (settings.memory > most) settings.memory = most;
  uct->method = (Method){.kind = &uct_method, .puzzle = task->puzzle};
  uct->search = search_new(task->puzzle->book, 0, &settings, task->seed);
  Game *game = puzzle_game(task->puzzle);
  const Term *facts;
  uint32_t count = game_facts(game, &facts);
  search_enter(uct->search, facts, count);
  game_delete(game);
  return &uct->method;
}

/* The first move of a report is the best. */
static void offer_line(Uct *uct, const SearchReport *report) {
  if (!report->moves.count) return;
  const SearchMove *best = &report->moves.data[0];
  vector_clear(&uct->line);
  for (uint32_t i = 0; i < best->line_steps; i++)
    vector_push(&uct->line, report->lines.data[best->line + i].move);
  puzzle_offer(uct->method.puzzle, uct_method.name, 100, uct->line.data,
               uct->line.count);
}

static MethodStatus run(Method *method, const Slice *slice) {
  Uct *uct = (Uct *)method;
  Budget budget = {.simulations = slice->states, .stop = slice->stop};
  if (slice->until > 0) {
    budget.seconds = slice->until - clock_now();
    if (budget.seconds <= 0) return METHOD_WORKING;
  }
  search_think(uct->search, &budget);
  const SearchReport *report = search_report(uct->search);
  method->simulations += report->simulations;
  method_count(method, report->states, report->states);
  offer_line(uct, report);
  return report->proven ? METHOD_DONE : METHOD_WORKING;
}

static bool best(Method *method, Move *move) {
  *move = search_best(((Uct *)method)->search);
  return true;
}

static void explain(Method *method, Text *text) {
  const SearchReport *report = search_report(((Uct *)method)->search);
  text_format(text, "%" PRIu64 " simulations, value %.1f", method->simulations,
              report->values[0]);
}

static void delete (Method *method) {
  Uct *uct = (Uct *)method;
  search_delete(uct->search);
  vector_free(&uct->line);
  memory_delete(uct);
}

const MethodKind uct_method = {
    .name = "uct",
    .origin = "search/",
    .help = "Monte Carlo tree search with the settings of the agent",
    .pace = 2000,
    .home = true,
    .usual = true,
    .new = new_method,
    .run = run,
    .best = best,
    .explain = explain,
    .delete = delete,
};
