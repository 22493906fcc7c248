/* tafl solve GAME: a plan for a game of one role, or the judgement of one.

   Methods work on the puzzle side by side (solve/portfolio.h). An agent that
   plays puzzles by its search plays the game through instead, and its moves are
   the plan: half of the budget is for the first move, a tenth of what is left
   for each of the others. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/solver.h"
#include "base/clock.h"
#include "command/command.h"
#include "command/interrupt.h"
#include "command/setup.h"
#include "command/solve_plan.h"
#include "command/solve_show.h"
#include "solve/methods.h"

static const double standard_seconds = 30; /* without any limit */

/* ---- who solves ---- */

typedef struct Solvers {
  AgentSpec spec;      /* of the agent, or of tafl for its settings */
  bool plays;          /* it plays the game through */
  const char *methods; /* NULL: all that may help */
} Solvers;

/* Returns true if the text is names of methods, joined by '+'. */
static bool are_methods(const char *text) {
  for (;;) {
    Text name = {0};
    size_t length = strcspn(text, "+");
    text_add_bytes(&name, text, length);
    bool known = methods_find(text_string(&name));
    text_free(&name);
    if (!known || !text[length]) return known;
    text += length + 1;
  }
}

static bool is_preset(const char *text) {
  for (uint32_t i = 0; i < preset_count; i++)
    if (strcmp(presets[i].name, text) == 0) return true;
  return false;
}

static bool refuse_agent(const char *agent, const Text *error) {
  Text names = {0};
  for (uint32_t i = 0; i < methods_count; i++)
    text_format(&names, "%s%s", i ? ", " : "", methods_list[i]->name);
  if (error->length)
    log_error("--agent: %s; methods are %s", error->bytes, text_string(&names));
  else
    log_error("--agent: %s does not solve; see tafl agents", agent);
  text_free(&names);
  return false;
}

static bool read_solvers(const Options *options, Solvers *solvers) {
  const char *agent = options->agent;
  bool methods = are_methods(agent) && !is_preset(agent);
  Text error = {0};
  *solvers = (Solvers){.methods = methods ? agent : NULL};
  bool fine = spec_parse(&solvers->spec, methods ? "tafl" : agent, &error);
  const Settings *settings = &solvers->spec.settings;
  if (fine && !(spec_is_local(&solvers->spec) && spec_thinks(&solvers->spec))) {
    spec_free(&solvers->spec);
    fine = false;
  }
  if (!fine) {
    refuse_agent(agent, &error);
  } else if (!methods) {
    solvers->plays = settings->puzzle == PUZZLE_SEARCH;
    solvers->methods = solver_methods(settings);
  }
  text_free(&error);
  return fine;
}

/* ---- what it may use ---- */

static Budget read_budget(const Options *options) {
  Budget budget = {.seconds = options->seconds,
                   .states = (uint64_t)options->states,
                   .stop = interrupt_flag()};
  if (!budget_limited(&budget)) budget.seconds = standard_seconds;
  return budget;
}

static uint32_t read_threads(const Options *options, const Book *book,
                             const AgentSpec *spec) {
  if (!book->has_net) return 1; /* rules engines share the description */
  if (options->threads) return (uint32_t)options->threads;
  if (spec->settings.threads) return (uint32_t)spec->settings.threads;
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return options->states || processors < 1 ? 1 : (uint32_t)processors;
}

/* ---- methods ---- */

typedef struct Progress {
  Puzzle *puzzle;
  double start, seconds;
} Progress;

static void show_progress(void *context) {
  const Progress *progress = context;
  double spent = clock_now() - progress->start;
  double left = progress->seconds - spent;
  if (progress->seconds <= 0)
    left = -1;
  else if (left < 0)
    left = 0;
  solve_show_progress(progress->puzzle, spent, left);
}

static void collect(Puzzle *puzzle, Portfolio *portfolio, SolveResult *result) {
  puzzle_best(puzzle, &result->plan);
  puzzle_news(puzzle, &result->news);
  result->bound = atomic_load(&puzzle->bound);
  result->prover = puzzle_prover(puzzle);
  result->least = atomic_load(&puzzle->least);
  result->expanded = atomic_load(&puzzle->expanded);
  result->generated = atomic_load(&puzzle->generated);
  uint32_t count = portfolio_members(portfolio, result->members, SOLVE_MEMBERS);
  result->member_count = count < SOLVE_MEMBERS ? count : SOLVE_MEMBERS;
  for (uint32_t i = 0; i < result->member_count; i++)
    result->simulations += result->members[i].simulations;
}

/* Where no method found a plan, any is better than none: offers the first
   random game that ends. */
static void offer_any(Puzzle *puzzle, Game *game) {
  enum { GAMES = 20, STEPS = 5000 };
  static const double longest = 1; /* seconds */
  Random random;
  MoveVector plan = {0};
  double start = clock_now();
  random_seed(&random, puzzle->seed);
  for (int i = 0; i < GAMES && atomic_load(&puzzle->score) < 0; i++) {
    const Move *moves;
    vector_clear(&plan);
    while (!game_terminal(game) && plan.count < STEPS &&
           game_legal(game, 0, &moves) && clock_now() - start < longest) {
      Move move = moves_random(game, 0, &random);
      vector_push(&plan, move);
      game_make(game, &move);
    }
    if (game_terminal(game))
      puzzle_offer(puzzle, "random", 100, plan.data, plan.count);
    for (uint32_t at = 0; at < plan.count; at++) game_retract(game);
  }
  vector_free(&plan);
}

/* Returns false, after printing why, if a method is unknown. */
static bool solve_by_methods(const Options *options, Book *book,
                             const Solvers *solvers, SolveResult *result) {
  const uint64_t *words;
  Text error = {0};
  uint32_t count = game_state(result->game, &words);
  Puzzle *puzzle =
      puzzle_new(book, (uint64_t)options->seed, (size_t)options->memory << 20);
  PortfolioOptions chosen = {.methods = solvers->methods,
                             .threads = result->threads,
                             .shortest = options->shortest,
                             .seed = (uint64_t)options->seed,
                             .settings = &solvers->spec.settings};
  Budget budget = read_budget(options);
  Progress progress = {puzzle, clock_now(), budget.seconds};
  budget.watch = show_progress;
  budget.context = &progress;
  puzzle_enter(puzzle, words, count);
  Portfolio *portfolio = portfolio_new(puzzle, &chosen, &error);
  if (portfolio) {
    portfolio_think(portfolio, &budget);
    if (!puzzle_solved(puzzle)) offer_any(puzzle, result->game);
    result->seconds = clock_now() - progress.start;
    log_progress_end();
    collect(puzzle, portfolio, result);
    portfolio_delete(portfolio);
  } else {
    refuse_agent(options->agent, &error);
  }
  puzzle_delete(puzzle);
  text_free(&error);
  return portfolio;
}

/* ---- an agent that plays ---- */

enum { STEPS_MOST = 100000 };

/* What it may use for the next move. */
static Budget next_budget(const Budget *all, const Agent *agent, uint32_t step,
                          double start) {
  Budget budget = {.stop = all->stop};
  uint64_t spent = agent->work.states;
  uint64_t states = all->states > spent ? all->states - spent : 0;
  double seconds = all->seconds - (clock_now() - start);
  if (all->states) budget.states = step ? states / 10 : states / 2;
  if (all->seconds > 0) budget.seconds = step ? seconds / 10 : seconds / 2;
  if ((all->states && !budget.states) ||
      (all->seconds > 0 && budget.seconds < 1e-4) || atomic_load(all->stop))
    budget = (Budget){.simulations = 1};
  return budget;
}

/* Makes the agent's moves on the result's game, up to the end. Returns false if
   it has none. */
static bool play(Agent *agent, const Budget *budget, SolveResult *result) {
  Game *game = result->game;
  double start = clock_now();
  for (uint32_t step = 0; !game_terminal(game); step++) {
    AgentReport report;
    Move move;
    Budget own = next_budget(budget, agent, step, start);
    if (step == STEPS_MOST || game_failed(game)) return false;
    agent_think(agent, &own);
    agent_report(agent, &report);
    if (step == 0 && report.proven && (int)report.value < result->bound) {
      result->bound = (int)report.value;
      result->prover = result->options->agent;
    }
    if (!agent_best(agent, &move)) return false;
    vector_push(&result->plan.moves, move);
    game_make(game, &move);
    agent_told(agent, &move);
    log_progress("%u moves, %.0f s", step + 1, clock_now() - start);
  }
  return !game_failed(game);
}

/* Returns false if the agent cannot begin in this state. */
static bool solve_by_playing(const Options *options, Book *book,
                             const Solvers *solvers, SolveResult *result) {
  const Term *facts;
  AgentSpec spec = solvers->spec;
  spec_set_threads(&spec, result->threads);
  spec_limit_memory(&spec, (size_t)options->memory << 20);
  Agent *agent = spec_agent(&spec, book, 0, (uint64_t)options->seed);
  Budget budget = read_budget(options);
  double start = clock_now();
  uint32_t count = game_facts(result->game, &facts);
  bool fine = agent_enter(agent, facts, count);
  if (fine && play(agent, &budget, result)) {
    int score = game_goal(result->game, 0);
    result->plan.score = score < 0 ? 0 : score;
    result->plan.by = options->agent;
    result->plan.seconds = clock_now() - start;
    vector_push(&result->news,
                ((PlanNews){result->plan.score, result->plan.moves.count,
                            options->agent, result->plan.seconds}));
  }
  log_progress_end();
  for (uint32_t i = 0; fine && i < result->plan.moves.count; i++)
    game_retract(result->game);
  result->seconds = clock_now() - start;
  result->expanded = agent->work.states;
  result->simulations = agent->work.simulations;
  result->members[result->member_count++] =
      (MemberReport){.name = options->agent,
                     .status = MEMBER_WORKING,
                     .expanded = agent->work.states,
                     .simulations = agent->work.simulations,
                     .seconds = agent->work.seconds};
  agent_end(agent, AGENT_COMPLETED);
  return fine;
}

/* ---- the verb ---- */

/* A state in which nothing can be done needs no methods. Returns true if it is
   one. */
static bool settle(SolveResult *result) {
  const Move *moves;
  Game *game = result->game;
  bool over = game_terminal(game);
  if (!over && (game_legal(game, 0, &moves) || game_failed(game))) return false;
  int goal = over ? game_goal(game, 0) : -1;
  result->plan.score = over && goal < 0 ? 0 : goal;
  result->bound = result->plan.score;
  return true;
}

static int code_of(const Options *options, const SolveResult *result) {
  if (!solve_show_proven(result)) return EXIT_LIMIT;
  if (result->plan.score < 0) return EXIT_NO;
  return !options->shortest || solve_show_shortest(result) ? EXIT_FINE
                                                           : EXIT_LIMIT;
}

static int solve(const Options *options, Book *book, const Solvers *solvers,
                 Game *game) {
  int highest = book->best_goal ? book->best_goal[0] : 100;
  SolveResult result = {.options = options,
                        .game = game,
                        .plan = {.score = -1, .by = ""},
                        .maximum = highest,
                        .bound = highest,
                        .threads = read_threads(options, book, &solvers->spec)};
  int code = EXIT_FINE;
  interrupt_catch();
  tasks_enter(&book->tasks, TASK_PLAYING);
  if (!settle(&result) && !game_failed(game) &&
      !(solvers->plays ? solve_by_playing : solve_by_methods)(options, book,
                                                              solvers, &result))
    code = EXIT_USAGE;
  interrupt_release();
  result.interrupted = interrupt_came();
  if (code == EXIT_FINE && !game_failed(game)) {
    solve_show(&result);
    code = code_of(options, &result);
  }
  vector_free(&result.plan.moves);
  vector_free(&result.news);
  return code;
}

static bool is_for_one(const Description *description) {
  uint32_t count = description->rules.roles.count;
  if (count == 1) return true;
  log_error("%s has %u roles; solve is for games of one role, tafl think for "
            "the others",
            description->source.name, count);
  return false;
}

/* Goes to the position and solves it, or checks the plan. */
static int open(const Options *options, Book *book, const Solvers *solvers) {
  Game *game = book_game(book);
  int code = EXIT_INPUT;
  if (setup_enter(options, game))
    code = *options->plan ? solve_plan_check(options, book, game)
                          : solve(options, book, solvers, game);
  int end = open_finish(options, game);
  return end == EXIT_FINE ? code : end;
}

int command_solve(const Options *options) {
  Description description;
  Solvers solvers;
  Book book;
  int code = EXIT_INPUT;
  if (options->argument_count != 1) {
    log_error("solve takes one game");
    return EXIT_USAGE;
  }
  if (!read_solvers(options, &solvers)) return EXIT_USAGE;
  open_begin(options, 0);
  if (open_description(options, options->arguments[0], &description)) {
    log_progress("loading %s", options->arguments[0]);
    if (is_for_one(&description)) {
      code = EXIT_LIMIT;
      if (open_book(options, &description, &book)) {
        log_progress_end();
        code = open(options, &book, &solvers);
        book_free(&book);
      }
    }
    description_free(&description);
  }
  spec_free(&solvers.spec);
  return code;
}
