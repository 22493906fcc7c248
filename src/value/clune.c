/* The model takes a game for a simpler one, of which three numbers are known in
   each state: payoff P, control C and termination T.

     value = T · P + (1 − T) · ((50 + 50 · C) · Sc + Sp · P)

   P is the goal that the role can expect, from 0 to 100. C, from −1 to 1, says
   which role has more moves to choose from. T, from 0 to 1, says how much of
   the game is over. Sp and Sc are the stabilities of P and C, divided by their
   sum: near the end payoff alone counts, before it also control, the more the
   less it changes from one state to the next.

   P, the number of moves and T are sums of weighted features (value/candidates,
   value/model), found in the first half of the random games by stability and
   correlation, and weighed in the second by least squares. Where it is known
   how many moves a role has, because it is its turn, that is used instead. Sums
   over facts are kept as whole numbers from state to state; only partial
   solutions are made anew.

   Known of the paper are the three kinds of features, stability, the three
   parts of the model and that they are combined like this. Not known to us, and
   chosen here: the thresholds below; that every feature that goes with the
   payoff may be part of P, and that it is compared among states of the same
   number of steps; that T is fitted to the share of the game that is over; and
   that control is dropped where more moves do not go with more payoff. Roles
   beyond two are compared with the mean of the others. */
#include "value/clune.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "value/clune_play.h"
#include "value/model.h"

enum {
  UNIT = 4096, /* whole numbers to 1 in a sum */
  MOST_ROLES = 8,
  MOST_TARGETS = 2 * MOST_ROLES + 1,
  CHOSEN_FOR_EACH = 20, /* features, for each target */
  SHOWN = 10,           /* of them as text, the most correlated */
  MOST_CHOSEN = 64
};

/* Features below are not used: they change as much from one state to the next
   as from one game to another. */
static const double stability_least = 1;
/* Correlations below this many standard errors are chance; games, not states,
   are independent. */
static const double errors_least = 1.5;
typedef struct CluneFeature {
  uint32_t candidate;
  double stability;
  double correlation[MOST_TARGETS];
  double weight[MOST_TARGETS];
} CluneFeature;

typedef struct Clune {
  Evaluation evaluation;
  const Analysis *analysis; /* borrowed */
  Candidates candidates;
  uint32_t rows;    /* payoffs: one for two roles of constant sum */
  uint32_t targets; /* payoffs, moves by role, termination */
  uint32_t count;   /* of features */
  CluneFeature *features;
  bool partial; /* some are partial solutions */
  double constant[MOST_TARGETS], explained[MOST_TARGETS];
  double payoff_share, control_share;     /* Sp and Sc */
  double control_correlation[MOST_ROLES]; /* of moves with payoff */
  Model control[MOST_ROLES];              /* scratch of making */
  int32_t *frozen;                        /* by fluent and target */
  uint64_t games, states;                 /* played */
} Clune;

/* Correlations below are taken for chance. */
static double correlation_least(const Clune *clune) {
  return errors_least / sqrt(clune->games < 4 ? 4 : (double)clune->games);
}

static uint32_t target_moves(const Clune *clune, uint32_t role) {
  return clune->rows + role;
}
static uint32_t target_over(const Clune *clune) {
  return clune->targets - 1;
}

/* ---- control ---- */

/* Numbers of moves are a feature of their own, known only where a role has a
   choice: a model for each role of one feature, and one level for each number
   of steps. */
static void add_moves(Clune *clune, const CluneGame *game) {
  uint32_t roles = clune->evaluation.role_count;
  for (uint32_t r = 0; r < roles; r++) {
    float before = -1;
    for (uint32_t s = 0; s < game->steps; s++) {
      float moves = (float)game->legal[s * roles + r];
      if (moves < 2) continue;
      model_see(&clune->control[r], s, &moves, before < 0 ? NULL : &before);
      model_tell(&clune->control[r], 0, s, &moves, game->goals[r]);
      before = moves;
    }
  }
}

/* Returns the mean stability of the numbers of moves, or 0 if for some role
   more moves do not go with more payoff. */
static double control_stability(Clune *clune) {
  uint32_t roles = clune->evaluation.role_count;
  double sum = 0;
  bool fine = roles > 1;
  for (uint32_t r = 0; r < roles; r++) {
    model_conclude(&clune->control[r]);
    clune->control_correlation[r] = model_correlation(&clune->control[r], 0, 0);
    fine &= clune->control_correlation[r] >= correlation_least(clune);
    sum += model_stability(&clune->control[r], 0) / roles;
    model_free(&clune->control[r]);
  }
  return fine ? sum : 0;
}

/* ---- random games ---- */

/* Adds the last game; `list` has the candidates that are features of the
   model, or is NULL if all are. */
static void add_game(const Clune *clune, const ClunePlay *play, Model *model,
                     const uint32_t *list, float *rows[2]) {
  const CluneGame *game = &play->last;
  uint32_t all = play->candidates->list.count;
  uint32_t roles = clune->evaluation.role_count;
  for (uint32_t s = 0; s < game->steps; s++) {
    const float *values = game->values + (size_t)s * all;
    float *x = rows[s % 2];
    for (uint32_t i = 0; i < model->features; i++)
      x[i] = values[list ? list[i] : i];
    model_see(model, s, x, s ? rows[1 - s % 2] : NULL);
    for (uint32_t r = 0; r < clune->rows; r++)
      model_tell(model, r, s, x, game->goals[r]);
    for (uint32_t r = 0; r < roles; r++)
      if (game->legal[s * roles + r] > 1)
        model_tell(model, target_moves(clune, r), s, x,
                   game->legal[s * roles + r]);
    model_tell(model, target_over(clune), s, x,
               (double)(s + 1) / (double)(game->steps + 1));
  }
}

static void play_games(Clune *clune, ClunePlay *play, double share,
                       Model *model, const uint32_t *list) {
  float *rows[2];
  for (int i = 0; i < 2; i++)
    rows[i] = memory_new((model->features + 1) * sizeof **rows);
  while (!clune_play_spent(play, share))
    if (clune_play_game(play)) {
      clune->games++;
      add_game(clune, play, model, list, rows);
      add_moves(clune, &play->last);
    } else if (game_failed(play->game)) {
      break;
    }
  memory_delete(rows[0]);
  memory_delete(rows[1]);
}

/* ---- choosing features ---- */

/* How good a candidate is for a target; 0: not good enough. */
static double merit(const Clune *clune, const Model *model, uint32_t target,
                    uint32_t candidate) {
  double stability = model_stability(model, candidate);
  double correlation = fabs(model_correlation(model, target, candidate));
  if (stability < stability_least || correlation < correlation_least(clune))
    return 0;
  return correlation * stability / (stability + stability_least);
}

/* Marks the best candidates for the target. */
static void choose_for(const Clune *clune, const Model *model, uint32_t target,
                       bool *chosen, uint32_t *count) {
  double *merits = memory_new((model->features + 1) * sizeof *merits);
  for (uint32_t i = 0; i < model->features; i++)
    merits[i] = merit(clune, model, target, i);
  for (uint32_t n = 0; n < CHOSEN_FOR_EACH && *count < MOST_CHOSEN; n++) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < model->features; i++)
      if (merits[i] > merits[best]) best = i;
    if (!model->features || merits[best] <= 0) break;
    merits[best] = 0;
    *count += !chosen[best];
    chosen[best] = true;
  }
  memory_delete(merits);
}

static void choose_features(Clune *clune, const Model *model) {
  bool *chosen = memory_new((model->features + 1) * sizeof *chosen);
  uint32_t count = 0;
  for (uint32_t t = 0; t < clune->targets; t++)
    choose_for(clune, model, t, chosen, &count);
  clune->features = memory_new((count + 1) * sizeof *clune->features);
  for (uint32_t i = 0; i < model->features; i++) {
    if (!chosen[i]) continue;
    CluneFeature *feature = &clune->features[clune->count++];
    feature->candidate = i;
    feature->stability = model_stability(model, i);
    for (uint32_t t = 0; t < clune->targets; t++)
      if (merit(clune, model, t, i) > 0)
        feature->correlation[t] = model_correlation(model, t, i);
  }
  memory_delete(chosen);
}

/* ---- weights ---- */

static void fit(Clune *clune, const Model *model, uint32_t target) {
  bool *used = memory_new((clune->count + 1) * sizeof *used);
  double *weights = memory_new((clune->count + 1) * sizeof *weights);
  for (uint32_t i = 0; i < clune->count; i++)
    used[i] = clune->features[i].correlation[target] != 0;
  clune->explained[target] =
      model_fit(model, target, used, &clune->constant[target], weights);
  for (uint32_t i = 0; i < clune->count; i++)
    clune->features[i].weight[target] = weights[i];
  memory_delete(used);
  memory_delete(weights);
}

/* Sets the shares of payoff and control by their stabilities. */
static void set_shares(Clune *clune, const Model *model) {
  double *payoff = memory_new((clune->count + 1) * sizeof *payoff);
  for (uint32_t i = 0; i < clune->count; i++)
    payoff[i] = clune->features[i].weight[0];
  double of_payoff = model_sum_stability(model, 0, payoff);
  double of_control = control_stability(clune);
  if (of_payoff <= 0) of_payoff = stability_least / 10;
  clune->payoff_share = of_payoff / (of_payoff + of_control);
  clune->control_share = 1 - clune->payoff_share;
  clune->evaluation.mobility = clune->control_share > 0;
  memory_delete(payoff);
}

static int32_t whole(double value) {
  const double most = 1 << 20;
  return (int32_t)lrint(value > most ? most : value < -most ? -most : value);
}

static void freeze(Clune *clune) {
  const Candidates *candidates = &clune->candidates;
  uint32_t fluents = clune->analysis->net->fluents.count;
  uint32_t *place =
      memory_new((candidates->list.count + 1) * sizeof *place); /* + 1 */
  clune->frozen = memory_new(((size_t)fluents * clune->targets + 1) *
                             sizeof *clune->frozen);
  for (uint32_t i = 0; i < clune->count; i++) {
    uint32_t candidate = clune->features[i].candidate;
    place[candidate] = i + 1;
    clune->partial |=
        candidates->list.data[candidate].class == CANDIDATE_PARTIAL;
  }
  for (uint32_t f = 0; f < fluents; f++)
    for (uint32_t t = 0; t < clune->targets; t++) {
      double sum = 0;
      for (uint32_t i = candidates->first.data[f];
           i < candidates->first.data[f + 1]; i++) {
        const CandidateTerm *term = &candidates->terms.data[i];
        uint32_t own = place[term->candidate];
        if (own) sum += term->weight * clune->features[own - 1].weight[t];
      }
      clune->frozen[(size_t)f * clune->targets + t] = whole(sum * UNIT);
    }
  memory_delete(place);
}

/* ---- states ---- */

static void update(const Evaluation *evaluation, const uint64_t *from,
                   const uint64_t *to, int32_t *sums) {
  const Clune *clune = (const Clune *)evaluation;
  for (uint32_t w = 0; w < evaluation->words; w++)
    for (uint64_t changed = (from ? from[w] : 0) ^ to[w]; changed;) {
      uint32_t bit = bits_take(&changed);
      int32_t sign = to[w] >> bit & 1 ? 1 : -1;
      const int32_t *own =
          clune->frozen + ((size_t)w * 64 + bit) * clune->targets;
      for (uint32_t t = 0; t < clune->targets; t++) sums[t] += sign * own[t];
    }
}

static void begin(const Evaluation *evaluation, const uint64_t *state,
                  int32_t *sums) {
  memset(sums, 0, evaluation->sum_count * sizeof *sums);
  update(evaluation, NULL, state, sums);
}

static void add_partial(const Clune *clune, const uint64_t *state, double *y) {
  const Candidates *candidates = &clune->candidates;
  float degrees[2 * CONE_LARGEST + 2];
  degree_run(&candidates->degree, state, degrees);
  for (uint32_t i = 0; i < clune->count; i++) {
    const CluneFeature *feature = &clune->features[i];
    const Candidate *candidate = &candidates->list.data[feature->candidate];
    if (candidate->class != CANDIDATE_PARTIAL) continue;
    double degree =
        (double)degrees[candidates->cone.outputs.data[candidate->output]];
    for (uint32_t t = 0; t < clune->targets; t++)
      y[t] += feature->weight[t] * degree;
  }
}

static double clamp(double value, double least, double most) {
  return value < least ? least : value > most ? most : value;
}

/* The control of a role: its moves against the mean of the others'. */
static double control_of(const Clune *clune, const double *y,
                         const uint32_t *legal, uint32_t role) {
  uint32_t roles = clune->evaluation.role_count;
  double own = 0, others = 0;
  for (uint32_t r = 0; r < roles; r++) {
    double moves = y[target_moves(clune, r)];
    if (legal && legal[r] > 1) moves = legal[r];
    if (moves < 1) moves = 1;
    if (r == role)
      own = moves;
    else
      others += moves / (roles - 1);
  }
  return (own - others) / (own + others);
}

static void values(const Evaluation *evaluation, const uint64_t *state,
                   const int32_t *sums, const uint32_t *legal, float *values) {
  const Clune *clune = (const Clune *)evaluation;
  double y[MOST_TARGETS];
  for (uint32_t t = 0; t < clune->targets; t++)
    y[t] = clune->constant[t] + (double)sums[t] / UNIT;
  if (clune->partial) add_partial(clune, state, y);
  double over = clamp(y[target_over(clune)], 0, 1);
  for (uint32_t r = 0; r < clune->rows; r++) {
    double least = clune->analysis->goals[r].least;
    double most = clune->analysis->goals[r].most;
    double payoff = clamp(y[r], least, most);
    double control =
        clune->control_share > 0 ? control_of(clune, y, legal, r) : 0;
    control = (least + most) / 2 + (most - least) / 2 * control;
    double early =
        control * clune->control_share + payoff * clune->payoff_share;
    values[r] = (float)(over * payoff + (1 - over) * early);
  }
  if (clune->rows < evaluation->role_count)
    values[1] = (float)clune->analysis->sum - values[0];
}

/* ---- text ---- */

static const char *target_name(const Clune *clune, uint32_t target) {
  return target < clune->rows           ? "payoff"
         : target_over(clune) == target ? "termination"
                                        : "moves";
}

static void write_target(const Clune *clune, uint32_t target, Text *text) {
  const TermVector *roles = &clune->analysis->description->rules.roles;
  bool *written = memory_new((clune->count + 1) * sizeof *written);
  text_add(text, target_name(clune, target));
  if (target != target_over(clune)) {
    text_add(text, " of ");
    term_write(
        clune->candidates.orders.terms,
        roles->data[target < clune->rows ? target : target - clune->rows],
        text);
  }
  text_format(text, ": %.0f %% explained\n", 100 * clune->explained[target]);
  for (uint32_t shown = 0; shown < SHOWN; shown++) {
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < clune->count; i++)
      if (!written[i] && clune->features[i].weight[target] != 0 &&
          (best == UINT32_MAX ||
           fabs(clune->features[i].correlation[target]) >
               fabs(clune->features[best].correlation[target])))
        best = i;
    if (best == UINT32_MAX) break;
    const CluneFeature *feature = &clune->features[best];
    written[best] = true;
    text_format(text, "  %+8.3f  correlation %+.2f  stability %5.1f  ",
                feature->weight[target], feature->correlation[target],
                feature->stability);
    candidates_write(&clune->candidates, feature->candidate, text);
    text_add(text, "\n");
  }
  memory_delete(written);
}

static void write(const Evaluation *evaluation, Text *text) {
  const Clune *clune = (const Clune *)evaluation;
  text_format(text,
              "%u features of %u candidates, by %llu random games and %llu "
              "states; shares: payoff %.2f, control %.2f\n",
              clune->count, clune->candidates.list.count,
              (unsigned long long)clune->games,
              (unsigned long long)clune->states, clune->payoff_share,
              clune->control_share);
  for (uint32_t t = 0; t < clune->targets; t++) write_target(clune, t, text);
  orders_write(&clune->candidates.orders, text);
}

/* ---- making ---- */

static void delete (Evaluation *evaluation) {
  Clune *clune = (Clune *)evaluation;
  candidates_free(&clune->candidates);
  memory_delete(clune->features);
  memory_delete(clune->frozen);
  memory_delete(clune);
}

static const EvaluationOperations operations = {.name = "clune",
                                                .delete = delete,
                                                .begin = begin,
                                                .update = update,
                                                .values = values,
                                                .write = write};

static void learn(Clune *clune, ClunePlay *play) {
  Model model;
  model_init(&model, clune->candidates.list.count, clune->targets, clune->rows,
             CLUNE_LONGEST, false);
  play_games(clune, play, 0.5, &model, NULL);
  model_conclude(&model);
  choose_features(clune, &model);
  model_free(&model);
  uint32_t *list = memory_new((clune->count + 1) * sizeof *list);
  for (uint32_t i = 0; i < clune->count; i++)
    list[i] = clune->features[i].candidate;
  model_init(&model, clune->count, clune->targets, clune->rows, CLUNE_LONGEST,
             true);
  play_games(clune, play, 1, &model, list);
  model_conclude(&model);
  for (uint32_t t = 0; t < clune->targets; t++) fit(clune, &model, t);
  set_shares(clune, &model);
  model_free(&model);
  memory_delete(list);
}

Evaluation *clune_new(Book *book, const Budget *budget, uint64_t seed) {
  const Analysis *analysis = book_analysis(book);
  if (!analysis || analysis->net->role_count > MOST_ROLES) return NULL;
  uint32_t roles = analysis->net->role_count;
  ClunePlay play;
  Clune *clune = memory_new(sizeof *clune);
  clune->analysis = analysis;
  clune->rows = roles == 2 && analysis->constant_sum ? 1 : roles;
  clune->targets = clune->rows + roles + 1;
  clune->evaluation = (Evaluation){.operations = &operations,
                                   .role_count = roles,
                                   .words = book->words,
                                   .sum_count = clune->targets};
  candidates_init(&clune->candidates, analysis);
  for (uint32_t r = 0; r < roles; r++)
    model_init(&clune->control[r], 1, 1, 1, CLUNE_LONGEST, false);
  clune_play_init(&play, book, &clune->candidates, budget, seed);
  learn(clune, &play);
  clune->states = play.states;
  clune_play_free(&play);
  freeze(clune);
  return &clune->evaluation;
}
