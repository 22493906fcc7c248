/* Pieces of a Markdown page, in the form that GitHub shows: wrapped paragraphs,
   cells of tables, anchors of headings, numbers. */
#ifndef TAFL_LAB_MARKDOWN_H
#define TAFL_LAB_MARKDOWN_H

#include <stdint.h>

#include "base/text.h"
#include "contest/estimate.h"

/* Appends text as a paragraph of lines that are at most 90 characters wide
   where words allow it, never broken where the next line would read as a list,
   a heading or a quotation. The first line begins with `first`, such as "- ",
   the others with as many spaces. A newline follows, no empty line. */
void markdown_paragraph(Text *out, const char *first, const char *text);
/* Appends text that is to stand in a table: `|` and `<` escaped, no newline. */
void markdown_cell(Text *out, const char *text);
/* Appends what a link to the heading has after the `#`. */
void markdown_anchor(Text *out, const char *heading);

/* Appends a whole number as 1,234,567. */
void markdown_count(Text *out, double number);
/* Appends "86.5 ± 4.7"; an interval that is not known is left out. Large values
   have separators and no decimals. */
void markdown_estimate(Text *out, Estimate estimate);
/* Appends a figure that was printed elsewhere, with the decimals that it had
   there, of at most two: "53.25 ± 6.4". The interval is in brackets, and has
   one decimal, if it was `derived`. */
void markdown_quote(Text *out, Estimate estimate, bool derived);

#endif
