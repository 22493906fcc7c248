/* Moves are sorted by their terms and compared by their texts. */
#include "engine/moves.h"

#include <stdlib.h>

typedef struct SortedMove {
  Term term;
  Move move;
} SortedMove;

static int compare(const void *a, const void *b, void *terms) {
  return term_compare(terms, ((const SortedMove *)a)->term,
                      ((const SortedMove *)b)->term);
}

void moves_sort(const Game *game, uint32_t role, MoveVector *moves) {
  SortedMove *list = memory_new((moves->count + 1) * sizeof *list);
  for (uint32_t i = 0; i < moves->count; i++)
    list[i] = (SortedMove){game_move_term(game, role, moves->data[i]),
                           moves->data[i]};
  qsort_r(list, moves->count, sizeof *list, compare,
          (void *)(uintptr_t)game_terms(game));
  for (uint32_t i = 0; i < moves->count; i++) moves->data[i] = list[i].move;
  memory_delete(list);
}

void moves_sorted(Game *game, uint32_t role, MoveVector *sorted) {
  const Move *moves;
  MoveVector own = {0};
  uint32_t count = game_legal(game, role, &moves);
  for (uint32_t i = 0; i < count; i++) vector_push(&own, moves[i]);
  moves_sort(game, role, &own);
  for (uint32_t i = 0; i < count; i++) vector_push(sorted, own.data[i]);
  vector_free(&own);
}

bool moves_contain(Game *game, uint32_t role, Move move) {
  const Move *moves;
  uint32_t count = game_legal(game, role, &moves), i = 0;
  while (i < count && moves[i] != move) i++;
  return i < count;
}

Move moves_first(Game *game, uint32_t role) {
  const Move *moves;
  uint32_t count = game_legal(game, role, &moves), first = 0;
  for (uint32_t i = 1; i < count; i++)
    if (term_compare(game_terms(game), game_move_term(game, role, moves[i]),
                     game_move_term(game, role, moves[first])) < 0)
      first = i;
  return moves[first];
}

Move moves_random(Game *game, uint32_t role, Random *random) {
  MoveVector sorted = {0};
  moves_sorted(game, role, &sorted);
  Move move = sorted.data[random_below(random, sorted.count)];
  vector_free(&sorted);
  return move;
}

void moves_write(const Game *game, uint32_t role, Move move, Text *text) {
  term_write(game_terms(game), game_move_term(game, role, move), text);
}

void moves_write_joint(const Game *game, const Move *joint, Text *lines) {
  for (uint32_t role = 0; role < game->role_count; role++) {
    if (role) text_add_byte(lines, '\n');
    moves_write(game, role, joint[role], lines);
  }
}

void moves_write_role(const Game *game, uint32_t role, Text *text) {
  term_write(game_terms(game), game_role(game, role), text);
}

bool moves_find(Game *game, uint32_t role, const char *text, Move *move) {
  const Move *moves;
  uint32_t count = game_legal(game, role, &moves);
  Text own = {0};
  bool found = false;
  for (uint32_t i = 0; i < count && !found; i++) {
    text_clear(&own);
    moves_write(game, role, moves[i], &own);
    found = strcmp(text_string(&own), text) == 0;
    if (found) *move = moves[i];
  }
  text_free(&own);
  return found;
}

bool moves_find_term(Game *game, uint32_t role, Term term, Move *move) {
  const Move *moves;
  uint32_t count = game_legal(game, role, &moves), i = 0;
  while (i < count && game_move_term(game, role, moves[i]) != term) i++;
  if (i < count) *move = moves[i];
  return i < count;
}
