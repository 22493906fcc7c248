/* Each move has a lane vector in which it is noted when it is made. Finished
   playouts are set aside until another one of the same lane finishes, then
   counted together. A move counts once for a playout, however often it was
   made.

   Setting aside visits all moves (2 ns each for 512 lanes); counting costs 1 ns
   for a move and 0.8 for each term. Rates with recording, in per cent of the
   plain rate:

                                       tic-tac-toe  chess  knightsTour
     counting whenever playouts end             76     83           51
     two vectors a move, for even and
       odd playouts of a lane                   66     80           38
     setting aside                              77     88           69
     setting aside two playouts a lane          70     80           61

   (playouts of knightsTour have five moves and 31 different goals).

   A role with up to seven goals besides 0 has a term for each; other roles have
   a term for each bit of the goal. */
#include "wide/credit.h"

enum { MOST_TALLIES = 500000 }; /* of 64 lanes with goals of 100: 32 bits */

/* ---- terms ---- */

static uint32_t count_goals(const Net *net, uint32_t role) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < net->goals.count; i++)
    count += net->goals.data[i].role == role && net->goals.data[i].value > 0;
  return count;
}

static void find_terms(Credit *credit, uint32_t role) {
  const Net *net = credit->cones->net;
  CreditRole *r = &credit->roles[role];
  bool by_bits = count_goals(net, role) > SLICED_TERMS;
  r->term_count = by_bits ? CREDIT_TERMS : 1;
  for (uint32_t j = 0; j < SLICED_TERMS; j++) r->weights[1 + j] = 1u << j;
  for (uint32_t i = 0; i < net->goals.count; i++) {
    const NetGoal *goal = &net->goals.data[i];
    if (goal->role != role || goal->value < 0) continue;
    uint32_t value = (uint32_t)goal->value, bits = 1;
    if (by_bits) {
      bits |= value << 1;
    } else if (value) {
      bits |= 1u << r->term_count;
      r->weights[r->term_count++] = value;
    }
    credit->goals[i] = (SlicedGoal){role * CREDIT_TERMS, bits};
  }
}

/* ---- life ---- */

void credit_init(Credit *credit, const Cones *cones, bool rivals) {
  const Net *net = cones->net;
  *credit = (Credit){.cones = cones};
  credit->roles = memory_new(net->role_count * sizeof *credit->roles);
  credit->goals = memory_new(net->goals.count * sizeof *credit->goals);
  credit->occurred = cones_vectors_new(cones, net->moves.count);
  credit->recent = cones_vectors_new(cones, net->moves.count);
  if (rivals && net->role_count == 2)
    credit->recent_rivals = cones_vectors_new(cones, net->moves.count);
  credit->sums = memory_new(net->moves.count * sizeof *credit->sums);
  credit->lanes = cones_vectors_new(cones, 1);
  credit->aside = cones_vectors_new(cones, net->moves.count);
  credit->masks =
      cones_vectors_new(cones, (size_t)net->role_count * CREDIT_TERMS);
  for (uint32_t role = 0; role < net->role_count; role++)
    find_terms(credit, role);
}

void credit_free(Credit *credit) {
  memory_delete(credit->roles);
  memory_delete(credit->goals);
  memory_delete(credit->occurred);
  memory_delete(credit->lanes);
  memory_delete(credit->aside);
  memory_delete(credit->masks);
  memory_delete(credit->recent);
  memory_delete(credit->recent_rivals);
  memory_delete(credit->sums);
}

static void clear(const Credit *credit, uint64_t *vectors, uint32_t count) {
  memset(vectors, 0,
         (size_t)count * credit->cones->mode.words * sizeof *vectors);
}

/* ---- counting ---- */

/* Returns playouts and goals of a move in the recent sums. */
static CreditSum recent_sum(const Credit *credit, const uint64_t *recent,
                            uint32_t move) {
  uint32_t words = credit->cones->mode.words;
  CreditSum sum = {0};
  for (uint32_t i = move * words; i < (move + 1) * words; i++) {
    sum.playouts += (uint32_t)recent[i];
    sum.goals += recent[i] >> 32;
  }
  return sum;
}

/* Moves the recent sums into the sums. */
static void gather(Credit *credit) {
  uint32_t moves = credit->cones->net->moves.count;
  for (uint32_t i = 0; i < moves; i++) {
    CreditSum sum = recent_sum(credit, credit->recent, i);
    credit->sums[i].playouts += sum.playouts;
    credit->sums[i].goals += sum.goals;
    if (credit->recent_rivals)
      credit->sums[i].rival_goals +=
          recent_sum(credit, credit->recent_rivals, i).goals;
  }
  clear(credit, credit->recent, moves);
  if (credit->recent_rivals) clear(credit, credit->recent_rivals, moves);
  credit->tallies = 0;
}

static bool any(const Credit *credit, const uint64_t *lanes) {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < credit->cones->mode.words; i++) bits |= lanes[i];
  return bits;
}

/* Tallies the goals of a scorer for the moves of a role; a role's own goals
   come last. Terms that no lane has are left out. */
static void tally(Credit *credit, uint32_t role, uint32_t scorer,
                  uint64_t *recent) {
  const Cones *cones = credit->cones;
  const CreditRole *r = &credit->roles[scorer];
  const uint32_t *first = cones->net->role_first.data + role;
  uint64_t *masks = cones_vector(cones, credit->masks, scorer * CREDIT_TERMS);
  SlicedTerms terms = {.scored = masks, .keep = scorer != role};
  for (uint32_t t = 1; t < r->term_count; t++) {
    uint64_t *mask = cones_vector(cones, masks, t);
    if (!any(credit, mask)) continue;
    terms.masks[terms.count] = mask;
    terms.weights[terms.count++] = r->weights[t];
  }
  cones->sliced->tally(cones_vector(cones, credit->aside, *first),
                       cones->mode.words, first[1] - first[0], &terms,
                       cones_vector(cones, recent, *first));
}

/* Counts what was set aside. */
static void count(Credit *credit) {
  uint32_t roles = credit->cones->net->role_count;
  for (uint32_t role = 0; role < roles; role++) {
    if (credit->recent_rivals)
      tally(credit, role, 1 - role, credit->recent_rivals);
    tally(credit, role, role, credit->recent);
  }
  clear(credit, credit->lanes, 1);
  clear(credit, credit->masks, roles * CREDIT_TERMS);
  if (++credit->tallies == MOST_TALLIES) gather(credit);
}

/* ---- playouts ---- */

void credit_note(Credit *credit, const Choose *choose, const uint64_t *memory) {
  const Cones *cones = credit->cones;
  for (uint32_t role = 0; role < cones->net->role_count; role++)
    cones->sliced->note(memory, cones->mode.words, &choose->roles[role].live,
                        cones->net->fluents.count, credit->occurred);
}

void credit_end(Credit *credit, const uint64_t *memory, const uint64_t *moved,
                const uint64_t *lanes, const uint64_t *goals,
                const NumberVector *present) {
  const Cones *cones = credit->cones;
  uint32_t words = cones->mode.words;
  uint64_t again = 0;
  for (uint32_t i = 0; i < words; i++) again |= lanes[i] & credit->lanes[i];
  if (again) count(credit);
  for (uint32_t i = 0; i < words; i++) credit->lanes[i] |= lanes[i];
  cones->sliced->mark(goals, words, present, credit->goals, credit->masks);
  cones->sliced->set_aside(memory + (size_t)cones->net->fluents.count * words,
                           words, cones->net->moves.count, moved, lanes,
                           credit->occurred, credit->aside);
}

void credit_drop(Credit *credit) {
  clear(credit, credit->occurred, credit->cones->net->moves.count);
}

/* ---- sums ---- */

const CreditSum *credit_sums(Credit *credit) {
  count(credit);
  gather(credit);
  return credit->sums;
}

void credit_clear(Credit *credit) {
  credit_sums(credit);
  memset(credit->sums, 0,
         credit->cones->net->moves.count * sizeof *credit->sums);
}
