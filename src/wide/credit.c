/* Moves are noted as lane vectors and added up by counting bits. A lane's
   playouts are even and odd in turn and note into separate vectors; so one that
   is over stays until its lane's next is over too, and adding up, which visits
   every move, is done once for most lanes instead of at every end. A move
   counts once in a playout, however often it was made.

   A role with up to seven goals but 0 has a term for each, others have a term
   for each bit of the goal. */
#include "wide/credit.h"

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
  bool by_bits = count_goals(net, role) > 7;
  r->term_count = by_bits ? 8 : 1;
  for (uint32_t j = 0; j < 7; j++) r->weights[1 + j] = UINT64_C(1) << j;
  for (uint32_t i = 0; i < net->goals.count; i++) {
    const NetGoal *goal = &net->goals.data[i];
    if (goal->role != role || goal->value < 0) continue;
    credit->terms[i] = 1;
    if (by_bits) {
      credit->terms[i] |= (uint32_t)goal->value << 1;
    } else if (goal->value) {
      credit->terms[i] |= 1u << r->term_count;
      r->weights[r->term_count++] = (uint64_t)goal->value;
    }
  }
}

static uint32_t role_moves(const Net *net, uint32_t role) {
  return net->role_first.data[role + 1] - net->role_first.data[role];
}

/* Of each move and term, one for each word of a lane vector. */
static size_t sum_count(const Credit *credit, uint32_t role) {
  return (size_t)role_moves(credit->cones->net, role) *
         credit->roles[role].term_count;
}

/* ---- life ---- */

void credit_init(Credit *credit, const Cones *cones) {
  const Net *net = cones->net;
  *credit = (Credit){.cones = cones};
  credit->roles = memory_new(net->role_count * sizeof *credit->roles);
  credit->terms = memory_new(net->goals.count * sizeof *credit->terms);
  credit->occurred = cones_vectors_new(cones, (size_t)2 * net->moves.count);
  credit->odd = cones_vectors_new(cones, 1);
  credit->sums = memory_new(net->moves.count * sizeof *credit->sums);
  for (int i = 0; i < 2; i++) credit->over[i] = cones_vectors_new(cones, 1);
  for (uint32_t role = 0; role < net->role_count; role++) {
    CreditRole *r = &credit->roles[role];
    find_terms(credit, role);
    for (int i = 0; i < 2; i++)
      r->masks[i] = cones_vectors_new(cones, r->term_count);
    r->sums = cones_vectors_new(cones, sum_count(credit, role));
  }
}

void credit_free(Credit *credit) {
  for (uint32_t role = 0; role < credit->cones->net->role_count; role++) {
    memory_delete(credit->roles[role].masks[0]);
    memory_delete(credit->roles[role].masks[1]);
    memory_delete(credit->roles[role].sums);
  }
  memory_delete(credit->roles);
  memory_delete(credit->terms);
  memory_delete(credit->occurred);
  memory_delete(credit->odd);
  memory_delete(credit->over[0]);
  memory_delete(credit->over[1]);
  memory_delete(credit->sums);
}

/* ---- */

void credit_note(Credit *credit, const Choose *choose, const uint64_t *memory) {
  const Cones *cones = credit->cones;
  for (uint32_t role = 0; role < cones->net->role_count; role++)
    cones->sliced->note(memory, cones->mode.words, &choose->roles[role].live,
                        cones->net->fluents.count, credit->odd,
                        credit->occurred);
}

/* Add up the even (odd) playouts that are over, and forget them. */
static void flush(Credit *credit, uint32_t parity) {
  const Cones *cones = credit->cones;
  uint32_t words = cones->mode.words;
  for (uint32_t role = 0; role < cones->net->role_count; role++) {
    CreditRole *r = &credit->roles[role];
    uint32_t first = cones->net->role_first.data[role];
    cones->sliced->tally(cones_vector(cones, credit->occurred, 2 * first),
                         words, role_moves(cones->net, role), parity,
                         credit->over[parity], r->masks[parity], r->term_count,
                         r->sums);
    memset(r->masks[parity], 0,
           (size_t)r->term_count * words * sizeof(uint64_t));
  }
  memset(credit->over[parity], 0, words * sizeof(uint64_t));
}

/* The goal's lanes into the masks of its terms. */
static void mark_goal(Credit *credit, uint32_t goal, const uint64_t *lanes) {
  const Cones *cones = credit->cones;
  const CreditRole *r = &credit->roles[cones->net->goals.data[goal].role];
  uint32_t words = cones->mode.words;
  uint64_t any = 0;
  for (uint32_t i = 0; i < words; i++) any |= lanes[i];
  if (!any) return;
  for (uint32_t left = credit->terms[goal]; left; left &= left - 1) {
    uint32_t term = (uint32_t)__builtin_ctz(left);
    uint64_t *even = cones_vector(cones, r->masks[0], term);
    uint64_t *odd = cones_vector(cones, r->masks[1], term);
    for (uint32_t i = 0; i < words; i++) {
      even[i] |= lanes[i] & ~credit->odd[i];
      odd[i] |= lanes[i] & credit->odd[i];
    }
  }
}

void credit_end(Credit *credit, const uint64_t *lanes, const uint64_t *goals) {
  uint32_t words = credit->cones->mode.words;
  uint64_t before_odd = 0, before_even = 0;
  for (uint32_t i = 0; i < words; i++) {
    before_odd |= lanes[i] & credit->over[0][i] & credit->odd[i];
    before_even |= lanes[i] & credit->over[1][i] & ~credit->odd[i];
  }
  if (before_odd) flush(credit, 0);
  if (before_even) flush(credit, 1);
  for (uint32_t goal = 0; goal < credit->cones->net->goals.count; goal++)
    mark_goal(credit, goal, goals + (size_t)goal * words);
  for (uint32_t i = 0; i < words; i++) {
    credit->over[0][i] |= lanes[i] & ~credit->odd[i];
    credit->over[1][i] |= lanes[i] & credit->odd[i];
    credit->odd[i] ^= lanes[i];
  }
}

static CreditSum sum_move(const Credit *credit, uint32_t move) {
  const Net *net = credit->cones->net;
  uint32_t words = credit->cones->mode.words;
  uint32_t role = net->moves.data[move].role;
  const CreditRole *r = &credit->roles[role];
  const uint64_t *sums = r->sums + (size_t)(move - net->role_first.data[role]) *
                                       r->term_count * words;
  CreditSum sum = {0, 0};
  for (uint32_t i = 0; i < words; i++) sum.playouts += sums[i];
  for (uint32_t i = words; i < r->term_count * words; i++)
    sum.goals += sums[i] * r->weights[i / words];
  return sum;
}

const CreditSum *credit_sums(Credit *credit) {
  flush(credit, 0);
  flush(credit, 1);
  for (uint32_t i = 0; i < credit->cones->net->moves.count; i++)
    credit->sums[i] = sum_move(credit, i);
  return credit->sums;
}

void credit_clear(Credit *credit) {
  flush(credit, 0);
  flush(credit, 1);
  for (uint32_t role = 0; role < credit->cones->net->role_count; role++)
    memset(credit->roles[role].sums, 0,
           sum_count(credit, role) * credit->cones->mode.words *
               sizeof(uint64_t));
}
