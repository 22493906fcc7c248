/* The library of games. The list is made of what the files say by themselves,
   with previews that are known; those that are not are wanted, in the order of
   the list.

   The order: a directory may have a file gallery.txt with a name in each line;
   these come first. The others follow, directory by directory, by their
   names. */
#include <string.h>
#include <strings.h>

#include "about/catalogue.h"
#include "web/stylesheet.h"
#include "web/works_preview.h"

enum { GALLERY_LARGEST = 1 << 16, GAME_SECONDS = 40 };

static const double time_share = 0.4; /* until it is killed, for loading */

/* ---- names in order ---- */

static bool contains(const TextVector *names, const char *name) {
  for (uint32_t i = 0; i < names->count; i++)
    if (strcmp(names->data[i].bytes, name) == 0) return true;
  return false;
}

static void add_name(TextVector *names, const char *name) {
  Text own = {0};
  if (!*name || contains(names, name)) return;
  text_add(&own, name);
  vector_push(names, own);
}

/* Adds those names of the directory's gallery that it has. */
static void add_gallery(const char *directory, const TextVector *there,
                        TextVector *names) {
  Text path = {0}, text = {0}, error = {0};
  char *rest = NULL;
  text_format(&path, "%s/gallery.txt", directory);
  if (text_read_file(&text, path.bytes, GALLERY_LARGEST, &error) && text.length)
    for (char *line = strtok_r(text.bytes, "\r\n", &rest); line;
         line = strtok_r(NULL, "\r\n", &rest))
      if (contains(there, line)) add_name(names, line);
  text_free(&path);
  text_free(&text);
  text_free(&error);
}

static void list_games(const TextVector *directories, TextVector *names) {
  for (int listed = 1; listed >= 0; listed--)
    for (uint32_t i = 0; i < directories->count; i++) {
      const char *directory = directories->data[i].bytes;
      TextVector there = {0};
      catalogue_names(directory, ".kif", &there);
      if (listed)
        add_gallery(directory, &there, names);
      else
        for (uint32_t j = 0; j < there.count; j++)
          add_name(names, there.data[j].bytes);
      text_vector_free(&there);
    }
}

/* ---- one game ---- */

static json_t *text_json(const Text *text) {
  return json_plain(text_string(text));
}

static json_t *list_json(const TextVector *list) {
  json_t *made = json_array();
  for (uint32_t i = 0; i < list->count; i++)
    json_array_append_new(made, text_json(&list->data[i]));
  return made;
}

/* A copy of a member of the preview, or null. */
static json_t *member(json_t *preview, const char *name) {
  json_t *value = json_object_get(preview, name);
  return value ? json_incref(value) : json_null();
}

/* What a list shows of rules that are not valid. */
static json_t *empty_scene(void) {
  return json_pack("{s:[], s:[]}", "boards", "pieces");
}

static json_t *roles_json(json_t *preview, const Text *rules) {
  TextVector roles = {0};
  json_t *known = json_object_get(preview, "roles");
  if (known) return json_incref(known);
  catalogue_roles(rules, &roles);
  json_t *made = list_json(&roles);
  text_vector_free(&roles);
  return made;
}

static json_t *kind_json(json_t *preview, const json_t *roles) {
  if (json_object_get(preview, "kind")) return member(preview, "kind");
  return json_array_size(roles) == 1 ? json_string("puzzle") : json_null();
}

/* What the list says of a game and what one game says, alike. */
static json_t *begin_game(const WorksFile *file, json_t *preview) {
  Text title = {0};
  const char *name = text_string(&file->name);
  catalogue_name(text_string(&file->rules), name, &title);
  json_t *roles = roles_json(preview, &file->rules);
  json_t *kind = kind_json(preview, roles);
  json_t *made =
      json_pack("{s:o, s:o, s:o, s:o}", "name", json_plain(name), "title",
                text_json(&title), "roles", roles, "kind", kind);
  text_free(&title);
  return made;
}

static json_t *summary_json(const TextVector *words) {
  Text about = {0};
  catalogue_summary(words, &about);
  json_t *made = text_json(&about);
  text_free(&about);
  return made;
}

/* ---- the list ---- */

static json_t *list_game(const TaskCall *call, TaskReply *reply,
                         const WorksFile *file, int *making) {
  Text key = {0};
  TextVector words = {0};
  works_preview_key(PREVIEW_BOARDS, call->context, &file->rules, &key);
  json_t *preview = works_preview_known(call, key.bytes);
  json_t *made = begin_game(file, preview);
  bool failed = preview && !json_object_get(preview, "scene");
  catalogue_words(text_string(&file->rules), text_string(&file->name), &words);
  json_object_set_new(made, "about", summary_json(&words));
  json_object_set_new(made, "scene",
                      failed ? empty_scene() : member(preview, "scene"));
  json_object_set_new(made, "state", member(preview, "state"));
  json_object_set_new(made, "moves", member(preview, "moves"));
  if (!preview) {
    works_preview_want(reply, key.bytes, text_string(&file->name));
    ++*making;
  }
  json_decref(preview);
  text_vector_free(&words);
  text_free(&key);
  return made;
}

static void work_games(const TaskCall *call, TaskReply *reply) {
  const WebSettings *settings = call->context;
  TextVector names = {0};
  json_t *list = json_array();
  int making = 0;
  list_games(&settings->games, &names);
  for (uint32_t i = 0; i < names.count; i++) {
    WorksFile file;
    Text path = {0};
    TaskReply none = {0};
    text_format(&path, "games/%s", names.data[i].bytes);
    const TaskCall one = {.path = path.bytes, .context = settings};
    if (works_read(&one, &none, &file)) {
      json_array_append_new(list, list_game(call, reply, &file, &making));
      works_file_free(&file);
    }
    text_free(&none.body);
    text_free(&path);
  }
  text_vector_free(&names);
  task_reply_json(reply,
                  json_pack("{s:o, s:i}", "games", list, "making", making));
}

const TaskKind works_games = {
    .work = work_games, .seconds = 20, .keep = 0.5, .next = &works_boards};

/* ---- one ---- */

/* The facts, or null, and then they are wanted. */
static json_t *facts_json(const TaskCall *call, TaskReply *reply,
                          const WorksFile *file) {
  Text key = {0};
  works_preview_key(PREVIEW_FACTS, call->context, &file->rules, &key);
  json_t *facts = works_preview_known(call, key.bytes);
  if (!facts) works_preview_want(reply, key.bytes, text_string(&file->name));
  text_free(&key);
  return facts ? facts : json_null();
}

static void work_game(const TaskCall *call, TaskReply *reply) {
  const WebSettings *settings = call->context;
  WorksFile file;
  TextVector words = {0};
  Text sheet = {0};
  if (!works_read(call, reply, &file)) return;
  json_t *preview = works_preview_boards(
      call, text_string(&file.name), &file.rules, time_share * GAME_SECONDS);
  json_t *made = begin_game(&file, preview);
  catalogue_words(text_string(&file.rules), text_string(&file.name), &words);
  json_object_set_new(made, "about", summary_json(&words));
  json_object_set_new(made, "words", list_json(&words));
  json_object_set_new(made, "rules", text_json(&file.rules));
  json_object_set_new(made, "scene", member(preview, "scene"));
  json_object_set_new(made, "state", member(preview, "start"));
  json_object_set_new(made, "error", member(preview, "failed"));
  json_object_set_new(
      made, "stylesheet",
      json_boolean(stylesheet_find(settings->stylesheet, &settings->games,
                                   text_string(&file.name), &sheet)));
  json_object_set_new(made, "facts", facts_json(call, reply, &file));
  task_reply_json(reply, made);
  json_decref(preview);
  text_vector_free(&words);
  text_free(&sheet);
  works_file_free(&file);
}

const TaskKind works_game = {.work = work_game,
                             .seconds = GAME_SECONDS,
                             .keep = 1,
                             .next = &works_facts};

static void work_rules(const TaskCall *call, TaskReply *reply) {
  WorksFile file;
  if (!works_read(call, reply, &file)) return;
  reply->type = "text/plain; charset=utf-8";
  text_add_bytes(&reply->body, text_string(&file.rules), file.rules.length);
  works_file_free(&file);
}

const TaskKind works_rules = {.work = work_rules, .seconds = 10, .keep = 1};
