#include "gpu/solo.h"

#include <stdio.h>

#include "gpu/solo_parts.h"
#include "gpu/sums.h"

static Reg parameter(Ptx *ptx, const char *name) {
  Reg value = ptx_new(ptx);
  ptx_line(ptx, "ld.param.u32 %%r%u, [p_%s]", value, name);
  return value;
}

static Reg zero(Ptx *ptx) {
  Reg value = ptx_new(ptx);
  ptx_move(ptx, value, 0);
  return value;
}

/* The thread's job, its start, and its lanes. */
static void begin_job(Solo *solo, Reg thread) {
  Ptx *ptx = &solo->ptx;
  Reg start = ptx_new(ptx), size = ptx_new(ptx), last = ptx_new(ptx);
  uint32_t past = ptx->predicates++, flows = ptx->predicates++;
  Reg lanes = parameter(ptx, "lanes"), fewer = parameter(ptx, "last_lanes");
  Reg row = parameter(ptx, "row_words");
  solo->job = ptx_new(ptx);
  ptx_line(ptx, "rem.u32 %%r%u, %%r%u, %%r%u", solo->job, thread, solo->jobs);
  ptx_line(ptx, "setp.ge.u32 %%p%u, %%r%u, %%r%u", past, thread, solo->jobs);
  ptx_line(ptx, "setp.eq.and.u32 %%p%u, %%r%u, 0, %%p%u", past, solo->flow,
           past);
  ptx_line(ptx, "div.u32 %%r%u, %%r%u, %%r%u", start, solo->job, solo->rounds);
  ptx_line(ptx, "mul.lo.u32 %%r%u, %%r%u, %%r%u", size, start, solo->rounds);
  ptx_line(ptx, "sub.u32 %%r%u, %%r%u, %%r%u", last, solo->job, size);
  ptx_line(ptx, "add.u32 %%r%u, %%r%u, 1", last, last);
  ptx_line(ptx, "setp.eq.u32 %%p%u, %%r%u, %%r%u", flows, last, solo->rounds);
  ptx_line(ptx, "selp.b32 %%r%u, %%r%u, %%r%u, %%p%u", solo->alive, fewer,
           lanes, flows);
  ptx_line(ptx, "@%%p%u mov.u32 %%r%u, 0", past, solo->alive);
  ptx_line(ptx, "ld.param.u64 start, [p_starts]");
  ptx_line(ptx, "setp.ne.u64 given, start, 0");
  ptx_line(ptx, "mul.lo.u32 %%r%u, %%r%u, %%r%u", row, row, start);
  ptx_line(ptx, "mul.wide.u32 far, %%r%u, 4", row);
  ptx_line(ptx, "add.u64 start, start, far");
  ptx_line(ptx, "ld.param.u64 result, [p_results]");
  ptx_line(ptx, "mul.wide.u32 far, %%r%u, %u", start,
           8 * (SUMS_FIELDS + SUMS_ROLE_FIELDS * solo->cones->net->role_count));
  ptx_line(ptx, "add.u64 result, result, far");
}

static void begin(Solo *solo) {
  Ptx *ptx = &solo->ptx;
  const Net *net = solo->cones->net;
  Reg seed = parameter(ptx, "seed"), block = ptx_new(ptx),
      thread = ptx_new(ptx), size = ptx_new(ptx);
  ptx_line(ptx, "mov.u32 %%r%u, %%ctaid.x", block);
  ptx_line(ptx, "mov.u32 %%r%u, %%ntid.x", size);
  ptx_line(ptx, "mov.u32 %%r%u, %%tid.x", thread);
  ptx_line(ptx, "mad.lo.u32 %%r%u, %%r%u, %%r%u, %%r%u", thread, block, size,
           thread);
  ptx_line(ptx, "mad.lo.u32 %%r%u, %%r%u, %u, %%r%u", seed, thread, 0x9e3779b1u,
           seed);
  draw_seed(ptx, &solo->dice, seed);
  solo->jobs = parameter(ptx, "jobs");
  solo->rounds = parameter(ptx, "rounds");
  solo->flow = parameter(ptx, "flow");
  solo->limit = parameter(ptx, "limit");
  solo->every = parameter(ptx, "every");
  solo->aged = parameter(ptx, "aged");
  ptx_line(ptx, "ld.param.f32 gamma, [p_gamma]");
  Reg *zeros[] = {&solo->clock,     &solo->alive, &solo->terminal,
                  &solo->over,      &solo->cut,   &solo->stuck,
                  &solo->states,    &solo->ended, &solo->cut_off,
                  &solo->stuck_off, &solo->steps};
  for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
    *zeros[i] = zero(ptx);
  for (uint32_t i = 0; i < SOLO_AGES; i++) solo->ages[i] = zero(ptx);
  for (uint32_t i = 0; i < net->goals.count; i++) solo->goals[i] = zero(ptx);
  for (uint32_t role = 0; role < net->role_count; role++)
    ptx_line(ptx, "mov.f32 sum%u, 0f00000000", role);
  ptx_line(ptx, "mov.f32 ended_discounts, 0f00000000");
  ptx_line(ptx, "mov.f32 other_discounts, 0f00000000");
  for (uint32_t i = 0; i < net->fluents.count + solo->pairing.slots; i++)
    frame_store(&solo->frame, i, 0);
  begin_job(solo, thread);
  Reg ones = ptx_new(ptx);
  ptx_line(ptx, "mov.b32 %%r%u, -1", ones);
  solo_restart(solo, ones);
}

static void add_field(Ptx *ptx, uint32_t field, Reg sum) {
  ptx_line(ptx, "cvt.u64.u32 far, %%r%u", sum);
  ptx_line(ptx, "red.global.add.u64 [result+%u], far", 8 * field);
}

/* The same for a sum in units of 1. */
static void add_fraction(Ptx *ptx, uint32_t field, const char *sum) {
  ptx_line(ptx, "mul.f32 %s, %s, 0f47800000", sum, sum);
  ptx_line(ptx, "cvt.rni.u64.f32 far, %s", sum);
  ptx_line(ptx, "red.global.add.u64 [result+%u], far", 8 * field);
}

static void end_roles(Solo *solo) {
  Ptx *ptx = &solo->ptx;
  const Net *net = solo->cones->net;
  for (uint32_t role = 0; role < net->role_count; role++) {
    uint32_t field = SUMS_FIELDS + role * SUMS_ROLE_FIELDS;
    for (uint32_t k = 0; k < 3; k++) {
      ptx_line(ptx, "mov.u64 far, 0");
      for (uint32_t i = 0; i < net->goals.count; i++) {
        const NetGoal *goal = &net->goals.data[i];
        if (goal->role != role || goal->value < 0) continue;
        uint32_t value = (uint32_t)goal->value;
        ptx_line(ptx, "mad.wide.u32 far, %%r%u, %u, far", solo->goals[i],
                 k == 0   ? 1
                 : k == 1 ? value
                          : value * value);
      }
      ptx_line(ptx, "red.global.add.u64 [result+%u], far", 8 * (field + k));
    }
    char sum[16];
    snprintf(sum, sizeof sum, "sum%u", role);
    add_fraction(ptx, field + SUMS_RETURNS, sum);
  }
}

static void end(Solo *solo) {
  Ptx *ptx = &solo->ptx;
  uint32_t predicate = ptx->predicates++;
  Reg cut = ptx_new(ptx), others = ptx_new(ptx);
  /* Where playouts flowed, all but those that were cut off have ended. */
  ptx_line(ptx, "mul.lo.u32 %%r%u, %%r%u, %%r%u", cut, solo->cut_off,
           solo->limit);
  ptx_line(ptx, "sub.u32 %%r%u, %%r%u, %%r%u", others, solo->states, cut);
  ptx_line(ptx, "setp.ne.u32 %%p%u, %%r%u, 0", predicate, solo->flow);
  ptx_line(ptx, "@%%p%u mov.u32 %%r%u, %%r%u", predicate, solo->steps, others);
  add_field(ptx, SUMS_STATES, solo->states);
  add_field(ptx, SUMS_ENDED, solo->ended);
  add_field(ptx, SUMS_CUT_OFF, solo->cut_off);
  add_field(ptx, SUMS_STUCK, solo->stuck_off);
  add_field(ptx, SUMS_STEPS, solo->steps);
  add_fraction(ptx, SUMS_DISCOUNTS, "ended_discounts");
  add_fraction(ptx, SUMS_OTHER_DISCOUNTS, "other_discounts");
  end_roles(solo);
  ptx_line(ptx, "ret");
}

/* Lanes that go on: neither over nor cut off. */
static Reg find_free(Solo *solo) {
  Ptx *ptx = &solo->ptx;
  uint32_t predicate = ptx->predicates++;
  Reg all = ptx_new(ptx);
  ptx_move(ptx, solo->over, ptx_and(ptx, solo->alive, solo->terminal));
  Reg rest = ptx_and_not(ptx, solo->alive, solo->terminal);
  ptx_line(ptx, "setp.ge.u32 %%p%u, %%r%u, %%r%u", predicate, solo->clock,
           solo->limit);
  ptx_line(ptx, "setp.eq.and.u32 %%p%u, %%r%u, 0, %%p%u", predicate, solo->flow,
           predicate);
  ptx_line(ptx, "selp.b32 %%r%u, -1, 0, %%p%u", all, predicate);
  ptx_move(ptx, solo->cut, ptx_and(ptx, rest, all));
  return ptx_and_not(ptx, rest, all);
}

static void step(Solo *solo) {
  Ptx *ptx = &solo->ptx;
  uint32_t predicate = ptx->predicates++, some = ptx->predicates++;
  text_add(&ptx->body, "step:\n");
  frame_forget(&solo->frame);
  if (solo->plan->barrier) ptx_line(ptx, "bar.sync 0");
  solo_step_look(solo);
  Reg free = find_free(solo);
  solo_step_choose(solo, free);
  Reg moved = ptx_and_not(ptx, free, solo->stuck);
  ptx_count(ptx, solo->states, moved);
  if (solo->plan->barrier) ptx_line(ptx, "bar.sync 0");
  solo_step_next(solo, moved);
  ptx_line(ptx, "add.u32 %%r%u, %%r%u, 1", solo->clock, solo->clock);
  solo_settle(solo);
  ptx_line(ptx, "setp.ne.u32 %%p%u, %%r%u, 0", predicate, solo->alive);
  if (solo->plan->barrier)
    ptx_line(ptx, "bar.red.or.pred %%p%u, 0, %%p%u", some, predicate);
  else
    ptx_line(ptx, "vote.sync.any.pred %%p%u, %%p%u, 0xffffffff", some,
             predicate);
  ptx_line(ptx, "@%%p%u bra step", some);
}

static void write_head(const Solo *solo, Text *text) {
  const SoloPlan *plan = solo->plan;
  text_add(text, ".version 7.8\n.target sm_80\n.address_size 64\n");
  if (plan->frame.home == HOME_SHARED)
    text_add(text, ".extern .shared .align 16 .b8 words[];\n");
  text_add(text, ".visible .entry play(");
#define POINTER(name) text_add(text, ".param .u64 p_" #name ", ");
#define NUMBER(name) text_add(text, ".param .u32 p_" #name ", ");
#define FRACTION(name) text_add(text, ".param .f32 p_" #name);
  SOLO_PARAMETERS(POINTER, NUMBER, FRACTION)
#undef POINTER
#undef NUMBER
#undef FRACTION
  text_format(text, ")\n.maxntid %u, 1, 1\n{\n", plan->frame.threads);
  if (plan->frame.home == HOME_LOCAL)
    text_format(text, "\t.local .align 4 .b8 words[%u];\n",
                4 * solo->frame.slots);
}

static void write_module(const Solo *solo, Text *text) {
  write_head(solo, text);
  text_format(text, "\t.reg .b32 %%r<%u>;\n\t.reg .pred %%p<%u>, given;\n",
              solo->ptx.registers, solo->ptx.predicates + 1);
  text_add(text, "\t.reg .b64 start, result, far;\n"
                 "\t.reg .f32 gamma, discount, number, ended_discounts, "
                 "other_discounts");
  for (uint32_t role = 0; role < solo->cones->net->role_count; role++)
    text_format(text, ", sum%u", role);
  text_add(text, ";\n");
  text_add(text, text_string(&solo->ptx.body));
  text_add(text, "}\n");
}

void solo_write(const Cones *cones, const SoloPlan *plan, Text *text,
                SoloSize *size) {
  Solo solo = {.cones = cones, .plan = plan};
  solo.goals = memory_new(cones->net->goals.count * sizeof *solo.goals);
  ptx_begin(&solo.ptx);
  pairing_init(&solo.pairing, cones->net, plan->frame.rows ? DRAW_ROW : 1);
  frame_begin(&solo.frame, &solo.ptx, cones, &solo.pairing, &plan->frame);
  begin(&solo);
  step(&solo);
  end(&solo);
  *size = (SoloSize){.instructions = solo.ptx.instructions};
  if (plan->frame.home == HOME_SHARED)
    size->shared = 4 * solo.frame.slots * plan->frame.threads;
  write_module(&solo, text);
  ptx_free(&solo.ptx);
  frame_free(&solo.frame);
  pairing_free(&solo.pairing);
  memory_delete(solo.goals);
}

/* Measured on an H200: registers are best up to breakthrough (130 fluents, 156
   slots of moves: 62 G states/s, and 39 from shared memory), shared memory for
   reversi (291 slots: 24 G, and 10 from local memory), with barriers that keep
   the warps of a block at the same code (14 without). */
SoloPlan solo_plan(const Cones *cones) {
  enum { REGISTER_SLOTS = 290, SHARED_SLOTS = 600, REGISTER_GATES = 4000 };
  Pairing pairing;
  pairing_init(&pairing, cones->net, 1);
  uint32_t slots = cones->net->fluents.count + pairing.slots;
  uint32_t gates = cones_gates(cones);
  bool rows = slots > SHARED_SLOTS;
  pairing_free(&pairing);
  SoloPlan plan = {.frame = {.home = HOME_LOCAL,
                             .threads = 256,
                             .window = 60,
                             .ahead = 8,
                             .rows = rows},
                   .settle = 8,
                   .barrier = true,
                   .optimisation = gates > REGISTER_GATES && rows ? 2 : 4};
  if (slots <= REGISTER_SLOTS && gates <= REGISTER_GATES) {
    plan.frame.home = HOME_REGISTERS;
    plan.frame.threads = slots <= 64 ? 256 : 128;
    plan.barrier = false;
    plan.settle = slots <= 64 ? 2 : slots <= 200 ? 4 : 8;
  } else if (slots <= SHARED_SLOTS) {
    plan.frame.home = HOME_SHARED;
    plan.frame.threads = 64;
    plan.settle = 16;
  }
  return plan;
}
