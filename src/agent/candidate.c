/* Exactly one of `search` and `minimax` is there. */
#include "agent/candidate.h"

#include "minimax/minimax.h"
#include "search/search.h"

struct Candidate {
  Book *book;
  uint32_t role, role_count;
  Search *search;
  Minimax *minimax;
  VECTOR(AgentMove) moves; /* of the last report */
  VECTOR(AgentStep) steps; /* of their lines */
  double values[2];        /* and of two roles, if goals have a constant sum */
};

Candidate *candidate_new(Book *book, uint32_t role, const Settings *settings,
                         uint64_t seed) {
  Candidate *candidate = memory_new(sizeof *candidate);
  candidate->book = book;
  candidate->role = role;
  if (settings->mind == MIND_MINIMAX && minimax_plays(book))
    candidate->minimax = minimax_new(book, role, settings, seed);
  else
    candidate->search = search_new(book, role, settings, seed);
  candidate->role_count = candidate_game(candidate)->role_count;
  return candidate;
}

void candidate_delete(Candidate *candidate) {
  if (candidate->search) search_delete(candidate->search);
  if (candidate->minimax) minimax_delete(candidate->minimax);
  vector_free(&candidate->moves);
  vector_free(&candidate->steps);
  memory_delete(candidate);
}

bool candidate_is_minimax(const Candidate *candidate) {
  return candidate->minimax;
}

void candidate_set_evaluation(Candidate *candidate,
                              const Evaluation *evaluation) {
  if (candidate->minimax)
    minimax_set_evaluation(candidate->minimax, evaluation);
  else
    search_set_evaluation(candidate->search, evaluation);
}

void candidate_reset(Candidate *candidate) {
  if (candidate->minimax)
    minimax_reset(candidate->minimax);
  else
    search_reset(candidate->search);
}

bool candidate_enter(Candidate *candidate, const Term *facts, uint32_t count) {
  return candidate->minimax ? minimax_enter(candidate->minimax, facts, count)
                            : search_enter(candidate->search, facts, count);
}

void candidate_advance(Candidate *candidate, const Move *joint) {
  if (candidate->minimax)
    minimax_advance(candidate->minimax, joint);
  else
    search_advance(candidate->search, joint);
}

void candidate_think(Candidate *candidate, const Budget *budget,
                     AgentWork *work) {
  if (candidate->minimax) {
    minimax_think(candidate->minimax, budget);
    const MinimaxReport *report = minimax_report(candidate->minimax);
    work->simulations += report->evaluated;
    work->states += report->states;
    work->seconds += report->seconds;
  } else {
    search_think(candidate->search, budget);
    const SearchReport *report = search_report(candidate->search);
    work->simulations += report->simulations;
    work->states += report->states;
    work->allied += report->allied;
    work->offloaded += report->offloaded;
    work->seconds += report->seconds;
  }
}

bool candidate_sound(Candidate *candidate) {
  return candidate->minimax ? minimax_sound(candidate->minimax)
                            : !game_failed(search_game(candidate->search));
}

bool candidate_ally(Candidate *candidate, Ally *ally) {
  return candidate->search && search_set_ally(candidate->search, ally);
}

Move candidate_best(Candidate *candidate) {
  return candidate->minimax ? minimax_best(candidate->minimax)
                            : search_best(candidate->search);
}

Game *candidate_game(Candidate *candidate) {
  return candidate->minimax ? minimax_game(candidate->minimax)
                            : search_game(candidate->search);
}

void candidate_explain(Candidate *candidate, Text *text) {
  if (candidate->minimax)
    minimax_explain(candidate->minimax, text);
  else
    search_explain(candidate->search, text);
}

void candidate_learned(Candidate *candidate, Text *text) {
  if (candidate->search) search_write_learned(candidate->search, text);
}

/* ---- reports ---- */

static void add_move(Candidate *candidate, AgentMove move, uint32_t line,
                     uint32_t steps) {
  move.line.count = steps;
  if (steps) move.line.steps = candidate->steps.data + line;
  vector_push(&candidate->moves, move);
}

static void report_search(Candidate *candidate, AgentReport *filled) {
  const SearchReport *found = search_report(candidate->search);
  for (uint32_t i = 0; i < found->lines.count; i++) {
    const SearchStep *step = &found->lines.data[i];
    vector_push(&candidate->steps, ((AgentStep){step->move, step->chosen}));
  }
  for (uint32_t i = 0; i < found->moves.count; i++) {
    const SearchMove *move = &found->moves.data[i];
    add_move(candidate,
             (AgentMove){.move = move->move,
                         .visits = move->visits,
                         .value = move->value,
                         .proven = move->proven},
             move->line, move->line_steps);
  }
  *filled = (AgentReport){.searched = true,
                          .simulations = found->simulations,
                          .states = found->states,
                          .allied = found->allied,
                          .offloaded = found->offloaded,
                          .card = found->card,
                          .seconds = found->seconds,
                          .value = found->values[candidate->role],
                          .values = found->values,
                          .depth = found->depth,
                          .nodes = found->nodes,
                          .proven = found->proven,
                          .distance = found->distance};
}

/* Fills in what the other role can expect; returns NULL if that is not known.
 */
static const double *both_values(Candidate *candidate, double value) {
  const Analysis *analysis = book_analysis(candidate->book);
  if (candidate->role_count != 2 || !analysis ||
      analysis->constant_sum == EVIDENCE_NONE)
    return NULL;
  candidate->values[candidate->role] = value;
  candidate->values[1 - candidate->role] = analysis->sum - value;
  return candidate->values;
}

/* It plays games in which roles take turns: whoever makes a move that is not
   for waiting had the choice. */
static void report_minimax(Candidate *candidate, AgentReport *filled) {
  const MinimaxReport *found = minimax_report(candidate->minimax);
  const Analysis *analysis = book_analysis(candidate->book);
  for (uint32_t i = 0; i < found->lines.count; i++) {
    Move move = found->lines.data[i];
    bool waits = analysis && analysis->turns.waiting[move];
    vector_push(&candidate->steps, ((AgentStep){move, !waits}));
  }
  for (uint32_t i = 0; i < found->moves.count; i++) {
    const MinimaxMove *move = &found->moves.data[i];
    add_move(candidate,
             (AgentMove){.move = move->move,
                         .visits = move->value >= 0,
                         .value = move->value,
                         .proven = move->proven},
             move->line, move->line_steps);
  }
  *filled = (AgentReport){.searched = true,
                          .simulations = found->evaluated,
                          .states = found->states,
                          .card = found->card,
                          .seconds = found->seconds,
                          .value = found->value,
                          .values = both_values(candidate, found->value),
                          .depth = found->depth,
                          .deepened = true,
                          .nodes = (uint32_t)found->states,
                          .proven = found->proven,
                          .distance = found->distance};
}

void candidate_report(Candidate *candidate, AgentReport *report) {
  vector_clear(&candidate->moves);
  vector_clear(&candidate->steps);
  if (candidate->minimax)
    report_minimax(candidate, report);
  else
    report_search(candidate, report);
  report->moves = candidate->moves.data;
  report->move_count = candidate->moves.count;
}
