/* One search plays all roles. Games begin with a few random moves, and now and
   then another random one, so that they differ. After each thinking every node
   of the tree with enough visits is a target: the role that chooses there has
   the goal that the search expects (returns=own).

   Targets of one tree are much alike, and so are those of one game. They are
   kept in a memory of the latest ones, and the fit is taught random ones of
   these. */
#include "learn/selfplay.h"

#include "base/clock.h"
#include "base/random.h"
#include "search/search.h"

enum {
  THINK = 150000,      /* states for each move */
  VISITS = 8,          /* of nodes that are targets */
  OPENING = 2,         /* random moves at the beginning: at least so many, */
  OPENINGS = 8,        /* and less than so many more */
  STRAY = 10,          /* one move of so many is random, too */
  KEPT = 32768,        /* targets in the memory */
  LESSONS = 4,         /* that the fit is taught for each new one */
  LESSONS_MOST = 4096, /* after one thinking */
  LONGEST = 400,       /* steps of a game */
  MEMORY = 64          /* MiB of the tree, at most */
};

typedef struct Target {
  uint32_t row;
  float share; /* of the range of goals */
} Target;

struct Selfplay {
  Book *book;
  Search *search;
  Random random;
  Fit *fit;         /* while it learns */
  uint64_t *states; /* the memory: rows, */
  Target *targets;  /* and what they are worth */
  uint64_t heard;   /* targets in all; the latest overwrites the oldest */
  uint64_t taught;  /* of those: since then the fit was */
  double error, sum, squares, tested; /* of new targets, lately */
  float *shares;                      /* scratch, by row */
  uint32_t step;                      /* of the game */
  uint32_t opening;
  SelfplayProgress progress;
};

Selfplay *selfplay_new(Book *book, const Settings *settings, uint64_t seed) {
  Selfplay *selfplay = memory_new(sizeof *selfplay);
  Settings own = *settings;
  own.returns = RETURNS_OWN;
  own.threads = 1;
  own.gpu = 0;
  own.share = 1;
  if (own.memory > MEMORY) own.memory = MEMORY;
  selfplay->book = book;
  selfplay->search = search_new(book, 0, &own, seed);
  random_seed(&selfplay->random, seed);
  selfplay->states =
      memory_new((size_t)KEPT * book->words * sizeof *selfplay->states);
  selfplay->targets = memory_new(KEPT * sizeof *selfplay->targets);
  selfplay->shares = memory_new(search_game(selfplay->search)->role_count *
                                sizeof *selfplay->shares);
  selfplay->opening = OPENING;
  return selfplay;
}

void selfplay_delete(Selfplay *selfplay) {
  search_delete(selfplay->search);
  memory_delete(selfplay->states);
  memory_delete(selfplay->targets);
  memory_delete(selfplay->shares);
  memory_delete(selfplay);
}

/* ---- targets ---- */

static void hear(void *context, const SearchNode *node) {
  Selfplay *selfplay = context;
  const Linear *linear = selfplay->fit->linear;
  uint32_t row = node->role, words = selfplay->book->words;
  double goal = node->value;
  if (row >= linear->rows) { /* two roles, one row */
    row = 0;
    goal = linear->sum - goal;
  }
  double range = linear->most[row] - linear->least[row];
  if (range <= 0) return;
  double share = (goal - linear->least[row]) / range;
  size_t at = selfplay->heard++ % KEPT;
  memcpy(selfplay->states + at * words, node->state,
         words * sizeof *selfplay->states);
  selfplay->targets[at] = (Target){row, (float)(share < 0   ? 0
                                                : share > 1 ? 1
                                                            : share)};
}

/* One new target of so many is predicted before it is taught, and says how much
   the evaluation explains. */
static void test(Selfplay *selfplay) {
  enum { TESTED = 16 };
  static const double memory = 0.999;
  for (uint64_t i = selfplay->taught; i < selfplay->heard; i += TESTED) {
    if (selfplay->heard - i > KEPT) continue;
    size_t at = i % KEPT;
    const Target *target = &selfplay->targets[at];
    double share = (double)target->share;
    double error =
        (double)fit_predict(selfplay->fit,
                            selfplay->states + at * selfplay->book->words,
                            target->row) -
        share;
    selfplay->error = selfplay->error * memory + error * error;
    selfplay->sum = selfplay->sum * memory + share;
    selfplay->squares = selfplay->squares * memory + share * share;
    selfplay->tested = selfplay->tested * memory + 1;
  }
  double mean = selfplay->sum / selfplay->tested;
  double variance = selfplay->squares / selfplay->tested - mean * mean;
  double error = selfplay->error / selfplay->tested;
  selfplay->progress.explained = variance > 0 ? 1 - error / variance : 0;
}

static void teach_one(Selfplay *selfplay) {
  const Linear *linear = selfplay->fit->linear;
  uint64_t kept = selfplay->heard < KEPT ? selfplay->heard : KEPT;
  size_t at = random_below(&selfplay->random, (uint32_t)kept);
  for (uint32_t i = 0; i < linear->rows; i++) selfplay->shares[i] = -1;
  selfplay->shares[selfplay->targets[at].row] = selfplay->targets[at].share;
  fit_step(selfplay->fit, selfplay->states + at * selfplay->book->words,
           selfplay->shares, 1);
  selfplay->progress.targets++;
}

static void teach(Selfplay *selfplay) {
  uint64_t count = (selfplay->heard - selfplay->taught) * LESSONS;
  if (!count) return;
  test(selfplay);
  if (count > LESSONS_MOST) count = LESSONS_MOST;
  for (uint64_t i = 0; i < count; i++) teach_one(selfplay);
  selfplay->taught = selfplay->heard;
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
    teach(selfplay);
    selfplay->progress.states += search_report(selfplay->search)->states;
  }
  return move(selfplay, strayed);
}

void selfplay_learn(Selfplay *selfplay, const Budget *budget, Fit *fit) {
  double end = clock_now() + budget->seconds;
  Budget thinking = {.states = THINK, .stop = budget->stop};
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
  fit_publish(fit);
}

SelfplayProgress selfplay_progress(const Selfplay *selfplay) {
  return selfplay->progress;
}
