#include "minimax/scale.h"

static void set_line(Scale *scale) {
  const Aim *aim = &scale->aim;
  double unit = SCORE_POINT / aim->step;
  bool two = scale->role_count == 2;
  scale->against = two ? 1 - scale->role : scale->role;
  scale->own = aim->own * unit;
  scale->other = two ? aim->other * unit : 0;
  scale->by = (aim->constant - aim->low) * unit;
}

static Score corner(const Scale *scale, const Analysis *analysis, bool best) {
  float goals[RULE_ROLES] = {0};
  for (uint32_t r = 0; r < scale->role_count; r++)
    goals[r] = (float)(best == (r == scale->role) ? analysis->goals[r].most
                                                  : analysis->goals[r].least);
  return scale_goals(scale, goals);
}

void scale_init(Scale *scale, Book *book, uint32_t role,
                const Settings *settings) {
  const Analysis *analysis = book_analysis(book);
  *scale = (Scale){.role = role, .role_count = book->net.role_count};
  aim_init(&scale->aim, book, scale->role_count, settings);
  set_line(scale);
  scale->low = corner(scale, analysis, false);
  scale->high = corner(scale, analysis, true);
  if (scale->high < scale->low + 2) scale->high = scale->low + 2;
  scale->constant = scale->role_count == 2 && analysis->constant_sum;
  scale->sum = analysis->sum;
}

void scale_free(Scale *scale) {
  aim_free(&scale->aim);
}

double scale_own_goal(const Scale *scale, Score score) {
  const Aim *aim = &scale->aim;
  if (score > scale->high) score = scale->high;
  if (score < scale->low) score = scale->low;
  double value = (double)score / SCORE_POINT * aim->step + aim->low;
  if (!scale->constant) return value;
  return (value - aim->constant - aim->other * scale->sum) /
         (aim->own - aim->other);
}

double scale_goal(const Scale *scale, Score score) {
  double own = scale_own_goal(scale, score);
  return scale->constant && scale->role == 1 ? scale->sum - own : own;
}
