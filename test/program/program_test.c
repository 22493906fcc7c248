/* Programs against the slow twin: random nets with and without recursion, with
   constants, inputs, negations and repetitions among the outputs, evaluated in
   every mode (instruction set, width, tape and machine code) and lane by lane
   by net_evaluate. Fluents and moves must be preserved, and the rest of the
   memory must not matter. Programs of steps write next values over fluents. */
#include "program/program.h"

#include "support/net_evaluate.h"
#include "support/random_net.h"
#include "support/unit.h"

enum { MAX_WORDS = 16, MAX_LANES = 64 * MAX_WORDS };

typedef struct Case {
  Net net;
  SignalVector outputs;
  uint32_t inputs;
  uint64_t *values;   /* [input][word] */
  uint64_t *expected; /* [output][word] */
} Case;

static uint64_t *new_vectors(uint32_t count) {
  size_t size = (size_t)count * MAX_WORDS * sizeof(uint64_t) + 64;
  uint64_t *memory = aligned_alloc(64, (size + 63) / 64 * 64);
  assert_non_null(memory);
  return memory;
}

static bool get_bit(const uint64_t *vector, uint32_t lane) {
  return vector[lane / 64] >> lane % 64 & 1;
}

/* Computes the expected outputs of each lane by net_evaluate. */
static void fill_expected(Case *c) {
  const Net *net = &c->net;
  bool *inputs = memory_new(c->inputs + 1);
  bool *values = memory_new(net->gates.count);
  c->expected = memory_new((c->outputs.count + 1) * MAX_WORDS * 8);
  for (uint32_t lane = 0; lane < MAX_LANES; lane++) {
    for (uint32_t i = 0; i < c->inputs; i++)
      inputs[i] = get_bit(c->values + i * MAX_WORDS, lane);
    net_evaluate(net, inputs, inputs + net->fluents.count, values);
    for (uint32_t i = 0; i < c->outputs.count; i++) {
      Signal signal = c->outputs.data[i];
      uint64_t bit = values[signal_gate(signal)] != signal_negated(signal);
      c->expected[i * MAX_WORDS + lane / 64] |= bit << lane % 64;
    }
  }
  memory_delete(inputs);
  memory_delete(values);
}

/* Fills lanes with different density: recursion is tested by few and by many
   true inputs. */
static void fill_values(Case *c, Random *random) {
  c->inputs = c->net.fluents.count + c->net.moves.count;
  c->values = memory_new((c->inputs + 1) * MAX_WORDS * 8);
  for (uint32_t i = 0; i < c->inputs * MAX_WORDS; i++) {
    uint64_t word = random_next(random);
    if (i % 3 == 1) word &= random_next(random) & random_next(random);
    if (i % 3 == 2) word |= random_next(random) | random_next(random);
    c->values[i] = word;
  }
}

static void add_outputs(Case *c, Random *random) {
  const Net *net = &c->net;
  for (uint32_t i = 0; i < net->fluents.count; i++)
    vector_push(&c->outputs, net->fluents.data[i].next);
  for (uint32_t i = 0; i < net->moves.count; i++)
    vector_push(&c->outputs, net->moves.data[i].legal);
  for (uint32_t i = 0; i < net->goals.count; i++)
    vector_push(&c->outputs, net->goals.data[i].signal);
  for (uint32_t i = 0; i < 6; i++) {
    Signal signal = random_below(random, 2 * net->gates.count);
    vector_push(&c->outputs, signal);
    if (i % 2) vector_push(&c->outputs, signal_not(signal));
  }
  vector_push(&c->outputs, SIGNAL_TRUE);
  vector_push(&c->outputs, SIGNAL_FALSE);
  vector_push(&c->outputs, net->terminal);
}

static void free_case(Case *c) {
  net_free(&c->net);
  vector_free(&c->outputs);
  memory_delete(c->values);
  memory_delete(c->expected);
}

static void check_mode(const Case *c, Program *program, ProgramMode mode) {
  uint32_t words = mode.words, vectors = program_vectors(program);
  uint64_t *memory = new_vectors(vectors);
  assert_true(program_prepare(program, &mode));
  for (uint32_t fill = 0; fill < 2; fill++) {
    memset(memory, fill ? 0xa5 : 0xff, (size_t)vectors * words * 8);
    for (uint32_t i = 0; i < c->inputs; i++)
      memcpy(memory + i * words, c->values + i * MAX_WORDS, words * 8);
    program_run(program, &mode, memory);
    for (uint32_t i = 0; i < c->inputs; i++)
      assert_memory_equal(memory + i * words, c->values + i * MAX_WORDS,
                          words * 8);
    for (uint32_t i = 0; i < c->outputs.count; i++) {
      assert_in_range(program_output(program, i), 0, vectors - 1);
      assert_memory_equal(memory + program_output(program, i) * words,
                          c->expected + i * MAX_WORDS, words * 8);
    }
  }
  free(memory);
}

static void add_inputs(Net *net, uint32_t fluents, uint32_t moves,
                       SignalVector *pool) {
  net_init(net, 1);
  for (uint32_t i = 0; i < fluents; i++)
    vector_push(pool, net_add_fluent(net, 0, false));
  for (uint32_t i = 0; i < moves; i++)
    vector_push(pool, net_add_move(net, 0, 0));
}

/* ---- next values written over the fluents ---- */

/* Returns what output i leaves in its fluent, for words of one lane vector. */
static uint64_t *expect_step(const Case *c, uint32_t i, const uint64_t *held,
                             uint64_t *vector) {
  for (uint32_t word = 0; word < MAX_WORDS; word++)
    vector[word] = (c->values[i * MAX_WORDS + word] & held[word]) |
                   (c->expected[i * MAX_WORDS + word] & ~held[word]);
  return vector;
}

/* Returns how many outputs the mode has written over fluents. */
static uint32_t check_step(const Case *c, Program *program, ProgramMode mode,
                           const uint64_t *held) {
  uint32_t words = mode.words, fluents = c->net.fluents.count, written = 0;
  uint64_t *memory = new_vectors(program_vectors(program));
  uint64_t vector[MAX_WORDS];
  assert_true(program_prepare(program, &mode));
  memset(memory, 0xa5, (size_t)program_vectors(program) * words * 8);
  for (uint32_t i = 0; i < c->inputs; i++)
    memcpy(memory + i * words, c->values + i * MAX_WORDS, words * 8);
  program_run_step(program, &mode, memory, held);
  for (uint32_t i = 0; i < c->inputs; i++) {
    bool over = mode.jit && i < fluents && program_assigns(program, i);
    assert_memory_equal(memory + i * words,
                        over ? expect_step(c, i, held, vector)
                             : c->values + i * MAX_WORDS,
                        words * 8);
    written += over;
    const uint64_t *output =
        memory + (i < fluents ? program_output(program, i) : 0) * words;
    for (uint32_t word = 0; !over && i < fluents && word < words; word++)
      assert_true(((output[word] ^ c->expected[i * MAX_WORDS + word]) &
                   ~held[word]) == 0);
  }
  free(memory);
  return written;
}

/* The first outputs are the fluents' next values. */
static uint32_t check_steps(const Case *c, Random *random) {
  uint32_t fluents = c->net.fluents.count, written = 0;
  uint32_t *targets = memory_new((fluents + 1) * sizeof *targets);
  uint64_t *held = new_vectors(1);
  for (uint32_t i = 0; i < fluents; i++) targets[i] = i;
  for (uint32_t i = 0; i < MAX_WORDS; i++) held[i] = random_next(random);
  Program *program =
      program_new_step(&c->net, c->outputs.data, fluents, targets);
  check_step(c, program, (ProgramMode){ISA_PLAIN, false, 4}, held);
  for (uint32_t words = 8; words <= 16; words *= 2)
    if (isa_available(ISA_AVX512))
      written =
          check_step(c, program, (ProgramMode){ISA_AVX512, true, words}, held);
  program_delete(program);
  memory_delete(targets);
  free(held);
  return written;
}

/* A register that shifts, gates that read each other's fluents, one that only
   the last of them reads. */
static void test_step(void **state) {
  (void)state;
  Random random;
  Case c = {0};
  SignalVector pool = {0};
  random_seed(&random, 8);
  add_inputs(&c.net, 6, 2, &pool);
  const Signal *in = pool.data;
  Signal one[] = {in[3], signal_not(in[4])}, two[] = {in[4], in[3]};
  Signal three[] = {in[5], in[6], in[2]};
  c.net.fluents.data[0].next = in[1];
  c.net.fluents.data[1].next = in[0];
  c.net.fluents.data[2].next = signal_not(in[2]);
  c.net.fluents.data[3].next = net_and(&c.net, one, 2);
  c.net.fluents.data[4].next = net_and(&c.net, two, 2);
  c.net.fluents.data[5].next = net_and(&c.net, three, 3);
  add_outputs(&c, &random);
  fill_values(&c, &random);
  fill_expected(&c);
  /* 0 and 1 are copied, and one of 3 and 4 */
  assert_int_equal(check_steps(&c, &random), isa_available(ISA_AVX512) ? 3 : 0);
  free_case(&c);
  vector_free(&pool);
}

static void check_case(Case *c, Random *random) {
  add_outputs(c, random);
  fill_values(c, random);
  fill_expected(c);
  Program *program = program_new(&c->net, c->outputs.data, c->outputs.count);
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
    for (uint32_t words = 1; words <= MAX_WORDS; words *= 2)
      if (isa_available(isa))
        check_mode(c, program, (ProgramMode){isa, false, words});
  for (uint32_t words = 8; words <= 16; words *= 2)
    if (isa_available(ISA_AVX512))
      check_mode(c, program, (ProgramMode){ISA_AVX512, true, words});
  program_delete(program);
  check_steps(c, random);
  free_case(c);
}

static void check_random_nets(uint64_t seed, uint32_t count, bool blocks) {
  for (uint32_t i = 0; i < count; i++) {
    Description description;
    Random random;
    Case c = {0};
    front_read(&description, "(role a)");
    random_seed(&random, seed + i);
    random_net(&c.net, &description.rules.terms, &random, blocks);
    check_case(&c, &random);
    description_free(&description);
  }
}

static void test_random_nets(void **state) {
  (void)state;
  check_random_nets(1000, 60, false);
}

static void test_recursion(void **state) {
  (void)state;
  check_random_nets(2000, 60, true);
}

/* ---- nets of other shapes ---- */

/* Adds gates of up to `width` inputs from the latest `window` signals; every
   fluent's next value is one of the last gates. */
static void add_gates(Net *net, Random *random, SignalVector *pool,
                      uint32_t count, uint32_t width, uint32_t window) {
  Signal *list = memory_new(width * sizeof *list);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t inputs = 2 + random_below(random, width - 1);
    uint32_t reach = pool->count < window ? pool->count : window;
    for (uint32_t j = 0; j < inputs; j++) {
      uint32_t at = pool->count - 1 - random_below(random, reach);
      list[j] = pool->data[at] ^ (random_below(random, 3) == 0);
    }
    Signal made = random_net_join(net, random, list, inputs);
    if (signal_gate(made)) vector_push(pool, made);
  }
  for (uint32_t i = 0; i < net->fluents.count; i++)
    net->fluents.data[i].next = pool->data[pool->count - 1 - i % pool->count];
  memory_delete(list);
}

static void check_shape(uint64_t seed, uint32_t fluents, uint32_t gates,
                        uint32_t width, uint32_t window) {
  Random random;
  Case c = {0};
  SignalVector pool = {0};
  random_seed(&random, seed);
  add_inputs(&c.net, fluents, 10, &pool);
  add_gates(&c.net, &random, &pool, gates, width, window);
  check_case(&c, &random);
  vector_free(&pool);
}

static void test_deep(void **state) {
  (void)state;
  check_shape(1, 8, 3000, 2, 6);
  check_shape(2, 8, 2000, 3, 12);
}

static void test_wide(void **state) {
  (void)state;
  check_shape(3, 100, 60, 90, 110);
  check_shape(4, 20, 40, 18, 200);
}

/* More live values than registers, and than a byte can address. */
static void test_many_live(void **state) {
  (void)state;
  check_shape(5, 3000, 4000, 2, 4000);
}

static void test_nothing(void **state) {
  (void)state;
  Net net;
  net_init(&net, 1);
  Signal outputs[] = {SIGNAL_FALSE, SIGNAL_TRUE, SIGNAL_TRUE};
  Program *none = program_new(&net, NULL, 0);
  ProgramMode mode = {ISA_PLAIN, false, 1};
  uint64_t memory[64] = {0};
  assert_int_equal(program_gates(none), 0);
  assert_true(program_prepare(none, &mode));
  program_run(none, &mode, memory);
  program_delete(none);
  Program *constants = program_new(&net, outputs, 3);
  program_run(constants, &mode, memory);
  assert_true(memory[program_output(constants, 0)] == 0);
  assert_true(memory[program_output(constants, 1)] == UINT64_MAX);
  assert_int_equal(program_output(constants, 1), program_output(constants, 2));
  program_delete(constants);
  net_free(&net);
}

/* Slot numbers of more than 16 bits. */
static void test_large(void **state) {
  (void)state;
  Random random;
  Case c = {0};
  SignalVector pool = {0};
  random_seed(&random, 6);
  add_inputs(&c.net, 66000, 10, &pool);
  add_gates(&c.net, &random, &pool, 100, 4, 60);
  add_gates(&c.net, &random, &pool, 100, 4, 66000);
  for (uint32_t i = 40; i < c.net.fluents.count; i++)
    c.net.fluents.data[i].next = gate_signal(c.net.fluents.data[i].gate);
  check_case(&c, &random);
  vector_free(&pool);
}

/* ---- modes ---- */

static void test_modes(void **state) {
  (void)state;
  Random random;
  Case c = {0};
  SignalVector pool = {0};
  random_seed(&random, 7);
  add_inputs(&c.net, 20, 10, &pool);
  add_gates(&c.net, &random, &pool, 200, 4, 60);
  add_outputs(&c, &random);
  fill_values(&c, &random);
  fill_expected(&c);
  Program *program = program_new(&c.net, c.outputs.data, c.outputs.count);
  assert_false(program_prepare(program, &(ProgramMode){ISA_PLAIN, false, 3}));
  assert_false(program_prepare(program, &(ProgramMode){ISA_PLAIN, false, 0}));
  assert_false(program_prepare(program, &(ProgramMode){ISA_PLAIN, false, 32}));
  assert_false(program_prepare(program, &(ProgramMode){ISA_PLAIN, true, 8}));
  assert_false(program_prepare(program, &(ProgramMode){ISA_AVX2, true, 8}));
  assert_false(program_prepare(program, &(ProgramMode){ISA_AVX512, true, 4}));
  program_delete(program);
  free_case(&c);
  vector_free(&pool);
}

/* The outputs of (a AND NOT b) and of its negation, as text. */
static void test_text(void **state) {
  (void)state;
  Net net;
  Text text = {0};
  SignalVector pool = {0};
  add_inputs(&net, 2, 0, &pool);
  Signal list[] = {pool.data[0], signal_not(pool.data[1])};
  Signal both = net_and(&net, list, 2);
  Signal outputs[] = {both, pool.data[1]};
  Program *program = program_new(&net, outputs, 2);
  program_write(program, &text);
  assert_string_equal(text_string(&text), "; 1 gates, 3 vectors, 1 runs\n"
                                          "s2 = 0c s1 s0\n"
                                          "output 0 = s2\n"
                                          "output 1 = s1\n");
  text_free(&text);
  program_delete(program);
  net_free(&net);
  vector_free(&pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_nets), cmocka_unit_test(test_recursion),
      cmocka_unit_test(test_deep),        cmocka_unit_test(test_wide),
      cmocka_unit_test(test_many_live),   cmocka_unit_test(test_nothing),
      cmocka_unit_test(test_large),       cmocka_unit_test(test_modes),
      cmocka_unit_test(test_text),        cmocka_unit_test(test_step)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
