/* Public stylesheets name pictures as &ROOT;/resources/images/chess/Pawn.png,
   where &ROOT; stands for the address of their server; the last part is often
   made by the stylesheet. So all pictures of a folder that is named are read.
   Other stylesheets are named by the literal href of xsl:import and
   xsl:include. The texts are only searched here, not parsed. */
#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "web/stylesheet.h"

enum {
  SHEETS = 16,
  SHEET_LARGEST = 1 << 20,
  PICTURES = 500,
  PICTURE_LARGEST = 256 << 10,
  PICTURES_LARGEST = 8 << 20, /* all together */
  LEVELS = 5                  /* above a stylesheet in which resources may be */
};

static const char resources[] = "resources/";

/* ---- files ---- */

static bool has(const StylesheetFiles *files, const char *name) {
  for (uint32_t i = 0; i < files->count; i++)
    if (strcmp(text_string(&files->data[i].name), name) == 0) return true;
  return false;
}

static void free_files(StylesheetFiles *files) {
  for (uint32_t i = 0; i < files->count; i++) {
    text_free(&files->data[i].name);
    text_free(&files->data[i].bytes);
  }
  vector_free(files);
}

void stylesheet_free(StylesheetKit *kit) {
  free_files(&kit->sheets);
  free_files(&kit->pictures);
}

static bool is_file(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* The path without its last part. */
static void cut_last(Text *path) {
  while (path->length && path->bytes[path->length - 1] != '/') path->length--;
  if (path->length > 1) path->length--;
  path->bytes[path->length] = '\0';
}

/* Sets `real` to the path without links and dots. */
static bool resolve(const char *path, Text *real) {
  char buffer[PATH_MAX];
  text_clear(real);
  if (!realpath(path, buffer)) return false;
  text_add(real, buffer);
  return true;
}

static bool is_within(const Text *path, const Text *folder) {
  return path->length > folder->length &&
         memcmp(path->bytes, folder->bytes, folder->length) == 0 &&
         path->bytes[folder->length] == '/';
}

/* ---- stylesheets ---- */

/* Takes out &ROOT;, which no document defines. */
static void drop_root(Text *text) {
  static const char root[] = "&ROOT;";
  size_t length = sizeof root - 1;
  for (char *at = text->bytes; text->length && (at = strstr(at, root));) {
    memmove(at, at + length, strlen(at + length) + 1);
    text->length -= length;
  }
}

static bool add_sheet(StylesheetKit *kit, const char *path, Text *error) {
  StylesheetFile file = {0};
  text_add(&file.name, path);
  bool fine = text_read_file(&file.bytes, path, SHEET_LARGEST, error);
  if (fine && file.bytes.length &&
      memchr(file.bytes.bytes, '\0', file.bytes.length)) {
    text_add(error, "it is no text");
    fine = false;
  }
  if (fine) {
    drop_root(&file.bytes);
    vector_push(&kit->sheets, file);
  } else {
    text_free(&file.name);
    text_free(&file.bytes);
  }
  return fine;
}

/* Reads what an href of the stylesheet `from` names, if it is a stylesheet in
   the same folder or one beside it. */
static void add_reference(StylesheetKit *kit, const Text *from,
                          const char *href, size_t length) {
  Text folder = {0}, path = {0}, real = {0}, error = {0};
  text_add(&folder, text_string(from));
  cut_last(&folder);
  text_format(&path, "%s/", folder.bytes);
  text_add_bytes(&path, href, length);
  cut_last(&folder);
  if (memchr(href, ':', length) == NULL && resolve(path.bytes, &real) &&
      is_within(&real, &folder) && strstr(real.bytes, ".xsl") &&
      is_file(real.bytes) && kit->sheets.count < SHEETS &&
      !has(&kit->sheets, real.bytes))
    add_sheet(kit, real.bytes, &error);
  text_free(&folder);
  text_free(&path);
  text_free(&real);
  text_free(&error);
}

/* The value of the attribute href of the tag that begins here, or NULL. */
static const char *find_href(const char *tag, size_t *length) {
  const char *end = strchr(tag, '>'), *href = strstr(tag, "href");
  if (!end || !href || href > end) return NULL;
  href += strlen("href");
  href += strspn(href, " \t\r\n=");
  if (*href != '"' && *href != '\'') return NULL;
  const char *close = strchr(href + 1, *href);
  if (!close) return NULL;
  *length = (size_t)(close - href - 1);
  return href + 1;
}

static void add_references(StylesheetKit *kit, uint32_t number) {
  static const char *const tags[] = {":import", ":include"};
  for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
    const char *at = text_string(&kit->sheets.data[number].bytes);
    while ((at = strstr(at, tags[i]))) {
      size_t length;
      const char *href = find_href(at, &length);
      if (href)
        add_reference(kit, &kit->sheets.data[number].name, href, length);
      at++;
    }
  }
}

/* ---- pictures ---- */

static void add_base64(Text *text, const Text *bytes) {
  static const char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char *from = (const unsigned char *)bytes->bytes;
  for (size_t i = 0; i < bytes->length; i += 3) {
    size_t left = bytes->length - i;
    uint32_t group = (uint32_t)from[i] << 16 |
                     (left > 1 ? (uint32_t)from[i + 1] << 8 : 0) |
                     (left > 2 ? from[i + 2] : 0);
    text_add_byte(text, digits[group >> 18]);
    text_add_byte(text, digits[group >> 12 & 63]);
    text_add_byte(text, left > 1 ? digits[group >> 6 & 63] : '=');
    text_add_byte(text, left > 2 ? digits[group & 63] : '=');
  }
}

static const char *picture_type(const char *name) {
  static const char *const types[][2] = {{".png", "png"},
                                         {".gif", "gif"},
                                         {".jpg", "jpeg"},
                                         {".jpeg", "jpeg"},
                                         {".svg", "svg+xml"}};
  const char *end = strrchr(name, '.');
  for (size_t i = 0; end && i < sizeof types / sizeof *types; i++)
    if (strcasecmp(end, types[i][0]) == 0) return types[i][1];
  return NULL;
}

static size_t all_bytes(const StylesheetFiles *files) {
  size_t sum = 0;
  for (uint32_t i = 0; i < files->count; i++)
    sum += files->data[i].bytes.length;
  return sum;
}

static void add_picture(StylesheetKit *kit, const char *path,
                        const char *name) {
  StylesheetFile file = {0};
  Text bytes = {0}, error = {0};
  const char *type = picture_type(name);
  if (type && !has(&kit->pictures, name) && kit->pictures.count < PICTURES &&
      all_bytes(&kit->pictures) < PICTURES_LARGEST && is_file(path) &&
      text_read_file(&bytes, path, PICTURE_LARGEST, &error)) {
    text_add(&file.name, name);
    text_format(&file.bytes, "data:image/%s;base64,", type);
    add_base64(&file.bytes, &bytes);
    vector_push(&kit->pictures, file);
  }
  text_free(&bytes);
  text_free(&error);
}

/* Adds the pictures of a folder, `name` within `top`. */
static void add_folder(StylesheetKit *kit, const Text *top, const Text *name) {
  Text path = {0}, real = {0}, file = {0}, within = {0};
  text_format(&path, "%s/%s", text_string(top), text_string(name));
  DIR *list = resolve(path.bytes, &real) && is_within(&real, top)
                  ? opendir(real.bytes)
                  : NULL;
  for (struct dirent *entry; list && (entry = readdir(list));) {
    text_clear(&file);
    text_clear(&within);
    text_format(&file, "%s/%s", real.bytes, entry->d_name);
    text_format(&within, "%s/%s", text_string(name), entry->d_name);
    add_picture(kit, file.bytes, within.bytes);
  }
  if (list) closedir(list);
  text_free(&path);
  text_free(&real);
  text_free(&file);
  text_free(&within);
}

/* Sets `top` to the nearest folder named resources above the path. */
static bool find_resources(const char *path, Text *top) {
  Text folder = {0}, tried = {0};
  bool found = false;
  text_add(&folder, path);
  for (int i = 0; i < LEVELS && !found && folder.length > 1; i++) {
    cut_last(&folder);
    text_clear(&tried);
    text_format(&tried, "%s/resources", folder.bytes);
    found = resolve(tried.bytes, top);
  }
  text_free(&folder);
  text_free(&tried);
  return found;
}

static void add_pictures(StylesheetKit *kit, const Text *top,
                         const Text *sheet) {
  const char *at = text_string(sheet);
  Text name = {0}, last = {0};
  while ((at = strstr(at, resources))) {
    at += sizeof resources - 1;
    size_t length = 0, slash = 0;
    for (; isalnum((unsigned char)at[length]) || strchr("_-./", at[length]);
         length++) {
      if (!at[length]) break;
      if (at[length] == '/') slash = length;
    }
    text_clear(&name);
    text_add_bytes(&name, at, slash);
    if (!slash || strcmp(text_string(&last), name.bytes) == 0) continue;
    add_folder(kit, top, &name);
    text_clear(&last);
    text_add(&last, name.bytes);
  }
  text_free(&name);
  text_free(&last);
}

bool stylesheet_read(StylesheetKit *kit, const char *path, Text *error) {
  Text real = {0}, top = {0};
  *kit = (StylesheetKit){0};
  bool fine = add_sheet(kit, resolve(path, &real) ? real.bytes : path, error);
  for (uint32_t i = 0; i < kit->sheets.count; i++) add_references(kit, i);
  if (fine && find_resources(text_string(&kit->sheets.data[0].name), &top))
    for (uint32_t i = 0; i < kit->sheets.count; i++)
      add_pictures(kit, &top, &kit->sheets.data[i].bytes);
  text_free(&real);
  text_free(&top);
  return fine;
}
