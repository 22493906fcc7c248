/* The flow of one match (the thesis' Game Flow, Finnsson 2007, section 3.3):
   start thinking, then moves of all roles until the referee says that it is
   over. Nothing that an agent answers is believed: a move that is not legal
   ends the match. */
#include "match/match.h"

typedef struct Match {
  Game *referee;
  Agent *const *agents;
  const MatchOptions *options;
  MatchResult *result;
  Move joint[RULE_ROLES];
} Match;

static const char *const end_names[] = {
    [MATCH_ENDED] = "ended",   [MATCH_CUT_OFF] = "cut off",
    [MATCH_STUCK] = "stuck",   [MATCH_ILLEGAL] = "illegal",
    [MATCH_FAILED] = "failed", [MATCH_STOPPED] = "stopped",
};

const char *match_end_name(MatchEnd end) {
  return end_names[end];
}

static void write_role(Match *match, uint32_t role) {
  term_write(game_terms(match->referee), game_role(match->referee, role),
             &match->result->error);
}

/* True if an engine, the referee's or the agent's, has failed. */
static bool has_failed(Match *match, Game *game) {
  if (!game_failed(game)) return false;
  match->result->end = MATCH_FAILED;
  if (!match->result->error.length)
    text_add(&match->result->error, game->error.bytes);
  return true;
}

static bool is_stopped(Match *match) {
  const atomic_bool *stop = match->options->play.stop;
  if (!stop || !atomic_load(stop)) return false;
  match->result->end = MATCH_STOPPED;
  return true;
}

static bool is_legal(Match *match, uint32_t role, Move move) {
  const Move *moves;
  uint32_t count = game_legal(match->referee, role, &moves), i = 0;
  while (i < count && moves[i] != move) i++;
  return i < count;
}

/* One role's move into the joint move; false if the match cannot go on. */
static bool ask(Match *match, uint32_t role) {
  const Move *moves;
  Agent *agent = match->agents[role];
  uint32_t count = game_legal(match->referee, role, &moves);
  if (has_failed(match, match->referee)) return false;
  if (!count) {
    match->result->end = MATCH_STUCK;
    write_role(match, role);
    text_add(&match->result->error, " has no legal move");
    return false;
  }
  if (count == 1 && match->options->idle)
    agent_think(agent, &match->options->play);
  Move move = 0;
  agent_choose(agent, &match->options->play, &move);
  if (has_failed(match, agent->game)) return false;
  if (!is_legal(match, role, move)) {
    match->result->end = MATCH_ILLEGAL;
    write_role(match, role);
    text_format(&match->result->error, " made an illegal move in step %u",
                match->result->steps + 1);
    return false;
  }
  match->joint[role] = move;
  return true;
}

static void keep_moves(Match *match) {
  for (uint32_t role = 0; role < match->referee->role_count; role++) {
    term_write(game_terms(match->referee),
               game_move_term(match->referee, role, match->joint[role]),
               &match->result->moves);
    text_add_byte(&match->result->moves, '\n');
  }
}

static bool step(Match *match) {
  uint32_t roles = match->referee->role_count;
  for (uint32_t role = 0; role < roles; role++)
    if (is_stopped(match) || !ask(match, role)) return false;
  if (match->options->keep_moves) keep_moves(match);
  game_make(match->referee, match->joint);
  match->result->steps++;
  for (uint32_t role = 0; role < roles; role++) {
    agent_told(match->agents[role], match->joint);
    if (has_failed(match, match->agents[role]->game)) return false;
  }
  return true;
}

/* All before the first move, one after the other. */
static void start(Match *match) {
  Budget budget = match->options->start;
  if (!budget_limited(&budget)) return;
  budget.stop = match->options->play.stop;
  for (uint32_t role = 0; role < match->referee->role_count; role++)
    agent_think(match->agents[role], &budget);
}

static void play(Match *match) {
  if (!game_terminal(match->referee)) start(match);
  for (;;) {
    match->result->end = MATCH_ENDED;
    bool over = game_terminal(match->referee);
    if (has_failed(match, match->referee) || over) return;
    if (match->result->steps == match->options->step_limit) {
      match->result->end = MATCH_CUT_OFF;
      return;
    }
    if (!step(match)) return;
  }
}

static void read_sides(Match *match) {
  MatchResult *result = match->result;
  bool valued = result->end == MATCH_ENDED || result->end == MATCH_CUT_OFF;
  for (uint32_t role = 0; role < result->role_count; role++) {
    int goal = valued ? game_goal(match->referee, role) : 0;
    result->sides[role] = (MatchSide){.goal = goal < 0 ? 0 : goal,
                                      .work = match->agents[role]->work};
  }
  if (valued) has_failed(match, match->referee);
}

void match_play(Game *referee, Agent *const *agents,
                const MatchOptions *options, MatchResult *result) {
  Match match = {.referee = referee,
                 .agents = agents,
                 .options = options,
                 .result = result};
  *result = (MatchResult){.role_count = referee->role_count};
  result->sides = memory_new(referee->role_count * sizeof *result->sides);
  play(&match);
  read_sides(&match);
}

void match_result_free(MatchResult *result) {
  memory_delete(result->sides);
  text_free(&result->moves);
  text_free(&result->error);
  text_free(&result->fault);
}
