/* Plays what is missing of an experiment: of each series the games that the
   store does not have yet, with several workers, and stores each match as it
   ends. Games are taken block by block, a few of each series in turn, so that
   an experiment that is stopped is balanced, and a worker keeps its game loaded
   for a while. */
#ifndef TAFL_LAB_RUNNER_H
#define TAFL_LAB_RUNNER_H

#include "contest/spread.h"
#include "lab/series.h"
#include "store/results.h"

typedef struct RunnerProgress {
  uint64_t done, all; /* games, those that were in the store included */
  uint64_t played;    /* by this run */
  double seconds;     /* of this run */
  double left;        /* estimated seconds; NAN: not known yet */
  uint32_t errors;
} RunnerProgress;

typedef struct RunnerOptions {
  uint32_t threads; /* workers of this process: at least one without `spread` */
  Spread *spread;   /* other ranks, which play too; NULL: there are none */
  uint32_t block;   /* rounds of a series in turn; 0: 5. A round has as many
                       games as the series has seats */
  double seconds;   /* no game begins later; 0: no limit */
  BookLimits limits;
  bool moves; /* store every move with its statistics */
  bool retry; /* games that ended with an error are played once more, */
  bool fresh; /* all games are, and the store forgets the old ones */
  const atomic_bool *stop;
  /* Sets `path` to the file of a game; returns false if there is none. NULL:
     names are files. */
  bool (*find)(void *context, const char *game, Text *path);
  /* Called by one thread at a time before the first and after each game;
     returns false if no more games are to begin. May be NULL. */
  bool (*progress)(void *context, const RunnerProgress *progress);
  void *context;
} RunnerOptions;

typedef enum {
  RUNNER_DONE,    /* everything is in the store */
  RUNNER_STOPPED, /* by the flag, the clock or `progress` */
  RUNNER_FAILED,  /* nothing was played; see `error` */
  RUNNER_BROKEN   /* on the way, by the store or a series that was given up;
                     what was played so far is stored; see `error` */
} RunnerEnd;

/* The series are those of the experiment; results_series gives them numbers.
   A series whose stored games were played by agents with other settings, such
   as a preset that has changed, is an error unless it is to be played afresh.
   Errors of single games are stored with the games and do not end the run; a
   series whose first games all fail is given up. Several processes may play
   for the same store: no game is played twice. */
RunnerEnd runner_run(Results *results, int64_t experiment,
                     const SeriesVector *list, const RunnerOptions *options,
                     Text *error);

#endif
