/* Text as it stands on a screen: columns are counted without escape sequences,
   blocks of lines stand side by side, and lists are wrapped. */
#ifndef TAFL_GAME_CANVAS_H
#define TAFL_GAME_CANVAS_H

#include "base/text.h"
#include "game/style.h"

/* Returns the columns that the bytes take: UTF-8 characters of one column each,
   escape sequences of none. */
uint32_t canvas_columns(const char *bytes, size_t length);
/* The widest line, and the number of lines. */
uint32_t canvas_width(const char *text);
uint32_t canvas_height(const char *text);

/* Appends blocks of lines side by side, as many in a row as fit the width. */
void canvas_arrange(const TextVector *blocks, uint32_t width, Text *text);
/* Appends "heading: item item …" in lines of at most `width` columns, further
   lines indented. Where more than `lines` lines would be needed, the list ends
   in "… and N more" (0: no limit). */
void canvas_list(const char *heading, const TextVector *items,
                 const BoardsStyle *style, uint32_t lines, Text *text);
/* Appends the text with lines cut to the width. */
void canvas_cut(const char *source, const BoardsStyle *style, Text *text);

#endif
