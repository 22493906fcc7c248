#include "gpu/hold.h"

#include "base/trial.h"
#include "gpu/prefetch.h"
#include "program/truth.h"

#define NEVER UINT32_MAX

enum {
  SOON = 8, /* steps from a load of shared memory to its use */
  /* Steps within which a word is needed again that goes to shared memory
     although local memory has it. Without a limit hex would store 7,600 words
     of a step there, to load 1,900; with this one 1,600. */
  WORTH = 1000
};

/* Words are numbered: those of the program's values, then the frame's lines in
   memory. A move that has such lines is not held itself: its word is what they
   have in common. */
typedef struct Hold {
  Frame *frame;
  const Order *order;
  const uint32_t *heard;
  uint32_t inputs, words;
  uint32_t *first; /* by word, and at the end: its uses, in `uses` */
  uint32_t *uses;  /* steps */
  uint32_t *next;  /* by word: the next one, in `uses` */
  Reg *regs;       /* by word, if it is held */
  uint32_t *seat;  /* by word: where it is in `held`, from 1; 0: it is not */
  uint32_t *place; /* by word: its place in memory, from 1; 0: none */
  NumberVector held, unused; /* words; places, of */
  uint32_t places;           /* so many */
  uint32_t *near;      /* by word: its seat in shared memory, from 1; 0: none */
  NumberVector nearby; /* words that have such seats, */
  NumberVector seats;  /* and seats that nobody has */
} Hold;

/* ---- uses ---- */

enum { WORDS_MOST = 7 }; /* of a step */

static uint32_t add_word(uint32_t *list, uint32_t count, uint32_t word) {
  for (uint32_t i = 0; i < count; i++)
    if (list[i] == word) return count;
  list[count] = word;
  return count + 1;
}

/* The words that make an input: itself, or two lines. Returns their number. */
static uint32_t find_parts(const Hold *hold, Value value, uint32_t parts[2]) {
  const Frame *frame = hold->frame;
  uint32_t fluents = frame->net->fluents.count, lines[2];
  parts[0] = value;
  if (value < fluents || value >= hold->inputs ||
      !frame_find_lines(frame, value - fluents, lines))
    return 1;
  for (uint32_t i = 0; i < 2; i++)
    parts[i] = hold->order->value_count + lines[i] - frame->lines;
  return 2;
}

/* Lists the words that a step reads. */
static uint32_t list_words(const Hold *hold, const OrderStep *step,
                           uint32_t list[WORDS_MOST]) {
  uint32_t count = 0, parts[2];
  for (uint32_t i = 0; i < 3; i++) {
    if (!truth_depends((uint8_t)step->kind, i)) continue;
    uint32_t some = find_parts(hold, step->inputs[i], parts);
    for (uint32_t k = 0; k < some; k++) count = add_word(list, count, parts[k]);
  }
  if (hold->heard && hold->heard[step->result] != HOLD_NONE)
    count = add_word(list, count, hold->heard[step->result]);
  return count;
}

/* Values that are left are used after the last step. */
static void find_uses(Hold *hold, const Value *wanted, uint32_t wanted_count) {
  const Order *order = hold->order;
  uint32_t steps = order->steps.count, all = hold->words, list[WORDS_MOST];
  hold->first = memory_new((all + 1) * sizeof *hold->first);
  hold->next = memory_new((all + 1) * sizeof *hold->next);
  hold->uses =
      memory_new((WORDS_MOST * steps + wanted_count + 1) * sizeof *hold->uses);
  for (uint32_t i = 0; i < steps; i++) {
    uint32_t count = list_words(hold, &order->steps.data[i], list);
    for (uint32_t k = 0; k < count; k++) hold->first[list[k] + 1]++;
  }
  for (uint32_t i = 0; i < wanted_count; i++) hold->first[wanted[i] + 1]++;
  for (uint32_t i = 0; i < all; i++) {
    hold->first[i + 1] += hold->first[i];
    hold->next[i] = hold->first[i];
  }
  for (uint32_t i = 0; i < steps; i++) {
    uint32_t count = list_words(hold, &order->steps.data[i], list);
    for (uint32_t k = 0; k < count; k++) hold->uses[hold->next[list[k]]++] = i;
  }
  for (uint32_t i = 0; i < wanted_count; i++)
    hold->uses[hold->next[wanted[i]]++] = steps;
  memcpy(hold->next, hold->first, all * sizeof *hold->next);
}

static uint32_t next_use(const Hold *hold, uint32_t word) {
  uint32_t at = hold->next[word];
  return at < hold->first[word + 1] ? hold->uses[at] : NEVER;
}

/* ---- registers, seats and places ---- */

static void let_go(Hold *hold, uint32_t word) {
  uint32_t seat = hold->seat[word];
  uint32_t other = hold->held.data[--hold->held.count];
  hold->held.data[seat - 1] = other;
  hold->seat[other] = seat;
  hold->seat[word] = 0;
}

static bool is_computed(const Hold *hold, uint32_t word) {
  return word >= hold->inputs && word < hold->order->value_count;
}

static void store(Hold *hold, uint32_t word) {
  Frame *frame = hold->frame;
  uint32_t place = hold->unused.count ? hold->unused.data[--hold->unused.count]
                                      : hold->places++;
  if (hold->places > frame->places) frame->places = hold->places;
  ptx_line(frame->ptx, "st.local.b32 [places+%u], %%r%u", 4 * place,
           hold->regs[word]);
  hold->place[word] = place + 1;
}

/* Returns whether local memory does not have a word. */
static bool is_missing(const Hold *hold, uint32_t word) {
  return is_computed(hold, word) && !hold->place[word];
}

/* Steps that a word can be done without. One that would have to be stored is
   worth more. */
static uint64_t distance(const Hold *hold, uint32_t word, uint32_t now) {
  uint64_t steps = next_use(hold, word) - now;
  return is_missing(hold, word) ? steps : 2 * steps;
}

/* Returns the index in a list of the word that can be done without longest. */
static uint32_t find_farthest(const Hold *hold, const NumberVector *list,
                              uint32_t now) {
  uint32_t farthest = 0;
  for (uint32_t i = 1; i < list->count; i++)
    if (distance(hold, list->data[i], now) >
        distance(hold, list->data[farthest], now))
      farthest = i;
  return farthest;
}

/* Accesses to shared memory stay where they are written. */
static Reg load_near(Hold *hold, uint32_t word) {
  const Frame *frame = hold->frame;
  Reg reg = ptx_new(frame->ptx);
  ptx_line(frame->ptx, "ld.volatile.shared.b32 %%r%u, [%%r%u+%u]", reg,
           frame->base, 4 * (hold->near[word] - 1) * frame->plan.threads);
  return reg;
}

static void leave_seat(Hold *hold, uint32_t at) {
  uint32_t word = hold->nearby.data[at];
  vector_push(&hold->seats, hold->near[word] - 1);
  hold->nearby.data[at] = hold->nearby.data[--hold->nearby.count];
  hold->near[word] = 0;
}

static void leave_near(Hold *hold, uint32_t word) {
  uint32_t at = 0;
  while (hold->nearby.data[at] != word) at++;
  leave_seat(hold, at);
}

/* Returns false if there is no seat for the word, or others need theirs
   sooner. */
static bool put_near(Hold *hold, uint32_t word, uint32_t now) {
  const Frame *frame = hold->frame;
  if (!frame->plan.near) return false;
  if (!is_missing(hold, word) && next_use(hold, word) - now > WORTH)
    return false;
  if (!hold->seats.count) {
    uint32_t at = find_farthest(hold, &hold->nearby, now);
    uint32_t other = hold->nearby.data[at];
    if (distance(hold, other, now) <= distance(hold, word, now)) return false;
    if (is_missing(hold, other)) {
      hold->regs[other] = load_near(hold, other);
      store(hold, other);
    }
    leave_seat(hold, at);
  }
  uint32_t seat = hold->seats.data[--hold->seats.count];
  vector_push(&hold->nearby, word);
  hold->near[word] = seat + 1;
  ptx_line(frame->ptx, "st.volatile.shared.b32 [%%r%u+%u], %%r%u", frame->base,
           4 * seat * frame->plan.threads, hold->regs[word]);
  return true;
}

static void make_room(Hold *hold, uint32_t now) {
  uint32_t word = hold->held.data[find_farthest(hold, &hold->held, now)];
  if (!put_near(hold, word, now) && is_missing(hold, word)) store(hold, word);
  let_go(hold, word);
}

static void take(Hold *hold, uint32_t word, Reg reg, uint32_t now) {
  hold->regs[word] = reg;
  if (hold->held.count == hold->frame->plan.held) make_room(hold, now);
  vector_push(&hold->held, word);
  hold->seat[word] = hold->held.count;
}

/* The word has been computed, if it is not an input. */
static void fetch(Hold *hold, uint32_t word, uint32_t now) {
  Frame *frame = hold->frame;
  Reg reg;
  if (hold->seat[word]) return;
  if (hold->near[word]) {
    reg = load_near(hold, word);
    leave_near(hold, word);
  } else if (word < frame->net->fluents.count) {
    reg = frame_fetch(frame, word);
  } else if (word < hold->inputs) {
    reg = frame_read(frame, word);
  } else if (word >= hold->order->value_count) {
    reg = frame_fetch(frame, word - hold->order->value_count + frame->lines);
  } else {
    reg = ptx_new(frame->ptx);
    ptx_line(frame->ptx, "ld.local.b32 %%r%u, [places+%u]", reg,
             4 * (hold->place[word] - 1));
  }
  take(hold, word, reg, now);
}

/* ---- steps ---- */

/* Loads what the step reads, if that is in shared memory, or if it is in
   memory that is farther away. */
static void fetch_ahead(Hold *hold, const OrderStep *step, bool near,
                        uint32_t now) {
  uint32_t list[WORDS_MOST], count = list_words(hold, step, list);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t word = list[i];
    bool is_near = hold->near[word];
    if (near ? is_near : !is_near && !is_missing(hold, word))
      fetch(hold, word, now);
  }
}

/* Lets the listener know which register has the fluent that it loads. */
static void tell(Hold *hold, const OrderStep *step) {
  if (!hold->heard || hold->heard[step->result] == HOLD_NONE) return;
  uint32_t fluent = hold->heard[step->result];
  frame_note(hold->frame, fluent, hold->regs[fluent]);
}

/* The step has used its inputs. */
static void finish_inputs(Hold *hold, const OrderStep *step) {
  uint32_t list[WORDS_MOST], count = list_words(hold, step, list);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t word = list[i];
    hold->next[word]++;
    if (next_use(hold, word) != NEVER) continue;
    if (hold->seat[word]) let_go(hold, word);
    if (hold->place[word]) vector_push(&hold->unused, hold->place[word] - 1);
    hold->place[word] = 0;
  }
}

static Reg read(Hold *hold, Value value) {
  uint32_t parts[2], count = find_parts(hold, value, parts);
  Reg word = hold->regs[parts[0]];
  return count == 1 ? word
                    : ptx_and(hold->frame->ptx, word, hold->regs[parts[1]]);
}

static Reg compute(Hold *hold, const OrderStep *step, uint32_t now) {
  uint32_t list[WORDS_MOST], count = list_words(hold, step, list);
  Reg inputs[3] = {0};
  for (uint32_t i = 0; i < count; i++) fetch(hold, list[i], now);
  for (uint32_t i = 0; i < 3; i++)
    if (truth_depends((uint8_t)step->kind, i))
      inputs[i] = read(hold, step->inputs[i]);
  return ptx_gate(hold->frame->ptx, (uint8_t)step->kind, inputs[0], inputs[1],
                  inputs[2]);
}

void hold_run(Frame *frame, const Order *order, const Value *wanted,
              uint32_t wanted_count, const uint32_t *heard, Reg *values,
              FrameListener *listener, void *context) {
  const Net *net = frame->net;
  uint32_t steps = order->steps.count, ahead = 0, soon = 0;
  uint32_t margin = frame->plan.ahead / 4;
  size_t all = order->value_count + frame->line_count;
  size_t begin = frame->ptx->body.length;
  Hold hold = {.frame = frame,
               .order = order,
               .heard = heard,
               .inputs = net->fluents.count + net->moves.count,
               .words = (uint32_t)all,
               .regs = memory_new(all * sizeof *hold.regs),
               .seat = memory_new(all * sizeof *hold.seat),
               .place = memory_new(all * sizeof *hold.place),
               .near = memory_new(all * sizeof *hold.near)};
  for (uint32_t i = frame->plan.near; i--;) vector_push(&hold.seats, i);
  find_uses(&hold, wanted, wanted_count);
  for (uint32_t i = 0; i < steps; i++) {
    const OrderStep *step = &order->steps.data[i];
    trial_check();
    frame_keep_together(frame);
    if (ahead <= i + margin)
      for (; ahead < steps && ahead <= i + frame->plan.ahead; ahead++)
        fetch_ahead(&hold, &order->steps.data[ahead], false, i);
    for (; soon < steps && soon <= i + SOON; soon++)
      fetch_ahead(&hold, &order->steps.data[soon], true, i);
    Reg word = compute(&hold, step, i);
    tell(&hold, step);
    finish_inputs(&hold, step);
    if (next_use(&hold, step->result) != NEVER)
      take(&hold, step->result, word, i);
    if (listener) listener(context, i, step->result, word);
  }
  for (uint32_t i = 0; i < wanted_count; i++) {
    if (wanted[i] < hold.inputs) continue;
    if (!values[wanted[i]]) fetch(&hold, wanted[i], steps);
    values[wanted[i]] = hold.regs[wanted[i]];
  }
  prefetch_add(frame->ptx, begin, frame->plan.prefetch);
  memory_delete(hold.first);
  memory_delete(hold.next);
  memory_delete(hold.uses);
  memory_delete(hold.regs);
  memory_delete(hold.seat);
  memory_delete(hold.place);
  memory_delete(hold.near);
  vector_free(&hold.held);
  vector_free(&hold.unused);
  vector_free(&hold.nearby);
  vector_free(&hold.seats);
}
