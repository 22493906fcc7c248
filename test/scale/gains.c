#include "scale/gains.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- reading ---- */

static bool is_match(const Match *match) {
  return match->games > 0 && match->wins >= 0 && match->draws >= 0 &&
         match->losses >= 0 &&
         match->wins + match->draws + match->losses == match->games;
}

bool gains_parse(Matches *matches, const char *text, Text *error) {
  char *copy = strdup(text), *rest = copy;
  uint32_t number = 0;
  bool fine = true;
  for (char *line; fine && (line = strsep(&rest, "\n"));) {
    char series[32], game[64];
    Match match = {0};
    number++;
    if (!*line || *line == '#') continue;
    fine = sscanf(line, "%31s %63s %lf %lf %lf %lf", series, game, &match.games,
                  &match.wins, &match.draws, &match.losses) == 6 &&
           is_match(&match);
    if (!fine) {
      text_format(error, "line %u: not a series of games: %s", number, line);
      continue;
    }
    match.series = strdup(series);
    match.game = strdup(game);
    vector_push(matches, match);
  }
  free(copy);
  return fine;
}

void gains_free(Matches *matches) {
  for (uint32_t i = 0; i < matches->count; i++) {
    free(matches->data[i].series);
    free(matches->data[i].game);
  }
  vector_free(matches);
}

/* ---- one series ---- */

static const double z = 1.96; /* 95 % of a normal distribution */

/* With four virtual games, two won and two lost (Agresti and Coull 1998), so
   that no result is infinite; the logistic scale of Elo, by the slope of the
   curve. */
Gain gains_elo(const Match *match) {
  double games = match->games + 4;
  if (!match->games) return (Gain){0, INFINITY};
  double score = (match->wins + 2 + match->draws / 2) / games;
  double squares = (match->wins + 2 + match->draws / 4) / games;
  double deviation = sqrt((squares - score * score) / games);
  double slope = 400 / log(10) / (score * (1 - score));
  return (Gain){400 * log10(score / (1 - score)), z * deviation * slope};
}

Match gains_pool(const Matches *matches, const char *series, const char *game) {
  Match sum = {0};
  for (uint32_t i = 0; i < matches->count; i++) {
    const Match *match = &matches->data[i];
    if (strncmp(match->series, series, strlen(series)) != 0) continue;
    if (game && strcmp(match->game, game) != 0) continue;
    sum.games += match->games;
    sum.wins += match->wins;
    sum.draws += match->draws;
    sum.losses += match->losses;
  }
  return sum;
}
