/* The map against a slow, obvious twin: a list of all entries with their
   hashes, searched from end to end. */
#include "base/map.h"

#include "base/random.h"
#include "base/trial.h"
#include "base/vector.h"
#include "support/unit.h"

typedef struct Item {
  uint64_t hash;
  uint32_t entry;
} Item;

typedef VECTOR(Item) Twin;

/* Entries that the map finds under a hash are those of the twin whose hashes
   agree in the half that the map keeps, each once. */
static void check_hash(const Map *map, const Twin *twin, uint64_t hash) {
  uint32_t found = 0, expected = 0;
  uint64_t found_sum = 0, expected_sum = 0;
  MapCursor at;
  for (uint32_t i = 0; i < twin->count; i++) {
    if ((uint32_t)twin->data[i].hash != (uint32_t)hash) continue;
    expected++;
    expected_sum += (uint64_t)twin->data[i].entry * twin->data[i].entry;
  }
  for (uint32_t e = map_first(map, hash, &at); e; e = map_next(map, &at)) {
    found++;
    found_sum += (uint64_t)e * e;
    assert_true(found <= expected);
  }
  assert_int_equal(found, expected);
  assert_true(found_sum == expected_sum);
}

static void add(Map *map, Twin *twin, uint64_t hash, uint32_t entry) {
  map_add(map, hash, entry);
  vector_push(twin, ((Item){hash, entry}));
}

/* Adds at the end of a search, as owners do that found nothing. */
static void insert(Map *map, Twin *twin, uint64_t hash, uint32_t entry) {
  MapCursor at;
  for (uint32_t e = map_first(map, hash, &at); e;) e = map_next(map, &at);
  map_insert(map, &at, entry);
  vector_push(twin, ((Item){hash, entry}));
}

/* Hashes from a small range collide and neighbour each other; those from the
   full range test growth. */
static uint64_t make_hash(Random *random, uint32_t range) {
  uint64_t hash = random_next(random);
  return range ? hash % range : hash;
}

static void play(Random *random, uint32_t range, uint32_t steps) {
  Map map = {0};
  Twin twin = {0};
  check_hash(&map, &twin, 0);
  for (uint32_t i = 0; i < steps; i++) {
    uint64_t hash = make_hash(random, range);
    uint32_t kind = random_below(random, 200);
    if (kind == 0) {
      map_clear(&map);
      vector_clear(&twin);
    } else if (kind == 1) {
      map_reset(&map, random_below(random, 100));
      vector_clear(&twin);
    } else if (kind < 50) {
      insert(&map, &twin, hash, 1 + random_below(random, 1000));
    } else if (kind < 100) {
      add(&map, &twin, hash, 1 + random_below(random, 1000));
    } else if (kind < 120 && twin.count) {
      hash = twin.data[random_below(random, twin.count)].hash;
    }
    check_hash(&map, &twin, hash);
    assert_int_equal(map.used, twin.count);
  }
  for (uint32_t i = 0; i < twin.count; i++)
    check_hash(&map, &twin, twin.data[i].hash);
  map_free(&map);
  assert_null(map.slots);
  vector_free(&twin);
}

static void test_random_operations(void **state) {
  (void)state;
  static const uint32_t ranges[] = {1, 3, 20, 300, 0};
  Random random;
  random_seed(&random, 1);
  for (size_t i = 0; i < LENGTH(ranges); i++) play(&random, ranges[i], 4000);
}

static void test_growth(void **state) {
  (void)state;
  enum { ENTRIES = 100000 };
  Map map = {0};
  MapCursor at;
  Random random;
  uint64_t *hashes = memory_new((ENTRIES + 1) * sizeof *hashes);
  random_seed(&random, 2);
  for (uint32_t entry = 1; entry <= ENTRIES; entry++) {
    hashes[entry] = random_next(&random);
    map_add(&map, hashes[entry], entry);
    assert_true(2 * map.used <= map.slot_count);
  }
  assert_int_equal(map_bytes(&map), map.slot_count * sizeof *map.slots);
  for (uint32_t entry = 1; entry <= ENTRIES; entry++) {
    uint32_t e = map_first(&map, hashes[entry], &at);
    while (e && e != entry) e = map_next(&map, &at);
    assert_int_equal(e, entry);
  }
  map_free(&map);
  memory_delete(hashes);
}

/* Equal hashes are all found, before and after the table grew. */
static void test_equal_hashes(void **state) {
  (void)state;
  Map map = {0};
  Twin twin = {0};
  for (uint32_t entry = 1; entry <= 500; entry++) {
    add(&map, &twin, 0xffffffffu, entry); /* wraps around the end */
    check_hash(&map, &twin, 0xffffffffu);
    check_hash(&map, &twin, 0);
  }
  map_free(&map);
  vector_free(&twin);
}

/* Numbers of earlier lives add up: with large entries the map soon has to start
   again from an empty table. */
static void test_clearing(void **state) {
  (void)state;
  Map map = {0};
  Twin twin = {0};
  uint32_t restarts = 0;
  for (uint32_t life = 0; life < 50; life++) {
    for (uint32_t i = 0; i < 20; i++)
      add(&map, &twin, i % 7, (life % 3 ? 1u : 500000000u) + i);
    for (uint64_t hash = 0; hash < 10; hash++) check_hash(&map, &twin, hash);
    uint32_t floor = map.floor, slots = map.slot_count;
    map_clear(&map);
    vector_clear(&twin);
    restarts += map.floor < floor;
    assert_int_equal(map.slot_count, slots);
    for (uint64_t hash = 0; hash < 10; hash++) check_hash(&map, &twin, hash);
  }
  assert_true(restarts > 2);
  map_free(&map);
  vector_free(&twin);
}

/* ---- trials ---- */

static void add_without_end(void *context) {
  Map *map = context;
  for (uint32_t entry = map->used + 1;; entry++) map_add(map, entry, entry);
}

/* A table from outside that grew in a trial still has a valid block after it,
   whether the limit was reached by the copy or by the table itself. */
static void test_growth_in_a_failed_trial(void **state) {
  (void)state;
  for (size_t limit = 100; limit < 100000; limit += limit / 3) {
    Map map = {0};
    MapCursor at;
    for (uint32_t entry = 1; entry <= 20; entry++) map_add(&map, entry, entry);
    assert_false(trial_run(limit, add_without_end, &map));
    assert_true(trial_limit_reached());
    for (uint32_t entry = 1; entry <= 20; entry++)
      assert_int_equal(map_first(&map, entry, &at), entry);
    map_clear(&map);
    assert_int_equal(map_first(&map, 1, &at), 0);
    for (uint32_t entry = 1; entry <= 5000; entry++)
      map_add(&map, entry, entry);
    for (uint32_t entry = 1; entry <= 5000; entry++)
      assert_int_equal(map_first(&map, entry, &at), entry);
    map_free(&map);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_operations),
      cmocka_unit_test(test_growth),
      cmocka_unit_test(test_equal_hashes),
      cmocka_unit_test(test_clearing),
      cmocka_unit_test(test_growth_in_a_failed_trial),
  };
  return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
