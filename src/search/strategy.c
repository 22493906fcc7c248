/* Strategies look one step ahead: the move to the successor with the highest
   value is chosen, at random among equal ones. A role supposes that the others
   move at random; where they have no choice, that is exact. The probabilities
   are in the range that the paper gives, 0.7 to 0.95; it gives no single ones.

   Which strategy plays a simulation is decided for each role, by UCB1 over the
   results of its strategies, or all in turn. Symbols are counted on the start
   clock and are of use from the next thinking on. */
#include "search/strategy.h"

#include <math.h>

#include "search/correlate.h"
#include "search/explore.h"
#include "search/nearness.h"
#include "search/score.h"

enum { LEARNED_LEAST = 20 }; /* simulations that correlations need */

/* The base player's own kind of exploration is not given in the paper. */
static const Strategy base[] = {{.kind = STRATEGY_RANDOM, .follow = 1},
                                {.kind = STRATEGY_GOAL, .follow = 0.8},
                                {.kind = STRATEGY_SYMBOLS, .follow = 0.8},
                                {.kind = STRATEGY_MOBILITY, .follow = 0.8},
                                {.kind = STRATEGY_HISTORY, .follow = 0.8},
                                {.kind = STRATEGY_SCORE, .follow = 0.8}};
static const Strategy base_explore = {
    .kind = STRATEGY_EXPLORE, .follow = 0.9, .last = 6, .both = true};
/* N of the paper's kinds of exploration, by the setting `depths`; 0 ends. */
static const uint32_t depths[][9] = {[DEPTHS_468] = {4, 6, 8},
                                     [DEPTHS_357] = {3, 5, 7},
                                     [DEPTHS_ALL] = {1, 2, 3, 4, 5, 6, 7, 8}};

struct Strategies {
  const Settings *settings;
  uint32_t role_count;
  VECTOR(Strategy) list;
  double *totals;   /* by role and strategy: sums of results */
  uint32_t *visits; /* and simulations */
  uint32_t *now;    /* by role: its strategy in this simulation */
  uint64_t dealt;   /* simulations, if all are used in turn */
  bool *usable;     /* by strategy */
  bool learning;    /* symbols are being counted */
  bool exploring;   /* states are remembered: a role explores */
  Facts facts;
  Correlate correlate;
  Explore explore;
  Score score;
  bool has_score;
  Nearness **nearness; /* by role; NULL: no net, or no goal */
  int highest;         /* goal of the first role in the rules */
  MoveVector legal;    /* of all roles, */
  NumberVector firsts; /* role by role; role_count + 1 */
  VECTOR(double) values;
};

/* ---- creation ---- */

static bool is_possible(const Strategies *strategies, StrategyKind kind) {
  if (kind == STRATEGY_GOAL) {
    for (uint32_t role = 0; role < strategies->role_count; role++)
      if (strategies->nearness[role]) return true;
    return false;
  }
  return kind != STRATEGY_SCORE || strategies->has_score;
}

static void add(Strategies *strategies, Strategy strategy) {
  if (!is_possible(strategies, strategy.kind)) return;
  if (strategies->settings->follow > 0 && strategy.kind != STRATEGY_RANDOM)
    strategy.follow = strategies->settings->follow;
  vector_push(&strategies->list, strategy);
}

static void add_all(Strategies *strategies) {
  uint32_t wanted = strategies->settings->strategies;
  uint32_t count =
      wanted == STRATEGIES_EXPLORE ? 1 : sizeof base / sizeof *base;
  for (uint32_t i = 0; i < count; i++) add(strategies, base[i]);
  if (wanted == STRATEGIES_BASE) {
    add(strategies, base_explore);
    return;
  }
  Strategy explore = base_explore;
  const uint32_t *last = depths[strategies->settings->depths];
  for (uint32_t i = 0; last[i / 2]; i++) {
    explore.last = last[i / 2];
    explore.both = i % 2;
    add(strategies, explore);
  }
}

/* What some strategies need of the game. */
static void prepare(Strategies *strategies, Book *book) {
  const Rules *rules = &book->description->rules;
  const Net *net = book->has_net ? &book->net : NULL;
  uint32_t roles = strategies->role_count;
  explore_init(&strategies->explore, net != NULL);
  strategies->highest = book->best_goal ? book->best_goal[0] : 100;
  strategies->nearness = memory_new(roles * sizeof *strategies->nearness);
  if (strategies->settings->strategies == STRATEGIES_EXPLORE) return;
  facts_init(&strategies->facts, &rules->terms, net);
  correlate_init(&strategies->correlate, &strategies->facts, roles);
  strategies->learning = true;
  strategies->has_score =
      score_init(&strategies->score, rules, &strategies->facts);
  for (uint32_t role = 0; net && role < roles; role++)
    strategies->nearness[role] = nearness_new(net, role);
}

Strategies *strategy_new(Book *book, const Settings *settings,
                         uint32_t role_count) {
  if (settings->strategies == STRATEGIES_NONE) return NULL;
  Strategies *strategies = memory_new(sizeof *strategies);
  strategies->settings = settings;
  strategies->role_count = role_count;
  prepare(strategies, book);
  add_all(strategies);
  uint32_t count = strategies->list.count;
  strategies->totals =
      memory_new(role_count * count * sizeof *strategies->totals);
  strategies->visits =
      memory_new(role_count * count * sizeof *strategies->visits);
  strategies->now = memory_new(role_count * sizeof *strategies->now);
  strategies->usable = memory_new(count * sizeof *strategies->usable);
  for (uint32_t i = 0; i < count; i++)
    strategies->usable[i] = strategies->list.data[i].kind != STRATEGY_SYMBOLS;
  return strategies;
}

void strategy_delete(Strategies *strategies) {
  if (!strategies) return;
  for (uint32_t role = 0; role < strategies->role_count; role++)
    nearness_delete(strategies->nearness[role]);
  memory_delete(strategies->nearness);
  if (strategies->has_score) score_free(&strategies->score);
  correlate_free(&strategies->correlate);
  explore_free(&strategies->explore);
  facts_free(&strategies->facts);
  memory_delete(strategies->totals);
  memory_delete(strategies->visits);
  memory_delete(strategies->now);
  memory_delete(strategies->usable);
  vector_free(&strategies->list);
  vector_free(&strategies->legal);
  vector_free(&strategies->firsts);
  vector_free(&strategies->values);
  memory_delete(strategies);
}

uint32_t strategy_count(const Strategies *strategies) {
  return strategies->list.count;
}

const Strategy *strategy_get(const Strategies *strategies, uint32_t number) {
  return &strategies->list.data[number];
}

const char *strategy_name(StrategyKind kind) {
  static const char *const names[] = {
      [STRATEGY_RANDOM] = "random",   [STRATEGY_GOAL] = "goal",
      [STRATEGY_SYMBOLS] = "symbols", [STRATEGY_MOBILITY] = "mobility",
      [STRATEGY_EXPLORE] = "explore", [STRATEGY_HISTORY] = "history",
      [STRATEGY_SCORE] = "score"};
  return names[kind];
}

uint32_t strategy_of(const Strategies *strategies, uint32_t role) {
  return strategies->now[role];
}

/* ---- which strategy ---- */

uint32_t strategy_bandit(const double *totals, const uint32_t *visits,
                         const bool *usable, uint32_t count, double c) {
  double all = 0, most = -INFINITY;
  uint32_t best = 0;
  for (uint32_t i = 0; i < count; i++) all += visits[i];
  for (uint32_t i = 0; i < count; i++) {
    if (!usable[i]) continue;
    if (!visits[i]) return i;
    double value = totals[i] / visits[i] + c * sqrt(log(all) / visits[i]);
    if (value <= most) continue;
    most = value;
    best = i;
  }
  return best;
}

/* The next usable strategy in turn. */
static uint32_t next_in_turn(Strategies *strategies) {
  uint32_t number;
  do {
    number = (uint32_t)(strategies->dealt++ % strategies->list.count);
  } while (!strategies->usable[number]);
  return number;
}

void strategy_think(Strategies *strategies) {
  if (!strategies->learning ||
      strategies->correlate.simulations < LEARNED_LEAST)
    return;
  correlate_learn(&strategies->correlate);
  strategies->learning = false;
  for (uint32_t i = 0; i < strategies->list.count; i++)
    strategies->usable[i] = true;
}

void strategy_begin(Strategies *strategies) {
  uint32_t count = strategies->list.count;
  strategies->exploring = false;
  for (uint32_t role = 0; role < strategies->role_count; role++) {
    uint32_t number = strategies->settings->deal == DEAL_EQUAL
                          ? next_in_turn(strategies)
                          : strategy_bandit(strategies->totals + role * count,
                                            strategies->visits + role * count,
                                            strategies->usable, count,
                                            strategies->settings->c);
    strategies->now[role] = number;
    strategies->exploring |=
        strategies->list.data[number].kind == STRATEGY_EXPLORE;
  }
  if (strategies->exploring) explore_begin(&strategies->explore);
  if (strategies->learning) correlate_begin(&strategies->correlate);
}

void strategy_see(Strategies *strategies, const uint64_t *words,
                  uint32_t count) {
  if (strategies->exploring) explore_add(&strategies->explore, words, count);
  if (strategies->learning) correlate_see(&strategies->correlate, words, count);
}

void strategy_end(Strategies *strategies, const double *values) {
  uint32_t count = strategies->list.count;
  for (uint32_t role = 0; role < strategies->role_count; role++) {
    uint32_t at = role * count + strategies->now[role];
    strategies->totals[at] += values[role];
    strategies->visits[at]++;
  }
  if (strategies->learning) correlate_end(&strategies->correlate, values);
}

/* ---- which move ---- */

static double random_unit(Random *random) {
  return (double)(random_next(random) >> 11) * 0x1p-53;
}

/* Lists the legal moves of all roles. */
static bool list_moves(Strategies *strategies, Game *game) {
  vector_clear(&strategies->legal);
  vector_clear(&strategies->firsts);
  vector_push(&strategies->firsts, 0);
  for (uint32_t role = 0; role < strategies->role_count; role++) {
    const Move *list;
    uint32_t count = game_legal(game, role, &list);
    if (!count) return false;
    for (uint32_t i = 0; i < count; i++)
      vector_push(&strategies->legal, list[i]);
    vector_push(&strategies->firsts, strategies->legal.count);
  }
  return true;
}

/* Own moves less those of all others, in the successor. */
static double mobility(const Strategies *strategies, Game *game,
                       const Move *joint, uint32_t role) {
  double value = 0;
  game_make(game, joint);
  for (uint32_t r = 0; r < strategies->role_count; r++) {
    const Move *list;
    double count = game_legal(game, r, &list);
    value += r == role ? count : -count;
  }
  game_retract(game);
  return value;
}

static double state_value(Strategies *strategies, const Strategy *strategy,
                          uint32_t role, const uint64_t *words,
                          uint32_t count) {
  switch (strategy->kind) {
  case STRATEGY_GOAL:
    return strategies->nearness[role]
               ? nearness_value(strategies->nearness[role], words)
               : 0;
  case STRATEGY_SYMBOLS:
    return correlate_value(&strategies->correlate, words, count, role);
  case STRATEGY_EXPLORE:
    return explore_difference(&strategies->explore, words, count,
                              strategy->last, strategy->both);
  case STRATEGY_SCORE:
    return score_value(&strategies->score, words, count, role);
  default: return 0;
  }
}

/* Returns true if the move ends the game with the highest goal. The successors
   are there anyway, and a program that has seen a solution does not play on. */
static bool solves(const Strategies *strategies, Game *game,
                   const Move *joint) {
  game_make(game, joint);
  bool solved =
      game_terminal(game) && game_goal(game, 0) == strategies->highest;
  game_retract(game);
  return solved;
}

/* The value of a move, the other roles' moves being those of `joint`. */
static double move_value(Strategies *strategies, const StrategyView *view,
                         const Strategy *strategy, uint32_t role,
                         const Move *joint) {
  if (strategy->kind == STRATEGY_HISTORY) {
    uint32_t move = numbering_number(view->moves, role, joint[role]);
    return move < view->mast->moves.count ? mast_value(view->mast, move)
                                          : view->mast->unseen;
  }
  if (strategy->kind == STRATEGY_MOBILITY)
    return mobility(strategies, view->game, joint, role);
  if (strategies->settings->peek && solves(strategies, view->game, joint))
    return HUGE_VAL;
  const uint64_t *words;
  uint32_t count = game_successor(view->game, joint, &words);
  return state_value(strategies, strategy, role, words, count);
}

/* Returns the index of a highest value, at random among equal ones. */
static uint32_t choose_highest(const double *values, uint32_t count,
                               Random *random) {
  uint32_t best = 0, ties = 1;
  for (uint32_t i = 1; i < count; i++) {
    if (values[i] > values[best]) {
      best = i;
      ties = 1;
    } else if (values[i] == values[best] && random_below(random, ++ties) == 0) {
      best = i;
    }
  }
  return best;
}

/* The role's move by its strategy; `joint` has random ones and is kept. */
static Move follow(Strategies *strategies, const StrategyView *view,
                   uint32_t role, Move *joint, uint64_t *looked) {
  const Strategy *strategy = &strategies->list.data[strategies->now[role]];
  uint32_t first = strategies->firsts.data[role];
  uint32_t count = strategies->firsts.data[role + 1] - first;
  const Move *moves = strategies->legal.data + first;
  Move kept = joint[role];
  vector_resize(&strategies->values, count);
  for (uint32_t i = 0; i < count; i++) {
    joint[role] = moves[i];
    strategies->values.data[i] =
        move_value(strategies, view, strategy, role, joint);
  }
  if (strategy->kind != STRATEGY_HISTORY) *looked += count;
  joint[role] = kept;
  return moves[choose_highest(strategies->values.data, count, view->random)];
}

/* Returns true if the role's strategy decides this move. */
static bool follows(const Strategies *strategies, uint32_t role,
                    Random *random) {
  const Strategy *strategy = &strategies->list.data[strategies->now[role]];
  return strategy->kind != STRATEGY_RANDOM &&
         strategies->firsts.data[role + 1] - strategies->firsts.data[role] >
             1 &&
         random_unit(random) < strategy->follow;
}

bool strategy_choose(Strategies *strategies, const StrategyView *view,
                     Move *joint, uint64_t *looked) {
  Move chosen[RULE_ROLES];
  if (!list_moves(strategies, view->game)) return false;
  for (uint32_t role = 0; role < strategies->role_count; role++) {
    uint32_t first = strategies->firsts.data[role];
    joint[role] =
        strategies->legal
            .data[first +
                  random_below(view->random,
                               strategies->firsts.data[role + 1] - first)];
  }
  for (uint32_t role = 0; role < strategies->role_count; role++)
    chosen[role] = follows(strategies, role, view->random)
                       ? follow(strategies, view, role, joint, looked)
                       : joint[role];
  for (uint32_t role = 0; role < strategies->role_count; role++)
    joint[role] = chosen[role];
  return true;
}
