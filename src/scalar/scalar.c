/* The Game Controller of the thesis (Finnsson 2007, section 3.2) on an
   event-driven circuit. The current state is a bit array; entering another one
   flips the fluents that differ, and the circuit settles what is asked for.
   Earlier states are kept whole on a stack: going back means entering the state
   below, about half the work of going forward (connectFour 89 to 172 ns,
   skirmish 2.2 to 3.7 us), and no trail has to be written. */
#include "scalar/scalar.h"

#include <assert.h>

#include "base/bits.h"
#include "scalar/circuit.h"
#include "scalar/zobrist.h"

typedef struct Engine {
  Game game; /* first: a Game is the front of its engine */
  const Net *net;
  Circuit circuit;
  uint32_t words; /* of a state */
  uint64_t *initial, *state, *successor;
  uint64_t key;               /* of the state */
  uint64_t *keys;             /* by fluent */
  VECTOR(uint64_t) way;       /* states below the current one */
  Move *done;                 /* by role: the last move */
  VECTOR(Move) * legal_moves; /* by role */
  bool *legal_known;          /* by role */
  TermVector terms;           /* an answer */
} Engine;

static const Move none_done = UINT32_MAX;

static void enter(Engine *engine, const uint64_t *state) {
  for (uint32_t w = 0; w < engine->words; w++) {
    uint64_t wanted = state[w];
    for (uint64_t bits = engine->state[w] ^ wanted; bits; bits &= bits - 1) {
      uint32_t bit = (uint32_t)__builtin_ctzll(bits);
      uint64_t key = engine->keys[w * 64 + bit];
      engine->key += wanted >> bit & 1 ? key : 0 - key;
      circuit_flip_fluent(&engine->circuit, w * 64 + bit);
    }
    engine->state[w] = wanted;
  }
  memset(engine->legal_known, 0, engine->game.role_count);
}

/* ---- operations ---- */

static void reset(Game *game) {
  Engine *engine = (Engine *)game;
  vector_clear(&engine->way);
  enter(engine, engine->initial);
}

static void set_done(Engine *engine, const Move *joint) {
  for (uint32_t role = 0; role < engine->game.role_count; role++) {
    assert(engine->net->moves.data[joint[role]].role == role);
    if (joint[role] == engine->done[role]) continue;
    if (engine->done[role] != none_done)
      circuit_flip_move(&engine->circuit, engine->done[role]);
    circuit_flip_move(&engine->circuit, joint[role]);
    engine->done[role] = joint[role];
  }
}

static void make(Game *game, const Move *joint) {
  Engine *engine = (Engine *)game;
  uint32_t way = engine->way.count;
  set_done(engine, joint);
  circuit_settle(&engine->circuit, REGION_NEXT);
  vector_resize(&engine->way, way + engine->words);
  for (uint32_t w = 0; w < engine->words; w++)
    engine->way.data[way + w] = engine->state[w];
  for (uint32_t w = 0; w < engine->words; w++) /* entering it changes them */
    engine->successor[w] = engine->circuit.bits[w];
  enter(engine, engine->successor);
}

static uint32_t successor(Game *game, const Move *joint,
                          const uint64_t **words) {
  Engine *engine = (Engine *)game;
  set_done(engine, joint);
  circuit_settle(&engine->circuit, REGION_NEXT);
  for (uint32_t w = 0; w < engine->words; w++)
    engine->successor[w] = engine->circuit.bits[w];
  *words = engine->successor;
  return engine->words;
}

static void retract(Game *game) {
  Engine *engine = (Engine *)game;
  engine->way.count -= engine->words;
  if (engine->words) enter(engine, engine->way.data + engine->way.count);
}

static bool terminal(Game *game) {
  Engine *engine = (Engine *)game;
  circuit_settle(&engine->circuit, REGION_BASE);
  return circuit_output(&engine->circuit, engine->circuit.terminal_bit);
}

static uint32_t legal(Game *game, uint32_t role, const Move **moves) {
  Engine *engine = (Engine *)game;
  const Circuit *circuit = &engine->circuit;
  if (!engine->legal_known[role]) {
    circuit_settle(&engine->circuit, REGION_BASE);
    Move *list = engine->legal_moves[role].data; /* has room for all */
    uint32_t first = circuit->legal_word[role];
    Move own = engine->net->role_first.data[role];
    for (uint32_t w = first; w < circuit->legal_word[role + 1]; w++)
      for (uint64_t bits = circuit->bits[w]; bits; bits &= bits - 1)
        *list++ = own + ((w - first) << 6 | (Move)__builtin_ctzll(bits));
    engine->legal_moves[role].count =
        (uint32_t)(list - engine->legal_moves[role].data);
    engine->legal_known[role] = true;
  }
  *moves = engine->legal_moves[role].data;
  return engine->legal_moves[role].count;
}

static uint32_t goals(Game *game, uint32_t role, const Term **values) {
  Engine *engine = (Engine *)game;
  const Net *net = engine->net;
  circuit_settle(&engine->circuit, REGION_GOAL);
  vector_clear(&engine->terms);
  for (uint32_t i = 0; i < net->goals.count; i++)
    if (net->goals.data[i].role == role &&
        circuit_output(&engine->circuit, engine->circuit.goal_bit + i))
      vector_push(&engine->terms, net->goals.data[i].term);
  *values = engine->terms.data;
  return engine->terms.count;
}

static uint32_t facts(Game *game, const Term **list) {
  Engine *engine = (Engine *)game;
  vector_clear(&engine->terms);
  for (uint32_t i = 0; i < engine->net->fluents.count; i++)
    if (bits_has(engine->state, i))
      vector_push(&engine->terms, engine->net->fluents.data[i].term);
  *list = engine->terms.data;
  return engine->terms.count;
}

static Term move_term(const Game *game, uint32_t role, Move move) {
  (void)role;
  return ((const Engine *)game)->net->moves.data[move].term;
}

static void delete (Game *game) {
  Engine *engine = (Engine *)game;
  for (uint32_t role = 0; role < game->role_count; role++)
    vector_free(&engine->legal_moves[role]);
  memory_delete(engine->legal_moves);
  memory_delete(engine->legal_known);
  memory_delete(engine->initial);
  memory_delete(engine->state);
  memory_delete(engine->successor);
  memory_delete(engine->keys);
  memory_delete(engine->done);
  vector_free(&engine->way);
  vector_free(&engine->terms);
  circuit_free(&engine->circuit);
  text_free(&game->error);
  memory_delete(engine);
}

static uint32_t state(Game *game, const uint64_t **words) {
  Engine *engine = (Engine *)game;
  *words = engine->state;
  return engine->words;
}

static uint64_t key(Game *game) {
  return ((Engine *)game)->key;
}

static void enter_state(Game *game, const uint64_t *words, uint32_t count) {
  Engine *engine = (Engine *)game;
  (void)count;
  vector_clear(&engine->way);
  enter(engine, words);
}

static bool enter_facts(Game *game, const Term *list, uint32_t count) {
  Engine *engine = (Engine *)game;
  memset(engine->successor, 0, engine->words * sizeof *engine->successor);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t fluent = 0;
    while (fluent < engine->net->fluents.count &&
           engine->net->fluents.data[fluent].term != list[i])
      fluent++;
    if (fluent == engine->net->fluents.count) return false;
    bits_add(engine->successor, fluent);
  }
  enter_state(game, engine->successor, engine->words);
  return true;
}

static const GameOperations operations = {
    .name = "scalar",
    .delete = delete,
    .reset = reset,
    .make = make,
    .retract = retract,
    .terminal = terminal,
    .legal = legal,
    .goals = goals,
    .facts = facts,
    .move_term = move_term,
    .state = state,
    .key = key,
    .enter = enter_state,
    .enter_facts = enter_facts,
    .successor = successor,
};

/* ---- life ---- */

static void make_room(Engine *engine) {
  const Net *net = engine->net;
  uint32_t roles = engine->game.role_count;
  engine->words = (uint32_t)bits_words(net->fluents.count);
  engine->initial = memory_new(engine->words * sizeof(uint64_t));
  engine->state = memory_new(engine->words * sizeof(uint64_t));
  engine->successor = memory_new(engine->words * sizeof(uint64_t));
  engine->done = memory_new(roles * sizeof *engine->done);
  engine->legal_known = memory_new(roles * sizeof *engine->legal_known);
  engine->legal_moves = memory_new(roles * sizeof *engine->legal_moves);
  for (uint32_t role = 0; role < roles; role++) {
    engine->done[role] = none_done;
    vector_grow(&engine->legal_moves[role],
                net->role_first.data[role + 1] - net->role_first.data[role]);
  }
}

Game *scalar_engine_new(Description *description, const Net *net) {
  Engine *engine = memory_new(sizeof *engine);
  engine->game = (Game){.operations = &operations,
                        .description = description,
                        .role_count = net->role_count};
  engine->net = net;
  circuit_init(&engine->circuit, net);
  make_room(engine);
  engine->keys = zobrist_keys(net, &description->rules.terms);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    if (net->fluents.data[i].initial) bits_add(engine->initial, i);
  game_reset(&engine->game);
  return &engine->game;
}
