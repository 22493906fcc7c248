/* What clients of the web page write by hand: the first line of the input is
   the address of a request, the rest a match to begin. Paths are strings, and
   are the same when they are written with escapes and read again. A match is
   either refused with a reason, or has everything that is needed, within the
   limits. */
#include <string.h>

#include "fuzz/fuzz.h"
#include "io/http_parts.h"
#include "web/begin.h"
#include "web/token.h"

static const WebSettings settings = {.stylesheet = "",
                                     .db = "",
                                     .version = "1",
                                     .agent = "tafl",
                                     .rules = 1000,
                                     .longest_start = 60,
                                     .longest_play = 60,
                                     .processors = 2};

static void check_address(const char *address) {
  HttpRequest request = {0}, again = {0};
  Text written = {0};
  http_take_line(&request, address);
  const char *path = http_path(&request);
  promise(strlen(path) == request.path.length, "a path is a string");
  text_add_byte(&written, '/');
  for (const char *byte = path; *byte; byte++)
    text_format(&written, "%%%02x", (unsigned char)*byte);
  text_add(&written, "?query");
  http_take_line(&again, text_string(&written));
  promise(strcmp(http_path(&again), path) == 0,
          "a path read back is the same path");
  text_free(&written);
  text_free(&request.path);
  text_free(&request.message);
  text_free(&again.path);
  text_free(&again.message);
}

static void check_token(const char *text) {
  promise(!token_matches("secret", text) ||
              strcmp(text + strlen("Bearer "), "secret") == 0,
          "only the token is the token");
}

static void check_begin(const char *text, size_t length) {
  Begin begin;
  if (begin_read(&begin, &settings, text, length)) {
    const MasterPlan *plan = &begin.plan;
    promise(*plan->id && plan->rules_length <= settings.rules,
            "a match has a name, and rules that are not too long");
    promise(plan->start >= 0 && plan->start <= settings.longest_start,
            "the start clock is within its limits");
    promise(plan->play > 0 && plan->play <= settings.longest_play,
            "the play clock is within its limits");
    promise(plan->players->count > 0, "somebody plays");
  } else {
    promise(begin.status >= 400 && begin.error.length,
            "a refusal has a reason");
  }
  begin_free(&begin);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Text line = {0};
  const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
  size_t length = end ? (size_t)(end - data) : size;
  text_add_bytes(&line, (const char *)data, length);
  check_address(text_string(&line));
  check_token(text_string(&line));
  if (end) check_begin((const char *)end + 1, size - length - 1);
  text_free(&line);
  return 0;
}
