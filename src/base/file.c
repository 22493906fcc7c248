/* A reader of the path finds the old content or the new, never a part of it,
   even if the program is killed. There is no fsync: this does not protect
   against a power failure. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool file_write_all(int file, const char *bytes, size_t length) {
  while (length) {
    ssize_t written = write(file, bytes, length);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    length -= (size_t)written;
  }
  return true;
}

static bool write_file(const char *path, const char *bytes, size_t length) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return false;
  bool fine = file_write_all(file, bytes, length);
  int reason = errno;
  if (close(file) && fine) return false;
  errno = reason;
  return fine;
}

bool file_replace(const char *path, const char *bytes, size_t length,
                  Text *error) {
  Text beside = {0};
  text_format(&beside, "%s.new", path);
  bool fine = write_file(beside.bytes, bytes, length) &&
              rename(beside.bytes, path) == 0;
  if (!fine) {
    text_format(error, "%s: %s", path, strerror(errno));
    unlink(beside.bytes);
  }
  text_free(&beside);
  return fine;
}

void file_make_above(const char *path, unsigned mode) {
  Text above = {0};
  for (const char *c = path; *c; c++) {
    if (*c == '/' && above.length) mkdir(text_string(&above), mode);
    text_add_byte(&above, *c);
  }
  text_free(&above);
}
