/* Proof by induction over steps: as long as no rule instance that was left out
   is true, the narrowed net and the game have the same states, so they have the
   same next state. The induction step assumes the one-hot groups, which are
   proved for the narrowed net first. Legality matters in every state, terminal
   ones and those without another move included, so that query assumes nothing
   about what is played.

   Work is limited by counting, not by time, so that the answer is the same
   everywhere. */
#include "analyse/beyond.h"

#include "analyse/onehot.h"

static const double NEVER = 1e9; /* seconds */

enum {
  LARGEST = 100000, /* edges; larger nets are not tried */
  PROPAGATIONS = 300000,
  STEP_LIMIT = 1000 /* of a sampled game */
};

static bool never(Prover *prover, Signal signal, bool anywhere) {
  if (signal == SIGNAL_FALSE) return true;
  (anywhere ? prover_focus_anywhere : prover_focus)(prover, &signal, 1);
  return prover_refutes(prover, &signal, 1);
}

/* Once a fact or a move is outside, the sample goes astray, but it was a game
   until then. */
bool beyond_happens(const Net *net) {
  enum { STEPS = 200, WORK = 20000000 }; /* edges */
  uint64_t work = 0, cost = 1 + net_count_edges(net), seen = 0;
  Sample sample;
  sample_init(&sample, net, 1, STEP_LIMIT);
  for (uint32_t step = 0; step < STEPS && work < WORK && !seen;
       step++, work += cost) {
    sample_step(&sample);
    seen = (sample_value(&sample, net->beyond_base) & sample.moving) |
           sample_value(&sample, net->beyond_input);
  }
  sample_free(&sample);
  return seen;
}

bool beyond_never(const Net *net, const Terms *terms) {
  if (net->beyond_base == SIGNAL_FALSE && net->beyond_input == SIGNAL_FALSE)
    return true;
  if (net->beyond_base == SIGNAL_TRUE || net->beyond_input == SIGNAL_TRUE ||
      net_count_edges(net) > LARGEST)
    return false;
  Sample sample;
  OneHot onehot;
  sample_init(&sample, net, 1, STEP_LIMIT);
  onehot_init(&onehot, net, terms, &sample, NEVER);
  sample_free(&sample);
  Prover *prover = prover_new(net, PROPAGATIONS, NEVER);
  onehot_prove(&onehot, net, prover);
  bool proved = never(prover, net->beyond_base, false) &&
                never(prover, net->beyond_input, true);
  prover_delete(prover);
  onehot_free(&onehot);
  return proved;
}
