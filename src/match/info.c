/* A reply to INFO is a list of pairs (key value); only players of the later
   protocol have it. Others answer a word, or nothing. Whatever a player sends
   is shown and recorded, so that only plain characters are taken. */
#include "match/info.h"

#include <strings.h>

#include "match/message.h"

enum { LONGEST = 40 };

/* Returns what follows "(name " one level deep in the term, or NULL. */
static const char *find_value(const char *term) {
  static const char key[] = "(name ";
  int depth = 0;
  for (; *term; term++) {
    if (depth == 1 && !strncasecmp(term, key, sizeof key - 1))
      return term + sizeof key - 1;
    depth += (*term == '(') - (*term == ')');
  }
  return NULL;
}

/* Copies up to the parenthesis that closes the pair. */
static void add_plain(Text *name, const char *value) {
  int depth = 1;
  for (size_t i = 0; value[i] && i < LONGEST; i++) {
    unsigned char byte = (unsigned char)value[i];
    depth += (byte == '(') - (byte == ')');
    if (!depth) return;
    text_add_byte(name, byte >= ' ' && byte < 127 ? (char)byte : '?');
  }
}

bool info_name(const char *reply, size_t length, Text *name) {
  Text term = {0};
  size_t before = name->length;
  const char *value = NULL;
  if (message_first_term(reply, length, &term)) value = find_value(term.bytes);
  if (value) add_plain(name, value);
  text_free(&term);
  return name->length > before;
}
