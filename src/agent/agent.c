/* Calls through the table, with defaults for functions that are NULL. */
#include "agent/agent.h"

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

bool agent_best(Agent *agent, Move *move) {
  return agent->operations->best(agent, move);
}

void agent_report(Agent *agent, AgentReport *report) {
  *report = (AgentReport){0};
  if (agent->operations->report) agent->operations->report(agent, report);
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

bool agent_thinks(const Agent *agent) {
  return agent->operations->think;
}
