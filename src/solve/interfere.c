/* The net is evaluated on symbols, one for each fluent, and then once for each
   move: what a fluent becomes is the fluent itself (the move does not change
   it), a constant, or something else. What a move needs are the literals of
   fluents that its legality, or what it does, grows with: if legality reads a
   fluent only negated, then only setting it can do harm. Where it is legality
   alone that might be harmed, it is evaluated again with the writes of the
   other move, and no harm is done if the solver finds, by mere propagation,
   that a move that was legal still is. */
#include "solve/interfere.h"

#include "analyse/formula.h"
#include "base/bits.h"
#include "base/marks.h"
#include "base/trial.h"

enum {
  MOST_WORK = 50000000, /* gates to be evaluated, */
  MOST_PROPAGATIONS =
      5000000, /* and literals propagated; as many again to compare */
  MOST_RIVALS = 500000,
  MOST_MOVES = 3000,
  MOST_TIMES = 400, /* steps for which the time is known */
  FEW = 20          /* less than one pair in so many does not interfere */
};

typedef struct InterfereMaker Maker;

struct InterfereMaker {
  Interfere *interfere;
  const Analysis *analysis;
  const Net *net;
  Formula formula;
  SatLiteral *gates;      /* values without moves, */
  SatLiteral *own;        /* and with one */
  bool *wanted, *moved;   /* gates that depend on moves */
  NumberVector fluent_of; /* by variable: fluent + 1; 0: a conjunction */
  NumberVector and_of;    /* by variable */
  uint32_t ands;          /* that are in and_of */
  Marks seen;
  NumberVector stack;
  /* By fluent << 1 | negated: moves whose legality needs it, and moves whose
     effect does. */
  NumberVector *needs, *firm;
  SatLiterals legal; /* by move */
  Marks known;       /* variables whose value after a move is known, */
  SatLiterals after; /* and that value */
  bool reads_time;
  uint32_t compared; /* moves whose rivals are known */
};

/* ---- time ---- */

static void evaluate(const Net *net, const uint64_t *state, bool *values) {
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    const NetGate *g = &net->gates.data[gate];
    values[gate] = g->kind == GATE_AND ||
                   (g->kind == GATE_FLUENT && bits_has(state, g->first));
    for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++) {
      Signal input = net_inputs(net, gate)[i];
      values[gate] &= values[signal_gate(input)] != signal_negated(input);
    }
  }
}

/* Appends the time after one more step; returns false if nothing changes. */
static bool add_time(Interfere *interfere, const Analysis *analysis,
                     bool *values) {
  const Net *net = interfere->net;
  uint32_t words = interfere->words, last = interfere->times.count - words;
  evaluate(net, interfere->times.data + last, values);
  for (uint32_t i = 0; i < words; i++) vector_push(&interfere->times, 0);
  const uint64_t *before = interfere->times.data + last;
  uint64_t *after = interfere->times.data + last + words;
  bool changed = false;
  for (uint32_t f = 0; f < net->fluents.count; f++) {
    if (analysis->subgames.of_fluent[f]) continue;
    Signal next = net->fluents.data[f].next;
    bool value = values[signal_gate(next)] != signal_negated(next);
    if (value) bits_add(after, f);
    if (value == bits_has(before, f)) continue;
    changed = interfere->timed[f] = true;
  }
  return changed;
}

static void add_times(Interfere *interfere, const Analysis *analysis,
                      const uint64_t *start) {
  const Net *net = interfere->net;
  bool *values = memory_new(net->gates.count * sizeof *values);
  interfere->words = (uint32_t)bits_words(net->fluents.count);
  for (uint32_t i = 0; i < interfere->words; i++)
    vector_push(&interfere->times, 0);
  for (uint32_t f = 0; f < net->fluents.count; f++)
    if (!analysis->subgames.of_fluent[f] && bits_has(start, f))
      bits_add(interfere->times.data, f);
  interfere->time_count = 1;
  while (!interfere->settled && interfere->time_count < MOST_TIMES) {
    interfere->settled = !add_time(interfere, analysis, values);
    interfere->time_count += !interfere->settled;
  }
  memory_delete(values);
}

/* ---- evaluation on symbols ---- */

static void find_cones(Maker *maker) {
  const Net *net = maker->net;
  for (uint32_t f = 0; f < net->fluents.count; f++)
    maker->wanted[signal_gate(net->fluents.data[f].next)] = true;
  for (uint32_t m = 0; m < net->moves.count; m++)
    maker->wanted[signal_gate(net->moves.data[m].legal)] = true;
  for (Gate gate = net->gates.count; gate-- > 0;) {
    const NetGate *g = &net->gates.data[gate];
    for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++)
      if (maker->wanted[gate])
        maker->wanted[signal_gate(net_inputs(net, gate)[i])] = true;
  }
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    const NetGate *g = &net->gates.data[gate];
    maker->moved[gate] = g->kind == GATE_MOVE;
    for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++)
      maker->moved[gate] |= maker->moved[signal_gate(net_inputs(net, gate)[i])];
  }
}

/* Autonomous fluents that never change are constants. */
static SatLiteral symbol(Maker *maker, const Analysis *analysis, uint32_t f) {
  bool autonomous = !analysis->subgames.of_fluent[f];
  if (autonomous && !maker->interfere->timed[f])
    return bits_has(maker->interfere->times.data, f) ? FORMULA_TRUE
                                                     : FORMULA_FALSE;
  SatLiteral literal = formula_variable(&maker->formula);
  while (maker->fluent_of.count <= literal >> 1)
    vector_push(&maker->fluent_of, 0);
  maker->fluent_of.data[literal >> 1] = f + 1;
  return literal;
}

/* One of two fluents that exclude each other, and of which one is true, is the
   negation of the other. */
static void unite_opposites(Maker *maker, const OneHot *onehot) {
  for (uint32_t i = 0; i < onehot->groups.count; i++) {
    const OneHotGroup *group = &onehot->groups.data[i];
    if (group->count != 2 || group->at_most != EVIDENCE_PROVED ||
        group->at_least != EVIDENCE_PROVED)
      continue;
    const uint32_t *members = onehot_members(onehot, group);
    const NetFluent *fluents = maker->net->fluents.data;
    SatLiteral *first = &maker->gates[fluents[members[0]].gate];
    SatLiteral *second = &maker->gates[fluents[members[1]].gate];
    if (*first > FORMULA_TRUE && *second > FORMULA_TRUE) *second = *first ^ 1;
  }
}

static void evaluate_state(Maker *maker, const Analysis *analysis) {
  const Net *net = maker->net;
  bool *still = memory_new(net->gates.count * sizeof *still);
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    still[gate] = maker->wanted[gate] && !maker->moved[gate];
    maker->gates[gate] = FORMULA_NONE;
  }
  for (uint32_t f = 0; f < net->fluents.count; f++)
    maker->gates[net->fluents.data[f].gate] = symbol(maker, analysis, f);
  unite_opposites(maker, &analysis->onehot);
  formula_evaluate(&maker->formula, net, still, maker->gates);
  memory_delete(still);
}

/* Requires what is proved of the groups; see onehot_holds. */
static void add_groups(Maker *maker, const OneHot *onehot) {
  SatLiterals list = {0};
  for (uint32_t i = 0; i < onehot->groups.count; i++) {
    const OneHotGroup *group = &onehot->groups.data[i];
    vector_clear(&list);
    for (uint32_t j = 0; j < group->count; j++) {
      uint32_t fluent = onehot_members(onehot, group)[j];
      vector_push(&list, maker->gates[maker->net->fluents.data[fluent].gate]);
    }
    if (group->at_most == EVIDENCE_PROVED)
      formula_at_most_one(&maker->formula, list.data, list.count);
    if (group->at_least == EVIDENCE_PROVED)
      formula_require(&maker->formula, list.data, list.count);
  }
  vector_free(&list);
}

static void evaluate_move(Maker *maker, uint32_t move) {
  const Net *net = maker->net;
  memcpy(maker->own, maker->gates, net->gates.count * sizeof *maker->own);
  for (uint32_t m = 0; m < net->moves.count; m++)
    maker->own[net->moves.data[m].gate] =
        m == move ? FORMULA_TRUE : FORMULA_FALSE;
  formula_evaluate(&maker->formula, net, maker->wanted, maker->own);
}

static void index_variables(Maker *maker) {
  const Formula *formula = &maker->formula;
  uint32_t count = sat_statistics(formula->sat).variables;
  while (maker->and_of.count < count) vector_push(&maker->and_of, 0);
  while (maker->fluent_of.count < count) vector_push(&maker->fluent_of, 0);
  for (; maker->ands < formula->ands.count; maker->ands++)
    maker->and_of.data[formula->ands.data[maker->ands].literal >> 1] =
        maker->ands;
}

/* ---- what moves need ---- */

static void need(Maker *maker, NumberVector *lists, uint32_t move,
                 uint32_t fluent, bool negated) {
  if (maker->interfere->timed[fluent]) maker->reads_time = true;
  NumberVector *list = &lists[fluent << 1 | negated];
  if (list->count == 0 || vector_last(list) != move) vector_push(list, move);
}

static void visit(Maker *maker, SatLiteral literal) {
  if (literal > FORMULA_TRUE && marks_add(&maker->seen, literal))
    vector_push(&maker->stack, literal);
}

/* The move needs every literal of a fluent that this one grows with. */
static void read_literal(Maker *maker, NumberVector *lists, uint32_t move,
                         SatLiteral literal) {
  visit(maker, literal);
  while (maker->stack.count) {
    SatLiteral at = maker->stack.data[--maker->stack.count];
    uint32_t fluent = maker->fluent_of.data[at >> 1];
    if (fluent) {
      need(maker, lists, move, fluent - 1, at & 1);
      continue;
    }
    const FormulaAnd *g =
        &maker->formula.ands.data[maker->and_of.data[at >> 1]];
    for (uint32_t i = 0; i < g->count; i++)
      visit(maker, maker->formula.inputs.data[g->first + i] ^ (at & 1));
  }
}

/* True if nothing is known, by mere propagation, that keeps the literals from
   being true together. */
static bool is_possible(Maker *maker, SatLiteral a, SatLiteral b,
                        SatLiteral c) {
  SatLiteral list[3] = {a, b, c};
  uint32_t none = 0;
  return sat_solve(maker->formula.sat, list, 3, &none, 0, UINT64_MAX) != SAT_NO;
}

/* What the fluent becomes by the move, if it is made where it is legal: a
   constant, the fluent itself, or anything. */
static SatLiteral simplify(Maker *maker, SatLiteral legal, SatLiteral before,
                           SatLiteral next) {
  if (next <= FORMULA_TRUE || next == before ||
      sat_statistics(maker->formula.sat).propagations > MOST_PROPAGATIONS)
    return next;
  if (!is_possible(maker, legal, next, before ^ 1) &&
      !is_possible(maker, legal, next ^ 1, before))
    return before;
  if (!is_possible(maker, legal, next, FORMULA_TRUE)) return FORMULA_FALSE;
  if (!is_possible(maker, legal, next ^ 1, FORMULA_TRUE)) return FORMULA_TRUE;
  return next;
}

/* Another move must not change what the fluent becomes. */
static void add_write(Maker *maker, uint32_t move, uint32_t fluent,
                      SatLiteral next) {
  Interfere *interfere = maker->interfere;
  InterfereMove *own = &interfere->moves.data[move];
  WriteKind kind = next == FORMULA_FALSE  ? WRITE_FALSE
                   : next == FORMULA_TRUE ? WRITE_TRUE
                                          : WRITE_DEPENDS;
  vector_push(&interfere->writes, ((Write){fluent, kind}));
  own->write_count++;
  own->depends |= kind == WRITE_DEPENDS;
  if (kind != WRITE_FALSE) need(maker, maker->firm, move, fluent, false);
  if (kind != WRITE_TRUE) need(maker, maker->firm, move, fluent, true);
}

static void add_move(Maker *maker, const Analysis *analysis, uint32_t move) {
  const Net *net = maker->net;
  InterfereMove own = {.writes = maker->interfere->writes.count};
  vector_push(&maker->interfere->moves, own);
  evaluate_move(maker, move);
  index_variables(maker);
  marks_clear(&maker->seen);
  SatLiteral legal = formula_signal(maker->gates, net->moves.data[move].legal);
  vector_push(&maker->legal, legal);
  read_literal(maker, maker->needs, move, legal);
  marks_clear(&maker->seen);
  for (uint32_t f = 0; f < net->fluents.count; f++) {
    SatLiteral before = maker->gates[net->fluents.data[f].gate];
    SatLiteral next = formula_signal(maker->own, net->fluents.data[f].next);
    if (!analysis->subgames.of_fluent[f]) continue;
    next = simplify(maker, legal, before, next);
    if (next == before) continue;
    add_write(maker, move, f, next);
    read_literal(maker, maker->firm, move, next);
    read_literal(maker, maker->firm, move, next ^ 1);
  }
}

/* ---- who harms whom ---- */

static SatLiteral after_literal(const Maker *maker, SatLiteral literal) {
  if (literal <= FORMULA_TRUE) return literal;
  return maker->after.data[literal >> 1] ^ (literal & 1);
}

/* Prepares for evaluate_after: constants that the move writes. What depends on
   the state becomes unknown. */
static void begin_after(Maker *maker, const InterfereMove *own) {
  const Net *net = maker->net;
  marks_clear(&maker->known);
  for (uint32_t i = 0; i < own->write_count; i++) {
    Write write = maker->interfere->writes.data[own->writes + i];
    SatLiteral symbol = maker->gates[net->fluents.data[write.fluent].gate];
    if (symbol <= FORMULA_TRUE) continue;
    while (maker->after.count <= symbol >> 1) vector_push(&maker->after, 0);
    SatLiteral value = write.kind == WRITE_DEPENDS
                           ? formula_variable(&maker->formula)
                           : (SatLiteral)(write.kind == WRITE_TRUE);
    maker->after.data[symbol >> 1] = value ^ (symbol & 1);
    marks_add(&maker->known, symbol >> 1);
  }
}

/* Evaluates an input of the conjunction later; returns false if it is known. */
static bool postpone(Maker *maker, SatLiteral literal) {
  if (literal <= FORMULA_TRUE || marks_has(&maker->known, literal >> 1))
    return false;
  vector_push(&maker->stack, literal >> 1);
  return true;
}

/* The value of a literal after the move: depth first, without recursion. */
static SatLiteral evaluate_after(Maker *maker, SatLiteral literal) {
  SatLiterals list = {0};
  postpone(maker, literal);
  while (maker->stack.count) {
    uint32_t variable = vector_last(&maker->stack);
    while (maker->after.count <= variable) vector_push(&maker->after, 0);
    uint32_t number = maker->and_of.data[variable];
    SatLiteral value = variable << 1;
    bool ready = true;
    if (number) {
      FormulaAnd g = maker->formula.ands.data[number];
      const SatLiteral *inputs = maker->formula.inputs.data + g.first;
      for (uint32_t i = 0; i < g.count; i++)
        ready &= !postpone(maker, inputs[i]);
      if (!ready) continue;
      vector_clear(&list);
      for (uint32_t i = 0; i < g.count; i++)
        vector_push(&list, after_literal(maker, inputs[i]));
      value = formula_and(&maker->formula, list.data, list.count);
    }
    maker->after.data[variable] = value;
    marks_add(&maker->known, variable);
    maker->stack.count--;
  }
  vector_free(&list);
  return after_literal(maker, literal);
}

/* True if the move may make the other one illegal. */
static bool may_forbid(Maker *maker, uint32_t move, uint32_t other) {
  SatLiteral legal = maker->legal.data[other];
  if (sat_statistics(maker->formula.sat).propagations > 2 * MOST_PROPAGATIONS)
    return true;
  SatLiteral after = evaluate_after(maker, legal);
  if (after == FORMULA_FALSE) return true;
  if (after == FORMULA_TRUE || after == legal) return false;
  return is_possible(maker, maker->legal.data[move], legal, after ^ 1);
}

/* Adds moves that need a literal which the move may make false; `firmly`: their
   effect needs it. */
static void add_harmed(Maker *maker, uint32_t move, bool firmly) {
  Interfere *interfere = maker->interfere;
  const InterfereMove *own = &interfere->moves.data[move];
  NumberVector *lists = firmly ? maker->firm : maker->needs;
  for (uint32_t i = 0; i < own->write_count; i++) {
    Write write = interfere->writes.data[own->writes + i];
    for (uint32_t value = 0; value < 2; value++) {
      if (write.kind == (value ? WRITE_FALSE : WRITE_TRUE)) continue;
      /* it may get this value, which harms those who need the other one */
      const NumberVector *hurt = &lists[write.fluent << 1 | value];
      for (uint32_t j = 0; j < hurt->count; j++)
        if (marks_add(&maker->seen, hurt->data[j]) &&
            (firmly || may_forbid(maker, move, hurt->data[j])))
          vector_push(&interfere->rivals, hurt->data[j]);
    }
  }
}

static void add_rivals(Maker *maker, uint32_t move) {
  Interfere *interfere = maker->interfere;
  InterfereMove *own = &interfere->moves.data[move];
  own->rivals = interfere->rivals.count;
  marks_clear(&maker->seen);
  marks_add(&maker->seen, move);
  add_harmed(maker, move, true);
  begin_after(maker, own);
  add_harmed(maker, move, false);
  own->rival_count = interfere->rivals.count - own->rivals;
}

static void begin(Maker *maker) {
  find_cones(maker);
  evaluate_state(maker, maker->analysis);
  add_groups(maker, &maker->analysis->onehot);
  index_variables(maker);
  if (!sat_settle(maker->formula.sat))
    maker->interfere->status = INTERFERE_USELESS;
}

/* Finds the rivals of one more move. */
static void compare(Maker *maker) {
  Interfere *interfere = maker->interfere;
  uint64_t count = maker->net->moves.count;
  uint64_t most = count * (count - 1) / FEW * (FEW - 1);
  if (most > MOST_RIVALS) most = MOST_RIVALS;
  add_rivals(maker, maker->compared++);
  if (maker->compared == count) interfere->status = INTERFERE_READY;
  if (interfere->rivals.count > most) interfere->status = INTERFERE_USELESS;
}

static void delete_maker(Maker *maker) {
  if (!maker) return;
  formula_free(&maker->formula);
  memory_delete(maker->gates);
  memory_delete(maker->own);
  memory_delete(maker->wanted);
  memory_delete(maker->moved);
  for (uint32_t i = 0; i < 2 * maker->net->fluents.count; i++) {
    vector_free(&maker->needs[i]);
    vector_free(&maker->firm[i]);
  }
  memory_delete(maker->needs);
  memory_delete(maker->firm);
  vector_free(&maker->legal);
  vector_free(&maker->after);
  marks_free(&maker->known);
  vector_free(&maker->fluent_of);
  vector_free(&maker->and_of);
  vector_free(&maker->stack);
  marks_free(&maker->seen);
  memory_delete(maker);
}

InterfereStatus interfere_work(Interfere *interfere) {
  Maker *maker = interfere->maker;
  if (interfere->status != INTERFERE_WORKING) return interfere->status;
  if (maker->reads_time)
    interfere->status = INTERFERE_USELESS;
  else if (maker->and_of.count == 0)
    begin(maker);
  else if (interfere->moves.count < interfere->net->moves.count)
    add_move(maker, maker->analysis, interfere->moves.count);
  else
    compare(maker);
  if (interfere->status != INTERFERE_WORKING) {
    delete_maker(maker);
    interfere->maker = NULL;
  }
  return interfere->status;
}

void interfere_init(Interfere *interfere, const Net *net,
                    const Analysis *analysis, const uint64_t *start) {
  uint64_t gates = net->gates.count, fluents = net->fluents.count;
  *interfere = (Interfere){.net = net, .status = INTERFERE_USELESS};
  if (net->moves.count < 2 || net->moves.count > MOST_MOVES ||
      gates * net->moves.count > MOST_WORK)
    return;
  interfere->status = INTERFERE_WORKING;
  interfere->timed = memory_new(fluents * sizeof(bool));
  add_times(interfere, analysis, start);
  Maker *maker = memory_new(sizeof *maker);
  *maker = (Maker){
      .interfere = interfere, .analysis = analysis, .net = net, .ands = 1};
  formula_init(&maker->formula);
  maker->gates = memory_new(gates * sizeof *maker->gates);
  maker->own = memory_new(gates * sizeof *maker->own);
  maker->wanted = memory_new(gates * sizeof(bool));
  maker->moved = memory_new(gates * sizeof(bool));
  maker->needs = memory_new(2 * fluents * sizeof *maker->needs);
  maker->firm = memory_new(2 * fluents * sizeof *maker->firm);
  interfere->maker = maker;
}

void interfere_free(Interfere *interfere) {
  delete_maker(interfere->maker);
  vector_free(&interfere->moves);
  vector_free(&interfere->writes);
  vector_free(&interfere->rivals);
  vector_free(&interfere->times);
  memory_delete(interfere->timed);
}
