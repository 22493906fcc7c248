/* POST check: what is wrong with a text that somebody writes. Places are also
   given in UTF-16 units, as scripts count: a character beyond the first 65536,
   four bytes of UTF-8, is two of them, every other one is one.

   Of a diagnostic only the place is known; what is marked is the token there
   or, where a form begins, that form as far as it is on the same line. */
#include <string.h>

#include "about/catalogue.h"
#include "about/inspect.h"
#include "web/works_load.h"

enum {
  CHECK_SECONDS = 15, /* until the process is killed */
  GAMES = 10,         /* random ones */
  STEPS = 1000
};

static const double load_seconds = 6, play_seconds = 1;

/* ---- places ---- */

/* Places are asked in order: the last one is remembered. */
typedef struct Ruler {
  const char *text;
  uint32_t at;    /* bytes, and */
  uint32_t units; /* as many units */
} Ruler;

static uint32_t count_units(const char *text, uint32_t from, uint32_t to) {
  uint32_t units = 0;
  for (uint32_t i = from; i < to; i++)
    units += ((unsigned char)text[i] & 0xc0) == 0x80   ? 0
             : ((unsigned char)text[i] & 0xf8) == 0xf0 ? 2
                                                       : 1;
  return units;
}

static uint32_t measure(Ruler *ruler, uint32_t offset) {
  if (offset < ruler->at) ruler->at = ruler->units = 0;
  ruler->units += count_units(ruler->text, ruler->at, offset);
  ruler->at = offset;
  return ruler->units;
}

/* The end of the form that begins here, or of the line. */
static uint32_t form_end(const Source *source, uint32_t at) {
  uint32_t depth = 0;
  for (; at < source->length && !strchr("\r\n;", source->text[at]); at++) {
    if (source->text[at] == '(') depth++;
    if (source->text[at] == ')' && --depth == 0) return at + 1;
  }
  return at;
}

static uint32_t marked_end(const Source *source, uint32_t at) {
  uint32_t end = at;
  if (at >= source->length) return at;
  if (source->text[at] == '(') return form_end(source, at);
  while (end < source->length && !strchr(" \t\r\n();", source->text[end]))
    end++;
  return end > at ? end : at + 1;
}

static json_t *diagnostics_json(Report *report) {
  const Source *source = report->source;
  Ruler ruler = {.text = source->text};
  json_t *list = json_array();
  report_sort(report);
  for (uint32_t i = 0; i < report->list.count; i++) {
    const Diagnostic *d = &report->list.data[i];
    Place place = source_place(source, d->offset);
    uint32_t end = marked_end(source, d->offset);
    json_array_append_new(
        list, json_pack("{s:s, s:i, s:i, s:i, s:i, s:s, s:o}", "severity",
                        d->severity == ERROR ? "error" : "warning", "line",
                        (int)place.line, "column", (int)place.column, "offset",
                        (int)measure(&ruler, d->offset), "length",
                        (int)count_units(source->text, d->offset, end), "id",
                        d->id, "message", json_plain(d->message)));
  }
  return list;
}

/* ---- the work ---- */

static void play(WorksGame *loaded) {
  inspect_play(loaded->game, &(InspectOptions){.games = GAMES,
                                               .seconds = play_seconds,
                                               .steps = STEPS,
                                               .seed = 1});
  if (!game_failed(loaded->game)) game_reset(loaded->game);
}

static void add_boards(json_t *made, WorksGame *loaded) {
  uint32_t length;
  Game *game = loaded->game;
  const char *kind = works_kind(game, &length);
  Scene *scene = scene_new(&loaded->book);
  json_t *state = scene_state(scene, game, NULL, 0);
  json_object_set_new(made, "roles", works_roles(game));
  json_object_set_new(made, "kind", json_string(kind));
  json_object_set_new(made, "scene", scene_json(scene));
  json_object_set_new(made, "state", state);
  scene_delete(scene);
}

static json_t *title_json(const Text *rules) {
  Text title = {0};
  catalogue_name(text_string(rules), "", &title);
  json_t *made = title.length ? json_plain(title.bytes) : json_null();
  text_free(&title);
  return made;
}

static json_t *check(const WebSettings *settings, const Text *rules) {
  static const char *const members[] = {"title", "roles", "kind", "scene",
                                        "state"};
  WorksGame loaded;
  works_load(&loaded, settings, "rules", rules, load_seconds);
  Report *report = &loaded.description.report;
  if (loaded.game) play(&loaded);
  json_t *made =
      json_pack("{s:b, s:i, s:i, s:o}", "valid", (int)(report->errors == 0),
                "errors", (int)report->errors, "warnings",
                (int)report->warnings, "diagnostics", diagnostics_json(report));
  for (size_t i = 0; i < sizeof members / sizeof *members; i++)
    json_object_set_new(made, members[i], json_null());
  if (!report->errors && loaded.game && !game_failed(loaded.game)) {
    json_object_set_new(made, "title", title_json(rules));
    add_boards(made, &loaded);
  }
  works_unload(&loaded);
  return made;
}

static void work_check(const TaskCall *call, TaskReply *reply) {
  const WebSettings *settings = call->context;
  json_error_t error;
  json_t *body = json_loadb(call->body, call->body_length, 0, &error);
  json_t *given = json_object_get(body, "rules");
  Text rules = {0};
  if (!json_is_string(given)) {
    task_fail(reply, 400, "The body has to be {\"rules\": \"…\"}.");
  } else if (json_string_length(given) > settings->rules) {
    task_fail(reply, 413, "Rules may have %zu bytes at most.", settings->rules);
  } else {
    text_add_bytes(&rules, json_string_value(given), json_string_length(given));
    task_reply_json(reply, check(settings, &rules));
  }
  text_free(&rules);
  json_decref(body);
}

const TaskKind works_check = {
    .work = work_check, .seconds = CHECK_SECONDS, .keep = 60};
