/* Words whose playouts are over. */
#include "gpu/solo_parts.h"
#include "program/truth.h"

/* Returns one of the bits in all lanes. */
static Reg spread_bit(Ptx *ptx, Reg bits, uint32_t i) {
  Reg word = ptx_new(ptx);
  ptx_line(ptx, "shl.b32 %%r%u, %%r%u, %u", word, bits, 31 - i);
  ptx_line(ptx, "shr.s32 %%r%u, %%r%u, 31", word, word);
  return word;
}

/* Lanes of `alive` grow older by one settling; too old ones go to `cut`. */
static void age(Solo *solo) {
  Ptx *ptx = &solo->ptx;
  Reg carry = solo->alive, less = 0;
  uint32_t label = ptx->labels++, predicate = ptx->predicates++;
  ptx_line(ptx, "setp.eq.u32 %%p%u, %%r%u, 0", predicate, solo->flow);
  ptx_line(ptx, "@%%p%u bra aged%u", predicate, label);
  for (uint32_t i = 0; i < SOLO_AGES; i++) {
    Reg sum = ptx_xor(ptx, solo->ages[i], carry);
    carry = ptx_and(ptx, solo->ages[i], carry);
    ptx_move(ptx, solo->ages[i], sum);
    Reg bit = spread_bit(ptx, solo->aged, i);
    enum {
      GREATER_OR_BORROW =
          (TRUTH_B & ~TRUTH_A) | (TRUTH_C & ~(TRUTH_A ^ TRUTH_B))
    };
    less =
        less ? ptx_gate(ptx, GREATER_OR_BORROW & 0xff, solo->ages[i], bit, less)
             : ptx_and_not(ptx, bit, solo->ages[i]);
  }
  ptx_move(ptx, solo->cut, ptx_and_not(ptx, solo->alive, less));
  ptx_move(ptx, solo->alive, ptx_and(ptx, solo->alive, less));
  text_format(&ptx->body, "aged%u:\n", label);
}

const Program *solo_judge(const Cones *cones) {
  return cones->goals   ? cones->goals
         : cones->judge ? cones->judge
                        : cones->look;
}

/* Counts the goals of the lanes that ended; the first of a role counts. */
static void count_goals(Solo *solo) {
  const Cones *cones = solo->cones;
  const Net *net = cones->net;
  Ptx *ptx = &solo->ptx;
  const Program *program = solo_judge(cones);
  uint32_t skipped = program == cones->look ? net->moves.count + 1 : 0;
  Reg *scored = memory_new(net->role_count * sizeof *scored);
  Value *wanted = memory_new((net->goals.count + 1) * sizeof *wanted);
  for (uint32_t i = 0; i < net->goals.count; i++)
    wanted[i] = program_value(program, skipped + i);
  Order made = {0};
  const Order *order =
      solo_order(solo, program, wanted, net->goals.count, &made);
  Reg *values = memory_new(order->value_count * sizeof *values);
  solo_run(solo, order, wanted, net->goals.count, NULL, values, NULL, NULL);
  for (uint32_t i = 0; i < net->goals.count; i++) {
    const NetGoal *goal = &net->goals.data[i];
    if (goal->value < 0) continue;
    Reg *before = &scored[goal->role];
    Reg lanes = ptx_and(
        ptx, solo_read(solo, values, program_value(program, skipped + i)),
        solo->over);
    if (*before) lanes = ptx_and_not(ptx, lanes, *before);
    *before = *before ? ptx_or(ptx, *before, lanes) : lanes;
    Reg ones = ptx_new(ptx);
    ptx_line(ptx, "popc.b32 %%r%u, %%r%u", ones, lanes);
    ptx_line(ptx, "add.u32 %%r%u, %%r%u, %%r%u", solo->goals[i], solo->goals[i],
             ones);
    ptx_line(ptx, "cvt.rn.f32.u32 number, %%r%u", ones);
    ptx_line(ptx, "mul.f32 number, number, discount");
    ptx_line(ptx, "fma.rn.f32 sum%u, number, 0f%08x, sum%u", goal->role,
             (union {
               float f;
               uint32_t u;
             }){.f = (float)goal->value}
                 .u,
             goal->role);
  }
  order_free(&made);
  memory_delete(values);
  memory_delete(scored);
  memory_delete(wanted);
}

/* Fluents that are loaded together: a thread waits for memory once then. */
enum { TOGETHER = 32 };

/* `list`: fluents, or NULL for all in their order. */
static void load_some(Solo *solo, uint32_t first, const uint32_t *list) {
  uint32_t fluents = solo->cones->net->fluents.count;
  if (solo->plan->frame.home != HOME_LOCAL) return;
  for (uint32_t i = first; i < first + TOGETHER && i < fluents; i++)
    frame_load(&solo->frame, list ? list[i] : i);
}

void solo_load_start(Solo *solo, Reg done) {
  const Net *net = solo->cones->net;
  Ptx *ptx = &solo->ptx;
  uint32_t label = ptx->labels++;
  ptx_line(ptx, "@given bra given%u", label);
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    uint32_t fluent = solo->frame.fluent_at[i];
    if (i % TOGETHER == 0) load_some(solo, i, solo->frame.fluent_at);
    Reg old = frame_load(&solo->frame, fluent);
    frame_store(&solo->frame, fluent,
                net->fluents.data[fluent].initial
                    ? ptx_or(ptx, old, done)
                    : ptx_and_not(ptx, old, done));
  }
  ptx_line(ptx, "bra restarted%u", label);
  text_format(&ptx->body, "given%u:\n", label);
  frame_forget(&solo->frame);
  Reg bits = ptx_new(ptx);
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    if (i % TOGETHER == 0) load_some(solo, i, NULL);
    if (i % 32 == 0)
      ptx_line(ptx, "ld.global.u32 %%r%u, [start+%u]", bits, i / 8);
    Reg word = spread_bit(ptx, bits, i % 32);
    frame_store(&solo->frame, i,
                ptx_gate(ptx, (TRUTH_A & TRUTH_B) | (TRUTH_C & 0x33), word,
                         done, frame_load(&solo->frame, i)));
  }
  text_format(&ptx->body, "restarted%u:\n", label);
  frame_forget(&solo->frame);
}

void solo_load_starts(Solo *solo) {
  const Net *net = solo->cones->net;
  Ptx *ptx = &solo->ptx;
  uint32_t label = ptx->labels++;
  Reg bits = ptx_new(ptx), all = ptx_new(ptx);
  ptx_line(ptx, "@given bra given%u", label);
  ptx_line(ptx, "mov.u32 %%r%u, -1", all);
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    uint32_t fluent = solo->frame.fluent_at[i];
    frame_store(&solo->frame, fluent,
                net->fluents.data[fluent].initial ? all : 0);
  }
  ptx_line(ptx, "bra restarted%u", label);
  text_format(&ptx->body, "given%u:\n", label);
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    if (i % 32 == 0)
      ptx_line(ptx, "ld.global.u32 %%r%u, [start+%u]", bits, i / 8);
    frame_store(&solo->frame, i, spread_bit(ptx, bits, i % 32));
  }
  text_format(&ptx->body, "restarted%u:\n", label);
  frame_forget(&solo->frame);
}

void solo_restart(Solo *solo, Reg lanes) {
  Ptx *ptx = &solo->ptx;
  solo_load_start(solo, lanes);
  if (solo->plan->legs == 1) {
    ptx_move(ptx, solo->alive, ptx_or(ptx, solo->alive, lanes));
    return;
  }
  /* Leg 0 comes next. */
  ptx_line(ptx, "@here0 or.b32 %%r%u, %%r%u, %%r%u", solo->alive, solo->alive,
           lanes);
  ptx_line(ptx, "@!here0 or.b32 %%r%u, %%r%u, %%r%u", solo->waiting,
           solo->waiting, lanes);
}

/* Adds the discount of each of the lanes to a sum. */
static void add_discounts(Solo *solo, const char *sum, Reg lanes) {
  Ptx *ptx = &solo->ptx;
  Reg ones = ptx_new(ptx);
  ptx_line(ptx, "popc.b32 %%r%u, %%r%u", ones, lanes);
  ptx_line(ptx, "cvt.rn.f32.u32 number, %%r%u", ones);
  ptx_line(ptx, "fma.rn.f32 %s_discounts, number, discount, %s_discounts", sum,
           sum);
}

/* Jobs: all lanes of a word began at the same step. */
void solo_add_up(Solo *solo) {
  Ptx *ptx = &solo->ptx;
  Reg length = ptx_new(ptx), ones = ptx_new(ptx);
  ptx_line(ptx, "sub.u32 %%r%u, %%r%u, 1", length, solo->clock);
  ptx_line(ptx, "sub.u32 %%r%u, %%r%u, %%r%u", length, length, solo->phase);
  ptx_line(ptx, "cvt.rn.f32.u32 discount, %%r%u", length);
  ptx_line(ptx, "mul.f32 discount, discount, gamma");
  ptx_line(ptx, "ex2.approx.f32 discount, discount");
  ptx_line(ptx, "popc.b32 %%r%u, %%r%u", ones, solo->over);
  ptx_line(ptx, "mad.lo.u32 %%r%u, %%r%u, %%r%u, %%r%u", solo->steps, ones,
           length, solo->steps);
  add_discounts(solo, "ended", solo->over);
  add_discounts(solo, "other", ptx_or(ptx, solo->cut, solo->stuck));
  count_goals(solo);
  ptx_count(ptx, solo->ended, solo->over);
  ptx_count(ptx, solo->cut_off, solo->cut);
  ptx_count(ptx, solo->stuck_off, solo->stuck);
  ptx_move(ptx, solo->over, 0);
  ptx_move(ptx, solo->cut, 0);
  ptx_move(ptx, solo->stuck, 0);
}

void solo_settle(Solo *solo) {
  Ptx *ptx = &solo->ptx;
  uint32_t label = ptx->labels++, predicate = ptx->predicates++;
  ptx_line(ptx, "add.u32 %%r%u, %%r%u, %%r%u", solo->clock, solo->clock,
           solo->every);
  ptx_move(ptx, solo->left, solo->every);
  age(solo);
  Reg done = ptx_gate(ptx, TRUTH_A | TRUTH_B | TRUTH_C, solo->over, solo->cut,
                      solo->stuck);
  ptx_line(ptx, "setp.eq.u32 %%p%u, %%r%u, 0", predicate, done);
  ptx_line(ptx, "@%%p%u bra settled%u", predicate, label);
  frame_forget(&solo->frame);
  solo_add_up(solo);
  ptx_line(ptx, "setp.ge.u32 %%p%u, %%r%u, %%r%u", predicate, solo->clock,
           solo->flow);
  ptx_line(ptx, "@%%p%u bra settled%u", predicate, label);
  for (uint32_t i = 0; i < SOLO_AGES; i++)
    ptx_move(ptx, solo->ages[i], ptx_and_not(ptx, solo->ages[i], done));
  solo_restart(solo, done);
  text_format(&ptx->body, "settled%u:\n", label);
  frame_forget(&solo->frame);
  ptx_line(ptx, "setp.ge.and.u32 %%p%u, %%r%u, %%r%u, each", predicate,
           solo->clock, solo->limit);
  ptx_line(ptx, "selp.b32 %%r%u, -1, 0, %%p%u", solo->full, predicate);
}
