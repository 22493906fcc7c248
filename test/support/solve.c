#include "support/solve.h"

/* A state on the path: its moves, role by role in Solver.moves, and the current
   choice of each role. */
typedef struct SolveNode {
  uint32_t first[SOLVE_ROLES + 1], choice[SOLVE_ROLES];
} SolveNode;

void solver_init(Solver *solver, Game *game, uint64_t limit) {
  *solver = (Solver){.game = game, .limit = limit, .constant_sum = true};
  solver->table = memory_new(SOLVE_TABLE * sizeof *solver->table);
}

void solver_free(Solver *solver) {
  memory_delete(solver->table);
  vector_free(&solver->moves);
}

void solver_begin(Solver *solver, uint32_t role) {
  solver->salt = hash_mix(solver->salt + 1);
  solver->role = role;
  solver->states = 0;
  solver->beyond = solver->simultaneous = solver->own_last = false;
  memset(solver->history, 0, sizeof solver->history);
}

/* ---- the moves of a state ---- */

static uint32_t *solve_history(Solver *solver, uint32_t role, Move move) {
  return &solver->history[role][move % SOLVE_HISTORY];
}

/* Moves that decided elsewhere come first. */
static void solve_sort(Solver *solver, uint32_t role, Move *moves,
                       uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    Move move = moves[i];
    uint32_t weight = *solve_history(solver, role, move), j = i;
    for (; j && *solve_history(solver, role, moves[j - 1]) < weight; j--)
      moves[j] = moves[j - 1];
    moves[j] = move;
  }
}

static void solve_open(Solver *solver, SolveNode *node) {
  uint32_t movers = 0;
  node->first[0] = solver->moves.count;
  for (uint32_t role = 0; role < solver->game->role_count; role++) {
    const Move *moves;
    uint32_t count = game_legal(solver->game, role, &moves);
    for (uint32_t i = 0; i < count; i++) vector_push(&solver->moves, moves[i]);
    node->choice[role] = node->first[role];
    node->first[role + 1] = solver->moves.count;
    if (count > 1)
      solve_sort(solver, role, solver->moves.data + node->first[role], count);
    movers += count > 1;
  }
  solver->simultaneous |= movers > 1;
}

static void solve_close(Solver *solver, const SolveNode *node) {
  solver->moves.count = node->first[0];
}

static void solve_make(Solver *solver, const SolveNode *node) {
  Move joint[SOLVE_ROLES];
  for (uint32_t role = 0; role < solver->game->role_count; role++)
    joint[role] = solver->moves.data[node->choice[role]];
  solver->states++;
  game_make(solver->game, joint);
}

/* The next choice of the own role, or of the others; false after the last, when
   it starts over. */
static bool solve_step(SolveNode *node, uint32_t role) {
  if (++node->choice[role] < node->first[role + 1]) return true;
  node->choice[role] = node->first[role];
  return false;
}

static bool solve_step_others(const Solver *solver, SolveNode *node) {
  for (uint32_t role = 0; role < solver->game->role_count; role++)
    if (role != solver->role && solve_step(node, role)) return true;
  return false;
}

/* Notes that the choice of the role, or of all others, decided here. */
static void solve_credit(Solver *solver, const SolveNode *node, bool own) {
  for (uint32_t role = 0; role < solver->game->role_count; role++)
    if ((role == solver->role) == own)
      ++*solve_history(solver, role, solver->moves.data[node->choice[role]]);
}

/* ---- the search ---- */

static bool solve_child(Solver *solver, const SolveNode *node, int goal,
                        uint32_t plies) {
  solve_make(solver, node);
  bool answer = solve_reaches(solver, goal, plies - 1);
  game_retract(solver->game);
  return answer;
}

/* Whether the own choice reaches the goal against all choices of the others. */
static bool solve_for_all(Solver *solver, SolveNode *node, int goal,
                          uint32_t plies) {
  uint32_t own = node->choice[solver->role];
  do {
    if (!solve_child(solver, node, goal, plies)) {
      solve_credit(solver, node, false);
      for (uint32_t role = 0; role < solver->game->role_count; role++)
        node->choice[role] = node->first[role];
      node->choice[solver->role] = own;
      return false;
    }
  } while (solve_step_others(solver, node));
  return true;
}

static bool solve_own_first(Solver *solver, SolveNode *node, int goal,
                            uint32_t plies) {
  do {
    if (solve_for_all(solver, node, goal, plies)) {
      solve_credit(solver, node, true);
      return true;
    }
  } while (solve_step(node, solver->role));
  return false;
}

static bool solve_own_last(Solver *solver, SolveNode *node, int goal,
                           uint32_t plies) {
  do {
    bool found = false;
    node->choice[solver->role] = node->first[solver->role];
    do found = solve_child(solver, node, goal, plies);
    while (!found && solve_step(node, solver->role));
    solve_credit(solver, node, found);
    if (!found) return false;
  } while (solve_step_others(solver, node));
  return true;
}

static bool solve_end(Solver *solver, int goal) {
  int own = game_goal(solver->game, solver->role);
  if (solver->game->role_count == 2 &&
      own + game_goal(solver->game, 1 - solver->role) != 100)
    solver->constant_sum = false;
  return own >= goal;
}

bool solve_reaches(Solver *solver, int goal, uint32_t plies) {
  if (game_terminal(solver->game)) return solve_end(solver, goal);
  if (!plies) return false;
  if (solver->states >= solver->limit) solver->beyond = true;
  if (solver->beyond) return false;
  uint64_t question = (uint64_t)goal << 1 | solver->own_last;
  if (plies < SOLVE_TO_THE_END / 2) question |= (uint64_t)plies << 8;
  question =
      hash_pair(game_key(solver->game), hash_pair(question, solver->salt));
  SolveEntry *entry = &solver->table[question % SOLVE_TABLE];
  if (entry->question == question) return entry->answer;
  SolveNode node;
  solve_open(solver, &node);
  bool answer = solver->own_last ? solve_own_last(solver, &node, goal, plies)
                                 : solve_own_first(solver, &node, goal, plies);
  solve_close(solver, &node);
  if (!solver->beyond) *entry = (SolveEntry){question, answer};
  return answer;
}

bool solve_move_reaches(Solver *solver, Move move, int goal, uint32_t plies) {
  SolveNode node;
  solve_open(solver, &node);
  while (solver->moves.data[node.choice[solver->role]] != move)
    node.choice[solver->role]++;
  bool answer = solve_for_all(solver, &node, goal, plies);
  solve_close(solver, &node);
  return answer;
}
