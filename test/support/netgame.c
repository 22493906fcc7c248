#include "support/netgame.h"

typedef struct NetGame {
  Game game;
  const Net *net;       /* borrowed */
  VECTOR(bool) states;  /* of all steps, the current one last */
  bool *moves, *values; /* by move, by gate */
  TermVector terms;
  NumberVector legal;
} NetGame;

static bool *netgame_state(NetGame *g) {
  return g->states.data + (g->states.count - g->net->fluents.count);
}

static bool netgame_value(const NetGame *g, Signal signal) {
  return g->values[signal_gate(signal)] != signal_negated(signal);
}

static void netgame_evaluate(NetGame *g) {
  net_evaluate(g->net, netgame_state(g), g->moves, g->values);
}

static void netgame_reset(Game *game) {
  NetGame *g = (NetGame *)game;
  vector_clear(&g->states);
  for (uint32_t i = 0; i < g->net->fluents.count; i++)
    vector_push(&g->states, g->net->fluents.data[i].initial);
  netgame_evaluate(g);
}

static void netgame_make(Game *game, const Move *joint) {
  NetGame *g = (NetGame *)game;
  for (uint32_t r = 0; r < game->role_count; r++) g->moves[joint[r]] = true;
  netgame_evaluate(g);
  for (uint32_t r = 0; r < game->role_count; r++) g->moves[joint[r]] = false;
  for (uint32_t i = 0; i < g->net->fluents.count; i++)
    vector_push(&g->states, netgame_value(g, g->net->fluents.data[i].next));
  netgame_evaluate(g);
}

static void netgame_retract(Game *game) {
  NetGame *g = (NetGame *)game;
  g->states.count -= g->net->fluents.count;
  netgame_evaluate(g);
}

static bool netgame_terminal(Game *game) {
  NetGame *g = (NetGame *)game;
  return netgame_value(g, g->net->terminal);
}

static uint32_t netgame_legal(Game *game, uint32_t role, const Move **moves) {
  NetGame *g = (NetGame *)game;
  vector_clear(&g->legal);
  for (uint32_t i = g->net->role_first.data[role];
       i < g->net->role_first.data[role + 1]; i++)
    if (netgame_value(g, g->net->moves.data[i].legal))
      vector_push(&g->legal, i);
  *moves = g->legal.data;
  return g->legal.count;
}

static uint32_t netgame_goals(Game *game, uint32_t role, const Term **values) {
  NetGame *g = (NetGame *)game;
  vector_clear(&g->terms);
  for (uint32_t i = 0; i < g->net->goals.count; i++) {
    const NetGoal *goal = &g->net->goals.data[i];
    if (goal->role == role && netgame_value(g, goal->signal))
      vector_push(&g->terms, goal->term);
  }
  *values = g->terms.data;
  return g->terms.count;
}

static uint32_t netgame_facts(Game *game, const Term **facts) {
  NetGame *g = (NetGame *)game;
  vector_clear(&g->terms);
  for (uint32_t i = 0; i < g->net->fluents.count; i++)
    if (netgame_state(g)[i])
      vector_push(&g->terms, g->net->fluents.data[i].term);
  *facts = g->terms.data;
  return g->terms.count;
}

static Term netgame_move_term(const Game *game, uint32_t role, Move move) {
  (void)role;
  return ((const NetGame *)game)->net->moves.data[move].term;
}

static void netgame_delete(Game *game) {
  NetGame *g = (NetGame *)game;
  vector_free(&g->states);
  vector_free(&g->terms);
  vector_free(&g->legal);
  memory_delete(g->moves);
  memory_delete(g->values);
  text_free(&game->error);
  memory_delete(g);
}

Game *netgame_new(Description *description, const Net *net) {
  static const GameOperations operations = {
      .name = "net",
      .delete = netgame_delete,
      .reset = netgame_reset,
      .make = netgame_make,
      .retract = netgame_retract,
      .terminal = netgame_terminal,
      .legal = netgame_legal,
      .goals = netgame_goals,
      .facts = netgame_facts,
      .move_term = netgame_move_term,
  };
  NetGame *g = memory_new(sizeof *g);
  vector_grow(&g->states, 1); /* not NULL, even for a net without fluents */
  g->game = (Game){.operations = &operations,
                   .description = description,
                   .role_count = net->role_count};
  g->net = net;
  g->moves = memory_new(net->moves.count * sizeof *g->moves);
  g->values = memory_new(net->gates.count * sizeof *g->values);
  netgame_reset(&g->game);
  return &g->game;
}
