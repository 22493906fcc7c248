/* All finders watch the same random games first. Then one prover tries to prove
   what they saw, one-hot groups first: later proofs assume them. */
#include "analyse/analysis.h"

#include "analyse/sums.h"
#include "base/clock.h"

enum {
  STEP_LIMIT = 1000, /* of a sampled game */
  FEWEST_STEPS = 5,  /* of 64 games, however long they take */
  MOST_STEPS = 600,
  LOOKS = 3 /* of all finders together at each fluent and move */
};

/* ---- goals ---- */

/* Sums the final goals of each role in a lane; returns the sum of all. */
static int take_goals(Analysis *analysis, const Sample *sample, uint64_t lane) {
  const Net *net = sample->net;
  int goals[2] = {0, 0}, all = 0;
  for (uint32_t i = 0; i < net->goals.count; i++) {
    const NetGoal *goal = &net->goals.data[i];
    if (!(sample_value(sample, goal->signal) & lane)) continue;
    all += goal->value;
    if (goal->role < 2) goals[goal->role] += goal->value;
  }
  for (int i = 0; i < 2; i++) {
    double value = i ? goals[0] - goals[1] : goals[0] + goals[1];
    analysis->moments[i][0] += value;
    analysis->moments[i][1] += value * value;
  }
  return all;
}

/* The variance of sums (0) or differences (1), times the number of games. */
static double spread(const Analysis *analysis, int which) {
  const double *moments = analysis->moments[which];
  return moments[1] - moments[0] * moments[0] / (double)analysis->ended;
}

static void look_at_goals(Analysis *analysis, const Sample *sample) {
  const Net *net = sample->net;
  for (uint32_t i = 0; i < net->goals.count; i++)
    for (uint32_t j = 0; j < i; j++)
      if (net->goals.data[i].role == net->goals.data[j].role &&
          (sample_value(sample, net->goals.data[i].signal) &
           sample_value(sample, net->goals.data[j].signal)))
        analysis->goals[net->goals.data[i].role].single = EVIDENCE_NONE;
  for (uint64_t lanes = sample->terminal; lanes; lanes &= lanes - 1) {
    int sum = take_goals(analysis, sample, lanes & (0 - lanes));
    if (analysis->ended++ == 0) analysis->sum = sum;
    if (sum != analysis->sum) analysis->constant_sum = EVIDENCE_NONE;
  }
}

/* Proves that no role ever has two goal values at once. The state may be
   terminal, so nothing is assumed but the groups. */
static void prove_goals(Analysis *analysis, Prover *prover) {
  const Net *net = analysis->net;
  NumberVector list = {0};
  for (uint32_t role = 0; role < net->role_count; role++) {
    vector_clear(&list);
    for (uint32_t i = 0; i < net->goals.count; i++)
      if (net->goals.data[i].role == role)
        vector_push(&list, net->goals.data[i].signal);
    if (!analysis->goals[role].single || !list.count) continue;
    prover_focus_anywhere(prover, list.data, list.count);
    if (prover_refutes_two(prover, list.data, list.count))
      analysis->goals[role].single = EVIDENCE_PROVED;
  }
  vector_free(&list);
}

static void conclude_goals(Analysis *analysis) {
  const Net *net = analysis->net;
  for (uint32_t role = 0; role < net->role_count; role++)
    analysis->goals[role].least = 100;
  for (uint32_t i = 0; i < net->goals.count; i++) {
    const NetGoal *goal = &net->goals.data[i];
    RoleGoals *own = &analysis->goals[goal->role];
    own->parts |= analysis->subgames.of_goal[i];
    if (goal->value < own->least) own->least = goal->value;
    if (goal->value > own->most) own->most = goal->value;
  }
}

/* ---- the whole ---- */

static void look(Analysis *analysis, Sample *sample, double seconds) {
  const Net *net = sample->net;
  uint64_t words = LOOKS * ((uint64_t)net->fluents.count + net->moves.count);
  for (uint32_t i = 0;
       i < FEWEST_STEPS || (i < MOST_STEPS && sample->seconds < seconds); i++) {
    sample_step(sample);
    turns_look(&analysis->turns, sample);
    changes_look(&analysis->changes, &analysis->onehot, sample);
    places_look(&analysis->places, sample);
    look_at_goals(analysis, sample);
    sample_looked(sample, words);
    analysis->states += 64;
  }
}

static void take_samples(Analysis *analysis, const AnalysisOptions *options) {
  const Net *net = analysis->net;
  double start = clock_now();
  Sample sample;
  sample_init(&sample, net, options->seed, STEP_LIMIT);
  onehot_init(&analysis->onehot, net, &analysis->description->rules.terms,
              &sample, options->sample_seconds / 2);
  onehot_unite(&analysis->onehot, net, &analysis->description->rules.terms,
               &sample);
  turns_init(&analysis->turns, net);
  changes_init(&analysis->changes, net);
  places_init(&analysis->places, analysis->description, net, &analysis->onehot);
  sample_free(&sample);
  sample_init(&sample, net, options->seed + 1, STEP_LIMIT);
  look(analysis, &sample, options->sample_seconds / 2);
  sample_free(&sample);
  analysis->sample_seconds = clock_now() - start;
}

static void conclude(Analysis *analysis) {
  turns_conclude(&analysis->turns, analysis->net);
  changes_conclude(&analysis->changes, &analysis->onehot, analysis->net);
  places_conclude(&analysis->places);
  subgames_init(&analysis->subgames, analysis->net, analysis->turns.waiting);
  conclude_goals(analysis);
  if (!analysis->ended || analysis->net->role_count < 2) {
    analysis->constant_sum = EVIDENCE_NONE;
    return;
  }
  double both = spread(analysis, 0) + spread(analysis, 1);
  analysis->conflict = both > 0 ? spread(analysis, 1) / both : 0;
}

static void prove(Analysis *analysis, const AnalysisOptions *options) {
  const Net *net = analysis->net;
  double start = clock_now();
  double seconds = options->prove_seconds;
  Prover *prover = prover_new(net, options->propagations, seconds * 0.6);
  onehot_prove(&analysis->onehot, net, prover);
  prover_add_seconds(prover, seconds * 0.4);
  turns_prove(&analysis->turns, net, prover);
  changes_prove(&analysis->changes, net, prover);
  prove_goals(analysis, prover);
  prover_delete(prover);
  if (analysis->constant_sum &&
      sums_prove(net, &analysis->onehot, analysis->sum, options->propagations,
                 seconds))
    analysis->constant_sum = EVIDENCE_PROVED;
  places_take_evidence(&analysis->places, &analysis->onehot, net,
                       &analysis->description->rules.terms);
  analysis->prove_seconds = clock_now() - start;
}

/* Finds the shortest counter that ends the game. */
static void find_end(Analysis *analysis) {
  for (uint32_t i = 0; i < analysis->changes.counters.count; i++) {
    const Counter *counter = &analysis->changes.counters.data[i];
    if (counter->ends != EVIDENCE_PROVED) continue;
    if (!analysis->ends || counter->count - 1 < analysis->longest)
      analysis->longest = counter->count - 1;
    analysis->ends = EVIDENCE_PROVED;
  }
}

void analysis_init(Analysis *analysis, const Net *net,
                   const Description *description,
                   const AnalysisOptions *options) {
  *analysis = (Analysis){
      .net = net, .description = description, .constant_sum = EVIDENCE_SAMPLED};
  analysis->goals = memory_new(net->role_count * sizeof *analysis->goals);
  for (uint32_t role = 0; role < net->role_count; role++)
    analysis->goals[role].single = EVIDENCE_SAMPLED;
  take_samples(analysis, options);
  conclude(analysis);
  prove(analysis, options);
  find_end(analysis);
}

void analysis_free(Analysis *analysis) {
  onehot_free(&analysis->onehot);
  turns_free(&analysis->turns);
  changes_free(&analysis->changes);
  subgames_free(&analysis->subgames);
  places_free(&analysis->places);
  memory_delete(analysis->goals);
}

bool analysis_goals_disjoint(const Analysis *analysis) {
  uint64_t seen = 0;
  bool disjoint = analysis->net->role_count > 1;
  for (uint32_t role = 0; role < analysis->net->role_count; role++) {
    uint64_t parts = analysis->goals[role].parts;
    disjoint &= parts && (seen & parts) == 0;
    seen |= parts;
  }
  return disjoint;
}
