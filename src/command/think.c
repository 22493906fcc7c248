/* tafl think GAME: the best moves of a position, with values and expected
   lines. */
#include <signal.h>
#include <stdio.h>
#include <strings.h>

#include "command/cluster.h"
#include "command/command.h"
#include "command/setup.h"
#include "command/think_show.h"
#include "engine/moves.h"
#include "engine/turn.h"

static const double seconds = 5; /* without any limit */

/* ---- an interrupt ends the thinking; the result so far is shown ---- */

static atomic_bool interrupted;

static void interrupt(int number) { /* by a person, or by --limit */
  signal(number, SIG_DFL);
  atomic_store(&interrupted, true);
}

/* ---- who thinks ---- */

static bool read_agent(const Options *options, AgentSpec *spec) {
  Text error = {0};
  if (!spec_parse(spec, options->agent, &error)) {
    log_error("--agent: %s", error.bytes);
    text_free(&error);
    return false;
  }
  if (spec_is_local(spec) && spec_thinks(spec)) return true;
  if (spec_is_local(spec))
    log_error("--agent: %s does not think; see tafl agents", options->agent);
  else
    log_error("--agent: think needs one that runs here, not %s; see tafl "
              "agents",
              options->agent);
  spec_free(spec);
  return false;
}

/* The role that has a choice, unless the options name another. */
static bool find_role(const Options *options, Game *game, uint32_t *role) {
  Turn turn = turn_of(game);
  *role = turn.movers ? turn.role : 0;
  return open_role(options, game, role);
}

/* ---- thinking ---- */

static Budget read_budget(const Options *options) {
  Budget budget = {.seconds = options->play,
                   .simulations = (uint64_t)options->sims,
                   .states = (uint64_t)options->states,
                   .stop = &interrupted};
  if (!budget_limited(&budget)) budget.seconds = seconds;
  return budget;
}

static int report_failure(const Game *game) {
  if (!game_failed(game)) return EXIT_FINE;
  log_error("%s: %s", game->description->source.name,
            text_string(&game->error));
  return EXIT_LIMIT;
}

/* Seconds until the ranks are there; then the search begins without them. */
static const double crew_patience = 60;

/* Returns false, after printing why, if ranks are wanted and cannot help. */
static bool find_help(const Options *options, const Scheme *scheme, Book *book,
                      const AgentSpec *spec, Agent *agent, Crew **crew) {
  *crew = NULL;
  if (!*options->cluster) return true;
  *crew = cluster_crew(options, scheme, book, &spec->settings, agent->role);
  if (!*crew) return false;
  if (!cluster_join(*crew, agent, book)) {
    crew_delete(*crew);
    return false;
  }
  crew_wait(*crew, crew_patience);
  return true;
}

/* Thinks about the game's state and shows what is found. */
static int think(const Options *options, const Scheme *scheme, Book *book,
                 Game *game, uint32_t role, const AgentSpec *spec) {
  const Term *facts;
  Crew *crew;
  Agent *agent = spec_agent(spec, book, role, (uint64_t)options->seed);
  if (!find_help(options, scheme, book, spec, agent, &crew)) {
    agent_end(agent, AGENT_DROPPED);
    return EXIT_LIMIT;
  }
  Boards *boards = NULL;
  ThinkShow show;
  Budget budget = read_budget(options);
  if (!options->json)
    boards = boards_new(book->description, book_analysis(book));
  think_show_init(&show, options, game, boards);
  show.crew = crew;
  uint32_t count = game_facts(game, &facts);
  if (agent_enter(agent, facts, count) && !game_failed(agent->game)) {
    signal(SIGINT, interrupt);
    open_alarm(interrupt);
    tasks_enter(&book->tasks, TASK_PLAYING);
    agent_think_watched(agent, &budget, show.live ? think_show_progress : NULL,
                        &show);
    signal(SIGINT, SIG_DFL);
    think_show_result(&show, agent);
  }
  int code = report_failure(agent->game);
  if (boards) boards_delete(boards);
  agent_end(agent, AGENT_COMPLETED);
  if (crew) crew_delete(crew);
  return code;
}

/* Goes to the position and thinks, unless it is terminal. */
static int open(const Options *options, const Scheme *scheme, Book *book,
                const AgentSpec *spec) {
  Game *game = book_game(book);
  uint32_t role;
  int code = EXIT_INPUT;
  if (setup_enter(options, game)) {
    code = EXIT_FINE;
    if (game_terminal(game))
      think_show_over(options, game);
    else if (!find_role(options, game, &role))
      code = EXIT_USAGE;
    else if (!game_failed(game))
      code = think(options, scheme, book, game, role, spec);
  }
  int end = open_end(options, book, game);
  return end == EXIT_FINE ? code : end;
}

static int open_game(const Options *options, const Scheme *scheme,
                     const AgentSpec *spec) {
  Description description;
  Book book;
  int code = EXIT_INPUT;
  open_begin(options, 0);
  if (open_description(options, options->arguments[0], &description)) {
    code = EXIT_LIMIT;
    log_progress("loading %s", options->arguments[0]);
    if (open_book(options, &description, &book)) {
      log_progress_end();
      code = open(options, scheme, &book, spec);
      book_free(&book);
    }
    description_free(&description);
  }
  return code;
}

int command_think(const Options *options) {
  AgentSpec spec;
  Scheme scheme;
  if (options->argument_count != 1) {
    log_error("think takes one game");
    return EXIT_USAGE;
  }
  if (!read_agent(options, &spec)) return EXIT_USAGE;
  int code = cluster_open(options, &scheme);
  if (code == EXIT_FINE) code = open_game(options, &scheme, &spec);
  cluster_close(&scheme);
  spec_free(&spec);
  return code;
}
