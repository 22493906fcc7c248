/* Novelty against a twin that keeps all states. */
#include "base/random.h"
#include "solve/atoms.h"
#include "support/unit.h"

enum { FIELDS = 7, STATES = 300, CLASSES = 3 };

/* Fields of several sizes, also across words. */
static void make_packing(Packing *packing, const uint32_t *values) {
  *packing = (Packing){.words = 2};
  for (uint32_t i = 0; i < FIELDS; i++) {
    PackingField field = {.bits = 3, .count = values[i], .exactly = i % 2};
    field.first = i < 4 ? 3 * i : 64 + 3 * i;
    vector_push(&packing->fields, field);
  }
}

static uint32_t values_of(const PackingField *field) {
  return field->count + !field->exactly;
}

static void random_key(const Packing *packing, Random *random, uint64_t *key) {
  key[0] = key[1] = 0;
  for (uint32_t i = 0; i < FIELDS; i++) {
    const PackingField *field = &packing->fields.data[i];
    uint64_t value = random_below(random, values_of(field));
    key[field->first >> 6] |= value << (field->first & 63);
  }
}

/* Changes one field. */
static void change_key(const Packing *packing, Random *random,
                       const uint64_t *from, uint64_t *key) {
  uint64_t other[2];
  const PackingField *field =
      &packing->fields.data[random_below(random, FIELDS)];
  uint64_t mask = (uint64_t)7 << (field->first & 63);
  random_key(packing, random, other);
  key[0] = from[0];
  key[1] = from[1];
  uint32_t word = field->first >> 6;
  key[word] = (key[word] & ~mask) | (other[word] & mask);
}

typedef struct Seen {
  uint64_t keys[STATES][2];
  uint32_t classes[STATES];
  uint32_t count;
} Seen;

static bool had(const Packing *packing, const Seen *seen, uint32_t class,
                const uint64_t *key, uint32_t f, uint32_t g) {
  const PackingField *a = &packing->fields.data[f];
  const PackingField *b = &packing->fields.data[g];
  for (uint32_t i = 0; i < seen->count; i++)
    if (seen->classes[i] == class &&
        packing_value(a, seen->keys[i]) == packing_value(a, key) &&
        packing_value(b, seen->keys[i]) == packing_value(b, key))
      return true;
  return false;
}

static uint32_t twin(const Packing *packing, const Seen *seen, uint32_t class,
                     const uint64_t *key, uint32_t width) {
  for (uint32_t f = 0; f < FIELDS; f++)
    if (!had(packing, seen, class, key, f, f)) return 1;
  for (uint32_t f = 0; width > 1 && f < FIELDS; f++)
    for (uint32_t g = 0; g < f; g++)
      if (!had(packing, seen, class, key, f, g)) return 2;
  return ATOMS_OLD;
}

/* Returns how often each novelty occurred, in `counts`; `never_newer`: the
   table is too small, what it takes for new must be. */
static void compare(Atoms *atoms, const Packing *packing, uint32_t width,
                    uint64_t seed, bool never_newer, uint32_t *counts) {
  Random random;
  Seen *seen = memory_new(sizeof *seen);
  random_seed(&random, seed);
  while (seen->count < STATES) {
    uint64_t *key = seen->keys[seen->count];
    uint32_t class = random_below(&random, CLASSES);
    const uint64_t *from = NULL;
    if (seen->count && random_below(&random, 4)) {
      uint32_t like = random_below(&random, seen->count);
      class = seen->classes[like];
      from = seen->keys[like];
      change_key(packing, &random, from, key);
    } else {
      random_key(packing, &random, key);
    }
    uint32_t expected = twin(packing, seen, class, key, width);
    uint32_t found = atoms_note(atoms, class, key, from);
    if (never_newer)
      assert_true(found >= expected);
    else
      assert_int_equal(found, expected);
    counts[found]++;
    seen->classes[seen->count++] = class;
  }
  memory_delete(seen);
}

static const uint32_t sizes[FIELDS] = {1, 2, 3, 7, 6, 5, 4};

static void test_twin(void **state) {
  (void)state;
  Packing packing;
  make_packing(&packing, sizes);
  for (uint32_t width = 1; width <= 2; width++) {
    uint32_t counts[4] = {0};
    Atoms *atoms = atoms_new(&packing, width, 1 << 16);
    assert_true(atoms_exact(atoms, CLASSES));
    for (uint64_t seed = 1; seed <= 5; seed++) {
      compare(atoms, &packing, width, seed, false, counts);
      atoms_clear(atoms, width);
    }
    assert_true(counts[1] > 0 && counts[ATOMS_OLD] > 0);
    assert_int_equal(counts[2] > 0, width == 2);
    atoms_clear(atoms, 1);
    compare(atoms, &packing, 1, 9, false, counts);
    atoms_delete(atoms);
  }
  vector_free(&packing.fields);
}

/* Classes share rows, or pairs are hashed: less is new, never more. */
static void test_little_memory(void **state) {
  (void)state;
  Packing packing;
  make_packing(&packing, sizes);
  for (size_t memory = 16; memory <= 256; memory += 16) {
    uint32_t counts[4] = {0};
    Atoms *atoms = atoms_new(&packing, 2, memory);
    if (!atoms) {
      assert_true(memory < 32);
      continue;
    }
    assert_false(atoms_exact(atoms, CLASSES));
    for (uint64_t seed = 1; seed <= 3; seed++) {
      compare(atoms, &packing, 2, seed, true, counts);
      atoms_clear(atoms, 2);
    }
    assert_true(counts[1] > 0 && counts[2] > 0);
    atoms_delete(atoms);
  }
  vector_free(&packing.fields);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_twin),
      cmocka_unit_test(test_little_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
