/* One search plays all roles. Games begin with a few random moves, and now and
   then another random one, so that they differ. After each thinking every node
   of the tree with enough visits is a target: the role that chooses there has
   the goal that the search expects (returns=own). */
#include "learn/selfplay.h"

#include "base/clock.h"
#include "base/random.h"
#include "search/search.h"

enum {
  THINK = 6000,  /* simulations for each move */
  VISITS = 16,   /* of nodes that are targets */
  OPENING = 2,   /* random moves at the beginning: at least so many, */
  OPENINGS = 8,  /* and less than so many more */
  STRAY = 10,    /* one move of so many is random, too */
  LONGEST = 400, /* steps of a game */
  MEMORY = 64    /* MiB of the tree, at most */
};

struct Selfplay {
  Book *book;
  Search *search;
  Random random;
  Fit *fit;       /* while it learns */
  float *targets; /* by row */
  uint32_t step;  /* of the game */
  uint32_t opening;
  SelfplayProgress progress;
};

Selfplay *selfplay_new(Book *book, const Settings *settings, uint64_t seed) {
  Selfplay *selfplay = memory_new(sizeof *selfplay);
  Settings own = *settings;
  own.returns = RETURNS_OWN;
  own.threads = 1;
  own.share = 1;
  if (own.memory > MEMORY) own.memory = MEMORY;
  selfplay->book = book;
  selfplay->search = search_new(book, 0, &own, seed);
  random_seed(&selfplay->random, seed);
  selfplay->targets = memory_new(search_game(selfplay->search)->role_count *
                                 sizeof *selfplay->targets);
  selfplay->opening = OPENING;
  return selfplay;
}

void selfplay_delete(Selfplay *selfplay) {
  search_delete(selfplay->search);
  memory_delete(selfplay->targets);
  memory_delete(selfplay);
}

/* ---- targets ---- */

static void hear(void *context, const SearchNode *node) {
  Selfplay *selfplay = context;
  const Linear *linear = selfplay->fit->linear;
  uint32_t row = node->role;
  double goal = node->value;
  for (uint32_t i = 0; i < linear->rows; i++) selfplay->targets[i] = -1;
  if (row >= linear->rows) { /* two roles, one row */
    row = 0;
    goal = linear->sum - goal;
  }
  double range = linear->most[row] - linear->least[row];
  if (range <= 0) return;
  double share = (goal - linear->least[row]) / range;
  selfplay->targets[row] = (float)(share < 0 ? 0 : share > 1 ? 1 : share);
  fit_step(selfplay->fit, node->state, selfplay->targets, 1);
  selfplay->progress.targets++;
}

/* ---- games ---- */

static void begin(Selfplay *selfplay) {
  search_reset(selfplay->search);
  selfplay->step = 0;
  selfplay->opening = OPENING + random_below(&selfplay->random, OPENINGS);
  selfplay->progress.games++;
}

/* Returns false if a role has no legal move. */
static bool move(Selfplay *selfplay, bool strayed) {
  Move joint[RULE_ROLES];
  Game *game = search_game(selfplay->search);
  for (uint32_t role = 0; role < game->role_count; role++) {
    const Move *moves;
    uint32_t count = game_legal(game, role, &moves);
    if (!count) return false;
    joint[role] = strayed ? moves[random_below(&selfplay->random, count)]
                          : search_favourite(selfplay->search, role);
  }
  search_advance(selfplay->search, joint);
  selfplay->step++;
  return true;
}

/* Makes a step of the game; returns false if it is over or cannot go on. */
static bool step(Selfplay *selfplay, const Budget *thinking) {
  Game *game = search_game(selfplay->search);
  if (game_terminal(game) || game_failed(game) || selfplay->step >= LONGEST)
    return false;
  bool strayed = selfplay->step < selfplay->opening ||
                 !random_below(&selfplay->random, STRAY);
  if (!strayed) {
    search_think(selfplay->search, thinking);
    search_tell(selfplay->search, VISITS, hear, selfplay);
    selfplay->progress.states += search_report(selfplay->search)->states;
  }
  return move(selfplay, strayed);
}

void selfplay_learn(Selfplay *selfplay, const Budget *budget, Fit *fit) {
  double end = clock_now() + budget->seconds;
  Budget thinking = {.simulations = THINK, .stop = budget->stop};
  uint64_t before = selfplay->progress.states, moves = 0;
  selfplay->fit = fit;
  while (!(budget->stop && atomic_load(budget->stop)) &&
         (budget->seconds <= 0 || clock_now() < end) &&
         (!budget->simulations || moves < budget->simulations) &&
         (!budget->states ||
          selfplay->progress.states - before < budget->states)) {
    if (!step(selfplay, &thinking)) begin(selfplay);
    moves++;
  }
  linear_freeze(fit->linear);
}

SelfplayProgress selfplay_progress(const Selfplay *selfplay) {
  return selfplay->progress;
}
