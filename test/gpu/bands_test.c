/* Random programs cut into bands: whatever a share reads is there when it is
   read. */
#include "base/random.h"
#include "gpu/bands.h"
#include "program/truth.h"
#include "support/unit.h"

enum { INPUTS = 9 };

static const uint8_t tables[] = {0,    0xff, TRUTH_A, TRUTH_A &TRUTH_B,
                                 0x96, 0xe8, 0xca,    TRUTH_B | TRUTH_C};

/* Steps read what was computed lately, or long ago. */
static void draw_steps(Random *random, uint32_t count, BandSteps *steps) {
  for (uint32_t i = 0; i < count; i++) {
    BandStep step = {.table = tables[random_below(random, LENGTH(tables))],
                     .result = INPUTS + i};
    uint32_t back = random_below(random, 3) ? 12 : INPUTS + i;
    for (uint32_t k = 0; k < 3; k++) {
      uint32_t far = 1 + random_below(random, back);
      step.inputs[k] = far > INPUTS + i ? 0 : INPUTS + i - far;
    }
    vector_push(steps, step);
  }
}

/* Copies of inputs that belong to the last band. */
static void add_copies(Random *random, BandSteps *steps) {
  for (uint32_t i = random_below(random, 4); i-- > 0;) {
    uint32_t from = random_below(random, INPUTS);
    BandStep step = {TRUTH_A, INPUTS + steps->count, {from, from, from}, true};
    vector_push(steps, step);
  }
}

static void check_share(const Bands *bands, const BandSteps *steps,
                        uint32_t share, bool *done) {
  uint32_t band = share / bands->warps, warp = share % bands->warps;
  for (uint32_t i = bands->first[share]; i < bands->first[share + 1]; i++) {
    const BandStep *step = &steps->data[bands->list[i]];
    assert_int_equal(bands->band[step->result], band);
    assert_int_equal(bands->warp[step->result], warp);
    assert_false(done[step->result]);
    done[step->result] = true;
    for (uint32_t k = 0; k < 3; k++) {
      uint32_t value = step->inputs[k];
      if (!truth_depends(step->table, k) || value < INPUTS) continue;
      assert_true(done[value]);
      if (bands->band[value] == band)
        assert_int_equal(bands->warp[value], warp);
    }
    if (step->last) assert_int_equal(band, bands->count - 1);
  }
}

static void check_parts(const Bands *bands, const BandSteps *steps) {
  assert_int_equal(bands->part[0], 0);
  assert_int_equal(bands->part[bands->parts], bands->count);
  for (uint32_t i = 0; i < bands->parts; i++)
    assert_true(bands->part[i] <= bands->part[i + 1]);
  /* Parts are in the order of the steps. */
  for (uint32_t i = 1, part = 0, last = 0; i < steps->count; i++) {
    uint32_t band = bands->band[steps->data[i].result];
    while (bands->part[part + 1] <= band) part++;
    assert_true(bands->part[part] <= band);
    assert_true(part >= last);
    last = part;
    part = 0;
  }
}

static void test_bands(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < 300; seed++) {
    Random random;
    BandSteps steps = {0};
    Bands bands;
    random_seed(&random, seed);
    uint32_t count = random_below(&random, seed % 3 ? 40 : 2000);
    uint32_t warps = 1 + random_below(&random, 32);
    uint32_t parts = 1 + random_below(&random, 6);
    draw_steps(&random, count, &steps);
    add_copies(&random, &steps);
    uint32_t values = INPUTS + steps.count;
    bool *done = memory_new(values + 1);
    bands_init(&bands, &steps, INPUTS, values, warps, parts);
    for (uint32_t i = 0; i < INPUTS; i++)
      assert_int_equal(bands.band[i], BANDS_NONE);
    for (uint32_t share = 0; share < bands.count * warps; share++)
      check_share(&bands, &steps, share, done);
    for (uint32_t i = 0; i < steps.count; i++)
      assert_true(done[steps.data[i].result]);
    check_parts(&bands, &steps);
    bands_free(&bands);
    vector_free(&steps);
    memory_delete(done);
  }
}

/* Gates that do not depend on each other need one band, and a chain that is
   long needs no more than one either. */
static void test_few_bands(void **state) {
  (void)state;
  for (uint32_t chain = 0; chain < 2; chain++) {
    BandSteps steps = {0};
    Bands bands;
    for (uint32_t i = 0; i < (chain ? 12 : 500); i++) {
      uint32_t from = chain && i ? INPUTS + i - 1 : i % INPUTS;
      BandStep step = {0x80, INPUTS + i, {from, 1, 2}, false};
      vector_push(&steps, step);
    }
    bands_init(&bands, &steps, INPUTS, INPUTS + steps.count, 32, 1);
    assert_int_equal(bands.count, 1);
    uint32_t most = 0;
    for (uint32_t i = 0; i < 32; i++)
      if (bands.first[i + 1] - bands.first[i] > most)
        most = bands.first[i + 1] - bands.first[i];
    assert_int_equal(most, chain ? 12 : 16);
    bands_free(&bands);
    vector_free(&steps);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_bands),
                                     cmocka_unit_test(test_few_bands)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
