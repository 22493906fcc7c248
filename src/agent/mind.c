/* The agent has two minds, which stand at the same state, and one of them
   plays; with mind=search or mind=minimax the other is not made unless it has
   to take over. The evaluation changes only before its users think.

   In the start clock the evaluation is made first, for the share `learn` of it;
   then, with mind=mixture, short games decide who plays, for the share `choose`
   (agent/choice.h); then the one that plays thinks for the rest. Until then the
   answer is any legal move. A choice that is not clear yet is improved while
   others move.

   Before the first mind thinks about a move of its own, the second has the
   share `veto` of the time: what it proves overrules the first. */
#include "agent/mind.h"

#include <math.h>
#include <stdatomic.h>

#include "agent/candidate.h"
#include "agent/choice.h"
#include "agent/insight.h"
#include "agent/veto.h"
#include "base/clock.h"
#include "base/hash.h"
#include "minimax/minimax.h"

enum { FIRST, SECOND, MINDS };

/* Who enters the choice; the first is chosen where nothing is clear. */
enum { ENTRANT_FIRST, ENTRANT_SECOND, ENTRANT_BARE, ENTRANTS };

/* Of the seed. */
enum { SEED_INSIGHT = 100, SEED_CHOICE };

/* Where it is not known what a move will have: this share of the start. */
static const double usual_play = 0.05;

/* States for the veto where there is no end to thinking. */
static const uint64_t unlimited_veto = 50000;

typedef struct Mind {
  Agent agent;
  Book *book;
  Settings settings;
  uint64_t seed;
  Insight *insight;
  Candidate *minds[MINDS]; /* NULL: not made */
  atomic_uint playing;
  bool started;
  double making;  /* seconds that the mind that was made last took */
  Choice *choice; /* NULL: there is none */
  Budget play;    /* of each move, as far as known */
  Veto veto;      /* of the second mind against the first */
} Mind;

static Mind *mind_of(Agent *agent) {
  return (Mind *)agent;
}

static Candidate *player(Mind *mind) {
  return mind->minds[atomic_load(&mind->playing)];
}

/* ---- the minds ---- */

/* MiB. Two minds and their short games share what is allowed. */
static int64_t memory_share(const Mind *mind, int64_t eighths) {
  int64_t memory = mind->settings.memory * eighths / 8;
  return memory > 1 ? memory : 1;
}

static void make(Mind *mind, uint32_t which) {
  Settings settings = mind->settings;
  double start = clock_now();
  settings.mind = which == SECOND ? MIND_MINIMAX : MIND_SEARCH;
  settings.memory =
      memory_share(mind, mind->settings.mind == MIND_MIXTURE ? 3 : 8);
  mind->minds[which] =
      candidate_new(mind->book, mind->agent.role, &settings, mind->seed);
  mind->making = clock_now() - start;
  candidate_set_evaluation(mind->minds[which],
                           insight_evaluation(mind->insight));
}

static void refresh(Mind *mind) {
  const Evaluation *evaluation = insight_evaluation(mind->insight);
  for (uint32_t i = 0; i < MINDS; i++)
    if (mind->minds[i]) candidate_set_evaluation(mind->minds[i], evaluation);
}

/* The first mind takes over from a second one that cannot go on. */
static void take_over(Mind *mind) {
  const Term *facts;
  if (!mind->minds[FIRST]) {
    uint32_t count = game_facts(mind->agent.game, &facts);
    make(mind, FIRST);
    candidate_enter(mind->minds[FIRST], facts, count);
  }
  atomic_store(&mind->playing, FIRST);
}

static void check(Mind *mind) {
  Candidate *second = mind->minds[SECOND];
  if (second && !candidate_sound(second) && !game_failed(mind->agent.game) &&
      atomic_load(&mind->playing) == SECOND)
    take_over(mind);
}

/* ---- the state ---- */

static void told(Agent *agent, const Move *joint) {
  Mind *mind = mind_of(agent);
  veto_clear(&mind->veto);
  for (uint32_t i = 0; i < MINDS; i++)
    if (mind->minds[i]) candidate_advance(mind->minds[i], joint);
  check(mind);
}

static void reset(Agent *agent) {
  Mind *mind = mind_of(agent);
  veto_clear(&mind->veto);
  for (uint32_t i = 0; i < MINDS; i++)
    if (mind->minds[i]) candidate_reset(mind->minds[i]);
}

/* Both minds have the same net or none, so they know the same facts. */
static bool enter(Agent *agent, const Term *facts, uint32_t count) {
  Mind *mind = mind_of(agent);
  bool entered = true;
  veto_clear(&mind->veto);
  for (uint32_t i = 0; i < MINDS; i++)
    if (mind->minds[i])
      entered &= candidate_enter(mind->minds[i], facts, count);
  if (entered) check(mind);
  return entered;
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
  return !(budget->stop && atomic_load(budget->stop)) &&
         (budget->seconds <= 0 || rest->seconds > 0) &&
         (!budget->simulations || rest->simulations) &&
         (!budget->states || rest->states);
}

/* ---- the choice ---- */

/* Returns true if the first mind makes use of an evaluation. */
static bool is_guided(const Settings *settings) {
  return settings->judge > 0 || settings->implicit > 0 || settings->prior > 0 ||
         settings->cutoff > 0;
}

static ChoiceEntrant entrant(const Mind *mind, const char *name, uint32_t kind,
                             const Evaluation *evaluation, double expected) {
  Settings settings = mind->settings;
  settings.mind = kind;
  return (ChoiceEntrant){{name, settings, evaluation}, expected};
}

static void make_choice(Mind *mind) {
  bool guided = is_guided(&mind->settings);
  const Evaluation *evaluation = insight_evaluation(mind->insight);
  const ChoiceEntrant entrants[ENTRANTS] = {
      entrant(mind, guided ? "guided search" : "search", MIND_SEARCH,
              evaluation, 0.5),
      entrant(mind, "minimax", MIND_MINIMAX, evaluation, 0.45),
      entrant(mind, "bare search", MIND_SEARCH, NULL, 0.45)};
  mind->choice = choice_new(
      mind->book, entrants, guided ? ENTRANTS : ENTRANT_BARE, &mind->play,
      memory_share(mind, 2), mind->making, hash_pair(mind->seed, SEED_CHOICE));
}

static void choose(Mind *mind, const Budget *budget) {
  choice_improve(mind->choice, budget);
  uint32_t chosen = choice_best(mind->choice);
  candidate_set_evaluation(
      mind->minds[FIRST],
      chosen == ENTRANT_BARE ? NULL : insight_evaluation(mind->insight));
  atomic_store(&mind->playing, chosen == ENTRANT_SECOND ? SECOND : FIRST);
}

static bool has_choice(Mind *mind) {
  const Move *moves;
  return game_legal(mind->agent.game, mind->agent.role, &moves) > 1;
}

/* Counted budgets are for thinking alone. */
static bool may_improve(Mind *mind, const Budget *budget) {
  return mind->choice && !choice_clear(mind->choice) && budget->seconds > 0 &&
         !budget->simulations && !budget->states && !has_choice(mind);
}

/* ---- the veto ---- */

static bool may_veto(Mind *mind) {
  return mind->settings.veto > 0 && atomic_load(&mind->playing) == FIRST &&
         mind->minds[SECOND] && candidate_sound(mind->minds[SECOND]) &&
         has_choice(mind);
}

/* Returns the share of the budget that was given to the second mind. A move
   has a part of the play clock even if there is no end to thinking. */
static double look_for_veto(Mind *mind, const Budget *budget) {
  double share = mind->settings.veto;
  AgentReport report;
  if (!may_veto(mind)) return 0;
  Budget own = share_of(budget, share);
  if (mind->play.seconds > 0)
    own.seconds = fmin(own.seconds, mind->play.seconds * share);
  if (!budget_limited(&own)) own.states = unlimited_veto;
  const RoleGoals *goals = &book_analysis(mind->book)->goals[mind->agent.role];
  candidate_think(mind->minds[SECOND], &own, &mind->agent.work);
  candidate_report(mind->minds[SECOND], &report);
  veto_look(&mind->veto, &report, goals->least, goals->most);
  return share;
}

/* ---- thinking ---- */

static void think_on(Mind *mind, const Budget *budget) {
  double begun = clock_now();
  double given = look_for_veto(mind, budget);
  Budget rest;
  if (!atomic_load(&mind->veto.won) && rest_of(budget, given, begun, &rest))
    candidate_think(player(mind), &rest, &mind->agent.work);
  check(mind);
}

static void start(Agent *agent, const Budget *budget) {
  Mind *mind = mind_of(agent);
  const Settings *settings = &mind->settings;
  double begun = clock_now(), given = 0;
  Budget own;
  mind->started = true;
  if (!budget_limited(budget)) return;
  if (insight_learns(mind->insight) && settings->learn > 0) {
    own = share_of(budget, settings->learn * settings->share);
    insight_learn(mind->insight, &own);
    refresh(mind);
    given = settings->learn;
  }
  mind->play = budget->later ? *budget->later : share_of(budget, usual_play);
  if (mind->minds[FIRST] && mind->minds[SECOND] && settings->choose > 0 &&
      insight_evaluation(mind->insight) &&
      rest_of(budget, given, begun, &own)) {
    own = share_of(budget, settings->choose * settings->share);
    make_choice(mind);
    choose(mind, &own);
    given += settings->choose;
  }
  if (rest_of(budget, given, begun, &own)) think_on(mind, &own);
}

/* Without a start clock the first mind plays and needs nothing; alpha-beta has
   to learn in the first budget. */
static void think(Agent *agent, const Budget *budget) {
  Mind *mind = mind_of(agent);
  double begun = clock_now();
  Budget own = *budget;
  if (!mind->started && mind->settings.mind == MIND_MINIMAX) {
    start(agent, budget);
    return;
  }
  mind->started = true;
  if (may_improve(mind, budget)) {
    own.seconds = fmin(budget->seconds, mind->play.seconds) / 2;
    choose(mind, &own);
    if (!rest_of(budget, 0, begun, &own)) return;
  }
  think_on(mind, &own);
}

/* ---- answers ---- */

/* For the first mind: alpha-beta has no use for one. */
static bool ally(Agent *agent, Ally *given) {
  const Mind *mind = mind_of(agent);
  return mind->minds[FIRST] && candidate_ally(mind->minds[FIRST], given);
}

static bool best(Agent *agent, Move *move) {
  Mind *mind = mind_of(agent);
  *move = candidate_best(player(mind));
  if (atomic_load(&mind->playing) == FIRST)
    *move = veto_apply(&mind->veto, *move);
  return true;
}

static bool is_overruled(Mind *mind) {
  Move move;
  best(&mind->agent, &move);
  return move != candidate_best(player(mind));
}

/* Who gives the answer. */
static Candidate *speaker(Mind *mind) {
  bool proved =
      atomic_load(&mind->playing) == FIRST && atomic_load(&mind->veto.won);
  return proved || is_overruled(mind) ? mind->minds[SECOND] : player(mind);
}

static void report(Agent *agent, AgentReport *filled) {
  candidate_report(speaker(mind_of(agent)), filled);
}

static void who(Agent *agent, Text *text) {
  Mind *mind = mind_of(agent);
  text_format(text, "mind: %s\n",
              candidate_is_minimax(player(mind)) ? "minimax" : "search");
  if (mind->choice) choice_explain(mind->choice, text);
  insight_explain(mind->insight, text);
  if (is_overruled(mind))
    text_add(text, "overruled by what minimax has proved\n");
}

static void explain(Agent *agent, Text *text) {
  who(agent, text);
  candidate_explain(speaker(mind_of(agent)), text);
}

static void learned(Agent *agent, Text *text) {
  Mind *mind = mind_of(agent);
  insight_write(mind->insight, text);
  for (uint32_t i = 0; i < MINDS; i++)
    if (mind->minds[i]) candidate_learned(mind->minds[i], text);
}

static void end(Agent *agent, AgentEnd how) {
  Mind *mind = mind_of(agent);
  (void)how;
  if (mind->choice) choice_delete(mind->choice);
  for (uint32_t i = 0; i < MINDS; i++)
    if (mind->minds[i]) candidate_delete(mind->minds[i]);
  insight_delete(mind->insight);
  text_free(&agent->note);
  memory_delete(mind);
}

static const AgentOperations operations = {.start = start,
                                           .told = told,
                                           .reset = reset,
                                           .enter = enter,
                                           .think = think,
                                           .ally = ally,
                                           .best = best,
                                           .report = report,
                                           .who = who,
                                           .explain = explain,
                                           .learned = learned,
                                           .end = end};

/* ---- creation ---- */

bool mind_wanted(const Settings *settings, uint32_t role_count) {
  return role_count > 1 && (settings->mind != MIND_SEARCH ||
                            settings->evaluation != EVALUATION_NONE);
}

Agent *mind_new(Book *book, uint32_t role, const Settings *settings,
                uint64_t seed) {
  Mind *mind = memory_new(sizeof *mind);
  bool second = settings->mind != MIND_SEARCH && minimax_plays(book);
  mind->agent = (Agent){.operations = &operations, .role = role};
  mind->book = book;
  mind->settings = *settings;
  if (!second) mind->settings.mind = MIND_SEARCH;
  mind->seed = seed;
  mind->insight = insight_new(book, settings, hash_pair(seed, SEED_INSIGHT));
  text_add(&mind->agent.note, insight_trouble(mind->insight));
  if (mind->settings.mind != MIND_MINIMAX) make(mind, FIRST);
  if (second) make(mind, SECOND);
  atomic_store(&mind->playing, mind->minds[FIRST] ? FIRST : SECOND);
  mind->agent.game = candidate_game(player(mind));
  check(mind);
  return &mind->agent;
}
