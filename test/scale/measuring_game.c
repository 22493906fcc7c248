/* What a game costs: the phases of a search by one thread, whose batches are as
   those of a rank. */
#include <stdlib.h>

#include "base/bits.h"
#include "scale/measuring.h"
#include "search/search.h"
#include "support/ask.h"

enum { TRIES = 3 };

static double least(double a, double b) {
  return a > 0 && a < b ? a : b;
}

static void take_phases(const SearchReport *report, GameCosts *costs) {
  double leaves = (double)report->descents;
  double playouts = (double)report->simulations;
  const double *phases = report->phases;
  costs->descend = least(costs->descend, phases[PHASE_DESCEND] / leaves);
  costs->expand = least(costs->expand, phases[PHASE_EXPAND] / leaves);
  costs->backup = least(costs->backup, phases[PHASE_BACKUP] / leaves);
  costs->playout = least(costs->playout, phases[PHASE_PLAYOUT] / playouts);
}

/* What does not depend on time. */
static void take_sizes(const Book *book, const SearchReport *report,
                       GameCosts *costs) {
  uint64_t visits = 0, most = 0;
  costs->width = report->moves.count;
  for (uint32_t i = 0; i < report->moves.count; i++) {
    uint32_t own = report->moves.data[i].visits;
    visits += own;
    if (own > most) most = own;
  }
  costs->best = visits ? (double)most / (double)visits : 1;
  costs->depth = report->depth;
  costs->state = (double)book->words * sizeof(uint64_t);
  costs->credit = 20.0 * book->net.moves.count;
  costs->node = report->nodes ? (double)report->bytes / report->nodes : 0;
}

bool measuring_game(const char *path, uint64_t simulations, GameCosts *costs,
                    Text *error) {
  static Asking asking;
  Settings settings;
  if (!settings_parse(&settings, "tafl:mind=search,evaluation=none,threads=1",
                      error))
    return false;
  asking_open(&asking, path);
  if (!asking.book.has_net) {
    text_format(error, "%s has no net", path);
    return false;
  }
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  costs->name = strndup(name, strcspn(name, "."));
  Search *search = search_new(&asking.book, 0, &settings, 1);
  for (uint32_t i = 0; i < TRIES; i++) {
    search_reset(search);
    search_think(search, &(Budget){.simulations = simulations});
    take_phases(search_report(search), costs);
  }
  take_sizes(&asking.book, search_report(search), costs);
  search_delete(search);
  asking_close(&asking);
  return true;
}
