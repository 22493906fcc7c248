/* What follows for one AND from groups exactly one of whose members is true:
   the moves of a role, or of all roles that take turns.

     two members                   false
     a member, and others negated  the others go
     all members negated           false
     all but one negated           that one
     all moves of a role negated   another role moves
     most members negated          the OR of the rest, if that is shorter

   The frame rules of board games are of the last kind: a cell keeps its content
   in every move that does not touch it. Members also count as negated if an
   input is a pure gate: an AND of negated members of one group, or of such
   ANDs. */
#include "base/marks.h"
#include "reduce/groups.h"
#include "reduce/reads.h"
#include "reduce/rebuild.h"
#include "reduce/reduction.h"

/* The members of a group that an AND reads. */
typedef struct Tally {
  Signal member;    /* the plain one, or SIGNAL_FALSE */
  uint32_t inputs;  /* negated members and pure gates */
  uint64_t most;    /* members that these can negate */
  uint32_t negated; /* members that they do negate */
  bool opened;      /* pure gates have been looked into */
  bool drop;        /* drop all these inputs */
} Tally;

/* The group of which a gate negates some members, and how many at most; 0 if it
   is not pure. */
typedef struct Pure {
  uint32_t group, most;
} Pure;

typedef struct Exclusive {
  Rebuild rebuild;
  Groups groups;
  VECTOR(Pure) pure;    /* by gate of the new net */
  Tally *tallies;       /* by group */
  NumberVector touched; /* groups with a tally */
  Marks present;        /* members that this AND negates */
  uint32_t *by_role;    /* how many, of the joint group */
  NumberVector rest, stack;
  uint64_t budget; /* of members looked at */
} Exclusive;

/* ---- pure gates ---- */

/* The group of which the literal negates members. */
static Pure negates(const Exclusive *x, Signal literal) {
  Gate gate = signal_gate(literal);
  if (signal_negated(literal)) {
    uint32_t group = groups_of(&x->groups, gate);
    return (Pure){group, group != NO_GROUP};
  }
  return gate < x->pure.count ? x->pure.data[gate] : (Pure){NO_GROUP, 0};
}

static Pure find_pure(const Exclusive *x, Gate gate) {
  const Net *to = x->rebuild.to;
  const NetGate *g = &to->gates.data[gate];
  if (g->kind != GATE_AND) return (Pure){NO_GROUP, 0};
  Pure all = negates(x, to->inputs.data[g->first]);
  for (uint32_t i = 1; i < g->count && all.most; i++) {
    Pure one = negates(x, to->inputs.data[g->first + i]);
    if (!one.most || one.group != all.group) return (Pure){NO_GROUP, 0};
    all.most =
        one.most > UINT32_MAX - all.most ? UINT32_MAX : all.most + one.most;
  }
  return all;
}

static void note_pure_gates(Exclusive *x) {
  while (x->pure.count < x->rebuild.to->gates.count) {
    Pure pure = find_pure(x, x->pure.count);
    vector_push(&x->pure, pure);
  }
}

/* ---- tallies ---- */

static uint32_t role_of(const Exclusive *x, Gate move) {
  const Net *to = x->rebuild.to;
  return to->moves.data[to->gates.data[move].first].role;
}

static Tally *touch(Exclusive *x, uint32_t group) {
  Tally *tally = &x->tallies[group];
  if (!tally->member && !tally->inputs) vector_push(&x->touched, group);
  return tally;
}

/* Returns false for the second member of a group. */
static bool count_literal(Exclusive *x, Signal literal) {
  Pure pure = negates(x, literal);
  if (pure.most) {
    Tally *tally = touch(x, pure.group);
    tally->inputs++;
    tally->most += pure.most;
    return true;
  }
  uint32_t group = groups_of(&x->groups, signal_gate(literal));
  if (group == NO_GROUP) return true;
  Tally *tally = touch(x, group);
  if (tally->member && tally->member != literal) return false;
  tally->member = literal;
  return true;
}

static void negate_member(Exclusive *x, uint32_t group, Gate gate) {
  if (marks_has(&x->present, gate)) return;
  marks_add(&x->present, gate);
  x->tallies[group].negated++;
  if (group == x->groups.joint) x->by_role[role_of(x, gate)]++;
}

/* Marks the members that the literal negates. */
static void open_literal(Exclusive *x, Signal literal) {
  const Net *to = x->rebuild.to;
  uint32_t group = negates(x, literal).group;
  vector_push(&x->stack, literal);
  while (x->stack.count) {
    Signal signal = x->stack.data[--x->stack.count];
    const NetGate *gate = &to->gates.data[signal_gate(signal)];
    x->budget -= x->budget > 0;
    if (signal_negated(signal))
      negate_member(x, group, signal_gate(signal));
    else
      for (uint32_t i = 0; i < gate->count; i++)
        vector_push(&x->stack, to->inputs.data[gate->first + i]);
  }
}

/* Opens groups that may be mostly negated or have a plain member. */
static void open_groups(Exclusive *x) {
  for (uint32_t i = 0; i < x->touched.count; i++) {
    Tally *tally = &x->tallies[x->touched.data[i]];
    uint32_t size = groups_size(&x->groups, x->touched.data[i]);
    tally->opened =
        tally->inputs && x->budget > tally->most &&
        (tally->member || tally->most * 2 >= size ||
         (x->touched.data[i] == x->groups.joint && tally->most * 4 >= size));
  }
  const NumberVector *list = &x->rebuild.list;
  for (uint32_t i = 0; i < list->count; i++) {
    Pure pure = negates(x, list->data[i]);
    if (pure.most && x->tallies[pure.group].opened)
      open_literal(x, list->data[i]);
  }
}

/* ---- replacements ---- */

/* Members that are not negated here. */
static void collect_rest(Exclusive *x, uint32_t group) {
  uint32_t size = groups_size(&x->groups, group);
  vector_clear(&x->rest);
  for (uint32_t i = 0; i < size; i++) {
    Gate gate = groups_member(&x->groups, group, i);
    if (!marks_has(&x->present, gate)) vector_push(&x->rest, gate_signal(gate));
  }
}

/* Are all moves of the role negated but the forced one? */
static bool is_idle(const Exclusive *x, uint32_t role) {
  const uint32_t *first = x->rebuild.to->role_first.data + role;
  return x->groups.idle[role] && x->by_role[role] &&
         x->by_role[role] == first[1] - first[0] - 1;
}

/* The inputs needed if idle roles are named by their signals. */
static uint32_t cost_by_roles(const Exclusive *x, uint32_t group) {
  uint32_t cost = x->tallies[group].negated;
  if (group != x->groups.joint) return UINT32_MAX;
  for (uint32_t role = 0; role < x->rebuild.to->role_count; role++)
    if (is_idle(x, role)) cost -= x->by_role[role] - 1;
  return cost;
}

static void add_by_roles(Exclusive *x, uint32_t group) {
  NumberVector *list = &x->rebuild.list;
  for (uint32_t role = 0; role < x->rebuild.to->role_count; role++)
    if (is_idle(x, role))
      vector_push(list, rebuild_signal(&x->rebuild, x->groups.idle[role]));
  for (uint32_t i = 0; i < groups_size(&x->groups, group); i++) {
    Gate gate = groups_member(&x->groups, group, i);
    if (marks_has(&x->present, gate) && !is_idle(x, role_of(x, gate)))
      vector_push(list, signal_not(gate_signal(gate)));
  }
}

/* Replaces the group's inputs by something shorter, at the end of the list;
   returns false if they contradict its plain member. A short OR of the rest
   replaces even a few inputs, since pure gates may then go. */
static bool settle(Exclusive *x, uint32_t group) {
  Tally *tally = &x->tallies[group];
  if (!tally->opened) return true;
  if (tally->member) {
    tally->drop = true;
    return !marks_has(&x->present, signal_gate(tally->member));
  }
  uint32_t rest = groups_size(&x->groups, group) - tally->negated;
  uint32_t cost = rest > 1 ? rest + 1 : rest, roles = cost_by_roles(x, group);
  if (roles < cost && roles < tally->inputs) {
    tally->drop = true;
    add_by_roles(x, group);
  } else if (cost < tally->inputs || rest * 8 <= tally->negated) {
    tally->drop = true;
    collect_rest(x, group);
    vector_push(&x->rebuild.list,
                net_or(x->rebuild.to, x->rest.data, x->rest.count));
  }
  return true;
}

/* ---- the net ---- */

/* Drops inputs among the first `count` of the list; the rest was added since.
 */
static void keep_literals(Exclusive *x, uint32_t count) {
  NumberVector *list = &x->rebuild.list;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    Pure pure = negates(x, list->data[i]);
    if (i >= count || !pure.most || !x->tallies[pure.group].drop)
      list->data[kept++] = list->data[i];
  }
  list->count = kept;
}

static void forget(Exclusive *x) {
  for (uint32_t i = 0; i < x->touched.count; i++)
    x->tallies[x->touched.data[i]] = (Tally){0};
  vector_clear(&x->touched);
  marks_clear(&x->present);
  memset(x->by_role, 0, x->rebuild.to->role_count * sizeof *x->by_role);
}

static void make(Exclusive *x, Gate gate) {
  NumberVector *list = &x->rebuild.list;
  bool possible = true;
  forget(x);
  note_pure_gates(x);
  rebuild_inputs(&x->rebuild, gate);
  uint32_t count = list->count;
  for (uint32_t i = 0; i < count && possible; i++)
    possible = count_literal(x, list->data[i]);
  if (possible) open_groups(x);
  for (uint32_t i = 0; i < x->touched.count && possible; i++)
    possible = settle(x, x->touched.data[i]);
  if (!possible) {
    x->rebuild.map[gate] = SIGNAL_FALSE;
    return;
  }
  keep_literals(x, count);
  rebuild_make(&x->rebuild, gate);
}

/* A role's only move is always done. */
static void map_only_moves(Exclusive *x) {
  const Net *from = x->rebuild.from;
  for (uint32_t role = 0; role < from->role_count; role++) {
    const uint32_t *first = from->role_first.data + role;
    if (first[1] - first[0] == 1)
      x->rebuild.map[from->moves.data[first[0]].gate] = SIGNAL_TRUE;
  }
}

/* Gates that depend on no move read no members. */
static void make_all(Exclusive *x, const bool *late, bool which) {
  for (Gate gate = 0; gate < x->rebuild.from->gates.count; gate++) {
    if (!rebuild_is_and(&x->rebuild, gate) || late[gate] != which) continue;
    if (which)
      make(x, gate);
    else
      rebuild_copy(&x->rebuild, gate);
  }
}

void reduce_exclusive(const Net *in, Net *out, const ReduceOptions *options) {
  Exclusive x = {.budget = 300000000};
  bool *late = memory_new(in->gates.count * sizeof *late);
  reads_mark_late(in, late);
  rebuild_begin(&x.rebuild, in, out);
  groups_init(&x.groups, in, out, options->legal);
  x.tallies = memory_new(x.groups.count * sizeof *x.tallies);
  x.by_role = memory_new(in->role_count * sizeof *x.by_role);
  map_only_moves(&x);
  make_all(&x, late, false);
  make_all(&x, late, true);
  memory_delete(late);
  memory_delete(x.tallies);
  memory_delete(x.by_role);
  vector_free(&x.pure);
  vector_free(&x.touched);
  vector_free(&x.rest);
  vector_free(&x.stack);
  marks_free(&x.present);
  groups_free(&x.groups);
  rebuild_end(&x.rebuild);
}
