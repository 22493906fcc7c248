/* Moves as people write and say them: e2e4, "e2 e4" or e2-e4 for (move e 2 e
   4), 4, d4 or "drop 4" for (drop 4), e7e8q for (promote e 7 e 8 queen). */
#ifndef TAFL_ABOUT_SPELL_H
#define TAFL_ABOUT_SPELL_H

#include "base/text.h"

/* How well the typed words fit a move, the best first. The name of a move is
   its first word; what is typed may begin behind it. */
typedef enum {
  SPELL_EXACT,    /* they are the words of the move */
  SPELL_SPLIT,    /* when letters and digits are told apart */
  SPELL_SQUEEZED, /* when all gaps are ignored: 22 for (mark 2 2) */
  SPELL_BEGIN,    /* they begin the move */
  SPELL_END,      /* they end it */
  SPELL_INSIDE,   /* they are somewhere in it */
  SPELL_SHORT,    /* they begin each of some words in a row: d4, e7e8q */
  SPELL_LOOSE,    /* they begin each of some words: e7q */
  SPELL_NONE
} SpellFit;

typedef struct SpellFound {
  SpellFit fit;       /* of those found: the best that there is */
  NumberVector moves; /* numbers of all moves that fit so well */
} SpellFound;

/* Compares what was typed with texts of moves in the spelling of the rules. If
   nothing fits, e4xd5 is taken for e4d5, and a2a3 for (move 1 2 1 3). The
   caller frees `found->moves`. */
void spell_find(const char *typed, const Text *moves, uint32_t count,
                SpellFound *found);
SpellFit spell_fit(const char *typed, const char *move);
/* Returns the number that would be taken for this move if it were typed alone,
   such as 4 for (drop 4) and 12 for (mark 1 2), or 0. */
uint32_t spell_number(const char *move);
/* Appends a move as people say it: "e2 e4", "drop 4", "castle short". */
void spell_say(const char *move, Text *text);
/* Appends a text without parentheses and extra blanks. */
void spell_plain(const char *from, Text *text);
/* Returns true if `text` begins with `typed`, in any case and whatever the
   gaps. */
bool spell_begins(const char *text, const char *typed);

#endif
