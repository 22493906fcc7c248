#include "game/words.h"

#include <ctype.h>

static bool is_one_of(const char *word, const char *const *list) {
  for (; *list; list++)
    if (strcmp(word, *list) == 0) return true;
  return false;
}

void words_write(const char *name, Text *text) {
  for (const char *at = name; *at; at++) {
    bool gap = *at == '_' || *at == '-';
    bool hump =
        at > name && isupper((unsigned char)*at) &&
        (islower((unsigned char)at[-1]) || isdigit((unsigned char)at[-1]));
    if ((gap || hump) && text->length && text->bytes[text->length - 1] != ' ')
      text_add_byte(text, ' ');
    if (!gap) text_add_byte(text, (char)tolower((unsigned char)*at));
  }
}

bool words_blank(const char *word) {
  static const char *const list[] = {
      "b",      "blank", "empty", "e",       "none",      "nil", "free",
      "vacant", "open",  "clear", "nothing", "available", NULL};
  return is_one_of(word, list);
}

bool words_wall(const char *word) {
  static const char *const list[] = {"wall",    "off limits", "cell off limits",
                                     "blocked", "obstacle",   "dirt",
                                     "ground",  "rock",       NULL};
  return is_one_of(word, list);
}

bool words_direction(const char *words) {
  return strstr(words, "north") || strstr(words, "south") ||
         strstr(words, "east") || strstr(words, "west");
}

/* White and black are bold and cyan, because neither a white nor a black ink is
   seen on every terminal. */
const char *words_colour(const char *word) {
  static const char *const list[][2] = {
      {"white", "1"},   {"black", "36"},   {"red", "31"},    {"green", "32"},
      {"yellow", "33"}, {"orange", "93"},  {"blue", "94"},   {"cyan", "36"},
      {"teal", "36"},   {"magenta", "35"}, {"purple", "35"}, {"pink", "95"},
      {"brown", "33"},  {"grey", "37"},    {"gray", "37"},   {"violet", "35"},
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (strcmp(word, list[i][0]) == 0) return list[i][1];
  return NULL;
}

int words_side(const char *word) {
  static const char *const first[] = {"white", "light", "x", NULL};
  static const char *const last[] = {"black", "dark", "o", NULL};
  return is_one_of(word, first) ? -1 : is_one_of(word, last);
}
