/* Who answers what: a table of methods and patterns, in which * stands for a
   part of the path that is not empty. Whatever changes something must be
   permitted by the guard and, where other machines reach the server, by the
   token. */
#include <string.h>

#include "base/clock.h"
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

static json_t *describe_agents(void) {
  static const char *const others[][2] = {
      {"random", "moves at random"}, {"legal", "plays its first legal move"}};
  json_t *list = json_array();
  for (uint32_t i = preset_count; i-- > 0;)
    json_array_append_new(list, json_pack("{s:s, s:s}", "name", presets[i].name,
                                          "about", presets[i].help));
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    json_array_append_new(list, json_pack("{s:s, s:s}", "name", others[i][0],
                                          "about", others[i][1]));
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
                       "defaults", defaults, "agents", describe_agents()));
}

/* ---- the table ---- */

static const Route routes[] = {
    {.pattern = "server", .handler = tell_server},
    {.pattern = "records", .task = &works_records},
    {.pattern = "tours", .task = &works_tours},
    {.pattern = "tours/*", .task = &works_tour},
    {.pattern = "tours/*/*.svg", .task = &works_tour_chart},
    {.pattern = "lab", .task = &works_lab},
    {.pattern = "lab/*", .task = &works_lab_table},
    {.pattern = "lab/*/*.svg", .task = &works_lab_chart},
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

/* Answers to questions without parameters may be kept. */
void web_ask(Web *web, HttpRequest *request, const TaskKind *kind,
             const Text *body) {
  bool kept = kind->keep > 0 && http_method(request) == HTTP_GET &&
              !body->length && !http_has_query(request);
  TaskCall call = {.path = behind(http_path(request)),
                   .body = text_string(body),
                   .body_length = body->length,
                   .query = ask_query,
                   .request = request,
                   .context = web->settings};
  tasks_add(web->tasks, kind, kept ? call.path : NULL, &call, request);
}

static void refuse_method(HttpRequest *request, HttpMethod only) {
  static const char *const names[] = {
      [HTTP_GET] = "GET", [HTTP_POST] = "POST", [HTTP_DELETE] = "DELETE"};
  web_fail(request, 405, "This is asked by %s.", names[only]);
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
    web_fail(request, 401,
             "A token is required here: open the address that the server "
             "printed when it started.");
  else
    return true;
  return false;
}

void web_route(Web *web, HttpRequest *request, Text *body) {
  const char *path = behind(http_path(request));
  const Route *found = NULL, *other = NULL;
  Text name = {0};
  for (size_t i = 0; i < sizeof routes / sizeof *routes && !found; i++) {
    if (!matches(routes[i].pattern, path, &name)) continue;
    if (routes[i].method == http_method(request))
      found = &routes[i];
    else
      other = &routes[i];
  }
  if (!found && !other)
    web_fail(request, 404, "There is nothing here.");
  else if (!found)
    refuse_method(request, other->method);
  else if (!permit(web, request))
    ; /* answered */
  else if (found->handler)
    found->handler(web, request, text_string(&name), body);
  else
    web_ask(web, request, found->task, body);
  text_free(&name);
}
