/* The time of a file's last change is that of its last use. A file is written
   beside its place under a name of its own, synchronised and renamed, so that
   neither a kill nor a power failure leaves half a file; what such an end
   leaves beside is removed when it is old. */
#include "learn/shelf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

static const char ending[] = ".knowledge", beside[] = ".new";
static const double too_old = 3600; /* seconds, of what was left beside */

bool shelf_open(const char *directory, Text *error) {
  file_make_above(directory, 0777);
  mkdir(directory, 0777);
  int folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  bool fine = folder >= 0 && faccessat(folder, ".", W_OK | X_OK, 0) == 0;
  if (!fine) text_format(error, "%s: %s", directory, strerror(errno));
  if (folder >= 0) close(folder);
  return fine;
}

static void write_path(const char *directory, const char *rules, Text *path) {
  text_format(path, "%s/%s%s", directory, rules, ending);
}

/* ---- reading ---- */

/* Anything but a plain file, which might block, is as good as missing. */
static bool is_file(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static ShelfEnd read_path(const char *path, const char *rules,
                          Knowledge *knowledge, Text *error) {
  Text text = {0}, wrong = {0};
  if (!is_file(path)) return SHELF_MISSING;
  bool fine =
      text_read_file(&text, path, KNOWLEDGE_BYTES, &wrong) &&
      knowledge_parse(knowledge, text_string(&text), text.length, &wrong);
  if (fine && strcmp(knowledge->rules, rules) != 0) {
    text_add(&wrong, "it is of another game");
    knowledge_free(knowledge);
    fine = false;
  }
  if (!fine) text_format(error, "%s: %s", path, text_string(&wrong));
  text_free(&text);
  text_free(&wrong);
  return fine ? SHELF_READ : SHELF_REFUSED;
}

ShelfEnd shelf_load(const char *directory, const char *rules,
                    Knowledge *knowledge, Text *error) {
  Text path = {0};
  write_path(directory, rules, &path);
  ShelfEnd end = read_path(text_string(&path), rules, knowledge, error);
  if (end == SHELF_READ)
    utimensat(AT_FDCWD, text_string(&path), NULL, 0); /* it was used now */
  text_free(&path);
  return end;
}

ShelfEnd shelf_peek(const char *directory, const char *rules,
                    Knowledge *knowledge, Text *error) {
  Text path = {0};
  write_path(directory, rules, &path);
  ShelfEnd end = read_path(text_string(&path), rules, knowledge, error);
  text_free(&path);
  return end;
}

/* ---- what is there ---- */

typedef struct Entry {
  char name[NAME_MAX + 1];
  struct timespec used;
  off_t size;
} Entry;

typedef VECTOR(Entry) Entries;

static bool ends_with(const char *name, const char *end) {
  size_t length = strlen(name), own = strlen(end);
  return length >= own && strcmp(name + length - own, end) == 0;
}

static bool is_hash(const char *name) {
  return strspn(name, "0123456789abcdef") == CANON_HASH;
}

static bool is_ours(const char *name) {
  return is_hash(name) && strcmp(name + CANON_HASH, ending) == 0;
}

static bool is_beside(const char *name) {
  return *name == '.' && is_hash(name + 1) && ends_with(name, beside);
}

static int compare_entries(const void *a, const void *b) {
  const Entry *one = a, *other = b;
  if (one->used.tv_sec != other->used.tv_sec)
    return one->used.tv_sec > other->used.tv_sec ? -1 : 1;
  if (one->used.tv_nsec != other->used.tv_nsec)
    return one->used.tv_nsec > other->used.tv_nsec ? -1 : 1;
  return strcmp(one->name, other->name);
}

/* Lists the knowledge files, the last used first, and removes what is old of
   those beside them. */
static void list_entries(int folder, Entries *entries) {
  int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *open = again < 0 ? NULL : fdopendir(again);
  if (!open) {
    if (again >= 0) close(again);
    return;
  }
  for (struct dirent *entry; (entry = readdir(open));) {
    struct stat status;
    const char *name = entry->d_name;
    if (!is_ours(name) && !is_beside(name)) continue;
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(status.st_mode))
      continue;
    if (is_beside(name)) {
      if (difftime(time(NULL), status.st_mtime) > too_old)
        unlinkat(folder, name, 0);
      continue;
    }
    Entry own = {.used = status.st_mtim, .size = status.st_size};
    snprintf(own.name, sizeof own.name, "%s", name);
    vector_push(entries, own);
  }
  closedir(open);
  if (entries->count)
    qsort(entries->data, entries->count, sizeof *entries->data,
          compare_entries);
}

void shelf_list(const char *directory, TextVector *rules) {
  int folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  Entries entries = {0};
  if (folder < 0) return;
  list_entries(folder, &entries);
  for (uint32_t i = 0; i < entries.count; i++) {
    Text own = {0};
    text_add_bytes(&own, entries.data[i].name, CANON_HASH);
    vector_push(rules, own);
  }
  vector_free(&entries);
  close(folder);
}

/* Removes the least recently used files beyond the limits, but the newest. */
static void keep_within(int folder) {
  Entries entries = {0};
  off_t bytes = 0;
  list_entries(folder, &entries);
  for (uint32_t i = 0; i < entries.count; i++) {
    bytes += entries.data[i].size;
    if (i && (i >= SHELF_FILES || bytes > SHELF_BYTES))
      unlinkat(folder, entries.data[i].name, 0);
  }
  vector_free(&entries);
}

/* ---- writing ---- */

static bool write_file(int folder, const char *name, const Text *text) {
  int file =
      openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return false;
  bool fine =
      file_write_all(file, text_string(text), text->length) && fsync(file) == 0;
  int reason = errno;
  if (close(file) && fine) return false;
  errno = reason;
  return fine;
}

static bool replace(const char *directory, const char *rules, const Text *text,
                    Text *error) {
  static atomic_uint count;
  Text own = {0}, name = {0};
  text_format(&own, ".%s.%ld.%u%s", rules, (long)getpid(),
              atomic_fetch_add(&count, 1), beside);
  text_format(&name, "%s%s", rules, ending);
  int folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  bool fine = folder >= 0 && write_file(folder, own.bytes, text) &&
              renameat(folder, own.bytes, folder, name.bytes) == 0;
  if (!fine)
    text_format(error, "%s/%s: %s", directory, name.bytes, strerror(errno));
  if (!fine && folder >= 0) unlinkat(folder, own.bytes, 0);
  if (fine) {
    fsync(folder);
    keep_within(folder);
  }
  if (folder >= 0) close(folder);
  text_free(&own);
  text_free(&name);
  return fine;
}

/* What a server is sent has no name, and often no real words. */
static bool is_named(const Knowledge *knowledge) {
  return strcmp(text_string(&knowledge->game), "rules") != 0;
}

bool shelf_save(const char *directory, const Knowledge *knowledge,
                Text *error) {
  Knowledge old, saved = *knowledge;
  Text path = {0}, text = {0}, damage = {0};
  write_path(directory, knowledge->rules, &path);
  bool fine = true, known = read_path(text_string(&path), knowledge->rules,
                                      &old, &damage) == SHELF_READ;
  if (!known || old.work.targets <= knowledge->work.targets) {
    if (known && is_named(&old) && old.words.count == knowledge->words.count) {
      saved.game = old.game;
      saved.words = old.words;
    }
    fine = knowledge_write(&saved, &text, error) &&
           replace(directory, knowledge->rules, &text, error);
  }
  if (known) knowledge_free(&old);
  text_free(&path);
  text_free(&text);
  text_free(&damage);
  return fine;
}
