/* What was learned of a game, apart from the game: weights by the names of
   their features, and how much work they rest on. Names are in canonical form
   (learn/canon.h), so that the same game in other words can use them; the words
   of the game are kept beside them, for other games and for people.

   As a file it is text of lines, checked as a whole:

     tafl knowledge 1
     rules HASH
     game NAME
     roles WORD...
     work GAMES STATES TARGETS ERROR EXPLAINED
     words COUNT                      then a word on each line: #1, #2, ...
     boards COUNT                     then for each of them:
     board FUNCTOR ARITY PLACE PIECE  arguments as bits in decimal
     axis WORD...                     one for each argument of PLACE, in order;
                                      without words: it has no order
     weights COUNT ROWS               then on each line:
     WEIGHT... NAME                   a weight for each row
     check HASH                       of all bytes before this line

   The number in the first line changes whenever this form, or the meaning of a
   feature, does. Anything else is refused: other versions, other checks, more
   than the limits below, weights that are not finite. */
#ifndef TAFL_LEARN_KNOWLEDGE_H
#define TAFL_LEARN_KNOWLEDGE_H

#include "learn/canon.h"
#include "learn/learner.h"

enum {
  KNOWLEDGE_BYTES = 16 << 20, /* of a file */
  KNOWLEDGE_WORDS = 1 << 17,
  KNOWLEDGE_BOARDS = 64,
  KNOWLEDGE_AXIS = 4096,      /* words */
  KNOWLEDGE_WEIGHTS = 1 << 18 /* features with weights */
};

typedef struct KnowledgeBoard {
  char *functor;
  uint32_t arity, place, piece;
  TextVector axes[PLACES_ARGUMENTS]; /* by argument; empty: no order */
} KnowledgeBoard;

typedef struct Knowledge {
  char rules[CANON_HASH + 1];
  Text game; /* its name, one word */
  TextVector roles;
  LearnerProgress work;
  TextVector words;
  VECTOR(KnowledgeBoard) boards;
  uint32_t rows;
  TextVector names;      /* of features */
  VECTOR(float) weights; /* by name and row */
} Knowledge;

void knowledge_free(Knowledge *knowledge);

/* Returns false and sets `error` to what is wrong with it, a part of a
   sentence, if the text is not a knowledge file; nothing to free. */
bool knowledge_parse(Knowledge *knowledge, const char *text, size_t length,
                     Text *error);
/* Returns false and sets `error` if it would be over the limits. */
bool knowledge_write(const Knowledge *knowledge, Text *text, Text *error);

/* Takes the weights that are not 0. */
void knowledge_take(Knowledge *knowledge, const Canon *canon,
                    const Linear *linear, const LearnerProgress *work);
/* Sets the weights of features that have the same names, and all others to 0;
   the evaluation is not frozen. Returns how many features were found. The game
   must have the same rules. */
uint32_t knowledge_give(const Knowledge *knowledge, const Canon *canon,
                        Linear *linear);

#endif
