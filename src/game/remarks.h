/* Facts that are not on a board, as lines of words: whose turn it is, counters,
   scores, what is left. */
#ifndef TAFL_GAME_REMARKS_H
#define TAFL_GAME_REMARKS_H

#include "game/family.h"
#include "game/glyph.h"

typedef struct Remarks {
  const Families *families;
  const Glyphs *glyphs;
  const BoardsStyle *style;
  const bool *listed; /* by family */
  uint32_t turn;      /* the family that says whose turn it is, or any number
                         beyond the last */
  uint32_t lines;     /* to fill; 0: no limit */
  bool brief;         /* families that need more than two lines are left out */
} Remarks;

/* Appends lines about the facts of listed families. Sets left_out[f] if the
   family's facts were left out. */
void remarks_write(const Remarks *remarks, const Term *facts, uint32_t count,
                   bool *left_out, Text *text);
/* Appends a text for each listed family that has facts, the turn first; those
   that would be left out are missing. */
void remarks_list(const Remarks *remarks, const Term *facts, uint32_t count,
                  TextVector *texts);
/* Appends the facts of all families that `shown` does not name, as terms. */
void remarks_write_rest(const Remarks *remarks, const Term *facts,
                        uint32_t count, const bool *shown, Text *text);

#endif
