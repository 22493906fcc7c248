#include "gpu/solo.h"

#include <stdio.h>
#include <stdlib.h>

#include "gpu/solo_parts.h"
#include "gpu/sums.h"
#include "program/truth.h"

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

/* The stage of the thread's start; its steps count from there. */
static void find_phase(Solo *solo, Reg start) {
  Ptx *ptx = &solo->ptx;
  solo->phase = zero(ptx);
  ptx_line(ptx, "ld.param.u64 far, [p_phases]");
  ptx_line(ptx, "mad.wide.u32 far, %%r%u, 4, far", start);
  ptx_line(ptx, "@given ld.global.u32 %%r%u, [far]", solo->phase);
  ptx_line(ptx, "add.u32 %%r%u, %%r%u, %%r%u", solo->limit, solo->limit,
           solo->phase);
  if (solo->plan->course == SOLO_STEPS) return;
  for (uint32_t leg = 0; leg < solo->plan->legs; leg++)
    ptx_line(ptx, "setp.eq.u32 here%u, %%r%u, %u", leg, solo->phase, leg);
}

/* The thread's job, its start, and its lanes. */
static void begin_job(Solo *solo, Reg thread) {
  Ptx *ptx = &solo->ptx;
  Reg start = ptx_new(ptx), size = ptx_new(ptx), last = ptx_new(ptx);
  Reg mine = ptx_new(ptx);
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
  ptx_line(ptx, "selp.b32 %%r%u, %%r%u, %%r%u, %%p%u", mine, fewer, lanes,
           flows);
  ptx_line(ptx, "@%%p%u mov.u32 %%r%u, 0", past, mine);
  ptx_line(ptx, "ld.param.u64 start, [p_starts]");
  ptx_line(ptx, "setp.ne.u64 given, start, 0");
  if (solo->plan->legs > 1) find_phase(solo, start);
  ptx_line(ptx, "mul.lo.u32 %%r%u, %%r%u, %%r%u", row, row, start);
  ptx_line(ptx, "mul.wide.u32 far, %%r%u, 4", row);
  ptx_line(ptx, "add.u64 start, start, far");
  ptx_line(ptx, "ld.param.u64 result, [p_results]");
  ptx_line(ptx, "mul.wide.u32 far, %%r%u, %u", start,
           8 * (SUMS_FIELDS + SUMS_ROLE_FIELDS * solo->cones->net->role_count));
  ptx_line(ptx, "add.u64 result, result, far");
  solo->mine = mine;
}

static void begin(Solo *solo) {
  Ptx *ptx = &solo->ptx;
  const Net *net = solo->cones->net;
  bool by_steps = solo->plan->course == SOLO_STEPS;
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
  solo->first = parameter(ptx, "first");
  ptx_line(ptx, "ld.param.f32 gamma, [p_gamma]");
  solo->left = ptx_new(ptx);
  ptx_move(ptx, solo->left, by_steps ? solo->flow : solo->every);
  ptx_line(ptx, "setp.eq.u32 each, %%r%u, 0", solo->flow);
  Reg *zeros[] = {&solo->clock, &solo->alive,   &solo->waiting,   &solo->over,
                  &solo->cut,   &solo->stuck,   &solo->full,      &solo->states,
                  &solo->ended, &solo->cut_off, &solo->stuck_off, &solo->steps};
  for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
    *zeros[i] = zero(ptx);
  for (uint32_t i = 0; i < SOLO_AGES; i++) solo->ages[i] = zero(ptx);
  for (uint32_t i = 0; i < net->goals.count; i++) solo->goals[i] = zero(ptx);
  for (uint32_t role = 0; role < net->role_count; role++)
    ptx_line(ptx, "mov.f32 sum%u, 0f00000000", role);
  ptx_line(ptx, "mov.f32 ended_discounts, 0f00000000");
  ptx_line(ptx, "mov.f32 other_discounts, 0f00000000");
  for (uint32_t i = by_steps ? net->fluents.count : 0;
       i < net->fluents.count + solo->move_slots; i++)
    frame_store(&solo->frame, i, 0);
  begin_job(solo, thread);
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
  Reg limit = parameter(ptx, "limit");
  /* Where playouts flowed, all but those that were cut off have ended. */
  ptx_line(ptx, "mul.lo.u32 %%r%u, %%r%u, %%r%u", cut, solo->cut_off, limit);
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

/* Playouts whose start belongs to this leg begin. */
static void admit(Solo *solo, uint32_t leg) {
  Ptx *ptx = &solo->ptx;
  ptx_line(ptx, "@here%u or.b32 %%r%u, %%r%u, %%r%u", leg, solo->alive,
           solo->alive, solo->waiting);
  ptx_line(ptx, "@here%u mov.b32 %%r%u, 0", leg, solo->waiting);
}

/* Playouts at their end stop, and those of a job after its last step. */
static void stop(Solo *solo, Reg terminal) {
  Ptx *ptx = &solo->ptx;
  ptx_gate_to(ptx, solo->over, (TRUTH_A & TRUTH_B) | TRUTH_C, solo->alive,
              terminal, solo->over);
  ptx_gate_to(ptx, solo->cut, TRUTH_A & ~TRUTH_B & TRUTH_C, solo->alive,
              terminal, solo->full);
  ptx_gate_to(ptx, solo->alive, TRUTH_A & ~TRUTH_B & ~TRUTH_C, solo->alive,
              terminal, solo->full);
}

/* Instructions from one barrier to the next. */
enum { BEAT = 500 };

void solo_write_leg(Solo *solo, uint32_t number) {
  Ptx *ptx = &solo->ptx;
  const SoloLeg *leg = &solo->leg[number];
  text_format(&ptx->body, "leg%u:\n", number);
  frame_enter(&solo->frame, &leg->pairing);
  solo->frame.beat = solo->plan->barrier ? BEAT : 0;
  if (solo->plan->barrier) ptx_line(ptx, "bar.sync 0");
  if (number && solo->plan->course == SOLO_ROUNDS) admit(solo, number);
  stop(solo, solo_step_look(solo, leg));
  solo_step_choose(solo, leg);
  ptx_count(ptx, solo->states, solo->alive);
  if (solo->plan->barrier) ptx_line(ptx, "bar.sync 0");
  solo_step_next(solo, leg);
  solo->frame.beat = 0;
}

/* The legs, one after the other; while playouts flow, some rounds of them
   before they are settled. */
static void play(Solo *solo) {
  Ptx *ptx = &solo->ptx;
  uint32_t legs = solo->plan->legs, some = ptx->predicates++;
  solo_restart(solo, solo->mine);
  for (uint32_t leg = 0; leg < legs; leg++) {
    solo_write_leg(solo, leg);
    if (leg + 1 < legs) ptx_line(ptx, "@each bra settle");
  }
  ptx_line(ptx, "sub.s32 %%r%u, %%r%u, %u", solo->left, solo->left, legs);
  ptx_line(ptx, "setp.gt.s32 %%p%u, %%r%u, 0", some, solo->left);
  ptx_line(ptx, "@%%p%u bra leg0", some);
  text_add(&ptx->body, "settle:\n");
  solo_settle(solo);
  Reg lanes = ptx_or(ptx, solo->alive, solo->waiting), leg = ptx_new(ptx);
  ptx_line(ptx, "setp.ne.u32 %%p%u, %%r%u, 0", some, lanes);
  if (solo->plan->barrier)
    ptx_line(ptx, "bar.red.or.pred %%p%u, 0, %%p%u", some, some);
  else
    ptx_line(ptx, "vote.sync.any.pred %%p%u, %%p%u, 0xffffffff", some, some);
  ptx_line(ptx, "@!%%p%u bra end", some);
  if (legs > 1)
    ptx_line(ptx, "rem.u32 %%r%u, %%r%u, %u", leg, solo->clock, legs);
  for (uint32_t i = 1; i < legs; i++) {
    ptx_line(ptx, "setp.eq.u32 %%p%u, %%r%u, %u", some, leg, i);
    ptx_line(ptx, "@%%p%u bra leg%u", some, i);
  }
  ptx_line(ptx, "bra leg0");
  text_add(&ptx->body, "end:\n");
}

static void write_head(const Solo *solo, Text *text) {
  const SoloPlan *plan = solo->plan;
  text_add(text, ".version 7.8\n.target sm_80\n.address_size 64\n");
  if (plan->frame.home == HOME_SHARED || plan->frame.near)
    text_add(text, ".extern .shared .align 16 .b8 shared_words[];\n");
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
  if (solo->frame.places)
    text_format(text, "\t.local .align 4 .b8 places[%u];\n",
                4 * solo->frame.places);
}

static void write_module(const Solo *solo, Text *text) {
  write_head(solo, text);
  text_format(text,
              "\t.reg .b32 %%r<%u>;\n"
              "\t.reg .pred %%p<%u>, here<%u>, given, each;\n",
              solo->ptx.registers, solo->ptx.predicates + 1, solo->plan->legs);
  text_add(text, "\t.reg .b64 start, result, far;\n"
                 "\t.reg .f32 gamma, discount, number, ended_discounts, "
                 "other_discounts");
  for (uint32_t role = 0; role < solo->cones->net->role_count; role++)
    text_format(text, ", sum%u", role);
  text_add(text, ";\n");
  text_add(text, text_string(&solo->ptx.body));
  text_add(text, "}\n");
}

/* ---- legs ---- */

static uint32_t max(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

typedef struct Seen {
  uint32_t step, number; /* of a move or a fluent */
} Seen;

static int compare_seen(const void *a, const void *b) {
  const Seen *x = a, *y = b;
  if (x->step != y->step) return x->step < y->step ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* Returns by value after how many steps it is there; the caller frees that. */
static uint32_t *list_steps(const Order *order) {
  uint32_t *steps = memory_new((order->value_count + 1) * sizeof *steps);
  for (uint32_t i = 0; i < order->steps.count; i++)
    steps[order->steps.data[i].result] = i + 1;
  return steps;
}

/* The moves of each role get their slots in the order in which they are seen,
   so that the words of a row are there at the same time. */
static void sort_moves(const Solo *solo, SoloLeg *leg) {
  const Net *net = solo->cones->net;
  Pairing *pairing = &leg->pairing;
  uint32_t *steps = list_steps(leg->look_order);
  Seen *seen = memory_new((net->moves.count + 1) * sizeof *seen);
  uint32_t output = 0;
  for (uint32_t role = 0; role < net->role_count; role++) {
    uint32_t count = 0;
    for (uint32_t i = net->role_first.data[role];
         i < net->role_first.data[role + 1]; i++)
      if (pairing->slot[i] != PAIRING_NONE)
        seen[count++] = (Seen){steps[program_value(leg->look, output++)], i};
    if (count) qsort(seen, count, sizeof *seen, compare_seen);
    for (uint32_t i = 0; i < count; i++)
      pairing->slot[seen[i].number] = pairing->choices[role].first + i;
  }
  memory_delete(steps);
  memory_delete(seen);
}

static uint32_t count_lines(const Solo *solo, const SoloLeg *leg) {
  uint32_t choices = leg->pairing.paired ? 1 : solo->cones->net->role_count;
  uint32_t lines = 0;
  for (uint32_t i = 0; i < choices; i++)
    lines += draw_lines(leg->pairing.choices[i].count);
  return lines;
}

/* Outputs of `look` are the moves that have slots, then terminal. */
static void order_look(const Solo *solo, SoloLeg *leg) {
  uint32_t moves = solo->cones->net->moves.count, count = 0;
  Value *wanted = memory_new((moves + 1) * sizeof *wanted);
  for (uint32_t i = 0; i < moves; i++)
    if (leg->pairing.slot[i] != PAIRING_NONE) count++;
  for (uint32_t i = 0; i <= count; i++) wanted[i] = program_value(leg->look, i);
  leg->look_order = solo_order(solo, leg->look, wanted, count + 1, &leg->made);
  memory_delete(wanted);
}

/* Returns NULL for the programs of the whole net. */
static const Leg *find_leg(const Cones *cones, SoloCourse course,
                           uint32_t number) {
  return course == SOLO_STEPS    ? &cones->steps->list[number]
         : course == SOLO_ROUNDS ? &cones->rounds->list[number]
                                 : NULL;
}

static void make_legs(Solo *solo) {
  const Cones *cones = solo->cones;
  const Net *net = cones->net;
  uint32_t unit = solo->plan->frame.rows ? DRAW_ROW : 1;
  solo->leg = memory_new(solo->plan->legs * sizeof *solo->leg);
  for (uint32_t i = 0; i < solo->plan->legs; i++) {
    const Leg *part = find_leg(cones, solo->plan->course, i);
    const Leg *from = part ? part : &cones->whole;
    SoloLeg *leg = &solo->leg[i];
    leg->look = from->look;
    leg->next = from->next;
    leg->changed = legs_changed(from, net->fluents.count, &leg->changes);
    pairing_init(&leg->pairing, net, part, unit);
    order_look(solo, leg);
    solo->move_slots = max(solo->move_slots, leg->pairing.slots);
    if (!solo->plan->frame.rows) continue;
    if (!leg->pairing.paired) sort_moves(solo, leg);
    solo->line_slots = max(solo->line_slots, count_lines(solo, leg));
  }
}

/* Fluents that one leg changes one after the other are neighbours in memory;
   the last legs are those that change most. */
static void arrange(Solo *solo) {
  const Net *net = solo->cones->net;
  uint32_t *list = memory_new((net->fluents.count + 1) * sizeof *list);
  Seen *seen = memory_new((net->fluents.count + 1) * sizeof *seen);
  bool *placed = memory_new(net->fluents.count + 1);
  uint32_t count = 0;
  for (uint32_t i = solo->plan->legs; i--;) {
    const SoloLeg *leg = &solo->leg[i];
    uint32_t *steps = list_steps(program_order(leg->next));
    for (uint32_t k = 0; k < leg->changes; k++)
      seen[k] = (Seen){steps[program_value(leg->next, k)], leg->changed[k]};
    if (leg->changes) qsort(seen, leg->changes, sizeof *seen, compare_seen);
    for (uint32_t k = 0; k < leg->changes; k++) {
      if (!placed[seen[k].number]) list[count++] = seen[k].number;
      placed[seen[k].number] = true;
    }
    memory_delete(steps);
  }
  for (uint32_t i = 0; i < net->fluents.count; i++)
    if (!placed[i]) list[count++] = i;
  frame_arrange(&solo->frame, list);
  memory_delete(list);
  memory_delete(seen);
  memory_delete(placed);
}

static void free_legs(Solo *solo) {
  for (uint32_t i = 0; i < solo->plan->legs; i++) {
    pairing_free(&solo->leg[i].pairing);
    order_free(&solo->leg[i].made);
    memory_delete(solo->leg[i].changed);
  }
  memory_delete(solo->leg);
}

/* ---- the whole ---- */

void solo_write(const Cones *cones, const SoloPlan *plan, Text *text,
                SoloSize *size) {
  Solo solo = {.cones = cones, .plan = plan};
  solo.goals = memory_new(cones->net->goals.count * sizeof *solo.goals);
  solo.legal = memory_new(cones->net->role_count * sizeof *solo.legal);
  make_legs(&solo);
  ptx_begin(&solo.ptx);
  frame_begin(&solo.frame, &solo.ptx, cones->net, solo.move_slots,
              solo.line_slots, &plan->frame);
  if (plan->frame.home == HOME_LOCAL) arrange(&solo);
  begin(&solo);
  if (plan->course == SOLO_STEPS)
    solo_steps(&solo);
  else
    play(&solo);
  end(&solo);
  *size = (SoloSize){.instructions = solo.ptx.instructions};
  if (plan->frame.home == HOME_SHARED)
    size->shared = 4 * solo.frame.slots * plan->frame.threads;
  if (plan->frame.home == HOME_LOCAL) {
    size->shared = 4 * plan->frame.near * plan->frame.threads;
    size->local = 4 * (solo.frame.slots + solo.frame.places);
    size->places = solo.frame.places;
  }
  write_module(&solo, text);
  ptx_free(&solo.ptx);
  frame_free(&solo.frame);
  free_legs(&solo);
  memory_delete(solo.goals);
  memory_delete(solo.legal);
}

const Course *solo_course(const Cones *cones, SoloCourse course) {
  return course == SOLO_STEPS    ? &cones->steps->course
         : course == SOLO_ROUNDS ? &cones->rounds->course
                                 : NULL;
}

/* What decides where the state is: slots of a step, and gates. */
static void weigh(const Cones *cones, SoloCourse course, uint32_t legs,
                  uint32_t *slots, uint32_t *gates) {
  const Net *net = cones->net;
  *slots = *gates = 0;
  for (uint32_t i = 0; i < legs; i++) {
    const Leg *part = find_leg(cones, course, i);
    const Leg *leg = part ? part : &cones->whole;
    Pairing pairing;
    pairing_init(&pairing, net, part, 1);
    *slots = max(*slots, net->fluents.count + pairing.slots);
    *gates = max(*gates, program_gates(leg->look) + program_gates(leg->next));
    pairing_free(&pairing);
  }
}

/* Measured on an H200. Registers are best up to breakthrough (130 fluents, 156
   slots of moves: 62 G states/s when programs were for all states, and 39 from
   shared memory), then shared memory: by legs reversi has 196 slots, but its
   3,620 gates would spill 1,700 words in a step if they were in registers. In
   local memory everything else fits.

   Of code that is too large for the caches a multiprocessor fetches one
   instruction in three clocks, for all warps that are at the same place. So a
   block has as many warps as there is room for, and barriers keep them
   together: reversi made 17 G with blocks of 64 threads, 21 with 128, 36 with
   224 and 42 with 256, all with a window of 60 instructions; 47 with 1,500.

   In local memory, with a window of 1,500, chess_200 loaded and stored 95,000
   words in the code of its two legs, two thirds of them the compiler's spills;
   that is 67,000 if 190 words are held, and it compiles in half the time. The
   compiler has 255 registers, of which others have those of the kernel itself
   and of the moves that are being counted. Then threads wait for memory most of
   the time: where each word is loaded 8 steps before its use skirmish makes
   0.75 G, with the loads of 48 steps together 0.98, of 96 steps 1.40; and with
   words in shared memory 1.56 with those of 96 steps, 1.65 of 160, 1.45 of 224.
   A window of barriers of 1,000 or 2,000 instructions makes no difference;
   barriers of several blocks (clusters) do not help, with eight blocks reversi
   makes 19 G.

   Settling computes the goals, in chess_200 as many gates as a step has. So
   there it is done half as often.

   Checkers made 9.2 G with straight code for the choice among its 660 moves,
   and 6.0 with loops; but the 1,824 of skirmish would take a minute to compile.
   At more than the lowest level of optimisation the compiler spills ten times
   as much there. */
SoloPlan solo_plan(const Cones *cones, SoloCourse course) {
  enum {
    REGISTER_SLOTS = 290,
    REGISTER_GATES = 2000,
    SHARED_SLOTS = 600,
    STRAIGHT_SLOTS = 1200
  };
  uint32_t legs = course == SOLO_STEPS    ? cones->steps->count
                  : course == SOLO_ROUNDS ? cones->rounds->count
                                          : 1;
  uint32_t slots, gates;
  weigh(cones, course, legs, &slots, &gates);
  SoloPlan plan = {.frame = {.home = HOME_LOCAL,
                             .threads = SOLO_THREADS_MOST,
                             .window = 1500,
                             .ahead = 8,
                             .held = 190,
                             .rows = slots > STRAIGHT_SLOTS},
                   .course = course,
                   .legs = legs,
                   .settle = 8,
                   .barrier = true,
                   .optimisation = 1};
  if (slots <= REGISTER_SLOTS && gates <= REGISTER_GATES) {
    plan.frame.home = HOME_REGISTERS;
    plan.frame.threads = slots <= 64 ? 256 : 128;
    plan.barrier = false;
    plan.settle = slots <= 64 ? 2 : slots <= 200 ? 4 : 8;
    plan.optimisation = 4;
  } else if (slots <= SHARED_SLOTS) {
    plan.frame.home = HOME_SHARED;
    plan.settle = 16;
    plan.optimisation = 4;
  } else {
    plan.frame.window = 250;
    plan.frame.ahead = plan.frame.rows ? 160 : 96;
    if (program_gates(solo_judge(cones)) > gates) plan.settle = 16;
  }
  plan.settle = (plan.settle + legs - 1) / legs * legs;
  return plan;
}

/* In shared memory words help where places are needed: with near ones skirmish
   (1,900 places) makes 1.65 G instead of 1.42, chess_200 (2,700) 0.81 instead
   of 0.77 and amazons_10x10 (270) 4.6 instead of 4.4, but checkers (210) 8.6
   instead of 9.3 and hex (50) 1.42 instead of 1.50. */
bool solo_fit(SoloPlan *plan, const SoloSize *size, uint32_t shared) {
  enum { PLACES = 256 };
  uint32_t *threads = &plan->frame.threads;
  if (size->places > PLACES && !plan->frame.near) {
    plan->frame.near = shared / (4 * *threads);
    return false;
  }
  if (size->shared <= shared) return true;
  uint32_t warps = shared / (size->shared / *threads) / 32;
  *threads = 32 * (warps ? warps : 1);
  return false;
}
