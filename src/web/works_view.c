/* A state by the game's stylesheet, for a frame of the page. The process gives
   up what it could do harm with before the stylesheet is read: it opens no
   further file or socket, writes no file and gets little memory. The answer is
   HTML that may run nothing and load nothing. */
#include <stdlib.h>

#include "web/stylesheet.h"
#include "web/works_replay.h"
#include "web/works_store.h"

enum { VIEW_SECONDS = 10, MEMORY = 256 << 20, WIDTH = 480 };

static const char policy[] =
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "frame-ancestors 'self'";

/* Returns the MATCH, or NULL with the reply set. */
static json_t *get_match(const TaskCall *call, TaskReply *reply) {
  const WebSettings *settings = call->context;
  Text part = {0}, json = {0}, error = {0};
  int64_t id = 0;
  json_t *match = NULL;
  if (call->body_length)
    return json_loadb(call->body, call->body_length, 0, NULL);
  works_store_part(call, 1, &part);
  Results *results = works_store_open(call, reply);
  if (results) {
    ReplayEnd end = works_store_number(text_string(&part), &id)
                        ? works_replay(results, id, settings, &json, &error)
                        : REPLAY_NONE;
    if (end == REPLAY_DONE)
      match = json_loadb(text_string(&json), json.length, 0, NULL);
    else if (end == REPLAY_NONE)
      task_fail(reply, 404, "There is no such match.");
    else
      task_fail(reply, 500, "The match cannot be shown: %s",
                text_string(&error));
    results_close(results);
  }
  text_free(&part);
  text_free(&json);
  text_free(&error);
  return match;
}

/* Returns the step that the path asks for, or -1. */
static int64_t get_step(const TaskCall *call, const json_t *match) {
  Text part = {0};
  works_store_part(call, 3, &part);
  const char *text = text_string(&part);
  int64_t step = -1;
  if (part.length && part.length < 9 &&
      strspn(text, "0123456789") == part.length)
    step = strtoll(text, NULL, 10);
  text_free(&part);
  size_t count = json_array_size(json_object_get(match, "steps"));
  return step < (int64_t)count ? step : -1;
}

static void render(const StylesheetKit *kit, const json_t *match, int64_t step,
                   TaskReply *reply) {
  Text xml = {0}, html = {0}, error = {0};
  stylesheet_write_state(kit, match, (uint32_t)step, &xml);
  if (stylesheet_render(kit, &xml, WIDTH, &html, &error)) {
    reply->type = "text/html; charset=utf-8";
    reply->policy = policy;
    text_add_bytes(&reply->body, html.bytes, html.length);
  } else {
    task_fail(reply, 500, "The stylesheet fails: %s", text_string(&error));
  }
  text_free(&xml);
  text_free(&html);
  text_free(&error);
}

static void work_view(const TaskCall *call, TaskReply *reply) {
  const WebSettings *settings = call->context;
  Text path = {0}, error = {0};
  StylesheetKit kit = {0};
  json_t *match = get_match(call, reply);
  if (!match) return;
  const json_t *head = json_object_get(match, "head");
  const char *name = json_string_value(json_object_get(head, "game"));
  int64_t step = get_step(call, match);
  if (step < 0)
    task_fail(reply, 404, "The match has no such step.");
  else if (!stylesheet_find(settings->stylesheet, &settings->games,
                            name ? name : "", &path))
    task_fail(reply, 404, "This game has no stylesheet.");
  else if (!stylesheet_read(&kit, path.bytes, &error))
    task_fail(reply, 500, "The stylesheet cannot be read: %s",
              text_string(&error));
  else {
    process_confine(MEMORY);
    render(&kit, match, step, reply);
  }
  json_decref(match);
  text_free(&path);
  stylesheet_free(&kit);
  text_free(&error);
}

const TaskKind works_view = {.work = work_view, .seconds = VIEW_SECONDS};
