/* A checker of XML, for pictures: is it well-formed, and where does its text
   stand? */
#ifndef TAFL_TEST_SUPPORT_MARKUP_H
#define TAFL_TEST_SUPPORT_MARKUP_H

#include "base/text.h"
#include "base/vector.h"

/* A <text> element of an SVG picture. */
typedef struct MarkupText {
  char content[512];               /* without entities and tooltips */
  double left, top, right, bottom; /* a box that holds it */
  bool slanted;                    /* the box is larger than the text */
} MarkupText;

typedef struct Markup {
  double width, height; /* of the viewBox */
  VECTOR(MarkupText) texts;
  uint32_t elements;
  char fault[256]; /* empty: none */
} Markup;

/* Reads a document. Returns false and sets `fault` if it is not well-formed. */
bool markup_read(Markup *markup, const char *document);
void markup_free(Markup *markup);

/* Fails the test if the document is not well-formed, if a number in it is not
   finite, or if a text overlaps another or leaves the picture. */
void markup_assert_picture(const Text *document);
/* Fails the test if no text of the picture is this one. */
void markup_assert_says(const Text *document, const char *content);

#endif
