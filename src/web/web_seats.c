/* Matches that our player plays for game masters. Each is in the list; one that
   somebody looks at gets a room, whose process makes the same moves again, at
   the lowest priority, so that the player's own processes lose nothing. The
   seat is only read: a few times a second its moves are compared with what the
   room was told. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "about/header.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "web/web_parts.h"

enum {
  SHOWN = 4,   /* rooms of this kind at once */
  NICEST = 19, /* as in setpriority(2) */
};

static const double look_pause = 0.1; /* seconds */
static const double patience = 60;    /* until a room without watchers goes */

/* Ids of game masters may be any text; ours are of the same form as others. */
static void write_id(const SeatView *seat, Text *id) {
  text_format(id, "p%016" PRIx64, hash_bytes(seat->id, strlen(seat->id)));
}

/* ---- the list ---- */

typedef struct Listing {
  const Web *web;
  const char *space;
  Text *json;
} Listing;

/* Rules of game masters seldom have a title. */
static void write_title(const SeatView *seat, Text *title) {
  header_title(text_string(seat->rules), title);
  if (!title->length) text_add(title, seat->id);
}

static json_t *title_json(const SeatView *seat) {
  Text title = {0};
  write_title(seat, &title);
  json_t *json = json_plain(text_string(&title));
  text_free(&title);
  return json;
}

static void list_seat(void *to, const SeatView *seat) {
  Listing *listing = to;
  Text id = {0};
  write_id(seat, &id);
  if (!web_find_room(listing->web, text_string(&id))) {
    const char *agent = listing->web->settings->agent;
    json_t *json = json_pack(
        "{s:s, s:s, s:i, s:f, s:n, s:o, s:[{s:o, s:s, s:s}], s:i, s:s}", "id",
        text_string(&id), "kind", "player", "watchers", 0, "age",
        clock_now() - seat->begun, "game", "title", title_json(seat), "roles",
        "name", json_plain(seat->role), "player", agent, "label", "Tafl",
        "step", (int)seat->history->count, "phase", "playing");
    text_add(listing->json, listing->space);
    json_add_text(json, JSON_COMPACT, listing->json);
    listing->space = ",";
    json_decref(json);
  }
  text_free(&id);
}

void web_list_seats(const Web *web, const char *space, Text *json) {
  Listing listing = {web, space, json};
  if (web->player.visit)
    web->player.visit(web->player.server, list_seat, &listing);
}

/* ---- rooms ---- */

typedef struct Search {
  Web *web;
  const char *id; /* of the room */
  Room *room;     /* that was made */
} Search;

static Room *make_room(Web *web, const char *id, const SeatView *seat) {
  AgentSpecs players = {0};
  AgentSpec spec;
  Text error = {0};
  RoomHost host = {.process = {web->settings->memory, NICEST},
                   .patience = patience};
  if (!spec_parse(&spec, web->settings->agent, &error)) {
    text_free(&error);
    return NULL;
  }
  vector_push(&players, spec);
  Text title = {0};
  write_title(seat, &title);
  MasterPlan plan = {.id = id,
                     .game = "",
                     .rules = text_string(seat->rules),
                     .rules_length = seat->rules->length,
                     .name = seat->id,
                     .title = text_string(&title),
                     .players = &players,
                     .role = seat->role,
                     .start = seat->start,
                     .play = seat->play,
                     .limits = web->settings->limits};
  Room *room = room_new(&host, &plan);
  spec_free_list(&players);
  text_free(&title);
  return room;
}

static void open_seat(void *to, const SeatView *seat) {
  Search *search = to;
  Web *web = search->web;
  WebSeat made = {0};
  write_id(seat, &made.id);
  if (!search->room && strcmp(text_string(&made.id), search->id) == 0)
    search->room = make_room(web, search->id, seat);
  else
    text_free(&made.id);
  if (!made.id.length) return;
  if (!search->room) {
    text_free(&made.id);
    return;
  }
  text_add(&made.match, seat->id);
  vector_push(&web->seats, made);
  vector_push(&web->rooms, ((WebRoom){.room = search->room}));
}

Room *web_open_seat(Web *web, const char *id) {
  Search search = {.web = web, .id = id};
  if (web->player.visit && web->seats.count < SHOWN)
    web->player.visit(web->player.server, open_seat, &search);
  return search.room;
}

/* ---- how they go on ---- */

typedef struct Feed {
  WebSeat *seat;
  Room *room;
  bool found;
} Feed;

static bool feed(Room *room, json_t *what) {
  bool sent = room_feed(room, what);
  json_decref(what);
  return sent;
}

static void feed_moves(const Feed *found, const SeatView *view) {
  WebSeat *seat = found->seat;
  const TextVector *history = view->history;
  if (history->count < seat->fed &&
      feed(found->room, json_pack("{s:i}", "back", (int)history->count)))
    seat->fed = history->count;
  while (seat->fed < history->count) {
    json_t *moves = json_plain(text_string(&history->data[seat->fed]));
    if (!feed(found->room, json_pack("{s:o}", "moves", moves))) break;
    seat->fed++;
  }
}

/* Thoughts about an earlier state are of no use any more. */
static void feed_thoughts(const Feed *feed_to, const SeatView *view) {
  WebSeat *seat = feed_to->seat;
  if (seat->outlooks == view->outlooks || seat->fed != view->step) return;
  seat->outlooks = view->outlooks;
  feed(feed_to->room, json_pack("{s:o, s:i}", "outlook",
                                json_plain(text_string(view->outlook)), "step",
                                (int)view->step));
}

static void feed_all(void *to, const SeatView *view) {
  Feed *found = to;
  if (strcmp(view->id, text_string(&found->seat->match)) != 0) return;
  found->found = true;
  feed_moves(found, view);
  feed_thoughts(found, view);
}

static void follow(Web *web, WebSeat *seat, Room *room) {
  Feed found = {.seat = seat, .room = room};
  bool watched = room_watchers(room) > 0;
  if (seat->ended) return;
  if (watched != seat->watched)
    web->player.watch(web->player.server, text_string(&seat->match), watched);
  seat->watched = watched;
  web->player.visit(web->player.server, feed_all, &found);
  if (!found.found)
    seat->ended = feed(room, json_pack("{s:s}", "end", "The match has ended."));
}

static void forget(Web *web, uint32_t at) {
  if (web->seats.data[at].watched)
    web->player.watch(web->player.server,
                      text_string(&web->seats.data[at].match), false);
  text_free(&web->seats.data[at].id);
  text_free(&web->seats.data[at].match);
  web->seats.data[at] = vector_last(&web->seats);
  web->seats.count--;
}

void web_tick_seats(Web *web) {
  double now = clock_now();
  if (now < web->look) return;
  web->look = now + look_pause;
  for (uint32_t i = web->seats.count; i-- > 0;) {
    WebSeat *seat = &web->seats.data[i];
    Room *room = web_find_room(web, text_string(&seat->id));
    if (room)
      follow(web, seat, room);
    else
      forget(web, i);
  }
}

double web_seats_due(const Web *web) {
  return web->seats.count ? web->look : INFINITY;
}

void web_end_seats(Web *web) {
  while (web->seats.count) forget(web, web->seats.count - 1);
  vector_free(&web->seats);
}
