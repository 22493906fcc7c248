/* The states between layers are free variables, tied together by what moves do
   (effects) and by what no move does (a fluent changes only if some move
   changes it); see Rintanen, Heljanko and Niemelä 2006 on steps of this kind.

   Whether a state is terminal, and its goal, may depend on the number of moves:
   then the moves of all layers are counted, and each number that could end the
   game is a question of its own. With few layers not every plan can be found,
   so nothing is ever proved here. An order of the moves is looked for on an
   engine, since the game may end or a move be impossible halfway; sets of moves
   without an order are excluded. */
#include "solve/layers.h"

#include <inttypes.h>

#include "base/bits.h"
#include "base/trial.h"
#include "solve/formula.h"
#include "solve/interfere.h"

enum {
  PIECE = 2000,   /* propagations in one go */
  PATIENCE = 300, /* states of work before the first question is left */
  MOST_LAYERS = 24,
  MOST_FAILURES = 200, /* sets of moves without an order */
  SHARE = 3            /* this part of the memory is for clauses as they are */
};

typedef struct LayerMove {
  uint32_t move, layer;
  SatLiteral literal;
} LayerMove;

/* A question: this many layers, ending after this many moves. */
typedef struct Aim {
  uint32_t layers;
  uint32_t count; /* moves; or ANY */
  SatLiteral literal;
  int goal;
  uint64_t spent;
  bool refuted;
} Aim;

enum { ANY = UINT32_MAX };

struct Layers {
  Puzzle *puzzle;
  const Net *net;
  const Analysis *analysis;
  size_t memory;
  Interfere interfere;
  Formula formula;
  uint32_t count; /* layers so far */
  VECTOR(LayerMove) moves;
  SatLiterals fluents;   /* of the state after the last layer */
  SatLiteral *gates;     /* of that state */
  SatLiteral *cofactors; /* the same with one move */
  SatLiteral *own;       /* by move: its literal in the layer being made */
  bool *state_cone, *move_cone, *end_cone;
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

static void make_cones(Layers *layers) {
  const Net *net = layers->net;
  layers->state_cone = memory_new(net->gates.count * sizeof(bool));
  layers->move_cone = memory_new(net->gates.count * sizeof(bool));
  layers->end_cone = memory_new(net->gates.count * sizeof(bool));
  for (uint32_t m = 0; m < net->moves.count; m++)
    layers->state_cone[signal_gate(net->moves.data[m].legal)] = true;
  for (uint32_t f = 0; f < net->fluents.count; f++)
    layers->move_cone[signal_gate(net->fluents.data[f].next)] = true;
  layers->end_cone[signal_gate(net->terminal)] = true;
  for (uint32_t i = 0; i < net->goals.count; i++)
    layers->end_cone[signal_gate(net->goals.data[i].signal)] = true;
  spread(net, layers->state_cone);
  spread(net, layers->move_cone);
  spread(net, layers->end_cone);
}

/* Evaluates gates that do not depend on moves or on the time. */
static void look_at_state(Layers *layers) {
  const Net *net = layers->net;
  for (Gate gate = 0; gate < net->gates.count; gate++)
    layers->gates[gate] = FORMULA_NONE;
  for (uint32_t f = 0; f < net->fluents.count; f++)
    layers->gates[net->fluents.data[f].gate] = layers->fluents.data[f];
  formula_evaluate(&layers->formula, net, layers->state_cone, layers->gates);
}

Layers *layers_new(Puzzle *puzzle, size_t memory) {
  const Net *net = puzzle->net;
  const Analysis *analysis = puzzle->book->analysis;
  Interfere interfere;
  if (!analysis || !interfere_init(&interfere, net, analysis, puzzle->start))
    return NULL;
  Layers *layers = memory_new(sizeof *layers);
  *layers = (Layers){.puzzle = puzzle,
                     .net = net,
                     .analysis = analysis,
                     .memory = memory,
                     .interfere = interfere};
  formula_init(&layers->formula);
  layers->gates = memory_new(net->gates.count * sizeof *layers->gates);
  layers->cofactors = memory_new(net->gates.count * sizeof *layers->cofactors);
  layers->own = memory_new(net->moves.count * sizeof *layers->own);
  make_cones(layers);
  for (uint32_t f = 0; f < net->fluents.count; f++)
    vector_push(&layers->fluents,
                bits_has(puzzle->start, f) ? FORMULA_TRUE : FORMULA_FALSE);
  look_at_state(layers);
  sat_begin(layers->formula.sat, NULL, 0, NULL, 0);
  return layers;
}

void layers_delete(Layers *layers) {
  if (!layers) return;
  interfere_free(&layers->interfere);
  formula_free(&layers->formula);
  vector_free(&layers->moves);
  vector_free(&layers->fluents);
  vector_free(&layers->aims);
  vector_free(&layers->order);
  memory_delete(layers->gates);
  memory_delete(layers->cofactors);
  memory_delete(layers->own);
  memory_delete(layers->state_cone);
  memory_delete(layers->move_cone);
  memory_delete(layers->end_cone);
  memory_delete(layers);
}

/* ---- a layer ---- */

static void add_moves(Layers *layers) {
  const Net *net = layers->net;
  for (uint32_t m = 0; m < net->moves.count; m++) {
    SatLiteral legal =
        formula_known(&layers->formula,
                      formula_signal(layers->gates, net->moves.data[m].legal));
    layers->own[m] = FORMULA_FALSE;
    if (legal == FORMULA_FALSE) continue;
    layers->own[m] = formula_variable(&layers->formula);
    sat_prefer(layers->formula.sat, layers->own[m]);
    formula_require_two(&layers->formula, layers->own[m] ^ 1, legal);
    vector_push(&layers->moves,
                ((LayerMove){m, layers->count, layers->own[m]}));
  }
}

static void exclude_rivals(Layers *layers) {
  const Interfere *interfere = &layers->interfere;
  for (uint32_t m = 0; m < layers->net->moves.count; m++) {
    const InterfereMove *move = &interfere->moves.data[m];
    if (layers->own[m] == FORMULA_FALSE) continue;
    for (uint32_t i = 0; i < move->rival_count; i++) {
      SatLiteral rival = layers->own[interfere->rivals.data[move->rivals + i]];
      if (rival != FORMULA_FALSE)
        formula_require_two(&layers->formula, layers->own[m] ^ 1, rival ^ 1);
    }
  }
}

/* What fluents become by one move where that depends on the state. */
static void evaluate_move(Layers *layers, uint32_t move) {
  const Net *net = layers->net;
  memcpy(layers->cofactors, layers->gates,
         net->gates.count * sizeof *layers->gates);
  for (uint32_t m = 0; m < net->moves.count; m++)
    layers->cofactors[net->moves.data[m].gate] =
        m == move ? FORMULA_TRUE : FORMULA_FALSE;
  formula_evaluate(&layers->formula, net, layers->move_cone, layers->cofactors);
}

typedef struct Effect {
  uint32_t fluent, move;
  SatLiteral value;
} Effect;

typedef VECTOR(Effect) Effects;

/* Lists effects; sets fluents that may change to new variables in `after`. */
static void list_effects(Layers *layers, Effects *effects, SatLiterals *after) {
  const Interfere *interfere = &layers->interfere;
  const Net *net = layers->net;
  for (uint32_t m = 0; m < net->moves.count; m++) {
    const InterfereMove *move = &interfere->moves.data[m];
    if (layers->own[m] == FORMULA_FALSE) continue;
    if (move->depends) evaluate_move(layers, m);
    for (uint32_t i = 0; i < move->write_count; i++) {
      Write write = interfere->writes.data[move->writes + i];
      SatLiteral value = write.kind == WRITE_TRUE;
      if (write.kind == WRITE_DEPENDS)
        value = formula_signal(layers->cofactors,
                               net->fluents.data[write.fluent].next);
      SatLiteral now = layers->fluents.data[write.fluent];
      if (value == now) continue;
      if (after->data[write.fluent] == now)
        after->data[write.fluent] = formula_variable(&layers->formula);
      vector_push(effects, ((Effect){write.fluent, m, value}));
    }
  }
}

/* A fluent keeps its value unless a move may give it the other one. */
static void add_frame(Layers *layers, const Effects *effects,
                      const SatLiterals *after) {
  uint32_t fluents = layers->net->fluents.count;
  SatLiterals *causes = memory_new(2 * fluents * sizeof *causes);
  for (uint32_t i = 0; i < effects->count; i++) {
    Effect e = effects->data[i];
    if (e.value != FORMULA_FALSE)
      vector_push(&causes[e.fluent * 2], layers->own[e.move]);
    if (e.value != FORMULA_TRUE)
      vector_push(&causes[e.fluent * 2 + 1], layers->own[e.move]);
  }
  for (uint32_t f = 0; f < fluents; f++) {
    SatLiteral now = layers->fluents.data[f], next = after->data[f];
    for (uint32_t negated = 0; negated < 2 && now != next; negated++) {
      SatLiterals *list = &causes[f * 2 + negated];
      vector_push(list, now ^ negated);
      vector_push(list, next ^ 1 ^ negated);
      formula_require(&layers->formula, list->data, list->count);
    }
    vector_free(&causes[f * 2]);
    vector_free(&causes[f * 2 + 1]);
  }
  memory_delete(causes);
}

static void add_effects(Layers *layers, const Effects *effects,
                        const SatLiterals *after) {
  Formula *formula = &layers->formula;
  for (uint32_t i = 0; i < effects->count; i++) {
    Effect e = effects->data[i];
    SatLiteral own = layers->own[e.move] ^ 1, next = after->data[e.fluent];
    formula_require(formula, (SatLiteral[]){own, e.value ^ 1, next}, 3);
    formula_require(formula, (SatLiteral[]){own, e.value, next ^ 1}, 3);
  }
  add_frame(layers, effects, after);
}

/* What is proved of all reachable states holds between layers. */
static void add_groups(Layers *layers, const SatLiterals *after) {
  const OneHot *onehot = &layers->analysis->onehot;
  SatLiterals list = {0};
  for (uint32_t i = 0; i < onehot->groups.count; i++) {
    const OneHotGroup *group = &onehot->groups.data[i];
    bool timed = false;
    vector_clear(&list);
    for (uint32_t j = 0; j < group->count; j++) {
      uint32_t fluent = onehot_members(onehot, group)[j];
      timed |= layers->interfere.timed[fluent];
      vector_push(&list, after->data[fluent]);
    }
    if (timed) continue;
    if (group->at_most == EVIDENCE_PROVED)
      formula_at_most_one(&layers->formula, list.data, list.count);
    if (group->at_least == EVIDENCE_PROVED)
      formula_require(&layers->formula, list.data, list.count);
  }
  vector_free(&list);
}

static void add_layer(Layers *layers) {
  Effects effects = {0};
  SatLiterals after = {0};
  for (uint32_t f = 0; f < layers->fluents.count; f++)
    vector_push(&after, layers->fluents.data[f]);
  add_moves(layers);
  exclude_rivals(layers);
  list_effects(layers, &effects, &after);
  add_effects(layers, &effects, &after);
  add_groups(layers, &after);
  sat_settle(layers->formula.sat);
  for (uint32_t f = 0; f < after.count; f++)
    layers->fluents.data[f] = formula_known(&layers->formula, after.data[f]);
  vector_free(&effects);
  vector_free(&after);
  look_at_state(layers);
  layers->count++;
}

/* ---- ends ---- */

/* The last state is terminal after so many moves, with at least the goal. */
static SatLiteral end_literal(Layers *layers, uint32_t count, int goal) {
  const Net *net = layers->net;
  const uint64_t *time = interfere_time(&layers->interfere, count);
  SatLiteral *gates = layers->cofactors;
  for (Gate gate = 0; gate < net->gates.count; gate++)
    gates[gate] = FORMULA_NONE;
  for (uint32_t f = 0; f < net->fluents.count; f++)
    gates[net->fluents.data[f].gate] = layers->interfere.timed[f]
                                           ? (SatLiteral)bits_has(time, f)
                                           : layers->fluents.data[f];
  formula_evaluate(&layers->formula, net, layers->end_cone, gates);
  SatLiterals list = {0};
  for (uint32_t i = 0; i < net->goals.count; i++)
    if (net->goals.data[i].value >= goal)
      vector_push(&list, formula_signal(gates, net->goals.data[i].signal));
  SatLiteral reached = formula_or(&layers->formula, list.data, list.count);
  vector_free(&list);
  return formula_and_two(&layers->formula, formula_signal(gates, net->terminal),
                         reached);
}

/* True if the end does not depend on how many moves there are. */
static bool is_timeless(const Layers *layers) {
  const Net *net = layers->net;
  for (uint32_t f = 0; f < net->fluents.count; f++)
    if (layers->interfere.timed[f] &&
        layers->end_cone[net->fluents.data[f].gate])
      return false;
  return true;
}

static void add_aim(Layers *layers, uint32_t count, SatLiteral literal,
                    int goal) {
  Aim aim = {layers->count, count, literal, goal, 0, false};
  if (literal != FORMULA_FALSE) vector_push(&layers->aims, aim);
}

/* Aims of the state after the last layer: one for all numbers of moves, or one
   for each number at which the game could end. */
static void add_aims(Layers *layers, int goal) {
  uint32_t times = layers->interfere.time_count;
  if (is_timeless(layers)) {
    add_aim(layers, ANY, end_literal(layers, 0, goal), goal);
    return;
  }
  SatLiterals list = {0}, sums = {0};
  for (uint32_t i = 0; i < layers->moves.count; i++)
    vector_push(&list, layers->moves.data[i].literal);
  uint32_t first = layers->aims.count, most = 0;
  for (uint32_t n = 1; n < times && n <= list.count; n++) {
    trial_check();
    add_aim(layers, n, end_literal(layers, n, goal), goal);
    if (layers->aims.count > first) most = vector_last(&layers->aims).count;
  }
  vector_resize(&sums, most + 1);
  if (most)
    formula_sums(&layers->formula, list.data, list.count, most, sums.data);
  for (uint32_t i = first; i < layers->aims.count; i++) {
    Aim *aim = &layers->aims.data[i];
    SatLiteral parts[3] = {aim->literal, sums.data[aim->count - 1],
                           sums.data[aim->count] ^ 1};
    aim->literal = formula_and(&layers->formula, parts, 3);
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
static bool make_next(Layers *layers, Game *game, uint32_t at, uint32_t end) {
  MoveVector *order = &layers->order;
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

/* The moves of the model, layer by layer, with the ends of layers. */
static void read_moves(Layers *layers, const Aim *aim, NumberVector *ends) {
  vector_clear(&layers->order);
  for (uint32_t i = 0, layer = 0; i < layers->moves.count; i++) {
    const LayerMove *move = &layers->moves.data[i];
    if (move->layer >= aim->layers) break;
    for (; layer < move->layer; layer++) vector_push(ends, layers->order.count);
    if (sat_value(layers->formula.sat, move->literal) > 0)
      vector_push(&layers->order, move->move);
  }
  vector_push(ends, layers->order.count);
}

static bool find_order(Layers *layers, const Aim *aim) {
  NumberVector ends = {0};
  read_moves(layers, aim, &ends);
  Game *game = puzzle_game(layers->puzzle);
  bool found = true;
  for (uint32_t layer = 0, at = 0; layer < ends.count && found; layer++)
    for (; at < ends.data[layer] && found; at++)
      found = make_next(layers, game, at, ends.data[layer]);
  found &= game_terminal(game) && game_goal(game, 0) >= aim->goal;
  game_delete(game);
  vector_free(&ends);
  return found;
}

/* Excludes just these moves. */
static void exclude_model(Layers *layers, const Aim *aim) {
  SatLiterals clause = {0};
  for (uint32_t i = 0; i < layers->moves.count; i++) {
    const LayerMove *move = &layers->moves.data[i];
    if (move->layer >= aim->layers) break;
    if (sat_value(layers->formula.sat, move->literal) > 0)
      vector_push(&clause, move->literal ^ 1);
  }
  vector_push(&clause, aim->literal ^ 1);
  formula_require(&layers->formula, clause.data, clause.count);
  vector_free(&clause);
  layers->failures++;
}

/* ---- work ---- */

static bool is_open(const Aim *aim, int goal) {
  return aim->goal == goal && !aim->refuted;
}

/* Those with fewer layers get twice the work of the next ones. */
static uint32_t choose_aim(Layers *layers, int goal) {
  uint32_t best = layers->aims.count;
  double least = 0, weight = 1;
  for (uint32_t i = 0; i < layers->aims.count; i++) {
    const Aim *aim = &layers->aims.data[i];
    if (!is_open(aim, goal)) continue;
    double cost = (double)aim->spent * weight;
    if (best == layers->aims.count || cost < least) {
      best = i;
      least = cost;
    }
    weight *= 2;
  }
  bool grows = layers->count < MOST_LAYERS && !layers->full;
  return grows && least >= PATIENCE * weight ? layers->aims.count : best;
}

static void grow(Layers *layers, int goal, uint64_t *states) {
  add_layer(layers);
  add_aims(layers, goal);
  sat_settle(layers->formula.sat);
  *states += 1 + layers->net->gates.count / 50;
  layers->full =
      sat_statistics(layers->formula.sat).bytes > layers->memory / SHARE;
}

static void begin(Layers *layers, uint32_t number) {
  Aim *aim = &layers->aims.data[number];
  aim->literal = formula_known(&layers->formula, aim->literal);
  aim->refuted = aim->literal == FORMULA_FALSE;
  if (aim->refuted) return;
  sat_begin(layers->formula.sat, &aim->literal, 1, NULL, 0);
  layers->asked = number + 1;
  layers->turn_end = layers->work + PATIENCE + aim->spent / 4;
}

static LayersStatus go_on(Layers *layers, uint64_t literals, uint64_t *states,
                          MoveVector *moves) {
  Aim *aim = &layers->aims.data[layers->asked - 1];
  Sat *sat = layers->formula.sat;
  uint64_t before = sat_statistics(sat).propagations;
  SatAnswer answer = sat_continue(sat, PIECE);
  uint64_t work = 1 + (sat_statistics(sat).propagations - before) / literals;
  *states += work;
  aim->spent += work;
  layers->work += work;
  if (answer != SAT_UNKNOWN || layers->work >= layers->turn_end)
    layers->asked = 0;
  if (answer == SAT_NO) aim->refuted = true;
  if (answer != SAT_MAYBE) return LAYERS_WORKING;
  if (!find_order(layers, aim)) {
    exclude_model(layers, aim);
    return layers->failures < MOST_FAILURES ? LAYERS_WORKING : LAYERS_SPENT;
  }
  vector_clear(moves);
  for (uint32_t i = 0; i < layers->order.count; i++)
    vector_push(moves, layers->order.data[i]);
  return LAYERS_FOUND;
}

LayersStatus layers_run(Layers *layers, int goal, uint64_t literals,
                        uint64_t *states, MoveVector *moves) {
  if (layers->asked && is_open(&layers->aims.data[layers->asked - 1], goal))
    return go_on(layers, literals, states, moves);
  layers->asked = 0;
  uint32_t aim = choose_aim(layers, goal);
  if (aim < layers->aims.count) {
    begin(layers, aim);
  } else if (layers->count < MOST_LAYERS && !layers->full) {
    grow(layers, goal, states);
  } else {
    return LAYERS_SPENT;
  }
  return LAYERS_WORKING;
}

void layers_explain(const Layers *layers, Text *text) {
  SatStatistics counts = sat_statistics(layers->formula.sat);
  text_format(text,
              "%u layers, %u variables, %" PRIu64 " clauses, %" PRIu64
              " conflicts",
              layers->count, counts.variables - counts.fixed, counts.clauses,
              counts.conflicts);
}
