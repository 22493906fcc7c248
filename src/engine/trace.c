/* The format is in the header; there is a function for each kind of line. */
#include "engine/trace.h"

#include <inttypes.h>

#include "engine/moves.h"

static void write_line(const Game *game, const char *word, Term role, Term term,
                       Text *text) {
  text_add(text, word);
  if (role) {
    text_add_byte(text, ' ');
    term_write(game_terms(game), role, text);
  }
  text_add_byte(text, ' ');
  term_write(game_terms(game), term, text);
  text_add_byte(text, '\n');
}

static void copy_sorted(const Game *game, const Term *list, uint32_t count,
                        TermVector *copy) {
  vector_resize(copy, count);
  if (count) memcpy(copy->data, list, count * sizeof *list);
  term_sort(game_terms(game), copy->data, count);
}

static void write_facts(Game *game, TermVector *scratch, Text *text) {
  const Term *facts;
  uint32_t count = game_facts(game, &facts);
  copy_sorted(game, facts, count, scratch);
  for (uint32_t i = 0; i < count; i++)
    write_line(game, "true", 0, scratch->data[i], text);
}

static void write_goals(Game *game, TermVector *scratch, Text *text) {
  for (uint32_t role = 0; role < game->role_count; role++) {
    const Term *values;
    uint32_t count = game_goals(game, role, &values);
    copy_sorted(game, values, count, scratch);
    for (uint32_t i = 0; i < count; i++)
      write_line(game, "goal", game_role(game, role), scratch->data[i], text);
  }
}

/* Writes the legal moves, ordered as terms so that a seed gives the same game
   in every engine, and chooses one for each role. Returns false if a role has
   none. */
static bool write_legal(Game *game, Random *random, Move *joint,
                        uint32_t *stuck, Text *text) {
  bool fine = true;
  MoveVector sorted = {0};
  for (uint32_t role = 0; role < game->role_count; role++) {
    vector_clear(&sorted);
    moves_sorted(game, role, &sorted);
    uint32_t count = sorted.count;
    for (uint32_t i = 0; i < count; i++)
      write_line(game, "legal", game_role(game, role),
                 game_move_term(game, role, sorted.data[i]), text);
    if (!count && fine) {
      *stuck = role;
      fine = false;
    }
    if (count)
      joint[role] = sorted.data[count > 1 ? random_below(random, count) : 0];
  }
  vector_free(&sorted);
  return fine;
}

static void write_state(Game *game, uint32_t number, TermVector *scratch,
                        Text *text) {
  text_format(text, "state %" PRIu32 " %016" PRIx64 "\n", number,
              game_state_hash(game));
  write_facts(game, scratch, text);
  if (game_terminal(game)) text_add(text, "terminal\n");
  write_goals(game, scratch, text);
}

static void write_does(Game *game, const Move *joint, Text *text) {
  for (uint32_t role = 0; role < game->role_count; role++)
    write_line(game, "does", game_role(game, role),
               game_move_term(game, role, joint[role]), text);
}

/* Takes the roles' moves from the script, if it has any left. Returns false,
   after writing which, if one is not legal. */
static bool follow(Game *game, const TermVector *script, uint32_t *at,
                   Move *joint, Text *text) {
  if (script->count - *at < game->role_count) return true;
  for (uint32_t role = 0; role < game->role_count; role++) {
    Term wanted = script->data[(*at)++];
    if (!moves_find_term(game, role, wanted, &joint[role])) {
      write_line(game, "end illegal", game_role(game, role), wanted, text);
      return false;
    }
  }
  return true;
}

/* Plays from the current state to the end. Returns false if a scripted move was
   illegal. */
static bool write_game(Game *game, Random *random, const TermVector *script,
                       uint32_t step_limit, void (*flush)(Text *text),
                       Text *text) {
  TermVector scratch = {0};
  Move joint[RULE_ROLES];
  uint32_t scripted = 0;
  bool legal = true;
  for (uint32_t step = 0; !game_failed(game) && !game_late(game); step++) {
    uint32_t stuck = 0;
    write_state(game, step, &scratch, text);
    if (game_failed(game)) break;
    if (game_terminal(game)) {
      text_add(text, "end terminal\n");
      break;
    }
    if (!write_legal(game, random, joint, &stuck, text)) {
      if (!game_failed(game))
        write_line(game, "end stuck", 0, game_role(game, stuck), text);
      break;
    }
    if (step == step_limit) {
      text_add(text, "end step-limit\n");
      break;
    }
    legal = follow(game, script, &scripted, joint, text);
    if (!legal) break;
    write_does(game, joint, text);
    game_make(game, joint);
    if (flush) flush(text);
  }
  vector_free(&scratch);
  return legal;
}

bool trace_write(Game *game, Random *random, const TermVector *script,
                 uint32_t step_limit, void (*flush)(Text *text), Text *text) {
  text_add(text, "roles");
  for (uint32_t role = 0; role < game->role_count; role++) {
    text_add_byte(text, ' ');
    term_write(game_terms(game), game_role(game, role), text);
  }
  text_add_byte(text, '\n');
  game_reset(game);
  bool legal = write_game(game, random, script, step_limit, flush, text);
  if (game_failed(game))
    text_format(text, "end failed %s\n", text_string(&game->error));
  return legal && !game_failed(game);
}
