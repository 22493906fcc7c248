/* What the second mind says about its last thinking. */
#include <math.h>
#include <stdlib.h>

#include "minimax/parts.h"

enum { TOP_MOVES = 5, LINE_STEPS = 10, LINES = 64 };

/* The move of a line at a step; beyond its end, what the table knows. */
static Move line_move(Minimax *minimax, const RootMove *root, uint32_t step) {
  Transposition entry;
  if (!step) return root->move;
  if (step <= root->line.count) return root->line.moves[step - 1];
  if (!transpositions_find(&minimax->table, game_key(minimax->game), &entry))
    return no_move;
  return entry.move;
}

/* Sets the joint move in which the role in turn makes this move. Returns false
   if it is not legal. */
static bool find_joint(Game *game, Move move, Move *joint) {
  Turn turn = turn_of(game);
  uint32_t mover = turn.movers ? turn.role : 0;
  bool legal = false;
  for (uint32_t role = 0; role < game->role_count; role++) {
    const Move *moves;
    uint32_t count = game_legal(game, role, &moves);
    if (!count) return false;
    joint[role] = moves[0];
    for (uint32_t i = 0; role == mover && i < count; i++)
      if (moves[i] == move) joint[role] = move, legal = true;
  }
  return legal;
}

/* Plays a line from the root and appends its joint moves. The lines have the
   moves of whoever is in turn. */
static void add_line(Minimax *minimax, MinimaxMove *move,
                     const RootMove *root) {
  MinimaxReport *report = &minimax->report;
  Game *game = minimax->game;
  Move joint[RULE_ROLES];
  uint32_t most = minimax->depth + 1;
  if (most < root->line.count + 1) most = root->line.count + 1;
  move->line = report->lines.count;
  while (move->line_steps < most && !game_terminal(game)) {
    Move next = line_move(minimax, root, move->line_steps);
    if (!find_joint(game, next, joint)) break;
    for (uint32_t role = 0; role < minimax->role_count; role++)
      vector_push(&report->lines, joint[role]);
    move->line_steps++;
    game_make(game, joint);
  }
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
  Move *twins = minimax->workers[0]->listed;
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
  const RootMoves *list = &minimax->workers[0]->moves;
  if (!list->count) return;
  bool own = minimax->turn.role == minimax->role;
  if (!own) {
    game_legal(minimax->game, minimax->role, &legal);
    MinimaxMove move = {
        .move = legal[0], .value = report->value, .proven = minimax->proven};
    if (minimax->depth) add_line(minimax, &move, &list->data[0]);
    vector_push(&report->moves, move);
    return;
  }
  for (uint32_t i = 0; i < list->count; i++) {
    const RootMove *root = &list->data[i];
    MinimaxMove move = {.move = root->move,
                        .value =
                            root->bound == BOUND_NONE
                                ? -1
                                : scale_own_goal(&minimax->scale, root->own),
                        .proven = root->exact};
    /* The first may have been searched again, and broken off. */
    if (!i && root->bound != BOUND_NONE) move.value = report->value;
    /* Of the others bounds are known, some of them from lower depths. */
    if (!root->exact) move.value = fmin(move.value, report->value);
    if (root->bound != BOUND_NONE && i < LINES) add_line(minimax, &move, root);
    vector_push(&report->moves, move);
  }
  qsort(report->moves.data + 1, report->moves.count - 1,
        sizeof *report->moves.data, compare);
  add_twins(minimax);
}

/* Steps to the end of a proven win or loss. */
static uint32_t distance_of(const Minimax *minimax) {
  const Scale *scale = &minimax->scale;
  Score beyond = minimax->score >= scale->high ? minimax->score - scale->high
                                               : scale->low - minimax->score;
  bool decided = minimax->proven && scale_decided(scale, minimax->score);
  return decided ? (uint32_t)(SCORE_DISTANCE - beyond) : 0;
}

double minimax_value(const Minimax *minimax) {
  return scale_own_goal(&minimax->scale, minimax->score);
}

uint64_t minimax_states(const Minimax *minimax) {
  return minimax->workers[0]->states + atomic_load(&minimax->others);
}

const MinimaxReport *minimax_report(Minimax *minimax) {
  MinimaxReport *report = &minimax->report;
  const Worker *worker = minimax->workers[0];
  report->states = minimax_states(minimax);
  report->evaluated = worker->evaluated;
  report->hits = worker->hits;
  report->hatched = report->listed = 0;
  for (uint32_t i = 0; i < minimax->worker_count; i++) {
    report->hatched += minimax->workers[i]->hatched;
    report->listed += minimax->workers[i]->listings;
  }
  if (minimax->breeder) report->breeder = breeder_report(minimax->breeder);
  report->card = minimax->breeder ? breeder_trouble(minimax->breeder) : NULL;
  report->seconds = minimax->spent.seconds;
  report->value = minimax_value(minimax);
  report->depth = minimax->depth;
  report->depth_most = worker->depth_most;
  report->branching = minimax->branching;
  report->proven = minimax->proven;
  report->distance = distance_of(minimax);
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
  if (report->hatched)
    text_format(text, "%llu nodes made ahead by the card\n",
                (unsigned long long)report->hatched);
  if (report->card)
    text_format(text, "the graphics card is not used: %s\n", report->card);
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
