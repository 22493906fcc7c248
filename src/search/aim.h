/* What each role tries to get the most of: a return made of its own goal and,
   with two roles, the other's. Exact values of the tree are returns, too, as
   whole numbers from 0 to 100. */
#ifndef TAFL_SEARCH_AIM_H
#define TAFL_SEARCH_AIM_H

#include "game/book.h"
#include "search/settings.h"

typedef struct Aim {
  double own, other, constant; /* return = own · goal + other · goal + c */
  double low, step;            /* return = low + step · exact value */
  uint32_t role_count;
  int cut;   /* goal of a playout that was cut off */
  int *best; /* by role: no exact value is higher */
} Aim;

void aim_init(Aim *aim, Book *book, uint32_t role_count,
              const Settings *settings);
void aim_free(Aim *aim);

static inline double aim_return(const Aim *aim, double own, double other) {
  return aim->own * own + aim->other * other + aim->constant;
}

/* The exact value of a return, rounded down: returns that differ by less than a
   point may become equal. */
static inline int aim_exact(const Aim *aim, int own, int other) {
  double value = (aim_return(aim, own, other) - aim->low) / aim->step;
  return (int)(value + 1e-6);
}

/* Returns the exact value of these goals for a role. */
static inline int aim_value(const Aim *aim, const int8_t *goals,
                            uint32_t role) {
  return aim_exact(aim, goals[role],
                   aim->role_count == 2 ? goals[1 - role] : 0);
}

/* Returns the return that an exact value stands for. */
static inline double aim_of_value(const Aim *aim, int value) {
  return aim->low + aim->step * value;
}

/* Returns true if a role that has this value for certain wants the end soon,
   not late. */
static inline bool aim_is_won(const Aim *aim, uint32_t role, int value) {
  return value > 50 || value >= aim->best[role] || aim->role_count == 1;
}

#endif
