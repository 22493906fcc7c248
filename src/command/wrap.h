/* Text in lines of 80 columns. */
#ifndef TAFL_COMMAND_WRAP_H
#define TAFL_COMMAND_WRAP_H

#include "base/text.h"

enum { WRAP_WIDTH = 80 };

/* Columns that the text needs: characters of UTF-8. */
uint32_t wrap_columns(const char *text);
/* Appends blanks up to a column of the line. */
void wrap_to(Text *out, uint32_t column);
/* Appends words to the line that `out` ends in. Lines that would be too long
   are broken at blanks and continued at the column `indent`. */
void wrap_words(Text *out, const char *words, uint32_t indent);
/* The same for a list that may be broken only after its commas. */
void wrap_list(Text *out, const char *list, uint32_t indent);
/* Appends a row of two columns and a newline: the second begins at `indent`, on
   a line of its own if the first is too wide. */
void wrap_row(Text *out, const char *left, const char *right, uint32_t indent);

#endif
