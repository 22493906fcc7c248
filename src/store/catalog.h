/* What the store has, to be looked through: matches page by page, one match
   whole, experiments with what was played of them. Newer ones have higher
   numbers and come first.

   A list goes through the matches from the newest on and stops when it has
   enough; what a filter names is looked up once. docs/measurements.md has how
   long that takes. */
#ifndef TAFL_STORE_CATALOG_H
#define TAFL_STORE_CATALOG_H

#include "store/results.h"

/* What a list is to have; NULL, "" and 0: anything. */
typedef struct CatalogFilter {
  const char *game;   /* its name */
  const char *player; /* an agent, as it was written */
  const char *kind;   /* of an experiment */
  const char *text;   /* in the name of the game, a player or an experiment, in
                         any case */
  int64_t experiment;
  int64_t before; /* older than this match; 0: all */
  uint32_t limit; /* matches, at most */
} CatalogFilter;

typedef struct CatalogSide {
  uint32_t role;
  Text agent;  /* as it was written */
  double goal; /* NAN: the match ended with an error */
} CatalogSide;

typedef struct CatalogMatch {
  int64_t id;
  int64_t game; /* its number, for catalog_rules */
  Text name;    /* of the game */
  Text ending;  /* match_end_name */
  Text error, finished;
  Text seed; /* hexadecimal */
  Text key;  /* of the series */
  uint32_t steps;
  double seconds;
  int64_t experiment; /* one that has the match, if possible of the filter; 0:
                         none */
  Text kind, title;   /* of the experiment */
  VECTOR(CatalogSide) sides; /* by role */
} CatalogMatch;

typedef VECTOR(CatalogMatch) CatalogMatches;

void catalog_match_free(CatalogMatch *match);
void catalog_matches_free(CatalogMatches *list); /* frees the matches too */

/* Appends matches. All functions return false on failure of the store. */
bool catalog_list(Results *results, const CatalogFilter *filter,
                  CatalogMatches *list);
/* Reads one of them; `there` says whether it is. Free it either way. */
bool catalog_match(Results *results, int64_t id, CatalogMatch *match,
                   bool *there);
/* Appends the rules of a game. */
bool catalog_rules(Results *results, int64_t game, Text *rules);

/* Append what matches were played of, or by, in alphabetical order. */
bool catalog_games(Results *results, TextVector *names);
bool catalog_players(Results *results, TextVector *names);

typedef struct CatalogExperiment {
  int64_t id;
  Text kind, name, specification, made;
  uint64_t played; /* matches, those shared with other experiments included */
} CatalogExperiment;

typedef VECTOR(CatalogExperiment) CatalogExperiments;

void catalog_experiments_free(CatalogExperiments *list);

/* Appends the experiments of a kind, or the one of a number, if it is there and
   of the kind. */
bool catalog_experiments(Results *results, const char *kind,
                         CatalogExperiments *list);
bool catalog_experiment(Results *results, const char *kind, int64_t id,
                        CatalogExperiments *list);
/* Appends the rules of a game of an experiment by the name that its series
   have; nothing if it was not begun. */
bool catalog_experiment_rules(Results *results, int64_t experiment,
                              const char *game, Text *rules);

#endif
