/* Names are those of games in the library, so that no path leads anywhere
   else. */
#include "web/stylesheet.h"

#include <sys/stat.h>

#include "about/catalogue.h"

static bool has_type(const char *path, mode_t type) {
  struct stat status;
  return stat(path, &status) == 0 && (status.st_mode & S_IFMT) == type;
}

/* `stem` is a path without its ending. */
static bool find_ending(const char *stem, size_t length, Text *path) {
  static const char *const endings[] = {".xsl", ".xslt"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    text_clear(path);
    text_add_bytes(path, stem, length);
    text_add(path, endings[i]);
    if (has_type(path->bytes, S_IFREG)) return true;
  }
  return false;
}

bool stylesheet_find(const char *given, const TextVector *directories,
                     const char *name, Text *path) {
  Text stem = {0};
  bool found = false;
  if (given && has_type(given, S_IFREG)) {
    text_clear(path);
    text_add(path, given);
    return true;
  }
  if (catalogue_file(directories, name, path)) {
    size_t length = path->length - strlen(".kif");
    if (given && *given) {
      text_format(&stem, "%s/%s", given, name);
      found = find_ending(stem.bytes, stem.length, path);
      text_format(&stem, "/%s", name);
      found = found || find_ending(stem.bytes, stem.length, path);
    }
    if (!found) {
      catalogue_file(directories, name, path);
      text_clear(&stem);
      text_add_bytes(&stem, path->bytes, length);
      found = find_ending(stem.bytes, length, path);
    }
  }
  text_free(&stem);
  return found;
}
