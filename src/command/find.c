/* Two names are alike if they are equal once letters are small and hyphens,
   underscores, blanks and the ending are left out: their plain forms. */
#include "command/find.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "about/catalogue.h"
#include "base/similar.h"

enum { SUGGESTIONS = 3, PART_SHORTEST = 3 };

/* What is looked for: files with an ending in folders of a name. */
typedef struct Kind {
  const char *folder, *ending;
  const char *word, *list; /* in messages; the verb that lists them */
} Kind;

static const Kind games = {"games", ".kif", "game", "games"};
static const Kind tables = {"tables", ".json", "table", "lab list"};

static bool is_file(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool has_ending(const char *name, const char *ending) {
  size_t length = strlen(name), own = strlen(ending);
  return length > own && strcmp(name + length - own, ending) == 0;
}

/* ---- directories ---- */

/* Adds a directory, or the part of it up to `length`, unless it is there. */
static void add_directory(TextVector *list, const char *path, size_t length) {
  Text own = {0};
  text_add_bytes(&own, path, length);
  char *real = realpath(text_string(&own), NULL);
  bool known = length == 0;
  for (uint32_t i = 0; i < list->count && !known; i++) {
    char *other = realpath(list->data[i].bytes, NULL);
    known = strcmp(real && other ? other : list->data[i].bytes,
                   real && other ? real : own.bytes) == 0;
    free(other);
  }
  free(real);
  if (known)
    text_free(&own);
  else
    vector_push(list, own);
}

static void add_list(TextVector *list, const char *paths) {
  while (*paths) {
    size_t length = strcspn(paths, ":");
    add_directory(list, paths, length);
    paths += length + (paths[length] == ':');
  }
}

static void add_user(TextVector *list, const Kind *kind) {
  const char *given = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
  Text path = {0};
  if (given && *given == '/')
    text_format(&path, "%s/tafl/%s", given, kind->folder);
  else if (home && *home)
    text_format(&path, "%s/.local/share/tafl/%s", home, kind->folder);
  if (path.length) add_directory(list, path.bytes, path.length);
  text_free(&path);
}

/* Of PREFIX/bin/tafl it is PREFIX/share/tafl/FOLDER, of TREE/build/…/tafl it is
   TREE/FOLDER. */
static void add_own(TextVector *list, const Kind *kind) {
  char own[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
  if (length <= 0) return;
  own[length] = '\0';
  size_t prefix = (size_t)length, tree = 0;
  for (int up = 0; up < 2; up++)
    while (prefix && own[--prefix] != '/') continue;
  for (char *at = own; (at = strstr(at, "/build/")); at++)
    tree = (size_t)(at - own);
  Text path = {0};
  if (strncmp(own + prefix, "/bin/", 5) == 0)
    text_format(&path, "%.*s/share/tafl/%s", (int)prefix, own, kind->folder);
  else if (tree)
    text_format(&path, "%.*s/%s", (int)tree, own, kind->folder);
  if (path.length) add_directory(list, path.bytes, path.length);
  text_free(&path);
}

static void add_usual(TextVector *list, const Kind *kind) {
  add_list(list, kind->folder);
  add_user(list, kind);
  add_own(list, kind);
}

void find_directories(const Options *options, TextVector *list) {
  const char *given = getenv("TAFL_GAMES");
  if (*options->games_path)
    add_list(list, options->games_path);
  else if (given)
    add_list(list, given);
  add_usual(list, &games);
}

/* ---- names ---- */

void find_names(const char *directory, TextVector *names) {
  catalogue_names(directory, games.ending, names);
}

static void add_plain(Text *plain, const char *name, const Kind *kind) {
  size_t length = strlen(name);
  if (has_ending(name, kind->ending)) length -= strlen(kind->ending);
  for (size_t i = 0; i < length; i++)
    if (!strchr("-_ ", name[i]))
      text_add_byte(plain, (char)tolower((unsigned char)name[i]));
}

/* ---- a name's file ---- */

static bool found(const char *directory, const char *name, const char *end,
                  Text *path) {
  text_clear(path);
  text_format(path, "%s%s%s%s", directory, *directory ? "/" : "", name, end);
  return is_file(path->bytes);
}

static bool find_written(const char *directory, const char *name,
                         const Kind *kind, Text *path) {
  return found(directory, name, kind->ending, path) ||
         found(directory, name, "", path);
}

static bool find_alike(const char *directory, const char *plain,
                       const Kind *kind, Text *path) {
  TextVector names = {0};
  bool fine = false;
  catalogue_names(directory, kind->ending, &names);
  for (uint32_t i = 0; i < names.count && !fine; i++) {
    Text own = {0};
    add_plain(&own, names.data[i].bytes, kind);
    fine = strcmp(text_string(&own), plain) == 0 &&
           found(directory, names.data[i].bytes, kind->ending, path);
    text_free(&own);
  }
  text_vector_free(&names);
  return fine;
}

static bool can_be_name(const char *name) {
  struct stat status;
  return *name && strlen(name) <= NAME_MAX && strcmp(name, "-") != 0 &&
         !strchr(name, '/') &&
         (stat(name, &status) != 0 || S_ISDIR(status.st_mode));
}

/* Looks in all directories for the name as it is written, then for one that is
   alike. */
static bool find_file(const TextVector *list, const char *name,
                      const Kind *kind, Text *path) {
  Text plain = {0};
  bool fine = false;
  add_plain(&plain, name, kind);
  for (uint32_t i = 0; i < list->count && !fine; i++)
    fine = find_written(list->data[i].bytes, name, kind, path);
  for (uint32_t i = 0; i < list->count && !fine; i++)
    fine = find_alike(list->data[i].bytes, text_string(&plain), kind, path);
  text_free(&plain);
  return fine;
}

bool find_game(const Options *options, const char *name, Text *path) {
  if (!can_be_name(name)) {
    text_add(path, name);
    return true;
  }
  if (found("", name, games.ending, path)) return true;
  TextVector list = {0};
  find_directories(options, &list);
  bool fine = find_file(&list, name, &games, path);
  text_vector_free(&list);
  return fine;
}

void find_arguments(Options *options, int verb, TextVector *paths) {
  if (options->suite) return;           /* of a directory */
  if (verb == VERB_NUMBER_TOUR) return; /* results have the names */
  for (int i = 0; i < options->argument_count; i++) {
    if (strcmp(options_argument(verb, i), "GAME") != 0) continue;
    Text path = {0};
    if (find_game(options, options->arguments[i], &path)) {
      vector_push(paths, path);
      options->arguments[i] = path.bytes;
    } else {
      text_free(&path);
    }
  }
}

/* ---- suggestions ---- */

typedef struct Suggestions {
  const Text *names[SUGGESTIONS];
  uint32_t count;
} Suggestions;

static void suggest(Suggestions *suggestions, const Text *name) {
  for (uint32_t i = 0; i < suggestions->count; i++)
    if (strcmp(suggestions->names[i]->bytes, name->bytes) == 0) return;
  if (suggestions->count < SUGGESTIONS)
    suggestions->names[suggestions->count++] = name;
}

static void add_similar(const TextVector *names, const TextVector *plain_names,
                        const char *plain, Suggestions *suggestions) {
  for (unsigned distance = 0; distance < SIMILAR_FAR; distance++)
    for (uint32_t i = 0; i < names->count; i++)
      if (similar_distance(plain, plain_names->data[i].bytes) == distance)
        suggest(suggestions, &names->data[i]);
}

/* Names that begin with the word, then those that contain it elsewhere. */
static void add_longer(const TextVector *names, const TextVector *plain_names,
                       const char *plain, Suggestions *suggestions) {
  if (strlen(plain) < PART_SHORTEST) return;
  for (int elsewhere = 0; elsewhere < 2; elsewhere++)
    for (uint32_t i = 0; i < names->count; i++) {
      const char *own = plain_names->data[i].bytes, *at = strstr(own, plain);
      if (at && elsewhere == (at > own)) suggest(suggestions, &names->data[i]);
    }
}

static void write_suggestions(const TextVector *names, const char *name,
                              const Kind *kind, Text *text) {
  Suggestions suggestions = {0};
  TextVector plain_names = {0};
  Text plain = {0};
  add_plain(&plain, name, kind);
  for (uint32_t i = 0; i < names->count; i++) {
    Text own = {0};
    add_plain(&own, names->data[i].bytes, kind);
    text_add(&own, "");
    vector_push(&plain_names, own);
  }
  add_similar(names, &plain_names, text_string(&plain), &suggestions);
  add_longer(names, &plain_names, text_string(&plain), &suggestions);
  for (uint32_t i = 0; i < suggestions.count; i++)
    text_format(text, "%s'%s'%s",
                i == 0                       ? "; did you mean "
                : i + 1 == suggestions.count ? " or "
                                             : ", ",
                suggestions.names[i]->bytes,
                i + 1 == suggestions.count ? "?" : "");
  text_vector_free(&plain_names);
  text_free(&plain);
}

static void explain(const TextVector *list, const char *name, const Kind *kind,
                    Text *text) {
  TextVector names = {0};
  for (uint32_t i = 0; i < list->count; i++) {
    TextVector more = {0};
    catalogue_names(list->data[i].bytes, kind->ending, &more);
    for (uint32_t j = 0; j < more.count; j++) vector_push(&names, more.data[j]);
    vector_free(&more);
  }
  text_format(text, "no file or %s '%s'", kind->word, name);
  write_suggestions(&names, name, kind, text);
  text_format(text, "\n%c%ss (see tafl %s) were looked for in",
              toupper((unsigned char)*kind->word), kind->word + 1, kind->list);
  for (uint32_t i = 0; i < list->count; i++)
    text_format(text, "\n  %s", list->data[i].bytes);
  text_vector_free(&names);
}

bool find_explain(const Options *options, const char *name, Text *text) {
  if (!can_be_name(name)) return false;
  TextVector list = {0};
  find_directories(options, &list);
  explain(&list, name, &games, text);
  text_vector_free(&list);
  return true;
}

/* ---- tables of the papers ---- */

bool find_table(const char *name, Text *path, Text *error) {
  if (!can_be_name(name)) {
    text_add(path, name);
    return true;
  }
  TextVector list = {0};
  add_usual(&list, &tables);
  bool fine = find_file(&list, name, &tables, path);
  if (!fine) explain(&list, name, &tables, error);
  text_vector_free(&list);
  return fine;
}

void find_tables(TextVector *paths) {
  TextVector list = {0}, names = {0}; /* of the paths */
  add_usual(&list, &tables);
  for (uint32_t i = 0; i < list.count; i++) {
    TextVector more = {0};
    catalogue_names(list.data[i].bytes, tables.ending, &more);
    for (uint32_t j = 0; j < more.count; j++) {
      uint32_t known = 0;
      while (known < names.count &&
             strcmp(names.data[known].bytes, more.data[j].bytes) != 0)
        known++;
      if (known < names.count) {
        text_free(&more.data[j]);
        continue;
      }
      Text path = {0};
      found(list.data[i].bytes, more.data[j].bytes, tables.ending, &path);
      vector_push(paths, path);
      vector_push(&names, more.data[j]);
    }
    vector_free(&more);
  }
  text_vector_free(&names);
  text_vector_free(&list);
}
