/* Each state of an episode is kept as the list of its features (a piece type
   once for each piece); the weights change at the end of the episode. V(s) is
   the sum of the weights of the list, and its gradient f(s) is how often each
   feature is in it.

   TD(λ) in the forward view (Finnsson and Björnsson 2010, section 3.4): the
   λ-return of the last state before the end is the reward, that of an earlier
   one R_t = (1 - λ) V(s_{t+1}) + λ R_{t+1}. The sum over the states of
   (R_t - V(s_t)) f(s_t) is multiplied by a step size, which the paper leaves
   open: α itself for each state diverges at once.

   Weights are advantages of `role`; for other roles the sign is reversed. A
   weight closer to zero than the guard counts as 0, "as a precaution"; scores
   mean something only if a weight beyond the guard is part of them. How far is
   far enough is not said: with a guard of 4 instead of 1 cadia2010 won 50 % of
   20 games of ttcc4 instead of 25 % of 10 (paper 51), 70 instead of 60 of
   connect5, 85 instead of 80 of breakthrough, against cadia2007. */
#include "search/fast.h"

#include <math.h>

#include "base/bits.h"

struct Fast {
  const Features *features; /* borrowed */
  FastOptions options;
  uint32_t role;
  uint32_t episodes;   /* learned from */
  double *weights;     /* θ, by feature */
  double *delta;       /* by feature, in one episode */
  uint32_t *counts;    /* by feature: scratch, 0 between calls */
  NumberVector active; /* features of the episode's states */
  NumberVector first;  /* by state: where its features begin */
};

Fast *fast_new(const Features *features, uint32_t role,
               const FastOptions *options) {
  Fast *fast = memory_new(sizeof *fast);
  fast->options = *options;
  fast->role = role;
  fast->features = features;
  size_t count = fast->features->list.count + 1;
  fast->weights = memory_new(count * sizeof *fast->weights);
  fast->delta = memory_new(count * sizeof *fast->delta);
  fast->counts = memory_new(count * sizeof *fast->counts);
  return fast;
}

void fast_delete(Fast *fast) {
  if (!fast) return;
  memory_delete(fast->weights);
  memory_delete(fast->delta);
  memory_delete(fast->counts);
  vector_free(&fast->active);
  vector_free(&fast->first);
  memory_delete(fast);
}

uint32_t fast_feature_count(const Fast *fast) {
  return fast->features->list.count;
}

double fast_weight(const Fast *fast, uint32_t feature) {
  return fast->weights[feature];
}

void fast_write_feature(const Fast *fast, uint32_t feature, Text *text) {
  features_write(fast->features, feature, text);
}

/* ---- learning ---- */

void fast_begin(Fast *fast) {
  vector_clear(&fast->active);
  vector_clear(&fast->first);
}

void fast_state(Fast *fast, const uint64_t *state) {
  const Features *features = fast->features;
  if (!features->kind) return;
  vector_push(&fast->first, fast->active.count);
  for (uint32_t word = 0; word < features->words; word++)
    for (uint64_t set = state[word] & features->mask[word]; set;) {
      uint32_t fluent = word * 64 + bits_take(&set);
      vector_push(&fast->active, features->of_fluent[fluent] - 1);
    }
}

/* For all states but the last. */
static const uint32_t *state_features(const Fast *fast, uint32_t state,
                                      uint32_t *count) {
  *count = fast->first.data[state + 1] - fast->first.data[state];
  return fast->active.data + fast->first.data[state];
}

static double value(const Fast *fast, const uint32_t *list, uint32_t count) {
  double sum = 0;
  for (uint32_t i = 0; i < count; i++) sum += fast->weights[list[i]];
  return sum;
}

/* |f(s)|² */
static double square(Fast *fast, const uint32_t *list, uint32_t count) {
  uint64_t sum = 0; /* 1 + 3 + 5 … = n² */
  for (uint32_t i = 0; i < count; i++) sum += 2 * fast->counts[list[i]]++ + 1;
  for (uint32_t i = 0; i < count; i++) fast->counts[list[i]] = 0;
  return (double)sum;
}

/* α / n for an episode of n states, and at most 1 / Σ |f(s_t)|².

   The bound keeps V at the episode's states from overshooting its returns,
   whatever α: with α for each state the weights of skirmish exceed 10^60 within
   50 episodes. Of the scalings that converge, α / n shows after some 50
   episodes that pieces have a value; also divided by the largest number of
   pieces of a type, as in the program of 2012, it takes four times as long;
   α / √n varies twice as much.

   Values of piece types, which hold for the whole game, are averaged over time:
   the step falls to an eighth over 7,000 episodes. In skirmish, with both sides
   choosing by these scores, 12,800 episodes gave pawn 7.1 to 8.4, knight 10.1
   to 10.6, bishop 8.9 to 10.3, rook 16.0 to 17.3 (the paper: about 5, 10, 10,
   13), where a constant step gave pawn 5.8 to 10.5 and bishop 9.5 to 12.2.
   Values of cells depend on what both sides currently aim for: with a falling
   step connect5 is played worse, 64 instead of 82 of 100 games won against
   uniform choice. */
static double step_size(const Fast *fast, double squares) {
  double step = fast->options.alpha / (fast->first.count - 1);
  if (fast->features->kind == FAST_PIECES)
    step *= fmax(1 / (1 + fast->episodes / 1000.0), 0.125);
  return step * squares > 1 ? 1 / squares : step;
}

void fast_end(Fast *fast, double reward) {
  double next = reward, back = reward, squares = 0; /* V and R at t + 1 */
  uint32_t count;
  if (fast->first.count < 2) return;
  for (uint32_t t = fast->first.count - 1; t-- > 0;) {
    const uint32_t *list = state_features(fast, t, &count);
    back = (1 - fast->options.lambda) * next + fast->options.lambda * back;
    next = value(fast, list, count);
    squares += square(fast, list, count);
    for (uint32_t i = 0; i < count; i++) fast->delta[list[i]] += back - next;
  }
  double step = step_size(fast, squares);
  fast->episodes++;
  for (uint32_t f = 0; f < fast->features->list.count; f++) {
    fast->weights[f] += step * fast->delta[f];
    fast->delta[f] = 0;
  }
}

/* ---- scores ---- */

static double used(const Fast *fast, uint32_t feature, double sign) {
  double weight = fast->weights[feature];
  return fabs(weight) < fast->options.guard ? 0 : sign * weight;
}

/* -(2 θ_to + θ_from) if the move captures another role's piece, else -100. */
static bool score_captures(const Fast *fast, const uint64_t *state,
                           uint32_t role, const uint32_t *moves, uint32_t count,
                           double *scores) {
  const Features *features = fast->features;
  double sign = role == fast->role ? 1 : -1;
  bool active = false;
  for (uint32_t i = 0; i < count; i++) {
    const MoveFeature *move = &features->moves[moves[i]];
    scores[i] = -100;
    if (!move->from || !move->to) continue;
    uint32_t to = features_at(features, state, move->to - 1);
    if (!to || features->list.data[to - 1].owner == role) continue;
    uint32_t from = features_at(features, state, move->from - 1);
    double taken = used(fast, to - 1, sign);
    scores[i] = -(2 * taken + (from ? used(fast, from - 1, sign) : 0));
    active |= taken != 0;
  }
  return active;
}

/* c θ_(role, to); 0 for moves that place nothing. */
static bool score_cells(const Fast *fast, uint32_t role, const uint32_t *moves,
                        uint32_t count, double *scores) {
  double factor = fast->options.cell_factor * (role == fast->role ? 1 : -1);
  bool active = false;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t cell = fast->features->moves[moves[i]].cell;
    scores[i] = cell ? used(fast, cell - 1, factor) : 0;
    active |= scores[i] != 0;
  }
  return active;
}

bool fast_scores(const Fast *fast, const uint64_t *state, uint32_t role,
                 const uint32_t *moves, uint32_t count, double *scores) {
  if (fast->features->kind == FAST_PIECES)
    return score_captures(fast, state, role, moves, count, scores);
  return fast->features->kind == FAST_CELLS &&
         score_cells(fast, role, moves, count, scores);
}
