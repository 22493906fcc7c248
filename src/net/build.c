/* Rules come in the order of their predicates' components, callees first. For
   each component every instance of its rules is found again by a join over all
   rows; its literals' signals make one AND, and the ANDs of one head one OR.
   Static literals vanish. The instances of a recursive component are kept until
   all are known (net/loops.h). */
#include "net/build.h"

#include "base/trial.h"
#include "ground/instances.h"
#include "ground/split.h"
#include "net/loops.h"

/* One of the ways to make a head true. */
typedef struct Way {
  uint32_t head;
  Signal signal;
} Way;

typedef struct Builder {
  Net *net;
  Ground *ground;
  Text *error;
  NumberVector *signals; /* by relation, by row: of derived atoms */
  Signal *fluents;       /* by ground fluent */
  Signal *does, *legal;  /* by ground move */
  Signal *next;          /* by ground fluent */
  VECTOR(Way) ways;
  NumberVector beyond_base, beyond_input; /* signals */
  /* of a recursive component */
  bool recursive;
  uint32_t *first_atom; /* by relation + 1, 0: not in the component */
  uint32_t legal_atoms; /* first atom of the moves + 1, 0: not in it */
  Loops loops;
} Builder;

/* A rule whose instances are being turned into ways. */
typedef struct Emission {
  Builder *builder;
  const GroundRule *rule;
  uint32_t *source_of; /* by literal: its number among the join's sources */
  Pattern **patterns;  /* by literal: columns of negative ones */
  Signal *list;        /* signals of the instance's literals */
  uint32_t *atoms;
} Emission;

/* ---- signals of literals ---- */

static GroundRelation *relation_of(const Builder *builder, uint32_t number) {
  return builder->ground->relations.data[number];
}

/* The signal of a row, as the literal reads it. */
static Signal row_signal(const Builder *builder, const GroundLiteral *literal,
                         uint32_t row) {
  const GroundRelation *relation = relation_of(builder, literal->relation);
  switch (relation->kind) {
  case HOLDS_ALWAYS:
  case HOLDS_GUARD: return SIGNAL_TRUE;
  case HOLDS_FLUENT: return builder->fluents[relation->ids.data[row]];
  case HOLDS_MOVE:
    return (literal->legality ? builder->legal
                              : builder->does)[relation->ids.data[row]];
  case HOLDS_DERIVED: break;
  }
  return builder->signals[literal->relation].data[row];
}

/* The literal's atom in the current recursive component, + 1; 0: outside. */
static uint32_t own_atom(const Builder *builder, const GroundLiteral *literal,
                         uint32_t row) {
  if (!builder->recursive) return 0;
  const GroundRelation *relation = relation_of(builder, literal->relation);
  if (relation->kind == HOLDS_MOVE)
    return literal->legality && builder->legal_atoms
               ? builder->legal_atoms + relation->ids.data[row]
               : 0;
  return builder->first_atom[literal->relation]
             ? builder->first_atom[literal->relation] + row
             : 0;
}

/* The row of a negative literal, or RELATION_END if its atom is never true. */
static uint32_t negative_row(Emission *emission, uint32_t i,
                             const Term *environment) {
  const GroundLiteral *literal = &emission->rule->body[i];
  GroundRelation *relation = relation_of(emission->builder, literal->relation);
  Term row[TERM_LARGEST_ARITY];
  for (uint32_t c = 0; c < relation->rows.arity; c++) {
    row[c] = pattern_find(emission->builder->ground->terms,
                          &emission->patterns[i][c], environment);
    if (!row[c]) return RELATION_END;
  }
  return relation_find(&relation->rows, row);
}

/* ---- instances ---- */

static const uint32_t BEYOND = UINT32_MAX; /* of base or input */

/* The number of the instance's head among the heads of its kind, or BEYOND. */
static bool head_number(Emission *emission, const Term *environment,
                        uint32_t *number) {
  Ground *ground = emission->builder->ground;
  const GroundRule *rule = emission->rule;
  Term head[TERM_LARGEST_ARITY];
  for (uint32_t i = 0; i < rule->head_count; i++)
    head[i] = pattern_build(ground->terms, &rule->patterns[i], environment);
  if (rule->kind == HEAD_NEXT) {
    *number = ground->fluent_of.data[head[0]] - 1; /* 0 - 1 is BEYOND */
  } else if (rule->kind == HEAD_LEGAL) {
    const TermVector *roles = &ground->description->rules.roles;
    uint32_t role = 0;
    while (role < roles->count && roles->data[role] != head[0]) role++;
    if (role == roles->count) return false;
    *number = ground->move_of[role].data[head[1]] - 1;
  } else {
    *number = relation_find(
        &relation_of(emission->builder, rule->relation)->rows, head);
  }
  return true;
}

static bool emit(void *context, const Term *environment, const uint32_t *rows) {
  trial_check();
  Emission *emission = context;
  Builder *builder = emission->builder;
  const GroundRule *rule = emission->rule;
  uint32_t count = 0, atoms = 0, head;
  for (uint32_t i = 0; i < rule->count; i++) {
    const GroundLiteral *literal = &rule->body[i];
    if (literal->sign == UNEQUAL ||
        relation_of(builder, literal->relation)->kind == HOLDS_ALWAYS)
      continue;
    bool negative = literal->sign == NEGATIVE;
    uint32_t row = negative ? negative_row(emission, i, environment)
                            : rows[emission->source_of[i]];
    if (row == RELATION_END) continue;
    uint32_t atom = own_atom(builder, literal, row);
    if (atom) {
      emission->atoms[atoms++] = (atom - 1) << 1 | negative;
      continue;
    }
    Signal signal = row_signal(builder, literal, row) ^ (Signal)negative;
    if (signal == SIGNAL_FALSE) return true;
    if (signal != SIGNAL_TRUE) emission->list[count++] = signal;
  }
  if (!head_number(emission, environment, &head)) return true;
  Signal signal = net_and(builder->net, emission->list, count);
  if (signal == SIGNAL_FALSE) return true;
  if (head == BEYOND) {
    /* atoms of its own component have no signals yet: assume the worst */
    if (atoms) signal = SIGNAL_TRUE;
    vector_push(rule->kind == HEAD_NEXT ? &builder->beyond_base
                                        : &builder->beyond_input,
                signal);
    return true;
  }
  if (!builder->recursive) {
    vector_push(&builder->ways, ((Way){head, signal}));
    return true;
  }
  uint32_t base = rule->kind == HEAD_LEGAL
                      ? builder->legal_atoms
                      : builder->first_atom[rule->relation];
  loops_add(&builder->loops, base - 1 + head, signal, emission->atoms, atoms);
  return true;
}

static void emission_init(Emission *emission, Builder *builder,
                          const GroundRule *rule, Arena *arena) {
  Ground *ground = builder->ground;
  *emission = (Emission){.builder = builder, .rule = rule};
  emission->source_of = arena_new(arena, (rule->count + 1) * sizeof(uint32_t));
  emission->patterns = arena_new(arena, (rule->count + 1) * sizeof(Pattern *));
  emission->list = arena_new(arena, (rule->count + 1) * sizeof(Signal));
  emission->atoms = arena_new(arena, (rule->count + 1) * sizeof(uint32_t));
  PatternScope scope = {ground->terms, arena, rule->variables, NULL};
  scope.bound = arena_new(arena, rule->variables.count * sizeof(bool));
  for (uint32_t i = 0; i < rule->variables.count; i++) scope.bound[i] = true;
  uint32_t sources = 0;
  for (uint32_t i = 0; i < rule->count; i++) {
    const GroundLiteral *literal = &rule->body[i];
    emission->source_of[i] = sources;
    if (literal->sign == NEGATIVE &&
        relation_of(builder, literal->relation)->kind != HOLDS_ALWAYS) {
      uint32_t arity = relation_of(builder, literal->relation)->rows.arity;
      emission->patterns[i] = arena_new(arena, (arity + 1) * sizeof(Pattern));
      for (uint32_t c = 0; c < arity; c++)
        pattern_make(&scope, literal->columns[c], &emission->patterns[i][c]);
    } else {
      sources++;
    }
  }
}

static bool emit_rule(Builder *builder, const GroundRule *rule) {
  Arena arena = {0};
  Emission emission;
  emission_init(&emission, builder, rule, &arena);
  JoinRange *ranges = arena_new(&arena, (rule->count + 1) * sizeof *ranges);
  instances_ranges(builder->ground, rule, JOIN_NO_FIRST, ranges);
  Join *join = instances_join(builder->ground, rule, JOIN_NO_FIRST);
  bool fine = join_run(join, ranges, &builder->ground->budget, emit, &emission);
  join_delete(join);
  arena_free(&arena);
  if (!fine) ground_fail_budget(builder->ground);
  return fine;
}

/* ---- heads ---- */

/* Makes the OR of the ways to each head, by counting sort; heads without a way
   are false. */
static void join_ways(Builder *builder, Signal *signals, uint32_t count) {
  uint32_t *first = memory_new((count + 2) * sizeof *first);
  Signal *sorted = memory_new((builder->ways.count + 1) * sizeof *sorted);
  for (uint32_t i = 0; i < builder->ways.count; i++)
    first[builder->ways.data[i].head + 2]++;
  for (uint32_t i = 0; i < count; i++) first[i + 2] += first[i + 1];
  for (uint32_t i = 0; i < builder->ways.count; i++)
    sorted[first[builder->ways.data[i].head + 1]++] =
        builder->ways.data[i].signal;
  for (uint32_t i = 0; i < count; i++)
    signals[i] =
        net_or(builder->net, sorted + first[i], first[i + 1] - first[i]);
  vector_clear(&builder->ways);
  memory_delete(first);
  memory_delete(sorted);
}

static Signal *heads_of(Builder *builder, const GroundRule *rule,
                        uint32_t *count) {
  switch (rule->kind) {
  case HEAD_NEXT: *count = builder->ground->fluents.count; return builder->next;
  case HEAD_LEGAL: *count = builder->ground->moves.count; return builder->legal;
  default: break;
  }
  *count = relation_of(builder, rule->relation)->rows.count;
  return builder->signals[rule->relation].data;
}

/* ---- components ---- */

static bool is_dynamic(const Builder *builder, const GroundRule *rule) {
  if (rule->kind == HEAD_INIT || (rule->owner && rule->owner->use_plain))
    return false;
  return rule->kind != HEAD_ROW ||
         relation_of(builder, rule->relation)->kind == HOLDS_DERIVED;
}

/* Numbers the atoms of the rules' heads; returns whether these rules read any
   of them. */
static bool number_atoms(Builder *builder, GroundRule *const *rules,
                         uint32_t count) {
  builder->loops.count = 0;
  for (uint32_t r = 0; r < count; r++) {
    uint32_t *first = rules[r]->kind == HEAD_LEGAL
                          ? &builder->legal_atoms
                          : &builder->first_atom[rules[r]->relation];
    uint32_t heads;
    if (rules[r]->kind == HEAD_NEXT || *first) continue;
    *first = builder->loops.count + 1;
    heads_of(builder, rules[r], &heads);
    builder->loops.count += heads;
  }
  for (uint32_t r = 0; r < count; r++)
    for (uint32_t i = 0; i < rules[r]->count; i++) {
      const GroundLiteral *literal = &rules[r]->body[i];
      if (literal->sign == UNEQUAL) continue;
      if (literal->legality ? builder->legal_atoms
                            : builder->first_atom[literal->relation])
        return true;
    }
  return false;
}

static void forget_atoms(Builder *builder, GroundRule *const *rules,
                         uint32_t count) {
  for (uint32_t r = 0; r < count; r++)
    if (rules[r]->kind == HEAD_ROW) builder->first_atom[rules[r]->relation] = 0;
  builder->legal_atoms = 0;
  loops_clear(&builder->loops);
}

/* Copies the atoms' signals to where each kind of head keeps them. */
static void keep_signals(Builder *builder, GroundRule *const *rules,
                         uint32_t count, const Signal *signals) {
  for (uint32_t r = 0; r < count; r++) {
    uint32_t heads, first = rules[r]->kind == HEAD_LEGAL
                                ? builder->legal_atoms
                                : builder->first_atom[rules[r]->relation];
    Signal *own = heads_of(builder, rules[r], &heads);
    memcpy(own, signals + first - 1, heads * sizeof *own);
  }
}

static bool build_component(Builder *builder, GroundRule *const *rules,
                            uint32_t count) {
  bool fine = true;
  builder->recursive = number_atoms(builder, rules, count);
  for (uint32_t r = 0; r < count && fine; r++)
    fine = emit_rule(builder, rules[r]);
  if (fine && builder->recursive) {
    Signal *signals = memory_new((builder->loops.count + 1) * sizeof *signals);
    fine = loops_define(&builder->loops, builder->net, signals);
    if (!fine) text_add(builder->error, "negation is not stratified");
    if (fine) keep_signals(builder, rules, count, signals);
    memory_delete(signals);
  } else if (fine) {
    uint32_t heads;
    Signal *signals = heads_of(builder, rules[0], &heads);
    join_ways(builder, signals, heads);
  }
  forget_atoms(builder, rules, count);
  return fine;
}

/* Builds each component from its rules, split or plain as chosen. */
static bool build_components(Builder *builder) {
  Ground *ground = builder->ground;
  RuleVector chosen = {0};
  bool fine = true;
  for (uint32_t r = 0; r < ground->rules.count && fine;) {
    uint32_t component = ground_component(ground, ground->rules.data[r]);
    vector_clear(&chosen);
    for (; r < ground->rules.count &&
           ground_component(ground, ground->rules.data[r]) == component;
         r++) {
      GroundRule *rule = ground->rules.data[r];
      if (!is_dynamic(builder, rule)) continue;
      if (rule->plain && rule->plain->use_plain) rule = rule->plain;
      vector_push(&chosen, rule);
    }
    if (chosen.count)
      fine = build_component(builder, chosen.data, chosen.count);
  }
  vector_free(&chosen);
  return fine;
}

/* ---- inputs and outputs ---- */

static void add_inputs(Builder *builder) {
  Ground *ground = builder->ground;
  for (uint32_t i = 0; i < ground->fluents.count; i++) {
    const GroundFluent *fluent = &ground->fluents.data[i];
    Signal signal = net_add_fluent(builder->net, fluent->term, fluent->initial);
    builder->fluents[i] = fluent->constant ? SIGNAL_TRUE : signal;
  }
  for (uint32_t role = 0; role < builder->net->role_count; role++)
    for (uint32_t i = 0; i < ground->moves.count; i++)
      if (ground->moves.data[i].role == role)
        builder->does[i] =
            net_add_move(builder->net, role, ground->moves.data[i].term);
}

static void add_goals(Builder *builder) {
  Ground *ground = builder->ground;
  const Dependencies *d = &ground->description->dependencies;
  uint32_t number = ground->of_predicate[dependencies_find(d, SYMBOL_GOAL, 2)];
  const GroundRelation *relation = relation_of(builder, number);
  const TermVector *roles = &ground->description->rules.roles;
  for (uint32_t row = 0; row < relation->rows.count; row++) {
    const Term *cells = relation_row(&relation->rows, row);
    Signal signal = relation->kind == HOLDS_ALWAYS
                        ? SIGNAL_TRUE
                        : builder->signals[number].data[row];
    int64_t value = term_number(ground->terms, cells[1]);
    for (uint32_t role = 0; role < roles->count; role++)
      if (roles->data[role] == cells[0])
        vector_push(&builder->net->goals,
                    ((NetGoal){role, value <= 100 ? (int)value : -1, cells[1],
                               signal}));
  }
}

static void add_outputs(Builder *builder) {
  Ground *ground = builder->ground;
  Net *net = builder->net;
  const Dependencies *d = &ground->description->dependencies;
  for (uint32_t i = 0; i < ground->fluents.count; i++)
    net->fluents.data[i].next =
        ground->fluents.data[i].constant ? SIGNAL_TRUE : builder->next[i];
  for (uint32_t i = 0; i < ground->moves.count; i++) {
    uint32_t move = net->gates.data[signal_gate(builder->does[i])].first;
    net->moves.data[move].legal = builder->legal[i];
  }
  uint32_t number =
      ground->of_predicate[dependencies_find(d, SYMBOL_TERMINAL, 0)];
  const GroundRelation *terminal = relation_of(builder, number);
  if (terminal->rows.count)
    net->terminal = terminal->kind == HOLDS_ALWAYS
                        ? SIGNAL_TRUE
                        : builder->signals[number].data[0];
  add_goals(builder);
  if (builder->beyond_base.count)
    net->beyond_base =
        net_or(net, builder->beyond_base.data, builder->beyond_base.count);
  if (builder->beyond_input.count)
    net->beyond_input =
        net_or(net, builder->beyond_input.data, builder->beyond_input.count);
}

static Signal *new_signals(uint32_t count) {
  return memory_new((count + 1) * sizeof(Signal));
}

bool build_net(Net *net, Ground *ground, Text *error) {
  uint32_t relations = ground->relations.count;
  net_init(net, ground->description->rules.roles.count);
  Builder builder = {.net = net,
                     .ground = ground,
                     .error = error,
                     .fluents = new_signals(ground->fluents.count),
                     .next = new_signals(ground->fluents.count),
                     .does = new_signals(ground->moves.count),
                     .legal = new_signals(ground->moves.count),
                     .signals = memory_new(relations * sizeof(NumberVector)),
                     .first_atom = new_signals(relations)};
  for (uint32_t r = 1; r < relations; r++)
    if (relation_of(&builder, r)->kind == HOLDS_DERIVED)
      for (uint32_t i = 0; i <= relation_of(&builder, r)->rows.count; i++)
        vector_push(&builder.signals[r], SIGNAL_FALSE);
  split_choose(ground);
  add_inputs(&builder);
  bool fine = build_components(&builder);
  if (fine) add_outputs(&builder);
  for (uint32_t r = 0; r < relations; r++) vector_free(&builder.signals[r]);
  memory_delete(builder.signals);
  memory_delete(builder.first_atom);
  memory_delete(builder.fluents);
  memory_delete(builder.next);
  memory_delete(builder.does);
  memory_delete(builder.legal);
  vector_free(&builder.ways);
  vector_free(&builder.beyond_base);
  vector_free(&builder.beyond_input);
  loops_free(&builder.loops);
  return fine;
}
