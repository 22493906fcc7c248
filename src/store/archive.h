/* What the store has, to be looked through: matches page by page, one match
   whole, experiments with what was played of them. Newer ones have higher
   numbers and come first.

   A list goes through the matches from the newest on and stops when it has
   enough; what a filter names is looked up once. docs/measurements.md has how
   long that takes. */
#ifndef TAFL_STORE_ARCHIVE_H
#define TAFL_STORE_ARCHIVE_H

#include "store/results.h"

/* What a list is to have; NULL, "" and 0: anything. */
typedef struct ArchiveFilter {
  const char *game;   /* its name */
  const char *player; /* an agent, as it was written */
  const char *kind;   /* of an experiment */
  const char *text;   /* in the name of the game, a player or an experiment, in
                         any case */
  int64_t experiment;
  int64_t before; /* older than this match; 0: all */
  uint32_t limit; /* matches, at most */
} ArchiveFilter;

typedef struct ArchiveSide {
  uint32_t role;
  Text agent;  /* as it was written */
  double goal; /* NAN: the match ended with an error */
} ArchiveSide;

typedef struct ArchiveMatch {
  int64_t id;
  int64_t game; /* its number, for archive_rules */
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
  VECTOR(ArchiveSide) sides; /* by role */
} ArchiveMatch;

typedef VECTOR(ArchiveMatch) ArchiveMatches;

void archive_match_free(ArchiveMatch *match);
void archive_matches_free(ArchiveMatches *list); /* frees the matches too */

/* Appends matches. All functions return false on failure of the store. */
bool archive_list(Results *results, const ArchiveFilter *filter,
                  ArchiveMatches *list);
/* Reads one of them; `there` says whether it is. Free it either way. */
bool archive_match(Results *results, int64_t id, ArchiveMatch *match,
                   bool *there);
/* Appends the rules of a game. */
bool archive_rules(Results *results, int64_t game, Text *rules);

/* Append what matches were played of, or by, in alphabetical order. */
bool archive_games(Results *results, TextVector *names);
bool archive_players(Results *results, TextVector *names);

typedef struct ArchiveExperiment {
  int64_t id;
  Text kind, name, specification, made;
  uint64_t played; /* matches, those shared with other experiments included */
} ArchiveExperiment;

typedef VECTOR(ArchiveExperiment) ArchiveExperiments;

void archive_experiments_free(ArchiveExperiments *list);

/* Appends the experiments of a kind, or the one of a number, if it is there and
   of the kind. */
bool archive_experiments(Results *results, const char *kind,
                         ArchiveExperiments *list);
bool archive_experiment(Results *results, const char *kind, int64_t id,
                        ArchiveExperiments *list);
/* Appends the rules of a game of an experiment by the name that its series
   have; nothing if it was not begun. */
bool archive_experiment_rules(Results *results, int64_t experiment,
                              const char *game, Text *rules);

#endif
