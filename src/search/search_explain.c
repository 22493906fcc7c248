/* The last thinking in words, for people who ask why. */
#include "search/parts.h"
#include "search/search.h"

enum { TOP_MOVES = 5, LINE_STEPS = 8 };

static const char *const phase_names[PHASE_COUNT] = {
    [PHASE_DESCEND] = "descents",
    [PHASE_EXPAND] = "expansion",
    [PHASE_PLAYOUT] = "playouts",
    [PHASE_BACKUP] = "backup"};

const char *search_phase_name(SearchPhase phase) {
  return phase_names[phase];
}

static void write_move(const Search *search, uint32_t role, Move move,
                       Text *text) {
  term_write(game_terms(search->game), game_move_term(search->game, role, move),
             text);
}

static void write_work(const SearchReport *report, Text *text) {
  double seconds = report->seconds > 0 ? report->seconds : 1e-9;
  text_format(
      text, "%llu simulations in %.2f s (%.0f/s), %llu states (%.0f/s)\n",
      (unsigned long long)report->simulations, report->seconds,
      (double)report->simulations / seconds, (unsigned long long)report->states,
      (double)report->states / seconds);
  text_format(text, "tree: %u nodes, %.1f MiB; mean depth %.1f, maximum %u\n",
              report->nodes, (double)report->bytes / (1 << 20), report->depth,
              report->depth_most);
  if (report->offloaded)
    text_format(text, "graphics card: %llu of the simulations\n",
                (unsigned long long)report->offloaded);
  if (report->card)
    text_format(text, "the graphics card is not used: %s\n", report->card);
  if (report->found)
    text_format(text, "the best way was found by: %s\n", report->found);
  if (report->lane_room)
    text_format(text, "lanes: %.0f %% busy, %.0f states/s in playouts\n",
                100 * (double)report->lane_moves / (double)report->lane_room,
                (double)report->lane_moves /
                    (report->phases[PHASE_PLAYOUT] > 0
                         ? report->phases[PHASE_PLAYOUT]
                         : 1e-9));
  double sum = 0;
  for (int phase = 0; phase < PHASE_COUNT; phase++)
    sum += report->phases[phase];
  for (int phase = 0; phase < PHASE_COUNT && sum > 0; phase++)
    text_format(
        text, "%s%s %.0f %%%s", phase ? ", " : "time: ", phase_names[phase],
        100 * report->phases[phase] / sum, phase + 1 < PHASE_COUNT ? "" : "\n");
}

static void write_proof(const Search *search, Text *text) {
  const SearchReport *report = &search->report;
  text_add(text, ", exact");
  if (!report->moves.count) return;
  double middle = aim_of_value(&search->aim, 50);
  double value = report->moves.data[0].value;
  text_format(text, ": a proven %s within %u steps",
              value > middle   ? "win"
              : value < middle ? "loss"
                               : "draw",
              report->distance);
}

static void write_values(const Search *search, Text *text) {
  const SearchReport *report = &search->report;
  for (uint32_t role = 0; role < search->role_count; role++) {
    text_add(text, role ? ", " : "value: ");
    term_write(game_terms(search->game), game_role(search->game, role), text);
    text_format(text, " %.1f", report->values[role]);
  }
  if (report->proven) write_proof(search, text);
  text_add_byte(text, '\n');
}

static void write_moves(const Search *search, Text *text) {
  const SearchReport *report = &search->report;
  for (uint32_t i = 0; i < report->moves.count && i < TOP_MOVES; i++) {
    const SearchMove *move = &report->moves.data[i];
    text_format(text, "  %6.2f %s %9u visits  ", move->value,
                move->proven ? "exact" : "     ", move->visits);
    write_move(search, search->role, move->move, text);
    text_add_byte(text, '\n');
  }
}

static void write_line(const Search *search, Text *text) {
  const SearchReport *report = &search->report;
  uint32_t roles = search->role_count;
  uint32_t steps = report->moves.count ? report->moves.data[0].line_steps : 0;
  text_add(text, "expected:");
  for (uint32_t i = 0; i < roles * steps && i < roles * LINE_STEPS; i++) {
    text_add(text, i % roles ? " / " : i ? ", " : " ");
    write_move(search, i % roles, report->lines.data[i].move, text);
  }
  text_add_byte(text, '\n');
}

void search_explain(Search *search, Text *text) {
  if (!search->root) return;
  search_report(search);
  write_work(&search->report, text);
  write_values(search, text);
  write_moves(search, text);
  write_line(search, text);
}
