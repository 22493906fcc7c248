/* Files are found by their path alone, in the list that is part of the program;
   nothing is read from the disk. Browsers keep them, but ask each time whether
   they have changed: the tag is a hash of the bytes. */
#include "web/site.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"

static const char policy_name[] = "Content-Security-Policy";

const char *const site_headers[] = {
    policy_name,
    "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; frame-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options",
    "nosniff",
    "Referrer-Policy",
    "no-referrer",
    "Cross-Origin-Opener-Policy",
    "same-origin",
    "Cross-Origin-Resource-Policy",
    "same-origin",
    "Permissions-Policy",
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), "
    "gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()",
    NULL};

void site_write_headers(const char *policy, const char *const *more,
                        const char *list[]) {
  size_t count = 0;
  for (const char *const *each = site_headers; *each; each += 2) {
    bool own = policy && strcmp(each[0], policy_name) == 0;
    list[count++] = each[0];
    list[count++] = own ? policy : each[1];
  }
  for (; more && *more; more++) {
    assert(count + 1 < SITE_HEADERS);
    list[count++] = *more;
  }
  list[count] = NULL;
}

static const SiteFile *find(const char *path) {
  if (!*path) path = "index.html";
  for (const SiteFile *each = site_files; each->path; each++)
    if (strcmp(each->path, path) == 0) return each;
  return NULL;
}

bool site_has(const char *path) {
  return find(path);
}

static const char *type_of(const char *path) {
  static const char *const types[][2] = {
      {".html", "text/html; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".ico", "image/x-icon"},
      {".json", "application/json"},
      {".txt", "text/plain; charset=utf-8"}};
  const char *end = strrchr(path, '.');
  for (size_t i = 0; end && i < sizeof types / sizeof *types; i++)
    if (strcmp(end, types[i][0]) == 0) return types[i][1];
  return "application/octet-stream";
}

/* True if the client takes what is compressed. */
static bool takes_packed(const HttpRequest *request) {
  const char *list = http_header(request, "Accept-Encoding");
  const char *found = list ? strstr(list, "gzip") : NULL;
  return found && strncmp(found + strlen("gzip"), ";q=0", 4) != 0;
}

/* `list` is what If-None-Match says: tags with commas, or *. */
static bool is_listed(const char *list, const char *tag) {
  return list && (strcmp(list, "*") == 0 || strstr(list, tag));
}

void site_answer(HttpRequest *request, const char *path) {
  static const char missing[] = "There is no such page.\n";
  const SiteFile *file = find(path);
  bool packed = file && takes_packed(request);
  char tag[24] = "";
  const char *more[] = {"Cache-Control",
                        "no-cache",
                        file ? "ETag" : NULL,
                        tag,
                        "Vary",
                        "Accept-Encoding",
                        packed ? "Content-Encoding" : NULL,
                        "gzip",
                        NULL};
  const char *headers[SITE_HEADERS];
  HttpAnswer answer = {.status = 404,
                       .type = "text/plain; charset=utf-8",
                       .bytes = missing,
                       .length = sizeof missing - 1,
                       .lasting = true,
                       .headers = headers};
  if (file) {
    const char *bytes = packed ? file->packed : file->bytes;
    size_t length = (size_t)((packed ? file->end : file->packed) - bytes);
    snprintf(tag, sizeof tag, "\"%016llx\"",
             (unsigned long long)hash_bytes(bytes, length));
    answer.status =
        is_listed(http_header(request, "If-None-Match"), tag) ? 304 : 200;
    answer.type = type_of(file->path);
    answer.bytes = bytes;
    answer.length = answer.status == 200 ? length : 0;
  }
  site_write_headers(NULL, more, headers);
  http_answer(request, &answer);
}
