/* Who answers what: a table of methods and patterns, in which * stands for a
   part of the path that is not empty. Whatever changes something must be
   permitted by the guard and, where other machines reach the server, by the
   token. */
#include <string.h>

#include "base/clock.h"
#include "search/settings.h"
#include "web/token.h"
#include "web/web_parts.h"

/* `name`: what stands for the first * of the pattern. */
typedef void Handler(Web *web, HttpRequest *request, const char *name,
                     const Text *body);

typedef struct Route {
  HttpMethod method;
  const char *pattern; /* behind "api/" */
  Handler *handler;
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

static const Route routes[] = {{HTTP_GET, "server", tell_server}};

/* Sets `name` to what stands for the first *. */
static bool matches(const char *pattern, const char *path, Text *name) {
  text_clear(name);
  for (; *pattern; pattern++) {
    size_t length = strcspn(path, "/");
    if (*pattern != '*') {
      if (*pattern != *path++) return false;
      continue;
    }
    if (!length) return false;
    if (!name->length) text_add_bytes(name, path, length);
    path += length;
  }
  return !*path;
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
  const char *path = http_path(request);
  const Route *found = NULL, *other = NULL;
  Text name = {0};
  path += strlen("api") + (path[strlen("api")] == '/');
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
  else if (permit(web, request))
    found->handler(web, request, text_string(&name), body);
  text_free(&name);
}
