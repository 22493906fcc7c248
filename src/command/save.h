/* A match of people at the terminal as a match record. */
#ifndef TAFL_COMMAND_SAVE_H
#define TAFL_COMMAND_SAVE_H

#include "command/story.h"

/* Writes the moves so far; people play the roles that are `human`. Returns
   false and sets `error` if that fails. */
bool save_write(const Story *story, const RecordStart *start, const bool *human,
                const char *path, Text *error);
/* Appends a name for the file of a match that begins now:
   "chess-2026-11-16-1530.json". */
void save_name(const char *game, Text *path);

#endif
