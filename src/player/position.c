/* The state of a match. The engine's undo stack matches the steps that it has
   made. While it is behind, joint moves are taken on faith. */
#include "player/position.h"

#include <string.h>

#include "base/clock.h"
#include "engine/attempt.h"

enum { TRIES = 6 }; /* to make a step, before the engine is given up */

/* Shares of the time that is left for a turn: to see whether the game is over,
   whether the moves are legal, whether a turn was skipped. */
static const double terminal_share = 0.2, find_share = 0.3, skip_share = 0.6;
/* The least time, in seconds, to list the legal moves and to check one: a busy
   machine must not make simple things impossible. */
static const double least_list = 0.1, least_check = 0.02;

static bool is_blind(const Position *position) {
  return position->made < position->history.count ||
         game_failed(position->game);
}

static double later(double a, double b) {
  return a > b ? a : b;
}

static double share_of(double share, double until) {
  double now = clock_now();
  return now + later(share * (until - now), least_check);
}

static void note(Text *notes, const char *what, const TextVector *moves) {
  text_add(notes, what);
  for (uint32_t i = 0; i < moves->count; i++)
    text_format(notes, "%s%s", i ? " / " : ": ", text_string(&moves->data[i]));
  text_add_byte(notes, '\n');
}

/* ---- moves by their texts ---- */

/* Words that differ in case alone can be mistaken for one another: compares
   with the moves themselves. */
static bool find_alike(Game *game, uint32_t role, const char *text,
                       double until, Move *move) {
  MoveVector moves = {0};
  Text own = {0};
  bool found = false;
  attempt_moves(game, role, until, &moves);
  for (uint32_t i = 0; i < moves.count && !found; i++) {
    text_clear(&own);
    moves_write(game, role, moves.data[i], &own);
    found = spelling_same(own.bytes, text);
    if (found) *move = moves.data[i];
  }
  vector_free(&moves);
  text_free(&own);
  return found;
}

/* An engine that makes attempts has terms of its own, and a legal move may not
   be one of them yet; on a net all terms exist, and other threads read them. */
static Verdict find(Game *game, uint32_t role, const char *text, double until,
                    Move *move) {
  bool make = game->operations->attempts != NULL;
  Term term = spelling_term(&game->description->rules.terms, text, make);
  Verdict answer =
      term ? attempt_move(game, role, term, until, move) : VERDICT_NO;
  if (answer == VERDICT_NO && find_alike(game, role, text, until, move))
    return VERDICT_YES;
  return answer;
}

uint32_t position_find_joint(Game *game, const TextVector *moves, bool strict,
                             double until, Move *joint) {
  uint32_t role = 0;
  while (role < game->role_count && role < moves->count) {
    Verdict answer =
        find(game, role, text_string(&moves->data[role]), until, &joint[role]);
    if (answer == VERDICT_NO || (answer == VERDICT_UNKNOWN && strict)) break;
    role++;
  }
  return role;
}

/* Finds one step of a history on any engine of the same rules. */
static bool find_step(Game *game, const char *lines, double until,
                      Move *joint) {
  TextVector moves = {0};
  spelling_split(lines, &moves);
  bool found = moves.count == game->role_count &&
               position_find_joint(game, &moves, false, until, joint) ==
                   game->role_count;
  text_vector_free(&moves);
  return found && !game_failed(game);
}

/* ---- the state ---- */

static void list_legal(Position *position, double until) {
  until = later(until, clock_now() + least_list);
  vector_clear(&position->legal);
  text_clear(&position->accepted);
  position->complete =
      !is_blind(position) &&
      attempt_moves(position->game, position->role, until, &position->legal) &&
      !is_blind(position);
  if (game_failed(position->game)) vector_clear(&position->legal);
  if (position->complete)
    moves_sort(position->game, position->role, &position->legal);
}

static void choose(Position *position) {
  uint32_t count = position->legal.count;
  position->choice = count ? random_below(&position->random, count) : 0;
}

/* Looks for a move that is legal in what can be found of the state. */
static void find_likely(Position *position, double until) {
  Game *game = position->game;
  MoveVector moves = {0};
  uint32_t pushed = 0, missing = position->history.count - position->made;
  Move joint[RULE_ROLES];
  for (; pushed < missing && clock_now() < until; pushed++) {
    const Text *lines = &position->history.data[position->made + pushed];
    if (!find_step(game, text_string(lines), until, joint) ||
        !attempt_make_partly(game, joint, until))
      break;
  }
  if (pushed == missing) attempt_moves(game, position->role, until, &moves);
  if (moves.count)
    moves_write(game, position->role, moves.data[0], &position->likely);
  while (pushed--) game_retract(game);
  vector_free(&moves);
}

/* To be called in every new state. */
static void arrive(Position *position, double until) {
  list_legal(position, until);
  text_clear(&position->likely);
  if (is_blind(position) && !game_failed(position->game))
    find_likely(position, later(until, clock_now() + least_list));
  choose(position);
  text_clear(&position->answered);
}

static void find_always(Position *position, double until) {
  MoveVector moves = {0};
  attempt_static_moves(position->game, position->role, until, &moves);
  if (moves.count)
    moves_write(position->game, position->role, moves.data[0],
                &position->always);
  vector_free(&moves);
}

void position_init(Position *position, Game *game, uint32_t role, uint64_t seed,
                   double until) {
  *position = (Position){.game = game, .role = role};
  random_seed(&position->random, seed);
  game_reset(game);
  find_always(position, share_of(0.5, until));
  arrive(position, until);
}

void position_free(Position *position) {
  text_vector_free(&position->history);
  vector_free(&position->legal);
  text_free(&position->always);
  text_free(&position->likely);
  text_free(&position->answered);
  text_free(&position->accepted);
}

/* Makes a joint move that the history has. */
static void advance(Position *position, const Move *joint, double until) {
  if (attempt_make(position->game, joint, until)) {
    position->made++;
    position->tries = 0;
  } else {
    position->tries++;
  }
}

void position_make(Position *position, const Move *joint, double until) {
  Text lines = {0};
  moves_write_joint(position->game, joint, &lines);
  bool blind = is_blind(position);
  vector_push(&position->history, lines);
  if (!blind) advance(position, joint, until);
}

static void push_blindly(Position *position, const TextVector *moves) {
  Text lines = {0};
  for (uint32_t i = 0; i < moves->count; i++) {
    if (i) text_add_byte(&lines, '\n');
    spelling_normal(text_string(&moves->data[i]), &lines);
  }
  vector_push(&position->history, lines);
}

/* Makes steps of the history that the engine has not made. Returns false if one
   does not fit. */
static bool follow(Position *position, double until) {
  Move joint[RULE_ROLES];
  bool goes_on = true;
  while (goes_on && is_blind(position) && !game_failed(position->game)) {
    uint32_t made = position->made;
    const char *lines = text_string(&position->history.data[made]);
    if (!find_step(position->game, lines, share_of(find_share, until), joint))
      return false;
    advance(position, joint, until);
    goes_on = position->made > made && clock_now() < until;
  }
  return true;
}

/* The state is not known, or no move in it. */
static bool is_lost(const Position *position) {
  return is_blind(position) || (!position->complete && !position->legal.count);
}

bool position_lags(const Position *position) {
  return is_lost(position) && !game_failed(position->game) &&
         position->tries < TRIES;
}

bool position_catch_up(Position *position, double until, Text *notes) {
  if (!follow(position, until)) position->tries = TRIES;
  if (!is_blind(position)) {
    uint32_t tries = position->tries + 1;
    arrive(position, until);
    position->tries = is_lost(position) ? tries : 0;
  }
  if (position->tries >= TRIES)
    text_format(notes, "%s after %u steps cannot be found within the limits\n",
                is_blind(position) ? "the state" : "a legal move",
                is_blind(position) ? position->made + 1 : position->made);
  return !is_lost(position);
}

void position_replay(Position *position, const TextVector *history,
                     double until, Text *notes) {
  for (uint32_t i = 0; i < history->count; i++) {
    Text lines = {0};
    text_add(&lines, text_string(&history->data[i]));
    vector_push(&position->history, lines);
  }
  if (!follow(position, until)) {
    text_format(notes, "step %u of the history does not fit\n", position->made);
    while (position->history.count > position->made)
      text_free(&position->history.data[--position->history.count]);
  }
  arrive(position, until);
}

bool position_adopt(Position *position, Game *game) {
  Move joint[RULE_ROLES];
  double until = clock_now() + 1e9; /* a net is quick */
  game_reset(game);
  for (uint32_t i = 0; i < position->history.count; i++) {
    const char *lines = text_string(&position->history.data[i]);
    if (!find_step(game, lines, until, joint)) return false;
    game_make(game, joint);
  }
  bool blind = is_blind(position), complete = position->complete;
  if (game_failed(game) ||
      (!blind && game_state_hash(game) != game_state_hash(position->game)))
    return false;
  position->game = game;
  position->made = position->history.count;
  if (blind) {
    arrive(position, until);
  } else {
    list_legal(position, until);
    if (!complete) choose(position);
  }
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
static bool correct(Position *position, const TextVector *moves, double until,
                    Text *notes) {
  Game *game = position->game;
  Move joint[RULE_ROLES], before[RULE_ROLES];
  if (!position->history.count) return false;
  game_retract(game);
  position->made--;
  Text last = vector_last(&position->history);
  bool fits =
      position_find_joint(game, moves, true, until, joint) == game->role_count;
  bool known = find_step(game, text_string(&last), until, before);
  position->history.count--;
  if (fits) note(notes, "the last joint move was a different one", moves);
  if (fits || known) position_make(position, fits ? joint : before, until);
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
  double end = share_of(skip_share, until);
  if (position_skip(position, moves, end, notes)) return count;
  end = share_of(1, until);
  if (correct(position, moves, end, notes)) return count - 1;
  end = share_of(1, until);
  uint32_t role = position_find_joint(position->game, moves, false, end, joint);
  if (role < position->game->role_count)
    note_illegal(position, moves, role, notes);
  else
    note(notes, "the game is over", moves);
  return count;
}

/* Can the moves be the next step? */
static bool fits_here(Position *position, const TextVector *moves, double until,
                      Move *joint) {
  Game *game = position->game;
  double end = share_of(terminal_share, until);
  if (attempt_terminal(game, end) == VERDICT_YES) return false;
  end = share_of(find_share, until);
  return position_find_joint(game, moves, false, end, joint) ==
         game->role_count;
}

uint32_t position_play(Position *position, const TextVector *moves,
                       double until, Text *notes) {
  Move joint[RULE_ROLES];
  uint32_t count = position->history.count;
  if (play_odd(position, moves, notes)) return count;
  if (is_blind(position)) {
    push_blindly(position, moves);
    arrive(position, until);
    return count;
  }
  bool legal = fits_here(position, moves, until, joint);
  bool said = is_answered(position, moves);
  if (legal && (said || !is_repeated(position, moves))) {
    if (!said) note(notes, "our move was replaced", moves);
    position_make(position, joint, until);
  } else {
    count = resynchronise(position, moves, until, notes);
    if (count == position->history.count) return count;
  }
  if (is_blind(position))
    text_format(notes, "the state after %u steps is not known yet\n",
                position->history.count);
  arrive(position, until);
  return count;
}

/* ---- answers ---- */

static bool is_listed(const Position *position, const char *move) {
  Text own = {0};
  bool found = false;
  for (uint32_t i = 0; i < position->legal.count && !found; i++) {
    text_clear(&own);
    moves_write(position->game, position->role, position->legal.data[i], &own);
    found = strcmp(own.bytes, move) == 0;
  }
  text_free(&own);
  return found;
}

bool position_has(Position *position, const char *move) {
  Move found;
  if (strcmp(text_string(&position->accepted), move) == 0) return true;
  bool has = position->complete
                 ? is_listed(position, move)
                 : is_blind(position) ||
                       find(position->game, position->role, move,
                            clock_now() + least_check, &found) != VERDICT_NO;
  if (has) {
    text_clear(&position->accepted);
    text_add(&position->accepted, move);
  }
  return has;
}

bool position_any(const Position *position, bool first, Text *move) {
  if (position->legal.count)
    moves_write(position->game, position->role,
                position->legal.data[first ? 0 : position->choice], move);
  else if (!position->complete)
    text_add(move, text_string(&position->always));
  return move->length;
}

void position_answer(Position *position, const char *move) {
  text_clear(&position->answered);
  text_add(&position->answered, move);
}
