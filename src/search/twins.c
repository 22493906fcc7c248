#include "search/twins.h"

static const SearchMove *find_move(const SearchReport *report, Move move) {
  for (uint32_t i = 0; i < report->moves.count; i++)
    if (report->moves.data[i].move == move) return &report->moves.data[i];
  return NULL;
}

static void add_twin(SearchReport *report, Move move, Move twin) {
  const SearchMove *known = find_move(report, twin);
  if (!known || find_move(report, move)) return;
  SearchMove made = *known;
  made.move = move;
  made.visits = 0;
  made.action = SEARCH_NO_ACTION;
  vector_push(&report->moves, made);
}

/* The engine stands at the root's state. */
void twins_report(Search *search) {
  NumberVector moves = {0}, twins = {0};
  uint32_t counts[RULE_ROLES], first = 0;
  const uint64_t *state;
  if (!search->symmetries) return;
  for (uint32_t role = 0; role < search->role_count; role++) {
    const Move *list;
    counts[role] = game_legal(search->game, role, &list);
    if (role == search->role) first = moves.count;
    for (uint32_t i = 0; i < counts[role]; i++) vector_push(&moves, list[i]);
  }
  vector_resize(&twins, moves.count);
  game_state(search->game, &state);
  if (symmetries_twins(search->symmetries, state, moves.data, counts,
                       twins.data))
    for (uint32_t i = first; i < first + counts[search->role]; i++)
      if (twins.data[i] != moves.data[i])
        add_twin(&search->report, moves.data[i], twins.data[i]);
  vector_free(&moves);
  vector_free(&twins);
}
