/* What happens, in words: who plays whom, the moves, the thinking, the result.
 */
#include <stdio.h>
#include <string.h>

#include "about/header.h"
#include "command/terminal.h"

/* ---- who is who ---- */

static void write_title(const Description *description, Text *title) {
  const char *path = description->source.name, *slash = strrchr(path, '/');
  header_title(text_string(&description->text), title);
  if (!title->length) text_add(title, slash ? slash + 1 : path);
}

/* Appends the roles that people play, or others: "white and black". */
static uint32_t write_roles(const Terminal *terminal, bool human, Text *text) {
  uint32_t all = 0, written = 0, roles = terminal->story.game->role_count;
  for (uint32_t role = 0; role < roles; role++)
    all += terminal->human[role] == human;
  for (uint32_t role = 0; role < roles; role++) {
    if (terminal->human[role] != human) continue;
    if (written) text_add(text, written + 1 < all ? ", " : " and ");
    moves_write_role(terminal->story.game, role, text);
    written++;
  }
  return all;
}

/* "You are white; black is tafl, 1 s a move." */
void terminal_role(const Terminal *terminal) {
  Text text = {0};
  text_add(&text, "You are ");
  write_roles(terminal, true, &text);
  if (terminal->against &&
      terminal->people < terminal->story.game->role_count) {
    text_add(&text, "; ");
    uint32_t others = write_roles(terminal, false, &text);
    text_format(&text, " %s %s", others > 1 ? "are" : "is", terminal->against);
  }
  text_add_byte(&text, '.');
  terminal_print(terminal, text.bytes);
  text_free(&text);
}

void terminal_welcome(Terminal *terminal) {
  Text title = {0};
  if (terminal->greeted) return;
  terminal->greeted = true;
  write_title(terminal->story.book->description, &title);
  terminal_print(terminal, text_string(&title));
  terminal_role(terminal);
  puts("Type a move, or 'help'.");
  text_free(&title);
}

/* ---- what happens ---- */

/* "You", or the name of the role if several people play. */
static void name(const Terminal *terminal, uint32_t role, Text *text) {
  if (terminal->human[role] && terminal->people < 2)
    text_add(text, "You");
  else
    moves_write_role(terminal->story.game, role, text);
}

static bool is_you(const Terminal *terminal, uint32_t role) {
  return terminal->human[role] && terminal->people < 2;
}

/* "You play e2 e4; black plays e7 e5." */
static void say_step(const Terminal *terminal, uint32_t step) {
  const Story *story = &terminal->story;
  Text text = {0};
  for (uint32_t role = 0; role < story->game->role_count; role++) {
    if (story_idle(story, step, role)) continue;
    if (text.length) text_add(&text, "; ");
    name(terminal, role, &text);
    text_add(&text, is_you(terminal, role) ? " play " : " plays ");
    story_say(story->game, role, story_moves(story, step)[role], &text);
  }
  text_add_byte(&text, '.');
  terminal_print(terminal, text.bytes);
  text_free(&text);
}

void terminal_tell(Terminal *terminal, const Move *joint) {
  story_add(&terminal->story, joint, terminal->human, &terminal->why);
  log_progress_end();
  if (terminal->live) say_step(terminal, terminal->story.steps.count - 1);
  terminal->drawn = false;
  fflush(stdout);
}

void terminal_watch(void *context, Agent *agent, double spent, double left) {
  Terminal *terminal = context;
  AgentReport report;
  Text text = {0};
  if (!log_progress_wanted()) return;
  agent_report(agent, &report);
  text_add(&text, "thinking");
  if (left >= 0)
    text_format(&text, "  %.1f s left", left);
  else
    text_format(&text, "  %.1f s", spent);
  if (report.searched && report.move_count) {
    text_add(&text, "  best ");
    story_say(agent->game, agent->role, report.moves[0].move, &text);
    text_format(&text, "  value %.0f%s", report.value,
                report.proven ? " for certain" : "");
  }
  log_progress("%.*s", (int)terminal->style.width - 1, text.bytes);
  text_free(&text);
}

/* ---- the result ---- */

typedef struct Result {
  int best;         /* of all goals */
  uint32_t winners; /* how many roles have it */
  uint32_t winner;  /* the first of them */
} Result;

static int goal_of(Terminal *terminal, uint32_t role) {
  int goal = game_goal(terminal->story.game, role);
  return goal < 0 ? 0 : goal;
}

static Result judge(Terminal *terminal) {
  Result result = {.best = -1};
  for (uint32_t role = 0; role < terminal->story.game->role_count; role++) {
    int goal = goal_of(terminal, role);
    if (goal > result.best) {
      result = (Result){.best = goal, .winner = role};
    }
    result.winners += goal == result.best;
  }
  return result;
}

/* "You solved it: 100 of 100." */
static void say_alone(Terminal *terminal, Text *text) {
  const Book *book = terminal->story.book;
  int goal = goal_of(terminal, 0), best = book->best_goal[0];
  if (best < goal) best = goal;
  text_format(text, "%s %d of %d.",
              goal && goal == best ? "You solved it:" : "You reach", goal,
              best);
}

/* "You win, 100 to 0." */
static void say_duel(Terminal *terminal, uint32_t role, Text *text) {
  int own = goal_of(terminal, role), other = goal_of(terminal, 1 - role);
  if (own == other) {
    text_format(text, "A draw, %d each.", own);
    return;
  }
  bool you = is_you(terminal, role);
  if (!you && own < other) {
    role = 1 - role;
    you = false;
  }
  name(terminal, role, text);
  if (you)
    text_format(text, " %s, %d to %d.", own > other ? "win" : "lose", own,
                other);
  else
    text_format(text, " wins, %d to %d.", own > other ? own : other,
                own > other ? other : own);
}

static void say_goals(Terminal *terminal, Text *text) {
  for (uint32_t role = 0; role < terminal->story.game->role_count; role++) {
    text_add(text, role ? ", " : " Goals: ");
    moves_write_role(terminal->story.game, role, text);
    text_format(text, " %d%s", goal_of(terminal, role),
                is_you(terminal, role) ? " (you)" : "");
  }
  text_add_byte(text, '.');
}

/* "You share the win. Goals: …" */
static void say_many(Terminal *terminal, uint32_t role, Text *text) {
  Result result = judge(terminal);
  bool best = goal_of(terminal, role) == result.best;
  if (result.winners == terminal->story.game->role_count)
    text_add(text, "A draw.");
  else if (result.winners > 1 && best && is_you(terminal, role))
    text_add(text, "You share the win.");
  else if (result.winners > 1)
    text_format(text, "%u share the win.", result.winners);
  else if (best && is_you(terminal, role))
    text_add(text, "You win.");
  else {
    if (is_you(terminal, role)) text_add(text, "You lose; ");
    moves_write_role(terminal->story.game, result.winner, text);
    text_add(text, " wins.");
  }
  say_goals(terminal, text);
}

void terminal_result(Terminal *terminal) {
  uint32_t roles = terminal->story.game->role_count, role = 0;
  Text text = {0};
  if (terminal->over || game_failed(terminal->story.game)) return;
  terminal->over = true;
  terminal_draw(terminal);
  while (role + 1 < roles && !terminal->human[role]) role++;
  text_add(&text, "The game is over. ");
  if (roles == 1)
    say_alone(terminal, &text);
  else if (roles == 2)
    say_duel(terminal, role, &text);
  else
    say_many(terminal, role, &text);
  terminal_print(terminal, text.bytes);
  text_free(&text);
}
