/* tafl games [WORD]: the games that can be named, directory by directory.
   Titles come from the comments at the beginning of the files, roles from their
   facts; the rules are not loaded. */
#include <stdio.h>
#include <string.h>

#include "about/catalogue.h"
#include "command/command.h"
#include "command/find.h"
#include "command/wrap.h"
#include "io/json.h"

enum { NAME_WIDEST = 24 }; /* columns; longer names push the rest aside */

typedef struct Listed {
  Text name, file, title;
  TextVector roles;
} Listed;

typedef struct Shelf {
  const char *directory;
  VECTOR(Listed) list;
  uint32_t hidden; /* games whose names are taken by directories before */
} Shelf;

/* ---- what a file says ---- */

static void read_game(const Options *options, const char *directory,
                      const char *name, Listed *game) {
  Text text = {0}, error = {0};
  *game = (Listed){0};
  text_add(&game->name, name);
  text_format(&game->file, "%s/%s.kif", directory, name);
  if (text_read_file(&text, game->file.bytes, (size_t)options->file_size << 20,
                     &error)) {
    catalogue_title(text_string(&text), name, &game->title);
    catalogue_roles(&text, &game->roles);
  } else {
    text_format(&game->title, "(%s)", text_string(&error));
  }
  text_free(&error);
  text_free(&text);
}

static void free_game(Listed *game) {
  text_free(&game->name);
  text_free(&game->file);
  text_free(&game->title);
  text_vector_free(&game->roles);
}

/* ---- directories ---- */

static bool contains(const TextVector *names, const char *name) {
  for (uint32_t i = 0; i < names->count; i++)
    if (strcmp(names->data[i].bytes, name) == 0) return true;
  return false;
}

/* Lists the games of a directory whose name or title contains the word; their
   names are added to `known`. */
static void fill(const Options *options, const char *word, TextVector *known,
                 Shelf *shelf) {
  TextVector names = {0};
  find_names(shelf->directory, &names);
  for (uint32_t i = 0; i < names.count; i++) {
    Listed game;
    if (contains(known, names.data[i].bytes)) {
      shelf->hidden++;
      continue;
    }
    read_game(options, shelf->directory, names.data[i].bytes, &game);
    if (strcasestr(game.name.bytes, word) ||
        strcasestr(text_string(&game.title), word))
      vector_push(&shelf->list, game);
    else
      free_game(&game);
  }
  for (uint32_t i = 0; i < names.count; i++) vector_push(known, names.data[i]);
  vector_free(&names);
}

/* ---- output ---- */

static void print_names(const Shelf *shelf) {
  for (uint32_t i = 0; i < shelf->list.count; i++)
    puts(shelf->list.data[i].name.bytes);
}

static void print_table(const Shelf *shelf, bool first) {
  if (!shelf->list.count) return;
  uint32_t width = 0;
  for (uint32_t i = 0; i < shelf->list.count; i++) {
    uint32_t own = wrap_columns(shelf->list.data[i].name.bytes);
    if (own > width) width = own;
  }
  if (width > NAME_WIDEST) width = NAME_WIDEST;
  Text out = {0};
  text_format(&out, "%s%s: %u game%s", first ? "" : "\n", shelf->directory,
              shelf->list.count, shelf->list.count == 1 ? "" : "s");
  if (shelf->hidden)
    text_format(&out, ", and %u of names that are above", shelf->hidden);
  text_add(&out, "\n\n  name");
  wrap_to(&out, 4 + width);
  text_add(&out, "players  title\n");
  for (uint32_t i = 0; i < shelf->list.count; i++) {
    const Listed *game = &shelf->list.data[i];
    text_format(&out, "  %s", game->name.bytes);
    wrap_to(&out, 4 + width);
    text_format(&out, "  %5u", game->roles.count);
    wrap_row(&out, "", text_string(&game->title), 13 + width);
  }
  fputs(out.bytes, stdout);
  text_free(&out);
}

static void add_json(const Shelf *shelf, json_t *list) {
  for (uint32_t i = 0; i < shelf->list.count; i++) {
    const Listed *game = &shelf->list.data[i];
    json_t *roles = json_array();
    for (uint32_t j = 0; j < game->roles.count; j++)
      json_array_append_new(roles, json_plain(game->roles.data[j].bytes));
    json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:o}", "name",
                                          json_plain(game->name.bytes), "title",
                                          json_plain(text_string(&game->title)),
                                          "roles", roles, "file",
                                          json_plain(game->file.bytes)));
  }
}

static uint32_t print(const Options *options, const char *word,
                      const TextVector *directories) {
  TextVector known = {0};
  json_t *list = json_array();
  uint32_t count = 0;
  for (uint32_t i = 0; i < directories->count; i++) {
    Shelf shelf = {.directory = directories->data[i].bytes};
    fill(options, word, &known, &shelf);
    if (options->json)
      add_json(&shelf, list);
    else if (options->names)
      print_names(&shelf);
    else
      print_table(&shelf, count == 0);
    count += shelf.list.count;
    for (uint32_t j = 0; j < shelf.list.count; j++)
      free_game(&shelf.list.data[j]);
    vector_free(&shelf.list);
  }
  if (options->json) {
    json_dumpf(list, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
    putchar('\n');
  }
  json_decref(list);
  text_vector_free(&known);
  return count;
}

int command_games(const Options *options) {
  if (options->argument_count > 1) {
    log_error("games takes at most one word that names or titles contain");
    return EXIT_USAGE;
  }
  const char *word = options->argument_count ? options->arguments[0] : "";
  TextVector directories = {0};
  find_directories(options, &directories);
  uint32_t count = print(options, word, &directories);
  if (!count) {
    Text where = {0};
    for (uint32_t i = 0; i < directories.count; i++)
      text_format(&where, "\n  %s", directories.data[i].bytes);
    log_error("no game%s%s%s; they were looked for in%s",
              *word ? " with '" : "", word,
              *word ? "' in its name or title" : "", text_string(&where));
    text_free(&where);
  }
  text_vector_free(&directories);
  return count ? EXIT_FINE : EXIT_NO;
}
