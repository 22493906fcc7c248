/* A game as a boolean circuit. A signal is a gate, plain or negated; the only
   operation is the n-ary AND, so an OR is a negated AND of negated signals.

   Invariants: gates are numbered so that the inputs of an AND come before it;
   its inputs are at least two, sorted, without repetition, contradiction or
   constant; no two ANDs have the same inputs (net_and keeps all of this). Gate
   0 is the constant false.

   A LOOP gate is a variable of a recursive definition: its value is that of its
   definition, a signal of a later gate, in the least fixpoint: all loop
   variables of a block start false and are set to their definitions until
   nothing changes. Definitions grow with their block's variables (no negation
   inside), and a block depends only on itself and on earlier blocks. */
#ifndef TAFL_NET_NET_H
#define TAFL_NET_NET_H

#include "gdl/term.h"

typedef uint32_t Gate;
typedef uint32_t Signal; /* gate << 1 | negated */

enum { SIGNAL_FALSE = 0, SIGNAL_TRUE = 1 };

typedef enum {
  GATE_CONSTANT, /* false; only gate 0 */
  GATE_FLUENT,   /* first: the fluent's number */
  GATE_MOVE,     /* first: the move's number; one move of each role is true */
  GATE_AND,      /* inputs[first … first + count) */
  GATE_LOOP      /* first: its number in Net.loops */
} GateKind;

typedef struct NetGate {
  GateKind kind;
  uint32_t first, count;
} NetGate;

typedef struct NetFluent {
  Term term;
  bool initial;
  Gate gate;   /* its value */
  Signal next; /* its value in the successor; may read moves */
} NetFluent;

typedef struct NetMove {
  uint32_t role;
  Term term; /* the action */
  Gate gate; /* true if the role does it */
  Signal legal;
} NetMove;

typedef struct NetGoal {
  uint32_t role;
  int value; /* 0 … 100 */
  Term term;
  Signal signal;
} NetGoal;

typedef struct NetLoop {
  Gate gate;
  Signal definition;
  uint32_t block; /* from 0 */
} NetLoop;

typedef struct Net {
  uint32_t role_count;
  VECTOR(NetGate) gates;
  VECTOR(Signal) inputs;
  VECTOR(NetFluent) fluents;
  VECTOR(NetMove) moves; /* role by role, in order */
  NumberVector
      role_first; /* role r has moves[role_first[r] … role_first[r+1]) */
  VECTOR(NetGoal) goals;
  VECTOR(NetLoop) loops; /* block by block, in order */
  Signal terminal;
  /* Of a net of narrowed rules (GroundLimits.narrow): a fact outside `base`
     becomes true; a move outside `input` is legal. Else SIGNAL_FALSE. */
  Signal beyond_base, beyond_input;
  Map map;         /* of ANDs by their inputs, */
  uint32_t listed; /* of those below this gate; the others come to it when */
  uint32_t room;   /* net_and needs it: made for so many, if it is empty */
} Net;

void net_init(Net *net, uint32_t role_count);
void net_free(Net *net);
/* Makes room for so many gates, ANDs and inputs of these. */
void net_reserve(Net *net, uint32_t gates, uint32_t ands, uint32_t inputs);

/* Each input is added once, before or between other gates. */
Signal net_add_fluent(Net *net, Term term, bool initial);
Signal net_add_move(Net *net, uint32_t role, Term term); /* in order of role */
Signal net_add_loop(Net *net, uint32_t block);
/* The conjunction (disjunction) of any signals; overwrites `list`. */
Signal net_and(Net *net, Signal *list, uint32_t count);
Signal net_or(Net *net, Signal *list, uint32_t count);

static inline Signal signal_not(Signal signal) {
  return signal ^ 1;
}
static inline Gate signal_gate(Signal signal) {
  return signal >> 1;
}
static inline bool signal_negated(Signal signal) {
  return signal & 1;
}
static inline Signal gate_signal(Gate gate) {
  return gate << 1;
}

static inline bool net_is_and(const Net *net, Signal signal) {
  return net->gates.data[signal_gate(signal)].kind == GATE_AND;
}
static inline const Signal *net_inputs(const Net *net, Gate gate) {
  return net->inputs.data + net->gates.data[gate].first;
}

/* Have both the same gates and outputs, for the same inputs? */
bool net_equal(const Net *a, const Net *b);
/* The number of ANDs, and of all their inputs. */
uint32_t net_count_ands(const Net *net);
uint64_t net_count_edges(const Net *net);

/* Writes it as text, one gate per line, or for Graphviz. */
void net_write(const Net *net, const Terms *terms, Text *text);
void net_write_dot(const Net *net, const Terms *terms, Text *text);

#endif
