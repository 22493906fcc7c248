/* If memory does not suffice for learning, the learner is given up and the
   agent plays without an evaluation. What the book makes when first asked is
   asked for before, so that it is not lost then. */
#include "agent/insight.h"

#include "base/clock.h"
#include "base/hash.h"
#include "learn/keeper.h"
#include "value/clune.h"
#include "value/flux.h"

struct Insight {
  Book *book;
  Settings settings;
  uint64_t seed;
  bool given_up;
  Learner *learner;
  Keeper *keeper;   /* of what it learns; or NULL */
  Evaluation *made; /* by others than the learner */
  const Budget *budget;
  double seconds; /* spent */
};

/* A learner begins with what earlier matches taught, if that is kept. */
static void prepare(void *context) {
  Insight *insight = context;
  if (insight->settings.evaluation == EVALUATION_FLUX)
    insight->made = flux_new(insight->book);
  if (insight->settings.evaluation == EVALUATION_LEARNED)
    insight->learner =
        learner_new(insight->book, &insight->settings, insight->seed);
  if (insight->learner && insight->settings.keep)
    insight->keeper = keeper_new(insight->book, insight->learner);
}

static void learn(void *context) {
  Insight *insight = context;
  if (insight->learner) {
    learner_learn(insight->learner, insight->budget);
    keeper_save(insight->keeper, insight->learner); /* we may be killed */
  } else {
    insight->made = clune_new(insight->book, insight->budget, insight->seed);
  }
}

/* Runs a piece of work; what it allocated is gone if it fails. */
static void attempt(Insight *insight, TrialWork *work) {
  double start = clock_now();
  if (insight->given_up) return;
  size_t limit = (size_t)insight->settings.memory << 20;
  if (!trial_run(limit, work, insight)) {
    insight->given_up = true;
    insight->learner = NULL;
    insight->keeper = NULL;
    insight->made = NULL;
  }
  insight->seconds += clock_now() - start;
}

Insight *insight_new(Book *book, const Settings *settings, uint64_t seed) {
  Insight *insight = memory_new(sizeof *insight);
  insight->book = book;
  insight->settings = *settings;
  insight->seed = seed;
  if (settings->evaluation == EVALUATION_NONE || !book->has_net) return insight;
  learner_prepare(book, settings);
  attempt(insight, prepare);
  return insight;
}

void insight_delete(Insight *insight) {
  if (insight->learner) keeper_save(insight->keeper, insight->learner);
  keeper_delete(insight->keeper);
  learner_delete(insight->learner);
  evaluation_delete(insight->made);
  memory_delete(insight);
}

bool insight_learns(const Insight *insight) {
  return insight->learner ||
         (insight->settings.evaluation == EVALUATION_CLUNE && !insight->made &&
          !insight->given_up && insight->book->has_net);
}

void insight_learn(Insight *insight, const Budget *budget) {
  insight->budget = budget;
  if (insight_learns(insight)) attempt(insight, learn);
}

const Evaluation *insight_evaluation(const Insight *insight) {
  return insight->learner ? learner_evaluation(insight->learner)
                          : insight->made;
}

void insight_explain(const Insight *insight, Text *text) {
  const Evaluation *evaluation = insight_evaluation(insight);
  if (insight->settings.evaluation == EVALUATION_NONE) return;
  text_format(text, "evaluation: %s",
              evaluation ? evaluation->operations->name : "none");
  if (insight->given_up) text_add(text, ", out of memory");
  text_format(text, ", %.1f s", insight->seconds);
  if (insight->learner) {
    LearnerProgress progress = learner_progress(insight->learner);
    text_format(text, ", %llu games, %llu states, explains %.0f %%",
                (unsigned long long)progress.games,
                (unsigned long long)progress.states, 100 * progress.explained);
  }
  text_add(text, "\n");
  keeper_write(insight->keeper, text);
}

const char *insight_trouble(const Insight *insight) {
  return keeper_trouble(insight->keeper);
}

void insight_write(const Insight *insight, Text *text) {
  const Evaluation *evaluation = insight_evaluation(insight);
  keeper_write(insight->keeper, text);
  if (insight->learner)
    learner_write(insight->learner, text);
  else if (evaluation && evaluation->operations->write)
    evaluation->operations->write(evaluation, text);
}
