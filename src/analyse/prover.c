/* Each focus has its own set of clauses (base/sat.h): the gates that its
   signals depend on; for each move, that it is legal; for each fluent, its
   groups. A small problem, quickly built and decided, beats a large one that
   keeps what was learnt: checkers, 100 conflicts a query, from 3.0 to 1.0 s.

   A loop variable equals its definition: true for the least fixpoint, as for
   any other. "At most one" is a ladder: rung i is implied by members up to i
   and excludes member i + 1 (Sinz 2005). */
#include "analyse/prover.h"

#include "base/sat.h"
#include "base/trial.h"

enum {
  LARGEST_FOCUS = 100000, /* gates; queries about more fail */
  FEW_MOVES = 64,         /* see reach_other_moves */
  FEW_INPUTS = 4          /* see reach_terminal */
};

/* Seconds for a gate of a focus, a clause of it, a move or a group that was
   looked at for it, and a propagation: fitted to 140 games whose proofs take
   more than a millisecond, mostly within a factor of two. */
static const double gate_seconds = 45e-9, clause_seconds = 150e-9,
                    look_seconds = 18e-9, propagation_seconds = 50e-9;

typedef struct Assumption {
  uint32_t first, count; /* fluents, in Prover.members */
  bool at_least, on;
  uint32_t focus; /* the last one it was part of */
} Assumption;

typedef struct Membership {
  uint32_t assumption, next;
} Membership;

struct Prover {
  const Net *net;
  uint64_t propagations;
  double left; /* seconds */
  VECTOR(Assumption) assumptions;
  NumberVector members;
  VECTOR(Membership) memberships; /* from 1 */
  uint32_t *first_membership;     /* by fluent */
  Sat *sat;                       /* of the focus */
  uint32_t now, *focus;           /* by gate: the last one it was part of */
  uint32_t *variable;             /* by gate in focus */
  NumberVector gates;             /* in focus, by variable */
  NumberVector anys;              /* variables of prover_any */
  NumberVector decide;            /* variables */
  bool late; /* there is no focus: no time is left, or it is too large */
};

/* ---- what a focus contains ---- */

static void reach(Prover *prover, Signal signal) {
  Gate gate = signal_gate(signal);
  if (prover->focus[gate] == prover->now) return;
  prover->focus[gate] = prover->now;
  prover->variable[gate] = prover->gates.count;
  vector_push(&prover->gates, gate);
}

static void reach_inputs(Prover *prover, Gate gate) {
  const Net *net = prover->net;
  const NetGate *g = &net->gates.data[gate];
  for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++)
    reach(prover, net_inputs(net, gate)[i]);
  if (g->kind == GATE_LOOP) reach(prover, net->loops.data[g->first].definition);
  if (g->kind == GATE_MOVE) reach(prover, net->moves.data[g->first].legal);
}

/* Reaches everything that the gates from number `from` on depend on. */
static uint32_t follow(Prover *prover, uint32_t from) {
  for (; from < prover->gates.count && prover->gates.count < LARGEST_FOCUS;
       from++)
    reach_inputs(prover, prover->gates.data[from]);
  return from;
}

/* A role that makes none of its moves in focus makes another one; if the others
   are few, they join the focus. Returns true if all its moves are then in
   focus. */
static bool reach_other_moves(Prover *prover, uint32_t role) {
  const Net *net = prover->net;
  uint32_t first = net->role_first.data[role];
  uint32_t end = net->role_first.data[role + 1], others = 0;
  for (uint32_t m = first; m < end; m++)
    others += prover->focus[net->moves.data[m].gate] != prover->now;
  if (others > FEW_MOVES || others == end - first) return false;
  for (uint32_t m = first; m < end; m++)
    reach(prover, gate_signal(net->moves.data[m].gate));
  return true;
}

/* Reaches the upper part of the terminal condition, a disjunction: conditions
   with few inputs matter (the last step), all of checkmate does not. */
static void reach_terminal(Prover *prover) {
  const Net *net = prover->net;
  Gate gate = signal_gate(net->terminal);
  const NetGate *g = &net->gates.data[gate];
  reach(prover, net->terminal);
  if (g->kind != GATE_AND) return;
  for (uint32_t i = 0; i < g->count; i++) {
    Gate input = signal_gate(net_inputs(net, gate)[i]);
    reach(prover, gate_signal(input));
    if (net->gates.data[input].kind == GATE_AND &&
        net->gates.data[input].count <= FEW_INPUTS)
      reach_inputs(prover, input);
  }
}

/* Reaches all members of the groups that contain a fluent in focus. */
static void reach_groups(Prover *prover) {
  const Net *net = prover->net;
  for (uint32_t v = 0, end = prover->gates.count; v < end; v++) {
    const NetGate *g = &net->gates.data[prover->gates.data[v]];
    if (g->kind != GATE_FLUENT) continue;
    for (uint32_t i = prover->first_membership[g->first]; i;
         i = prover->memberships.data[i].next) {
      Assumption *assumption =
          &prover->assumptions.data[prover->memberships.data[i].assumption];
      if (!assumption->on) continue;
      assumption->focus = prover->now;
      for (uint32_t j = 0; j < assumption->count; j++) {
        uint32_t fluent = prover->members.data[assumption->first + j];
        reach(prover, gate_signal(net->fluents.data[fluent].gate));
      }
    }
  }
}

/* ---- clauses ---- */

static SatLiteral literal_of(const Prover *prover, Signal signal) {
  Gate gate = signal_gate(signal), gates = prover->net->gates.count;
  uint32_t variable =
      gate < gates ? prover->variable[gate] : prover->anys.data[gate - gates];
  return variable << 1 | signal_negated(signal);
}

static void add_clause(Prover *prover, SatLiteral a, SatLiteral b) {
  SatLiteral clause[2] = {a, b};
  sat_add_clause(prover->sat, clause, 2);
}

static void exclude(Prover *prover, const SatLiteral *list, uint32_t count) {
  if (count < 2) return;
  SatLiteral ladder = sat_add_variables(prover->sat, count - 1) << 1;
  for (uint32_t i = 0; i + 1 < count; i++, ladder += 2) {
    add_clause(prover, list[i] ^ 1, ladder);
    if (i + 2 < count) add_clause(prover, ladder ^ 1, ladder + 2);
    add_clause(prover, ladder ^ 1, list[i + 1] ^ 1);
  }
}

static void add_and(Prover *prover, Gate gate, NumberVector *clause) {
  const NetGate *g = &prover->net->gates.data[gate];
  SatLiteral own = literal_of(prover, gate_signal(gate));
  vector_clear(clause);
  vector_push(clause, own);
  for (uint32_t i = 0; i < g->count; i++) {
    SatLiteral input = literal_of(prover, net_inputs(prover->net, gate)[i]);
    add_clause(prover, own ^ 1, input);
    vector_push(clause, input ^ 1);
  }
  sat_add_clause(prover->sat, clause->data, clause->count);
}

/* Returns whether all inputs are in focus; if not, the gate may have any
   value. */
static bool is_defined(const Prover *prover, Gate gate) {
  const Net *net = prover->net;
  const NetGate *g = &net->gates.data[gate];
  uint32_t now = prover->now;
  for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++)
    if (prover->focus[signal_gate(net_inputs(net, gate)[i])] != now)
      return false;
  if (g->kind == GATE_LOOP)
    return prover->focus[signal_gate(net->loops.data[g->first].definition)] ==
           now;
  if (g->kind == GATE_MOVE)
    return prover->focus[signal_gate(net->moves.data[g->first].legal)] == now;
  return true;
}

static void add_gate(Prover *prover, Gate gate, NumberVector *clause) {
  trial_check();
  const Net *net = prover->net;
  const NetGate *g = &net->gates.data[gate];
  SatLiteral own = literal_of(prover, gate_signal(gate)), not = own ^ 1;
  if (g->kind == GATE_CONSTANT) sat_add_clause(prover->sat, &not, 1);
  if (g->kind == GATE_AND) add_and(prover, gate, clause);
  if (g->kind == GATE_MOVE)
    add_clause(prover, own ^ 1,
               literal_of(prover, net->moves.data[g->first].legal));
  if (g->kind == GATE_LOOP) {
    SatLiteral definition =
        literal_of(prover, net->loops.data[g->first].definition);
    add_clause(prover, own ^ 1, definition);
    add_clause(prover, own, definition ^ 1);
  }
}

static void add_moves(Prover *prover, uint32_t role, bool all,
                      NumberVector *list) {
  const Net *net = prover->net;
  vector_clear(list);
  for (uint32_t m = net->role_first.data[role];
       m < net->role_first.data[role + 1]; m++) {
    Gate gate = net->moves.data[m].gate;
    if (prover->focus[gate] == prover->now)
      vector_push(list, literal_of(prover, gate_signal(gate)));
  }
  exclude(prover, list->data, list->count);
  if (all) sat_add_clause(prover->sat, list->data, list->count);
}

static void add_assumption(Prover *prover, const Assumption *assumption,
                           NumberVector *list) {
  vector_clear(list);
  for (uint32_t i = 0; i < assumption->count; i++) {
    uint32_t fluent = prover->members.data[assumption->first + i];
    Gate gate = prover->net->fluents.data[fluent].gate;
    vector_push(list, literal_of(prover, gate_signal(gate)));
  }
  if (assumption->at_least)
    sat_add_clause(prover->sat, list->data, list->count);
  else
    exclude(prover, list->data, list->count);
}

static void add_clauses(Prover *prover, const bool *all_moves) {
  const Net *net = prover->net;
  NumberVector list = {0};
  sat_add_variables(prover->sat, prover->gates.count);
  for (uint32_t v = 0; v < prover->gates.count; v++)
    if (is_defined(prover, prover->gates.data[v]))
      add_gate(prover, prover->gates.data[v], &list);
  for (uint32_t role = 0; role < net->role_count; role++)
    add_moves(prover, role, all_moves[role], &list);
  for (uint32_t i = 0; i < prover->assumptions.count; i++)
    if (prover->assumptions.data[i].focus == prover->now)
      add_assumption(prover, &prover->assumptions.data[i], &list);
  vector_free(&list);
}

/* Adds groups and clauses of the gates that were reached. */
static void finish_focus(Prover *prover, const bool *all_moves, bool running) {
  if (running) reach_terminal(prover);
  reach_groups(prover);
  for (uint32_t v = 0; v < prover->gates.count; v++)
    vector_push(&prover->decide, v);
  add_clauses(prover, all_moves);
  if (running) {
    SatLiteral runs = literal_of(prover, signal_not(prover->net->terminal));
    sat_add_clause(prover->sat, &runs, 1);
  }
}

static void count_focus(Prover *prover) {
  uint32_t looks = prover->net->moves.count + prover->assumptions.count;
  uint64_t clauses = sat_statistics(prover->sat).clauses;
  prover->left -= prover->gates.count * gate_seconds +
                  (double)clauses * clause_seconds + looks * look_seconds;
}

static void focus(Prover *prover, const Signal *list, uint32_t count,
                  bool running) {
  const Net *net = prover->net;
  prover->late = prover->left <= 0;
  if (prover->late) return;
  bool *all_moves = memory_new(net->role_count * sizeof(bool));
  if (prover->sat) sat_delete(prover->sat);
  prover->sat = sat_new();
  prover->now++;
  vector_clear(&prover->gates);
  vector_clear(&prover->anys);
  vector_clear(&prover->decide);
  for (uint32_t i = 0; i < count; i++) reach(prover, list[i]);
  uint32_t followed = follow(prover, 0);
  for (uint32_t role = 0; role < net->role_count; role++)
    all_moves[role] = reach_other_moves(prover, role);
  follow(prover, followed);
  prover->late = prover->gates.count >= LARGEST_FOCUS;
  if (!prover->late) finish_focus(prover, all_moves, running);
  memory_delete(all_moves);
  count_focus(prover);
}

void prover_focus(Prover *prover, const Signal *list, uint32_t count) {
  focus(prover, list, count, true);
}

void prover_focus_anywhere(Prover *prover, const Signal *list, uint32_t count) {
  focus(prover, list, count, false);
}

/* ---- a prover ---- */

Prover *prover_new(const Net *net, uint64_t propagations, double seconds) {
  Prover *prover = memory_new(sizeof *prover);
  *prover = (Prover){.net = net, .propagations = propagations, .left = seconds};
  prover->focus = memory_new(net->gates.count * sizeof(uint32_t));
  prover->variable = memory_new(net->gates.count * sizeof(uint32_t));
  prover->first_membership = memory_new(net->fluents.count * sizeof(uint32_t));
  vector_push(&prover->memberships, ((Membership){0, 0}));
  return prover;
}

void prover_delete(Prover *prover) {
  if (prover->sat) sat_delete(prover->sat);
  vector_free(&prover->assumptions);
  vector_free(&prover->members);
  vector_free(&prover->memberships);
  memory_delete(prover->first_membership);
  memory_delete(prover->focus);
  memory_delete(prover->variable);
  vector_free(&prover->gates);
  vector_free(&prover->anys);
  vector_free(&prover->decide);
  memory_delete(prover);
}

void prover_add_seconds(Prover *prover, double seconds) {
  prover->left += seconds;
}

uint32_t prover_add_assumption(Prover *prover, const uint32_t *fluents,
                               uint32_t count, bool at_least) {
  uint32_t number = prover->assumptions.count;
  Assumption assumption = {prover->members.count, count, at_least, false, 0};
  for (uint32_t i = 0; i < count; i++) {
    uint32_t *first = &prover->first_membership[fluents[i]];
    vector_push(&prover->members, fluents[i]);
    vector_push(&prover->memberships, ((Membership){number, *first}));
    *first = prover->memberships.count - 1;
  }
  vector_push(&prover->assumptions, assumption);
  return number;
}

void prover_switch(Prover *prover, uint32_t assumption, bool on) {
  prover->assumptions.data[assumption].on = on;
}

/* ---- queries ---- */

Signal prover_any(Prover *prover, const Signal *list, uint32_t count) {
  if (prover->late) return SIGNAL_FALSE;
  NumberVector clause = {0};
  uint32_t variable = sat_add_variables(prover->sat, 1);
  vector_push(&clause, variable << 1 | 1);
  for (uint32_t i = 0; i < count; i++)
    vector_push(&clause, literal_of(prover, list[i]));
  sat_add_clause(prover->sat, clause.data, clause.count);
  vector_free(&clause);
  vector_push(&prover->anys, variable);
  return (prover->net->gates.count + prover->anys.count - 1) << 1;
}

bool prover_refutes(Prover *prover, const Signal *list, uint32_t count) {
  trial_check();
  if (prover->late || prover->left <= 0) return false;
  NumberVector question = {0};
  uint64_t before = sat_statistics(prover->sat).propagations;
  for (uint32_t i = 0; i < count; i++)
    vector_push(&question, literal_of(prover, list[i]));
  SatAnswer answer =
      sat_solve(prover->sat, question.data, count, prover->decide.data,
                prover->decide.count, prover->propagations);
  vector_free(&question);
  uint64_t made = sat_statistics(prover->sat).propagations - before;
  prover->left -= (double)made * propagation_seconds;
  return answer == SAT_NO;
}

/* Checks each member together with any of those before it. */
bool prover_refutes_two(Prover *prover, const Signal *list, uint32_t count) {
  Signal before = count ? list[0] : 0;
  for (uint32_t i = 1; i < count; i++) {
    Signal pair[2] = {list[i], before};
    if (!prover_refutes(prover, pair, 2)) return false;
    before = prover_any(prover, pair, 2);
  }
  return true;
}

bool prover_excludes(Prover *prover, Signal a, Signal b) {
  Signal pair[2] = {a, b};
  prover_focus(prover, pair, 2);
  return prover_refutes(prover, pair, 2);
}
