/* Agents. An agent follows the positions it is asked about: it remembers from
   which root by which moves it came to its state, and if a position continues
   that, it is told the further moves and keeps what it has learned. */
#include "agent/agent.h"

#include "agent/spec.h"
#include "library/facts.h"
#include "library/position.h"

struct tafl_agent {
  Object object;
  tafl_game *game; /* held */
  Play play;
  AgentSpec spec;
  Agent *agent;
  uint32_t role, roles;
  uint64_t seed;
  atomic_bool stop;
  Root root;
  NumberVector moves; /* made since the root, as in tafl_position */
  MoveVector legal;
  Answer answer;
  VECTOR(tafl_choice) choices;
};

/* ---- new agents ---- */

typedef struct Making {
  tafl_agent *agent;
  const char *specification;
  tafl_status status;
} Making;

static void read_spec(void *context) {
  Making *making = context;
  tafl_agent *agent = making->agent;
  Text error = {0};
  if (!spec_parse(&agent->spec, making->specification, &error))
    making->status = object_fail(TAFL_ERROR_AGENT, "%s", text_string(&error));
  else if (!spec_is_local(&agent->spec))
    making->status =
        object_fail(TAFL_ERROR_AGENT, "%.200s does not play in this process",
                    making->specification);
  text_free(&error);
}

static void begin(void *context) {
  tafl_agent *agent = ((Making *)context)->agent;
  game_play_init(&agent->play, agent->game);
  spec_limit_memory(&agent->spec, agent->object.scope.limit);
  agent->agent =
      spec_agent(&agent->spec, agent->play.book, agent->role, agent->seed);
  agent->roles = agent->agent->game->role_count;
}

static tafl_status make(Making *making) {
  tafl_agent *agent = making->agent;
  tafl_status status = object_call(&agent->object, read_spec, making);
  if (!status) status = making->status;
  pthread_mutex_lock(&agent->game->lock);
  if (!status && agent->spec.kind == SPEC_SEARCH)
    status = game_prepare(agent->game, &agent->spec.settings);
  if (!status) status = object_call(&agent->object, begin, making);
  pthread_mutex_unlock(&agent->game->lock);
  if (!status && game_failed(agent->agent->game))
    status = object_end(&agent->object, TAFL_ERROR_LIMIT,
                        text_string(&agent->agent->game->error));
  return status;
}

tafl_status tafl_agent_new(tafl_game *game, const char *specification,
                           uint32_t role, uint64_t seed, tafl_agent **made) {
  if (!game || !specification || !made || role >= game->roles.count)
    return object_fail(TAFL_ERROR_ARGUMENT,
                       "a game, a specification, a role and a place for the "
                       "agent are needed");
  tafl_agent *agent = object_new(sizeof *agent, game->options.memory);
  if (!agent) return TAFL_ERROR_MEMORY;
  agent->game = game;
  agent->role = role;
  agent->seed = seed;
  atomic_init(&agent->stop, false);
  game_hold(game);
  Making making = {.agent = agent, .specification = specification};
  tafl_status status = make(&making);
  if (status)
    tafl_agent_close(agent);
  else
    *made = agent;
  return status;
}

void tafl_agent_close(tafl_agent *agent) {
  if (!agent) return;
  tafl_game *game = agent->game;
  object_delete(&agent->object);
  tafl_game_close(game);
}

void tafl_agent_stop(tafl_agent *agent) {
  if (agent) atomic_store(&agent->stop, true);
}

/* ---- following a position ---- */

static void enter_root(tafl_agent *agent, const Root *root) {
  vector_clear(&agent->moves);
  position_root_copy(&agent->root, root);
  if (!root->entered) {
    agent_reset(agent->agent);
    return;
  }
  TermVector terms = {0};
  facts_find(agent->play.book, agent->root.facts.list.data,
             agent->root.facts.starts.count, &terms);
  agent_enter(agent->agent, terms.data, terms.count);
  vector_free(&terms);
}

static bool is_continued(const tafl_agent *agent,
                         const tafl_position *position) {
  const NumberVector *own = &agent->moves, *other = &position->moves;
  if (!position_root_same(&agent->root, &position->root) ||
      own->count > other->count)
    return false;
  return !own->count ||
         memcmp(own->data, other->data, own->count * sizeof *own->data) == 0;
}

/* Returns false if the engine has failed. */
static bool tell(tafl_agent *agent, const uint32_t *numbers) {
  Move joint[RULE_ROLES];
  for (uint32_t role = 0; role < agent->roles; role++) {
    vector_clear(&agent->legal);
    moves_sorted(agent->agent->game, role, &agent->legal);
    if (numbers[role] >= agent->legal.count) return false;
    joint[role] = agent->legal.data[numbers[role]];
  }
  agent_told(agent->agent, joint);
  for (uint32_t role = 0; role < agent->roles; role++)
    vector_push(&agent->moves, numbers[role]);
  return true;
}

static void follow(tafl_agent *agent, const tafl_position *position) {
  if (!is_continued(agent, position)) enter_root(agent, &position->root);
  for (uint32_t i = agent->moves.count;
       i < position->moves.count && tell(agent, position->moves.data + i);
       i += agent->roles)
    continue;
}

/* ---- thinking ---- */

typedef struct Thinking {
  tafl_agent *agent;
  const tafl_position *position;
  Budget budget;
  tafl_thought *thought;
} Thinking;

static const double for_ever = 1e12; /* seconds */

/* A string of the answer, as its offset: pointers are made when all are
   written. */
static size_t write_move(tafl_agent *agent, uint32_t role, Move move) {
  size_t start = agent->answer.bytes.length;
  answer_begin(&agent->answer);
  moves_write(agent->agent->game, role, move, &agent->answer.bytes);
  answer_end(&agent->answer);
  return start;
}

static uint32_t find_number(const tafl_agent *agent, Move move) {
  uint32_t number = 0;
  while (number < agent->legal.count && agent->legal.data[number] != move)
    number++;
  return number;
}

static AgentLine best_line(const AgentReport *report) {
  return report->move_count ? report->moves[0].line : (AgentLine){0};
}

/* Strings, in order: the best move, own moves, the line, the explanation. */
static void write_strings(tafl_agent *agent, Move best,
                          const AgentReport *report) {
  answer_clear(&agent->answer);
  write_move(agent, agent->role, best);
  for (uint32_t i = 0; i < report->move_count; i++)
    write_move(agent, agent->role, report->moves[i].move);
  AgentLine line = best_line(report);
  for (uint32_t i = 0; i < line.count * agent->roles; i++)
    write_move(agent, i % agent->roles, line.steps[i].move);
  answer_begin(&agent->answer);
  agent_explain(agent->agent, &agent->answer.bytes);
  answer_end(&agent->answer);
  answer_finish(&agent->answer);
}

static void fill(tafl_agent *agent, Move best, const AgentReport *report,
                 tafl_thought *thought) {
  write_strings(agent, best, report);
  const char *const *strings = agent->answer.list.data;
  vector_clear(&agent->choices);
  for (uint32_t i = 0; i < report->move_count; i++) {
    const AgentMove *move = &report->moves[i];
    tafl_choice choice = {.move = strings[1 + i],
                          .number = find_number(agent, move->move),
                          .is_proven = move->proven,
                          .visits = move->visits,
                          .value = move->value};
    vector_push(&agent->choices, choice);
  }
  thought->move = strings[0];
  thought->number = find_number(agent, best);
  thought->is_searched = report->searched;
  thought->is_proven = report->proven;
  thought->value = report->value;
  thought->depth = report->depth;
  thought->nodes = report->nodes;
  thought->choices = agent->choices.data;
  thought->choice_count = report->move_count;
  thought->line_length = best_line(report).count;
  thought->line = strings + 1 + report->move_count;
  thought->explanation =
      strings[1 + report->move_count + thought->line_length * agent->roles];
}

static void think(void *context) {
  Thinking *thinking = context;
  tafl_agent *agent = thinking->agent;
  follow(agent, thinking->position);
  if (game_failed(agent->agent->game)) return;
  AgentWork before = agent->agent->work;
  agent_think(agent->agent, &thinking->budget);
  const AgentWork *after = &agent->agent->work;
  Move best;
  AgentReport report;
  if (game_failed(agent->agent->game) || !agent_best(agent->agent, &best))
    return;
  agent_report(agent->agent, &report);
  vector_clear(&agent->legal);
  moves_sorted(agent->agent->game, agent->role, &agent->legal);
  fill(agent, best, &report, thinking->thought);
  thinking->thought->seconds = after->seconds - before.seconds;
  thinking->thought->simulations = after->simulations - before.simulations;
  thinking->thought->states = after->states - before.states;
}

static bool read_budget(const tafl_budget *given, Budget *budget) {
  if (!given) {
    budget->seconds = 1;
    return true;
  }
  if (!(given->seconds >= 0)) return false;
  budget->seconds = given->seconds < for_ever ? given->seconds : for_ever;
  budget->simulations = given->simulations;
  budget->states = given->states;
  if (!budget_limited(budget)) budget->seconds = for_ever;
  return true;
}

tafl_status tafl_agent_think(tafl_agent *agent, tafl_position *position,
                             const tafl_budget *budget, tafl_thought *thought) {
  tafl_thought own = {0};
  Thinking thinking = {.agent = agent, .position = position, .thought = &own};
  if (!agent || !position || agent->game != position->game ||
      !read_budget(budget, &thinking.budget))
    return object_fail(TAFL_ERROR_ARGUMENT,
                       "an agent, a position of its game and a budget that is "
                       "not negative are needed");
  tafl_status status = position_check_moves(position);
  if (status) return status;
  thinking.budget.stop = &agent->stop;
  status = object_call(&agent->object, think, &thinking);
  own.is_stopped = atomic_exchange(&agent->stop, false);
  if (!status && game_failed(agent->agent->game))
    status = object_end(&agent->object, TAFL_ERROR_LIMIT,
                        text_string(&agent->agent->game->error));
  if (!status && thought) *thought = own;
  return status;
}
