/* An agent, its engine and what they are made of. Moves come and go as text,
   since rulebooks that were made apart number them as they like. Between
   local_start or local_play and local_wait all of it belongs to the thread. */
#include "match/local.h"

#include "base/clock.h"

enum { STACK = 8 << 20 }; /* what evaluation counts on */

void local_init(Local *local, const LocalHouse *house, uint32_t role,
                const AgentSpec *spec, uint64_t seed) {
  *local = (Local){.house = house, .role = role, .spec = spec, .seed = seed};
}

void local_free(Local *local) {
  if (!local->agent) return;
  agent_end(local->agent, AGENT_COMPLETED);
  if (local->house->shared) return;
  book_free(&local->book);
  description_free(&local->description);
}

static void run(Local *local, void *(*work)(void *)) {
  pthread_attr_t attributes;
  if (local->house->shared) {
    work(local);
    return;
  }
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, STACK);
  if (pthread_create(&local->thread, &attributes, work, local))
    fatal("no thread can be made");
  pthread_attr_destroy(&attributes);
}

void local_wait(Local *local) {
  if (!local->house->shared) pthread_join(local->thread, NULL);
}

/* ---- turns ---- */

/* What was done since `before` goes to the turn. */
static void note_work(Local *local, const AgentWork *before, double start) {
  RecordTurn *turn = local->turn;
  const AgentWork *work = &local->agent->work;
  turn->seconds = clock_now() - start;
  turn->work =
      (AgentWork){.simulations = work->simulations - before->simulations,
                  .states = work->states - before->states,
                  .seconds = work->seconds - before->seconds};
  turn->searched = turn->work.simulations > 0;
  if (!turn->searched) return;
  AgentReport report;
  agent_report(local->agent, &report);
  turn->value = report.value;
  turn->depth = report.depth;
  turn->nodes = report.nodes;
  turn->proven = report.proven;
}

/* A rulebook of its own; grounding may take half of the start clock. */
static void make_book(Local *local) {
  const LocalHouse *house = local->house;
  const Description *from = house->description;
  BookLimits limits = house->limits;
  double most = local->budget.seconds / 2;
  if (most > 0 && limits.ground.seconds > most) limits.ground.seconds = most;
  description_init(&local->description, from->source.name,
                   text_string(&from->text), from->text.length);
  book_init(&local->book, &local->description, &limits, house->ground);
}

static void *work_start(void *context) {
  Local *local = context;
  const AgentWork nothing = {0};
  double start = clock_now();
  Book *book = local->house->shared;
  if (!book) make_book(local);
  local->agent = spec_agent(local->spec, book ? book : &local->book,
                            local->role, local->seed);
  Budget budget = local->budget;
  if (!book && budget.seconds > 0) budget.seconds -= clock_now() - start;
  agent_think(local->agent, &budget);
  note_work(local, &nothing, start);
  return NULL;
}

static void *work_play(void *context) {
  Local *local = context;
  const AgentWork before = local->agent->work;
  Game *game = local_game(local);
  const Move *moves;
  double start = clock_now();
  bool choice = game_legal(game, local->role, &moves) > 1;
  if (!choice && local->idle) agent_think(local->agent, &local->budget);
  Move move;
  bool moved = agent_choose(local->agent, &local->budget, &move);
  if (moved && !game_failed(game))
    term_write(game_terms(game), game_move_term(game, local->role, move),
               &local->turn->move);
  note_work(local, &before, start);
  return NULL;
}

void local_start(Local *local, const Budget *budget, RecordTurn *turn) {
  local->budget = *budget;
  local->turn = turn;
  run(local, work_start);
}

void local_play(Local *local, const Budget *budget, bool idle,
                RecordTurn *turn) {
  local->budget = *budget;
  local->idle = idle;
  local->turn = turn;
  run(local, work_play);
}

/* ---- the match goes on ---- */

Game *local_game(Local *local) {
  return local->agent->game;
}

bool local_advance(Local *local, const RecordTurn *turns) {
  Game *game = local_game(local);
  Move joint[RULE_ROLES];
  for (uint32_t role = 0; role < game->role_count; role++)
    if (!remote_find_move(game, role, text_string(&turns[role].move),
                          &joint[role]))
      return false;
  agent_told(local->agent, joint);
  return true;
}
