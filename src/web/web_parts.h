/* The inside of the page's server, for web.c (the guest), web_routes.c (who
   answers what) and web_answer.c (how). */
#ifndef TAFL_WEB_WEB_PARTS_H
#define TAFL_WEB_WEB_PARTS_H

#include "io/json.h"
#include "web/rate.h"
#include "web/room.h"
#include "web/tasks.h"
#include "web/web.h"

typedef struct WebRoom {
  Room *room;
  uint64_t network; /* of the client that began it */
} WebRoom;

/* A match that our player plays for a game master, and somebody looks at. */
typedef struct WebSeat {
  Text id;           /* of the room */
  Text match;        /* of the seat */
  uint32_t fed;      /* joint moves that the room knows */
  uint32_t outlooks; /* thoughts that it knows */
  bool ended, watched;
} WebSeat;

struct Web {
  const WebSettings *settings;
  Http *http;
  Text token;       /* "": none is needed */
  uint32_t threads; /* for each process that thinks */
  Rate rate;
  RoomHost host;
  VECTOR(WebRoom) rooms;
  ServerSeats player;    /* whose matches can be watched */
  VECTOR(WebSeat) seats; /* those for which there is a room */
  double look;           /* when to look again how they go on */
  TaskPool *tasks;
};

enum { WEB_COMMAND = 64 << 10 }; /* bytes of a body without rules */

/* ---- web_answer.c ---- */

/* Answers {"error": why}. */
void web_fail(HttpRequest *request, unsigned status, const char *format, ...)
    PRINTF_LIKE(3, 4);
/* The same with one more header. */
void web_fail_with(HttpRequest *request, unsigned status, const char *name,
                   const char *value, const char *why);
/* Answers with the value, which is released. */
void web_answer(HttpRequest *request, unsigned status, json_t *value);
void web_answer_text(HttpRequest *request, unsigned status, const Text *json);

/* ---- web_rooms.c ---- */

/* Answers a request; `name`: what stands for the first * of the route. */
typedef void WebHandler(Web *web, HttpRequest *request, const char *name,
                        const Text *body);
Room *web_find_room(const Web *web, const char *id); /* or NULL */
WebHandler web_list_rooms, web_begin_room, web_show_room, web_watch_room;
WebHandler web_view_room, web_move, web_undo, web_hint, web_resign;
WebHandler web_end_room;

void web_tick_rooms(Web *web);
double web_rooms_due(const Web *web);
uint32_t web_rooms_active(const Web *web);
void web_end_rooms(Web *web);

/* ---- web_seats.c ---- */

/* Appends what GET /api/matches says of those without a room; `space` comes
   before the first. */
void web_list_seats(const Web *web, const char *space, Text *json);
/* Makes a room for the seat with that id; returns NULL if there is none, or no
   more rooms are allowed. */
Room *web_open_seat(Web *web, const char *id);
/* Tells the rooms how the matches go on. */
void web_tick_seats(Web *web);
double web_seats_due(const Web *web);
void web_end_seats(Web *web);

/* ---- web_routes.c ---- */

/* Lets a task answer the request. */
void web_ask(Web *web, HttpRequest *request, const TaskKind *kind,
             const Text *body);
/* True if the body of a request to that path, behind "api/", may have rules in
   it. */
bool web_has_rules(const char *path);

/* Answers a request whose path begins with "api". */
void web_route(Web *web, HttpRequest *request, Text *body);

#endif
