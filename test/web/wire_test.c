/* Messages arrive whole, in order and of any length; ends that are closed and
   links without room are noticed; packets that are none of ours end the link.
 */
#include "web/wire.h"

#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io/process.h"
#include "support/unit.h"

enum { LONGEST = 3 << 20 };

typedef struct Pair {
  int ends[2];
  Wire wire; /* on the first */
} Pair;

static void open_pair(Pair *pair) {
  assert_true(process_pair(pair->ends));
  wire_init(&pair->wire, pair->ends[0]);
}

static void close_pair(Pair *pair) {
  wire_free(&pair->wire);
  close(pair->ends[0]);
  if (pair->ends[1] >= 0) close(pair->ends[1]);
}

static WireEvent wait_for(Pair *pair) {
  struct pollfd link = {.fd = pair->ends[0], .events = POLLIN};
  WireEvent event;
  while ((event = wire_receive(&pair->wire)) == WIRE_EMPTY) poll(&link, 1, -1);
  return event;
}

static void test_short(void **state) {
  (void)state;
  Pair pair;
  open_pair(&pair);
  assert_int_equal(wire_receive(&pair.wire), WIRE_EMPTY);
  assert_true(wire_try(pair.ends[1], 'a', "one", 3));
  assert_true(wire_send(pair.ends[1], 'b', "", 0));
  assert_true(wire_send(pair.ends[1], 'b', "two", 3));
  assert_int_equal(wire_receive(&pair.wire), WIRE_GOT);
  assert_int_equal(pair.wire.kind, 'a');
  assert_string_equal(text_string(&pair.wire.message), "one");
  assert_int_equal(wire_receive(&pair.wire), WIRE_GOT);
  assert_int_equal(pair.wire.kind, 'b');
  assert_int_equal(pair.wire.message.length, 0);
  assert_int_equal(wire_receive(&pair.wire), WIRE_GOT);
  assert_string_equal(text_string(&pair.wire.message), "two");
  assert_int_equal(wire_receive(&pair.wire), WIRE_EMPTY);
  close(pair.ends[1]);
  pair.ends[1] = -1;
  assert_int_equal(wire_receive(&pair.wire), WIRE_CLOSED);
  close_pair(&pair);
}

/* Lengths around those of packets, from another thread that waits for room. */
static const size_t lengths[] = {1,         32767,   32768,  32769,
                                 2 * 32768, 1000000, LONGEST};

static void fill(char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) bytes[i] = (char)(i * 7 + i / 251);
}

static void *send_long(void *context) {
  char *bytes = malloc(LONGEST);
  fill(bytes, LONGEST);
  for (size_t i = 0; i < LENGTH(lengths); i++)
    if (!wire_send(*(int *)context, (char)('a' + i), bytes, lengths[i])) break;
  free(bytes);
  return NULL;
}

static void test_long(void **state) {
  (void)state;
  Pair pair;
  pthread_t thread;
  char *bytes = malloc(LONGEST);
  fill(bytes, LONGEST);
  open_pair(&pair);
  assert_int_equal(pthread_create(&thread, NULL, send_long, &pair.ends[1]), 0);
  for (size_t i = 0; i < LENGTH(lengths); i++) {
    assert_int_equal(wait_for(&pair), WIRE_GOT);
    assert_int_equal(pair.wire.kind, 'a' + (int)i);
    assert_int_equal(pair.wire.message.length, lengths[i]);
    assert_memory_equal(pair.wire.message.bytes, bytes, lengths[i]);
  }
  pthread_join(thread, NULL);
  close_pair(&pair);
  free(bytes);
}

/* The server does not wait for a process that does not read. */
static void test_no_room(void **state) {
  (void)state;
  Pair pair;
  char *bytes = calloc(1, LONGEST);
  open_pair(&pair);
  uint32_t sent = 0;
  while (wire_try(pair.ends[1], 'x', bytes, 1000)) sent++;
  assert_in_range(sent, 1, 100000);
  assert_false(wire_try(pair.ends[1], 'x', bytes, LONGEST));
  for (uint32_t i = 0; i < sent; i++)
    assert_int_equal(wire_receive(&pair.wire), WIRE_GOT);
  assert_int_equal(wire_receive(&pair.wire), WIRE_EMPTY);
  assert_false(wire_try(pair.ends[1], 'x', bytes, (size_t)WIRE_LARGEST + 1));
  close_pair(&pair);
  free(bytes);
}

static void test_closed(void **state) {
  (void)state;
  Pair pair;
  open_pair(&pair);
  close(pair.ends[0]);
  assert_false(wire_send(pair.ends[1], 'x', "text", 4));
  assert_false(wire_try(pair.ends[1], 'x', "text", 4));
  pair.ends[0] = -1;
  assert_int_equal(wire_receive(&pair.wire), WIRE_CLOSED);
  close(pair.ends[1]);
  wire_free(&pair.wire);
}

static void test_strange(void **state) {
  (void)state;
  static const struct {
    const char *packets[2];
    size_t lengths[2];
  } cases[] = {
      {{"x"}, {1}},                     /* no head */
      {{"\0\1text"}, {6}},              /* no kind */
      {{"a\0some", "b\1more"}, {6, 6}}, /* another kind in between */
  };
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Pair pair;
    open_pair(&pair);
    for (int j = 0; j < 2 && cases[i].packets[j]; j++)
      assert_true(
          send(pair.ends[1], cases[i].packets[j], cases[i].lengths[j], 0) > 0);
    assert_int_equal(wire_receive(&pair.wire), WIRE_CLOSED);
    close_pair(&pair);
  }
}

/* A packet longer than any of ours is not taken for a part of one. */
static void test_cut(void **state) {
  (void)state;
  Pair pair;
  char bytes[40000] = "a\1";
  open_pair(&pair);
  assert_true(send(pair.ends[1], bytes, sizeof bytes, 0) > 0);
  assert_int_equal(wire_receive(&pair.wire), WIRE_CLOSED);
  close_pair(&pair);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_short),   cmocka_unit_test(test_long),
      cmocka_unit_test(test_no_room), cmocka_unit_test(test_closed),
      cmocka_unit_test(test_strange), cmocka_unit_test(test_cut),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
