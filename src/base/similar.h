/* Similarity of words, to suggest what a mistyped one may mean. */
#ifndef TAFL_BASE_SIMILAR_H
#define TAFL_BASE_SIMILAR_H

enum { SIMILAR_FAR = 3 }; /* words at this distance are not similar */

/* Returns the Levenshtein distance of words of up to 31 bytes; longer words are
   far from everything. */
unsigned similar_distance(const char *a, const char *b);

#endif
