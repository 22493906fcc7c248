/* The states between stages are free variables, tied together by what moves do
   (effects) and by what no move does (a fluent changes only if some move
   changes it); see Rintanen, Heljanko and Niemelä 2006 on steps of this kind.

   Whether a state is terminal, and its goal, may depend on the number of moves:
   then the moves of all stages are counted, and each number that could end the
   game is a question of its own. With few stages not every plan can be found,
   so nothing is ever proved here. An order of the moves is looked for on an
   engine, since the game may end or a move be impossible halfway; sets of moves
   without an order are excluded.

   Measured, in processor time of the whole method: sudokuGrade6H takes 0.2 s,
   queens31lg 0.5 s, hidato37 4 s.

   In a bold stage a move is legal if it could be with each fluent as it is
   before or after the stage, whatever is better for it. Every gate then has two
   literals: that it may be true, and that it may be false. */
#include "solve/stages.h"

#include <inttypes.h>

#include "analyse/formula.h"
#include "base/bits.h"
#include "base/trial.h"

enum {
  PIECE = 2000,   /* propagations in one go */
  PATIENCE = 300, /* states of work before the first question is left */
  MOST_STAGES = 24,
  MOST_FAILURES = 200, /* sets of moves without an order */
  SHARE = 3            /* this part of the memory is for clauses as they are */
};

typedef struct StageMove {
  uint32_t move, stage;
  SatLiteral literal;
} StageMove;

/* A question: this many stages, ending after this many moves. */
typedef struct Aim {
  uint32_t stages;
  uint32_t count; /* moves; or ANY */
  SatLiteral literal;
  int goal;
  uint64_t spent;
  bool refuted;
} Aim;

static const uint32_t ANY = UINT32_MAX;

struct Stages {
  Puzzle *puzzle;
  const Net *net;
  const Analysis *analysis;
  size_t memory;
  bool bold;
  const Interfere *interfere;
  Formula formula;
  uint32_t count; /* stages so far */
  VECTOR(StageMove) moves;
  SatLiterals fluents;   /* of the state after the last stage */
  SatLiteral *gates;     /* of that state */
  SatLiteral *cofactors; /* the same with one move */
  SatLiteral *own;       /* by move: its literal in the stage being made */
  bool *state_cone, *move_cone, *end_cone;
  uint64_t *harm; /* set of move * moves + rival */
  VECTOR(Aim) aims;
  uint32_t asked; /* + 1: the aim that the solver works on; 0: none */
  uint64_t turn_end, work;
  uint32_t failures;
  bool full;
  MoveVector order;
};

/* ---- making ---- */

static void spread(const Net *net, bool *cone) {
  for (Gate gate = net->gates.count; gate-- > 0;) {
    const NetGate *g = &net->gates.data[gate];
    for (uint32_t i = 0; cone[gate] && g->kind == GATE_AND && i < g->count; i++)
      cone[signal_gate(net_inputs(net, gate)[i])] = true;
  }
}

static void make_cones(Stages *stages) {
  const Net *net = stages->net;
  stages->state_cone = memory_new(net->gates.count * sizeof(bool));
  stages->move_cone = memory_new(net->gates.count * sizeof(bool));
  stages->end_cone = memory_new(net->gates.count * sizeof(bool));
  for (uint32_t m = 0; m < net->moves.count; m++)
    stages->state_cone[signal_gate(net->moves.data[m].legal)] = true;
  for (uint32_t f = 0; f < net->fluents.count; f++)
    stages->move_cone[signal_gate(net->fluents.data[f].next)] = true;
  stages->end_cone[signal_gate(net->terminal)] = true;
  for (uint32_t i = 0; i < net->goals.count; i++)
    stages->end_cone[signal_gate(net->goals.data[i].signal)] = true;
  spread(net, stages->state_cone);
  spread(net, stages->move_cone);
  spread(net, stages->end_cone);
}

static void list_harm(Stages *stages) {
  const Interfere *interfere = stages->interfere;
  size_t count = stages->net->moves.count;
  stages->harm = memory_new(bits_words(count * count) * sizeof(uint64_t));
  for (size_t m = 0; m < count; m++) {
    const InterfereMove *move = &interfere->moves.data[m];
    for (uint32_t i = 0; i < move->rival_count; i++)
      bits_add(stages->harm,
               m * count + interfere->rivals.data[move->rivals + i]);
  }
}

/* Evaluates gates that do not depend on moves or on the time. */
static void look_at_state(Stages *stages) {
  const Net *net = stages->net;
  for (Gate gate = 0; gate < net->gates.count; gate++)
    stages->gates[gate] = FORMULA_NONE;
  for (uint32_t f = 0; f < net->fluents.count; f++)
    stages->gates[net->fluents.data[f].gate] = stages->fluents.data[f];
  formula_evaluate(&stages->formula, net, stages->state_cone, stages->gates);
}

Stages *stages_new(Puzzle *puzzle, const Interfere *interfere, bool bold,
                   size_t memory) {
  const Net *net = puzzle->net;
  Stages *stages = memory_new(sizeof *stages);
  *stages = (Stages){.puzzle = puzzle,
                     .net = net,
                     .analysis = puzzle->book->analysis,
                     .memory = memory,
                     .bold = bold,
                     .interfere = interfere};
  formula_init(&stages->formula);
  stages->gates = memory_new(net->gates.count * sizeof *stages->gates);
  stages->cofactors = memory_new(net->gates.count * sizeof *stages->cofactors);
  stages->own = memory_new(net->moves.count * sizeof *stages->own);
  make_cones(stages);
  list_harm(stages);
  for (uint32_t f = 0; f < net->fluents.count; f++)
    vector_push(&stages->fluents,
                bits_has(puzzle->start, f) ? FORMULA_TRUE : FORMULA_FALSE);
  look_at_state(stages);
  sat_begin(stages->formula.sat, NULL, 0, NULL, 0);
  return stages;
}

void stages_delete(Stages *stages) {
  if (!stages) return;
  formula_free(&stages->formula);
  vector_free(&stages->moves);
  vector_free(&stages->fluents);
  vector_free(&stages->aims);
  vector_free(&stages->order);
  memory_delete(stages->gates);
  memory_delete(stages->cofactors);
  memory_delete(stages->own);
  memory_delete(stages->state_cone);
  memory_delete(stages->move_cone);
  memory_delete(stages->end_cone);
  memory_delete(stages->harm);
  memory_delete(stages);
}

/* ---- a stage ---- */

static void add_moves(Stages *stages) {
  const Net *net = stages->net;
  for (uint32_t m = 0; m < net->moves.count; m++) {
    SatLiteral legal =
        formula_known(&stages->formula,
                      formula_signal(stages->gates, net->moves.data[m].legal));
    stages->own[m] = FORMULA_FALSE;
    if (legal == FORMULA_FALSE) continue;
    stages->own[m] = formula_variable(&stages->formula);
    sat_prefer(stages->formula.sat, stages->own[m]);
    formula_require_two(&stages->formula, stages->own[m] ^ 1, legal);
    vector_push(&stages->moves,
                ((StageMove){m, stages->count, stages->own[m]}));
  }
}

static void exclude_rivals(Stages *stages) {
  const Interfere *interfere = stages->interfere;
  for (uint32_t m = 0; m < stages->net->moves.count; m++) {
    const InterfereMove *move = &interfere->moves.data[m];
    if (stages->own[m] == FORMULA_FALSE) continue;
    for (uint32_t i = 0; i < move->rival_count; i++) {
      SatLiteral rival = stages->own[interfere->rivals.data[move->rivals + i]];
      if (rival != FORMULA_FALSE)
        formula_require_two(&stages->formula, stages->own[m] ^ 1, rival ^ 1);
    }
  }
}

/* What fluents become by one move where that depends on the state. */
static void evaluate_move(Stages *stages, uint32_t move) {
  const Net *net = stages->net;
  memcpy(stages->cofactors, stages->gates,
         net->gates.count * sizeof *stages->gates);
  for (uint32_t m = 0; m < net->moves.count; m++)
    stages->cofactors[net->moves.data[m].gate] =
        m == move ? FORMULA_TRUE : FORMULA_FALSE;
  formula_evaluate(&stages->formula, net, stages->move_cone, stages->cofactors);
}

typedef struct Effect {
  uint32_t fluent, move;
  SatLiteral value;
} Effect;

typedef VECTOR(Effect) Effects;

/* Lists effects; sets fluents that may change to new variables in `after`. */
static void list_effects(Stages *stages, Effects *effects, SatLiterals *after) {
  const Interfere *interfere = stages->interfere;
  const Net *net = stages->net;
  for (uint32_t m = 0; m < net->moves.count; m++) {
    const InterfereMove *move = &interfere->moves.data[m];
    if (stages->own[m] == FORMULA_FALSE) continue;
    if (move->depends) evaluate_move(stages, m);
    for (uint32_t i = 0; i < move->write_count; i++) {
      Write write = interfere->writes.data[move->writes + i];
      SatLiteral value = write.kind == WRITE_TRUE;
      if (write.kind == WRITE_DEPENDS)
        value = formula_signal(stages->cofactors,
                               net->fluents.data[write.fluent].next);
      SatLiteral now = stages->fluents.data[write.fluent];
      if (value == now) continue;
      if (after->data[write.fluent] == now)
        after->data[write.fluent] = formula_variable(&stages->formula);
      vector_push(effects, ((Effect){write.fluent, m, value}));
    }
  }
}

/* A fluent keeps its value unless a move may give it the other one. */
static void add_frame(Stages *stages, const Effects *effects,
                      const SatLiterals *after) {
  uint32_t fluents = stages->net->fluents.count;
  SatLiterals *causes = memory_new(2 * fluents * sizeof *causes);
  for (uint32_t i = 0; i < effects->count; i++) {
    Effect e = effects->data[i];
    if (e.value != FORMULA_FALSE)
      vector_push(&causes[e.fluent * 2], stages->own[e.move]);
    if (e.value != FORMULA_TRUE)
      vector_push(&causes[e.fluent * 2 + 1], stages->own[e.move]);
  }
  for (uint32_t f = 0; f < fluents; f++) {
    SatLiteral now = stages->fluents.data[f], next = after->data[f];
    for (uint32_t negated = 0; negated < 2 && now != next; negated++) {
      SatLiterals *list = &causes[f * 2 + negated];
      vector_push(list, now ^ negated);
      vector_push(list, next ^ 1 ^ negated);
      formula_require(&stages->formula, list->data, list->count);
    }
    vector_free(&causes[f * 2]);
    vector_free(&causes[f * 2 + 1]);
  }
  memory_delete(causes);
}

static void add_effects(Stages *stages, const Effects *effects,
                        const SatLiterals *after) {
  Formula *formula = &stages->formula;
  for (uint32_t i = 0; i < effects->count; i++) {
    Effect e = effects->data[i];
    SatLiteral own = stages->own[e.move] ^ 1, next = after->data[e.fluent];
    formula_require(formula, (SatLiteral[]){own, e.value ^ 1, next}, 3);
    formula_require(formula, (SatLiteral[]){own, e.value, next ^ 1}, 3);
  }
  add_frame(stages, effects, after);
}

/* What is proved of all reachable states holds between stages. */
static void add_groups(Stages *stages, const SatLiterals *after) {
  const OneHot *onehot = &stages->analysis->onehot;
  SatLiterals list = {0};
  for (uint32_t i = 0; i < onehot->groups.count; i++) {
    const OneHotGroup *group = &onehot->groups.data[i];
    bool timed = false;
    vector_clear(&list);
    for (uint32_t j = 0; j < group->count; j++) {
      uint32_t fluent = onehot_members(onehot, group)[j];
      timed |= stages->interfere->timed[fluent];
      vector_push(&list, after->data[fluent]);
    }
    if (timed) continue;
    if (group->at_most == EVIDENCE_PROVED)
      formula_at_most_one(&stages->formula, list.data, list.count);
    if (group->at_least == EVIDENCE_PROVED)
      formula_require(&stages->formula, list.data, list.count);
  }
  vector_free(&list);
}

/* Computes that gates may be true, hopes[2 * gate], and may be false. */
static void hope(Stages *stages, const SatLiterals *after, SatLiteral *hopes) {
  const Net *net = stages->net;
  Formula *formula = &stages->formula;
  SatLiterals list = {0};
  for (uint32_t f = 0; f < net->fluents.count; f++) {
    SatLiteral now = stages->fluents.data[f], next = after->data[f];
    SatLiteral *own = hopes + 2 * (size_t)net->fluents.data[f].gate;
    own[0] = formula_or_two(formula, now, next);
    own[1] = formula_or_two(formula, now ^ 1, next ^ 1);
  }
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    const NetGate *g = &net->gates.data[gate];
    SatLiteral *own = hopes + 2 * (size_t)gate;
    if (!stages->state_cone[gate]) continue;
    if (g->kind == GATE_CONSTANT) {
      own[0] = FORMULA_FALSE;
      own[1] = FORMULA_TRUE;
    }
    for (uint32_t side = 0; side < 2 && g->kind == GATE_AND; side++) {
      vector_clear(&list);
      for (uint32_t i = 0; i < g->count; i++)
        vector_push(&list, hopes[net_inputs(net, gate)[i] ^ side]);
      own[side] = side ? formula_or(formula, list.data, list.count)
                       : formula_and(formula, list.data, list.count);
    }
  }
  vector_free(&list);
}

static void require_hopes(Stages *stages, const SatLiterals *after) {
  const Net *net = stages->net;
  SatLiteral *hopes = memory_new(2 * net->gates.count * sizeof *hopes);
  hope(stages, after, hopes);
  for (uint32_t m = 0; m < net->moves.count; m++)
    formula_require_two(&stages->formula, stages->own[m] ^ 1,
                        hopes[net->moves.data[m].legal]);
  memory_delete(hopes);
}

static void add_stage(Stages *stages) {
  Effects effects = {0};
  SatLiterals after = {0};
  for (uint32_t f = 0; f < stages->fluents.count; f++)
    vector_push(&after, stages->fluents.data[f]);
  add_moves(stages);
  exclude_rivals(stages);
  list_effects(stages, &effects, &after);
  if (stages->bold) require_hopes(stages, &after);
  add_effects(stages, &effects, &after);
  add_groups(stages, &after);
  sat_settle(stages->formula.sat);
  for (uint32_t f = 0; f < after.count; f++)
    stages->fluents.data[f] = formula_known(&stages->formula, after.data[f]);
  vector_free(&effects);
  vector_free(&after);
  look_at_state(stages);
  stages->count++;
}

/* ---- ends ---- */

/* The last state is terminal after so many moves, with at least the goal. */
static SatLiteral end_literal(Stages *stages, uint32_t count, int goal) {
  const Net *net = stages->net;
  const uint64_t *time = interfere_time(stages->interfere, count);
  SatLiteral *gates = stages->cofactors;
  for (Gate gate = 0; gate < net->gates.count; gate++)
    gates[gate] = FORMULA_NONE;
  for (uint32_t f = 0; f < net->fluents.count; f++)
    gates[net->fluents.data[f].gate] = stages->interfere->timed[f]
                                           ? (SatLiteral)bits_has(time, f)
                                           : stages->fluents.data[f];
  formula_evaluate(&stages->formula, net, stages->end_cone, gates);
  SatLiterals list = {0};
  for (uint32_t i = 0; i < net->goals.count; i++)
    if (net->goals.data[i].value >= goal)
      vector_push(&list, formula_signal(gates, net->goals.data[i].signal));
  SatLiteral reached = formula_or(&stages->formula, list.data, list.count);
  vector_free(&list);
  return formula_and_two(&stages->formula, formula_signal(gates, net->terminal),
                         reached);
}

/* True if the end does not depend on how many moves there are. */
static bool is_timeless(const Stages *stages) {
  const Net *net = stages->net;
  for (uint32_t f = 0; f < net->fluents.count; f++)
    if (stages->interfere->timed[f] &&
        stages->end_cone[net->fluents.data[f].gate])
      return false;
  return true;
}

/* Returns true if one of the two moves may harm the other. */
static bool are_rivals(const Stages *stages, uint32_t a, uint32_t b) {
  uint64_t moves = stages->net->moves.count;
  return bits_has(stages->harm, a * moves + b) ||
         bits_has(stages->harm, b * moves + a);
}

/* Appends the disjunction of each of several sets of moves of one stage that
   exclude each other; of such a set at most one is made. The sets are found
   greedily: moves that differ in one argument mostly are neighbours. */
static void list_sets(Stages *stages, uint32_t first, uint32_t end,
                      SatLiterals *list) {
  bool *taken = memory_new(stages->moves.count * sizeof *taken);
  NumberVector set = {0};
  SatLiterals own = {0};
  for (uint32_t i = first; i < end; i++) {
    if (taken[i]) continue;
    trial_check();
    vector_clear(&set);
    vector_clear(&own);
    for (uint32_t j = i; j < end; j++) {
      uint32_t move = stages->moves.data[j].move;
      bool fits = !taken[j];
      for (uint32_t k = 0; k < set.count && fits; k++)
        fits = are_rivals(stages, set.data[k], move);
      if (!fits) continue;
      taken[j] = true;
      vector_push(&set, move);
      vector_push(&own, stages->moves.data[j].literal);
    }
    vector_push(list, formula_or(&stages->formula, own.data, own.count));
  }
  memory_delete(taken);
  vector_free(&set);
  vector_free(&own);
}

/* Appends literals as many of which are true as moves are made. */
static void list_counted(Stages *stages, SatLiterals *list) {
  for (uint32_t first = 0, end; first < stages->moves.count; first = end) {
    uint32_t stage = stages->moves.data[first].stage;
    for (end = first; end < stages->moves.count; end++)
      if (stages->moves.data[end].stage != stage) break;
    list_sets(stages, first, end, list);
  }
}

static void add_aim(Stages *stages, uint32_t count, SatLiteral literal,
                    int goal) {
  Aim aim = {stages->count, count, literal, goal, 0, false};
  if (literal != FORMULA_FALSE) vector_push(&stages->aims, aim);
}

/* Aims of the state after the last stage: one for all numbers of moves, or one
   for each number at which the game could end. */
static void add_aims(Stages *stages, int goal) {
  uint32_t times = stages->interfere->time_count;
  if (is_timeless(stages)) {
    add_aim(stages, ANY, end_literal(stages, 0, goal), goal);
    return;
  }
  SatLiterals list = {0}, sums = {0};
  list_counted(stages, &list);
  uint32_t first = stages->aims.count, most = 0;
  for (uint32_t n = 1; n < times && n <= list.count; n++) {
    trial_check();
    add_aim(stages, n, end_literal(stages, n, goal), goal);
    if (stages->aims.count > first) most = vector_last(&stages->aims).count;
  }
  vector_resize(&sums, most + 1);
  if (most)
    formula_sums(&stages->formula, list.data, list.count, most, sums.data);
  for (uint32_t i = first; i < stages->aims.count; i++) {
    Aim *aim = &stages->aims.data[i];
    SatLiteral parts[3] = {aim->literal, sums.data[aim->count - 1],
                           sums.data[aim->count] ^ 1};
    aim->literal = formula_and(&stages->formula, parts, 3);
  }
  vector_free(&list);
  vector_free(&sums);
}

/* ---- an order of the moves ---- */

static bool is_legal(Game *game, Move move) {
  const Move *moves;
  uint32_t count = game_legal(game, 0, &moves);
  for (uint32_t i = 0; i < count; i++)
    if (moves[i] == move) return true;
  return false;
}

/* Makes one of the moves from `at` on, after which the game goes on unless it
   is the last; returns false if there is none. */
static bool make_next(Stages *stages, Game *game, uint32_t at, uint32_t end) {
  MoveVector *order = &stages->order;
  for (uint32_t i = at; i < end; i++) {
    Move move = order->data[i];
    if (!is_legal(game, move)) continue;
    game_make(game, &move);
    if (game_terminal(game) != (at + 1 == order->count)) {
      game_retract(game);
      continue;
    }
    order->data[i] = order->data[at];
    order->data[at] = move;
    return true;
  }
  return false;
}

/* The moves of the model, stage by stage, with the ends of stages. */
static void read_moves(Stages *stages, const Aim *aim, NumberVector *ends) {
  vector_clear(&stages->order);
  for (uint32_t i = 0, stage = 0; i < stages->moves.count; i++) {
    const StageMove *move = &stages->moves.data[i];
    if (move->stage >= aim->stages) break;
    for (; stage < move->stage; stage++) vector_push(ends, stages->order.count);
    if (sat_value(stages->formula.sat, move->literal) > 0)
      vector_push(&stages->order, move->move);
  }
  vector_push(ends, stages->order.count);
}

static bool find_order(Stages *stages, const Aim *aim) {
  NumberVector ends = {0};
  read_moves(stages, aim, &ends);
  Game *game = puzzle_game(stages->puzzle);
  bool found = true;
  for (uint32_t stage = 0, at = 0; stage < ends.count && found; stage++)
    for (; at < ends.data[stage] && found; at++)
      found = make_next(stages, game, at, ends.data[stage]);
  found &= game_terminal(game) && game_goal(game, 0) >= aim->goal;
  game_delete(game);
  vector_free(&ends);
  return found;
}

/* Excludes just these moves. */
static void exclude_model(Stages *stages, const Aim *aim) {
  SatLiterals clause = {0};
  for (uint32_t i = 0; i < stages->moves.count; i++) {
    const StageMove *move = &stages->moves.data[i];
    if (move->stage >= aim->stages) break;
    if (sat_value(stages->formula.sat, move->literal) > 0)
      vector_push(&clause, move->literal ^ 1);
  }
  vector_push(&clause, aim->literal ^ 1);
  formula_require(&stages->formula, clause.data, clause.count);
  vector_free(&clause);
  stages->failures++;
}

/* ---- work ---- */

static bool is_open(const Aim *aim, int goal) {
  return aim->goal == goal && !aim->refuted;
}

static bool can_grow(const Stages *stages) {
  return !stages->full && stages->count < (stages->bold ? 1 : MOST_STAGES);
}

/* Those with fewer stages get twice the work of the next ones. */
static uint32_t choose_aim(Stages *stages, int goal) {
  uint32_t best = stages->aims.count;
  double least = 0, weight = 1;
  for (uint32_t i = 0; i < stages->aims.count; i++) {
    const Aim *aim = &stages->aims.data[i];
    if (!is_open(aim, goal)) continue;
    double cost = (double)aim->spent * weight;
    if (best == stages->aims.count || cost < least) {
      best = i;
      least = cost;
    }
    weight *= 2;
  }
  return can_grow(stages) && least >= PATIENCE * weight ? stages->aims.count
                                                        : best;
}

/* Single stages are left to bold plans. */
static void grow(Stages *stages, int goal, uint64_t *states) {
  add_stage(stages);
  if (stages->bold || stages->count > 1) add_aims(stages, goal);
  sat_settle(stages->formula.sat);
  *states += 1 + stages->net->gates.count / 50;
  stages->full =
      sat_statistics(stages->formula.sat).bytes > stages->memory / SHARE;
}

static void begin(Stages *stages, uint32_t number) {
  Aim *aim = &stages->aims.data[number];
  aim->literal = formula_known(&stages->formula, aim->literal);
  aim->refuted = aim->literal == FORMULA_FALSE;
  if (aim->refuted) return;
  sat_begin(stages->formula.sat, &aim->literal, 1, NULL, 0);
  stages->asked = number + 1;
  stages->turn_end = stages->work + PATIENCE + aim->spent / 4;
}

static StagesStatus go_on(Stages *stages, uint64_t literals, uint64_t *states,
                          MoveVector *moves) {
  Aim *aim = &stages->aims.data[stages->asked - 1];
  Sat *sat = stages->formula.sat;
  uint64_t before = sat_statistics(sat).propagations;
  SatAnswer answer = sat_continue(sat, PIECE);
  uint64_t work = 1 + (sat_statistics(sat).propagations - before) / literals;
  *states += work;
  aim->spent += work;
  stages->work += work;
  if (answer != SAT_UNKNOWN || stages->work >= stages->turn_end)
    stages->asked = 0;
  if (answer == SAT_NO) aim->refuted = true;
  if (answer != SAT_MAYBE) return STAGES_WORKING;
  if (!find_order(stages, aim)) {
    exclude_model(stages, aim);
    return stages->failures < MOST_FAILURES ? STAGES_WORKING : STAGES_SPENT;
  }
  vector_clear(moves);
  for (uint32_t i = 0; i < stages->order.count; i++)
    vector_push(moves, stages->order.data[i]);
  return STAGES_FOUND;
}

StagesStatus stages_run(Stages *stages, int goal, uint64_t literals,
                        uint64_t *states, MoveVector *moves) {
  if (stages->asked && is_open(&stages->aims.data[stages->asked - 1], goal))
    return go_on(stages, literals, states, moves);
  stages->asked = 0;
  uint32_t aim = choose_aim(stages, goal);
  if (aim < stages->aims.count) {
    begin(stages, aim);
  } else if (can_grow(stages)) {
    grow(stages, goal, states);
  } else {
    return STAGES_SPENT;
  }
  return STAGES_WORKING;
}

void stages_explain(const Stages *stages, Text *text) {
  SatStatistics counts = sat_statistics(stages->formula.sat);
  text_format(text,
              "%u stages, %u variables, %" PRIu64 " clauses, %" PRIu64
              " conflicts",
              stages->count, counts.variables - counts.fixed, counts.clauses,
              counts.conflicts);
}
