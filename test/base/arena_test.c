/* Pieces of an arena are zeroed, aligned, disjoint and do not move; large
   pieces get their own block; a freed arena can be used again. */
#include "base/arena.h"

#include "base/random.h"
#include "support/unit.h"

enum { PIECES = 3000 };

typedef struct Piece {
  unsigned char *bytes;
  size_t size;
} Piece;

static void check_fresh(const unsigned char *bytes, size_t size) {
  assert_int_equal((uintptr_t)bytes % 16, 0);
  for (size_t i = 0; i < size; i++) assert_int_equal(bytes[i], 0);
}

static void test_pieces_do_not_overlap(void **state) {
  (void)state;
  static Piece pieces[PIECES];
  Arena arena = {0};
  Random random;
  random_seed(&random, 5);
  for (size_t i = 0; i < PIECES; i++) {
    size_t size = random_below(&random, i % 100 ? 200 : 20000);
    pieces[i] = (Piece){arena_new(&arena, size), size};
    check_fresh(pieces[i].bytes, size);
    memset(pieces[i].bytes, (int)(i % 255 + 1), size);
  }
  for (size_t i = 0; i < PIECES; i++)
    for (size_t j = 0; j < pieces[i].size; j++)
      assert_int_equal(pieces[i].bytes[j], i % 255 + 1);
  arena_free(&arena);
}

static void test_piece_larger_than_a_block(void **state) {
  (void)state;
  Arena arena = {0};
  char *small = arena_copy(&arena, "small", 5);
  size_t size = (size_t)5 << 20;
  unsigned char *large = arena_new(&arena, size);
  check_fresh(large, size);
  memset(large, 1, size);
  char *after = arena_copy(&arena, "after", 5);
  assert_string_equal(small, "small");
  assert_string_equal(after, "after");
  assert_int_equal(large[size - 1], 1);
  assert_true(arena.total >= size);
  arena_free(&arena);
}

/* Small pieces share blocks, and little is wasted. */
static void test_blocks_are_shared(void **state) {
  (void)state;
  Arena arena = {0};
  size_t wanted = (size_t)20 << 20;
  for (size_t i = 0; i < wanted / 16; i++) arena_new(&arena, 16);
  assert_true(arena.total >= wanted);
  assert_true(arena.total <= wanted + (2 << 20));
  arena_free(&arena);
}

static void test_copy_ends_with_nul(void **state) {
  (void)state;
  Arena arena = {0};
  for (size_t length = 0; length < 40; length++) {
    const char *bytes = "0123456789012345678901234567890123456789XXXX";
    char *copy = arena_copy(&arena, bytes, length);
    memset(arena_new(&arena, 16), 'x', 16); /* the neighbour */
    assert_int_equal(strlen(copy), length);
    assert_memory_equal(copy, bytes, length);
  }
  arena_free(&arena);
}

static void test_free_empties(void **state) {
  (void)state;
  Arena arena = {0};
  arena_free(&arena);
  arena_new(&arena, 100);
  arena_free(&arena);
  assert_null(arena.block);
  assert_int_equal(arena.total, 0);
  assert_non_null(arena_new(&arena, 0));
  arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pieces_do_not_overlap),
      cmocka_unit_test(test_piece_larger_than_a_block),
      cmocka_unit_test(test_blocks_are_shared),
      cmocka_unit_test(test_copy_ends_with_nul),
      cmocka_unit_test(test_free_empties),
  };
  return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
