/* Straight-line code with register allocation. A register holds a value that is
   used again in the segment; when one is needed, the value whose next use is
   farthest away is evicted (Belady 1966) and spilt to its slot if it is not
   there yet. Values that other segments or the caller want are stored as soon
   as they are computed, so registers can be forgotten at the end of a segment.
   In a loop the last register collects what its updates change.

   vpternlog overwrites its first input, reads the second from a register and
   the third from a register or memory; inputs are assigned to these places so
   that few moves are needed, and the table is permuted accordingly.

   A value that replaces an input (program/assign.h) is stored over it, with the
   old value in lanes that are held: that takes no instruction more where the
   gate has at most two inputs, of which the old value is one.

   The memory is never writable and executable at the same time. */
#include "program/code.h"

#include <sys/mman.h>

#include "base/trial.h"
#include "program/assemble.h"
#include "program/assign.h"
#include "program/truth.h"

#define NEVER UINT32_MAX

enum {
  REGISTERS = 32,
  CHANGED = 31,         /* in loops: lanes that an update has changed */
  HELD = 30,            /* with targets: lanes that keep old values */
  KEEP_DISTANCE = 256,  /* steps; a value used later is not worth a register */
  TABLE_CHANGED = 0xf6, /* a | (b ^ c) */
  TABLE_HELD = 0xb8     /* b ? c : a */
};

typedef struct Register {
  Value value;
  bool used, stored, locked;
  uint32_t next; /* step that needs the value */
} Register;

typedef struct Emitter {
  const Order *order;
  const uint32_t *slots;
  const uint32_t *targets; /* of each value: the input that it replaces */
  uint32_t *next; /* [4 * step + i]: next use of inputs[i], of the result */
  bool *home;     /* of each value: it must be stored in its slot */
  uint8_t *where; /* of each value: register + 1 */
  Register registers[REGISTERS];
  uint32_t register_count, step;
  Bytes bytes;
} Emitter;

/* ---- uses ---- */

static void find_next_uses(Emitter *emitter, const OrderSegment *segment,
                           uint32_t *last) {
  for (uint32_t i = segment->first + segment->count; i-- > segment->first;) {
    const OrderStep *step = &emitter->order->steps.data[i];
    emitter->next[4 * i + 3] = last[step->result];
    for (uint32_t j = 0; j < 3; j++)
      emitter->next[4 * i + j] = last[step->inputs[j]];
    for (uint32_t j = 0; j < 3 && order_reads(step); j++)
      last[step->inputs[j]] = i;
  }
  for (uint32_t i = 0; i < segment->count; i++) {
    const OrderStep *step = &emitter->order->steps.data[segment->first + i];
    last[step->result] = NEVER;
    for (uint32_t j = 0; j < 3; j++) last[step->inputs[j]] = NEVER;
  }
}

/* Values that the caller or another segment wants. */
static void find_homes(Emitter *emitter, uint32_t fixed) {
  const Order *order = emitter->order;
  uint32_t *made = memory_new(order->value_count * sizeof *made);
  for (uint32_t s = 0; s < order->segments.count; s++) {
    const OrderSegment *segment = &order->segments.data[s];
    for (uint32_t i = 0; i < segment->count; i++) {
      const OrderStep *step = &order->steps.data[segment->first + i];
      made[step->result] = s + 1;
      for (uint32_t j = 0; j < 3 && order_reads(step); j++)
        if (made[step->inputs[j]] != s + 1)
          emitter->home[step->inputs[j]] = true;
    }
  }
  for (Value value = 0; value < order->value_count; value++)
    if (emitter->slots[value] < fixed) emitter->home[value] = true;
  memory_delete(made);
}

/* ---- registers ---- */

static void drop(Emitter *emitter, uint32_t number) {
  Register *reg = &emitter->registers[number];
  if (reg->used) emitter->where[reg->value] = 0;
  *reg = (Register){0};
}

static void hold(Emitter *emitter, uint32_t number, Value value, bool stored,
                 uint32_t next) {
  emitter->registers[number] = (Register){value, true, stored, true, next};
  emitter->where[value] = (uint8_t)(number + 1);
}

/* Returns the register to evict: an empty one, or the one with the farthest
   use, where a value that would have to be stored counts as twice as near. */
static uint32_t find_victim(const Emitter *emitter) {
  uint32_t victim = REGISTERS, farthest = 0;
  for (uint32_t i = 0; i < emitter->register_count; i++) {
    const Register *reg = &emitter->registers[i];
    if (reg->locked) continue;
    if (!reg->used) return i;
    uint32_t distance = (reg->next - emitter->step) / (reg->stored ? 1 : 2);
    if (victim != REGISTERS && distance <= farthest) continue;
    victim = i;
    farthest = distance;
  }
  return victim;
}

/* Returns an empty register, locked for this step. */
static uint32_t take(Emitter *emitter) {
  uint32_t number = find_victim(emitter);
  Register *reg = &emitter->registers[number];
  if (reg->used && !reg->stored)
    assemble_store(&emitter->bytes, emitter->slots[reg->value], number);
  drop(emitter, number);
  reg->locked = true;
  return number;
}

static Operand locate(const Emitter *emitter, Value value) {
  uint32_t where = emitter->where[value];
  return where ? (Operand){false, where - 1}
               : (Operand){true, emitter->slots[value]};
}

/* Returns whether a value used next at that step is worth a register: it is
   needed soon, and sooner than another one in a register. */
static bool worth_keeping(const Emitter *emitter, uint32_t next) {
  if (next == NEVER || next - emitter->step > KEEP_DISTANCE) return false;
  const Register *reg = &emitter->registers[find_victim(emitter)];
  return !reg->used || reg->next > next;
}

static Operand load(Emitter *emitter, Value value, uint32_t next) {
  Operand from = {true, emitter->slots[value]};
  uint32_t number = take(emitter);
  assemble_load(&emitter->bytes, number, from);
  hold(emitter, number, value, true, next);
  return (Operand){false, number};
}

/* ---- steps ---- */

typedef struct Input {
  Value value;
  uint32_t variable; /* of the table */
  uint32_t next;
  Operand at;
} Input;

static uint32_t find_inputs(Emitter *emitter, const OrderStep *step,
                            Input *inputs) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < 3; i++) {
    if (!truth_depends((uint8_t)step->kind, i)) continue;
    Value value = step->inputs[i];
    uint32_t next = emitter->next[4 * emitter->step + i];
    Input *input = &inputs[count++];
    *input = (Input){value, i, next, locate(emitter, value)};
    if (input->at.in_memory) continue;
    emitter->registers[input->at.number].locked = true;
    emitter->registers[input->at.number].next = next;
  }
  return count;
}

static void swap(Input *a, Input *b) {
  Input kept = *a;
  *a = *b;
  *b = kept;
}

/* Ranks an input as the one to overwrite, best first: in a register and not
   needed again; in memory, to be loaded for this; in a register, to be copied.
 */
static uint32_t rank_first(const Input *input) {
  if (!input->at.in_memory) return input->next == NEVER ? 0 : 2;
  return input->next == NEVER ? 1 : 3;
}

/* Orders the inputs for the instruction; the last may stay in memory. */
static void deal_inputs(Emitter *emitter, Input *inputs, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (inputs[i].at.in_memory && worth_keeping(emitter, inputs[i].next))
      inputs[i].at = load(emitter, inputs[i].value, inputs[i].next);
  for (uint32_t i = 1; i < count; i++)
    if (rank_first(&inputs[i]) < rank_first(&inputs[0]))
      swap(&inputs[0], &inputs[i]);
  if (count == 3 && inputs[1].at.in_memory) swap(&inputs[1], &inputs[2]);
}

/* Returns the register of the result, which holds the first input if
   `copied`. */
static uint32_t place_first(Emitter *emitter, const Input *first, bool copied) {
  if (!first->at.in_memory && first->next == NEVER) {
    uint32_t number = first->at.number;
    drop(emitter, number);
    emitter->registers[number].locked = true;
    return number;
  }
  uint32_t number = take(emitter);
  if (copied) assemble_load(&emitter->bytes, number, first->at);
  return number;
}

static uint8_t turn_table(uint8_t table, const Input *inputs,
                          const uint32_t *places, uint32_t count) {
  uint32_t place[3] = {0, 0, 0};
  for (uint32_t i = 0; i < count; i++) place[inputs[i].variable] = places[i];
  return truth_move(table, place);
}

static uint32_t emit_three(Emitter *emitter, uint8_t table, Input *inputs) {
  static const uint32_t places[] = {0, 1, 2};
  uint32_t result = place_first(emitter, &inputs[0], true);
  uint32_t second = inputs[1].at.number;
  if (inputs[1].at.in_memory) {
    second = take(emitter);
    assemble_load(&emitter->bytes, second, inputs[1].at);
    emitter->registers[second].locked = false;
  }
  assemble_lookup(&emitter->bytes, turn_table(table, inputs, places, 3), result,
                  second, inputs[2].at);
  return result;
}

/* With two inputs none has to be overwritten, unless both are in memory. */
static uint32_t emit_two(Emitter *emitter, uint8_t table, Input *inputs) {
  static const uint32_t overwrite[] = {0, 2}, spare[] = {1, 2};
  if (!inputs[1].at.in_memory && inputs[0].at.in_memory)
    swap(&inputs[0], &inputs[1]);
  bool first_in_memory = inputs[0].at.in_memory;
  uint32_t result = place_first(emitter, &inputs[0], first_in_memory);
  bool same = first_in_memory || result == inputs[0].at.number;
  assemble_lookup(&emitter->bytes,
                  turn_table(table, inputs, same ? overwrite : spare, 2),
                  result, same ? result : inputs[0].at.number, inputs[1].at);
  return result;
}

static uint32_t emit_few(Emitter *emitter, uint8_t table, const Input *inputs,
                         uint32_t count) {
  static const uint32_t places[] = {2};
  uint32_t result = take(emitter);
  Operand from = count ? inputs[0].at : (Operand){false, result};
  assemble_lookup(&emitter->bytes, turn_table(table, inputs, places, count),
                  result, result, from);
  return result;
}

static void forget_dead(Emitter *emitter) {
  for (uint32_t i = 0; i < emitter->register_count; i++) {
    Register *reg = &emitter->registers[i];
    reg->locked = false;
    if (reg->used && reg->next == NEVER) drop(emitter, i);
  }
}

/* Returns the table that is `old` (a variable) where the last variable is set,
   otherwise the given one of the inputs, which become the first variables. */
static uint8_t hold_table(uint8_t table, const Input *inputs, uint32_t count,
                          uint32_t old) {
  uint32_t held = 0;
  for (uint32_t at = 0; at < 8; at++) {
    uint32_t from = 0;
    for (uint32_t i = 0; i < count; i++)
      from |= (at >> (2 - i) & 1) << (2 - inputs[i].variable);
    uint32_t value = at & 1 ? at >> (2 - old) : (uint32_t)table >> from;
    held |= (value & 1) << at;
  }
  return (uint8_t)held;
}

/* Makes the old value in held lanes part of the gate if there is room for it.
   Returns the number of inputs, or 0. */
static uint32_t join_held(const Emitter *emitter, Value target, Input *inputs,
                          uint32_t count, uint8_t *table) {
  uint32_t old = 0, far = emitter->step + KEEP_DISTANCE;
  while (old < count && inputs[old].value != target) old++;
  uint32_t all = old < count ? count : count + 1;
  if (all > 2) return 0;
  *table = hold_table(*table, inputs, count, old);
  if (old == count)
    inputs[old] = (Input){target, 0, NEVER, locate(emitter, target)};
  for (uint32_t i = 0; i < all; i++) inputs[i].variable = i;
  inputs[all] = (Input){target, 2, far, {false, HELD}};
  return all + 1;
}

static void emit_lookup(Emitter *emitter, const OrderStep *step) {
  trial_check();
  Input inputs[3] = {0};
  uint8_t table = (uint8_t)step->kind;
  uint32_t count = find_inputs(emitter, step, inputs), result;
  uint32_t joined = 0, target = ASSIGN_NONE;
  if (emitter->targets) target = emitter->targets[step->result];
  if (target != ASSIGN_NONE)
    joined = join_held(emitter, target, inputs, count, &table);
  if (joined) count = joined;
  deal_inputs(emitter, inputs, count);
  if (count == 3)
    result = emit_three(emitter, table, inputs);
  else if (count == 2)
    result = emit_two(emitter, table, inputs);
  else
    result = emit_few(emitter, table, inputs, count);
  if (target != ASSIGN_NONE && !joined)
    assemble_lookup(&emitter->bytes, TABLE_HELD, result, HELD,
                    locate(emitter, target));
  bool stored = emitter->home[step->result];
  if (stored)
    assemble_store(&emitter->bytes, emitter->slots[step->result], result);
  hold(emitter, result, step->result, stored,
       emitter->next[4 * emitter->step + 3]);
}

static void emit_update(Emitter *emitter, const OrderStep *step) {
  Value definition = step->inputs[0];
  uint32_t slot = emitter->slots[step->result];
  uint32_t next = emitter->next[4 * emitter->step];
  if (emitter->where[step->result])
    drop(emitter, emitter->where[step->result] - 1u);
  Operand from = locate(emitter, definition);
  if (from.in_memory) from = load(emitter, definition, next);
  emitter->registers[from.number].next = next;
  assemble_lookup(&emitter->bytes, TABLE_CHANGED, CHANGED, from.number,
                  (Operand){true, slot});
  assemble_store(&emitter->bytes, slot, from.number);
  if (next != NEVER) return;
  drop(emitter, from.number);
  hold(emitter, from.number, step->result, true,
       emitter->next[4 * emitter->step + 3]);
}

static void emit_segment(Emitter *emitter, const OrderSegment *segment) {
  uint32_t start = emitter->bytes.count;
  emitter->register_count = emitter->targets ? HELD
                            : segment->loop  ? CHANGED
                                             : REGISTERS;
  if (segment->loop)
    assemble_lookup(&emitter->bytes, 0, CHANGED, CHANGED,
                    (Operand){false, CHANGED});
  for (uint32_t i = 0; i < segment->count; i++) {
    emitter->step = segment->first + i;
    const OrderStep *step = &emitter->order->steps.data[emitter->step];
    if (step->kind == KIND_UPDATE)
      emit_update(emitter, step);
    else
      emit_lookup(emitter, step);
    forget_dead(emitter);
  }
  if (segment->loop) assemble_repeat(&emitter->bytes, CHANGED, start);
  for (uint32_t i = 0; i < REGISTERS; i++) drop(emitter, i);
}

/* ---- memory ---- */

static bool make_executable(const Bytes *bytes, Code *code) {
  ScopePages *pages = memory_pages_new(bytes->count);
  if (!pages) return false;
  memcpy(pages->address, bytes->data, bytes->count);
  if (mprotect(pages->address, pages->size, PROT_READ | PROT_EXEC) != 0) {
    memory_pages_delete(pages);
    return false;
  }
  *code = (Code){pages->address, pages};
  return true;
}

bool code_make(const Order *order, const uint32_t *slots, uint32_t fixed,
               uint32_t slot_count, const uint32_t *targets, Code *code) {
  uint32_t steps = order->steps.count, values = order->value_count;
  uint32_t *last = memory_new(values * sizeof *last);
  Emitter emitter = {.order = order,
                     .slots = slots,
                     .targets = targets,
                     .next =
                         memory_new(4 * (size_t)steps * sizeof *emitter.next),
                     .home = memory_new(values * sizeof *emitter.home),
                     .where = memory_new(values)};
  if (values) memset(last, 0xff, values * sizeof *last); /* NEVER */
  for (uint32_t i = 0; i < order->segments.count; i++)
    find_next_uses(&emitter, &order->segments.data[i], last);
  find_homes(&emitter, fixed);
  assemble_begin(&emitter.bytes, slot_count, targets ? HELD : 0);
  for (uint32_t i = 0; i < order->segments.count; i++)
    emit_segment(&emitter, &order->segments.data[i]);
  assemble_end(&emitter.bytes);
  bool made = make_executable(&emitter.bytes, code);
  vector_free(&emitter.bytes);
  memory_delete(last);
  memory_delete(emitter.next);
  memory_delete(emitter.home);
  memory_delete(emitter.where);
  return made;
}

void code_run(const Code *code, uint64_t *memory, const uint64_t *held) {
  void (*run)(uint64_t *, const uint64_t *);
  memcpy(&run, &code->bytes, sizeof run); /* C has no cast for this */
  run(memory, held);
}

void code_free(Code *code) {
  memory_pages_delete(code->pages);
  *code = (Code){0};
}
