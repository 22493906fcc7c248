/* Several methods that work on one puzzle. They share the clock, the threads
   and the memory; each gets slices of about equal length in turn, one that
   found a better plan an additional one. With one thread and a budget that is
   counted, the result depends on the seed alone. */
#ifndef TAFL_SOLVE_PORTFOLIO_H
#define TAFL_SOLVE_PORTFOLIO_H

#include "game/budget.h"
#include "solve/method.h"

typedef struct Portfolio Portfolio;

typedef struct PortfolioOptions {
  const char *methods; /* names, separated by '+'; NULL: all that may help */
  uint32_t threads;    /* 0: one */
  bool shortest;       /* goes on until the plan is proved to be shortest */
  uint64_t seed;
  const Settings *settings; /* of the agent, for methods that search; copied */
} PortfolioOptions;

/* How far one method has come. */
typedef enum {
  MEMBER_WAITING, /* not yet made */
  MEMBER_WORKING,
  MEMBER_UNFIT, /* not for this puzzle */
  MEMBER_DONE,
  MEMBER_FAILED /* it ran out of memory */
} MemberStatus;

typedef struct MemberReport {
  const char *name;
  MemberStatus status;
  uint64_t expanded, simulations;
  double seconds; /* of work */
} MemberReport;

/* The puzzle is borrowed. Returns NULL and sets `error` if a name is unknown.
 */
Portfolio *portfolio_new(Puzzle *puzzle, const PortfolioOptions *options,
                         Text *error);
void portfolio_delete(Portfolio *portfolio);

/* Works until the budget is spent, the puzzle is solved, or no method has
   anything left to do. The budget's states are states expanded, its simulations
   playouts or else states expanded. */
void portfolio_think(Portfolio *portfolio, const Budget *budget);
/* Returns true if thinking on could change something. */
bool portfolio_has_work(const Portfolio *portfolio);

/* The best move of the puzzle's state: that of the best plan, or of a method
   that has an opinion, or else any legal one. Returns false if no move is
   legal.
 */
bool portfolio_best(Portfolio *portfolio, Move *move);

/* Fills in up to `most` reports; returns the number of members. */
uint32_t portfolio_members(const Portfolio *portfolio, MemberReport *reports,
                           uint32_t most);
void portfolio_explain(Portfolio *portfolio, Text *text);

#endif
