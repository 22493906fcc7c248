/* Terms from text: facts and moves as callers write them. */
#ifndef TAFL_LIBRARY_FACTS_H
#define TAFL_LIBRARY_FACTS_H

#include "game/book.h"

/* Appends the term of each fact, without repetition, in the store of the book's
   description. A net is shared with other threads, so its store is only
   searched. Returns the index of the first text that is not a fact, or
   `count`. */
uint32_t facts_find(Book *book, const char *const *facts, uint32_t count,
                    TermVector *terms);

/* Appends a term as the library writes it: `( mark  1 1)` is `(mark 1 1)`.
   Returns false if the text is not a term. */
bool facts_normal(const char *text, Text *normal);

#endif
