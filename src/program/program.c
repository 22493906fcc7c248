/* A net's cone becomes two-input gates (split), three-input gates (cover), an
   order of evaluation (order) with a slot for each value (slots), and from that
   a tape for the kernels (runs, tape) or machine code (code). Tape and code
   evaluate the gates in different orders: the tape wants gates of one kind side
   by side, the code wants values to be used while they are in registers. So
   each has its own slots, except those of outputs and loops.

   Memory: fluents, moves, loops of the cone, outputs that are gates, then slots
   that are reused. Outputs may also have places among the moves, and the code
   may write next values over the fluents (program/assign.h). */
#include "program/program.h"

#include <stdlib.h>

#include "program/assign.h"
#include "program/code.h"
#include "program/program_order.h"
#include "program/runs.h"
#include "program/slots.h"
#include "program/split.h"
#include "program/tape.h"
#include "program/truth.h"

enum {
  PIECE = 4096, /* steps sorted by kind at a time */
  MAX_WORDS = 16,
  CODE_VECTORS = 1 << 24 /* that displacements reach */
};

struct Program {
  uint32_t inputs; /* fluents and moves */
  uint32_t fixed;  /* slots of inputs, loops and outputs */
  uint32_t vectors, gates;
  NumberVector outputs; /* slots */
  NumberVector values;  /* of the outputs */
  Order order;          /* depth-first */
  uint32_t *slots;      /* of its values, for the code */
  uint32_t *targets;    /* by value, for the code (program/assign.h); or NULL */
  Tape tape;
  Code code[2]; /* for 8 words, for 16 */
};

static uint32_t *copy_slots(const uint32_t *slots, uint32_t count) {
  uint32_t *copy = memory_new(count * sizeof *copy);
  if (count) memcpy(copy, slots, count * sizeof *copy);
  return copy;
}

/* Inputs and loops have the slots of their numbers; outputs follow, or take the
   places of inputs. */
static uint32_t *fix_slots(Program *program, const Cover *cover,
                           uint32_t outputs, const uint32_t *places) {
  uint32_t values = cover->input_count + cover->gates.count;
  uint32_t *slots = memory_new(values * sizeof *slots);
  for (Value value = 0; value < values; value++)
    slots[value] = value < cover->input_count ? value : SLOT_NONE;
  program->fixed = cover->input_count;
  for (uint32_t i = 0; i < outputs; i++) {
    Value value = cover->wanted.data[i];
    if (slots[value] == SLOT_NONE)
      slots[value] = places && places[i] != PROGRAM_ANYWHERE ? places[i]
                                                             : program->fixed++;
    vector_push(&program->outputs, slots[value]);
    vector_push(&program->values, value);
  }
  return slots;
}

static void make_tape(Program *program, const uint32_t *fixed) {
  Order sorted;
  uint32_t *slots = copy_slots(fixed, program->order.value_count);
  runs_sort(&program->order, PIECE, &sorted);
  uint32_t vectors = slots_assign(&sorted, program->fixed, slots);
  tape_make(&sorted, slots, vectors, &program->tape);
  if (vectors > program->vectors) program->vectors = vectors;
  memory_delete(slots);
  order_free(&sorted);
}

static void order_gates(Program *program, const Cover *cover,
                        const Split *split) {
  uint32_t outputs = split->outputs.count;
  VECTOR(OrderLoop) loops = {0};
  for (uint32_t i = 0; i < split->loops.count; i++)
    vector_push(&loops, ((OrderLoop){program->inputs + i,
                                     cover->wanted.data[outputs + i],
                                     split->loops.data[i].block}));
  order_cover(cover, loops.data, loops.count, cover->wanted.data, outputs,
              &program->order);
  vector_free(&loops);
}

/* Finds what the code can write over inputs; that goes into their slots. */
static void assign(Program *program, uint32_t inputs, const uint32_t *targets) {
  program->targets = assign_find(&program->order, inputs, program->values.data,
                                 targets, program->values.count);
  for (Value value = 0; value < program->order.value_count; value++)
    if (program->targets[value] != ASSIGN_NONE)
      program->slots[value] = program->targets[value];
}

static Program *compile(const Net *net, const Signal *outputs, uint32_t count,
                        const uint32_t *targets, const uint32_t *places) {
  Program *program = memory_new(sizeof *program);
  Split split;
  Cover cover;
  VECTOR(Signal) wanted = {0};
  program->inputs = net->fluents.count + net->moves.count;
  split_net(net, outputs, count, &split);
  for (uint32_t i = 0; i < count; i++)
    vector_push(&wanted, split.outputs.data[i]);
  for (uint32_t i = 0; i < split.loops.count; i++)
    vector_push(&wanted, split.loops.data[i].definition);
  cover_pairs(&split.pairs, wanted.data, wanted.count, &cover);
  program->gates = cover.gates.count;
  order_gates(program, &cover, &split);
  program->slots = fix_slots(program, &cover, count, places);
  make_tape(program, program->slots);
  if (targets) assign(program, cover.input_count, targets);
  uint32_t vectors =
      slots_assign(&program->order, program->fixed, program->slots);
  if (vectors > program->vectors) program->vectors = vectors;
  vector_free(&wanted);
  split_free(&split);
  cover_free(&cover);
  return program;
}

Program *program_new(const Net *net, const Signal *outputs, uint32_t count) {
  return compile(net, outputs, count, NULL, NULL);
}

Program *program_new_step(const Net *net, const Signal *outputs, uint32_t count,
                          const uint32_t *targets) {
  return compile(net, outputs, count, targets, NULL);
}

Program *program_new_placed(const Net *net, const Signal *outputs,
                            uint32_t count, const uint32_t *places) {
  return compile(net, outputs, count, NULL, places);
}

void program_delete(Program *program) {
  vector_free(&program->outputs);
  vector_free(&program->values);
  order_free(&program->order);
  memory_delete(program->slots);
  memory_delete(program->targets);
  tape_free(&program->tape);
  for (uint32_t i = 0; i < 2; i++) code_free(&program->code[i]);
  memory_delete(program);
}

void program_forget_code(Program *program) {
  memset(program->code, 0, sizeof program->code);
}

uint32_t program_vectors(const Program *program) {
  return program->vectors;
}

uint32_t program_gates(const Program *program) {
  return program->gates;
}

uint32_t program_output(const Program *program, uint32_t i) {
  return program->outputs.data[i];
}

bool program_assigns(const Program *program, uint32_t i) {
  return program->targets &&
         program->targets[program->values.data[i]] != ASSIGN_NONE;
}

const Order *program_order(const Program *program) {
  return &program->order;
}

Value program_value(const Program *program, uint32_t i) {
  return program->values.data[i];
}

/* ---- running ---- */

static bool valid_words(uint32_t words) {
  return words && words <= MAX_WORDS && (words & (words - 1)) == 0;
}

/* A vector of 16 words is two slots; a run of the code processes one half. */
static bool make_code(Program *program, uint32_t words) {
  uint32_t values = program->order.value_count, stride = words / 8;
  uint32_t *slots = copy_slots(program->slots, values);
  for (Value value = 0; value < values; value++) slots[value] *= stride;
  bool made = code_make(&program->order, slots, program->fixed * stride,
                        program->vectors * stride, program->targets,
                        &program->code[stride - 1]);
  memory_delete(slots);
  return made;
}

bool program_prepare(Program *program, const ProgramMode *mode) {
  if (!valid_words(mode->words) || !isa_available(mode->isa)) return false;
  if (!mode->jit) return true;
  if (mode->isa != ISA_AVX512 || mode->words < 8 ||
      program->vectors > CODE_VECTORS)
    return false;
  return program->code[mode->words / 8 - 1].bytes ||
         make_code(program, mode->words);
}

void program_run_step(const Program *program, const ProgramMode *mode,
                      uint64_t *memory, const uint64_t *held) {
  if (!mode->jit) {
    tape_run(&program->tape, mode->isa, mode->words, memory);
    return;
  }
  for (uint32_t i = 0; i < mode->words; i += 8)
    code_run(&program->code[mode->words / 8 - 1], memory + i,
             held ? held + i : NULL);
}

void program_run(const Program *program, const ProgramMode *mode,
                 uint64_t *memory) {
  program_run_step(program, mode, memory, NULL);
}

/* ---- text ---- */

static void write_step(const Program *program, const OrderStep *step,
                       Text *text) {
  text_format(text, "s%u = ", program->slots[step->result]);
  if (step->kind == KIND_UPDATE) {
    text_format(text, "update s%u\n", program->slots[step->inputs[0]]);
    return;
  }
  text_format(text, "%02x", step->kind);
  for (uint32_t i = 0; i < 3; i++)
    if (truth_depends((uint8_t)step->kind, i))
      text_format(text, " s%u", program->slots[step->inputs[i]]);
  text_add_byte(text, '\n');
}

void program_write(const Program *program, Text *text) {
  text_format(text, "; %u gates, %u vectors, %u runs\n", program->gates,
              program->vectors, program->tape.runs.count);
  for (uint32_t s = 0; s < program->order.segments.count; s++) {
    const OrderSegment *segment = &program->order.segments.data[s];
    if (segment->loop) text_add(text, "repeat\n");
    for (uint32_t i = 0; i < segment->count; i++)
      write_step(program, &program->order.steps.data[segment->first + i], text);
    if (segment->loop) text_add(text, "until stable\n");
  }
  for (uint32_t i = 0; i < program->outputs.count; i++)
    text_format(text, "output %u = s%u\n", i, program->outputs.data[i]);
}
