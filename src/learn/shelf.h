/* A directory of knowledge files, one for each game: HASH.knowledge. It keeps
   within a number of files and bytes; those that were used least recently are
   removed. Several processes may use it at once: a file is replaced as a whole,
   and never by one that rests on less work. */
#ifndef TAFL_LEARN_SHELF_H
#define TAFL_LEARN_SHELF_H

#include "learn/knowledge.h"

enum { SHELF_FILES = 1000, SHELF_BYTES = 256 << 20 };

/* Makes the directory, with its parents, if it is missing. Returns false and
   sets `error` if it cannot be used. */
bool shelf_open(const char *directory, Text *error);

typedef enum {
  SHELF_READ,
  SHELF_MISSING, /* there is no such file */
  SHELF_REFUSED  /* `error` says why */
} ShelfEnd;

/* Reads the knowledge of these rules; the caller frees it if it was read. */
ShelfEnd shelf_load(const char *directory, const char *rules,
                    Knowledge *knowledge, Text *error);
/* The same without counting as a use. */
ShelfEnd shelf_peek(const char *directory, const char *rules,
                    Knowledge *knowledge, Text *error);
/* Writes it, and keeps the words and the name of the game of a file that is
   there. Returns false and sets `error` if it cannot be written. */
bool shelf_save(const char *directory, const Knowledge *knowledge, Text *error);

/* Adds the hashes of all files, the last used first. */
void shelf_list(const char *directory, TextVector *rules);

#endif
