/* The agent has candidates, which all stand at the same state, and one of them
   plays. The first mind is always the first of them, and plays where nothing
   speaks for another. The evaluation changes only in `start`, before its users
   think.

   In the start clock the evaluation is made first, for the share `learn` of it;
   then the candidate that plays thinks for the rest. Until then the answer is
   any legal move. */
#include "agent/mind.h"

#include <math.h>
#include <stdatomic.h>

#include "agent/candidate.h"
#include "base/clock.h"
#include "base/hash.h"
#include "learn/keeper.h"
#include "minimax/minimax.h"
#include "value/clune.h"
#include "value/flux.h"

enum { CANDIDATES = 2 };

/* Of the seed. */
enum { SEED_LEARNER = 100, SEED_CLUNE };

typedef struct Mind {
  Agent agent;
  Book *book;
  Settings settings;
  uint64_t seed;
  Learner *learner; /* evaluation=learned; NULL: there is nothing to learn */
  Keeper *keeper;   /* of what it learns; or NULL */
  Evaluation *made; /* another evaluation, which the agent owns */
  double learning;  /* seconds spent on either */
  const Evaluation *evaluation; /* that is used, or NULL */
  Candidate *candidates[CANDIDATES];
  uint32_t count;
  atomic_uint playing; /* candidate */
} Mind;

static Mind *mind_of(Agent *agent) {
  return (Mind *)agent;
}

static Candidate *playing(Mind *mind) {
  return mind->candidates[atomic_load(&mind->playing)];
}

/* ---- the state ---- */

static void told(Agent *agent, const Move *joint) {
  Mind *mind = mind_of(agent);
  for (uint32_t i = 0; i < mind->count; i++)
    candidate_advance(mind->candidates[i], joint);
}

static void reset(Agent *agent) {
  Mind *mind = mind_of(agent);
  for (uint32_t i = 0; i < mind->count; i++)
    candidate_reset(mind->candidates[i]);
}

/* Candidates share a net or have none: they know the same facts. */
static bool enter(Agent *agent, const Term *facts, uint32_t count) {
  Mind *mind = mind_of(agent);
  for (uint32_t i = 0; i < mind->count; i++)
    if (!candidate_enter(mind->candidates[i], facts, count)) return false;
  return true;
}

/* ---- the evaluation ---- */

static void use_evaluation(Mind *mind, const Evaluation *evaluation) {
  mind->evaluation = evaluation;
  for (uint32_t i = 0; i < mind->count; i++)
    candidate_set_evaluation(mind->candidates[i], evaluation);
}

/* Makes or improves the evaluation for the budget. */
static void learn(Mind *mind, const Budget *budget) {
  double start = clock_now();
  if (mind->learner) {
    learner_learn(mind->learner, budget);
    use_evaluation(mind, learner_evaluation(mind->learner));
    keeper_save(mind->keeper, mind->learner); /* the match may be killed */
  } else if (mind->settings.evaluation == EVALUATION_CLUNE && !mind->made) {
    mind->made =
        clune_new(mind->book, budget, hash_pair(mind->seed, SEED_CLUNE));
    use_evaluation(mind, mind->made);
  }
  mind->learning += clock_now() - start;
}

/* ---- budgets ---- */

static uint64_t part(uint64_t count, double share) {
  return (uint64_t)ceil((double)count * share);
}

static Budget share_of(const Budget *budget, double share) {
  Budget own = *budget;
  own.seconds *= share;
  own.simulations = part(own.simulations, share);
  own.states = part(own.states, share);
  return own;
}

/* What is left of a budget that began at `start` after a share of it was given
   away; returns false if nothing is. */
static bool rest_of(const Budget *budget, double share, double start,
                    Budget *rest) {
  *rest = *budget;
  rest->simulations -= part(budget->simulations, share);
  rest->states -= part(budget->states, share);
  rest->seconds -= budget->seconds > 0 ? clock_now() - start : 0;
  return (!budget->seconds || rest->seconds > 0) &&
         (!budget->simulations || rest->simulations) &&
         (!budget->states || rest->states);
}

static bool is_stopped(const Budget *budget) {
  return budget->stop && atomic_load(budget->stop);
}

/* ---- thinking ---- */

/* A candidate whose engine fails is never asked again. */
static void think(Agent *agent, const Budget *budget) {
  Mind *mind = mind_of(agent);
  candidate_think(playing(mind), budget, &agent->work);
  if (game_failed(candidate_game(playing(mind))))
    atomic_store(&mind->playing, 0);
}

static void start(Agent *agent, const Budget *budget) {
  Mind *mind = mind_of(agent);
  const Settings *settings = &mind->settings;
  double begun = clock_now(), share = 0;
  Budget rest;
  if (!budget_limited(budget)) return;
  if (mind->learner || settings->evaluation == EVALUATION_CLUNE) {
    Budget learning = share_of(budget, settings->learn * settings->share);
    share = settings->learn;
    if (budget_limited(&learning)) learn(mind, &learning);
  }
  if (rest_of(budget, share, begun, &rest) && !is_stopped(budget))
    think(agent, &rest);
}

/* ---- answers ---- */

static bool best(Agent *agent, Move *move) {
  *move = candidate_best(playing(mind_of(agent)));
  return true;
}

static void report(Agent *agent, AgentReport *filled) {
  candidate_report(playing(mind_of(agent)), filled);
}

static void explain_evaluation(const Mind *mind, Text *text) {
  if (mind->settings.evaluation == EVALUATION_NONE) return;
  keeper_write(mind->keeper, text);
  if (!mind->evaluation) {
    text_add(text, "no evaluation\n");
    return;
  }
  text_format(text, "evaluation: %s, made in %.1f s",
              mind->evaluation->operations->name, mind->learning);
  if (mind->learner) {
    LearnerProgress progress = learner_progress(mind->learner);
    text_format(text, ", %llu games, %llu states, error %.4f",
                (unsigned long long)progress.games,
                (unsigned long long)progress.states, progress.error);
  }
  text_add(text, "\n");
}

static void explain(Agent *agent, Text *text) {
  Mind *mind = mind_of(agent);
  text_format(text, "mind: %s\n",
              candidate_is_minimax(playing(mind)) ? "minimax" : "search");
  explain_evaluation(mind, text);
  candidate_explain(playing(mind), text);
}

static void learned(Agent *agent, Text *text) {
  Mind *mind = mind_of(agent);
  keeper_write(mind->keeper, text);
  if (mind->learner && mind->evaluation)
    learner_write(mind->learner, text);
  else if (mind->evaluation && mind->evaluation->operations->write)
    mind->evaluation->operations->write(mind->evaluation, text);
  for (uint32_t i = 0; i < mind->count; i++)
    candidate_learned(mind->candidates[i], text);
}

static void end(Agent *agent, AgentEnd how) {
  Mind *mind = mind_of(agent);
  (void)how;
  for (uint32_t i = 0; i < mind->count; i++)
    candidate_delete(mind->candidates[i]);
  keeper_save(mind->keeper, mind->learner);
  keeper_delete(mind->keeper);
  if (mind->learner) learner_delete(mind->learner);
  text_free(&agent->note);
  evaluation_delete(mind->made);
  memory_delete(mind);
}

static const AgentOperations operations = {.start = start,
                                           .told = told,
                                           .reset = reset,
                                           .enter = enter,
                                           .think = think,
                                           .best = best,
                                           .report = report,
                                           .explain = explain,
                                           .learned = learned,
                                           .end = end};

/* ---- creation ---- */

bool mind_wanted(const Settings *settings, uint32_t role_count) {
  return role_count > 1 && (settings->mind != MIND_SEARCH ||
                            settings->evaluation != EVALUATION_NONE);
}

static void add_candidate(Mind *mind, uint32_t kind, int64_t memory) {
  Settings settings = mind->settings;
  settings.mind = kind;
  settings.memory = memory > 1 ? memory : 1;
  mind->candidates[mind->count++] =
      candidate_new(mind->book, mind->agent.role, &settings, mind->seed);
}

/* Two minds share the memory. */
static void add_candidates(Mind *mind) {
  const Settings *settings = &mind->settings;
  bool two = settings->mind == MIND_MIXTURE && minimax_plays(mind->book);
  int64_t memory = two ? settings->memory / 2 : settings->memory;
  add_candidate(mind,
                settings->mind == MIND_MINIMAX ? MIND_MINIMAX : MIND_SEARCH,
                memory);
  if (two) add_candidate(mind, MIND_MINIMAX, memory);
}

/* Begins with what earlier matches taught, if it is kept. */
static void start_learner(Mind *mind) {
  mind->learner = learner_new(mind->book, &mind->settings,
                              hash_pair(mind->seed, SEED_LEARNER));
  if (!mind->learner) return;
  mind->keeper = keeper_new(mind->book, mind->learner);
  text_add(&mind->agent.note, keeper_trouble(mind->keeper));
  if (mind->keeper) use_evaluation(mind, learner_evaluation(mind->learner));
}

static void start_evaluation(Mind *mind) {
  const Settings *settings = &mind->settings;
  if (settings->evaluation == EVALUATION_LEARNED) start_learner(mind);
  if (settings->evaluation == EVALUATION_FLUX) {
    mind->made = flux_new(mind->book);
    use_evaluation(mind, mind->made);
  }
}

Agent *mind_new(Book *book, uint32_t role, const Settings *settings,
                uint64_t seed) {
  Mind *mind = memory_new(sizeof *mind);
  mind->agent = (Agent){.operations = &operations, .role = role};
  mind->book = book;
  mind->settings = *settings;
  mind->seed = seed;
  add_candidates(mind);
  start_evaluation(mind);
  mind->agent.game = candidate_game(mind->candidates[0]);
  return &mind->agent;
}
