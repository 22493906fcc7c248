/* What a game costs: the phases of a search by one thread, and pieces of its
   leaves as a thread of a rank plays them out. Processor time is measured,
   since others may work on the machine, too; phases share it as they share the
   time that passes. */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "scale/measuring.h"
#include "search/outwork.h"
#include "support/ask.h"

enum {
  TRIES = 3,
  PIECES = 30,
  SMALL = 128, /* leaves of a piece, */
  LARGE = 1024 /* and of a large one */
};

static double least(double a, double b) {
  return a > 0 && a < b ? a : b;
}

/* ---- the search ---- */

/* Times are the least of several searches, those that grow with the depth of
   the tree for each node that is passed; what does not depend on time is a
   mean of them. */
static void take_phases(const SearchReport *report, double used,
                        GameCosts *costs) {
  double all = 0, leaf = used / (double)report->descents;
  double node = leaf / report->depth;
  const double *phases = report->phases;
  for (int i = 0; i < PHASE_COUNT; i++) all += phases[i];
  costs->descend = least(costs->descend, node * phases[PHASE_DESCEND] / all);
  costs->expand = least(costs->expand, leaf * phases[PHASE_EXPAND] / all);
  costs->backup = least(costs->backup, node * phases[PHASE_BACKUP] / all);
}

static void take_sizes(const Book *book, const SearchReport *report,
                       const GameCosts *meeting, GameCosts *costs) {
  costs->width = report->moves.count;
  costs->state = (double)book->words * sizeof(uint64_t);
  costs->depth += report->depth / TRIES;
  if (report->nodes)
    costs->node += (double)report->bytes / report->nodes / TRIES;
  costs->best += meeting->best / TRIES;
  costs->line += meeting->line / TRIES;
  costs->lessons += meeting->lessons / TRIES;
}

/* ---- pieces ---- */

typedef struct LeafStates {
  uint32_t words, count;
  VECTOR(uint64_t) states;
} LeafStates;

static void collect(void *context, const SearchNode *node) {
  LeafStates *sample = context;
  if (sample->count == LARGE) return;
  for (uint32_t i = 0; i < sample->words; i++)
    vector_push(&sample->states, node->state[i]);
  sample->count++;
}

/* Plays pieces of so many leaves; returns the mean time of one, and its
   variation. */
static double play_pieces(Outwork *outwork, const LeafStates *sample,
                          uint32_t leaves, GameCosts *costs) {
  double sum = 0, squares = 0, moves = 0;
  for (uint32_t i = 0; i < PIECES; i++) {
    uint32_t first = leaves < sample->count ? i * leaves % sample->count : 0;
    if (first + leaves > sample->count) first = sample->count - leaves;
    AllyTask task = {.number = i,
                     .leaves = leaves,
                     .repeat = 4,
                     .words = sample->words,
                     .states =
                         sample->states.data + (size_t)first * sample->words};
    AllyResult result = {0};
    double start = clock_thread();
    outwork_play(outwork, &task, &result);
    double used = clock_thread() - start;
    sum += used / PIECES;
    squares += used * used / PIECES;
    moves += (double)result.credit.count / PIECES;
    ally_free_result(&result);
  }
  costs->credit = 20 * moves;
  costs->spread = sqrt(fmax(squares / (sum * sum) - 1, 0));
  return sum;
}

/* In a large piece the lanes are full nearly all the time. What a small one
   takes longer than its playouts would there is its start. */
static void measure_pieces(Outwork *outwork, const LeafStates *leaves,
                           GameCosts *costs) {
  uint32_t large = leaves->count, small = large < SMALL ? large / 2 : SMALL;
  double many = 1e9, few = 1e9;
  for (uint32_t i = 0; i < TRIES; i++) {
    many = least(play_pieces(outwork, leaves, large, costs), many);
    few = least(play_pieces(outwork, leaves, small, costs), few);
  }
  costs->playout = many / (4.0 * large);
  costs->start = fmax(few - 4.0 * small * costs->playout, 0);
}

/* ---- a game ---- */

static void measure_search(Book *book, const Settings *settings, uint64_t seed,
                           uint64_t simulations, LeafStates *sample,
                           GameCosts *costs) {
  Search *search = search_new(book, 0, settings, seed);
  GameCosts meeting = {0};
  double start = clock_thread();
  search_think(search, &(Budget){.simulations = simulations});
  double used = clock_thread() - start;
  take_phases(search_report(search), used, costs);
  if (!sample->count) search_tell(search, 1, collect, sample);
  const SearchReport report = *search_report(search);
  meeting.depth = report.depth;
  measuring_line(search, &meeting);
  take_sizes(book, &report, &meeting, costs);
  search_delete(search);
}

static bool measure(Book *book, const Settings *settings, uint64_t simulations,
                    GameCosts *costs) {
  Outwork *outwork = outwork_new(book, settings, 1);
  if (!outwork) return false;
  LeafStates sample = {.words = book->words};
  costs->descend = costs->expand = costs->backup = 1;
  for (uint32_t i = 0; i < TRIES; i++)
    measure_search(book, settings, i + 1, simulations, &sample, costs);
  costs->descend *= costs->depth;
  costs->backup *= costs->depth;
  bool fine = sample.count > 1;
  if (fine) measure_pieces(outwork, &sample, costs);
  outwork_delete(outwork);
  vector_free(&sample.states);
  return fine;
}

bool measuring_game(const char *path, uint64_t simulations, GameCosts *costs,
                    Text *error) {
  static Asking asking;
  Settings settings;
  if (!settings_parse(&settings, "tafl:mind=search,evaluation=none,threads=1",
                      error))
    return false;
  asking_open(&asking, path);
  if (!asking.book.has_net ||
      !measure(&asking.book, &settings, simulations, costs)) {
    text_format(error, "there are no playouts of many at once");
    return false;
  }
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  costs->name = strndup(name, strcspn(name, "."));
  asking_close(&asking);
  return true;
}
