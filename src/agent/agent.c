/* Calls through the table, with defaults for functions that are NULL. */
#include "agent/agent.h"

#include "base/clock.h"

void agent_preview(Agent *agent) {
  if (agent->operations->preview) agent->operations->preview(agent);
}

void agent_start(Agent *agent, const Budget *budget) {
  if (agent->operations->start) agent->operations->start(agent, budget);
}

void agent_told(Agent *agent, const Move *joint) {
  agent->operations->told(agent, joint);
}

void agent_reset(Agent *agent) {
  if (agent->operations->reset) agent->operations->reset(agent);
}

bool agent_enter(Agent *agent, const Term *facts, uint32_t count) {
  return agent->operations->enter &&
         agent->operations->enter(agent, facts, count);
}

void agent_think(Agent *agent, const Budget *budget) {
  if (agent->operations->think && budget_limited(budget))
    agent->operations->think(agent, budget);
}

/* ---- watched thinking ---- */

typedef struct Watched {
  Agent *agent;
  AgentWatch *watch;
  void *context;
  double start, seconds;
} Watched;

static void show(void *context) {
  const Watched *watched = context;
  double spent = clock_now() - watched->start, left = -1;
  if (watched->seconds > 0)
    left = watched->seconds > spent ? watched->seconds - spent : 0;
  watched->watch(watched->context, watched->agent, spent, left);
}

void agent_think_watched(Agent *agent, const Budget *budget, AgentWatch *watch,
                         void *context) {
  Watched watched = {agent, watch, context, clock_now(), budget->seconds};
  Budget own = *budget;
  if (watch) {
    own.watch = show;
    own.context = &watched;
  }
  agent_think(agent, &own);
}

bool agent_ally(Agent *agent, Ally *ally) {
  return agent->operations->ally && agent->operations->ally(agent, ally);
}

/* ---- answers ---- */

bool agent_best(Agent *agent, Move *move) {
  return agent->operations->best(agent, move);
}

void agent_report(Agent *agent, AgentReport *report) {
  *report = (AgentReport){0};
  if (agent->operations->report) agent->operations->report(agent, report);
}

void agent_who(Agent *agent, Text *text) {
  if (agent->operations->who) agent->operations->who(agent, text);
}

void agent_explain(Agent *agent, Text *text) {
  if (agent->operations->explain) agent->operations->explain(agent, text);
}

void agent_learned(Agent *agent, Text *text) {
  if (agent->operations->learned) agent->operations->learned(agent, text);
}

void agent_end(Agent *agent, AgentEnd how) {
  text_free(&agent->fault);
  agent->operations->end(agent, how);
}
