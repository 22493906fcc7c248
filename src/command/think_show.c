/* The table has three lines of heading, then a line for each move:

     rank  move  value  exact, if it is proved  visits  share  expected line

   The expected line leaves out moves that were the only legal ones, except in
   games for one. */
#include "command/think_show.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/command.h"
#include "command/story.h"
#include "command/style.h"
#include "command/wrap.h"

enum {
  MOVE_WIDEST = 24, /* characters of a move before its line is pushed aside */
  HEADING = 3       /* lines of the table before the moves */
};

/* ---- text ---- */

/* Cuts the text after this many characters. */
static void cut(Text *text, uint32_t width) {
  size_t at = 0;
  for (uint32_t n = 0; at < text->length; at++)
    if (!source_continues(text->bytes[at]) && n++ == width) break;
  if (at < text->length) {
    text->length = at;
    text->bytes[at] = '\0';
  }
}

static void pad(Text *text, uint32_t width) {
  for (uint32_t n = wrap_columns(text_string(text)); n < width; n++)
    text_add_byte(text, ' ');
}

/* Appends 12345, 678k or 9.0M. */
static void add_count(Text *text, double count) {
  if (count < 1e5)
    text_format(text, "%.0f", count);
  else if (count < 1e6)
    text_format(text, "%.0fk", count / 1e3);
  else
    text_format(text, "%.1fM", count / 1e6);
}

/* ---- lines of play ---- */

/* Appends a step, or nothing if no role had a choice. The agent's own move in
   step 0 is in another column, unless others choose at the same time. */
static void add_step(const Agent *agent, const AgentLine *line, uint32_t step,
                     Text *text) {
  const Game *game = agent->game;
  uint32_t roles = game->role_count, others = 0;
  const AgentStep *parts = line->steps + step * roles;
  for (uint32_t role = 0; role < roles; role++)
    others += role != agent->role && parts[role].chosen;
  if (step == 0 && !others) return;
  for (uint32_t role = 0; role < roles; role++) {
    if (!parts[role].chosen && roles > 1) continue;
    if (text->length) text_add(text, " / ");
    story_say(game, role, parts[role].move, text);
  }
}

/* Appends as many steps as fit into the width. */
static void add_line(const Agent *agent, const AgentLine *line, uint32_t width,
                     Text *text) {
  Text part = {0};
  uint32_t at = wrap_columns(text_string(text));
  const char *space = "  ";
  for (uint32_t step = 0; step < line->count; step++) {
    text_clear(&part);
    add_step(agent, line, step, &part);
    if (!part.length) continue;
    at += 2 + wrap_columns(part.bytes);
    if (at > width) break;
    text_format(text, "%s%s", space, part.bytes);
    space = ", ";
  }
  text_free(&part);
}

/* ---- the table ---- */

static void add_heading(const ThinkShow *show, const Agent *agent,
                        const AgentReport *report, Text *text) {
  Text role = {0};
  moves_write_role(agent->game, agent->role, &role);
  text_format(text, "%s: %s, %s ", agent->game->description->source.name,
              show->agent, role.bytes);
  text_add(text, report->move_count > 1 ? "to move" : "has no choice");
  text_free(&role);
}

/* What ranks did of it. */
static void add_crew(const ThinkShow *show, Text *text) {
  CrewCounts counts;
  if (!show->crew) return;
  crew_count(show->crew, &counts);
  text_format(text, ", %u rank%s: ", counts.ranks,
              counts.ranks == 1 ? "" : "s");
  add_count(text, (double)counts.simulations);
  text_add(text, " simulations");
}

static void add_work(const AgentReport *report, double left, Text *text) {
  text_format(text, "%.1f ", report->seconds);
  if (left >= 0) text_format(text, "of %.1f ", report->seconds + left);
  text_add(text, "s, ");
  add_count(text, (double)report->simulations);
  text_add(text, " simulations");
  if (report->seconds > 0.01) {
    text_add(text, " (");
    add_count(text, (double)report->simulations / report->seconds);
    text_add(text, "/s)");
  }
  text_add(text, ", ");
  add_count(text, report->nodes);
  text_format(text, " nodes, depth %.1f, ", report->depth);
  if (report->proven)
    text_format(text, "solved: %.0f within %u steps", report->value,
                report->distance);
  else
    text_format(text, "value %.1f", report->value);
}

/* What the lines of one table share. */
typedef struct Columns {
  uint32_t rows; /* moves shown */
  uint32_t move; /* width */
  bool exact;    /* one of the values is */
  double visits; /* of all moves */
} Columns;

static void add_move(const ThinkShow *show, const Agent *agent,
                     const AgentMove *move, const Columns *columns,
                     Text *text) {
  Text visits = {0};
  story_say(agent->game, agent->role, move->move, text);
  pad(text, 4 + columns->move);
  if (move->visits || move->proven || move->value >= 0)
    text_format(text, " %6.1f", move->value);
  else
    text_add(text, "      -");
  if (columns->exact) text_add(text, move->proven ? " exact" : "      ");
  add_count(&visits, move->visits);
  text_format(text, " %6s %5.1f %%", visits.bytes,
              columns->visits > 0 ? 100 * move->visits / columns->visits : 0);
  text_free(&visits);
  add_line(agent, &move->line, show->style.width - 1, text);
}

static Columns measure(const Agent *agent, const AgentReport *report,
                       uint32_t rows) {
  Columns columns = {
      .rows = rows < report->move_count ? rows : report->move_count, .move = 4};
  for (uint32_t i = 0; i < report->move_count; i++)
    columns.visits += report->moves[i].visits;
  for (uint32_t i = 0; i < columns.rows; i++) {
    Text text = {0};
    story_say(agent->game, agent->role, report->moves[i].move, &text);
    uint32_t width = wrap_columns(text.bytes);
    if (width > columns.move) columns.move = width;
    columns.exact |= report->moves[i].proven;
    text_free(&text);
  }
  if (columns.move > MOVE_WIDEST) columns.move = MOVE_WIDEST;
  return columns;
}

/* Ends a line of the table and begins the next. */
static void end_line(const ThinkShow *show, Text *line, Text *all) {
  if (show->live) cut(line, show->style.width - 1);
  text_format(all, "%s%s\n", text_string(line), show->live ? "\033[K" : "");
  text_clear(line);
}

/* Appends a table of at most `rows` moves; returns its number of lines. */
static uint32_t write_table(const ThinkShow *show, const Agent *agent,
                            const AgentReport *report, double left,
                            uint32_t rows, Text *all) {
  Text line = {0};
  Columns columns = measure(agent, report, rows);
  add_heading(show, agent, report, &line);
  end_line(show, &line, all);
  add_work(report, left, &line);
  add_crew(show, &line);
  end_line(show, &line, all);
  text_add(&line, " #  move");
  pad(&line, 4 + columns.move);
  text_format(&line, "  value%s visits   share  expected line",
              columns.exact ? "      " : "");
  end_line(show, &line, all);
  for (uint32_t i = 0; i < columns.rows; i++) {
    text_format(&line, "%2u  ", i + 1);
    add_move(show, agent, &report->moves[i], &columns, &line);
    end_line(show, &line, all);
  }
  text_free(&line);
  return HEADING + columns.rows;
}

/* Replaces the table on the screen. */
static void draw(ThinkShow *show, Agent *agent, double left, uint32_t rows) {
  AgentReport report;
  Text text = {0};
  agent_report(agent, &report);
  if (show->drawn) text_format(&text, "\033[%uA\r", show->drawn);
  show->drawn = write_table(show, agent, &report, left, rows, &text);
  if (show->live) text_add(&text, "\033[J"); /* what is left of a longer one */
  fputs(text_string(&text), stdout);
  fflush(stdout);
  text_free(&text);
}

void think_show_progress(void *context, Agent *agent, double spent,
                         double left) {
  ThinkShow *show = context;
  uint32_t rows = (uint32_t)show->options->lines;
  uint32_t room =
      show->style.height > HEADING + 1 ? show->style.height - HEADING - 1 : 1;
  (void)spent;
  draw(show, agent, left, rows < room ? rows : room);
}

/* ---- the result ---- */

/* Prints the whole line of a game for one that is solved. */
static void print_solution(const Agent *agent, const AgentReport *report) {
  const AgentLine *line = &report->moves[0].line;
  if (agent->game->role_count != 1 || !report->proven || !line->count) return;
  Text text = {0}, move = {0};
  text_format(&text, "solution, %u move%s:", line->count,
              line->count == 1 ? "" : "s");
  uint32_t at = (uint32_t)text.length;
  for (uint32_t step = 0; step < line->count; step++) {
    text_clear(&move);
    story_say(agent->game, 0, line->steps[step].move, &move);
    if (step + 1 < line->count) text_add_byte(&move, ',');
    uint32_t width = wrap_columns(move.bytes);
    bool fits = at + 1 + width < WRAP_WIDTH;
    text_format(&text, "%s%s", fits ? " " : "\n  ", move.bytes);
    at = (fits ? at + 1 : 2) + width;
  }
  puts(text.bytes);
  text_free(&text);
  text_free(&move);
}

static json_t *json_move(const Game *game, uint32_t role, Move move) {
  Text text = {0};
  moves_write(game, role, move, &text);
  json_t *string = open_json_text(text.bytes);
  text_free(&text);
  return string;
}

static json_t *json_role(const Game *game, uint32_t role) {
  Text text = {0};
  moves_write_role(game, role, &text);
  json_t *string = open_json_text(text.bytes);
  text_free(&text);
  return string;
}

static json_t *json_line(const Game *game, const AgentLine *line) {
  json_t *list = json_array();
  for (uint32_t step = 0; step < line->count; step++) {
    json_t *joint = json_array();
    for (uint32_t role = 0; role < game->role_count; role++)
      json_array_append_new(
          joint, json_move(game, role,
                           line->steps[step * game->role_count + role].move));
    json_array_append_new(list, joint);
  }
  return list;
}

static json_t *json_moves(const Agent *agent, const AgentReport *report) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < report->move_count; i++) {
    const AgentMove *move = &report->moves[i];
    bool known = move->visits || move->proven || move->value >= 0;
    json_array_append_new(
        list,
        json_pack("{s:o, s:o, s:I, s:b, s:o}", "move",
                  json_move(agent->game, agent->role, move->move), "value",
                  known ? json_real(move->value) : json_null(), "visits",
                  (json_int_t)move->visits, "proven", (int)move->proven, "line",
                  json_line(agent->game, &move->line)));
  }
  return list;
}

static void print_json(json_t *object) {
  json_dumpf(object, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
  putchar('\n');
  json_decref(object);
}

static json_t *json_crew(Crew *crew) {
  CrewCounts counts;
  crew_count(crew, &counts);
  return json_pack(
      "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f}", "ranks",
      (json_int_t)counts.ranks, "hosts", (json_int_t)counts.hosts, "ready",
      (json_int_t)counts.ready, "tasks", (json_int_t)counts.tasks, "leaves",
      (json_int_t)counts.leaves, "lost", (json_int_t)counts.lost, "simulations",
      (json_int_t)counts.simulations, "states", (json_int_t)counts.states,
      "bytesOut", (json_int_t)counts.bytes_out, "bytesIn",
      (json_int_t)counts.bytes_in, "pieces", (json_int_t)counts.pieces,
      "foremanSeconds", counts.foreman);
}

static void print_result_json(const ThinkShow *show, Agent *agent) {
  AgentReport report;
  agent_report(agent, &report);
  json_t *crew = show->crew ? json_crew(show->crew) : json_null();
  print_json(json_pack(
      "{s:o, s:b, s:o, s:o, s:f, s:b, s:I, s:f, s:I, s:I, s:I, s:f, s:o, "
      "s:I, s:I, s:s?, s:o}",
      "game", open_json_text(agent->game->description->source.name), "terminal",
      0, "role", json_role(agent->game, agent->role), "agent",
      open_json_text(show->agent), "value", report.value, "solved",
      (int)report.proven, "distance", (json_int_t)report.distance, "depth",
      report.depth, "nodes", (json_int_t)report.nodes, "simulations",
      (json_int_t)report.simulations, "states", (json_int_t)report.states,
      "seconds", report.seconds, "moves", json_moves(agent, &report), "allied",
      (json_int_t)report.allied, "offloaded", (json_int_t)report.offloaded,
      "card", report.card, "cluster", crew));
}

void think_show_result(ThinkShow *show, Agent *agent) {
  if (show->options->json) {
    print_result_json(show, agent);
    return;
  }
  AgentReport report;
  draw(show, agent, -1, (uint32_t)show->options->lines);
  agent_report(agent, &report);
  if (report.move_count) print_solution(agent, &report);
  if (report.card) log_error("the graphics card is not used: %s", report.card);
}

/* ---- positions without thinking ---- */

void think_show_over(const Options *options, Game *game) {
  json_t *goals = json_object();
  if (!options->json) printf("The game is over:");
  for (uint32_t role = 0; role < game->role_count; role++) {
    Text name = {0};
    int goal = game_goal(game, role);
    moves_write_role(game, role, &name);
    json_object_set_new(goals, name.bytes,
                        goal < 0 ? json_null() : json_integer(goal));
    if (!options->json && goal >= 0)
      printf("%s %s %d", role ? "," : "", name.bytes, goal);
    else if (!options->json)
      printf("%s %s has no goal", role ? "," : "", name.bytes);
    text_free(&name);
  }
  if (options->json)
    print_json(json_pack("{s:o, s:b, s:O}", "game",
                         open_json_text(game->description->source.name),
                         "terminal", 1, "goals", goals));
  else
    putchar('\n');
  json_decref(goals);
}

static void draw_position(const ThinkShow *show, Game *game, Boards *boards) {
  const Term *facts;
  uint32_t count = game_facts(game, &facts), lines = 0;
  uint32_t table = HEADING + 1 + (uint32_t)show->options->lines;
  BoardsStyle style = show->style;
  Text text = {0};
  if (style.height <= table) return;
  style.height -= table;
  boards_draw(boards, &style, facts, count, NULL, 0, &text);
  for (size_t i = 0; i < text.length; i++) lines += text.bytes[i] == '\n';
  if (lines <= style.height) fputs(text_string(&text), stdout);
  text_free(&text);
}

/* Returns true if the cursor can be moved. */
static bool is_screen(void) {
  const char *kind = getenv("TERM");
  return isatty(STDOUT_FILENO) && kind && *kind && strcmp(kind, "dumb") != 0;
}

void think_show_init(ThinkShow *show, const Options *options, Game *game,
                     Boards *boards) {
  *show = (ThinkShow){.options = options,
                      .agent = options->agent,
                      .style = style_of_terminal(),
                      .live = !options->json && is_screen()};
  if (show->style.width < 20) show->style.width = 20;
  if (boards && show->live) draw_position(show, game, boards);
}
