/* The tables of docs/cluster.md. */
#include "scale/showing.h"

#include <math.h>

#include "scale/outlook.h"

static void write_rule(FILE *out, uint32_t columns) {
  for (uint32_t i = 0; i < columns; i++) fputs(i ? "---:|" : "|---|", out);
  fputc('\n', out);
}

/* ---- threads ---- */

static void write_crowd(FILE *out, const char *name, const char *how,
                        const double *rates) {
  fprintf(out, "| %s, %s | %.2f |", name, how, BOUNDS_REPEAT * rates[0] / 1e6);
  for (uint32_t i = 1; i < OUTLOOK_CROWDS; i++)
    fprintf(out, " %.1f |", rates[i] / rates[0]);
}

static void write_crowds(const Costs *costs, FILE *out) {
  fputs("\n## Threads\n\nMillion simulations a second of one thread, and how "
        "many times as fast more threads are, simulated; how long 64 threads "
        "wait for each other; the formula's limit for 64, and what sets it; "
        "the threads from which on the busiest lock has no time left.\n\n"
        "| game, locks | 1 |",
        out);
  for (uint32_t i = 1; i < OUTLOOK_CROWDS; i++) fprintf(out, " %u |", 1U << i);
  fputs(" waiting | limit | saturation |\n", out);
  write_rule(out, OUTLOOK_CROWDS + 4);
  for (uint32_t i = 0; i < costs->games.count; i++) {
    const GameCosts *game = &costs->games.data[i];
    OutlookCrowds crowds = outlook_crowds(costs, game);
    write_crowd(out, game->name, "of nodes", crowds.fine);
    fprintf(out, " %.0f %% | %.0f by %s | %.0f |\n", 100 * crowds.waiting,
            crowds.bound.rate / crowds.fine[0], crowds.bound.where,
            crowds.saturation);
    write_crowd(out, game->name, "one", crowds.one);
    fputs(" | | |\n", out);
  }
}

/* ---- one rank ---- */

/* Seconds a leaf of a thread that shares the tree with so many others. */
static double leaf_seconds(const Costs *costs, const GameCosts *game,
                           uint32_t threads) {
  CrowdPlan plan = crowding_plan(&costs->machine, game, threads, BOUNDS_REPEAT);
  double work = plan.descend + plan.expand + plan.playout + plan.backup;
  if (threads == 1) return work;
  return work + bounds_sharing_down(&plan) + bounds_sharing_up(&plan);
}

static void write_one(const Costs *costs, FILE *out) {
  fputs("\n## One rank\n\nOf one thread, beside a master of one thread: "
        "thousand simulations (of the courier: leaves) a second of processor "
        "time, by the formulas; `tools/ranks` measures the same.\n\n"
        "| game | leaf: master | courier | rank | root: master and rank |\n",
        out);
  write_rule(out, 5);
  for (uint32_t i = 0; i < costs->games.count; i++) {
    const GameCosts *game = &costs->games.data[i];
    LeafPlan plan = leafwork_plan(costs, game, 1, 1, BOUNDS_REPEAT);
    fprintf(out, "| %s | %.0f | %.0f | %.0f | %.0f |\n", game->name,
            BOUNDS_REPEAT / leaf_seconds(costs, game, 2) / 1e3,
            bounds_courier(&plan) / 1e3,
            BOUNDS_REPEAT * bounds_rank(&plan) / 1e3,
            BOUNDS_REPEAT / leaf_seconds(costs, game, 1) / 1e3);
  }
}

/* ---- leaf ---- */

static void write_leaf(const Costs *costs, FILE *out) {
  fprintf(
      out,
      "\n## Leaf\n\nMillion simulations a second of ranks of %u threads and "
      "the "
      "master, simulated; the threads of ranks from which on the courier and "
      "the foreman have no time left; what limits 1,024 "
      "ranks.\n\n| game, playouts a leaf | 0 |",
      OUTLOOK_THREADS);
  for (uint32_t i = 0; i < OUTLOOK_POWERS; i += 2)
    fprintf(out, " %u |", 1U << i);
  fputs(" courier | foreman | limit |\n", out);
  write_rule(out, OUTLOOK_POWERS / 2 + 6);
  for (uint32_t i = 0; i < costs->games.count; i++) {
    const GameCosts *game = &costs->games.data[i];
    OutlookLeaf leaf = outlook_leaf(costs, game);
    for (uint32_t k = 0; k < OUTLOOK_REPEATS; k++) {
      fprintf(out, "| %s, %u | %.1f |", game->name, outlook_repeats[k],
              leaf.alone / 1e6);
      for (uint32_t n = 0; n < OUTLOOK_POWERS; n += 2)
        fprintf(out, " %.1f |", outlook_simulations(&leaf, k, n) / 1e6);
      fprintf(out, " %.1f | %.0f | %s |\n", leaf.limits[k].courier,
              leaf.limits[k].foreman, leaf.bounds[k].where);
    }
  }
}

/* ---- root ---- */

static void write_root(const Costs *costs, FILE *out) {
  fputs(
      "\n## Root and runs\n\nMillion simulations a second of the ranks, share "
      "of the "
      "foreman's time, age of what the master knows, simulated; the ranks that "
      "the foreman can serve.\n\n| game, scheme | 16 | 256 | 1024 | foreman at "
      "1024 | age at "
      "1024 | foreman's limit |\n",
      out);
  write_rule(out, 7);
  for (uint32_t i = 0; i < costs->games.count; i++) {
    const GameCosts *game = &costs->games.data[i];
    OutlookRoot root = outlook_root(costs, game);
    for (int back = 0; back < 2; back++) {
      const RootResult *results = root.results[back];
      fprintf(
          out, "| %s, %s | %.0f | %.0f | %.0f | %.0f %% | %.0f ms | %.0f |\n",
          game->name, back ? "runs" : "root", results[4].rate / 1e6,
          results[8].rate / 1e6, results[10].rate / 1e6,
          100 * results[10].foreman, 1000 * results[10].age, root.limits[back]);
    }
  }
}

/* ---- messages ---- */

static void write_sizes(const Costs *costs, FILE *out) {
  fputs("\n## Messages\n\nBytes; a piece is ten milliseconds of one thread, "
        "at 4 playouts a leaf.\n\n| game | state | piece | result | roots |\n",
        out);
  write_rule(out, 5);
  for (uint32_t i = 0; i < costs->games.count; i++) {
    const GameCosts *game = &costs->games.data[i];
    LeafPlan leaf = leafwork_plan(costs, game, 1, 1, BOUNDS_REPEAT);
    RootPlan root = rootwork_plan(costs, game, 1, 1, false);
    fprintf(out, "| %s | %.0f | %.0f | %.0f | %.0f |\n", game->name,
            game->state, leaf.piece_head + leaf.leaves * leaf.piece_leaf,
            leaf.result_head + leaf.leaves * leaf.result_leaf, root.bytes);
  }
}

/* ---- strength ---- */

static const struct {
  const char *name, *meaning;
} series[] = {
    {"double-2048", "2,048 simulations against 1,024"},
    {"double-8192", "8,192 against 4,096"},
    {"double-32768", "32,768 against 16,384"},
    {"times-16", "16,384 against 1,024"},
    {"stale-256", "1/8 of the leaves under way against 1/32"},
    {"stale-1024", "1/2 against 1/32"},
    {"repeat-16", "512 leaves with 16 playouts against 4"},
    {"repeat-64", "512 leaves with 64 against 4"},
    {"more-4", "4 trees of 1,024 against one"},
    {"more-16", "16 trees of 1,024 against one"},
    {"root-4", "4 trees of 1,024 against one of 4,096"},
    {"root-16", "16 trees of 1,024 against one of 16,384"},
    {"runs-4", "the same 4 with 9 exchanges"},
    {"runs-16", "the same 16 with 9 exchanges"},
};

static void write_matches(const Costs *costs, const Matches *matches,
                          FILE *out) {
  fputs("\n## Matches\n\nThe lead of the first player in Elo, with 95 % "
        "intervals; "
        "`tools/strength` has the conditions.\n\n| series |",
        out);
  for (uint32_t i = 0; i < costs->games.count; i++)
    fprintf(out, " %s |", costs->games.data[i].name);
  fputs(" all |\n", out);
  write_rule(out, costs->games.count + 2);
  for (size_t k = 0; k < sizeof series / sizeof *series; k++) {
    fprintf(out, "| %s |", series[k].meaning);
    for (uint32_t i = 0; i <= costs->games.count; i++) {
      const char *game =
          i < costs->games.count ? costs->games.data[i].name : NULL;
      Match match = gains_pool(matches, series[k].name, game);
      Gain elo = gains_elo(&match);
      if (isfinite(elo.half))
        fprintf(out, " %.0f ± %.0f |", elo.value, elo.half);
      else
        fputs(" |", out);
    }
    fputc('\n', out);
  }
}

static void write_gain(FILE *out, const char *name, Gain gain) {
  fprintf(out, "| %s | %.2f ± %.2f |\n", name, gain.value, gain.half);
}

static void write_gains(const Gains *gains, FILE *out) {
  fputs("\n## Fitted to them\n\n| | |\n", out);
  write_rule(out, 2);
  write_gain(out, "Elo a doubling", gains->doubling);
  write_gain(out, "exponent of playouts a leaf", gains->repeat);
  write_gain(out, "doublings lost with all leaves under way", gains->stale);
  write_gain(out, "exponent of trees, root", gains->root);
  write_gain(out, "exponent of trees, runs", gains->runs);
}

static void write_elo_row(FILE *out, const char *game, const char *scheme,
                          const double *elo) {
  fprintf(out, "| %s, %s |", game, scheme);
  for (uint32_t n = 0; n < OUTLOOK_POWERS; n += 2)
    fprintf(out, " %+.0f |", elo[n]);
  fputc('\n', out);
}

static void write_strength(const Costs *costs, const Gains *gains, FILE *out) {
  fputs("\n## Strength\n\nElo over the master alone, at ten seconds a move, by "
        "ranks "
        "of 16 threads.\n\n"
        "| game, scheme |",
        out);
  for (uint32_t n = 0; n < OUTLOOK_POWERS; n += 2)
    fprintf(out, " %u |", 1U << n);
  fputc('\n', out);
  write_rule(out, OUTLOOK_POWERS / 2 + 2);
  for (uint32_t i = 0; i < costs->games.count; i++) {
    const GameCosts *game = &costs->games.data[i];
    OutlookLeaf leaf = outlook_leaf(costs, game);
    OutlookRoot root = outlook_root(costs, game);
    OutlookStrength strength = outlook_strength(&leaf, &root, gains);
    for (uint32_t k = 0; k < OUTLOOK_REPEATS; k++) {
      char scheme[32];
      snprintf(scheme, sizeof scheme, "leaf × %u", outlook_repeats[k]);
      write_elo_row(out, game->name, scheme, strength.leaf[k]);
    }
    double chosen[OUTLOOK_POWERS];
    for (uint32_t n = 0; n < OUTLOOK_POWERS; n++)
      chosen[n] = strength.leaf[outlook_choice(&leaf, n)][n];
    write_elo_row(out, game->name, "leaf as it chooses", chosen);
    write_elo_row(out, game->name, "root", strength.root[0]);
    write_elo_row(out, game->name, "runs", strength.root[1]);
  }
}

void showing_tables(const Costs *costs, const Matches *matches, FILE *out) {
  fputs("# Tables of the model of scaling\n\nWritten by `build/tools/scale "
        "docs/cluster-costs.txt docs/cluster-strength.txt`; "
        "[cluster.md](cluster.md) says what they mean.\n",
        out);
  write_crowds(costs, out);
  write_one(costs, out);
  write_leaf(costs, out);
  write_root(costs, out);
  write_sizes(costs, out);
  if (!matches->count) return;
  Gains gains = gains_fit(matches);
  write_matches(costs, matches, out);
  write_gains(&gains, out);
  write_strength(costs, &gains, out);
}
