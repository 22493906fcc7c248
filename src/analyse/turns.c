/* Samples show moves that were never legal beside another of their role, and
   fluents that were true wherever a role had a choice (the one true in fewest
   other states is taken). Proofs: a waiting move's condition excludes that
   another move of its role is legal; the other moves of two roles exclude each
   other; each of a role's other moves implies the fluent. */
#include "analyse/turns.h"

void turns_init(Turns *turns, const Net *net) {
  uint32_t roles = net->role_count, pairs = roles * net->fluents.count;
  *turns = (Turns){.role_count = roles};
  turns->roles = memory_new(roles * sizeof *turns->roles);
  turns->waiting = memory_new(net->moves.count * sizeof *turns->waiting);
  turns->seen_many = memory_new(net->moves.count * sizeof(uint64_t));
  turns->seen = memory_new(net->moves.count * sizeof(uint64_t));
  turns->without = memory_new(pairs * sizeof(uint64_t));
  turns->extra = memory_new(pairs * sizeof(uint64_t));
  turns->choices = memory_new(roles * sizeof(uint64_t));
  turns->legal = memory_new(roles * sizeof(uint64_t));
}

void turns_free(Turns *turns) {
  memory_delete(turns->roles);
  memory_delete(turns->waiting);
  memory_delete(turns->seen_many);
  memory_delete(turns->seen);
  memory_delete(turns->without);
  memory_delete(turns->extra);
  memory_delete(turns->choices);
  memory_delete(turns->legal);
}

/* ---- sampling ---- */

static uint64_t count(uint64_t word) {
  return (uint64_t)__builtin_popcountll(word);
}

/* Returns the lanes in which the role has two moves or more. */
static uint64_t look_at_role(Turns *turns, const Sample *sample,
                             uint32_t role) {
  const Net *net = sample->net;
  uint32_t first = net->role_first.data[role];
  uint32_t end = net->role_first.data[role + 1];
  uint64_t one = 0, two = 0;
  for (uint32_t m = first; m < end; m++) {
    uint64_t legal =
        sample_value(sample, net->moves.data[m].legal) & sample->moving;
    two |= one & legal;
    one |= legal;
  }
  for (uint32_t m = first; m < end; m++) {
    uint64_t legal =
        sample_value(sample, net->moves.data[m].legal) & sample->moving;
    turns->seen[m] |= legal;
    turns->seen_many[m] |= legal & two;
    turns->legal[role] += count(legal & two);
  }
  turns->choices[role] += count(two);
  return two;
}

static void look_at_fluents(Turns *turns, const Sample *sample, uint32_t role,
                            uint64_t choice) {
  uint32_t fluents = sample->net->fluents.count;
  for (uint32_t i = 0; i < fluents; i++) {
    turns->without[role * fluents + i] |= choice & ~sample->state[i];
    turns->extra[role * fluents + i] +=
        count(sample->state[i] & ~choice & sample->moving);
  }
}

void turns_look(Turns *turns, const Sample *sample) {
  uint64_t some = 0;
  for (uint32_t role = 0; role < sample->net->role_count; role++) {
    uint64_t choice = look_at_role(turns, sample, role);
    turns->together |= (some & choice) != 0;
    some |= choice;
    look_at_fluents(turns, sample, role, choice);
  }
  turns->states += count(sample->moving);
}

static void choose_fluent(Turns *turns, const Net *net, uint32_t role) {
  RoleTurn *turn = &turns->roles[role];
  uint32_t fluents = net->fluents.count;
  uint64_t least = UINT64_MAX;
  for (uint32_t i = 0; i < fluents; i++) {
    uint64_t extra = turns->extra[role * fluents + i];
    if (turns->without[role * fluents + i] || extra >= least) continue;
    least = extra;
    turn->fluent = i;
  }
  if (least * 2 > turns->states) turn->fluent = no_fluent; /* says little */
  turn->fluent_exact = least == 0;
}

void turns_conclude(Turns *turns, const Net *net) {
  for (uint32_t m = 0; m < net->moves.count; m++)
    if (turns->seen[m] && !turns->seen_many[m])
      turns->waiting[m] = EVIDENCE_SAMPLED;
  for (uint32_t role = 0; role < net->role_count; role++) {
    RoleTurn *turn = &turns->roles[role];
    uint64_t choices = turns->choices[role];
    if (turns->states) turn->choice = (double)choices / (double)turns->states;
    if (choices) turn->moves = (double)turns->legal[role] / (double)choices;
    turn->fluent = no_fluent;
    if (choices && choices < turns->states) choose_fluent(turns, net, role);
    if (turn->fluent != no_fluent) turn->fluent_known = EVIDENCE_SAMPLED;
  }
  turns->taking = turns->together ? EVIDENCE_NONE : EVIDENCE_SAMPLED;
}

/* ---- proof ---- */

/* Lists the conditions of the role's moves except `without` and, if `choosing`,
   except waiting moves. */
static void list_legal(const Turns *turns, const Net *net, uint32_t role,
                       uint32_t without, bool choosing, NumberVector *list) {
  vector_clear(list);
  for (uint32_t m = net->role_first.data[role];
       m < net->role_first.data[role + 1]; m++)
    if (m != without && !(choosing && turns->waiting[m] == EVIDENCE_PROVED))
      vector_push(list, net->moves.data[m].legal);
}

static bool excludes_any(Prover *prover, Signal signal, NumberVector *list) {
  uint32_t others = list->count;
  vector_push(list, signal);
  prover_focus(prover, list->data, list->count);
  Signal question[2] = {signal, prover_any(prover, list->data, others)};
  return prover_refutes(prover, question, 2);
}

/* A role with waiting moves only never has a choice; other roles have few
   waiting moves, and only those are worth the work. */
static void prove_waiting(Turns *turns, const Net *net, Prover *prover,
                          NumberVector *list) {
  enum { MOST = 8 };
  for (uint32_t role = 0; role < net->role_count; role++) {
    uint32_t tried = 0;
    for (uint32_t m = net->role_first.data[role];
         m < net->role_first.data[role + 1] && tried < MOST; m++) {
      if (turns->waiting[m] != EVIDENCE_SAMPLED) continue;
      tried++;
      list_legal(turns, net, role, m, false, list);
      if (excludes_any(prover, net->moves.data[m].legal, list))
        turns->waiting[m] = EVIDENCE_PROVED;
    }
  }
}

static bool exclude_each_other(const Turns *turns, const Net *net,
                               Prover *prover, uint32_t a, uint32_t b) {
  NumberVector all = {0}, other = {0};
  list_legal(turns, net, a, UINT32_MAX, true, &all);
  list_legal(turns, net, b, UINT32_MAX, true, &other);
  uint32_t first = all.count;
  for (uint32_t i = 0; i < other.count; i++) vector_push(&all, other.data[i]);
  prover_focus(prover, all.data, all.count);
  Signal question[2] = {prover_any(prover, all.data, first),
                        prover_any(prover, other.data, other.count)};
  vector_free(&all);
  vector_free(&other);
  return prover_refutes(prover, question, 2);
}

static void prove_taking(Turns *turns, const Net *net, Prover *prover) {
  if (turns->taking != EVIDENCE_SAMPLED) return;
  for (uint32_t a = 0; a < net->role_count; a++)
    for (uint32_t b = 0; b < a; b++)
      if (!exclude_each_other(turns, net, prover, a, b)) return;
  turns->taking = EVIDENCE_PROVED;
}

void turns_prove(Turns *turns, const Net *net, Prover *prover) {
  NumberVector list = {0};
  prove_waiting(turns, net, prover, &list);
  prove_taking(turns, net, prover);
  for (uint32_t role = 0; role < net->role_count; role++) {
    RoleTurn *turn = &turns->roles[role];
    if (turn->fluent == no_fluent) continue;
    list_legal(turns, net, role, UINT32_MAX, true, &list);
    Gate gate = net->fluents.data[turn->fluent].gate;
    if (excludes_any(prover, signal_not(gate_signal(gate)), &list))
      turn->fluent_known = EVIDENCE_PROVED;
  }
  vector_free(&list);
}
