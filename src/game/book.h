/* The book of a game: everything that is made once of its description and
   shared by all who play it. The net, an engine and what is cheap to make of
   them come at once, the analysis, the features and the wide programs when they
   are first asked for.

   A stage that needs more than the limits of memory and time allow, or fails
   otherwise, is given up: the book says why, and the description is as it was.
   Without a net, games are played by the rules engine and later stages return
   NULL. */
#ifndef TAFL_GAME_BOOK_H
#define TAFL_GAME_BOOK_H

#include "base/trial.h"
#include "engine/game.h"
#include "game/decisive.h"
#include "game/features.h"
#include "game/handover.h"
#include "game/symmetries.h"
#include "game/tasks.h"
#include "ground/ground.h"
#include "reduce/reduce.h"
#include "rules/rules.h"
#include "wide/tune.h"

typedef struct BookLimits {
  GroundLimits ground; /* its memory bounds every stage */
  double net_seconds;  /* for making the net; 0: no limit */
  double deadline;     /* of everything, by clock_now; 0: none */
  double reduce_seconds;
  double prove_seconds; /* of the analysis; 0: sampling is enough */
  RulesLimits rules;
  Handover *offer; /* gets the net before it is reduced; may be NULL */
  /* Directory of what was learned of games, borrowed; NULL: none. */
  const char *knowledge;
  bool idle; /* make no engine until one is asked for */
} BookLimits;

enum { BOOK_WORDS = 8 }; /* of lanes, unless others are asked for */

typedef enum {
  BOOK_NET,
  BOOK_ANALYSIS,
  BOOK_FEATURES,
  BOOK_CONES,
  BOOK_CAPTURING,
  BOOK_DECIDING,
  BOOK_SYMMETRIES,
  BOOK_STAGES
} BookStage;

/* A net in which some legal moves are preferred, and its programs. */
typedef struct BookVariant {
  Net net;      /* unless the programs are another variant's */
  Cones *cones; /* NULL: not made */
} BookVariant;

typedef struct Book {
  Description *description; /* borrowed */
  BookLimits limits;
  Text why[BOOK_STAGES]; /* a stage was given up; empty: it was not */
  char reason[200];      /* set by a stage that gives itself up */
  Tasks tasks;
  Handover *from; /* of book_init_early; else NULL */

  bool has_net;
  Net net;
  Net built; /* as it was before that, or empty if that is large */
  ReduceReport reductions; /* that made it */
  Game *spare;             /* for the first call of book_game, or NULL */
  uint64_t *zobrist;       /* by fluent */
  uint32_t words;          /* of a state */
  int *best_goal; /* by role: the highest in the rules; 100 without a net */

  /* Made when asked for; NULL before that. */
  Analysis *analysis;
  Features *features;
  Symmetries *symmetries;
  TuneOptions tune; /* of the programs */
  Cones *cones;
  bool tuned;       /* they are: have legs, and the fastest mode */
  Net preferring;   /* of `capturing`, if that is not `cones` */
  Cones *capturing; /* `cones` if there are no captures */
  BookVariant deciding[DECISIVE_KINDS]; /* `cones` if nothing is decisive */
  BookVariant deciding_captures[DECISIVE_KINDS];
} Book;

/* Makes the net if `ground` is set. */
void book_init(Book *book, Description *description, const BookLimits *limits,
               bool ground);
/* Makes a book of the net that another thread offers, as it was built: games
   can be played on it long before the reduced net is there. Without an offer
   the book has no net. */
void book_init_early(Book *book, Description *description,
                     const BookLimits *limits, Handover *from);
void book_free(Book *book);

/* Returns a new engine, scalar if there is a net and else on the rules; the
   caller deletes it before the book is freed. */
Game *book_game(Book *book);

/* The lazy stages return NULL if there is no net or the stage was given up.
   They must not be called by two threads at once. */
const Analysis *book_analysis(Book *book);
const Features *book_features(Book *book);
const Symmetries *book_symmetries(Book *book);
/* Returns them if there are any and they hold from the game's state on; else
   NULL. The game is an engine of this book. */
const Symmetries *book_symmetries_from(Book *book, Game *game);
/* The wide programs for vectors of `words` words of lanes (0: BOOK_WORDS), in
   the mode that is fastest on this machine. The first call decides for all
   later ones. */
const Cones *book_cones(Book *book, uint32_t words);
const Cones *book_tuned_cones(Book *book, const TuneOptions *options);
/* The same in a mode that any processor has, and without legs, in half the
   time: all that a card needs for its first kernel. The others then go on from
   there.
 */
const Cones *book_first_cones(Book *book, uint32_t words);
/* The same for a net that prefers captures, or the plain ones if there are
   none. */
const Cones *book_capturing(Book *book, uint32_t words);
/* The same for a net that prefers decisive moves, or the plain ones if there
   are none or they take too large a net; and for one that also prefers captures
   among them. */
const Cones *book_deciding(Book *book, uint32_t words, Decisive kind);
const Cones *book_deciding_captures(Book *book, uint32_t words, Decisive kind);

/* Runs the work as a stage of its own. Returns false and sets `why` if it was
   given up; `what` is its name there. */
bool book_try(Book *book, const char *what, TrialWork *work, void *context,
              Text *why);

#endif
