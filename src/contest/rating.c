/* Matches become comparisons of two players; rating_solve fits ratings to them
   and says how far these can be trusted.

   A 95 % interval is t standard errors to both sides by the robust covariance
   (see the file rating_fit.c), t being Student's with as many degrees of
   freedom as the player has clusters, less one. Few games leave the robust
   covariance uncertain and t large; but a score between 0 and 1 cannot vary
   more than one that is 0 or 1. So the interval is never wider than that of the
   model, 1.96 standard errors, with its variance multiplied by the dispersion
   if comparisons depend on each other. With virtual draws, residuals say too
   little, since some players have hardly any: there the model's covariance
   holds. */
#include "contest/rating.h"

#include <math.h>

#include "contest/estimate.h"
#include "contest/rating_fit.h"

static const double elo_per_logit = 173.71779276130073; /* 400 / ln 10 */
static const double normal = 1.959963984540054;         /* its 97.5 % point */

void rating_init(Rating *rating, uint32_t players) {
  *rating = (Rating){.count = players};
  rating->players = memory_new(players * sizeof *rating->players);
}

void rating_free(Rating *rating) {
  memory_delete(rating->players);
  memory_delete(rating->covariance);
  vector_free(&rating->pairs);
}

/* ---- matches ---- */

static bool seen_before(const RatingMatch *match, uint32_t side) {
  for (uint32_t i = 0; i < side; i++)
    if (match->sides[i].player == match->sides[side].player) return true;
  return false;
}

static double mean_goal(const RatingMatch *match, uint32_t player) {
  double sum = 0, count = 0;
  for (uint32_t i = 0; i < match->count; i++)
    if (match->sides[i].player == player) {
      sum += match->sides[i].goal;
      count++;
    }
  return sum / count;
}

static void count_result(RatingPlayer *player, double score) {
  player->wins += score > 0.5;
  player->draws += score == 0.5;
  player->losses += score < 0.5;
}

static void add_pair(Rating *rating, const RatingMatch *match, uint32_t a,
                     uint32_t b) {
  double x = mean_goal(match, a), y = mean_goal(match, b);
  double score = match->drawn || x == y ? 0.5 : x > y;
  RatingPair pair = {.a = a < b ? a : b,
                     .b = a < b ? b : a,
                     .score = a < b ? score : 1 - score,
                     .cluster = match->group ? match->group : rating->matches,
                     .grouped = match->group != 0};
  vector_push(&rating->pairs, pair);
  count_result(&rating->players[a], score);
  count_result(&rating->players[b], 1 - score);
}

void rating_add(Rating *rating, const RatingMatch *match) {
  uint32_t before = rating->pairs.count;
  for (uint32_t i = 0; i < match->count; i++)
    for (uint32_t j = 0; j < i; j++)
      if (!seen_before(match, i) && !seen_before(match, j))
        add_pair(rating, match, match->sides[i].player, match->sides[j].player);
  for (uint32_t i = 0; i < match->count; i++)
    if (rating->pairs.count > before && !seen_before(match, i))
      rating->players[match->sides[i].player].matches++;
  rating->matches++;
  rating->solved = false;
}

double rating_score(const RatingPlayer *player) {
  double wins = (double)player->wins, draws = (double)player->draws;
  return (wins + draws / 2) / (wins + draws + (double)player->losses);
}

/* ---- solving ---- */

/* Whom the ratings of a component are relative to: all, or the anchor. */
static double share(const RatingFit *fit, uint32_t player, uint32_t anchor) {
  if (anchor == RATING_MEAN || fit->component[player] != fit->component[anchor])
    return 1.0 / fit->size[player];
  return player == anchor;
}

static void refer(const RatingFit *fit, uint32_t anchor, double *matrix) {
  uint32_t n = fit->count;
  double *to = memory_new(n * sizeof *to);     /* covariance of a player with */
  double *self = memory_new(n * sizeof *self); /* the reference; its variance */
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = 0; b < n; b++)
      if (fit->component[a] == fit->component[b])
        to[a] += share(fit, b, anchor) * matrix[(size_t)a * n + b];
  for (uint32_t a = 0; a < n; a++)
    self[fit->component[a]] += share(fit, a, anchor) * to[a];
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = 0; b < n; b++)
      if (fit->component[a] == fit->component[b])
        matrix[(size_t)a * n + b] += self[fit->component[a]] - to[a] - to[b];
  memory_delete(to);
  memory_delete(self);
}

/* The main body: the largest level, or the anchor. */
static bool is_body(const RatingFit *fit, uint32_t player, uint32_t anchor) {
  uint32_t component = fit->component[player];
  return anchor == RATING_MEAN || component != fit->component[anchor]
             ? fit->level[player] == fit->body[component]
             : player == anchor;
}

static bool reached_by_body(const RatingFit *fit, uint32_t player,
                            uint32_t anchor) {
  for (uint32_t b = 0; b < fit->count; b++)
    if (fit->component[b] == fit->component[player] &&
        is_body(fit, b, anchor) &&
        !fit->reaches[(size_t)b * fit->count + player])
      return false;
  return true;
}

static bool reaches_body(const RatingFit *fit, uint32_t player,
                         uint32_t anchor) {
  for (uint32_t b = 0; b < fit->count; b++)
    if (fit->component[b] == fit->component[player] &&
        is_body(fit, b, anchor) &&
        !fit->reaches[(size_t)player * fit->count + b])
      return false;
  return true;
}

static double half_width(const RatingFit *fit, uint32_t player, uint32_t anchor,
                         double model, double robust) {
  uint64_t clusters = fit->clusters[player];
  double widest =
      normal * sqrt(model * fit->dispersion[fit->component[player]]);
  if (anchor != RATING_MEAN && fit->component[anchor] == fit->component[player])
    clusters =
        clusters < fit->clusters[anchor] ? clusters : fit->clusters[anchor];
  if (fit->weight[player] > 0 || clusters < 2) return widest;
  return fmin(widest, estimate_student(clusters - 1) * sqrt(robust));
}

static void set_player(const RatingFit *fit, uint32_t i, uint32_t anchor,
                       double model, double robust, RatingPlayer *player) {
  double half = elo_per_logit *
                half_width(fit, i, anchor, fmax(model, 0), fmax(robust, 0));
  double variance =
      fit->weight[i] > 0 ? model * fit->dispersion[fit->component[i]] : robust;
  player->component = fit->component[i];
  player->virtual_draw = fit->weight[i] > 0;
  player->error = elo_per_logit * sqrt(fmax(variance, 0));
  player->low = reaches_body(fit, i, anchor) ? player->elo - half : -INFINITY;
  player->high =
      reached_by_body(fit, i, anchor) ? player->elo + half : INFINITY;
  if (!player->matches) player->error = player->low = player->high = NAN;
}

static void set_ratings(const RatingFit *fit, uint32_t anchor, Rating *rating) {
  double *zero = memory_new(fit->count * sizeof *zero); /* by component */
  for (uint32_t a = 0; a < fit->count; a++)
    zero[fit->component[a]] += share(fit, a, anchor) * fit->logit[a];
  for (uint32_t a = 0; a < fit->count; a++)
    rating->players[a].elo =
        elo_per_logit * (fit->logit[a] - zero[fit->component[a]]);
  memory_delete(zero);
}

static void keep_covariance(const RatingFit *fit, const double *model,
                            const double *robust, Rating *rating) {
  size_t n = fit->count;
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b < n; b++)
      rating->covariance[a * n + b] =
          elo_per_logit * elo_per_logit *
          (fit->weight[a] > 0
               ? fit->dispersion[fit->component[a]] * model[a * n + b]
               : robust[a * n + b]);
}

void rating_solve(Rating *rating, uint32_t anchor) {
  RatingFit fit;
  double *model, *robust;
  size_t n = rating->count;
  rating_fit_init(&fit, rating);
  rating_fit_connect(&fit);
  rating_fit_maximise(&fit);
  rating_fit_vary(&fit, rating, &model, &robust);
  set_ratings(&fit, anchor, rating);
  refer(&fit, anchor, model);
  refer(&fit, anchor, robust);
  for (uint32_t a = 0; a < n; a++)
    set_player(&fit, a, anchor, model[a * n + a], robust[a * n + a],
               &rating->players[a]);
  memory_delete(rating->covariance);
  rating->covariance = memory_new(n * n * sizeof *rating->covariance);
  keep_covariance(&fit, model, robust, rating);
  rating->components = fit.components;
  rating->solved = true;
  memory_delete(model);
  memory_delete(robust);
  rating_fit_free(&fit);
}

/* ---- two players ---- */

bool rating_difference(const Rating *rating, uint32_t a, uint32_t b,
                       double *elo, double *error) {
  const RatingPlayer *x = &rating->players[a], *y = &rating->players[b];
  const double *c = rating->covariance;
  size_t n = rating->count;
  *elo = *error = NAN;
  if (!rating->solved || x->component != y->component) return false;
  *elo = x->elo - y->elo;
  *error = sqrt(fmax(c[a * n + a] + c[b * n + b] - 2 * c[a * n + b], 0));
  return true;
}

double rating_superiority(const Rating *rating, uint32_t a, uint32_t b) {
  double elo, error;
  if (!rating_difference(rating, a, b, &elo, &error)) return NAN;
  if (error == 0) return 0.5;
  return erfc(-elo / error / sqrt(2)) / 2;
}
