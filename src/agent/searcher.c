/* Calls of the agent passed on to the search. */
#include "agent/searcher.h"

typedef struct Searcher {
  Agent agent;
  Search *search;
  VECTOR(AgentMove) moves; /* of the last report */
  VECTOR(AgentStep) steps; /* of their lines */
} Searcher;

static Search *search_of(Agent *agent) {
  return ((Searcher *)agent)->search;
}

static void told(Agent *agent, const Move *joint) {
  search_advance(search_of(agent), joint);
}

static void reset(Agent *agent) {
  search_reset(search_of(agent));
}

static bool enter(Agent *agent, const Term *facts, uint32_t count) {
  return search_enter(search_of(agent), facts, count);
}

static void think(Agent *agent, const Budget *budget) {
  search_think(search_of(agent), budget);
  const SearchReport *report = search_report(search_of(agent));
  agent->work.simulations += report->simulations;
  agent->work.states += report->states;
  agent->work.allied += report->allied;
  agent->work.offloaded += report->offloaded;
  agent->work.seconds += report->seconds;
  agent->work.found = report->found;
}

static void start(Agent *agent, const Budget *budget) {
  if (budget_limited(budget)) think(agent, budget);
}

static bool ally(Agent *agent, Ally *given) {
  return search_set_ally(search_of(agent), given);
}

static bool best(Agent *agent, Move *move) {
  *move = search_best(search_of(agent));
  return true;
}

static void copy_moves(Searcher *searcher, const SearchReport *found) {
  vector_clear(&searcher->moves);
  vector_clear(&searcher->steps);
  for (uint32_t i = 0; i < found->lines.count; i++) {
    const SearchStep *step = &found->lines.data[i];
    vector_push(&searcher->steps, ((AgentStep){step->move, step->chosen}));
  }
  for (uint32_t i = 0; i < found->moves.count; i++) {
    const SearchMove *move = &found->moves.data[i];
    AgentMove own = {.move = move->move,
                     .visits = move->visits,
                     .value = move->value,
                     .proven = move->proven,
                     .line = {.count = move->line_steps}};
    if (own.line.count) own.line.steps = searcher->steps.data + move->line;
    vector_push(&searcher->moves, own);
  }
}

static void report(Agent *agent, AgentReport *filled) {
  Searcher *searcher = (Searcher *)agent;
  const SearchReport *found = search_report(searcher->search);
  copy_moves(searcher, found);
  *filled = (AgentReport){.searched = true,
                          .simulations = found->simulations,
                          .states = found->states,
                          .allied = found->allied,
                          .offloaded = found->offloaded,
                          .card = found->card,
                          .seconds = found->seconds,
                          .value = found->values[agent->role],
                          .values = found->values,
                          .depth = found->depth,
                          .nodes = found->nodes,
                          .proven = found->proven,
                          .distance = found->distance,
                          .moves = searcher->moves.data,
                          .move_count = searcher->moves.count};
}

static void explain(Agent *agent, Text *text) {
  search_explain(search_of(agent), text);
}

static void learned(Agent *agent, Text *text) {
  search_write_learned(search_of(agent), text);
}

static void end(Agent *agent, AgentEnd how) {
  (void)how;
  search_delete(search_of(agent));
  vector_free(&((Searcher *)agent)->moves);
  vector_free(&((Searcher *)agent)->steps);
  memory_delete(agent);
}

static const AgentOperations operations = {.start = start,
                                           .told = told,
                                           .reset = reset,
                                           .enter = enter,
                                           .think = think,
                                           .ally = ally,
                                           .best = best,
                                           .report = report,
                                           .explain = explain,
                                           .learned = learned,
                                           .end = end};

Agent *searcher_new(Book *book, uint32_t role, const Settings *settings,
                    uint64_t seed) {
  Searcher *searcher = memory_new(sizeof *searcher);
  searcher->search = search_new(book, role, settings, seed);
  searcher->agent = (Agent){.operations = &operations,
                            .role = role,
                            .game = search_game(searcher->search)};
  return &searcher->agent;
}
