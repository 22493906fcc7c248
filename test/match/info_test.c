/* Names in replies to INFO, whatever a player may send. */
#include "match/info.h"

#include <string.h>

#include "support/unit.h"

static void test_names(void **state) {
  (void)state;
  static const struct {
    const char *reply, *name; /* NULL: none */
  } cases[] = {
      {"((name tafl) (status available))", "tafl"},
      {" ( ( STATUS busy ) ( Name My  Player ) ) more", "My Player"},
      {"; a comment\n((name x))", "x"},
      {"((name (a (b) c)))", "(a (b) c)"},
      {"((name 0123456789012345678901234567890123456789012345))",
       "0123456789012345678901234567890123456789"},
      {"((name caf\xc3\xa9))", "caf??"},
      {"((names x) (name y))", "y"},
      {"((name x) (name y))", "x"},
      {"(name x)", NULL},
      {"((about (name x)))", NULL},
      {"((name))", NULL},
      {"((name ))", NULL},
      {"((name x)", NULL},
      {"available", NULL},
      {")", NULL},
      {"", NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Text name = {0};
    bool found = info_name(cases[i].reply, strlen(cases[i].reply), &name);
    assert_int_equal(found, cases[i].name != NULL);
    assert_string_equal(text_string(&name), found ? cases[i].name : "");
    text_free(&name);
  }
}

/* Any bytes at all give plain text, and not much of it. */
static void test_noise(void **state) {
  (void)state;
  char reply[300] = "((name ";
  for (int byte = 0; byte < 256; byte++) {
    Text name = {0};
    memset(reply + 7, byte, sizeof reply - 7);
    info_name(reply, sizeof reply, &name);
    memcpy(reply + sizeof reply - 2, "))", 2);
    info_name(reply, sizeof reply, &name);
    assert_true(name.length <= 80);
    for (size_t i = 0; i < name.length; i++)
      assert_true(name.bytes[i] >= ' ' && name.bytes[i] < 127);
    text_free(&name);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_noise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
