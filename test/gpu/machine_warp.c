/* Comparisons, and what threads of a warp tell each other. All threads of the
   mask that have not ended must be here: on a card the others would be waited
   for, for ever if they never come. */
#include <math.h>

#include "machine_run.h"

/* ---- comparisons ---- */

#define COMPARE(kind, x, y) \
  ((kind) == CMP_EQ   ? (x) == (y) \
   : (kind) == CMP_NE ? (x) != (y) \
   : (kind) == CMP_LT ? (x) < (y) \
   : (kind) == CMP_LE ? (x) <= (y) \
   : (kind) == CMP_GT ? (x) > (y) \
                      : (x) >= (y))

static float as_float(uint32_t bits) {
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static bool compare_floats(int kind, bool unordered, uint32_t a, uint32_t b) {
  float x = as_float(a), y = as_float(b);
  if (isnan(x) || isnan(y)) return unordered;
  return COMPARE(kind, x, y);
}

#define COMPARE_LANES(kind, x, y) \
  for (uint32_t i = 0; i < LANES; i++) \
    result |= (uint32_t)(COMPARE(kind, x, y)) << i;

/* One loop for each kind, so that nothing is decided in it. */
#define COMPARE_ALL(x, y) \
  switch (step->kind) { \
  case CMP_EQ: COMPARE_LANES(CMP_EQ, x, y) break; \
  case CMP_NE: COMPARE_LANES(CMP_NE, x, y) break; \
  case CMP_LT: COMPARE_LANES(CMP_LT, x, y) break; \
  case CMP_LE: COMPARE_LANES(CMP_LE, x, y) break; \
  case CMP_GT: COMPARE_LANES(CMP_GT, x, y) break; \
  default: COMPARE_LANES(CMP_GE, x, y) break; \
  }

static uint32_t compare_narrow(const Step *step, const uint32_t *a,
                               const uint32_t *b) {
  uint32_t result = 0;
  if (step->more == AS_U32) {
    COMPARE_ALL(a[i], b[i])
  } else if (step->more == AS_S32) {
    COMPARE_ALL((int32_t)a[i], (int32_t)b[i])
  } else {
    for (uint32_t i = 0; i < LANES; i++)
      result |= (uint32_t)compare_floats(
                    step->kind, step->more == AS_F32_UNORDERED, a[i], b[i])
                << i;
  }
  return result;
}

static uint32_t compare_wide(const Step *step, const uint64_t *a,
                             const uint64_t *b) {
  uint32_t result = 0;
  if (step->more == AS_U64) {
    COMPARE_ALL(a[i], b[i])
  } else {
    COMPARE_ALL((int64_t)a[i], (int64_t)b[i])
  }
  return result;
}

static uint32_t joined(uint8_t join, uint32_t a, uint32_t b) {
  return join == AND_AND   ? a & b
         : join == AND_OR  ? a | b
         : join == AND_XOR ? a ^ b
                           : a;
}

static void set_predicate(Warp *warp, int32_t to, uint32_t mask,
                          uint32_t value) {
  if (to == REG_NOWHERE) return;
  warp->predicates[to] = (warp->predicates[to] & ~mask) | (value & mask);
  warp->predicate_known[to] |= mask;
}

bool warp_setp(Run *run, Warp *warp, const Step *step, uint32_t mask) {
  bool wide = step->more == AS_U64 || step->more == AS_S64;
  char file = wide ? 'w' : 'n';
  if (!run_need(run, warp, step, file, step->a, mask) ||
      !run_need(run, warp, step, file, step->b, mask) ||
      !run_need(run, warp, step, 'p', step->c, mask))
    return false;
  uint32_t result = wide ? compare_wide(step, warp->wide[step->a].lane,
                                        warp->wide[step->b].lane)
                         : compare_narrow(step, warp->narrow[step->a].lane,
                                          warp->narrow[step->b].lane);
  uint32_t other = warp->predicates[step->c] ^ step->flip_c;
  set_predicate(warp, step->to, mask, joined(step->bytes, result, other));
  set_predicate(warp, step->to2, mask, joined(step->bytes, ~result, other));
  return true;
}

/* ---- exchanges ---- */

/* The masks of the lanes are in the register `extra`. */
static bool check_members(Run *run, const Warp *warp, const Step *step,
                          uint32_t mask) {
  if (!run_need(run, warp, step, 'n', step->extra, mask)) return false;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(rest);
    uint32_t members = warp->narrow[step->extra].lane[lane];
    if (!(members >> lane & 1))
      return run_fail(run, warp, step, lane, MACHINE_FAILED,
                      "the mask 0x%x lacks the thread itself", members);
    if (members & warp->alive & ~mask)
      return run_fail(run, warp, step, lane, MACHINE_FAILED,
                      "threads 0x%x of the mask are elsewhere",
                      members & warp->alive & ~mask);
  }
  return true;
}

bool warp_sync(Run *run, Warp *warp, const Step *step, uint32_t mask) {
  return check_members(run, warp, step, mask);
}

static uint32_t source_lane(const Step *step, uint32_t lane, uint32_t b,
                            uint32_t c, bool *inside) {
  uint32_t segment = c >> 8 & 31, last = c & 31;
  uint32_t end = (lane & segment) | (last & ~segment);
  int32_t from;
  b &= 31;
  switch (step->kind) {
  case SHUFFLE_IDX:
    from = (int32_t)((lane & segment) | (b & ~segment));
    *inside = from <= (int32_t)end;
    break;
  case SHUFFLE_BFLY:
    from = (int32_t)(lane ^ b);
    *inside = from <= (int32_t)end;
    break;
  case SHUFFLE_UP:
    from = (int32_t)lane - (int32_t)b;
    *inside = from >= (int32_t)end;
    break;
  default:
    from = (int32_t)(lane + b);
    *inside = from <= (int32_t)end;
    break;
  }
  return *inside ? (uint32_t)from : lane;
}

bool warp_shuffle(Run *run, Warp *warp, const Step *step, uint32_t mask) {
  if (!check_members(run, warp, step, mask) ||
      !run_need(run, warp, step, 'n', step->a, mask) ||
      !run_need(run, warp, step, 'n', step->b, mask) ||
      !run_need(run, warp, step, 'n', step->c, mask))
    return false;
  Narrow from = warp->narrow[step->a], out = warp->narrow[step->to];
  uint32_t found = 0;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(rest);
    bool inside;
    uint32_t source = source_lane(step, lane, warp->narrow[step->b].lane[lane],
                                  warp->narrow[step->c].lane[lane], &inside);
    if (!(mask >> source & 1) ||
        !(warp->narrow[step->extra].lane[lane] >> source & 1))
      return run_fail(run, warp, step, lane, MACHINE_FAILED,
                      "asks thread %u, which is not there", source);
    out.lane[lane] = from.lane[source];
    found |= (uint32_t)inside << lane;
  }
  warp->narrow[step->to] = out;
  warp->narrow_known[step->to] |= mask;
  set_predicate(warp, step->to2, mask, found);
  return true;
}

bool warp_vote(Run *run, Warp *warp, const Step *step, uint32_t mask) {
  if (!check_members(run, warp, step, mask) ||
      !run_need(run, warp, step, 'p', step->c, mask))
    return false;
  uint32_t votes = (warp->predicates[step->c] ^ step->flip_c) & mask;
  uint32_t result = 0;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(rest);
    uint32_t members = warp->narrow[step->extra].lane[lane] & mask;
    uint32_t set = votes & members;
    bool answer = step->kind == VOTE_ANY   ? set != 0
                  : step->kind == VOTE_ALL ? set == members
                                           : !set || set == members;
    if (step->code == OP_BALLOT)
      warp->narrow[step->to].lane[lane] = set;
    else
      result |= (uint32_t)answer << lane;
  }
  if (step->code == OP_BALLOT)
    warp->narrow_known[step->to] |= mask;
  else
    set_predicate(warp, step->to, mask, result);
  return true;
}

/* Lanes with equal masks have the same result. */
bool warp_redux(Run *run, Warp *warp, const Step *step, uint32_t mask) {
  if (!check_members(run, warp, step, mask) ||
      !run_need(run, warp, step, 'n', step->a, mask))
    return false;
  Narrow from = warp->narrow[step->a];
  uint32_t before = 0, result = 0;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(rest);
    uint32_t members = warp->narrow[step->extra].lane[lane] & mask;
    if (members != before) {
      before = members;
      result = from.lane[__builtin_ctz(members)];
      for (uint32_t others = members & (members - 1); others;
           others &= others - 1)
        result = (uint32_t)access_updated(
            step->kind, result, from.lane[__builtin_ctz(others)], 0, 4);
    }
    warp->narrow[step->to].lane[lane] = result;
  }
  warp->narrow_known[step->to] |= mask;
  return true;
}

bool warp_match(Run *run, Warp *warp, const Step *step, uint32_t mask) {
  if (!check_members(run, warp, step, mask) ||
      !run_need(run, warp, step, 'n', step->a, mask))
    return false;
  Narrow from = warp->narrow[step->a];
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(rest), equal = 0;
    for (uint32_t i = 0; i < LANES; i++)
      equal |= (uint32_t)(from.lane[i] == from.lane[lane]) << i;
    warp->narrow[step->to].lane[lane] =
        equal & mask & warp->narrow[step->extra].lane[lane];
  }
  warp->narrow_known[step->to] |= mask;
  return true;
}
