#include "web/token.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

enum { BYTES = 16, LONGEST = 256 };

void token_make(Text *token) {
  unsigned char bytes[BYTES];
  size_t count = 0;
  while (count < BYTES) {
    ssize_t more = getrandom(bytes + count, BYTES - count, 0);
    if (more > 0)
      count += (size_t)more;
    else if (errno != EINTR)
      fatal("the system has no random numbers for a token");
  }
  for (size_t i = 0; i < BYTES; i++) text_format(token, "%02x", bytes[i]);
}

bool token_is_plain(const char *token) {
  size_t length = strlen(token);
  return length && length <= LONGEST &&
         strspn(token, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                       "0123456789-._~") == length;
}

bool token_matches(const char *token, const char *header) {
  static const char scheme[] = "Bearer ";
  size_t start = sizeof scheme - 1, length = strlen(token);
  if (!header || strncasecmp(header, scheme, start) != 0) return false;
  const char *given = header + start;
  size_t count = strlen(given);
  unsigned different = count != length;
  for (size_t i = 0; i < count; i++)
    different |= (unsigned char)(given[i] ^ token[i % (length + 1)]);
  return length && !different;
}
