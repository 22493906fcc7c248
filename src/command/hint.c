/* The search is made anew for each hint and told the moves so far, so that a
   hint does not depend on those before it. */
#include "command/hint.h"

#include <stdio.h>

#include "agent/spec.h"
#include "command/wrap.h"

enum { MOVES = 3, EXPLAINED = 5, STEPS = 8 };

static const char searcher[] = "tafl";

/* "e2 e4 (54), d2 d4 (52 for certain)" */
static void write_moves(const Agent *agent, const AgentReport *report,
                        Text *text) {
  for (uint32_t i = 0; i < report->move_count && i < MOVES; i++) {
    const AgentMove *move = &report->moves[i];
    if (i && move->value < 0) break;
    text_add(text, i ? ", " : " ");
    story_say(agent->game, agent->role, move->move, text);
    if (move->value >= 0)
      text_format(text, " (%.0f%s)", move->value,
                  move->proven ? " for certain" : "");
  }
  text_add_byte(text, '.');
}

/* The moves that are chosen, one after the other; those of one step together.
 */
static void write_line(const Agent *agent, const AgentLine *line, Text *text) {
  uint32_t roles = agent->game->role_count, written = 0;
  for (uint32_t step = 0; step < line->count && step < STEPS; step++) {
    bool first = true;
    for (uint32_t role = 0; role < roles; role++) {
      const AgentStep *part = &line->steps[step * roles + role];
      if (!part->chosen) continue;
      text_add(text, !first ? " with " : written ? ", " : "Expected: ");
      story_say(agent->game, role, part->move, text);
      first = false;
      written++;
    }
  }
  if (written) text_add_byte(text, '.');
}

void hint_explain(Agent *agent, Text *text) {
  AgentReport report;
  Text line = {0};
  agent_who(agent, text);
  agent_report(agent, &report);
  if (!report.deepened)
    text_format(text, "%llu simulations in %.2f s, ",
                (unsigned long long)report.simulations, report.seconds);
  else
    text_format(text, "depth %.0f in %.2f s, ", report.depth, report.seconds);
  text_format(text, "%llu states; value %.1f%s\n",
              (unsigned long long)report.states, report.value,
              report.proven ? " for certain" : "");
  for (uint32_t i = 0; i < report.move_count && i < EXPLAINED; i++) {
    const AgentMove *move = &report.moves[i];
    if (move->value < 0) break;
    text_format(text, "  %6.2f  ", move->value);
    if (!report.deepened) text_format(text, "%9u visits  ", move->visits);
    story_say(agent->game, agent->role, move->move, text);
    text_add(text, move->proven ? ", for certain\n" : "\n");
  }
  if (report.move_count) write_line(agent, &report.moves[0].line, &line);
  if (line.length) {
    wrap_words(text, line.bytes, 0);
    text_add_byte(text, '\n');
  }
  text_free(&line);
}

static void show(const Terminal *terminal, Agent *agent) {
  AgentReport report;
  Text text = {0};
  agent_report(agent, &report);
  text_add(&text, "Hint:");
  write_moves(agent, &report, &text);
  terminal_print(terminal, text.bytes);
  text_clear(&text);
  if (report.move_count) write_line(agent, &report.moves[0].line, &text);
  if (text.length) terminal_print(terminal, text.bytes);
  text_free(&text);
}

void hint_give(Terminal *terminal, uint32_t role) {
  const Story *story = &terminal->story;
  AgentSpec spec;
  Text error = {0};
  if (!spec_parse(&spec, searcher, &error)) fatal("%s", error.bytes);
  Agent *agent = spec_agent(&spec, story->book, role, 1);
  for (uint32_t step = 0; step < story->steps.count; step++)
    agent_told(agent, story_moves(story, step));
  agent_think_watched(agent, &terminal->hint, terminal_watch, terminal);
  log_progress_end();
  if (game_failed(agent->game))
    printf("There is no hint: %s\n", agent->game->error.bytes);
  else
    show(terminal, agent);
  agent_end(agent, AGENT_DROPPED);
  spec_free(&spec);
}
