/* What the process says is kept as JSON text: HEAD, STEPs, TURN, the last
   thoughts of each role. A watcher gets all of it first, as the event `match`,
   then what follows as it comes. Thoughts are collected and sent with the next
   tick, one role at a time, and only to those who have taken everything before.

   If the process ends by itself, the room says so in a TURN of its own. */
#include "web/room.h"

#include <math.h>

#include "base/clock.h"
#include "io/event.h"
#include "web/room_parts.h"
#include "web/site.h"

enum {
  WATCHERS = 100,          /* of one room */
  LARGEST = 24 << 20,      /* bytes of all that is kept */
  UNSENT = 1 << 20,        /* that a watcher may have, beside the first event */
  LONGEST_FEED = 30 << 10, /* that goes into one packet */
  MESSAGES = 200,          /* taken at a time */
  SPARE_PART = 6           /* of the patience, until a room may be given up */
};

static const double live_pause = 0.1;   /* seconds between thoughts, */
static const double count_pause = 0.25; /* between counts of watchers, */
static const double beat_pause = 15;    /* and between signs of life */

/* ---- events ---- */

static void write_event(const char *name, const Text *json, Text *event) {
  text_format(event, "event: %s\ndata: ", name);
  text_add_bytes(event, text_string(json), json->length);
  text_add(event, "\n\n");
}

static void drop_watcher(Room *room, uint32_t at) {
  room->watchers.data[at] = vector_last(&room->watchers);
  room->watchers.count--;
  room->counted = false;
  if (room->shown) room->life = clock_now();
}

/* To those who have taken everything so far if `idle`, else to all; whoever has
   too much unsent is cut off. */
static void send_all(Room *room, const Text *bytes, bool idle) {
  for (uint32_t i = room->watchers.count; i-- > 0;) {
    const RoomWatcher *watcher = &room->watchers.data[i];
    size_t queued = http_stream_queued(watcher->request);
    if (idle && queued) continue;
    if (queued <= watcher->first + UNSENT) {
      http_stream_send(watcher->request, bytes->bytes, bytes->length);
      continue;
    }
    event_log(text_string(&room->id), "a watcher does not keep up: cut off");
    http_stream_end(watcher->request);
    drop_watcher(room, i);
  }
}

static void tell(Room *room, const char *name, const Text *json, bool idle) {
  Text event = {0};
  if (!room->watchers.count) return;
  write_event(name, json, &event);
  send_all(room, &event, idle);
  text_free(&event);
}

static void tell_match(Room *room) {
  Text json = {0};
  if (!room->watchers.count) return;
  room_write(room, &json);
  tell(room, "match", &json, false);
  text_free(&json);
}

/* ---- what is kept ---- */

/* Line ends would end the data of an event. */
static void set(Text *text, const char *bytes, size_t length) {
  text_clear(text);
  text_add_bytes(text, bytes, length);
  for (size_t i = 0; i < length; i++)
    if (text->bytes[i] == '\n' || text->bytes[i] == '\r') text->bytes[i] = ' ';
}

static void add_list(const TextVector *list, Text *json) {
  text_add_byte(json, '[');
  for (uint32_t i = 0; i < list->count; i++) {
    if (i) text_add_byte(json, ',');
    text_add(json, list->data[i].length ? list->data[i].bytes : "null");
  }
  text_add_byte(json, ']');
}

static const char *kind_of(const Room *room) {
  return room->shown ? "player" : "page";
}

void room_write(const Room *room, Text *json) {
  text_format(json, "{\"id\":\"%s\",\"kind\":\"%s\",\"head\":%s,\"steps\":",
              text_string(&room->id), kind_of(room), text_string(&room->head));
  add_list(&room->steps, json);
  text_format(json, ",\"turn\":%s,\"live\":", text_string(&room->turn));
  add_list(&room->live, json);
  text_add_byte(json, '}');
}

void room_write_brief(const Room *room, Text *json) {
  text_format(json,
              "{\"id\":\"%s\",\"kind\":\"%s\",\"watchers\":%u,\"age\":%.1f,",
              text_string(&room->id), kind_of(room), room->watchers.count,
              clock_now() - room->born);
  text_add(json, text_string(&room->brief) + 1);
}

static void forget_thoughts(Room *room) {
  for (uint32_t i = 0; i < room->live.count; i++)
    text_clear(&room->live.data[i]);
  room->dirty = 0;
}

static void go_back(Room *room, uint32_t count) {
  while (room->steps.count > count) {
    Text *step = &vector_last(&room->steps);
    room->bytes -= step->length;
    text_free(step);
    room->steps.count--;
  }
  forget_thoughts(room);
}

/* ---- the process ---- */

/* The match cannot go on; what there is stays to be looked at. */
static void give_up(Room *room, const char *why) {
  json_t *message = json_plain(why);
  Text turn = {0};
  if (room->process.pid) process_leave(&room->process);
  room->gone = true;
  room->activity = MASTER_OVER;
  room->over_since = clock_now();
  forget_thoughts(room);
  event_log(text_string(&room->id), "%s", why);
  text_format(&turn,
              "{\"phase\":\"failed\",\"step\":%u,\"thinking\":[],\"asked\":[],"
              "\"chosen\":[],\"legal\":[],\"undo\":false,\"left\":null,"
              "\"message\":",
              room->steps.count ? room->steps.count - 1 : 0);
  json_add_text(message, JSON_ENCODE_ANY, &turn);
  text_add(&turn, ",\"goals\":null}");
  set(&room->turn, turn.bytes, turn.length);
  room_set_phase(room, "failed");
  tell(room, "turn", &room->turn, false);
  json_decref(message);
  text_free(&turn);
}

static void hear_step(Room *room, const Text *message) {
  Text step = {0};
  set(&step, message->bytes, message->length);
  room->bytes += step.length;
  vector_push(&room->steps, step);
  forget_thoughts(room);
  tell(room, "step", &step, false);
  if (room->bytes > LARGEST)
    give_up(room, "The match has become too long to be shown.");
}

static void hear_back(Room *room, const Text *message) {
  json_t *json = json_loadb(message->bytes, message->length, 0, NULL);
  json_int_t step = json_integer_value(json_object_get(json, "step"));
  if (json && step >= 0) go_back(room, (uint32_t)step + 1);
  json_decref(json);
  tell(room, "back", message, false);
}

static void hear_thought(Room *room, const Text *message) {
  unsigned char role = (unsigned char)message->bytes[0];
  while (room->live.count <= role) vector_push(&room->live, (Text){0});
  set(&room->live.data[role], message->bytes + 1, message->length - 1);
  if (role < ROOM_ROLES) room->dirty |= (uint64_t)1 << role;
}

static void hear(Room *room) {
  const Text *message = &room->wire.message;
  switch (room->wire.kind) {
  case MASTER_HEAD:
    set(&room->head, message->bytes, message->length);
    tell_match(room);
    break;
  case MASTER_STEP: hear_step(room, message); break;
  case MASTER_BACK: hear_back(room, message); break;
  case MASTER_TURN:
    set(&room->turn, message->bytes, message->length);
    tell(room, "turn", &room->turn, false);
    break;
  case MASTER_LIVE:
    if (message->length > 1) hear_thought(room, message);
    break;
  case MASTER_BRIEF: set(&room->brief, message->bytes, message->length); break;
  case MASTER_NOTE:
    event_log(text_string(&room->id), "%s", text_string(message));
    break;
  case MASTER_OVER: room->over_since = clock_now(); /* fall through */
  case MASTER_BUSY:
  case MASTER_IDLE: room->activity = room->wire.kind; break;
  default: break;
  }
}

void room_read(Room *room) {
  WireEvent event = WIRE_EMPTY;
  for (int i = 0; i < MESSAGES && !room->gone; i++) {
    event = wire_receive(&room->wire);
    if (event != WIRE_GOT) break;
    hear(room);
  }
  if (event == WIRE_CLOSED && !room->gone)
    give_up(room, "The process of this match has ended unexpectedly; it may "
                  "have run out of memory.");
}

static int run(const void *context, int link) {
  return master_run(context, link);
}

/* ---- begin and end ---- */

Room *room_new(const RoomHost *host, const MasterPlan *plan) {
  Room *room = memory_new(sizeof *room);
  room->host = *host;
  if (!process_begin(&room->process, &host->process, -1, run, plan)) {
    memory_delete(room);
    return NULL;
  }
  wire_init(&room->wire, room->process.link);
  text_add(&room->id, plan->id);
  room->born = room->life = clock_now();
  room->beat = room->born + beat_pause;
  room->activity = MASTER_BUSY;
  room->shown = plan->role;
  room->counted = true;
  room_describe(room, plan);
  if (plan->role)
    event_log(plan->id, "shows %s", plan->name);
  else
    event_log(plan->id, "match: %s, clocks %g and %g",
              *plan->game ? plan->game : "own rules", plan->start, plan->play);
  return room;
}

void room_delete(Room *room) {
  static const char end[] = "event: end\ndata: {}\n\n";
  for (uint32_t i = 0; i < room->watchers.count; i++) {
    HttpRequest *request = room->watchers.data[i].request;
    http_stream_send(request, end, sizeof end - 1);
    http_stream_end(request);
  }
  process_leave(&room->process);
  wire_free(&room->wire);
  text_free(&room->id);
  text_free(&room->head);
  text_free(&room->turn);
  text_free(&room->brief);
  text_vector_free(&room->steps);
  text_vector_free(&room->live);
  vector_free(&room->watchers);
  memory_delete(room);
}

const char *room_id(const Room *room) {
  return text_string(&room->id);
}

uint32_t room_watchers(const Room *room) {
  return room->watchers.count;
}

/* ---- watchers ---- */

static void gone(void *context, HttpRequest *request) {
  Room *room = context;
  for (uint32_t i = room->watchers.count; i-- > 0;)
    if (room->watchers.data[i].request == request) drop_watcher(room, i);
}

bool room_watch(Room *room, HttpRequest *request) {
  static const char *const more[] = {"Cache-Control", "no-store", NULL};
  const char *headers[SITE_HEADERS];
  HttpAnswer answer = {
      .status = 200, .type = "text/event-stream", .headers = headers};
  Text json = {0}, event = {0};
  if (room->watchers.count >= WATCHERS) return false;
  site_write_headers(NULL, more, headers);
  http_stream(request, &answer, gone, room);
  room_write(room, &json);
  text_add(&event, "retry: 1000\n");
  write_event("match", &json, &event);
  http_stream_send(request, event.bytes, event.length);
  vector_push(&room->watchers, ((RoomWatcher){request, event.length}));
  room->counted = false;
  room->life = clock_now();
  text_free(&json);
  text_free(&event);
  return true;
}

/* ---- time ---- */

bool room_feed(Room *room, const json_t *what) {
  Text json = {0};
  if (room->gone) return true;
  json_add_text(what, JSON_COMPACT, &json);
  bool sent = wire_try(room->wire.link, MASTER_FEED, json.bytes, json.length);
  if (!sent && json.length > LONGEST_FEED)
    give_up(room, "A move of the match is too long to be shown.");
  text_free(&json);
  return sent;
}

bool room_is_active(const Room *room) {
  return !room->gone && room->activity == MASTER_BUSY;
}

/* Watching counts as life where there is something to see. */
static double end_time(const Room *room) {
  double patience = room->host.patience;
  if (room->shown)
    return room->watchers.count ? INFINITY : room->life + patience;
  if (room->activity == MASTER_OVER)
    return fmax(room->life, room->over_since) + patience / 2;
  if (room->activity == MASTER_BUSY && room->watchers.count) return INFINITY;
  return room->life + patience;
}

bool room_is_over(const Room *room) {
  return clock_now() >= end_time(room);
}

double room_spare(const Room *room) {
  if (room->watchers.count) return INFINITY;
  if (room->activity == MASTER_OVER) return fmax(room->life, room->over_since);
  return room->life + room->host.patience / SPARE_PART;
}

void room_share(Room *room, uint32_t threads) {
  Text json = {0};
  if (room->gone) return;
  text_format(&json, "{\"threads\":%u}", threads);
  wire_try(room->wire.link, MASTER_THREADS, json.bytes, json.length);
  text_free(&json);
}

int room_file(const Room *room) {
  return room->gone ? -1 : room->process.link;
}

double room_due(const Room *room) {
  double due = end_time(room);
  if (!room->watchers.count) return due;
  due = fmin(due, room->beat);
  if (room->dirty) due = fmin(due, room->next_live);
  if (!room->counted) due = fmin(due, room->next_count);
  return due;
}

static void tell_thought(Room *room, double now) {
  if (!room->dirty || now < room->next_live) return;
  uint32_t role = (uint32_t)__builtin_ctzll(room->dirty);
  room->dirty &= room->dirty - 1;
  room->next_live = now + live_pause;
  tell(room, "live", &room->live.data[role], true);
}

static void tell_count(Room *room, double now) {
  Text json = {0};
  if (room->counted || now < room->next_count) return;
  room->counted = true;
  room->next_count = now + count_pause;
  if (room->activity == MASTER_BUSY) room->life = now;
  text_format(&json, "{\"count\":%u}", room->watchers.count);
  tell(room, "watchers", &json, false);
  text_free(&json);
}

/* A comment, by which dead connections are noticed. */
static void beat(Room *room, double now) {
  static const char sign[] = ": here\n\n";
  Text text = {0};
  if (now < room->beat) return;
  room->beat = now + beat_pause;
  text_add(&text, sign);
  send_all(room, &text, true);
  text_free(&text);
}

void room_tick(Room *room) {
  double now = clock_now();
  tell_thought(room, now);
  tell_count(room, now);
  beat(room, now);
}

void room_reaped(Room *room, pid_t pid) {
  if (room->process.pid == pid) room->process.reaped = true;
}
