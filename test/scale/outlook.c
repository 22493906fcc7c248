#include "scale/outlook.h"

#include <math.h>

const uint32_t outlook_repeats[OUTLOOK_REPEATS] = {BOUNDS_REPEAT, 16, 64};

static const double move_seconds = 10;

OutlookCrowds outlook_crowds(const Costs *costs, const GameCosts *game) {
  OutlookCrowds crowds = {0};
  for (uint32_t i = 0; i < OUTLOOK_CROWDS; i++) {
    CrowdPlan plan =
        crowding_plan(&costs->machine, game, 1U << i, BOUNDS_REPEAT);
    CrowdResult result = crowding_run(&plan);
    crowds.fine[i] = result.rate;
    crowds.waiting = result.waiting;
    crowds.bound = bounds_threads(&plan);
    crowds.least = bounds_threads_least(&plan);
    crowds.saturation = bounds_saturation(&plan);
    plan.one_lock = true;
    crowds.one[i] = crowding_run(&plan).rate;
  }
  return crowds;
}

/* Simulations per second of a host's threads. */
static double host_rate(const Costs *costs, const GameCosts *game) {
  CrowdPlan plan =
      crowding_plan(&costs->machine, game, OUTLOOK_THREADS, BOUNDS_REPEAT);
  return BOUNDS_REPEAT * crowding_run(&plan).rate;
}

OutlookLeaf outlook_leaf(const Costs *costs, const GameCosts *game) {
  OutlookLeaf leaf = {0};
  for (uint32_t k = 0; k < OUTLOOK_REPEATS; k++)
    for (uint32_t i = 0; i < OUTLOOK_POWERS; i++) {
      LeafPlan plan = leafwork_plan(costs, game, 1U << i, OUTLOOK_THREADS,
                                    outlook_repeats[k]);
      leaf.results[k][i] = leafwork_run(&plan);
      leaf.bounds[k] = bounds_leaf(&plan);
      if (i == 0) leaf.limits[k] = bounds_leaf_threads(&plan);
    }
  leaf.alone = host_rate(costs, game);
  return leaf;
}

OutlookRoot outlook_root(const Costs *costs, const GameCosts *game) {
  OutlookRoot root = {0};
  double rate = host_rate(costs, game);
  for (int back = 0; back < 2; back++)
    for (uint32_t i = 0; i < OUTLOOK_POWERS; i++) {
      RootPlan plan =
          rootwork_plan(costs, game, 1U << i, OUTLOOK_THREADS, back);
      plan.rate = rate;
      root.results[back][i] = rootwork_run(&plan);
      root.limits[back] = bounds_root_ranks(&plan);
    }
  return root;
}

double outlook_simulations(const OutlookLeaf *leaf, uint32_t k,
                           uint32_t power) {
  return leaf->alone + leaf->results[k][power].rate * outlook_repeats[k];
}

/* It takes more playouts when less than a fifth of the three pieces for each
   thread that are wanted is under way (src/search/courier.c). */
uint32_t outlook_choice(const OutlookLeaf *leaf, uint32_t power) {
  uint32_t k = 0;
  while (k < OUTLOOK_REPEATS - 1 && leaf->results[k][power].ranks < 3.0 / 5)
    k++;
  return k;
}

/* Doublings of one tree's simulations that leaves per second with some playouts
   each are worth (scale/gains.h), beside those of the master. */
static double leaf_doublings(const OutlookLeaf *leaf, uint32_t k,
                             const LeafResult *result, const Gains *gains) {
  double own = leaf->alone / BOUNDS_REPEAT, rate = own;
  double worth = own * pow(BOUNDS_REPEAT, gains->repeat.value), under_way = 0;
  if (result) {
    rate += result->rate;
    worth += result->rate * pow(outlook_repeats[k], gains->repeat.value);
    under_way = result->under_way;
  }
  return log2(worth) - gains->stale.value * under_way / (rate * move_seconds);
}

OutlookStrength outlook_strength(const OutlookLeaf *leaf,
                                 const OutlookRoot *root, const Gains *gains) {
  OutlookStrength strength = {0};
  double elo = gains->doubling.value;
  double alone = leaf_doublings(leaf, 0, NULL, gains);
  for (uint32_t i = 0; i < OUTLOOK_POWERS; i++) {
    for (uint32_t k = 0; k < OUTLOOK_REPEATS; k++)
      strength.leaf[k][i] =
          elo * (leaf_doublings(leaf, k, &leaf->results[k][i], gains) - alone);
    for (int back = 0; back < 2; back++) {
      const RootResult *result = &root->results[back][i];
      double ranks = (double)(1U << i), trees = 1 + ranks;
      double each = result->rate / ranks / leaf->alone;
      strength.root[back][i] =
          elo *
          (log2(each) + (back ? gains->runs : gains->root).value * log2(trees));
    }
  }
  return strength;
}
