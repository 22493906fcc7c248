/* Which word may have been meant by a mistyped one. */
#ifndef TAFL_BASE_SIMILAR_H
#define TAFL_BASE_SIMILAR_H

/* From this distance on, words are not similar. */
enum { SIMILAR_FAR = 3 };

/* Levenshtein distance of words of up to 31 bytes; longer ones are far from
   everything. */
unsigned similar_distance(const char *a, const char *b);

#endif
