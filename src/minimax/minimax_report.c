/* What the second mind says about its last thinking. */
#include <stdlib.h>

#include "minimax/parts.h"

enum { TOP_MOVES = 5, LINE_STEPS = 10, LINES = 64 };

/* Plays a line from the root and appends its joint moves. The lines have the
   moves of whoever is in turn. */
static void write_line(Minimax *minimax, MinimaxMove *move,
                       const RootMove *root) {
  MinimaxReport *report = &minimax->report;
  Game *game = minimax->game;
  uint32_t roles = minimax->role_count;
  move->line = report->lines.count;
  for (uint32_t step = 0; step <= root->line.count; step++) {
    if (game_terminal(game)) break;
    Turn turn = turn_of(game);
    uint32_t mover = turn.role < roles ? turn.role : 0;
    Move wanted = step ? root->line.moves[step - 1] : root->move,
         joint[RULE_ROLES];
    bool legal = false;
    for (uint32_t role = 0; role < roles; role++) {
      const Move *moves;
      uint32_t count = game_legal(game, role, &moves);
      if (!count) goto end;
      joint[role] = moves[0];
      for (uint32_t i = 0; role == mover && i < count; i++)
        if (moves[i] == wanted) joint[role] = wanted, legal = true;
    }
    if (!legal) break; /* an entry of another state */
    for (uint32_t role = 0; role < roles; role++)
      vector_push(&report->lines, joint[role]);
    move->line_steps++;
    game_make(game, joint);
  }
end:
  game_enter(game, minimax->root_state.data, minimax->root_state.count);
}

static const MinimaxMove *find_move(const MinimaxReport *report, Move move) {
  for (uint32_t i = 0; i < report->moves.count; i++)
    if (report->moves.data[i].move == move) return &report->moves.data[i];
  return NULL;
}

/* Adds moves that symmetric ones stand for, with their values. */
static void add_twins(Minimax *minimax) {
  MinimaxReport *report = &minimax->report;
  const Move *legal;
  if (!minimax->symmetries) return;
  uint32_t counts[RULE_ROLES] = {0};
  uint32_t count = game_legal(minimax->game, minimax->role, &legal);
  Move *twins = minimax->worker->listed;
  counts[minimax->role] = count;
  if (!symmetries_twins(minimax->symmetries, minimax->root_state.data, legal,
                        counts, twins))
    return;
  for (uint32_t i = 0; i < count; i++) {
    const MinimaxMove *known =
        twins[i] != legal[i] ? find_move(report, twins[i]) : NULL;
    if (!known || find_move(report, legal[i])) continue;
    MinimaxMove move = {
        .move = legal[i], .value = known->value, .proven = known->proven};
    vector_push(&report->moves, move);
  }
}

static int compare(const void *left, const void *right) {
  const MinimaxMove *a = left, *b = right;
  if (a->value != b->value) return a->value < b->value ? 1 : -1;
  return (a->move > b->move) - (a->move < b->move);
}

static void list_moves(Minimax *minimax) {
  MinimaxReport *report = &minimax->report;
  const Move *legal;
  vector_clear(&report->moves);
  vector_clear(&report->lines);
  if (!minimax->moves.count) return;
  bool own = minimax->turn.role == minimax->role;
  if (!own) {
    game_legal(minimax->game, minimax->role, &legal);
    MinimaxMove move = {
        .move = legal[0], .value = report->value, .proven = minimax->proven};
    if (minimax->depth) write_line(minimax, &move, &minimax->moves.data[0]);
    vector_push(&report->moves, move);
    return;
  }
  for (uint32_t i = 0; i < minimax->moves.count; i++) {
    const RootMove *root = &minimax->moves.data[i];
    MinimaxMove move = {.move = root->move,
                        .value =
                            root->bound == BOUND_NONE
                                ? -1
                                : scale_own_goal(&minimax->scale, root->score),
                        .proven = root->exact};
    if (root->bound != BOUND_NONE && i < LINES)
      write_line(minimax, &move, root);
    vector_push(&report->moves, move);
  }
  qsort(report->moves.data + 1, report->moves.count - 1,
        sizeof *report->moves.data, compare);
  add_twins(minimax);
}

const MinimaxReport *minimax_report(Minimax *minimax) {
  MinimaxReport *report = &minimax->report;
  const Worker *worker = minimax->worker;
  report->states = worker->states;
  report->evaluated = worker->evaluated;
  report->hits = worker->hits;
  report->seconds = minimax->spent.seconds;
  report->value = scale_own_goal(&minimax->scale, minimax->score);
  report->depth = minimax->depth;
  report->depth_most = worker->depth_most;
  report->branching = minimax->branching;
  report->proven = minimax->proven;
  report->distance = 0;
  list_moves(minimax);
  return report;
}

static void write_move(const Minimax *minimax, uint32_t role, Move move,
                       Text *text) {
  term_write(game_terms(minimax->game),
             game_move_term(minimax->game, role, move), text);
}

void minimax_explain(Minimax *minimax, Text *text) {
  const MinimaxReport *report = minimax_report(minimax);
  double seconds = report->seconds > 0 ? report->seconds : 1e-9;
  text_format(text,
              "alpha-beta: depth %u, deepest %u, branching factor %.2f\n"
              "%llu states in %.2f s (%.0f/s), %llu evaluated, %llu found in "
              "the table\n",
              report->depth, report->depth_most, report->branching,
              (unsigned long long)report->states, report->seconds,
              (double)report->states / seconds,
              (unsigned long long)report->evaluated,
              (unsigned long long)report->hits);
  text_format(text, "value: %.2f%s\n", report->value,
              report->proven ? ", exact" : "");
  for (uint32_t i = 0; i < report->moves.count && i < TOP_MOVES; i++) {
    const MinimaxMove *move = &report->moves.data[i];
    text_format(text, "  %6.2f %s ", move->value,
                move->proven ? "exact" : "     ");
    write_move(minimax, minimax->role, move->move, text);
    text_add_byte(text, '\n');
  }
  if (!report->moves.count) return;
  uint32_t roles = minimax->role_count;
  uint32_t steps = report->moves.data[0].line_steps;
  text_add(text, "expected:");
  for (uint32_t i = 0; i < roles * steps && i < roles * LINE_STEPS; i++) {
    text_add(text, i % roles ? " / " : i ? ", " : " ");
    write_move(minimax, i % roles,
               report->lines.data[report->moves.data[0].line + i], text);
  }
  text_add_byte(text, '\n');
}
