/* Legal moves are kept as JSON, since the thread that listens must not touch
   the game. The flag `stop` is set by that thread when thinking no longer
   matters, and cleared by the other one when it has taken the wish. */
#include "web/turn.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"
#include "web/kinds.h"
#include "web/wire.h"

static const double shortest_hint = 0.1, longest_hint = 30; /* seconds */
/* Until a process without a server is killed, if it does not end by itself. */
enum { FAREWELL = 20 };

/* Of JSON: six digits are enough for seconds and values. */
static const size_t form = JSON_COMPACT | JSON_REAL_PRECISION(6);

static const char *const phases[] = {"loading", "starting", "playing", "over",
                                     "failed"};

/* ---- making ---- */

void turn_init(Turn *turn, int link, uint32_t threads) {
  *turn = (Turn){.link = link};
  atomic_store(&turn->threads, threads);
  pthread_mutex_init(&turn->lock, NULL);
  pthread_cond_init(&turn->changed, NULL);
}

void turn_seat(Turn *turn, uint32_t role_count) {
  turn_lock(turn);
  turn->roles = memory_new(role_count * sizeof *turn->roles);
  turn->role_count = role_count;
  turn_unlock(turn);
}

static void forget_moves(TurnRole *role) {
  for (uint32_t i = 0; i < role->moves.count; i++) {
    text_free(&role->moves.data[i].name);
    text_free(&role->moves.data[i].json);
  }
  vector_clear(&role->moves);
}

void turn_clear(Turn *turn) {
  for (uint32_t i = 0; i < turn->role_count; i++) {
    TurnRole *role = &turn->roles[i];
    forget_moves(role);
    role->chosen = TURN_NOTHING;
    role->thinking = false;
  }
  turn->until = 0;
  turn->decided = false;
}

void turn_free(Turn *turn) {
  if (turn->listening) pthread_join(turn->reader, NULL);
  turn_clear(turn);
  for (uint32_t i = 0; i < turn->role_count; i++)
    vector_free(&turn->roles[i].moves);
  memory_delete(turn->roles);
  json_decref(turn->fed);
  text_free(&turn->message);
  text_free(&turn->goals);
  pthread_mutex_destroy(&turn->lock);
  pthread_cond_destroy(&turn->changed);
}

void turn_lock(Turn *turn) {
  pthread_mutex_lock(&turn->lock);
}

void turn_unlock(Turn *turn) {
  pthread_mutex_unlock(&turn->lock);
}

/* ---- sending ---- */

static bool is_asked(const TurnRole *role) {
  return role->moves.count && role->chosen == TURN_NOTHING;
}

static bool is_thinking(const TurnRole *role) {
  return role->thinking;
}

static void add_roles(const Turn *turn, const char *name,
                      bool (*fits)(const TurnRole *), Text *json) {
  const char *space = "";
  text_format(json, ",\"%s\":[", name);
  for (uint32_t i = 0; i < turn->role_count; i++) {
    if (!fits(&turn->roles[i])) continue;
    text_format(json, "%s%u", space, i);
    space = ",";
  }
  text_add_byte(json, ']');
}

static void add_chosen(const Turn *turn, Text *json) {
  text_add(json, ",\"chosen\":[");
  for (uint32_t i = 0; i < turn->role_count; i++) {
    const TurnRole *role = &turn->roles[i];
    if (i) text_add_byte(json, ',');
    text_add(json, role->moves.count && role->chosen != TURN_NOTHING
                       ? text_string(&role->moves.data[role->chosen].json)
                       : "null");
  }
  text_add_byte(json, ']');
}

static void add_moves(const TurnRole *role, Text *json) {
  for (uint32_t i = 0; i < role->moves.count; i++) {
    if (i) text_add_byte(json, ',');
    text_add(json, text_string(&role->moves.data[i].json));
  }
}

static void add_legal(const Turn *turn, Text *json) {
  text_add(json, ",\"legal\":[");
  for (uint32_t i = 0; i < turn->role_count; i++) {
    const TurnRole *role = &turn->roles[i];
    if (i) text_add_byte(json, ',');
    if (!role->moves.count) {
      text_add(json, "null");
      continue;
    }
    text_add_byte(json, '[');
    add_moves(role, json);
    text_add_byte(json, ']');
  }
  text_add_byte(json, ']');
}

static bool can_undo(const Turn *turn) {
  return !turn->final && (turn->undo || turn_chose(turn));
}

static void add_rest(const Turn *turn, Text *json) {
  json_t *message = json_plain(text_string(&turn->message));
  text_format(json,
              ",\"undo\":%s,\"left\":", can_undo(turn) ? "true" : "false");
  if (turn->until > 0)
    text_format(json, "%.2f", fmax(turn->until - clock_now(), 0));
  else
    text_add(json, "null");
  text_add(json, ",\"message\":");
  json_add_text(message, JSON_ENCODE_ANY, json);
  text_format(json, ",\"goals\":%s}",
              turn->goals.length ? turn->goals.bytes : "null");
  json_decref(message);
}

static char activity(const Turn *turn) {
  if (turn->phase >= TURN_OVER) return MASTER_OVER;
  if (turn->shown && turn->phase > TURN_LOADING) return MASTER_IDLE;
  if (turn->phase < TURN_PLAYING) return MASTER_BUSY;
  for (uint32_t i = 0; i < turn->role_count; i++)
    if (turn->roles[i].thinking) return MASTER_BUSY;
  return MASTER_IDLE;
}

void turn_send(Turn *turn) {
  Text json = {0};
  char now = activity(turn);
  text_format(&json, "{\"phase\":\"%s\",\"step\":%u", phases[turn->phase],
              turn->step);
  add_roles(turn, "thinking", is_thinking, &json);
  add_roles(turn, "asked", is_asked, &json);
  add_chosen(turn, &json);
  add_legal(turn, &json);
  add_rest(turn, &json);
  if (now != turn->activity) wire_send(turn->link, now, "", 0);
  wire_send(turn->link, MASTER_TURN, json.bytes, json.length);
  turn->activity = now;
  text_free(&json);
}

static void say(Turn *turn, char kind, Text *text) {
  turn_lock(turn);
  wire_send(turn->link, kind, text_string(text), text->length);
  turn_unlock(turn);
  text_free(text);
}

void turn_say(Turn *turn, char kind, const json_t *value) {
  Text json = {0};
  json_add_text(value, form, &json);
  say(turn, kind, &json);
}

void turn_say_thought(Turn *turn, uint32_t role, const json_t *thought) {
  Text json = {0};
  text_add_byte(&json, (char)role);
  json_add_text(thought, form, &json);
  say(turn, MASTER_LIVE, &json);
}

void turn_note(Turn *turn, const char *format, ...) {
  char line[1000];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  Text text = {0};
  text_add(&text, line);
  say(turn, MASTER_NOTE, &text);
}

/* ---- questions ---- */

bool turn_asks(const Turn *turn) {
  bool found = false;
  for (uint32_t i = 0; i < turn->role_count; i++)
    found |= is_asked(&turn->roles[i]);
  return found;
}

bool turn_chose(const Turn *turn) {
  bool found = false;
  for (uint32_t i = 0; i < turn->role_count; i++)
    found |= turn->roles[i].moves.count && !is_asked(&turn->roles[i]);
  return found;
}

bool turn_stopped(const Turn *turn) {
  return atomic_load(&turn->stop);
}

TurnWish turn_wait(Turn *turn, uint32_t *role, double *seconds) {
  turn_lock(turn);
  while (turn->wish == TURN_GO_ON && turn_asks(turn))
    pthread_cond_wait(&turn->changed, &turn->lock);
  TurnWish wish = turn->wish;
  *role = turn->wish_role;
  *seconds = turn->wish_seconds;
  if (wish == TURN_GO_ON) turn->decided = true;
  if (wish == TURN_HINT) {
    turn->wish = TURN_GO_ON;
    atomic_store(&turn->stop, false);
  }
  turn_unlock(turn);
  return wish;
}

void turn_begin_hint(Turn *turn, uint32_t role, double seconds) {
  turn_lock(turn);
  turn->hinting = turn->roles[role].thinking = true;
  turn->until = clock_now() + seconds;
  turn_send(turn);
  turn_unlock(turn);
}

/* A choice breaks it off, and is no reason to break off anything else. */
void turn_end_hint(Turn *turn, uint32_t role) {
  turn_lock(turn);
  turn->hinting = turn->roles[role].thinking = false;
  turn->until = 0;
  if (turn->wish <= TURN_HINT) atomic_store(&turn->stop, false);
  turn_send(turn);
  turn_unlock(turn);
}

void turn_rest(Turn *turn) {
  turn_lock(turn);
  while (turn->wish == TURN_GO_ON)
    pthread_cond_wait(&turn->changed, &turn->lock);
  turn_unlock(turn);
}

json_t *turn_take_fed(Turn *turn) {
  json_t *first = NULL;
  turn_lock(turn);
  while (turn->wish != TURN_END && !json_array_size(turn->fed))
    pthread_cond_wait(&turn->changed, &turn->lock);
  if (turn->wish != TURN_END) {
    first = json_incref(json_array_get(turn->fed, 0));
    json_array_remove(turn->fed, 0);
  }
  turn_unlock(turn);
  return first;
}

TurnWish turn_take(Turn *turn, uint32_t *role) {
  turn_lock(turn);
  TurnWish wish = turn->wish;
  *role = turn->wish_role;
  /* The end is for good; a hint waits for persons to be asked. */
  if (wish != TURN_END && (wish != TURN_HINT || turn->phase != TURN_PLAYING)) {
    turn->wish = TURN_GO_ON;
    atomic_store(&turn->stop, false);
  }
  turn_unlock(turn);
  return wish;
}

/* ---- listening ---- */

static TurnRole *find_person(Turn *turn, const json_t *command,
                             uint32_t *number) {
  const json_t *role = json_object_get(command, "role");
  json_int_t value = json_integer_value(role);
  if (!json_is_integer(role) || value < 0 || value >= turn->role_count)
    return NULL;
  *number = (uint32_t)value;
  return turn->roles[value].person ? &turn->roles[value] : NULL;
}

static void hear_move(Turn *turn, const json_t *command) {
  uint32_t number;
  const json_t *step = json_object_get(command, "step");
  const char *name = json_string_value(json_object_get(command, "move"));
  TurnRole *role = find_person(turn, command, &number);
  if (turn->phase != TURN_PLAYING || turn->decided || !role || !name) return;
  if (json_integer_value(step) != turn->step) return;
  for (uint32_t i = 0; i < role->moves.count; i++) {
    if (strcmp(text_string(&role->moves.data[i].name), name) != 0) continue;
    role->chosen = i;
    if (turn->wish == TURN_HINT) turn->wish = TURN_GO_ON;
    if (turn->hinting) atomic_store(&turn->stop, true);
    turn_send(turn);
  }
}

static void wish(Turn *turn, TurnWish what, uint32_t role) {
  if (turn->wish >= what) return;
  turn->wish = what;
  turn->wish_role = role;
  if (what != TURN_HINT || turn->hinting) atomic_store(&turn->stop, true);
}

static void hear_hint(Turn *turn, const json_t *command) {
  uint32_t number;
  double seconds = json_number_value(json_object_get(command, "seconds"));
  const TurnRole *role = find_person(turn, command, &number);
  if (turn->phase != TURN_PLAYING || turn->decided || !role ||
      !role->moves.count)
    return;
  turn->wish_seconds = fmax(shortest_hint, fmin(seconds, longest_hint));
  wish(turn, TURN_HINT, number);
}

static void hear_resign(Turn *turn, const json_t *command) {
  uint32_t number;
  bool going = turn->phase == TURN_STARTING || turn->phase == TURN_PLAYING;
  if (going && find_person(turn, command, &number))
    wish(turn, TURN_RESIGN, number);
}

static void hear_threads(Turn *turn, const json_t *command) {
  json_int_t threads = json_integer_value(json_object_get(command, "threads"));
  if (threads > 0 && threads < 10000)
    atomic_store(&turn->threads, (unsigned)threads);
}

static void hear(Turn *turn, const Wire *wire) {
  json_t *command =
      json_loadb(text_string(&wire->message), wire->message.length, 0, NULL);
  turn_lock(turn);
  switch (wire->kind) {
  case MASTER_MOVE: hear_move(turn, command); break;
  case MASTER_UNDO:
    if (can_undo(turn)) wish(turn, TURN_UNDO, 0);
    break;
  case MASTER_HINT: hear_hint(turn, command); break;
  case MASTER_RESIGN: hear_resign(turn, command); break;
  case MASTER_THREADS: hear_threads(turn, command); break;
  case MASTER_FEED:
    if (!turn->fed) turn->fed = json_array();
    json_array_append(turn->fed, command);
    break;
  default: break;
  }
  json_decref(command); /* under the lock: `fed` may share it */
  pthread_cond_broadcast(&turn->changed);
  turn_unlock(turn);
}

static void *listen(void *context) {
  Turn *turn = context;
  Wire wire;
  WireEvent event;
  struct pollfd link = {.fd = turn->link, .events = POLLIN};
  wire_init(&wire, turn->link);
  while ((event = wire_receive(&wire)) != WIRE_CLOSED)
    if (event == WIRE_GOT)
      hear(turn, &wire);
    else
      poll(&link, 1, -1);
  wire_free(&wire);
  alarm(FAREWELL); /* whatever the other thread does */
  turn_lock(turn);
  wish(turn, TURN_END, 0);
  pthread_cond_broadcast(&turn->changed);
  turn_unlock(turn);
  return NULL;
}

void turn_listen(Turn *turn) {
  if (!thread_start(&turn->reader, THREAD_STACK, listen, turn))
    fatal("cannot start a thread");
  turn->listening = true;
}
