/* All lanes choose together. A move that is legal in no lane costs one test.

   Uniform: each lane's legal moves are counted in planes as they are listed, a
   number below the count is drawn, and the move of that rank is selected. A
   draw costs as much as a dozen moves; so roles share one draw as long as no
   lane has two of them with more than one move, which in games with turns is
   always.

   Gibbs: the greatest sum of noise and score wins (wide/noise.h). Moves are
   listed in ascending order of scores, and the best sum so far is kept relative
   to the current score: when the score rises, the best is lowered, and noise is
   compared directly. Adding the score to each move's noise took twice as many
   operations. The moves use the entries of the pool in turn, and lanes are
   rotated further against it in each round, so that all live moves have
   different noise; rotating the lanes of a move forth and back is cheaper than
   rotating the planes of its noise.

   For 512 lanes with AVX-512 a move costs 1.6 ns to list and count and, if
   live, 1.8 ns to select in uniform choice (amazons_10x10: 2,940 moves, of
   which 2,470 are live; in passes of their own masking, counting and selecting
   took 1.7, 1.1 and 2.1). In Gibbs choice it is 1.5 ns to mask and, if
   live, 5.8 ns, 6.7 with 100 moves whose scores are within 3, 7.9 within 10 (19
   operations of three inputs, about 0.9 cycles each, since they depend on each
   other; lowering the best takes another 21). A uniform draw costs 70 ns for
   ten moves, 130 ns for 150.

   Tried for Gibbs and no better: two halves of the moves side by side (5.2 ns,
   but lowered twice), comparing pairs first (more operations), loading noise
   from any byte instead of rotating lanes (6.1 ns), noise raised by up to three
   instead of one (no difference beyond noise in games, twice the memory).

   The same seed and number of words give the same choices on every machine. */
#include "wide/choose.h"

#include <stdlib.h>

static uint32_t role_moves(const Net *net, uint32_t role) {
  return net->role_first.data[role + 1] - net->role_first.data[role];
}

static uint32_t bit_length(uint32_t number) {
  return number ? 32 - (uint32_t)__builtin_clz(number) : 0;
}

static uint32_t most_moves(const Net *net) {
  uint32_t most = 0;
  for (uint32_t role = 0; role < net->role_count; role++)
    if (role_moves(net, role) > most) most = role_moves(net, role);
  return most;
}

typedef struct Ranked {
  uint32_t score, move;
} Ranked;

/* Lists the moves that may be legal in a leg, in order. */
static void fill_table(Choose *choose, uint32_t number) {
  const Net *net = choose->cones->net;
  const Leg *leg = cones_leg(choose->cones, number);
  ChooseTable *table = &choose->tables[number];
  uint32_t count = 0;
  for (uint32_t role = 0; role < net->role_count; role++) {
    table->first[role] = count;
    for (uint32_t i = net->role_first.data[role];
         i < net->role_first.data[role + 1]; i++) {
      uint32_t move = choose->order[i], legal = leg->legal[move];
      table->moves[count] = (SlicedMove){net->fluents.count + move, legal};
      count += legal != LEG_NEVER;
    }
  }
  table->first[net->role_count] = count;
}

static void fill_tables(Choose *choose) {
  for (uint32_t i = 0; i < choose->table_count; i++) fill_table(choose, i);
}

static void order_by_number(Choose *choose) {
  for (uint32_t i = 0; i < choose->cones->net->moves.count; i++)
    choose->order[i] = i;
  fill_tables(choose);
}

static void new_tables(Choose *choose) {
  const Cones *cones = choose->cones;
  const Net *net = cones->net;
  choose->table_count = cones_leg_count(cones);
  choose->tables = memory_new(choose->table_count * sizeof *choose->tables);
  for (uint32_t i = 0; i < choose->table_count; i++)
    choose->tables[i] =
        (ChooseTable){memory_new((net->moves.count + 1) * sizeof(SlicedMove)),
                      memory_new((net->role_count + 1) * sizeof(uint32_t))};
}

static void init_role(Choose *choose, uint32_t role) {
  const Cones *cones = choose->cones;
  uint32_t moves = role_moves(cones->net, role);
  ChooseRole *r = &choose->roles[role];
  r->live.vectors = memory_new((moves + 8) * sizeof(uint32_t));
  r->live.filler = cones->filler;
  r->counts = cones_vectors_new(cones, bit_length(moves) + 2);
  r->several = cones_vectors_new(cones, 1);
}

void choose_init(Choose *choose, const Cones *cones, uint64_t seed) {
  const Net *net = cones->net;
  *choose = (Choose){.cones = cones};
  choose->roles = memory_new(net->role_count * sizeof *choose->roles);
  for (uint32_t role = 0; role < net->role_count; role++)
    init_role(choose, role);
  random_seed(&choose->random, seed);
  choose->lane_random = cones_vectors_new(cones, 4);
  for (uint32_t i = 0; i < 4 * cones->mode.words; i++)
    choose->lane_random[i] = random_next(&choose->random);
  choose->counts = cones_vectors_new(cones, SLICED_PLANES);
  choose->ranks = cones_vectors_new(cones, SLICED_PLANES);
  choose->used = cones_vectors_new(cones, 1);
  choose->some = cones_vectors_new(cones, 1);
  choose->order = memory_new(net->moves.count * sizeof *choose->order);
  new_tables(choose);
  order_by_number(choose);
}

void choose_free(Choose *choose) {
  for (uint32_t i = 0; i < choose->cones->net->role_count; i++) {
    memory_delete(choose->roles[i].live.vectors);
    memory_delete(choose->roles[i].counts);
    memory_delete(choose->roles[i].several);
  }
  memory_delete(choose->roles);
  memory_delete(choose->lane_random);
  memory_delete(choose->counts);
  memory_delete(choose->ranks);
  memory_delete(choose->used);
  memory_delete(choose->some);
  memory_delete(choose->scores);
  memory_delete(choose->order);
  for (uint32_t i = 0; i < choose->table_count; i++) {
    memory_delete(choose->tables[i].moves);
    memory_delete(choose->tables[i].first);
  }
  memory_delete(choose->tables);
  noise_free(&choose->noise);
}

static int by_score(const void *left, const void *right) {
  const Ranked *a = left, *b = right;
  if (a->score != b->score) return a->score < b->score ? -1 : 1;
  return a->move < b->move ? -1 : a->move > b->move;
}

/* Sorts the moves of a role by score. */
static void order_role(Choose *choose, uint32_t role) {
  const Cones *cones = choose->cones;
  uint32_t first = cones->net->role_first.data[role];
  uint32_t count = role_moves(cones->net, role);
  uint32_t fluents = cones->net->fluents.count;
  Ranked *list = memory_new((count + 1) * sizeof *list);
  for (uint32_t i = 0; i < count; i++)
    list[i] = (Ranked){choose->scores[fluents + first + i], first + i};
  qsort(list, count, sizeof *list, by_score);
  for (uint32_t i = 0; i < count; i++) choose->order[first + i] = list[i].move;
  memory_delete(list);
}

static void score_role(Choose *choose, uint32_t role, const double *scores) {
  const Net *net = choose->cones->net;
  uint32_t first = net->role_first.data[role];
  uint32_t end = net->role_first.data[role + 1];
  double best = -1e300;
  for (uint32_t i = first; i < end; i++)
    if (scores[i] > best) best = scores[i];
  for (uint32_t i = first; i < end; i++)
    choose->scores[net->fluents.count + i] = noise_score(best - scores[i]);
}

void choose_set_scores(Choose *choose, const double *scores) {
  const Net *net = choose->cones->net;
  if (!scores) {
    memory_delete(choose->scores);
    choose->scores = NULL;
    order_by_number(choose);
    return;
  }
  if (!choose->noise.planes)
    noise_init(&choose->noise, choose->cones, most_moves(net), &choose->random);
  if (!choose->scores)
    choose->scores = memory_new((net->fluents.count + net->moves.count) *
                                sizeof *choose->scores);
  for (uint32_t role = 0; role < net->role_count; role++) {
    score_role(choose, role, scores);
    order_role(choose, role);
  }
  fill_tables(choose);
}

/* ---- legal moves ---- */

static void mask_role(Choose *choose, const ChooseTable *table,
                      uint64_t *memory, uint32_t role, const uint64_t *lanes,
                      uint64_t *stuck) {
  const Cones *cones = choose->cones;
  const uint32_t *first = table->first + role;
  uint32_t words = cones->mode.words;
  memset(choose->some, 0, words * sizeof *choose->some);
  cones->sliced->mask(memory, words, table->moves + first[0],
                      first[1] - first[0], lanes, choose->some,
                      &choose->roles[role].live);
  for (uint32_t i = 0; i < words; i++) stuck[i] |= lanes[i] & ~choose->some[i];
}

/* ---- uniform ---- */

static bool any(const uint64_t *vector, uint32_t words) {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < words; i++) bits |= vector[i];
  return bits;
}

/* Draws for roles from … to - 1 together, and selects their moves. */
static void finish_draw(Choose *choose, uint64_t *memory, const uint64_t *lanes,
                        uint32_t from, uint32_t to) {
  const Cones *cones = choose->cones;
  uint32_t planes = 0, words = cones->mode.words;
  for (uint32_t role = from; role < to; role++)
    if (choose->roles[role].planes > planes)
      planes = choose->roles[role].planes;
  if (!planes) return;
  memset(choose->counts, 0, (size_t)planes * words * sizeof(uint64_t));
  for (uint32_t role = from; role < to; role++)
    for (uint32_t i = 0; i < choose->roles[role].planes * words; i++)
      choose->counts[i] |= choose->roles[role].counts[i];
  uint32_t used = planes;
  while (used > 4 && !any(choose->counts + (used - 1) * words, words)) used--;
  cones->sliced->draw(words, planes, used, choose->counts, choose->lane_random,
                      choose->ranks);
  for (uint32_t role = from; role < to; role++) {
    ChooseRole *r = &choose->roles[role];
    if (r->planes)
      cones->sliced->select(memory, words, &r->live, used, choose->ranks,
                            r->several, lanes);
  }
}

static void muster_role(Choose *choose, const ChooseTable *table,
                        uint64_t *memory, uint32_t role, const uint64_t *lanes,
                        uint64_t *stuck) {
  const Cones *cones = choose->cones;
  ChooseRole *r = &choose->roles[role];
  const uint32_t *first = table->first + role;
  uint32_t words = cones->mode.words, count = first[1] - first[0];
  uint32_t planes = bit_length(count) > 2 ? bit_length(count) : 2;
  memset(choose->some, 0, words * sizeof *choose->some);
  cones->sliced->muster(memory, words, table->moves + first[0], count, lanes,
                        planes, choose->some, &r->live, r->counts, r->several);
  for (uint32_t i = 0; i < words; i++) stuck[i] |= lanes[i] & ~choose->some[i];
  r->planes = any(r->several, words) ? bit_length(r->live.count) : 0;
}

static void choose_uniformly(Choose *choose, uint64_t *memory,
                             const uint64_t *lanes) {
  uint32_t roles = choose->cones->net->role_count, from = 0;
  uint32_t words = choose->cones->mode.words;
  memset(choose->used, 0, words * sizeof *choose->used);
  for (uint32_t role = 0; role < roles; role++) {
    ChooseRole *r = &choose->roles[role];
    uint64_t clash = 0;
    if (!r->planes) continue;
    for (uint32_t i = 0; i < words; i++)
      clash |= r->several[i] & choose->used[i];
    if (clash) {
      finish_draw(choose, memory, lanes, from, role);
      from = role;
      memset(choose->used, 0, words * sizeof *choose->used);
    }
    for (uint32_t i = 0; i < words; i++) choose->used[i] |= r->several[i];
  }
  finish_draw(choose, memory, lanes, from, roles);
}

/* ---- Gibbs ---- */

static void contest_role(Choose *choose, uint64_t *memory,
                         const SlicedLive *live, uint32_t entries) {
  const Cones *cones = choose->cones;
  uint64_t dice = random_next(&choose->random);
  SlicedContest contest = {.noise = choose->noise.planes,
                           .mask = entries - 1,
                           .entry = dice & 0xffff,
                           .stride = (dice >> 16 & 0xffff) | 1,
                           .turn = dice >> 32 & 63,
                           .step = (dice >> 40 & 63) | 1,
                           .scores = choose->scores,
                           .dither = choose->dither >> 24};
  cones->sliced->contest(memory, cones->mode.words, live, &contest);
}

/* The dither advances by the golden section, so that it is evenly spread over
   any stretch of steps. */
static void choose_by_scores(Choose *choose, uint64_t *memory) {
  uint32_t roles = choose->cones->net->role_count, most = 0;
  for (uint32_t role = 0; role < roles; role++) {
    const SlicedLive *live = &choose->roles[role].live;
    if (live->count < 2) continue;
    if (live->count > most) most = live->count;
    contest_role(choose, memory, live, noise_entries(live->count));
  }
  choose->dither += 0x9e3779b9u;
  noise_stir(&choose->noise, noise_entries(most), &choose->random);
}

/* ---- */

static bool is_blind(Choose *choose) {
  return choose->blind > 0 &&
         (double)(random_next(&choose->random) >> 11) * 0x1p-53 < choose->blind;
}

void choose_run(Choose *choose, const Leg *leg, uint64_t *memory,
                const uint64_t *lanes, uint64_t *stuck) {
  const ChooseTable *table = &choose->tables[leg->number];
  uint32_t roles = choose->cones->net->role_count;
  memset(stuck, 0, choose->cones->mode.words * sizeof *stuck);
  if (choose->scores && !is_blind(choose)) {
    for (uint32_t role = 0; role < roles; role++)
      mask_role(choose, table, memory, role, lanes, stuck);
    choose_by_scores(choose, memory);
  } else {
    for (uint32_t role = 0; role < roles; role++)
      muster_role(choose, table, memory, role, lanes, stuck);
    choose_uniformly(choose, memory, lanes);
  }
}
