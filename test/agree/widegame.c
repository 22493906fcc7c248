#include "agree/widegame.h"

enum { WIDEGAME_COPIES = 70 }; /* of the state; more than the lanes of a word */

typedef struct WideGame {
  Game game;
  Cones *cones;
  Expand expand;
  uint32_t row, legal_row;  /* words */
  VECTOR(uint64_t) states;  /* rows, the current one last */
  uint64_t *rows, *results; /* of all copies: states, successors */
  uint64_t *legal;
  bool *terminal;
  int *goals;
  uint32_t *joints;
  TermVector terms;
  NumberVector moves;
} WideGame;

static void widegame_fill(WideGame *g) {
  const uint64_t *state = g->states.data + (g->states.count - g->row);
  for (uint32_t i = 0; i < WIDEGAME_COPIES; i++)
    memcpy(g->rows + (size_t)i * g->row, state, g->row * sizeof *state);
}

/* Evaluates the current state; the first and the last copy must agree. */
static void widegame_look(WideGame *g) {
  ExpandTask task = {.count = WIDEGAME_COPIES,
                     .states = g->rows,
                     .legal = g->legal,
                     .terminal = g->terminal,
                     .goals = g->goals};
  widegame_fill(g);
  expand_run(&g->expand, &task);
  uint32_t last = WIDEGAME_COPIES - 1, roles = g->game.role_count;
  if (g->terminal[last] != g->terminal[0] ||
      memcmp(g->legal, g->legal + (size_t)last * g->legal_row,
             g->legal_row * sizeof *g->legal) != 0 ||
      memcmp(g->goals, g->goals + (size_t)last * roles,
             roles * sizeof *g->goals) != 0)
    text_add(&g->game.error, "copies of a state differ");
}

static void widegame_push(WideGame *g, const uint64_t *state) {
  for (uint32_t i = 0; i < g->row; i++) vector_push(&g->states, state[i]);
  widegame_look(g);
}

static void widegame_reset(Game *game) {
  WideGame *g = (WideGame *)game;
  const Net *net = g->cones->net;
  vector_clear(&g->states);
  memset(g->results, 0, g->row * sizeof *g->results);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    g->results[i / 64] |= (uint64_t)net->fluents.data[i].initial << (i % 64);
  widegame_push(g, g->results);
}

static void widegame_make(Game *game, const Move *joint) {
  WideGame *g = (WideGame *)game;
  ExpandTask task = {.count = WIDEGAME_COPIES,
                     .states = g->rows,
                     .joints = g->joints,
                     .successors = g->results};
  widegame_fill(g);
  for (uint32_t i = 0; i < WIDEGAME_COPIES * game->role_count; i++)
    g->joints[i] = joint[i % game->role_count];
  expand_run(&g->expand, &task);
  const uint64_t *last = g->results + (size_t)(WIDEGAME_COPIES - 1) * g->row;
  if (memcmp(g->results, last, g->row * sizeof *last) != 0)
    text_add(&game->error, "copies of a successor differ");
  widegame_push(g, g->results);
}

static void widegame_retract(Game *game) {
  WideGame *g = (WideGame *)game;
  g->states.count -= g->row;
  widegame_look(g);
}

static bool widegame_terminal(Game *game) {
  return ((WideGame *)game)->terminal[0];
}

static uint32_t widegame_legal(Game *game, uint32_t role, const Move **moves) {
  WideGame *g = (WideGame *)game;
  const uint32_t *first = g->cones->net->role_first.data + role;
  vector_clear(&g->moves);
  for (uint32_t i = first[0]; i < first[1]; i++)
    if (bits_has(g->legal, i)) vector_push(&g->moves, i);
  *moves = g->moves.data;
  return g->moves.count;
}

static uint32_t widegame_goals(Game *game, uint32_t role, const Term **values) {
  WideGame *g = (WideGame *)game;
  const Net *net = g->cones->net;
  vector_clear(&g->terms);
  for (uint32_t i = 0; i < net->goals.count && !g->terms.count; i++)
    if (net->goals.data[i].role == role &&
        net->goals.data[i].value == g->goals[role])
      vector_push(&g->terms, net->goals.data[i].term);
  *values = g->terms.data;
  return g->terms.count;
}

static uint32_t widegame_facts(Game *game, const Term **facts) {
  WideGame *g = (WideGame *)game;
  const Net *net = g->cones->net;
  const uint64_t *state = g->states.data + (g->states.count - g->row);
  vector_clear(&g->terms);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    if (bits_has(state, i)) vector_push(&g->terms, net->fluents.data[i].term);
  *facts = g->terms.data;
  return g->terms.count;
}

static Term widegame_move_term(const Game *game, uint32_t role, Move move) {
  (void)role;
  return ((const WideGame *)game)->cones->net->moves.data[move].term;
}

static void widegame_delete(Game *game) {
  WideGame *g = (WideGame *)game;
  expand_free(&g->expand);
  cones_delete(g->cones);
  vector_free(&g->states);
  vector_free(&g->terms);
  vector_free(&g->moves);
  memory_delete(g->rows);
  memory_delete(g->results);
  memory_delete(g->legal);
  memory_delete(g->terminal);
  memory_delete(g->goals);
  memory_delete(g->joints);
  text_free(&game->error);
  memory_delete(g);
}

Game *widegame_new(Description *description, const Net *net,
                   const ProgramMode *mode) {
  static const GameOperations operations = {
      .name = "wide",
      .delete = widegame_delete,
      .reset = widegame_reset,
      .make = widegame_make,
      .retract = widegame_retract,
      .terminal = widegame_terminal,
      .legal = widegame_legal,
      .goals = widegame_goals,
      .facts = widegame_facts,
      .move_term = widegame_move_term,
  };
  Cones *cones = cones_new(net, mode);
  if (!cones) return NULL;
  WideGame *g = memory_new(sizeof *g);
  g->game = (Game){.operations = &operations,
                   .description = description,
                   .role_count = net->role_count};
  g->cones = cones;
  expand_init(&g->expand, cones);
  g->row = (uint32_t)bits_words(net->fluents.count);
  g->legal_row = (uint32_t)bits_words(net->moves.count);
  size_t copies = WIDEGAME_COPIES;
  g->rows = memory_new(copies * g->row * sizeof *g->rows);
  g->results = memory_new(copies * g->row * sizeof *g->results);
  g->legal = memory_new(copies * g->legal_row * sizeof *g->legal);
  g->terminal = memory_new(copies * sizeof *g->terminal);
  g->goals = memory_new(copies * net->role_count * sizeof *g->goals);
  g->joints = memory_new(copies * net->role_count * sizeof *g->joints);
  widegame_reset(&g->game);
  return &g->game;
}
