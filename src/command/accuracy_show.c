/* The table of tafl bench --accuracy, and the same as JSON, one line for each
   game. */
#include <math.h>
#include <stdio.h>

#include "command/accuracy.h"
#include "contest/tally.h"

static double share_of(const AccuracyCount *count, double *low, double *high) {
  Tally tally = {.games = count->asked,
                 .wins = count->right,
                 .losses = count->asked - count->right};
  tally_wilson(&tally, low, high);
  return tally_win_rate(&tally);
}

/* The chance of a division at least as uneven if both were equally good: the
   exact sign test on two sides. */
static double chance_of(const AccuracyPair *pair) {
  uint64_t n = pair->first + pair->second,
           least = pair->first < pair->second ? pair->first : pair->second;
  double sum = 0;
  for (uint64_t k = 0; k <= least; k++)
    sum += exp(lgamma((double)n + 1) - lgamma((double)k + 1) -
               lgamma((double)(n - k) + 1) - (double)n * log(2));
  return fmin(2 * sum, 1);
}

/* ---- JSON ---- */

static json_t *json_mean(double sum, uint64_t count) {
  return count ? json_real(sum / (double)count) : json_null();
}

static json_t *json_count(const AgentSpec *agent, const AccuracyCount *count) {
  double low, high, share = share_of(count, &low, &high);
  return json_pack("{s:o, s:I, s:I, s:f, s:[f, f], s:o, s:o}", "agent",
                   open_json_text(agent->text), "asked",
                   (json_int_t)count->asked, "right", (json_int_t)count->right,
                   "share", share, "wilson95", low, high, "value_error",
                   json_mean(count->error, count->valued), "value_bias",
                   json_mean(count->bias, count->valued));
}

static json_t *json_pairs(const AgentSpecs *agents, const AccuracyPair *pair) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < agents->count; i++)
    for (uint32_t k = i + 1; k < agents->count; k++, pair++)
      json_array_append_new(
          list, json_pack("{s:o, s:o, s:I, s:I, s:f}", "first",
                          open_json_text(agents->data[i].text), "second",
                          open_json_text(agents->data[k].text), "only_first",
                          (json_int_t)pair->first, "only_second",
                          (json_int_t)pair->second, "chance", chance_of(pair)));
  return list;
}

static void print_json(const AgentSpecs *agents, const AccuracyGame *game) {
  json_t *counts = json_array();
  for (uint32_t i = 0; i < agents->count; i++)
    json_array_append_new(counts,
                          json_count(&agents->data[i], &game->counts[i]));
  json_t *line =
      json_pack("{s:o, s:i, s:o, s:o}", "game", open_json_text(game->name),
                "positions", (int)game->positions, "agents", counts, "pairs",
                json_pairs(agents, game->pairs));
  json_dumpf(line, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
  putchar('\n');
  json_decref(line);
}

/* ---- the table ---- */

static int agent_width(const AgentSpecs *agents) {
  size_t width = 5;
  for (uint32_t i = 0; i < agents->count; i++)
    if (strlen(agents->data[i].text) > width)
      width = strlen(agents->data[i].text);
  return (int)width;
}

void accuracy_show_head(const Options *options, const AgentSpecs *agents) {
  if (options->json) return;
  printf("%-20s %-*s  asked   kept %%  95 %% by Wilson   value error    bias\n",
         "positions", agent_width(agents), "agent");
}

void accuracy_show_game(const Options *options, const AgentSpecs *agents,
                        const AccuracyGame *game) {
  if (options->json) {
    print_json(agents, game);
    fflush(stdout);
    return;
  }
  for (uint32_t i = 0; i < agents->count; i++) {
    const AccuracyCount *count = &game->counts[i];
    double low, high, share = share_of(count, &low, &high);
    printf("%-20s %-*s  %5llu  %6.1f   %5.1f to %5.1f", i ? "" : game->name,
           agent_width(agents), agents->data[i].text,
           (unsigned long long)count->asked, share, low, high);
    if (count->valued)
      printf("        %6.1f  %+6.1f", count->error / (double)count->valued,
             count->bias / (double)count->valued);
    putchar('\n');
  }
  fflush(stdout);
}

void accuracy_show_pairs(const Options *options, const AgentSpecs *agents,
                         const AccuracyGame *games, uint32_t count) {
  if (options->json || agents->count < 2) return;
  for (uint32_t i = 0, at = 0; i < agents->count; i++)
    for (uint32_t k = i + 1; k < agents->count; k++, at++) {
      printf("\nonly one of two keeps the value: %s, %s; chance if equal\n",
             agents->data[i].text, agents->data[k].text);
      for (uint32_t game = 0; game < count; game++) {
        const AccuracyPair *pair = &games[game].pairs[at];
        printf("%-20s %5llu %5llu   %.3f\n", games[game].name,
               (unsigned long long)pair->first,
               (unsigned long long)pair->second, chance_of(pair));
      }
    }
}
