/* After a random number of steps the states of all lanes are taken at once
   (which transposes them together), and wait with their lane for the end of its
   playout. The gaps are such that a game of usual length gives SAMPLES states,
   at steps of all phases. A state whose age is the length of its game is the
   end itself, and is dropped. */
#include "learn/harvest.h"

#include "base/random.h"
#include "wide/wide.h"

enum {
  SAMPLES = 4, /* states of a game of usual length */
  SLOTS = 8,   /* states of a game at most; later ones replace others */
  STEPS = 4,   /* of one run at most, so that nobody waits long */
  FIRST_LENGTH = 64,
  MANY = 1 << 30, /* playouts from one state */
};

typedef struct Pending {
  uint32_t count;
  uint32_t ages[SLOTS];
} Pending;

struct Harvest {
  Wide *wide;
  HarvestListener *listener;
  void *context;
  Random random;
  uint32_t lanes, words; /* of a state */
  uint64_t *all;         /* the set of all lanes */
  uint64_t **rows;       /* by lane: where its state goes next */
  uint64_t *states;      /* by lane and slot */
  Pending *pending;      /* by lane */
  uint64_t *start;       /* the state that playouts begin in */
  uint32_t due;          /* steps until states are taken */
  uint64_t games, ended, steps;
};

static uint64_t *slot(const Harvest *harvest, uint32_t lane, uint32_t at) {
  return harvest->states + ((size_t)lane * SLOTS + at) * harvest->words;
}

static void hear(void *context, const WidePlayout *playout) {
  Harvest *harvest = context;
  Pending *pending = &harvest->pending[playout->lane];
  harvest->games++;
  if (playout->outcome == WIDE_ENDED) {
    harvest->ended++;
    harvest->steps += playout->steps;
    for (uint32_t i = 0; i < pending->count; i++)
      if (pending->ages[i] < playout->steps)
        harvest->listener(harvest->context, harvest->games,
                          slot(harvest, playout->lane, i), playout->goals);
  }
  pending->count = 0;
}

/* The programs of playouts, as the search chooses them (search/workers.c). */
static const Cones *choose_cones(Book *book, const Settings *settings) {
  enum { GROWTH = 9 };
  uint32_t words = (uint32_t)settings->lanes / 64;
  const Cones *plain = book_cones(book, words);
  Decisive kind = (Decisive)settings->decisive;
  if (!plain) return NULL;
  if (cones_gates(book_deciding(book, words, kind)) >
      GROWTH * cones_gates(plain))
    kind = DECISIVE_NONE;
  return settings->capture ? book_deciding_captures(book, words, kind)
                           : book_deciding(book, words, kind);
}

void harvest_prepare(Book *book, const Settings *settings) {
  choose_cones(book, settings);
}

Harvest *harvest_new(Book *book, const Settings *settings, uint64_t seed,
                     HarvestListener *listener, void *context) {
  const Cones *cones = choose_cones(book, settings);
  if (!cones) return NULL;
  Harvest *harvest = memory_new(sizeof *harvest);
  WideOptions options = {.seed = seed,
                         .step_limit = (uint32_t)settings->steps,
                         .listener = hear,
                         .context = harvest};
  harvest->wide = wide_new(cones, &options);
  harvest->listener = listener;
  harvest->context = context;
  harvest->lanes = 64 * cones->mode.words;
  harvest->words = book->words;
  random_seed(&harvest->random, seed);
  harvest->all = memory_new(cones->mode.words * sizeof *harvest->all);
  memset(harvest->all, 255, cones->mode.words * sizeof *harvest->all);
  harvest->rows = memory_new(harvest->lanes * sizeof *harvest->rows);
  harvest->states = memory_new((size_t)harvest->lanes * SLOTS * book->words *
                               sizeof *harvest->states);
  harvest->pending = memory_new(harvest->lanes * sizeof *harvest->pending);
  harvest->start = memory_new(book->words * sizeof *harvest->start);
  return harvest;
}

void harvest_delete(Harvest *harvest) {
  if (!harvest) return;
  wide_delete(harvest->wide);
  memory_delete(harvest->all);
  memory_delete(harvest->rows);
  memory_delete(harvest->states);
  memory_delete(harvest->pending);
  memory_delete(harvest->start);
  memory_delete(harvest);
}

void harvest_from(Harvest *harvest, const uint64_t *state) {
  size_t size = harvest->words * sizeof *state;
  if (state) memcpy(harvest->start, state, size);
  wide_set_starts(harvest->wide, state ? harvest->start : NULL, 1, MANY);
  for (uint32_t lane = 0; lane < harvest->lanes; lane++)
    harvest->pending[lane].count = 0;
  harvest->ended = harvest->steps = 0; /* lengths differ from there */
}

static void take(Harvest *harvest) {
  for (uint32_t lane = 0; lane < harvest->lanes; lane++) {
    Pending *pending = &harvest->pending[lane];
    uint32_t at = pending->count < SLOTS
                      ? pending->count++
                      : random_below(&harvest->random, SLOTS);
    pending->ages[at] = wide_age(harvest->wide, lane);
    harvest->rows[lane] = slot(harvest, lane, at);
  }
  wide_states(harvest->wide, harvest->all, harvest->rows);
}

/* Returns how many steps to make until states are taken again. */
static uint32_t next_gap(Harvest *harvest) {
  uint64_t length =
      harvest->ended ? harvest->steps / harvest->ended : FIRST_LENGTH;
  uint32_t gap = (uint32_t)(length / SAMPLES);
  return 1 + random_below(&harvest->random, 2 * gap + 1);
}

void harvest_run(Harvest *harvest) {
  if (!harvest->due) harvest->due = next_gap(harvest);
  uint32_t steps = harvest->due < STEPS ? harvest->due : STEPS;
  wide_run(harvest->wide, steps);
  harvest->due -= steps;
  if (!harvest->due) take(harvest);
}

uint64_t harvest_states(const Harvest *harvest) {
  return wide_totals(harvest->wide)->states;
}

uint64_t harvest_games(const Harvest *harvest) {
  return harvest->games;
}
