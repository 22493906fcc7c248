/* The state of a match. The engine's undo stack matches the history step by
   step. If the engine fails because a limit is reached, joint moves are taken
   on faith until another engine is adopted. */
#include "player/position.h"

#include <string.h>

#include "engine/moves.h"

static bool is_blind(const Position *position) {
  return game_failed(position->game);
}

static void note(Text *notes, const char *what, const TextVector *moves) {
  text_add(notes, what);
  for (uint32_t i = 0; i < moves->count; i++)
    text_format(notes, "%s%s", i ? " / " : ": ", text_string(&moves->data[i]));
  text_add_byte(notes, '\n');
}

/* ---- the state ---- */

static void list_legal(Position *position) {
  Game *game = position->game;
  MoveVector moves = {0};
  text_vector_free(&position->legal);
  position->choice = 0;
  moves_sorted(game, position->role, &moves);
  uint32_t count = is_blind(position) ? 0 : moves.count;
  for (uint32_t i = 0; i < count; i++) {
    Text text = {0};
    moves_write(game, position->role, moves.data[i], &text);
    vector_push(&position->legal, text);
  }
  vector_free(&moves);
  if (count) position->choice = random_below(&position->random, count);
  text_clear(&position->answered);
}

void position_init(Position *position, Game *game, uint32_t role,
                   uint64_t seed) {
  *position = (Position){.game = game, .role = role};
  random_seed(&position->random, seed);
  game_reset(game);
  list_legal(position);
}

void position_free(Position *position) {
  text_vector_free(&position->history);
  text_vector_free(&position->legal);
  text_free(&position->answered);
}

void position_make(Position *position, const Move *joint) {
  Text lines = {0};
  moves_write_joint(position->game, joint, &lines);
  vector_push(&position->history, lines);
  game_make(position->game, joint);
}

static void push_blindly(Position *position, const TextVector *moves) {
  Text lines = {0};
  for (uint32_t i = 0; i < moves->count; i++) {
    if (i) text_add_byte(&lines, '\n');
    spelling_normal(text_string(&moves->data[i]), &lines);
  }
  vector_push(&position->history, lines);
}

/* Finds one step of a history on any engine of the same rules. */
static bool find_step(Game *game, const char *lines, Move *joint) {
  TextVector moves = {0};
  spelling_split(lines, &moves);
  bool found = moves.count == game->role_count &&
               spelling_find_joint(game, &moves, joint) == game->role_count;
  text_vector_free(&moves);
  return found && !game_failed(game);
}

void position_replay(Position *position, const TextVector *history,
                     Text *notes) {
  Move joint[RULE_ROLES];
  for (uint32_t i = 0; i < history->count; i++) {
    const char *lines = text_string(&history->data[i]);
    if (!find_step(position->game, lines, joint)) {
      text_format(notes, "step %u of the history does not fit\n", i);
      break;
    }
    position_make(position, joint);
  }
  list_legal(position);
}

bool position_adopt(Position *position, Game *game) {
  Move joint[RULE_ROLES];
  game_reset(game);
  for (uint32_t i = 0; i < position->history.count; i++) {
    const char *lines = text_string(&position->history.data[i]);
    if (!find_step(game, lines, joint)) return false;
    game_make(game, joint);
  }
  bool blind = is_blind(position);
  if (game_failed(game) ||
      (!blind && game_state_hash(game) != game_state_hash(position->game)))
    return false;
  position->game = game;
  if (blind) list_legal(position);
  return true;
}

/* ---- messages ---- */

static bool is_repeated(const Position *position, const TextVector *moves) {
  if (!position->history.count) return false;
  TextVector last = {0};
  spelling_split(text_string(&vector_last(&position->history)), &last);
  bool same = last.count == moves->count;
  for (uint32_t i = 0; same && i < last.count; i++)
    same =
        spelling_same(text_string(&last.data[i]), text_string(&moves->data[i]));
  text_vector_free(&last);
  return same;
}

/* Do the moves contain our answer in this state, as far as we know? */
static bool is_answered(const Position *position, const TextVector *moves) {
  return !position->answered.length ||
         spelling_same(text_string(&moves->data[position->role]),
                       position->answered.bytes);
}

/* Replaces the last step if another joint move, now reported, led here. */
static bool correct(Position *position, const TextVector *moves, Text *notes) {
  Game *game = position->game;
  Move joint[RULE_ROLES], before[RULE_ROLES];
  if (!position->history.count) return false;
  game_retract(game);
  Text last = vector_last(&position->history);
  bool fits = spelling_find_joint(game, moves, joint) == game->role_count;
  bool known = find_step(game, text_string(&last), before);
  position->history.count--;
  if (fits) note(notes, "the last joint move was a different one", moves);
  if (fits || known) position_make(position, fits ? joint : before);
  text_free(&last);
  return fits;
}

static void note_illegal(Position *position, const TextVector *moves,
                         uint32_t role, Text *notes) {
  text_add(notes, "the move of ");
  term_write(game_terms(position->game), game_role(position->game, role),
             notes);
  text_format(notes, " is not legal after %u steps", position->history.count);
  note(notes, "", moves);
}

/* Notes moves that cannot be a joint move, and returns true for them. */
static bool play_odd(Position *position, const TextVector *moves, Text *notes) {
  uint32_t roles = position->game->role_count;
  if (moves->count == roles) return false;
  if (moves->count)
    note(notes, "not one move for each role", moves);
  else if (position->history.count)
    text_format(notes, "NIL after %u steps\n", position->history.count);
  return true;
}

/* Handles moves other than the expected turn; returns how many steps still
   hold. */
static uint32_t resynchronise(Position *position, const TextVector *moves,
                              double until, Text *notes) {
  uint32_t count = position->history.count;
  Move joint[RULE_ROLES];
  if (is_repeated(position, moves)) {
    note(notes, "the last turn was repeated", moves);
    return count;
  }
  if (position_skip(position, moves, until, notes)) return count;
  if (correct(position, moves, notes)) return count - 1;
  uint32_t role = spelling_find_joint(position->game, moves, joint);
  if (role < position->game->role_count)
    note_illegal(position, moves, role, notes);
  else
    note(notes, "the game is over", moves);
  return count;
}

uint32_t position_play(Position *position, const TextVector *moves,
                       double until, Text *notes) {
  Move joint[RULE_ROLES];
  uint32_t count = position->history.count;
  if (play_odd(position, moves, notes)) return count;
  if (is_blind(position)) {
    push_blindly(position, moves);
    return count;
  }
  bool legal = !game_terminal(position->game) &&
               spelling_find_joint(position->game, moves, joint) ==
                   position->game->role_count;
  bool said = is_answered(position, moves);
  if (legal && (said || !is_repeated(position, moves))) {
    if (!said) note(notes, "our move was replaced", moves);
    position_make(position, joint);
  } else {
    count = resynchronise(position, moves, until, notes);
    if (count == position->history.count) return count;
  }
  if (is_blind(position))
    text_format(notes, "engine: %s\n", position->game->error.bytes);
  list_legal(position);
  return count;
}

/* ---- answers ---- */

bool position_has(const Position *position, const char *move) {
  for (uint32_t i = 0; i < position->legal.count; i++)
    if (strcmp(position->legal.data[i].bytes, move) == 0) return true;
  return false;
}

void position_answer(Position *position, const char *move) {
  text_clear(&position->answered);
  text_add(&position->answered, move);
}
