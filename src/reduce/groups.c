/* Groups by number, with their members in order. A group of fewer than two
   members says nothing and is left out.

   Roles take turns where each has a forced move, done when its signal is true,
   and exactly one of those signals is false in every state: two roles with
   opposite signals, or several whose negated signals are fluents that pass one
   token around. Then exactly one of the moves that are not forced is done. */
#include "reduce/groups.h"

#include "reduce/forced.h"
#include "reduce/reads.h"

static void add_group(Groups *groups, const NumberVector *moves) {
  if (moves->count < 2) return;
  for (uint32_t i = 0; i < moves->count; i++) {
    uint32_t move = moves->data[i];
    groups->of_move[move] = groups->count;
    vector_push(&groups->members, groups->net->moves.data[move].gate);
  }
  groups->count++;
  vector_push(&groups->first, groups->members.count);
}

/* ---- turns ---- */

static bool is_plain_fluent(const Net *net, Signal signal) {
  return !signal_negated(signal) &&
         net->gates.data[signal_gate(signal)].kind == GATE_FLUENT;
}

static uint32_t fluent_of(const Net *net, Signal signal) {
  return net->gates.data[signal_gate(signal)].first;
}

static bool has_busy(const Forced *turns, uint32_t count, Signal busy) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < count; i++)
    found += signal_not(turns[i].signal) == busy;
  return found == 1;
}

/* Do the fluents that say whose turn it is pass one token around a circle of
   `count`? */
static bool is_circle(const Net *net, const Forced *turns, uint32_t count) {
  Signal start = signal_not(turns[0].signal), at = start;
  uint32_t tokens = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!is_plain_fluent(net, at) || !has_busy(turns, count, at)) return false;
    const NetFluent *fluent = &net->fluents.data[fluent_of(net, at)];
    tokens += fluent->initial;
    at = fluent->next;
    if (at == start && i + 1 < count) return false;
  }
  return at == start && tokens == 1;
}

static bool take_turns(const Net *net, const Forced *turns, uint32_t count) {
  if (count == 2 && turns[0].signal == signal_not(turns[1].signal)) return true;
  return count > 1 && is_circle(net, turns, count);
}

/* One forced move for each role that has any. */
static uint32_t first_of_roles(const ForcedVector *forced, Forced *turns) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < forced->count; i++)
    if (count == 0 || turns[count - 1].role != forced->data[i].role)
      turns[count++] = forced->data[i];
  return count;
}

/* Adds the joint group if roles take turns. */
static void add_joint(Groups *groups, const Net *from) {
  ForcedVector forced = {0};
  NumberVector moves = {0};
  bool *late = memory_new(from->gates.count * sizeof *late);
  Forced *turns = memory_new(from->role_count * sizeof *turns);
  reads_mark_late(from, late);
  forced_find(from, late, &forced);
  uint32_t count = first_of_roles(&forced, turns);
  if (take_turns(from, turns, count)) {
    for (uint32_t i = 0; i < count; i++) {
      uint32_t role = turns[i].role;
      groups->idle[role] = turns[i].signal;
      for (uint32_t m = from->role_first.data[role];
           m < from->role_first.data[role + 1]; m++)
        if (m != turns[i].move) vector_push(&moves, m);
    }
    groups->joint = groups->count;
    add_group(groups, &moves);
    if (groups->count == groups->joint) groups->joint = NO_GROUP;
  }
  vector_free(&forced);
  vector_free(&moves);
  memory_delete(late);
  memory_delete(turns);
}

/* ---- all groups ---- */

static void add_roles(Groups *groups) {
  const Net *net = groups->net;
  NumberVector moves = {0};
  for (uint32_t role = 0; role < net->role_count; role++) {
    if (groups->idle[role]) continue;
    vector_clear(&moves);
    for (uint32_t m = net->role_first.data[role];
         m < net->role_first.data[role + 1]; m++)
      vector_push(&moves, m);
    add_group(groups, &moves);
  }
  vector_free(&moves);
}

void groups_init(Groups *groups, const Net *from, const Net *to, bool legal) {
  *groups = (Groups){.net = to, .joint = NO_GROUP};
  groups->of_move = memory_new(to->moves.count * sizeof *groups->of_move);
  for (uint32_t i = 0; i < to->moves.count; i++) groups->of_move[i] = NO_GROUP;
  groups->idle = memory_new(to->role_count * sizeof *groups->idle);
  vector_push(&groups->first, 0);
  if (legal) add_joint(groups, from);
  add_roles(groups);
}

void groups_free(Groups *groups) {
  memory_delete(groups->of_move);
  memory_delete(groups->idle);
  vector_free(&groups->members);
  vector_free(&groups->first);
}
