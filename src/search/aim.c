/* The returns of the settings as linear functions of the goals: the own goal
   (thesis 3.4.2), or the difference to the other's, plain or scaled to 0 to
   100, or a mixture of both. */
#include "search/aim.h"

#include "base/memory.h"

/* The lowest goal that the rules have for a role. */
static int least_goal(const Book *book, uint32_t role) {
  int least = 100;
  if (!book->has_net) return 0;
  for (uint32_t i = 0; i < book->net.goals.count; i++) {
    const NetGoal *goal = &book->net.goals.data[i];
    if (goal->role == role && goal->value < least) least = goal->value;
  }
  return least;
}

static void find_best(Aim *aim, const Book *book) {
  aim->best = memory_new(aim->role_count * sizeof *aim->best);
  for (uint32_t role = 0; role < aim->role_count; role++) {
    int other = aim->role_count == 2 ? least_goal(book, 1 - role) : 0;
    aim->best[role] = aim_exact(aim, book->best_goal[role], other);
  }
}

/* Analysis.conflict from which on envy pays, and from which on only the
   difference counts. Mean own goals with envy 0.5 and without, in play with
   itself: battle (conflict 0.52) 88 and 87, but ultimatum (0.43) 7 and 38,
   chicken (0.15) 65 and 75; against players that want the difference alone:
   2pffa (0.58) 48 and 40. In chinook (0.90) own goals with envy 0.1 won 30 % of
   30 games against such players, differences 46 % of 12. */
static const double envious = 0.45, hostile = 0.6;

static uint32_t returns_of(Book *book, const Settings *settings) {
  if (settings->returns != RETURNS_AUTO) return settings->returns;
  const Analysis *analysis = book_analysis(book);
  if (!analysis || !analysis->ended) return RETURNS_MIXED;
  if (analysis->constant_sum == EVIDENCE_PROVED && analysis->sum == 100)
    return RETURNS_OWN;
  if (analysis->conflict < envious) return RETURNS_OWN;
  return analysis->conflict < hostile ? RETURNS_MIXED : RETURNS_SCALED;
}

static void set_weights(Aim *aim, Book *book, const Settings *settings) {
  double envy = settings->envy;
  switch (returns_of(book, settings)) {
  case RETURNS_DIFFERENCE:
    aim->other = -1;
    aim->low = -100;
    aim->step = 2;
    break;
  case RETURNS_SCALED:
    aim->own = 0.5;
    aim->other = -0.5;
    aim->constant = 50;
    break;
  case RETURNS_MIXED:
    aim->own = (1 + envy) / (1 + 2 * envy);
    aim->other = -envy / (1 + 2 * envy);
    aim->constant = 100 * envy / (1 + 2 * envy);
    break;
  default: break;
  }
}

/* In a puzzle, being cut off is no better than failing. */
static int cut_goal(const Aim *aim, const Book *book,
                    const Settings *settings) {
  int cut = (int)settings->cut;
  int failed = aim->role_count == 1 ? least_goal(book, 0) : cut;
  return failed < cut ? failed : cut;
}

void aim_init(Aim *aim, Book *book, uint32_t role_count,
              const Settings *settings) {
  *aim = (Aim){.own = 1, .step = 1, .role_count = role_count};
  if (role_count == 2) set_weights(aim, book, settings);
  aim->cut = cut_goal(aim, book, settings);
  find_best(aim, book);
}

void aim_free(Aim *aim) {
  memory_delete(aim->best);
}
