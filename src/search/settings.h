/* Every parameter of the search is one line of this table, from which come
   parsing, ranges, presets and `tafl agents`.

   REAL   (name, default, least, most, origin, help)
   NUMBER (name, default, least, most, origin, help)
   WORD   (name, default, choices, origin, help)

   Origins: T thesis 2007, I IEEE 2009, S search control 2010, M the
   single-player MiNI-Player (Świechowski, Mańdziuk and Ong 2016). */
#ifndef TAFL_SEARCH_SETTINGS_H
#define TAFL_SEARCH_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

#define SETTINGS(REAL, NUMBER, WORD) \
  WORD(tree, "keep", "none|keep|forget", "I V.B", \
       "none: no tree (MC_org); keep: across moves; forget: a new one each " \
       "move") \
  WORD(choice, "bound", "bound|uniform", "T 5.1, I V.B", \
       "how explored actions of the tree are chosen: by the UCT bound, or at " \
       "random") \
  REAL(c, 40, 0, 10000, "T 4.1", "C of the UCT bonus, for goals of 0 to 100") \
  REAL(gamma, 0.999, 0, 1, "I IV.B", "discount per step") \
  WORD(returns, "own", "own|difference|scaled|mixed|auto", \
       "T 3.4.2, I Alg. 1", \
       "own goal; or, in two-player games, own minus the other's, perhaps " \
       "scaled to 0 to 100; mixed: own goal and `envy` times the difference; " \
       "auto: own, mixed or scaled, the more what one gains the other loses") \
  REAL(envy, 0.5, 0, 1000, "ours", "returns=mixed: weight of the difference") \
  WORD(unexplored, "random", "random|gibbs|urgency", "T 4.5, I IV.C", \
       "how an unexplored action of a tree node is chosen; urgency: only " \
       "while " \
       "the explored ones are worse than the expected value") \
  REAL(urgency, 50, 0, 100, "CadiaPlayer 2012", \
       "expected value of an unexplored action") \
  WORD(playout, "uniform", "uniform|mast|nst", "T 4.5, S 3.2, Tak 2012", \
       "how playouts choose moves; nst: by n-grams, in batch mode like mast") \
  REAL(tau, 10, 0.01, 1000, "T 5.4.1, S 4.1", "temperature of Gibbs choices") \
  REAL(spread, 0, 0, 100, "ours", \
       "batch mode: 0: temperature tau; else in standard deviations of the " \
       "true MAST values of a role's moves, and at least tau") \
  REAL(unseen, 100, 0, 100, "T 4.5", \
       "MAST value of a move that was not seen yet") \
  REAL(epsilon, 0, 0, 1, "Sironi 2021", \
       "share of playout moves that are chosen uniformly all the same") \
  NUMBER(grams, 7, 1, 1000000, "Tak 2012", \
         "NST: visits from which on an n-gram counts") \
  REAL(decay, 1, 0, 1, "Sironi 2021", \
       "share of MAST samples kept after a real move") \
  NUMBER(rave, 0, 0, 1000000, "S 3.3", \
         "k, the equivalence parameter of RAVE; 0: no RAVE") \
  WORD(blend, "value", "value|bound", "S 3.3, CadiaPlayer 2012", \
       "what RAVE is blended with: the average, or the whole bound, where " \
       "RAVE has a bonus of its own") \
  NUMBER(fast, 0, 0, 1, "S 3.4", "1: learn features for the playouts by TD") \
  REAL(lambda, 0.99, 0, 1, "S 4.1", "FAST: lambda of TD(lambda)") \
  REAL(alpha, 0.01, 0, 1, "S 4.1", "FAST: step size") \
  REAL(cells, 5, 0, 1000, "S 4.1", "FAST: c, factor for cell values") \
  REAL(weight, 1, 0, 1000, "S 4.1", "FAST: w, weight relative to MAST") \
  REAL(guard, 4, 0, 100, "S 3.4", \
       "FAST: values closer to zero than this are not used") \
  WORD(final, "value", "value|visits|maximum|lower|steady|effective", \
       "T 4.3, I IV.D, M IV.D", \
       "the move to play: highest Q, most visits, highest maximum, highest " \
       "lower confidence bound, highest Q of moves with enough visits, or " \
       "highest effective quality, which looks two steps ahead") \
  REAL(width, 50, 0, 1000, "ours", \
       "final=lower: Q less this, divided by the root of the visits") \
  REAL(enough, 0.5, 0, 1, "ours", \
       "final=steady: share of the most visits that is enough") \
  REAL(even, 0, 0, 100, "ours", \
       "moves of this much less value count as equal where all roles choose " \
       "at once and may agree: the first is played") \
  NUMBER(expand, 1, 1, 1000, "I IV.A", "new nodes per simulation") \
  WORD( \
      transpose, "depth", "state|depth|single|resolution|none", \
      "T 4.1, M VI.C", \
      "state: equal states at different depths share a node; depth: they do " \
      "not; single: they do in games of one role, elsewhere as none; " \
      "resolution: states share " \
      "a node that a multi-resolution table cannot tell apart; none: a tree, " \
      "sequential only") \
  NUMBER(merge, 0, 0, 1, "M VI.C", \
         "1: in games of one role, results also count for all other actions " \
         "that lead to the same state") \
  NUMBER(peek, 0, 0, 1, "after M V", \
         "1: a strategy that looks at successors takes one that ends a game " \
         "of one role with the highest goal") \
  NUMBER( \
      exhaust, 0, 0, 1, "ours", \
      "1: in games of one role, as solver=1: what has been searched to its " \
      "end is left alone") \
  NUMBER(single, 0, 0, 1, "I IV.D", \
         "1: in games of one role, as gamma=1,final=maximum,path=equal") \
  WORD(path, "none", "none|equal|better", "I IV.D, M VI.B", \
       "sequential, in games of one role: the whole path of a simulation " \
       "becomes nodes if its result is as good as any before, or better") \
  WORD(estimate, "mean", "mean|maximum", "M VI.A", \
       "what the UCT bonus is added to; maximum: in games of one role, the " \
       "highest result") \
  WORD(strategies, "none", "none|base|explore|every", "M IV.C, V", \
       "sequential: playouts by strategies: the seven of any game; in games " \
       "of one role random and six kinds of exploration; or all of them") \
  WORD(depths, "468", "468|357|1-8", "M V, VII.B", \
       "strategies=explore and every: how many of the last states a kind of " \
       "exploration goes away from: 4, 6 and 8; 3, 5 and 7; or 1 to 8") \
  WORD(deal, "bandit", "bandit|equal", "M IV.C, V", \
       "which strategy plays out: the one of the highest UCB value, or, in " \
       "games of one role, each as often as any other") \
  REAL(follow, 0, 0, 1, "M IV.C", \
       "share of moves that follow the strategy, the others are random; 0: " \
       "as each strategy has it") \
  NUMBER(solver, 0, 0, 2, "Winands 2008", \
         "1: back up exact goals where goals add up to 100; 2: exact values " \
         "in any game, wins by the shortest way, losses by the longest") \
  NUMBER(steps, 1000, 1, 1000000, "ours", \
         "steps after which a playout is cut off") \
  REAL(cut, 50, 0, 100, "ours", "return of a playout that was cut off") \
  NUMBER(lanes, 1, 0, 1024, "ours", \
         "1: strictly sequential; else playouts at once (batch mode), 0: as " \
         "many as measured best") \
  NUMBER(leaves, 0, 0, 65536, "ours", \
         "batch mode: leaves at once, 0: twice what the lanes hold") \
  NUMBER(repeat, 0, 0, 1024, "ours", \
         "batch mode: playouts from each leaf, 0: as many as measured best") \
  REAL(loss, 1, 0, 100, "ours", \
       "batch mode: a pending descent counts as this many visits that " \
       "returned 0") \
  NUMBER(capture, 0, 0, 1, "after S 3.4", \
         "batch mode: 1: playouts capture pieces whenever they can") \
  WORD(decisive, "none", "none|win|defend|both", "Teytaud 2010", \
       "batch mode: playouts take a win in one, do not let the next role win " \
       "at once, or both") \
  NUMBER(prune, 0, 0, 1, "ours", \
         "batch mode: 1: new nodes of the tree, too, have decisive moves " \
         "only, where the solver is on") \
  WORD(puzzle, "search", "search|ida|astar|nested|nrpa|portfolio", \
       "T 3.4.1, I IV.D", \
       "what plays games of one role: this search; ida: Enhanced IDA*, and " \
       "this search if it finds nothing in the start clock; astar: A* with " \
       "relaxed plans beside this search; portfolio: all methods of tafl " \
       "solve") \
  WORD(mind, "search", "search|minimax|mixture", "ours", \
       "who plays games of several roles: this search; alpha-beta; or the " \
       "better of both, found out in the start clock") \
  WORD(evaluation, "none", "none|learned|clune|flux", \
       "Veness 2009, Clune 2007, Schiffel 2007", \
       "what states are worth that are not ends: nothing is known; learned " \
       "by playing; from features of the rules; from the goal's formula") \
  WORD(features, "usual", "plain|usual|all", "ours", \
       "what evaluation=learned looks at: facts and kinds of pieces; also " \
       "lines and numbers; also pairs of neighbours") \
  WORD(teacher, "games", "playouts|trees|games", "Sutton 1988, ours", \
       "what evaluation=learned learns from: the ends of playouts; trees of " \
       "this search in games against itself; a few playouts, then games in " \
       "which both sides look a few steps ahead") \
  REAL(learn, 0.6, 0, 1, "ours", \
       "share of the start clock for learning, with evaluation=learned") \
  NUMBER(keep, 1, 0, 1, "ours", \
         "1: what was learned is taken from --knowledge and kept there") \
  REAL(choose, 0.3, 0, 1, "ours", \
       "share of the start clock for short games that decide who plays, with " \
       "mind=mixture") \
  REAL( \
      veto, 0.1, 0, 1, "ours", \
      "share of a move's time in which alpha-beta looks for proofs while the " \
      "search plays, with mind=mixture") \
  REAL(judge, 0, 0, 1, "ours", \
       "weight of the evaluation of a leaf beside its playouts") \
  REAL(implicit, 0, 0, 1, "Lanctot 2014", \
       "weight of the minimax value of evaluations beside the mean return") \
  REAL(prior, 0, 0, 10000, "ours", \
       "visits that the evaluation of a new action counts for") \
  NUMBER(cutoff, 0, 0, 1000000, "Lorentz 2008", \
         "batch mode: playouts are judged by the evaluation after so many " \
         "steps; 0: they are played to the end") \
  NUMBER(quiet, 1, 0, 1, "ours", \
         "minimax: 1: captures are searched until the state is quiet") \
  NUMBER(reduce, 2, 0, 2, "ours", \
         "minimax: 1: late moves are searched one or two steps less deep at " \
         "first; 2: the less the later they are and the more steps are left, " \
         "and near the leaves those that look hopeless not at all") \
  WORD(others, "paranoid", "paranoid|maxn", "Luckhardt 1986, Sturtevant 2000", \
       "minimax with three or more roles: all others are against this one, " \
       "or everybody wants the most for itself") \
  NUMBER(symmetry, 0, 0, 1, "ours", \
         "1: of moves that a proved symmetry of the state maps to each other " \
         "one is searched") \
  REAL(share, 1, 0, 1000, "ours", \
       "share of each budget to use, for players with unequal clocks") \
  NUMBER(threads, 0, 0, 256, "ours", \
         "threads per search; 0: one, in serve and play one for each " \
         "processor") \
  NUMBER(gpu, 1, 0, 1, "ours", \
         "batch mode: 1: leaves are also played out on the graphics card, if " \
         "there is one, while thinking is limited in time alone") \
  NUMBER(gputree, 1, 0, 1, "ours", \
         "1: the card has a tree of its own where roles take turns; 0: it " \
         "plays out leaves of the search's tree") \
  NUMBER(gpubroods, 1, 0, 1, "ours", \
         "1: the card makes broods ahead of alpha-beta") \
  NUMBER( \
      gpugrowth, 16, 1, 65536, "ours", \
      "a wave of the card's tree has a leaf for so many visits of the root") \
  NUMBER( \
      gpuleaves, 0, 0, 65536, "ours", \
      "leaves on the card at once, of a thread or of the card's own tree; 0: " \
      "as suits the card") \
  NUMBER( \
      gpurepeat, 0, 0, 1024, "ours", \
      "playouts from each leaf on the card, 0: as many as in lanes, or more " \
      "where there are few leaves") \
  WORD(gpuplayout, "same", "same|uniform", "ours", \
       "how playouts on the card choose moves: as in lanes; or uniformly, " \
       "which is 3 to 15 times as fast") \
  REAL(gpuwait, 1, 0.001, 1000, "ours", \
       "seconds after which a card that does not answer is given up") \
  NUMBER(memory, 1024, 1, 1048576, "ours", "MiB for the game tree")

typedef struct Settings {
#define REAL(name, value, least, most, origin, help) double name;
#define NUMBER(name, value, least, most, origin, help) int64_t name;
#define WORD(name, value, choices, origin, help) uint32_t name;
  SETTINGS(REAL, NUMBER, WORD)
#undef REAL
#undef NUMBER
#undef WORD
} Settings;

/* Values of WORD settings, in the order of their choices. */
enum { TREE_NONE, TREE_KEEP, TREE_FORGET };
enum { CHOICE_BOUND, CHOICE_UNIFORM };
enum {
  RETURNS_OWN,
  RETURNS_DIFFERENCE,
  RETURNS_SCALED,
  RETURNS_MIXED,
  RETURNS_AUTO
};
enum { UNEXPLORED_RANDOM, UNEXPLORED_GIBBS, UNEXPLORED_URGENCY };
enum { PLAYOUT_UNIFORM, PLAYOUT_MAST, PLAYOUT_NST };
enum { GPUPLAYOUT_SAME, GPUPLAYOUT_UNIFORM };
enum { BLEND_VALUE, BLEND_BOUND };
enum {
  FINAL_VALUE,
  FINAL_VISITS,
  FINAL_MAXIMUM,
  FINAL_LOWER,
  FINAL_STEADY,
  FINAL_EFFECTIVE
};
enum {
  TRANSPOSE_STATE,
  TRANSPOSE_DEPTH,
  TRANSPOSE_SINGLE,
  TRANSPOSE_RESOLUTION,
  TRANSPOSE_NONE
};
enum { PATH_NONE, PATH_EQUAL, PATH_BETTER };
enum { ESTIMATE_MEAN, ESTIMATE_MAXIMUM };
enum { STRATEGIES_NONE, STRATEGIES_BASE, STRATEGIES_EXPLORE, STRATEGIES_EVERY };
enum { DEPTHS_468, DEPTHS_357, DEPTHS_ALL };
enum { DEAL_BANDIT, DEAL_EQUAL };
enum {
  PUZZLE_SEARCH,
  PUZZLE_IDA,
  PUZZLE_ASTAR,
  PUZZLE_NESTED,
  PUZZLE_NRPA,
  PUZZLE_PORTFOLIO
};

enum { MIND_SEARCH, MIND_MINIMAX, MIND_MIXTURE };
enum { EVALUATION_NONE, EVALUATION_LEARNED, EVALUATION_CLUNE, EVALUATION_FLUX };
enum { FEATURES_PLAIN, FEATURES_USUAL, FEATURES_ALL };
enum { TEACHER_PLAYOUTS, TEACHER_TREES, TEACHER_GAMES };
enum { OTHERS_PARANOID, OTHERS_MAXN };

typedef struct Preset {
  const char *name, *settings, *origin, *help;
} Preset;

extern const Preset presets[];
extern const uint32_t preset_count;

/* Brings settings that depend on the number of roles to what they mean in a
   game with so many: `single` and transpose=single are resolved, and what is
   for games of one role only is turned off in others. */
void settings_adapt(Settings *settings, uint32_t role_count);

/* Parses a preset, perhaps with changes: "cadia2009" or
   "cadia2009:c=30,threads=2". Returns false and sets `error` if the text is not
   valid. */
bool settings_parse(Settings *settings, const char *text, Text *error);
/* Appends all settings, as name=value,name=value. */
void settings_write(const Settings *settings, Text *text);

#endif
