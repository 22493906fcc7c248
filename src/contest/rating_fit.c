/* Newton's method on the logarithm of the likelihood, which is concave; then
   two covariance matrices.

   Let r be ratings in logits, p = 1 / (1 + exp(b - a)) the expectation of a
   comparison of a and b, s its score. The gradient is the sum of s - p, and
   the information H the sum of w = p (1 - p) on the Laplacian of the pair.
   Within a component H is singular in the direction (1, ..., 1); adding 1 /
   size to all elements of the component leaves the solution of mean 0 and makes
   H invertible. A virtual draw is a comparison of score 1/2 with a rating of 0.

   If games were independent and without draws, H^-1 would be the covariance:
   the model's. Draws make scores vary less than that, pairs of one match depend
   on each other. The robust covariance H^-1 M H^-1 (Huber 1967; by clusters:
   Liang and Zeger 1986) has in M the squares of what was observed: the sum over
   clusters of g g', g being the gradient of the cluster. Since the fit has
   followed the data, residuals are too small: by the model their squares
   have the expectation w (1 - h), where h = w (r(a) - r(b))'s variance by H^-1
   is the leverage of a comparison. M therefore also contains, for each
   comparison, h w on the Laplacian of its pair. So a player with one game, a
   draw, has the variance of the model and not 0; if all have many games, it
   does not matter. */
#include "contest/rating_fit.h"

#include <math.h>
#include <stdlib.h>

#include "contest/matrix.h"

enum { STEPS = 200, HALVINGS = 60 };

static const double converged = 1e-11; /* logits */

/* ---- sums by pair ---- */

void rating_fit_init(RatingFit *fit, const Rating *rating) {
  uint32_t n = rating->count;
  size_t square = (size_t)n * n;
  *fit = (RatingFit){.count = n};
  fit->games = memory_new(square * sizeof *fit->games);
  fit->score = memory_new(square * sizeof *fit->score);
  fit->reaches = memory_new(square * sizeof *fit->reaches);
  fit->component = memory_new(n * sizeof *fit->component);
  fit->size = memory_new(n * sizeof *fit->size);
  fit->level = memory_new(n * sizeof *fit->level);
  fit->weight = memory_new(n * sizeof *fit->weight);
  fit->clusters = memory_new(n * sizeof *fit->clusters);
  fit->logit = memory_new(n * sizeof *fit->logit);
  fit->body = memory_new(n * sizeof *fit->body);
  fit->dispersion = memory_new(n * sizeof *fit->dispersion);
  for (uint32_t i = 0; i < rating->pairs.count; i++) {
    const RatingPair *pair = &rating->pairs.data[i];
    size_t ab = (size_t)pair->a * n + pair->b,
           ba = (size_t)pair->b * n + pair->a;
    fit->games[ab]++;
    fit->games[ba]++;
    fit->score[ab] += pair->score;
    fit->score[ba] += 1 - pair->score;
  }
}

void rating_fit_free(RatingFit *fit) {
  memory_delete(fit->games);
  memory_delete(fit->score);
  memory_delete(fit->reaches);
  memory_delete(fit->component);
  memory_delete(fit->size);
  memory_delete(fit->level);
  memory_delete(fit->weight);
  memory_delete(fit->clusters);
  memory_delete(fit->logit);
  memory_delete(fit->body);
  memory_delete(fit->dispersion);
}

/* ---- the maximum ---- */

static double expected(double lead) {
  return 1 / (1 + exp(-lead));
}

/* The logarithm of the expected score. */
static double log_expected(double lead) {
  return lead < 0 ? lead - log1p(exp(lead)) : -log1p(exp(-lead));
}

static double likelihood(const RatingFit *fit, const double *r) {
  double sum = 0;
  for (uint32_t a = 0; a < fit->count; a++) {
    const double *score = &fit->score[(size_t)a * fit->count];
    for (uint32_t b = 0; b < fit->count; b++)
      if (score[b] > 0) sum += score[b] * log_expected(r[a] - r[b]);
    sum += fit->weight[a] / 2 * (log_expected(r[a]) + log_expected(-r[a]));
  }
  return sum;
}

static void find_gradient(const RatingFit *fit, double *gradient) {
  const double *r = fit->logit;
  for (uint32_t a = 0; a < fit->count; a++) {
    size_t row = (size_t)a * fit->count;
    gradient[a] = fit->weight[a] * (0.5 - expected(r[a]));
    for (uint32_t b = 0; b < fit->count; b++)
      if (fit->games[row + b] > 0)
        gradient[a] +=
            fit->score[row + b] - fit->games[row + b] * expected(r[a] - r[b]);
  }
}

static double spread(double lead) {
  return expected(lead) * expected(-lead);
}

static void find_information(const RatingFit *fit, double *h) {
  const double *r = fit->logit;
  uint32_t n = fit->count;
  for (size_t i = 0; i < (size_t)n * n; i++) h[i] = 0;
  for (uint32_t a = 0; a < n; a++) {
    double *row = &h[(size_t)a * n];
    row[a] += fit->weight[a] * spread(r[a]);
    for (uint32_t b = 0; b < n; b++) {
      if (fit->component[a] != fit->component[b]) continue;
      double w = fit->games[(size_t)a * n + b] * spread(r[a] - r[b]);
      row[a] += w;
      row[b] -= w;
      if (fit->weight[a] == 0) row[b] += 1.0 / fit->size[a];
    }
  }
}

/* Goes along the step as far as it improves, but not beyond its end. Returns
   the largest change of a rating. */
static double advance(RatingFit *fit, const double *step, double *next) {
  double before = likelihood(fit, fit->logit), part = 1, change = 0;
  double noise = 1e-13 * fabs(before);
  for (int i = 0; i < HALVINGS; i++, part /= 2) {
    for (uint32_t a = 0; a < fit->count; a++)
      next[a] = fit->logit[a] + part * step[a];
    if (likelihood(fit, next) >= before - noise) break;
  }
  for (uint32_t a = 0; a < fit->count; a++) {
    change = fmax(change, fabs(next[a] - fit->logit[a]));
    fit->logit[a] = next[a];
  }
  return change;
}

void rating_fit_maximise(RatingFit *fit) {
  uint32_t n = fit->count;
  double *h = memory_new((size_t)n * n * sizeof *h);
  double *step = memory_new(n * sizeof *step);
  double *next = memory_new(n * sizeof *next);
  for (int i = 0; i < STEPS; i++) {
    find_gradient(fit, step);
    find_information(fit, h);
    matrix_factor(h, n);
    matrix_solve(h, n, step);
    if (advance(fit, step, next) < converged) break;
  }
  memory_delete(h);
  memory_delete(step);
  memory_delete(next);
}

/* ---- covariance ---- */

static int compare_numbers(double a, double b) {
  return (a > b) - (a < b);
}

/* By cluster; the rest only makes the order the same however it was before. */
static int compare_pairs(const void *left, const void *right) {
  const RatingPair *x = left, *y = right;
  if (x->grouped != y->grouped) return x->grouped - y->grouped;
  if (x->cluster != y->cluster) return x->cluster < y->cluster ? -1 : 1;
  if (x->a != y->a) return x->a < y->a ? -1 : 1;
  if (x->b != y->b) return x->b < y->b ? -1 : 1;
  return compare_numbers(x->score, y->score);
}

static bool same_cluster(const RatingPair *x, const RatingPair *y) {
  return x->grouped == y->grouped && x->cluster == y->cluster;
}

/* The gradient of one cluster: `values` of `players`, the others being 0. */
typedef struct Cluster {
  NumberVector players;
  double *values; /* by player */
  bool *has;      /* by player */
} Cluster;

static void cluster_add(Cluster *cluster, uint32_t player, double value) {
  if (!cluster->has[player]) vector_push(&cluster->players, player);
  cluster->has[player] = true;
  cluster->values[player] += value;
}

/* Adds g g' and empties the cluster. */
static void cluster_close(Cluster *cluster, RatingFit *fit, double *m) {
  const NumberVector *players = &cluster->players;
  for (uint32_t i = 0; i < players->count; i++)
    for (uint32_t j = 0; j < players->count; j++)
      m[(size_t)players->data[i] * fit->count + players->data[j]] +=
          cluster->values[players->data[i]] * cluster->values[players->data[j]];
  for (uint32_t i = 0; i < players->count; i++) {
    fit->clusters[players->data[i]]++;
    cluster->values[players->data[i]] = 0;
    cluster->has[players->data[i]] = false;
  }
  vector_clear(&cluster->players);
}

static void add_clusters(RatingFit *fit, Rating *rating, double *m) {
  Cluster cluster = {.values = memory_new(fit->count * sizeof *cluster.values),
                     .has = memory_new(fit->count * sizeof *cluster.has)};
  RatingPair *pairs = rating->pairs.data;
  uint32_t count = rating->pairs.count;
  if (count) qsort(pairs, count, sizeof *pairs, compare_pairs);
  for (uint32_t i = 0; i < count; i++) {
    double lead = fit->logit[pairs[i].a] - fit->logit[pairs[i].b];
    double rest = pairs[i].score - expected(lead);
    cluster_add(&cluster, pairs[i].a, rest);
    cluster_add(&cluster, pairs[i].b, -rest);
    if (i + 1 == count || !same_cluster(&pairs[i], &pairs[i + 1]))
      cluster_close(&cluster, fit, m);
  }
  vector_free(&cluster.players);
  memory_delete(cluster.values);
  memory_delete(cluster.has);
}

static double leverage(const RatingFit *fit, const double *inverse, uint32_t a,
                       uint32_t b) {
  size_t n = fit->count;
  return spread(fit->logit[a] - fit->logit[b]) *
         (inverse[a * n + a] + inverse[b * n + b] - 2 * inverse[a * n + b]);
}

/* What the squares of the residuals amount to, in units of the model's
   expectation: trace(H^-1 M) over the sum of leverages. */
static void find_dispersion(RatingFit *fit, const double *inverse,
                            const double *m) {
  uint32_t n = fit->count;
  double *total = memory_new(n * sizeof *total);
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = 0; b < n; b++) {
      size_t ab = (size_t)a * n + b;
      fit->dispersion[fit->component[a]] += inverse[ab] * m[ab];
      total[fit->component[a]] +=
          fit->games[ab] / 2 * leverage(fit, inverse, a, b);
    }
  for (uint32_t i = 0; i < fit->components; i++)
    fit->dispersion[i] =
        total[i] > 0 ? fmax(fit->dispersion[i] / total[i], 1) : 1;
  memory_delete(total);
}

static void add_leverage(const RatingFit *fit, const double *inverse,
                         double *m) {
  uint32_t n = fit->count;
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = 0; b < n; b++) {
      double games = fit->games[(size_t)a * n + b];
      if (games == 0) continue;
      double lost = games * leverage(fit, inverse, a, b) *
                    spread(fit->logit[a] - fit->logit[b]) *
                    fit->dispersion[fit->component[a]];
      m[(size_t)a * n + a] += lost;
      m[(size_t)a * n + b] -= lost;
    }
}

void rating_fit_vary(RatingFit *fit, Rating *rating, double **model,
                     double **robust) {
  uint32_t n = fit->count;
  size_t size = (size_t)n * n * sizeof(double);
  double *inverse = memory_new(size), *m = memory_new(size);
  find_information(fit, inverse);
  matrix_invert(inverse, n);
  add_clusters(fit, rating, m);
  find_dispersion(fit, inverse, m);
  add_leverage(fit, inverse, m);
  *robust = matrix_sandwich(inverse, m, n);
  *model = inverse;
  memory_delete(m);
}
