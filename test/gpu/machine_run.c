/* The loop that executes steps: one switch, in which operations on registers
   are loops over the lanes of a warp that the compiler turns into vectors. An
   instruction first finds the lanes that execute it (those of the group whose
   guard is true), looks whether its sources have been written in all of them,
   and writes its result in these lanes alone.

   Between jumps a group runs on until it reaches the place of another group of
   its warp that is behind it in the code: then they go on as one. */
#include "machine_run.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* ---- errors ---- */

/* Adds the source line. */
static void quote(const Module *module, uint32_t line, Text *text) {
  const char *at = module->text;
  for (uint32_t i = 1; i < line && at; i++) {
    at = strchr(at, '\n');
    if (at) at++;
  }
  if (!at) return;
  at += strspn(at, " \t");
  text_format(text, " in line %u: %.*s", line, (int)strcspn(at, "\n"), at);
}

bool run_fail(Run *run, const Warp *warp, const Step *step, uint32_t lane,
              int result, const char *format, ...) {
  char text[256];
  va_list arguments;
  if (run->result) return false;
  run->result = result;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  text_format(run->error, "%s, block %u, ", run->launch->entry->name,
              run->block);
  if (warp) text_format(run->error, "thread %u: ", LANES * warp->number + lane);
  text_add(run->error, text);
  if (step) quote(run->module, step->line, run->error);
  return false;
}

bool run_need(Run *run, const Warp *warp, const Step *step, char file,
              int32_t number, uint32_t mask) {
  const uint32_t *known = file == 'n'   ? warp->narrow_known
                          : file == 'w' ? warp->wide_known
                                        : warp->predicate_known;
  uint32_t missing = mask & ~known[number];
  if (!missing) return true;
  Text name = {0};
  module_name_register(run->module, file, number, &name);
  run_fail(run, warp, step, (uint32_t)__builtin_ctz(missing), MACHINE_FAILED,
           "reads %s, which was never written", text_string(&name));
  text_free(&name);
  return false;
}

/* ---- values ---- */

static inline float float_of_bits(uint32_t bits) {
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

/* NaNs of a card are all the same. */
static inline uint32_t bits_of_float(float number) {
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  return number != number ? 0x7fffffffu : bits;
}

static inline float least(float x, float y) {
  if (x != x) return y;
  if (y != y) return x;
  if (x == y) return signbit(x) ? x : y;
  return x < y ? x : y;
}

static inline float greatest(float x, float y) {
  if (x != x) return y;
  if (y != y) return x;
  if (x == y) return signbit(x) ? y : x;
  return x > y ? x : y;
}

static uint32_t to_unsigned(float x) {
  if (!(x > 0)) return 0;
  return x >= 4294967296.0f ? UINT32_MAX : (uint32_t)x;
}

static uint32_t to_short(float x) {
  uint32_t number = to_unsigned(x);
  return number > 0xffff ? 0xffff : number;
}

static uint64_t to_unsigned_wide(float x) {
  if (!(x > 0)) return 0;
  return x >= 18446744073709551616.0f ? UINT64_MAX : (uint64_t)x;
}

static uint32_t to_signed(float x) {
  if (x != x) return 0;
  if (x >= 2147483648.0f) return INT32_MAX;
  if (x < -2147483648.0f) return (uint32_t)INT32_MIN;
  return (uint32_t)(int32_t)x;
}

static float toward_zero(uint32_t x) {
  float near = (float)x;
  return (double)near > (double)x ? nextafterf(near, 0) : near;
}

static uint64_t high_unsigned(uint64_t x, uint64_t y) {
  __extension__ typedef unsigned __int128 Double;
  return (uint64_t)((Double)x * y >> 64);
}

static uint64_t high_signed(uint64_t x, uint64_t y) {
  __extension__ typedef __int128 Double;
  return (uint64_t)((Double)(int64_t)x * (int64_t)y >> 64);
}

static uint32_t reversed(uint32_t x) {
  x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
  x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(x);
}

static uint32_t permute(uint32_t low, uint32_t high, uint32_t selectors) {
  uint64_t bytes = (uint64_t)high << 32 | low;
  uint32_t result = 0;
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t selector = selectors >> 4 * i & 15;
    uint32_t byte = bytes >> 8 * (selector & 7) & 0xff;
    if (selector & 8) byte = byte & 0x80 ? 0xff : 0;
    result |= byte << 8 * i;
  }
  return result;
}

static uint32_t extract_unsigned(uint32_t x, uint32_t first, uint32_t count) {
  first &= 255;
  count &= 255;
  if (first > 31 || !count) return 0;
  x >>= first;
  return count > 31 ? x : x & ((1u << count) - 1);
}

static uint32_t extract_signed(uint32_t x, uint32_t first, uint32_t count) {
  first &= 255;
  count &= 255;
  if (!count) return 0;
  uint32_t last = first + count - 1 > 31 ? 31 : first + count - 1;
  uint32_t sign = x >> last & 1 ? UINT32_MAX : 0;
  if (first > 31) return sign;
  uint32_t value = x >> first, kept = last - first + 1;
  if (kept > 31) return value;
  return (value & ((1u << kept) - 1)) | (sign << kept);
}

static uint32_t insert(uint32_t from, uint32_t into, uint32_t first,
                       uint32_t count) {
  first &= 255;
  count &= 255;
  if (first > 31 || !count) return into;
  uint32_t mask = (count > 31 ? UINT32_MAX : (1u << count) - 1) << first;
  return (from << first & mask) | (into & ~mask);
}

static uint32_t find_signed(uint32_t x) {
  if (x >> 31) x = ~x;
  return x ? 31 - (uint32_t)__builtin_clz(x) : UINT32_MAX;
}

/* The n-th set bit from a base, upwards or downwards. */
static uint32_t find_set(uint32_t mask, uint32_t base, uint32_t offset) {
  int32_t n = (int32_t)offset, at = (int32_t)base;
  if (base > 31) return UINT32_MAX;
  if (!n) return mask >> base & 1 ? base : UINT32_MAX;
  uint32_t left = n > 0 ? offset : 0 - offset;
  int32_t way = n > 0 ? 1 : -1;
  for (; at >= 0 && at < LANES; at += way)
    if (mask >> at & 1 && !--left) return (uint32_t)at;
  return UINT32_MAX;
}

/* ---- registers ---- */

static inline void put_narrow(Warp *warp, int32_t to, uint32_t mask,
                              const Narrow *value) {
  Narrow *place = &warp->narrow[to];
  warp->narrow_known[to] |= mask;
  if (mask == UINT32_MAX) {
    *place = *value;
    return;
  }
  for (uint32_t i = 0; i < LANES; i++) {
    uint32_t lane = 0 - (mask >> i & 1);
    place->lane[i] = (value->lane[i] & lane) | (place->lane[i] & ~lane);
  }
}

static inline void put_wide(Warp *warp, int32_t to, uint32_t mask,
                            const Wide *value) {
  Wide *place = &warp->wide[to];
  warp->wide_known[to] |= mask;
  if (mask == UINT32_MAX) {
    *place = *value;
    return;
  }
  for (uint32_t i = 0; i < LANES; i++)
    if (mask >> i & 1) place->lane[i] = value->lane[i];
}

static void put_predicate(Warp *warp, int32_t to, uint32_t mask,
                          uint32_t value) {
  warp->predicates[to] = (warp->predicates[to] & ~mask) | (value & mask);
  warp->predicate_known[to] |= mask;
}

/* Says which source of an operation has not been written. */
static void blame(Run *run, const Warp *warp, const Step *step, uint32_t mask) {
  static const char *const forms[] = {
#define OPERATION(code, mnemonic, operands, form, value) #form,
#define SAME(code, mnemonic, operands)
#include "gpu/machine_operations.h"
  };
  const int32_t numbers[] = {step->a, step->b, step->c, step->extra};
  const char *form = step->code < OP_LOP3    ? forms[step->code]
                     : step->code == OP_LOP3 ? "N_NNN"
                                             : "N_NNNN";
  for (uint32_t i = 0; form[2 + i]; i++)
    if (!run_need(run, warp, step, form[2 + i] == 'N' ? 'n' : 'w', numbers[i],
                  mask))
      return;
}

/* ---- operations ---- */

#define NARROW(name) \
  const uint32_t *name = warp->narrow[step->name].lane; \
  known &= warp->narrow_known[step->name];
#define WIDE(name) \
  const uint64_t *name = warp->wide[step->name].lane; \
  known &= warp->wide_known[step->name];
#define BEGIN \
  { \
    uint32_t known = UINT32_MAX;
#define CHECK \
  if (mask & ~known) goto unknown;
#define EACH for (uint32_t i = 0; i < LANES; i++)
#define END_NARROW \
  put_narrow(warp, step->to, mask, &out); \
  }
#define END_WIDE \
  put_wide(warp, step->to, mask, &out); \
  }

#define FORM_N_N(value) \
  BEGIN NARROW(a) \
  CHECK Narrow out; \
  EACH { \
    uint32_t x = a[i]; \
    out.lane[i] = (uint32_t)(value); \
  } \
  END_NARROW
#define FORM_N_NN(value) \
  BEGIN NARROW(a) NARROW(b) CHECK Narrow out; \
  EACH { \
    uint32_t x = a[i], y = b[i]; \
    out.lane[i] = (uint32_t)(value); \
  } \
  END_NARROW
#define FORM_N_NNN(value) \
  BEGIN NARROW(a) NARROW(b) NARROW(c) CHECK Narrow out; \
  EACH { \
    uint32_t x = a[i], y = b[i], z = c[i]; \
    out.lane[i] = (uint32_t)(value); \
  } \
  END_NARROW
#define FORM_N_W(value) \
  BEGIN WIDE(a) \
  CHECK Narrow out; \
  EACH { \
    uint64_t x = a[i]; \
    out.lane[i] = (uint32_t)(value); \
  } \
  END_NARROW
#define FORM_W_N(value) \
  BEGIN NARROW(a) \
  CHECK Wide out; \
  EACH { \
    uint32_t x = a[i]; \
    out.lane[i] = (value); \
  } \
  END_WIDE
#define FORM_W_W(value) \
  BEGIN WIDE(a) \
  CHECK Wide out; \
  EACH { \
    uint64_t x = a[i]; \
    out.lane[i] = (value); \
  } \
  END_WIDE
#define FORM_W_NN(value) \
  BEGIN NARROW(a) NARROW(b) CHECK Wide out; \
  EACH { \
    uint32_t x = a[i], y = b[i]; \
    out.lane[i] = (value); \
  } \
  END_WIDE
#define FORM_W_NNW(value) \
  BEGIN NARROW(a) NARROW(b) WIDE(c) CHECK Wide out; \
  EACH { \
    uint32_t x = a[i], y = b[i]; \
    uint64_t z = c[i]; \
    out.lane[i] = (value); \
  } \
  END_WIDE
#define FORM_W_WW(value) \
  BEGIN WIDE(a) WIDE(b) CHECK Wide out; \
  EACH { \
    uint64_t x = a[i], y = b[i]; \
    out.lane[i] = (uint64_t)(value); \
  } \
  END_WIDE
#define FORM_W_WN(value) \
  BEGIN WIDE(a) NARROW(b) CHECK Wide out; \
  EACH { \
    uint64_t x = a[i]; \
    uint32_t y = b[i]; \
    out.lane[i] = (uint64_t)(value); \
  } \
  END_WIDE
#define FORM_W_WWW(value) \
  BEGIN WIDE(a) WIDE(b) WIDE(c) CHECK Wide out; \
  EACH { \
    uint64_t x = a[i], y = b[i], z = c[i]; \
    out.lane[i] = (value); \
  } \
  END_WIDE

/* The table's bit at 4a + 2b + c, by choosing between halves of it. */
static inline void look_up(uint32_t table, const uint32_t *a, const uint32_t *b,
                           const uint32_t *c, Narrow *out) {
  uint32_t k[8];
  for (uint32_t i = 0; i < 8; i++) k[i] = 0 - (table >> i & 1);
  for (uint32_t i = 0; i < 8; i += 2) k[i + 1] ^= k[i];
  EACH {
    uint32_t x = a[i], y = b[i], z = c[i];
    uint32_t p = k[0] ^ (k[1] & z), q = k[2] ^ (k[3] & z);
    uint32_t r = k[4] ^ (k[5] & z), s = k[6] ^ (k[7] & z);
    p ^= (p ^ q) & y;
    r ^= (r ^ s) & y;
    out->lane[i] = p ^ ((p ^ r) & x);
  }
}

/* ---- barriers ---- */

static uint32_t alive_threads(const Run *run) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < run->warp_count; i++)
    count += (uint32_t)__builtin_popcount(run->warps[i].alive);
  return count;
}

static void give_result(Warp *warp, const Group *group, const Step *step,
                        const Barrier *barrier) {
  if (step->kind == BARRIER_SYNC) return;
  if (step->kind == BARRIER_POPC) {
    Narrow out;
    EACH out.lane[i] = barrier->set;
    put_narrow(warp, step->to, group->mask, &out);
    return;
  }
  bool set = step->kind == BARRIER_OR ? barrier->set != 0
                                      : barrier->set == barrier->arrived;
  put_predicate(warp, step->to, group->mask, set ? UINT32_MAX : 0);
}

static void open_barrier(Run *run, uint32_t number) {
  Barrier *barrier = &run->barriers[number];
  for (uint32_t w = 0; w < run->warp_count; w++)
    for (uint32_t g = 0; g < run->warps[w].group_count; g++) {
      Group *group = &run->warps[w].groups[g];
      if (group->parked != number + 1) continue;
      give_result(&run->warps[w], group, &run->steps[group->at], barrier);
      group->parked = 0;
      group->at++;
    }
  *barrier = (Barrier){0};
  run->epoch++;
}

/* Opens the barriers that all have reached. */
static void open_barriers(Run *run) {
  uint32_t alive = alive_threads(run);
  for (uint32_t i = 0; i < BARRIERS; i++) {
    const Barrier *barrier = &run->barriers[i];
    uint32_t wanted = barrier->wanted ? barrier->wanted : alive;
    if (barrier->arrived && barrier->arrived >= wanted) open_barrier(run, i);
  }
}

/* All threads of the group come with the same number and count. */
static bool same_value(Run *run, const Warp *warp, const Step *step,
                       int32_t number, uint32_t mask, uint32_t *value) {
  if (!run_need(run, warp, step, 'n', number, mask)) return false;
  const uint32_t *lanes = warp->narrow[number].lane;
  *value = lanes[__builtin_ctz(mask)];
  for (uint32_t rest = mask; rest; rest &= rest - 1)
    if (lanes[__builtin_ctz(rest)] != *value)
      return run_fail(run, warp, step, (uint32_t)__builtin_ctz(rest),
                      MACHINE_FAILED, "threads of a warp differ at a barrier");
  return true;
}

static bool park(Run *run, Warp *warp, const Step *step, Group *group,
                 uint32_t mask) {
  uint32_t number, wanted, lane = (uint32_t)__builtin_ctz(mask);
  if (!same_value(run, warp, step, step->a, mask, &number) ||
      !same_value(run, warp, step, step->b, mask, &wanted))
    return false;
  if (number >= BARRIERS || wanted % LANES)
    return run_fail(run, warp, step, lane, MACHINE_ILLEGAL_INSTRUCTION,
                    "barrier %u of %u threads", number, wanted);
  if (step->aligned && mask != warp->alive)
    return run_fail(run, warp, step, lane, MACHINE_FAILED,
                    "threads 0x%x of the warp are not at the barrier",
                    warp->alive & ~mask);
  Barrier *barrier = &run->barriers[number];
  if (barrier->arrived && barrier->wanted != wanted)
    return run_fail(run, warp, step, lane, MACHINE_FAILED,
                    "others wait for %u threads at barrier %u", barrier->wanted,
                    number);
  if (step->kind != BARRIER_SYNC) {
    if (!run_need(run, warp, step, 'p', step->c, mask)) return false;
    uint32_t set = (warp->predicates[step->c] ^ step->flip_c) & mask;
    barrier->set += (uint32_t)__builtin_popcount(set);
  }
  barrier->wanted = wanted;
  barrier->arrived += (uint32_t)__builtin_popcount(mask);
  group->parked = number + 1;
  return true;
}

/* ---- groups ---- */

static bool same_calls(const Group *a, const Group *b) {
  return a->depth == b->depth &&
         memcmp(a->calls, b->calls, a->depth * sizeof *a->calls) == 0;
}

static void drop_group(Warp *warp, uint32_t number) {
  warp->groups[number] = warp->groups[--warp->group_count];
}

/* Returns the group that is to run, or NULL if all wait or have ended; `until`
   is the place of the next one. Groups at the same place become one. */
static Group *choose_group(Warp *warp, uint32_t *until) {
  uint32_t best = UINT32_MAX, count = warp->group_count;
  for (uint32_t i = count; i-- > 0;)
    if (!warp->groups[i].mask) drop_group(warp, i);
  for (uint32_t i = 0; i < warp->group_count; i++)
    if (!warp->groups[i].parked &&
        (best == UINT32_MAX || warp->groups[i].at < warp->groups[best].at))
      best = i;
  if (best == UINT32_MAX) return NULL;
  *until = UINT32_MAX;
  for (uint32_t i = warp->group_count; i-- > best + 1;) {
    Group *other = &warp->groups[i];
    if (other->parked) continue;
    if (other->at == warp->groups[best].at &&
        same_calls(other, &warp->groups[best])) {
      warp->groups[best].mask |= other->mask;
      drop_group(warp, i);
    }
  }
  for (uint32_t i = 0; i < warp->group_count; i++)
    if (i != best && !warp->groups[i].parked && warp->groups[i].at < *until)
      *until = warp->groups[i].at;
  return &warp->groups[best];
}

static void add_group(Warp *warp, const Group *like, uint32_t at,
                      uint32_t mask) {
  Group *group = &warp->groups[warp->group_count++];
  *group = *like;
  group->at = at;
  group->mask = mask;
}

/* Sends the lanes of the mask where the table says; returns false on failure.
   The first target is left in `at` for the group itself. */
static bool jump_indexed(Run *run, Warp *warp, const Step *step, Group *group,
                         uint32_t mask, uint32_t *at) {
  const NumberVector *table = &run->module->tables.data[step->extra];
  uint32_t rest = mask, others = group->mask & ~mask;
  if (!run_need(run, warp, step, 'n', step->a, mask)) return false;
  const uint32_t *index = warp->narrow[step->a].lane;
  group->mask = 0;
  while (rest) {
    uint32_t lane = (uint32_t)__builtin_ctz(rest), same = 0;
    if (index[lane] >= table->count)
      return run_fail(run, warp, step, lane, MACHINE_ILLEGAL_INSTRUCTION,
                      "target %u of %u", index[lane], table->count);
    uint32_t target = table->data[index[lane]];
    for (uint32_t left = rest; left; left &= left - 1) {
      uint32_t i = (uint32_t)__builtin_ctz(left);
      if (index[i] < table->count && table->data[index[i]] == target)
        same |= 1u << i;
    }
    rest &= ~same;
    if (!group->mask) {
      group->mask = same;
      *at = target;
    } else {
      add_group(warp, group, target, same);
    }
  }
  if (others) add_group(warp, group, (uint32_t)(step - run->steps) + 1, others);
  return true;
}

/* ---- the loop ---- */

static bool need_predicates(Run *run, const Warp *warp, const Step *step,
                            uint32_t mask, bool both) {
  return run_need(run, warp, step, 'p', step->a, mask) &&
         (!both || run_need(run, warp, step, 'p', step->c, mask));
}

/* Runs a group until it has ended, waits or has to leave the turn to another;
   returns false on failure. */
static bool run_group(Run *run, Warp *warp, Group *group, uint32_t until) {
  const Step *steps = run->steps, *step;
  uint32_t at = group->at, active = group->mask, mask;
  uint64_t clock = run->clock;
  uint64_t last =
      run->launch->most_steps ? run->launch->most_steps : UINT64_MAX;
  for (;;) {
    step = &steps[at++];
    clock++;
    if (active & ~warp->predicate_known[step->guard]) {
      run_need(run, warp, step, 'p', step->guard, active);
      goto failed;
    }
    mask = active & (warp->predicates[step->guard] ^ step->flip);
    if (!mask) goto next;
    switch (step->code) {
#define OPERATION(code, mnemonic, operands, form, value) \
  case OP_##code: \
    FORM_##form(value) break;
#define SAME(code, mnemonic, operands)
#include "gpu/machine_operations.h"
    case OP_LOP3:
      BEGIN NARROW(a) NARROW(b) NARROW(c) CHECK Narrow out;
      look_up(step->kind, a, b, c, &out);
      END_NARROW
      break;
    case OP_BFI:
      BEGIN NARROW(a) NARROW(b) NARROW(c) NARROW(extra) CHECK Narrow out;
      EACH out.lane[i] = insert(a[i], b[i], c[i], extra[i]);
      END_NARROW
      break;
    case OP_SETP:
      if (!warp_setp(run, warp, step, mask)) goto failed;
      break;
    case OP_SELP_32:
      if (!run_need(run, warp, step, 'p', step->c, mask)) goto failed;
      BEGIN NARROW(a) NARROW(b) CHECK Narrow out;
      uint32_t first = warp->predicates[step->c] ^ step->flip_c;
      EACH out.lane[i] = first >> i & 1 ? a[i] : b[i];
      END_NARROW
      break;
    case OP_SELP_64:
      if (!run_need(run, warp, step, 'p', step->c, mask)) goto failed;
      BEGIN WIDE(a) WIDE(b) CHECK Wide out;
      uint32_t first = warp->predicates[step->c] ^ step->flip_c;
      EACH out.lane[i] = first >> i & 1 ? a[i] : b[i];
      END_WIDE
      break;
    case OP_PRED_MOV:
    case OP_PRED_NOT:
      if (!need_predicates(run, warp, step, mask, false)) goto failed;
      put_predicate(warp, step->to, mask,
                    warp->predicates[step->a] ^
                        (step->code == OP_PRED_NOT ? UINT32_MAX : 0));
      break;
    case OP_PRED_AND:
      if (!need_predicates(run, warp, step, mask, true)) goto failed;
      put_predicate(warp, step->to, mask,
                    warp->predicates[step->a] & warp->predicates[step->c]);
      break;
    case OP_PRED_OR:
      if (!need_predicates(run, warp, step, mask, true)) goto failed;
      put_predicate(warp, step->to, mask,
                    warp->predicates[step->a] | warp->predicates[step->c]);
      break;
    case OP_PRED_XOR:
      if (!need_predicates(run, warp, step, mask, true)) goto failed;
      put_predicate(warp, step->to, mask,
                    warp->predicates[step->a] ^ warp->predicates[step->c]);
      break;
    case OP_PACK:
      BEGIN NARROW(a) NARROW(b) CHECK Wide out;
      EACH out.lane[i] = (uint64_t)b[i] << 32 | a[i];
      END_WIDE
      break;
    case OP_UNPACK:
      if (!run_need(run, warp, step, 'w', step->a, mask)) goto failed;
      {
        Narrow low, high;
        EACH low.lane[i] = (uint32_t)warp->wide[step->a].lane[i];
        EACH high.lane[i] = (uint32_t)(warp->wide[step->a].lane[i] >> 32);
        put_narrow(warp, step->to, mask, &low);
        put_narrow(warp, step->to2, mask, &high);
      }
      break;
    case OP_CLOCK:
      if (step->wide) {
        Wide out;
        EACH out.lane[i] = clock;
        put_wide(warp, step->to, mask, &out);
      } else {
        Narrow out;
        EACH out.lane[i] = (uint32_t)clock;
        put_narrow(warp, step->to, mask, &out);
      }
      break;
    case OP_LOAD:
      if (!access_load(run, warp, step, mask)) goto failed;
      break;
    case OP_STORE:
      if (!access_store(run, warp, step, mask)) goto failed;
      break;
    case OP_ATOMIC:
      if (!access_update(run, warp, step, mask)) goto failed;
      break;
    case OP_SHUFFLE:
      if (!warp_shuffle(run, warp, step, mask)) goto failed;
      break;
    case OP_VOTE:
    case OP_BALLOT:
      if (!warp_vote(run, warp, step, mask)) goto failed;
      break;
    case OP_REDUX:
      if (!warp_redux(run, warp, step, mask)) goto failed;
      break;
    case OP_MATCH:
      if (!warp_match(run, warp, step, mask)) goto failed;
      break;
    case OP_WARP_SYNC:
      if (!warp_sync(run, warp, step, mask)) goto failed;
      break;
    case OP_ACTIVE: {
      Narrow out;
      EACH out.lane[i] = mask;
      put_narrow(warp, step->to, mask, &out);
    } break;
    case OP_BARRIER:
      if (mask != active) {
        add_group(warp, group, at, active & ~mask);
        active = mask;
      }
      if (!park(run, warp, step, group, mask)) goto failed;
      at--;
      goto leave;
    case OP_BRANCH:
      if (mask == active) {
        at = (uint32_t)step->extra;
        break;
      }
      add_group(warp, group, (uint32_t)step->extra, mask);
      active &= ~mask;
      goto leave;
    case OP_INDEXED:
      if (!jump_indexed(run, warp, step, group, mask, &at)) goto failed;
      active = group->mask;
      goto leave;
    case OP_CALL:
      if (mask != active) {
        add_group(warp, group, at, active & ~mask);
        active = mask;
      }
      if (group->depth == CALLS_MOST) {
        run_fail(run, warp, step, (uint32_t)__builtin_ctz(mask), MACHINE_FAILED,
                 "calls are nested too deeply");
        goto failed;
      }
      group->calls[group->depth++] = at;
      at = (uint32_t)step->extra;
      goto leave;
    case OP_RETURN:
      if (mask != active) {
        add_group(warp, group, at, active & ~mask);
        active = mask;
      }
      at = group->calls[--group->depth];
      goto leave;
    case OP_EXIT:
      active &= ~mask;
      warp->alive &= ~mask;
      if (!active) goto leave;
      break;
    case OP_TRAP:
      run_fail(run, warp, step, (uint32_t)__builtin_ctz(mask),
               MACHINE_ILLEGAL_INSTRUCTION, "a trap");
      goto failed;
    default: break;
    }
  next:
    if (at >= until) goto leave;
    if (clock >= last) {
      run_fail(run, warp, step, 0, MACHINE_TIMEOUT, "takes too long");
      goto failed;
    }
  }
unknown:
  blame(run, warp, step, mask);
failed:
  run->clock = clock;
  return false;
leave:
  run->machine->instructions +=
      (clock - run->clock) * (uint64_t)__builtin_popcount(group->mask);
  run->clock = clock;
  group->at = at;
  group->mask = active;
  return true;
}

/* ---- blocks ---- */

static bool run_warp(Run *run, Warp *warp, bool *ran) {
  Group *group;
  uint32_t until;
  while ((group = choose_group(warp, &until))) {
    uint32_t before = warp->alive;
    *ran = true;
    if (!run_group(run, warp, group, until)) return false;
    if (run->launch->most_steps && run->clock >= run->launch->most_steps)
      return run_fail(run, warp, NULL, 0, MACHINE_TIMEOUT, "takes too long");
    if (group->parked || warp->alive != before) open_barriers(run);
  }
  return true;
}

static void begin_warp(Run *run, Warp *warp) {
  const Launch *launch = run->launch;
  const Module *module = run->module;
  uint32_t first = LANES * warp->number, left = launch->threads - first;
  warp->alive = left >= LANES ? UINT32_MAX : (1u << left) - 1;
  warp->group_count = 1;
  warp->groups[0] = (Group){.at = launch->entry->first, .mask = warp->alive};
  memset(warp->narrow_known, 0, module->narrows * sizeof(uint32_t));
  memset(warp->wide_known, 0, module->wides * sizeof(uint32_t));
  memset(warp->predicate_known, 0, module->predicates * sizeof(uint32_t));
  memset(warp->local, 0xcd, (size_t)(module->local + 3) / 4 * sizeof(Narrow));
  for (uint32_t i = 0; i < LANES; i++) {
    warp->narrow[REG_TID].lane[i] = first + i;
    warp->narrow[REG_NTID].lane[i] = launch->threads;
    warp->narrow[REG_CTAID].lane[i] = run->block;
    warp->narrow[REG_NCTAID].lane[i] = launch->blocks;
    warp->narrow[REG_LANE].lane[i] = i;
    warp->narrow[REG_WARP].lane[i] = warp->number;
    warp->narrow[REG_LANE_EQ].lane[i] = 1u << i;
    warp->narrow[REG_LANE_LT].lane[i] = (1u << i) - 1;
    warp->narrow[REG_LANE_LE].lane[i] = (1u << i) | ((1u << i) - 1);
    warp->narrow[REG_LANE_GT].lane[i] = ~((1u << i) | ((1u << i) - 1));
    warp->narrow[REG_LANE_GE].lane[i] = ~((1u << i) - 1);
    warp->narrow[REG_WARPS].lane[i] = run->warp_count;
  }
}

static bool run_block(Run *run) {
  bool ran = true;
  run->block_epoch = ++run->epoch;
  run->epoch++;
  memset(run->shared, 0xcd, run->shared_end - SHARED_START);
  memset(run->barriers, 0, sizeof run->barriers);
  for (uint32_t i = 0; i < run->warp_count; i++)
    begin_warp(run, &run->warps[i]);
  while (ran) {
    ran = false;
    for (uint32_t i = 0; i < run->warp_count; i++)
      if (!run_warp(run, &run->warps[i], &ran)) return false;
  }
  for (uint32_t i = 0; i < run->warp_count; i++) {
    const Warp *warp = &run->warps[i];
    if (!warp->alive) continue;
    const Group *group = &warp->groups[0];
    return run_fail(run, warp, &run->steps[group->at],
                    (uint32_t)__builtin_ctz(group->mask), MACHINE_FAILED,
                    "waits at a barrier that others never reach");
  }
  return true;
}

/* ---- launches ---- */

/* Allocates registers with room for constants in front. */
static void *new_registers(void **block, size_t constants, size_t count,
                           size_t size) {
  *block = memory_new_aligned((constants + count + 1) * size);
  return (char *)*block + constants * size;
}

static void new_warp(const Module *module, Warp *warp, uint32_t number) {
  size_t narrow = module->narrow_constants.count - (size_t)REG_CONSTANTS - 1;
  size_t wide = module->wide_constants.count - (size_t)REG_CONSTANTS - 1;
  *warp = (Warp){.number = number};
  warp->narrow =
      new_registers(&warp->blocks[0], narrow, module->narrows, sizeof(Narrow));
  warp->wide =
      new_registers(&warp->blocks[1], wide, module->wides, sizeof(Wide));
  warp->predicates =
      new_registers(&warp->blocks[2], 1, module->predicates, sizeof(uint32_t));
  warp->narrow_known = new_registers(&warp->blocks[3], narrow, module->narrows,
                                     sizeof(uint32_t));
  warp->wide_known =
      new_registers(&warp->blocks[4], wide, module->wides, sizeof(uint32_t));
  warp->predicate_known =
      new_registers(&warp->blocks[5], 1, module->predicates, sizeof(uint32_t));
  warp->local = new_registers(&warp->blocks[6], 0, (module->local + 3) / 4,
                              sizeof(Narrow));
  memset(warp->blocks[3], 0xff, narrow * sizeof(uint32_t));
  memset(warp->blocks[4], 0xff, wide * sizeof(uint32_t));
  warp->predicates[REG_TRUE] = warp->predicate_known[REG_TRUE] = UINT32_MAX;
  for (uint32_t k = 0; k < module->narrow_constants.count; k++)
    EACH warp->narrow[REG_CONSTANTS - (int32_t)k].lane[i] =
        module->narrow_constants.data[k];
  for (uint32_t k = 0; k < module->wide_constants.count; k++)
    EACH warp->wide[REG_CONSTANTS - (int32_t)k].lane[i] =
        module->wide_constants.data[k];
}

static void begin_run(Run *run) {
  const Launch *launch = run->launch;
  run->warp_count = (launch->threads + LANES - 1) / LANES;
  run->shared_declared = SHARED_START + run->module->shared;
  run->shared_end = SHARED_DYNAMIC + launch->shared;
  size_t bytes = run->shared_end - SHARED_START + 64, words = bytes / 4 + 1;
  run->shared = memory_new_aligned(bytes);
  run->readers = memory_new(words * sizeof *run->readers);
  run->writers = memory_new(words * sizeof *run->writers);
  run->updaters = memory_new(words * sizeof *run->updaters);
  for (uint32_t i = 0; i < run->warp_count; i++)
    new_warp(run->module, &run->warps[i], i);
}

static void end_run(Run *run) {
  memory_delete(run->shared);
  memory_delete(run->readers);
  memory_delete(run->writers);
  memory_delete(run->updaters);
  for (uint32_t i = 0; i < run->warp_count; i++)
    for (uint32_t k = 0; k < 7; k++) memory_delete(run->warps[i].blocks[k]);
}

int machine_launch(Machine *machine, const Launch *launch, Text *error) {
  Run *run = memory_new(sizeof *run);
  run->machine = machine;
  run->launch = launch;
  run->module = launch->module;
  run->steps = launch->module->steps.data;
  run->error = error;
  begin_run(run);
  for (; run->block < launch->blocks; run->block++)
    if (!run_block(run)) break;
  int result = run->result;
  end_run(run);
  memory_delete(run);
  return result;
}
