/* The returns of the settings as linear functions of the goals: the own goal
   (thesis 3.4.2), or the difference to the other's, plain or scaled to 0 to
   100. */
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
    aim->best[role] =
        (int)((aim_return(aim, book->best_goal[role], other) - aim->low) /
              aim->step);
  }
}

void aim_init(Aim *aim, const Book *book, uint32_t role_count,
              const Settings *settings) {
  *aim = (Aim){.own = 1, .step = 1, .role_count = role_count};
  bool scaled = settings->returns == RETURNS_SCALED;
  if (role_count == 2 && settings->returns != RETURNS_OWN) {
    aim->own = scaled ? 0.5 : 1;
    aim->other = -aim->own;
    aim->constant = scaled ? 50 : 0;
    aim->low = scaled ? 0 : -100;
    aim->step = scaled ? 1 : 2;
  }
  find_best(aim, book);
}

void aim_free(Aim *aim) {
  memory_delete(aim->best);
}
