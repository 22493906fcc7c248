/* Samples show in which directions each fluent changed and which member of its
   group followed it. A group in which every member has one follower is a
   counter. Members that no sampled game reached are appended to the chain if
   their next value reads its last member. */
#include "analyse/changes.h"

void changes_init(Changes *changes, const Net *net) {
  uint32_t fluents = net->fluents.count;
  *changes = (Changes){0};
  changes->stays_true = memory_new(fluents * sizeof(Evidence));
  changes->stays_false = memory_new(fluents * sizeof(Evidence));
  changes->follower = memory_new(fluents * sizeof(uint32_t));
  changes->irregular = memory_new(fluents * sizeof(bool));
  changes->rose = memory_new(fluents * sizeof(uint64_t));
  changes->fell = memory_new(fluents * sizeof(uint64_t));
}

void changes_free(Changes *changes) {
  memory_delete(changes->stays_true);
  memory_delete(changes->stays_false);
  memory_delete(changes->follower);
  memory_delete(changes->irregular);
  memory_delete(changes->rose);
  memory_delete(changes->fell);
  vector_free(&changes->counters);
  vector_free(&changes->order);
}

/* ---- sampling ---- */

static uint64_t next_of(const Sample *sample, uint32_t fluent) {
  return sample_value(sample, sample->net->fluents.data[fluent].next);
}

/* Returns the member that is true next in the lane, + 1, or 0. */
static uint32_t find_follower(const OneHot *onehot, const OneHotGroup *group,
                              const Sample *sample, uint64_t lane) {
  for (uint32_t i = 0; i < group->count; i++)
    if (next_of(sample, onehot_members(onehot, group)[i]) & lane)
      return onehot_members(onehot, group)[i] + 1;
  return 0;
}

static void look_at_member(Changes *changes, const OneHot *onehot,
                           const OneHotGroup *group, const Sample *sample,
                           uint32_t fluent) {
  uint64_t lanes = sample->state[fluent] & sample->moving;
  if (!lanes || changes->irregular[fluent]) return;
  if (!changes->follower[fluent])
    changes->follower[fluent] =
        find_follower(onehot, group, sample, lanes & (0 - lanes));
  uint32_t follower = changes->follower[fluent];
  changes->irregular[fluent] =
      !follower || (lanes & ~next_of(sample, follower - 1)) != 0;
}

void changes_look(Changes *changes, const OneHot *onehot,
                  const Sample *sample) {
  for (uint32_t i = 0; i < sample->net->fluents.count; i++) {
    uint64_t now = sample->state[i], next = next_of(sample, i);
    changes->rose[i] |= ~now & next & sample->moving;
    changes->fell[i] |= now & ~next & sample->moving;
    uint32_t group = onehot->group_of[i];
    if (group)
      look_at_member(changes, onehot, &onehot->groups.data[group - 1], sample,
                     i);
  }
}

/* ---- conclusions ---- */

/* Returns a member outside the chain whose next value is the value of `last`
   or a conjunction with it, or UINT32_MAX. */
static uint32_t find_unseen(const OneHot *onehot, const OneHotGroup *group,
                            const Net *net, uint32_t last, const bool *used) {
  Signal wanted = gate_signal(net->fluents.data[last].gate);
  for (uint32_t i = 0; i < group->count; i++) {
    uint32_t fluent = onehot_members(onehot, group)[i];
    Signal next = net->fluents.data[fluent].next;
    const NetGate *g = &net->gates.data[signal_gate(next)];
    bool reads = next == wanted;
    for (uint32_t j = 0; g->kind == GATE_AND && j < g->count; j++)
      reads |= !signal_negated(next) &&
               net_inputs(net, signal_gate(next))[j] == wanted;
    if (reads && !used[fluent]) return fluent;
  }
  return UINT32_MAX;
}

/* Follows the group from its initial member. */
static void try_counter(Changes *changes, const OneHot *onehot, const Net *net,
                        uint32_t g, bool *used) {
  const OneHotGroup *group = &onehot->groups.data[g];
  Counter counter = {.group = g, .first = changes->order.count};
  uint32_t at = UINT32_MAX, start;
  for (uint32_t i = 0; i < group->count; i++)
    if (net->fluents.data[onehot_members(onehot, group)[i]].initial)
      at = onehot_members(onehot, group)[i];
  start = at;
  while (at != UINT32_MAX && !used[at]) {
    if (changes->irregular[at]) break;
    used[at] = true;
    vector_push(&changes->order, at);
    at = changes->follower[at] ? changes->follower[at] - 1
                               : find_unseen(onehot, group, net, at, used);
  }
  counter.count = changes->order.count - counter.first;
  counter.cyclic = at == start;
  counter.advances = EVIDENCE_SAMPLED;
  bool fine = counter.count > 1 && (at == UINT32_MAX || counter.cyclic);
  for (uint32_t i = counter.first; i < changes->order.count; i++)
    used[changes->order.data[i]] = false;
  if (fine)
    vector_push(&changes->counters, counter);
  else
    changes->order.count = counter.first;
}

void changes_conclude(Changes *changes, const OneHot *onehot, const Net *net) {
  bool *used = memory_new(net->fluents.count * sizeof(bool));
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    bool rose = changes->rose[i] != 0, fell = changes->fell[i] != 0;
    if (rose && !fell) changes->stays_true[i] = EVIDENCE_SAMPLED;
    if (fell && !rose) changes->stays_false[i] = EVIDENCE_SAMPLED;
  }
  for (uint32_t g = 0; g < onehot->groups.count; g++)
    if (onehot->groups.data[g].main && onehot->groups.data[g].at_least)
      try_counter(changes, onehot, net, g, used);
  memory_delete(used);
}

/* ---- proof ---- */

static void prove_counter(Changes *changes, const Net *net, Prover *prover,
                          Counter *counter) {
  const uint32_t *order = changes->order.data + counter->first;
  uint32_t steps = counter->cyclic ? counter->count : counter->count - 1;
  for (uint32_t i = 0; i < steps; i++) {
    const NetFluent *now = &net->fluents.data[order[i]];
    const NetFluent *next = &net->fluents.data[order[(i + 1) % counter->count]];
    if (!prover_excludes(prover, gate_signal(now->gate),
                         signal_not(next->next)))
      return;
  }
  counter->advances = EVIDENCE_PROVED;
  if (counter->cyclic) return;
  Signal last[2] = {
      gate_signal(net->fluents.data[order[counter->count - 1]].gate),
      net->terminal};
  prover_focus(prover, last, 2); /* it assumes that the game goes on */
  if (prover_refutes(prover, last, 1)) counter->ends = EVIDENCE_PROVED;
}

void changes_prove(Changes *changes, const Net *net, Prover *prover) {
  for (uint32_t i = 0; i < changes->counters.count; i++)
    prove_counter(changes, net, prover, &changes->counters.data[i]);
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    const NetFluent *fluent = &net->fluents.data[i];
    Signal now = gate_signal(fluent->gate);
    if (changes->stays_true[i] == EVIDENCE_SAMPLED &&
        prover_excludes(prover, now, signal_not(fluent->next)))
      changes->stays_true[i] = EVIDENCE_PROVED;
    if (changes->stays_false[i] == EVIDENCE_SAMPLED &&
        prover_excludes(prover, signal_not(now), fluent->next))
      changes->stays_false[i] = EVIDENCE_PROVED;
  }
}
