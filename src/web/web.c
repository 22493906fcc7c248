/* The guest: requests are divided between the files of the page and the table
   of routes; everything that lives longer is asked in turn whether it has
   something to do. */
#include "web/web.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "web/site.h"
#include "web/token.h"
#include "web/web_parts.h"

enum { ESCAPED = 2 }; /* bytes of JSON for one of the rules */

/* ---- requests ---- */

static bool is_interface(const char *path) {
  return strncmp(path, "api", 3) == 0 && (path[3] == '/' || !path[3]);
}

/* Browsers ask for the icon unless a page names another one. */
static bool is_page(const char *path) {
  return site_has(path) || strcmp(path, "favicon.ico") == 0;
}

static size_t wants(void *context, const HttpRequest *request) {
  const Web *web = context;
  const char *path = http_path(request);
  if (is_interface(path))
    return WEB_COMMAND +
           (web_has_rules(path) ? ESCAPED * web->settings->rules : 0);
  return http_method(request) == HTTP_GET && is_page(path) ? WEB_COMMAND : 0;
}

static void take(void *context, HttpRequest *request, Text *body) {
  Web *web = context;
  const char *path = http_path(request);
  if (is_interface(path))
    web_route(web, request, body);
  else if (rate_take(&web->rate, http_peer(request), RATE_LOOK, clock_now()))
    site_answer(request, path);
  else
    web_fail(request, 429, "That was too much at once: wait a moment.");
}

static void refuse(void *context, HttpRequest *request, unsigned status,
                   const char *why) {
  (void)context;
  web_fail(request, status, "%s", why);
}

/* ---- the loop ---- */

/* An address for the browser: with a name where we listen at all addresses of
   the machine, or at the usual one. */
static void write_address(const Http *http, Text *address) {
  static const char *const ours[][2] = {{"//127.0.0.1:", "localhost"},
                                        {"//[::1]:", "localhost"},
                                        {"//0.0.0.0:", ""},
                                        {"//[::]:", ""}};
  char machine[256] = "";
  const char *url = http_url(http);
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
    if (!strstr(url, ours[i][0])) continue;
    const char *name = ours[i][1];
    if (!*name && gethostname(machine, sizeof machine - 1) == 0) name = machine;
    if (*name) text_format(address, "http://%s:%u/", name, http_port(http));
  }
  if (!address->length) text_add(address, url);
}

static void meet(void *context, const ServerSeats *seats) {
  ((Web *)context)->player = *seats;
}

static void begin(void *context, Http *http, bool open, int nice) {
  Web *web = context;
  Text address = {0};
  web->http = http;
  web->host = (RoomHost){.process = {web->settings->memory, nice},
                         .patience = web->settings->patience};
  web->tasks = tasks_new(&web->host.process);
  write_address(http, &address);
  if (!open) {
    printf("open %s in a browser\n", text_string(&address));
  } else {
    if (*web->settings->token)
      text_add(&web->token, web->settings->token);
    else
      token_make(&web->token);
    printf("open %s#token=%s in a browser; without the token one can only "
           "look\n",
           text_string(&address), text_string(&web->token));
  }
  text_free(&address);
}

static void list_files(void *context, void (*each)(void *to, int file),
                       void *to) {
  Web *web = context;
  tasks_files(web->tasks, each, to);
  for (uint32_t i = 0; i < web->rooms.count; i++)
    each(to, room_file(web->rooms.data[i].room));
}

static double due(void *context) {
  Web *web = context;
  return fmin(tasks_due(web->tasks),
              fmin(web_rooms_due(web), web_seats_due(web)));
}

static void tick(void *context) {
  Web *web = context;
  web_tick_seats(web);
  web_tick_rooms(web);
  tasks_tick(web->tasks);
}

static void reaped(void *context, pid_t pid) {
  Web *web = context;
  tasks_reaped(web->tasks, pid);
  for (uint32_t i = 0; i < web->rooms.count; i++)
    room_reaped(web->rooms.data[i].room, pid);
}

static uint32_t active(void *context) {
  return web_rooms_active(context);
}

static void share(void *context, uint32_t threads) {
  Web *web = context;
  web->threads = threads;
  for (uint32_t i = 0; i < web->rooms.count; i++)
    room_share(web->rooms.data[i].room, threads);
}

static void end(void *context) {
  Web *web = context;
  web_end_rooms(web);
  web_end_seats(web);
  tasks_delete(web->tasks);
}

/* ---- begin and end ---- */

Web *web_new(const WebSettings *settings) {
  Web *web = memory_new(sizeof *web);
  web->settings = settings;
  web->threads = 1;
  return web;
}

void web_delete(Web *web) {
  text_free(&web->token);
  memory_delete(web);
}

ServerGuest web_guest(Web *web) {
  return (ServerGuest){.context = web,
                       .begin = begin,
                       .meet = meet,
                       .wants = wants,
                       .take = take,
                       .refuse = refuse,
                       .files = list_files,
                       .due = due,
                       .tick = tick,
                       .reaped = reaped,
                       .active = active,
                       .share = share,
                       .end = end};
}
