#include "gpu/frame.h"

#include "base/trial.h"
#include "program/truth.h"

enum { SPARE = 64 };

void frame_begin(Frame *frame, Ptx *ptx, const Net *net, uint32_t moves,
                 uint32_t lines, const FramePlan *plan) {
  uint32_t most = 2 * net->fluents.count + moves + lines + SPARE;
  *frame = (Frame){.ptx = ptx,
                   .net = net,
                   .plan = *plan,
                   .slots = net->fluents.count + moves + lines,
                   .lines = net->fluents.count + moves,
                   .line_count = lines,
                   .most = most};
  frame->place = memory_new(most * sizeof *frame->place);
  frame->fluent_at = memory_new(most * sizeof *frame->fluent_at);
  for (uint32_t i = 0; i < most; i++) frame->place[i] = frame->fluent_at[i] = i;
  frame->words = memory_new(most * sizeof *frame->words);
  frame->cached = memory_new(most * sizeof *frame->cached);
  frame->since = memory_new(most * sizeof *frame->since);
  frame->high = memory_new(most * sizeof *frame->high);
  frame->low = memory_new(most * sizeof *frame->low);
  frame->high_at = memory_new(most * sizeof *frame->high_at);
  frame->low_at = memory_new(most * sizeof *frame->low_at);
  frame->guarded = memory_new((net->moves.count + 1) * sizeof(Reg));
  frame->guarded_since =
      memory_new((net->moves.count + 1) * sizeof *frame->guarded_since);
  if (plan->home == HOME_SHARED || plan->near) {
    frame->base = ptx_new(ptx);
    Reg thread = ptx_new(ptx);
    ptx_line(ptx, "mov.u32 %%r%u, %%tid.x", thread);
    ptx_line(ptx, "mov.u32 %%r%u, shared_words", frame->base);
    ptx_line(ptx, "mad.lo.u32 %%r%u, %%r%u, 4, %%r%u", frame->base, thread,
             frame->base);
  }
}

void frame_arrange(Frame *frame, const uint32_t *fluents) {
  for (uint32_t i = 0; i < frame->net->fluents.count; i++) {
    frame->place[fluents[i]] = i;
    frame->fluent_at[i] = fluents[i];
  }
}

void frame_free(Frame *frame) {
  memory_delete(frame->place);
  memory_delete(frame->fluent_at);
  memory_delete(frame->words);
  memory_delete(frame->cached);
  memory_delete(frame->since);
  memory_delete(frame->high);
  memory_delete(frame->low);
  memory_delete(frame->high_at);
  memory_delete(frame->low_at);
  memory_delete(frame->guarded);
  memory_delete(frame->guarded_since);
}

void frame_forget(Frame *frame) {
  memset(frame->cached, 0, frame->most * sizeof *frame->cached);
  memset(frame->guarded, 0, frame->net->moves.count * sizeof *frame->guarded);
}

void frame_note(Frame *frame, uint32_t slot, Reg word) {
  frame->cached[slot] = word;
  frame->since[slot] = frame->ptx->instructions;
}

static bool is_recent(const Frame *frame, uint32_t since) {
  return frame->ptx->instructions - since <= frame->plan.window;
}

static Reg register_of(Frame *frame, uint32_t slot) {
  if (!frame->words[slot]) frame->words[slot] = ptx_new(frame->ptx);
  return frame->words[slot];
}

Reg frame_fetch(Frame *frame, uint32_t slot) {
  Ptx *ptx = frame->ptx;
  Reg word = ptx_new(ptx);
  if (frame->plan.home == HOME_SHARED)
    ptx_line(ptx, "ld.volatile.shared.b32 %%r%u, [%%r%u+%u]", word, frame->base,
             4 * frame->place[slot] * frame->plan.threads);
  else
    ptx_line(ptx, "ld.local.b32 %%r%u, [words+%u]", word,
             4 * frame->place[slot]);
  return word;
}

Reg frame_load(Frame *frame, uint32_t slot) {
  if (frame->plan.home == HOME_REGISTERS) return register_of(frame, slot);
  if (frame->cached[slot] && is_recent(frame, frame->since[slot]))
    return frame->cached[slot];
  Reg word = frame_fetch(frame, slot);
  frame_note(frame, slot, word);
  return word;
}

void frame_store(Frame *frame, uint32_t slot, Reg word) {
  Ptx *ptx = frame->ptx;
  if (frame->plan.home == HOME_REGISTERS) {
    ptx_move(ptx, register_of(frame, slot), word);
    return;
  }
  if (frame->plan.home == HOME_SHARED)
    ptx_line(ptx, "st.volatile.shared.b32 [%%r%u+%u], %%r%u", frame->base,
             4 * frame->place[slot] * frame->plan.threads, word);
  else
    ptx_line(ptx, "st.local.b32 [words+%u], %%r%u", 4 * frame->place[slot],
             word);
  frame_note(frame, slot, word);
}

/* ---- moves ---- */

void frame_enter(Frame *frame, const Pairing *pairing) {
  frame->pairing = pairing;
  memset(frame->high, 0, frame->most * sizeof *frame->high);
  memset(frame->low, 0, frame->most * sizeof *frame->low);
  memset(frame->low_at, 0, frame->most * sizeof *frame->low_at);
  frame->taken = 0;
  frame_forget(frame);
}

uint32_t frame_move_slot(const Frame *frame, uint32_t move) {
  return frame->net->fluents.count + frame->pairing->slot[move];
}

void frame_set_lines(Frame *frame, uint32_t slot, Reg high, Reg low) {
  frame->high[slot] = high;
  frame->low[slot] = low;
}

uint32_t frame_take_lines(Frame *frame, uint32_t count) {
  frame->taken += count;
  return frame->lines + frame->taken - count;
}

void frame_set_line_slots(Frame *frame, uint32_t slot, uint32_t high,
                          uint32_t low) {
  frame->high_at[slot] = high;
  frame->low_at[slot] = low;
}

bool frame_find_lines(const Frame *frame, uint32_t move, uint32_t lines[2]) {
  if (frame->pairing->slot[move] == PAIRING_NONE) return false;
  uint32_t slot = frame_move_slot(frame, move);
  lines[0] = frame->high_at[slot];
  lines[1] = frame->low_at[slot];
  return lines[1] && !pairing_shares(frame->pairing, move);
}

bool frame_stores(const Frame *frame, uint32_t move) {
  if (frame->pairing->slot[move] == PAIRING_NONE) return false;
  uint32_t slot = frame_move_slot(frame, move);
  return !frame->low[slot] && !frame->low_at[slot];
}

Reg frame_guard(Frame *frame, uint32_t role) {
  const PairingRole *guard = &frame->pairing->roles[role];
  Reg fluent = frame_load(frame, guard->fluent);
  return guard->negated ? ptx_gate(frame->ptx, 0xff ^ TRUTH_A, fluent, 0, 0)
                        : fluent;
}

/* The lanes of two words, where the role chooses if the slot is shared. */
static Reg join(Frame *frame, Reg high, Reg low, uint32_t move) {
  if (!pairing_shares(frame->pairing, move))
    return ptx_and(frame->ptx, high, low);
  uint32_t role = frame->net->moves.data[move].role;
  const PairingRole *guard = &frame->pairing->roles[role];
  return ptx_gate(frame->ptx,
                  TRUTH_A & TRUTH_B &
                      (guard->negated ? 0xff ^ TRUTH_C : TRUTH_C),
                  high, low, frame_load(frame, guard->fluent));
}

static Reg read_move(Frame *frame, uint32_t move) {
  if (frame->pairing->slot[move] == PAIRING_NONE) return 0;
  uint32_t slot = frame_move_slot(frame, move);
  bool stores = frame_stores(frame, move);
  if (stores && !pairing_shares(frame->pairing, move))
    return frame_load(frame, slot);
  if (frame->guarded[move] && is_recent(frame, frame->guarded_since[move]))
    return frame->guarded[move];
  bool far = frame->low_at[slot];
  Reg high = stores ? frame_load(frame, slot)
             : far  ? frame_load(frame, frame->high_at[slot])
                    : frame->high[slot];
  Reg low = stores ? high
            : far  ? frame_load(frame, frame->low_at[slot])
                   : frame->low[slot];
  frame->guarded[move] = join(frame, high, low, move);
  frame->guarded_since[move] = frame->ptx->instructions;
  return frame->guarded[move];
}

Reg frame_read(Frame *frame, Value input) {
  uint32_t fluents = frame->net->fluents.count;
  return input < fluents ? frame_load(frame, input)
                         : read_move(frame, input - fluents);
}

/* ---- programs ---- */

typedef struct Run {
  Frame *frame;
  Reg *values;
  uint32_t inputs; /* values that are slots */
  Reg changed;     /* in a loop */
  FrameListener *listener;
  void *context;
} Run;

static Reg read(Run *run, Value value) {
  return value < run->inputs ? frame_read(run->frame, value)
                             : run->values[value];
}

static void emit_update(Run *run, const OrderStep *step) {
  Ptx *ptx = run->frame->ptx;
  Reg old = run->values[step->result], now = read(run, step->inputs[0]);
  ptx_gate_to(ptx, run->changed, (TRUTH_A ^ TRUTH_B) | TRUTH_C, old, now,
              run->changed);
  ptx_move(ptx, old, now);
}

static void emit_step(Run *run, const OrderStep *step) {
  Ptx *ptx = run->frame->ptx;
  if (!run->values[step->result]) run->values[step->result] = ptx_new(ptx);
  if (step->kind == KIND_UPDATE) {
    emit_update(run, step);
    return;
  }
  Reg inputs[3] = {0};
  if (order_reads(step))
    for (uint32_t i = 0; i < 3; i++) inputs[i] = read(run, step->inputs[i]);
  ptx_gate_to(ptx, run->values[step->result], (uint8_t)step->kind, inputs[0],
              inputs[1], inputs[2]);
}

/* Loads what a gate reads, early. */
static void load_ahead(Run *run, const OrderStep *step) {
  Frame *frame = run->frame;
  uint32_t fluents = frame->net->fluents.count;
  if (step->kind != KIND_UPDATE && !order_reads(step)) return;
  for (uint32_t i = 0; i < 3; i++) {
    Value value = step->inputs[i];
    if (value < fluents)
      frame_load(frame, value);
    else if (value < run->inputs && frame_stores(frame, value - fluents))
      frame_load(frame, frame_move_slot(frame, value - fluents));
  }
}

void frame_keep_together(Frame *frame) {
  Ptx *ptx = frame->ptx;
  if (!frame->beat || ptx->instructions - frame->beaten < frame->beat) return;
  ptx_line(ptx, "bar.sync 0");
  frame->beaten = ptx->instructions;
}

static void emit_segment(Run *run, const Order *order,
                         const OrderSegment *segment) {
  uint32_t end = segment->first + segment->count, loaded = segment->first;
  for (uint32_t i = segment->first; i < end; i++) {
    const OrderStep *step = &order->steps.data[i];
    trial_check();
    if (!segment->loop) frame_keep_together(run->frame);
    if (run->frame->plan.home != HOME_REGISTERS)
      for (; loaded < end && loaded < i + run->frame->plan.ahead; loaded++)
        load_ahead(run, &order->steps.data[loaded]);
    emit_step(run, step);
    if (run->listener && !segment->loop)
      run->listener(run->context, i, step->result, run->values[step->result]);
  }
}

static void emit_loop(Run *run, const Order *order,
                      const OrderSegment *segment) {
  Ptx *ptx = run->frame->ptx;
  uint32_t label = ptx->labels++, predicate = ptx->predicates++;
  run->changed = ptx_new(ptx);
  frame_forget(run->frame);
  text_format(&ptx->body, "loop%u:\n", label);
  ptx_move(ptx, run->changed, 0);
  emit_segment(run, order, segment);
  ptx_line(ptx, "setp.ne.u32 %%p%u, %%r%u, 0", predicate, run->changed);
  ptx_line(ptx, "@%%p%u bra loop%u", predicate, label);
}

void frame_run(Frame *frame, const Order *order, Reg *values,
               FrameListener *listener, void *context) {
  const Net *net = frame->net;
  Run run = {.frame = frame,
             .values = values,
             .inputs = net->fluents.count + net->moves.count,
             .listener = listener,
             .context = context};
  for (uint32_t i = 0; i < order->segments.count; i++) {
    const OrderSegment *segment = &order->segments.data[i];
    if (segment->loop)
      emit_loop(&run, order, segment);
    else
      emit_segment(&run, order, segment);
  }
}
