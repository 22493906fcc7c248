/* What the names of a description say to a person: whiteKing is a white king,
   box_count is a box count, blank is nothing. */
#ifndef TAFL_GAME_WORDS_H
#define TAFL_GAME_WORDS_H

#include <stdbool.h>

#include "base/text.h"

/* Appends the name in lower case, with spaces between its words. */
void words_write(const char *name, Text *text);
/* Returns whether the word says that nothing is there. */
bool words_blank(const char *word);
/* Returns whether the word names an obstacle. */
bool words_wall(const char *word);
/* Returns whether one of the name's words is a point of the compass. */
bool words_direction(const char *words);
/* Returns the parameters of the escape sequence for a colour's name, or NULL.
 */
const char *words_colour(const char *word);
/* Returns the rank of the side in the order in which its pieces are upper-case
   letters: white and light before others, black and dark after them. */
int words_side(const char *word);

#endif
