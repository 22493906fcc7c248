/* Matches of the page: a list of rooms, and what clients ask of them. Commands
   are passed on as they came, once they are known to be JSON. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "web/begin.h"
#include "web/web_parts.h"
#include "web/works.h"

enum {
  STREAMS = 160, /* of all rooms together */
  PART = 4       /* a client from outside may have 1 / PART of all rooms */
};

/* ---- the list ---- */

Room *web_find_room(const Web *web, const char *id) {
  for (uint32_t i = 0; i < web->rooms.count; i++)
    if (strcmp(room_id(web->rooms.data[i].room), id) == 0)
      return web->rooms.data[i].room;
  return NULL;
}

/* Answers with 404 if there is none. */
static Room *get(Web *web, HttpRequest *request, const char *id) {
  Room *room = web_find_room(web, id);
  if (!room) room = web_open_seat(web, id);
  if (!room)
    web_fail(request, 404,
             "There is no such match: it may have ended some time ago.");
  return room;
}

static void remove_at(Web *web, uint32_t at) {
  room_delete(web->rooms.data[at].room);
  web->rooms.data[at] = web->rooms.data[--web->rooms.count];
}

/* Rooms that were begun here by the client, or (0) by anybody. */
static uint32_t count_of(const Web *web, uint64_t network) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < web->rooms.count; i++)
    count += network ? web->rooms.data[i].network == network
                     : web->rooms.data[i].network != 0;
  return count;
}

/* Ends the match of the client, or of anybody, that has been of no use for the
   longest time. Returns false if all are of use. */
static bool end_spare(Web *web, uint64_t network) {
  uint32_t found = UINT32_MAX;
  double first = clock_now();
  for (uint32_t i = 0; i < web->rooms.count; i++) {
    const WebRoom *each = &web->rooms.data[i];
    double spare = room_spare(each->room);
    if (!each->network || (network && each->network != network) ||
        spare > first)
      continue;
    first = spare;
    found = i;
  }
  if (found == UINT32_MAX) return false;
  remove_at(web, found);
  return true;
}

static bool is_full(Web *web, HttpRequest *request, uint64_t network) {
  uint32_t most = web->settings->matches;
  uint32_t part = web->token.length ? (most + PART - 1) / PART : most;
  if (count_of(web, 0) >= most && !end_spare(web, 0))
    web_fail(request, 429,
             "%u matches are running, and no more are allowed: try again when "
             "one of them has ended.",
             most);
  else if (count_of(web, network) >= part && !end_spare(web, network))
    web_fail(request, 429,
             "You have %u matches, and no more are allowed: end one of them.",
             part);
  else
    return false;
  return true;
}

/* ---- requests ---- */

void web_list_rooms(Web *web, HttpRequest *request, const char *name,
                    const Text *body) {
  (void)name, (void)body;
  Text json = {0};
  text_add(&json, "{\"matches\":[");
  for (uint32_t i = 0; i < web->rooms.count; i++) {
    if (i) text_add_byte(&json, ',');
    room_write_brief(web->rooms.data[i].room, &json);
  }
  web_list_seats(web, web->rooms.count ? "," : "", &json);
  text_add(&json, "]}");
  web_answer_text(request, 200, &json);
  text_free(&json);
}

void web_begin_room(Web *web, HttpRequest *request, const char *name,
                    const Text *body) {
  (void)name;
  WebRoom made = {.network = rate_network(http_peer(request))};
  Begin begin;
  if (is_full(web, request, made.network)) return;
  if (!begin_read(&begin, web->settings, text_string(body), body->length)) {
    web_fail(request, begin.status, "%s", text_string(&begin.error));
  } else {
    begin.plan.threads = web->threads;
    made.room = room_new(&web->host, &begin.plan);
    if (made.room) {
      vector_push(&web->rooms, made);
      web_answer(request, 201, json_pack("{s:s}", "id", room_id(made.room)));
    } else {
      web_fail(request, 503, "The system refuses another process.");
    }
  }
  begin_free(&begin);
}

void web_show_room(Web *web, HttpRequest *request, const char *name,
                   const Text *body) {
  (void)body;
  Text json = {0};
  Room *room = get(web, request, name);
  if (!room) return;
  room_write(room, &json);
  web_answer_text(request, 200, &json);
  text_free(&json);
}

void web_watch_room(Web *web, HttpRequest *request, const char *name,
                    const Text *body) {
  (void)body;
  Room *room = get(web, request, name);
  if (!room) return;
  if (http_streams(web->http) >= STREAMS || !room_watch(room, request))
    web_fail(request, 503, "Too many people are watching: try again later.");
}

/* A task draws the match as it is now. */
void web_view_room(Web *web, HttpRequest *request, const char *name,
                   const Text *body) {
  (void)body;
  Text json = {0};
  Room *room = get(web, request, name);
  if (!room) return;
  room_write(room, &json);
  web_ask(web, request, &works_view, &json);
  text_free(&json);
}

static void command(Web *web, HttpRequest *request, const char *name,
                    const Text *body, char kind) {
  const char *why = "";
  Room *room = get(web, request, name);
  if (!room) return;
  json_t *value = json_loadb(text_string(body), body->length, 0, NULL);
  if (!json_is_object(value))
    web_fail(request, 400, "The request is not a JSON object.");
  else if (room_command(room, kind, text_string(body), body->length, &why))
    web_answer(request, 200, json_object());
  else
    web_fail(request, 409, "%s", why);
  json_decref(value);
}

void web_move(Web *web, HttpRequest *request, const char *name,
              const Text *body) {
  command(web, request, name, body, MASTER_MOVE);
}

void web_undo(Web *web, HttpRequest *request, const char *name,
              const Text *body) {
  command(web, request, name, body, MASTER_UNDO);
}

void web_hint(Web *web, HttpRequest *request, const char *name,
              const Text *body) {
  command(web, request, name, body, MASTER_HINT);
}

void web_resign(Web *web, HttpRequest *request, const char *name,
                const Text *body) {
  command(web, request, name, body, MASTER_RESIGN);
}

void web_end_room(Web *web, HttpRequest *request, const char *name,
                  const Text *body) {
  (void)body;
  const Room *room = get(web, request, name);
  if (!room) return;
  for (uint32_t i = 0; i < web->rooms.count; i++)
    if (web->rooms.data[i].room == room) {
      remove_at(web, i);
      break;
    }
  web_answer(request, 200, json_object());
}

/* ---- the loop ---- */

void web_tick_rooms(Web *web) {
  for (uint32_t i = web->rooms.count; i-- > 0;) {
    Room *room = web->rooms.data[i].room;
    room_read(room);
    room_tick(room);
    if (room_is_over(room)) remove_at(web, i);
  }
}

double web_rooms_due(const Web *web) {
  double due = INFINITY;
  for (uint32_t i = 0; i < web->rooms.count; i++)
    due = fmin(due, room_due(web->rooms.data[i].room));
  return due;
}

uint32_t web_rooms_active(const Web *web) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < web->rooms.count; i++)
    count += room_is_active(web->rooms.data[i].room);
  return count;
}

void web_end_rooms(Web *web) {
  while (web->rooms.count) remove_at(web, web->rooms.count - 1);
  vector_free(&web->rooms);
}
