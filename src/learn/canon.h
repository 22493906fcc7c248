/* Rules up to renaming: what two descriptions have in common that differ in
   names, comments, blanks and the order of nothing. Every name of the rules
   that is neither a keyword nor a number is numbered by its first occurrence
   and written #1, #2 and so on; variables are numbered in each rule. So the
   hash of the rules, and names made of their words, survive a game master that
   scrambles names. */
#ifndef TAFL_LEARN_CANON_H
#define TAFL_LEARN_CANON_H

#include "gdl/description.h"

enum { CANON_HASH = 32 }; /* hexadecimal digits */

typedef struct Canon {
  char hash[CANON_HASH + 1];
  TextVector words; /* word #i is words.data[i - 1] */
  Map map;          /* their numbers by hash */
} Canon;

void canon_init(Canon *canon, const Description *description);
void canon_free(Canon *canon);

/* Appends the text with the words of the rules replaced by their numbers. Words
   are separated by blanks and parentheses, which stay as they are. */
void canon_write(const Canon *canon, const char *text, Text *out);
/* The inverse, given the words: numbers that have none stay. */
void canon_read(const TextVector *words, const char *text, Text *out);

/* Returns the length of the word at `text`, 0 at its end and at separators. */
size_t canon_word(const char *text);

#endif
