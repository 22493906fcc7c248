/* Who answers what: a table of methods and patterns, in which * stands for a
   part of the path that is not empty. Whatever changes something must be
   permitted by the guard and, where other machines reach the server, by the
   token. */
#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "search/settings.h"
#include "web/token.h"
#include "web/web_parts.h"
#include "web/works.h"

typedef struct Route {
  HttpMethod method;
  const char *pattern; /* behind "api/" */
  WebHandler *handler;
  const TaskKind *task; /* if there is no handler */
  bool rules;           /* the body may have rules in it */
} Route;

/* ---- the server ---- */

static void add_agent(json_t *list, const char *name, const char *about) {
  json_array_append_new(
      list, json_pack("{s:o, s:s}", "name", json_plain(name), "about", about));
}

/* The one that is offered first comes first. */
static json_t *describe_agents(const char *first) {
  json_t *list = json_array();
  for (int other = 0; other < 2; other++)
    for (uint32_t i = preset_count; i-- > 0;)
      if ((strcmp(presets[i].name, first) != 0) == other)
        add_agent(list, presets[i].name, presets[i].help);
  add_agent(list, "random", "moves at random");
  add_agent(list, "legal", "plays its first legal move");
  return list;
}

static void tell_server(Web *web, HttpRequest *request, const char *name,
                        const Text *body) {
  (void)name, (void)body;
  const WebSettings *settings = web->settings;
  json_t *limits = json_pack(
      "{s:I, s:I, s:f, s:f}", "matches", (json_int_t)settings->matches, "rules",
      (json_int_t)settings->rules, "play", settings->longest_play, "start",
      settings->longest_start);
  json_t *defaults =
      json_pack("{s:o, s:f, s:f}", "agent", json_plain(settings->agent),
                "start", 1.0, "play", 2.0);
  web_answer(request, 200,
             json_pack("{s:o, s:o, s:o, s:b, s:o, s:o, s:o}", "name",
                       json_plain(settings->name), "version",
                       json_plain(settings->version), "url",
                       json_plain(http_url(web->http)), "token",
                       (int)(web->token.length > 0), "limits", limits,
                       "defaults", defaults, "agents",
                       describe_agents(settings->agent)));
}

/* ---- the table ---- */

static const Route routes[] = {
    {.pattern = "server", .handler = tell_server},
    {.pattern = "games", .task = &works_games},
    {.pattern = "games/*", .task = &works_game},
    {.pattern = "games/*/rules", .task = &works_rules},
    {HTTP_POST, "check", .task = &works_check, .rules = true},
    {.pattern = "matches", .handler = web_list_rooms},
    {HTTP_POST, "matches", .handler = web_begin_room, .rules = true},
    {.pattern = "matches/*", .handler = web_show_room},
    {HTTP_DELETE, "matches/*", .handler = web_end_room},
    {.pattern = "matches/*/events", .handler = web_watch_room},
    {.pattern = "matches/*/steps/*/view", .handler = web_view_room},
    {HTTP_POST, "matches/*/move", .handler = web_move},
    {HTTP_POST, "matches/*/undo", .handler = web_undo},
    {HTTP_POST, "matches/*/hint", .handler = web_hint},
    {HTTP_POST, "matches/*/resign", .handler = web_resign},
    {.pattern = "records", .task = &works_records},
    {.pattern = "records/*", .task = &works_record},
    {.pattern = "records/*/steps/*/view", .task = &works_view},
    {.pattern = "tours", .task = &works_tours},
    {.pattern = "tours/*", .task = &works_tour},
    {.pattern = "tours/*/*.svg", .task = &works_tour_chart},
    {.pattern = "lab", .task = &works_lab},
    {.pattern = "lab/*", .task = &works_lab_table},
    {.pattern = "lab/*/*.svg", .task = &works_lab_chart},
    {.pattern = "players", .task = &works_players},
    {HTTP_POST, "ping", .task = &works_ping}};

static const char *behind(const char *path) {
  path += strlen("api");
  return path + (*path == '/');
}

/* Sets `name` to what stands for the first *. */
static bool matches(const char *pattern, const char *path, Text *name) {
  text_clear(name);
  for (; *pattern; pattern++) {
    if (*pattern != '*') {
      if (*pattern != *path++) return false;
      continue;
    }
    /* what follows the * up to a slash is an ending */
    size_t length = strcspn(path, "/"), ending = strcspn(pattern + 1, "/");
    if (length <= ending) return false;
    if (!name->length) text_add_bytes(name, path, length - ending);
    path += length - ending;
  }
  return !*path;
}

bool web_has_rules(const char *path) {
  bool found = false;
  Text name = {0};
  for (size_t i = 0; i < sizeof routes / sizeof *routes; i++)
    found |= routes[i].rules && matches(routes[i].pattern, behind(path), &name);
  text_free(&name);
  return found;
}

static const char *ask_query(const void *request, const char *name) {
  return http_query(request, name);
}

/* Questions are the same if their paths, parameters and bodies are. */
static void write_key(const HttpRequest *request, const Text *body, Text *key) {
  const char *query = strchr(http_target(request), '?');
  text_format(key, "%s%s", http_path(request), query ? query : "");
  if (body->length)
    text_format(key, " %016" PRIx64, hash_bytes(body->bytes, body->length));
}

void web_ask(Web *web, HttpRequest *request, const TaskKind *kind,
             const Text *body) {
  Text key = {0};
  TaskCall call = {.path = behind(http_path(request)),
                   .body = text_string(body),
                   .body_length = body->length,
                   .query = ask_query,
                   .request = request,
                   .context = web->settings};
  if (kind->keep > 0) write_key(request, body, &key);
  tasks_add(web->tasks, kind, key.length ? key.bytes : NULL, &call, request);
  text_free(&key);
}

static void write_methods(const char *path, Text *list) {
  static const char *const names[] = {
      [HTTP_GET] = "GET", [HTTP_POST] = "POST", [HTTP_DELETE] = "DELETE"};
  Text name = {0};
  for (size_t i = 0; i < sizeof routes / sizeof *routes; i++)
    if (matches(routes[i].pattern, path, &name))
      text_format(list, "%s%s", list->length ? ", " : "",
                  names[routes[i].method]);
  text_free(&name);
}

static void refuse_method(HttpRequest *request, const char *path) {
  Text methods = {0};
  write_methods(path, &methods);
  if (methods.length)
    web_fail_with(request, 405, "Allow", text_string(&methods),
                  "This is not asked in this way.");
  else
    web_fail(request, 404, "There is nothing here.");
  text_free(&methods);
}

/* Returns false, with an answer, if the request may not be carried out. */
static bool permit(Web *web, HttpRequest *request) {
  bool acts = http_method(request) != HTTP_GET;
  const char *why;
  if (acts && !http_may_act(request, &why))
    web_fail(request, 403, "%s", why);
  else if (!rate_take(&web->rate, http_peer(request),
                      acts ? RATE_ACT : RATE_LOOK, clock_now()))
    web_fail(request, 429, "That was too much at once: wait a moment.");
  else if (acts && web->token.length &&
           !token_matches(text_string(&web->token),
                          http_header(request, "Authorization")))
    web_fail_with(request, 401, "WWW-Authenticate", "Bearer",
                  "A token is required here: open the address that the server "
                  "printed when it started.");
  else
    return true;
  return false;
}

void web_route(Web *web, HttpRequest *request, Text *body) {
  const char *path = behind(http_path(request));
  const Route *found = NULL;
  Text name = {0};
  for (size_t i = 0; i < sizeof routes / sizeof *routes && !found; i++)
    if (routes[i].method == http_method(request) &&
        matches(routes[i].pattern, path, &name))
      found = &routes[i];
  if (!found)
    refuse_method(request, path);
  else if (permit(web, request)) {
    if (found->handler)
      found->handler(web, request, text_string(&name), body);
    else
      web_ask(web, request, found->task, body);
  }
  text_free(&name);
}
