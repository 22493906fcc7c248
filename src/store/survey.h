/* What the store holds of some series: how many games, played by which versions
   of the program, until when. */
#ifndef TAFL_STORE_SURVEY_H
#define TAFL_STORE_SURVEY_H

#include "store/results.h"

typedef struct SurveyVersion {
  Text name;
  uint64_t games;
} SurveyVersion;

typedef struct Survey {
  VECTOR(int64_t) series; /* that were added */
  VECTOR(SurveyVersion) versions;
  uint64_t games;
  Text last; /* when the last game ended: "2026-11-16T15:30:00Z"; or empty */
} Survey;

/* Returns the series with this key, 0 if there is none. If there are several,
   because the rules of the game were changed, it is the one made last. */
int64_t survey_find(Results *results, const char *key);
/* Adds the games of a series, once however often it is added. Returns false on
   failure of the store. */
bool survey_add(Survey *survey, Results *results, int64_t series);
void survey_free(Survey *survey);

#endif
