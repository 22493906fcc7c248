/* A node is a signal of the net: "this signal can be true". The relaxation
   forgets that a gate has one value at a time, so a gate has two nodes, one for
   each polarity, and the net is monotone in them: an AND is possible when all
   its inputs are, its negation when the negation of one input is. Edges lead
   from a node to those that read it. A move is possible when its legality is,
   and not making a move is possible always. A fluent can be true one step after
   its `next` can be, and false one step after the negation of that can be.

   Costs: 0 for what holds in the state; a node with one sufficient input has
   the cost of the cheapest; one that needs all has their maximum (level) or sum
   (h_add); a step costs 1. Nodes are taken from a queue in the order of costs,
   so each is final when it is taken (Knuth's generalisation of Dijkstra's
   algorithm); an AND counts the inputs that are still missing.

   A loop variable is possible when its definition is. That it is false cannot
   be derived in this way, since falsehood may go in circles: it is possible at
   once where the variable is not derived in the state itself, block by block,
   or where its block reads moves; else after one step.

   Only nodes that the end depends on are kept. */
#include "solve/relax.h"

#include <stdlib.h>

typedef enum {
  NODE_ALL, /* needs all inputs */
  NODE_ANY, /* needs one */
  NODE_MOVE,
  NODE_FACT, /* a fluent, or its negation */
  NODE_FREE  /* always possible */
} NodeKind;

/* Readers: [first, later) at once, [later, next node's first) a step later. */
typedef struct Node {
  uint32_t first, later;
  uint32_t need; /* inputs that it needs */
  uint32_t what; /* NODE_MOVE: the move */
  NodeKind kind;
} Node;

/* What is known of a node in the current state. */
typedef struct Value {
  uint32_t missing; /* inputs */
  uint32_t cost;    /* its own, if possible; else the sum of its inputs */
  uint32_t by;      /* the input that made it possible; NONE: the state */
  uint32_t next;    /* in the queue */
} Value;

/* Both nodes of a fluent. */
typedef struct FactPair {
  uint32_t word, bit;
  uint32_t node[2]; /* false, true; NONE: not relevant */
} FactPair;

/* Nodes of a loop variable. */
typedef struct LoopPair {
  uint32_t yes, no; /* or NONE */
  uint32_t block;
  bool moving; /* its block reads moves */
} LoopPair;

static const uint32_t NONE = UINT32_MAX;
enum { COSTS = 1 << 12 };

struct Relax {
  const Net *net;
  uint32_t target; /* node */
  VECTOR(Node) nodes;
  NumberVector readers;
  NumberVector input_first, inputs; /* of NODE_ALL */
  NumberVector free;                /* nodes that are always possible */
  VECTOR(FactPair) facts;
  VECTOR(LoopPair) loops;
  Value *initial, *values; /* by node */
  uint32_t queue[COSTS];   /* by cost: the first node, or NONE */
  uint32_t highest;        /* cost in the queue */
  bool adding;             /* costs of inputs are added */
  /* extraction */
  uint32_t *seen, turn;   /* by fact, move: the turn in which it was needed */
  uint32_t *passed, pass; /* by node: the pass in which it was traced */
  NumberVector stack, needed;
  VECTOR(uint64_t) steps; /* node of the move << 32 | cost */
  MoveVector helpful;
};

/* ---- construction: from signals to nodes ---- */

typedef struct Edge {
  uint32_t from, to;
  bool later;
} Edge;

typedef struct Builder {
  Relax *relax;
  const Net *net;
  uint32_t *number;       /* by signal: its node, or NONE */
  VECTOR(Signal) signals; /* by node */
  VECTOR(Edge) edges;
  bool *moving; /* by gate: it reads moves */
} Builder;

static uint32_t add_node(Builder *builder, NodeKind kind, Signal signal) {
  Relax *relax = builder->relax;
  vector_push(&relax->nodes, ((Node){.kind = kind, .need = 1}));
  vector_push(&builder->signals, signal);
  return relax->nodes.count - 1;
}

static NodeKind kind_of(const Net *net, Signal signal) {
  bool negated = signal_negated(signal);
  switch (net->gates.data[signal_gate(signal)].kind) {
  case GATE_FLUENT: return NODE_FACT;
  case GATE_MOVE: return negated ? NODE_FREE : NODE_MOVE;
  case GATE_AND: return negated ? NODE_ANY : NODE_ALL;
  case GATE_CONSTANT: return negated ? NODE_FREE : NODE_ANY;
  default: return NODE_ANY;
  }
}

static uint32_t node_of(Builder *builder, Signal signal) {
  if (builder->number[signal] == NONE)
    builder->number[signal] =
        add_node(builder, kind_of(builder->net, signal), signal);
  return builder->number[signal];
}

static void add_edge(Builder *builder, Signal from, uint32_t to, bool later) {
  Edge edge = {node_of(builder, from), to, later};
  vector_push(&builder->edges, edge);
}

/* Adds the inputs of an AND, or of its negation. */
static void add_inputs(Builder *builder, uint32_t node, Signal signal) {
  const NetGate *gate = &builder->net->gates.data[signal_gate(signal)];
  for (uint32_t i = 0; i < gate->count; i++)
    add_edge(builder, builder->net->inputs.data[gate->first + i] ^ (signal & 1),
             node, false);
  if (!signal_negated(signal))
    builder->relax->nodes.data[node].need = gate->count;
}

/* Adds edges from what the node depends on; new nodes come at the end. */
static void add_causes(Builder *builder, uint32_t node) {
  const Net *net = builder->net;
  Signal signal = builder->signals.data[node], sign = signal & 1;
  const NetGate *gate = &net->gates.data[signal_gate(signal)];
  switch (gate->kind) {
  case GATE_CONSTANT: break;
  case GATE_FLUENT:
    add_edge(builder, net->fluents.data[gate->first].next ^ sign, node, true);
    break;
  case GATE_MOVE:
    builder->relax->nodes.data[node].what = gate->first;
    if (!sign)
      add_edge(builder, net->moves.data[gate->first].legal, node, false);
    break;
  case GATE_AND: add_inputs(builder, node, signal); break;
  case GATE_LOOP:
    if (sign) /* its own node shows whether it was derived */
      node_of(builder, signal_not(signal));
    else
      add_edge(builder, net->loops.data[gate->first].definition, node, false);
    break;
  }
}

/* The end: terminal, and one of the goals. */
static void add_target(Builder *builder, int target) {
  Relax *relax = builder->relax;
  const Net *net = builder->net;
  uint32_t any = add_node(builder, NODE_ANY, SIGNAL_FALSE);
  relax->target = add_node(builder, NODE_ALL, SIGNAL_FALSE);
  relax->nodes.data[relax->target].need = 2;
  for (uint32_t i = 0; i < net->goals.count; i++)
    if (net->goals.data[i].role == 0 && net->goals.data[i].value >= target)
      add_edge(builder, net->goals.data[i].signal, any, false);
  add_edge(builder, net->terminal, relax->target, false);
  vector_push(&builder->edges, ((Edge){any, relax->target, false}));
}

/* ---- construction: lists ---- */

/* Sorts the edges by node and delay into `readers`. */
static void list_readers(Builder *builder) {
  Relax *relax = builder->relax;
  uint32_t *at = memory_new((2 * relax->nodes.count + 1) * sizeof *at);
  for (uint32_t i = 0; i < builder->edges.count; i++) {
    const Edge *edge = &builder->edges.data[i];
    at[2 * edge->from + edge->later + 1]++;
  }
  for (uint32_t i = 0; i < 2 * relax->nodes.count; i++) at[i + 1] += at[i];
  for (uint32_t i = 0; i < relax->nodes.count; i++) {
    relax->nodes.data[i].first = at[2 * i];
    relax->nodes.data[i].later = at[2 * i + 1];
  }
  vector_resize(&relax->readers, builder->edges.count);
  for (uint32_t i = 0; i < builder->edges.count; i++) {
    const Edge *edge = &builder->edges.data[i];
    relax->readers.data[at[2 * edge->from + edge->later]++] = edge->to;
  }
  vector_push(&relax->nodes, ((Node){.first = builder->edges.count}));
  relax->nodes.count--; /* the sentinel is beyond the last node */
  memory_delete(at);
}

/* Lists the inputs of nodes that need all, for the extraction of plans. */
static void list_inputs(Builder *builder) {
  Relax *relax = builder->relax;
  vector_resize(&relax->input_first, relax->nodes.count + 1);
  memset(relax->input_first.data, 0,
         (relax->nodes.count + 1) * sizeof(uint32_t));
  uint32_t *first = relax->input_first.data;
  for (uint32_t i = 0; i < builder->edges.count; i++)
    first[builder->edges.data[i].to + 1]++;
  for (uint32_t i = 0; i < relax->nodes.count; i++) first[i + 1] += first[i];
  vector_resize(&relax->inputs, builder->edges.count);
  uint32_t *at = memory_new(relax->nodes.count * sizeof *at);
  for (uint32_t i = 0; i < builder->edges.count; i++) {
    const Edge *edge = &builder->edges.data[i];
    relax->inputs.data[first[edge->to] + at[edge->to]++] = edge->from;
  }
  memory_delete(at);
}

static void list_facts(Builder *builder) {
  Relax *relax = builder->relax;
  for (uint32_t i = 0; i < builder->net->fluents.count; i++) {
    Signal signal = gate_signal(builder->net->fluents.data[i].gate);
    FactPair pair = {
        i >> 6,
        i & 63,
        {builder->number[signal_not(signal)], builder->number[signal]}};
    if (pair.node[0] != NONE || pair.node[1] != NONE)
      vector_push(&relax->facts, pair);
  }
  for (uint32_t i = 0; i < relax->nodes.count; i++)
    if (relax->nodes.data[i].kind == NODE_FREE) vector_push(&relax->free, i);
}

/* Marks the gates that read moves, also by way of loops. */
static void mark_moving(Builder *builder) {
  const Net *net = builder->net;
  for (bool changed = true; changed;) {
    changed = false;
    for (Gate gate = 0; gate < net->gates.count; gate++) {
      const NetGate *g = &net->gates.data[gate];
      bool moving = g->kind == GATE_MOVE;
      if (g->kind == GATE_LOOP)
        moving =
            builder->moving[signal_gate(net->loops.data[g->first].definition)];
      for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++)
        moving |= builder->moving[signal_gate(net->inputs.data[g->first + i])];
      changed |= moving != builder->moving[gate];
      builder->moving[gate] = moving;
    }
  }
}

static void list_loops(Builder *builder) {
  const Net *net = builder->net;
  if (!net->loops.count) return;
  builder->moving = memory_new(net->gates.count * sizeof *builder->moving);
  mark_moving(builder);
  for (uint32_t i = 0; i < net->loops.count; i++) {
    const NetLoop *loop = &net->loops.data[i];
    Signal signal = gate_signal(loop->gate);
    LoopPair pair = {builder->number[signal],
                     builder->number[signal_not(signal)], loop->block,
                     builder->moving[loop->gate]};
    if (pair.no != NONE) vector_push(&builder->relax->loops, pair);
  }
  memory_delete(builder->moving);
}

static void make_values(Relax *relax) {
  size_t bytes = (relax->nodes.count + 1) * sizeof *relax->values;
  relax->initial = memory_new(bytes);
  relax->values = memory_new(bytes);
  relax->seen = memory_new((relax->nodes.count + 1) * sizeof *relax->seen);
  relax->passed = memory_new((relax->nodes.count + 1) * sizeof *relax->passed);
  for (uint32_t i = 0; i < relax->nodes.count; i++)
    relax->initial[i] = (Value){.missing = relax->nodes.data[i].need};
  for (uint32_t i = 0; i < COSTS; i++) relax->queue[i] = NONE;
}

Relax *relax_new(const Net *net, int target) {
  Relax *relax = memory_new(sizeof *relax);
  relax->net = net;
  Builder builder = {.relax = relax, .net = net};
  size_t bytes = 2 * net->gates.count * sizeof *builder.number;
  builder.number = memory_new(bytes);
  memset(builder.number, 255, bytes);
  add_target(&builder, target);
  for (uint32_t i = relax->target + 1; i < relax->nodes.count; i++)
    add_causes(&builder, i);
  list_readers(&builder);
  list_inputs(&builder);
  list_facts(&builder);
  list_loops(&builder);
  make_values(relax);
  memory_delete(builder.number);
  vector_free(&builder.signals);
  vector_free(&builder.edges);
  return relax;
}

void relax_delete(Relax *relax) {
  if (!relax) return;
  vector_free(&relax->nodes);
  vector_free(&relax->readers);
  vector_free(&relax->input_first);
  vector_free(&relax->inputs);
  vector_free(&relax->free);
  vector_free(&relax->facts);
  vector_free(&relax->loops);
  memory_delete(relax->initial);
  memory_delete(relax->values);
  memory_delete(relax->seen);
  memory_delete(relax->passed);
  vector_free(&relax->needed);
  vector_free(&relax->steps);
  vector_free(&relax->stack);
  vector_free(&relax->helpful);
  memory_delete(relax);
}

/* ---- costs ---- */

/* The node is possible at this cost. */
static void push(Relax *relax, uint32_t node, uint32_t cost, uint32_t by) {
  Value *value = &relax->values[node];
  if (cost > COSTS - 1) cost = COSTS - 1;
  value->missing = 0;
  value->cost = cost;
  value->by = by;
  value->next = relax->queue[cost];
  relax->queue[cost] = node;
  if (cost > relax->highest) relax->highest = cost;
}

/* One of the reader's inputs has become possible at this cost. */
static void tell(Relax *relax, uint32_t reader, uint32_t cost, uint32_t by) {
  Value *value = &relax->values[reader];
  if (!value->missing) return;
  value->cost += cost;
  if (--value->missing == 0)
    push(relax, reader, relax->adding ? value->cost : cost, by);
}

static void settle(Relax *relax, uint32_t node, uint32_t cost) {
  const Node *from = &relax->nodes.data[node];
  const uint32_t *reader = relax->readers.data + from->first;
  const uint32_t *later = relax->readers.data + from->later;
  const uint32_t *end = relax->readers.data + from[1].first;
  for (; reader < later; reader++) tell(relax, *reader, cost, node);
  for (; reader < end; reader++) tell(relax, *reader, cost + 1, node);
}

/* Takes all nodes of this cost; returns true if the target was one of them. */
static bool drain(Relax *relax, uint32_t cost) {
  for (uint32_t node; (node = relax->queue[cost]) != NONE;) {
    if (node == relax->target) return true;
    relax->queue[cost] = relax->values[node].next;
    settle(relax, node, cost);
  }
  return false;
}

static void push_state(Relax *relax, const uint64_t *state) {
  for (uint32_t i = 0; i < relax->facts.count; i++) {
    const FactPair *fact = &relax->facts.data[i];
    uint32_t node = fact->node[state[fact->word] >> fact->bit & 1];
    if (node != NONE) push(relax, node, 0, NONE);
  }
  for (uint32_t i = 0; i < relax->free.count; i++)
    push(relax, relax->free.data[i], 0, NONE);
}

static void push_false(Relax *relax, const LoopPair *loop, uint32_t cost) {
  if (relax->values[loop->no].missing) push(relax, loop->no, cost, NONE);
}

/* Loop variables that are not derived in the state are false there. Blocks are
   in order, and each depends on earlier ones only. */
static bool push_loops(Relax *relax) {
  const LoopPair *loops = relax->loops.data;
  for (uint32_t i = 0, end; i < relax->loops.count; i = end) {
    if (drain(relax, 0)) return true;
    for (end = i;
         end < relax->loops.count && loops[end].block == loops[i].block; end++)
      if (loops[end].moving || relax->values[loops[end].yes].missing)
        push_false(relax, &loops[end], 0);
  }
  if (drain(relax, 0)) return true;
  for (uint32_t i = 0; i < relax->loops.count; i++)
    push_false(relax, &loops[i], 1);
  return false;
}

static void clear_queue(Relax *relax, uint32_t from) {
  for (uint32_t cost = from; cost <= relax->highest; cost++)
    relax->queue[cost] = NONE;
  relax->highest = 0;
}

/* Returns the cost of the target. */
static uint32_t spread(Relax *relax, const uint64_t *state, bool adding) {
  uint32_t cost = 0;
  relax->adding = adding;
  memcpy(relax->values, relax->initial,
         relax->nodes.count * sizeof *relax->values);
  push_state(relax, state);
  bool met = push_loops(relax);
  while (!met && cost <= relax->highest) {
    met = drain(relax, cost);
    if (!met) cost++;
  }
  clear_queue(relax, met ? cost : 0);
  return met ? cost : RELAX_NEVER;
}

uint32_t relax_level(Relax *relax, const uint64_t *state) {
  return spread(relax, state, false);
}

uint32_t relax_sum(Relax *relax, const uint64_t *state) {
  return spread(relax, state, true);
}

/* ---- plans ----

   A move of the rules, such as `up`, may stand for many actions of a planner,
   which knows them by their conditions and effects. So what is counted is not
   moves but steps: a move and the cost of the fact that it is needed for; equal
   costs stand for effects of the same action. */

static void need_fact(Relax *relax, uint32_t node) {
  if (relax->seen[node] == relax->turn) return;
  relax->seen[node] = relax->turn;
  vector_push(&relax->needed, node);
}

static void note_move(Relax *relax, uint32_t node, uint32_t cost) {
  vector_push(&relax->steps, (uint64_t)node << 32 | cost);
  if (relax->values[node].cost || relax->seen[node] == relax->turn) return;
  relax->seen[node] = relax->turn;
  vector_push(&relax->helpful, relax->nodes.data[node].what);
}

static void follow(Relax *relax, uint32_t node) {
  if (node == NONE || relax->passed[node] == relax->pass) return;
  relax->passed[node] = relax->pass;
  vector_push(&relax->stack, node);
}

/* Goes back from a node to the facts that it rests on; `cost` is that of the
   fact which it leads to. */
static void trace(Relax *relax, uint32_t from, uint32_t cost) {
  relax->pass++;
  follow(relax, from);
  while (relax->stack.count) {
    uint32_t node = relax->stack.data[--relax->stack.count];
    NodeKind kind = relax->nodes.data[node].kind;
    if (kind == NODE_FACT) need_fact(relax, node);
    if (kind == NODE_MOVE) note_move(relax, node, cost);
    if (kind == NODE_ANY || kind == NODE_MOVE)
      follow(relax, relax->values[node].by);
    if (kind != NODE_ALL) continue;
    for (uint32_t i = relax->input_first.data[node];
         i < relax->input_first.data[node + 1]; i++)
      follow(relax, relax->inputs.data[i]);
  }
}

static int by_number(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return a < b ? -1 : a > b;
}

static uint32_t count_steps(Relax *relax) {
  uint64_t *steps = relax->steps.data;
  uint32_t count = 0;
  if (relax->steps.count)
    qsort(steps, relax->steps.count, sizeof *steps, by_number);
  for (uint32_t i = 0; i < relax->steps.count; i++)
    count += i == 0 || steps[i] != steps[i - 1];
  return count;
}

/* Goes back from the target; returns the number of steps. */
static uint32_t extract(Relax *relax) {
  relax->turn++;
  vector_clear(&relax->needed);
  vector_clear(&relax->steps);
  trace(relax, relax->target, 0);
  while (relax->needed.count) {
    uint32_t fact = relax->needed.data[--relax->needed.count];
    const Value *value = &relax->values[fact];
    if (value->by != NONE) trace(relax, value->by, value->cost);
  }
  return count_steps(relax);
}

uint32_t relax_plan(Relax *relax, const uint64_t *state) {
  vector_clear(&relax->helpful);
  uint32_t cost = spread(relax, state, true);
  if (cost == 0 || cost == RELAX_NEVER) return cost;
  uint32_t steps = extract(relax);
  return steps ? steps : 1; /* time alone leads there */
}

const MoveVector *relax_helpful(const Relax *relax) {
  return &relax->helpful;
}
