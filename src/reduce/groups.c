/* Groups by number, with their members in order. A group with fewer than two
   members says nothing that the net can use and is left out.

   Roles take turns where each has a forced move, done when its signal is true,
   and exactly one of those signals is false in every state: two roles with
   opposite signals, or several whose signals negated are fluents of one group,
   or fluents that hand on one token in a circle. Then exactly one move is done
   among all the moves that are not forced. */
#include "reduce/groups.h"

#include "reduce/forced.h"
#include "reduce/reads.h"

static void end_group(Groups *groups, uint32_t *of, const NumberVector *numbers,
                      bool moves) {
  const Net *net = groups->net;
  if (numbers->count < 2) return;
  for (uint32_t i = 0; i < numbers->count; i++) {
    uint32_t n = numbers->data[i];
    of[n] = groups->count;
    vector_push(&groups->members,
                moves ? net->moves.data[n].gate : net->fluents.data[n].gate);
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

/* Do the fluents that tell whose turn it is hand on one token in a circle of
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

/* Are they all the members of one group of fluents? */
static bool is_whole_group(const Net *net, const ReduceGroups *fluents,
                           const Forced *turns, uint32_t count) {
  for (uint32_t g = 0; fluents && g + 1 < fluents->first.count; g++) {
    uint32_t first = fluents->first.data[g], end = fluents->first.data[g + 1];
    uint32_t found = 0;
    for (uint32_t i = first; i < end; i++) {
      Gate gate = net->fluents.data[fluents->members.data[i]].gate;
      found += has_busy(turns, count, gate_signal(gate));
    }
    if (found == count && end - first == count) return true;
  }
  return false;
}

static bool take_turns(const Net *net, const ReduceGroups *fluents,
                       const Forced *turns, uint32_t count) {
  if (count == 2 && turns[0].signal == signal_not(turns[1].signal)) return true;
  return count > 1 && (is_circle(net, turns, count) ||
                       is_whole_group(net, fluents, turns, count));
}

/* One forced move for each role that has any. */
static uint32_t first_of_roles(const ForcedVector *forced, Forced *turns) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < forced->count; i++)
    if (count == 0 || turns[count - 1].role != forced->data[i].role)
      turns[count++] = forced->data[i];
  return count;
}

/* The joint group, if roles take turns. */
static void add_joint(Groups *groups, const Net *from,
                      const ReduceGroups *fluents) {
  ForcedVector forced = {0};
  NumberVector moves = {0};
  bool *late = memory_new(from->gates.count * sizeof *late);
  Forced *turns = memory_new(from->role_count * sizeof *turns);
  reads_mark_late(from, late);
  forced_find(from, late, &forced);
  uint32_t count = first_of_roles(&forced, turns);
  if (take_turns(from, fluents, turns, count)) {
    for (uint32_t i = 0; i < count; i++) {
      uint32_t role = turns[i].role;
      groups->idle[role] = turns[i].signal;
      for (uint32_t m = from->role_first.data[role];
           m < from->role_first.data[role + 1]; m++)
        if (m != turns[i].move) vector_push(&moves, m);
    }
    groups->joint = groups->count;
    end_group(groups, groups->of_move, &moves, true);
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
    end_group(groups, groups->of_move, &moves, true);
  }
  vector_free(&moves);
}

static void add_fluents(Groups *groups, const ReduceGroups *fluents) {
  NumberVector list = {0};
  for (uint32_t g = 0; fluents && g + 1 < fluents->first.count; g++) {
    vector_clear(&list);
    for (uint32_t i = fluents->first.data[g]; i < fluents->first.data[g + 1];
         i++)
      vector_push(&list, fluents->members.data[i]);
    end_group(groups, groups->of_fluent, &list, false);
  }
  vector_free(&list);
}

static uint32_t *no_groups(uint32_t count) {
  uint32_t *of = memory_new(count * sizeof *of);
  for (uint32_t i = 0; i < count; i++) of[i] = NO_GROUP;
  return of;
}

void groups_init(Groups *groups, const Net *from, const Net *to,
                 const ReduceGroups *fluents, bool legal) {
  *groups = (Groups){.net = to, .joint = NO_GROUP};
  groups->of_fluent = no_groups(to->fluents.count);
  groups->of_move = no_groups(to->moves.count);
  groups->idle = memory_new(to->role_count * sizeof *groups->idle);
  vector_push(&groups->first, 0);
  if (legal) add_joint(groups, from, fluents);
  add_roles(groups);
  add_fluents(groups, fluents);
}

void groups_free(Groups *groups) {
  memory_delete(groups->of_fluent);
  memory_delete(groups->of_move);
  memory_delete(groups->idle);
  vector_free(&groups->members);
  vector_free(&groups->first);
}
