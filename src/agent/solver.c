/* The agent's engine, the puzzle and the portfolio stand at the same state.

   Where no plan of the highest possible score is known, a move that only lets
   time pass gains time to think: it is played if the best known plan leads to
   the same score after it, for at most half of the steps that the game can
   last. */
#include "agent/solver.h"

#include "agent/searcher.h"
#include "base/clock.h"

typedef struct Solver {
  Agent agent;
  Book *book;
  Settings settings;
  uint64_t seed;
  Puzzle *puzzle;
  Portfolio *portfolio;
  /* The thesis' way (puzzle=ida): if nothing was found in the start clock, the
     search plays. */
  Agent *searcher;
  bool started;
  uint32_t steps;    /* made since the beginning */
  uint32_t longest;  /* steps of a game; 0: unknown */
  atomic_bool waits; /* `wait` is a move that only lets time pass */
  atomic_uint wait;
  AgentReport last;
  MoveVector legal;
  VECTOR(AgentMove) moves; /* of the last report */
  VECTOR(AgentStep) steps_of_line;
  MemberReport members[32];
} Solver;

const char *solver_methods(const Settings *settings) {
  switch (settings->puzzle) {
  case PUZZLE_IDA: return "ida";
  case PUZZLE_ASTAR: return "astar+uct";
  case PUZZLE_NESTED: return "nested";
  case PUZZLE_NRPA: return "nrpa";
  default: return NULL;
  }
}

/* ---- waiting ---- */

/* Looks for a legal move after which the state is the same but for autonomous
   fluents, if there still are steps to waste. */
static void find_wait(Solver *solver) {
  Game *game = solver->agent.game;
  atomic_store(&solver->waits, false);
  if (solver->settings.puzzle != PUZZLE_PORTFOLIO || !solver->longest) return;
  if (solver->steps * 2 >= solver->longest || game_terminal(game)) return;
  const Move *moves;
  uint32_t count = game_legal(game, 0, &moves);
  vector_clear(&solver->legal);
  for (uint32_t i = 0; i < count; i++) vector_push(&solver->legal, moves[i]);
  for (uint32_t i = 0; i < count; i++) {
    Move move = solver->legal.data[i];
    const uint64_t *words;
    game_make(game, &move);
    uint32_t length = game_state(game, &words);
    bool same = !puzzle_moves(solver->puzzle, words, length);
    game_retract(game);
    if (!same) continue;
    atomic_store(&solver->wait, move);
    atomic_store(&solver->waits, true);
    return;
  }
}

static void know_length(Solver *solver) {
  const Analysis *analysis = book_analysis(solver->book);
  if (analysis && analysis->ends) solver->longest = analysis->longest;
}

/* ---- the state ---- */

static void told(Agent *agent, const Move *joint) {
  Solver *solver = (Solver *)agent;
  game_make(agent->game, joint);
  puzzle_advance(solver->puzzle, *joint);
  if (solver->searcher) agent_told(solver->searcher, joint);
  solver->steps++;
  find_wait(solver);
}

static void drop_searcher(Solver *solver) {
  if (solver->searcher) agent_end(solver->searcher, AGENT_DROPPED);
  solver->searcher = NULL;
}

static void stand_here(Solver *solver) {
  const uint64_t *words;
  uint32_t count = game_state(solver->agent.game, &words);
  puzzle_enter(solver->puzzle, words, count);
  solver->steps = 0;
  solver->started = false;
  drop_searcher(solver);
  find_wait(solver);
}

static void reset(Agent *agent) {
  game_reset(agent->game);
  stand_here((Solver *)agent);
}

static bool enter(Agent *agent, const Term *facts, uint32_t count) {
  if (!game_enter_facts(agent->game, facts, count)) return false;
  stand_here((Solver *)agent);
  return true;
}

/* ---- thinking ---- */

static void sum_up(Solver *solver, double seconds) {
  uint64_t expanded = 0, simulations = 0;
  uint32_t most = sizeof solver->members / sizeof *solver->members;
  uint32_t count = portfolio_members(solver->portfolio, solver->members, most);
  for (uint32_t i = 0; i < count && i < most; i++) {
    expanded += solver->members[i].expanded;
    simulations += solver->members[i].simulations;
  }
  AgentWork *work = &solver->agent.work;
  solver->last = (AgentReport){.searched = true,
                               .states = expanded - work->states,
                               .simulations = simulations - work->simulations,
                               .seconds = seconds};
  work->states = expanded;
  work->simulations = simulations;
  work->seconds += seconds;
}

static Budget share_of(const Solver *solver, const Budget *budget) {
  Budget own = *budget;
  double share = solver->settings.share;
  own.seconds *= share;
  own.states = (uint64_t)((double)own.states * share + 0.5);
  own.simulations = (uint64_t)((double)own.simulations * share + 0.5);
  return own;
}

static void think_by_methods(Solver *solver, const Budget *budget) {
  double start = clock_now();
  Budget own = share_of(solver, budget);
  if (portfolio_has_work(solver->portfolio))
    portfolio_think(solver->portfolio, &own);
  sum_up(solver, clock_now() - start);
  if (!solver->longest) know_length(solver);
  find_wait(solver);
}

/* The thesis: a solution with any points is enough to go on with IDA*. */
static bool falls_back(const Solver *solver) {
  return solver->settings.puzzle == PUZZLE_IDA &&
         atomic_load(&solver->puzzle->score) <= 0;
}

static void make_searcher(Solver *solver) {
  const Term *facts;
  solver->searcher =
      searcher_new(solver->book, 0, &solver->settings, solver->seed);
  uint32_t count = game_facts(solver->agent.game, &facts);
  agent_enter(solver->searcher, facts, count);
}

static void start(Agent *agent, const Budget *budget) {
  Solver *solver = (Solver *)agent;
  if (budget_limited(budget)) think_by_methods(solver, budget);
  solver->started = true;
}

static void think(Agent *agent, const Budget *budget) {
  Solver *solver = (Solver *)agent;
  if (!solver->searcher && solver->started && falls_back(solver))
    make_searcher(solver);
  if (!solver->searcher) {
    think_by_methods(solver, budget);
    return;
  }
  AgentWork before = solver->searcher->work;
  agent_think(solver->searcher, budget);
  const AgentWork *after = &solver->searcher->work;
  agent->work.simulations += after->simulations - before.simulations;
  agent->work.states += after->states - before.states;
  agent->work.seconds += after->seconds - before.seconds;
  agent->work.found = after->found;
}

static bool best(Agent *agent, Move *move) {
  Solver *solver = (Solver *)agent;
  if (solver->searcher) return agent_best(solver->searcher, move);
  if (!puzzle_solved(solver->puzzle) && atomic_load(&solver->waits)) {
    *move = atomic_load(&solver->wait);
    if (puzzle_waits(solver->puzzle, *move)) return true;
  }
  return portfolio_best(solver->portfolio, move);
}

/* ---- reports ---- */

static void list_line(Solver *solver, const Plan *plan) {
  vector_clear(&solver->steps_of_line);
  for (uint32_t i = 0; i < plan->moves.count; i++)
    vector_push(&solver->steps_of_line,
                ((AgentStep){.move = plan->moves.data[i], .chosen = true}));
}

/* The move to play first, with the plan as its line if it begins with it. */
static void list_moves(Solver *solver, const Plan *plan) {
  Game *game = solver->agent.game;
  const Move *legal;
  Move first;
  vector_clear(&solver->moves);
  if (game_terminal(game) || !best(&solver->agent, &first)) return;
  uint32_t count = game_legal(game, 0, &legal);
  AgentMove played = {.move = first, .visits = 1, .value = plan->score};
  if (plan->score < 0) played.visits = 0;
  if (plan->moves.count && plan->moves.data[0] == first) {
    played.proven = puzzle_solved(solver->puzzle);
    played.line = (AgentLine){solver->steps_of_line.data, plan->moves.count};
  }
  vector_push(&solver->moves, played);
  for (uint32_t i = 0; i < count; i++)
    if (legal[i] != first)
      vector_push(&solver->moves, ((AgentMove){.move = legal[i], .value = -1}));
}

static void report(Agent *agent, AgentReport *filled) {
  Solver *solver = (Solver *)agent;
  if (solver->searcher) {
    agent_report(solver->searcher, filled);
    return;
  }
  Plan plan;
  puzzle_best(solver->puzzle, &plan);
  list_line(solver, &plan);
  list_moves(solver, &plan);
  *filled = solver->last;
  filled->searched = true;
  filled->value = plan.score < 0 ? 0 : plan.score;
  filled->proven = puzzle_solved(solver->puzzle);
  filled->distance = plan.moves.count;
  filled->depth = plan.moves.count;
  filled->moves = solver->moves.data;
  filled->move_count = solver->moves.count;
  vector_free(&plan.moves);
}

static void explain(Agent *agent, Text *text) {
  Solver *solver = (Solver *)agent;
  if (solver->searcher) {
    agent_explain(solver->searcher, text);
    return;
  }
  Plan plan;
  puzzle_best(solver->puzzle, &plan);
  if (plan.score < 0) {
    text_add(text, "no plan yet\n");
  } else {
    text_format(text, "plan of %u moves, score %d%s, found by %s\n",
                plan.moves.count, plan.score,
                puzzle_solved(solver->puzzle) ? ", proven best" : "",
                *plan.by ? plan.by : "nobody");
  }
  portfolio_explain(solver->portfolio, text);
  vector_free(&plan.moves);
}

static void end(Agent *agent, AgentEnd how) {
  Solver *solver = (Solver *)agent;
  (void)how;
  drop_searcher(solver);
  portfolio_delete(solver->portfolio);
  puzzle_delete(solver->puzzle);
  game_delete(agent->game);
  vector_free(&solver->legal);
  vector_free(&solver->moves);
  vector_free(&solver->steps_of_line);
  memory_delete(solver);
}

static const AgentOperations operations = {.start = start,
                                           .told = told,
                                           .reset = reset,
                                           .enter = enter,
                                           .think = think,
                                           .best = best,
                                           .report = report,
                                           .explain = explain,
                                           .end = end};

Agent *solver_new(Book *book, const Settings *settings, uint64_t seed) {
  Solver *solver = memory_new(sizeof *solver);
  solver->book = book;
  solver->settings = *settings;
  solver->seed = seed;
  solver->agent =
      (Agent){.operations = &operations, .role = 0, .game = book_game(book)};
  solver->puzzle = puzzle_new(book, seed, (size_t)settings->memory << 20);
  PortfolioOptions options = {.methods = solver_methods(settings),
                              .threads = (uint32_t)settings->threads,
                              .seed = seed,
                              .settings = settings};
  Text error = {0};
  solver->portfolio = portfolio_new(solver->puzzle, &options, &error);
  text_free(&error);
  return &solver->agent;
}
