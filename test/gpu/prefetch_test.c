/* Prefetches in the text of a kernel: what is asked for, and where. */
#include "gpu/prefetch.h"

#include "support/unit.h"

/* The code with a line for each letter: a lower one loads its word, others do
   something else. */
static void write(Ptx *ptx, const char *letters) {
  for (; *letters; letters++)
    if (*letters >= 'a')
      ptx_line(ptx, "ld.local.b32 %%r1, [words+%u]", 4 * (*letters - 'a'));
    else
      ptx_line(ptx, "st.local.b32 [words+%u], %%r1", 4 * (*letters - 'A'));
}

/* The same in letters again; prefetches in parentheses. */
static void read(const Ptx *ptx, size_t from, Text *letters) {
  char word[64];
  unsigned number;
  const char *line = text_string(&ptx->body) + from;
  for (; *line; line = strchr(line, '\n') + 1) {
    if (sscanf(line, " prefetch.local.L2 [words+%u];", &number) == 1)
      text_format(letters, "(%c)", 'a' + number / 4);
    else if (sscanf(line, " ld.local.b32 %%r1, [words+%u];", &number) == 1)
      text_format(letters, "%c", 'a' + number / 4);
    else if (sscanf(line, " st.local.b32 [words+%u], %63s", &number, word) == 2)
      text_format(letters, "%c", 'A' + number / 4);
    else
      fail_msg("%s", line);
  }
}

static void test_places(void **state) {
  static const struct {
    const char *code;
    uint32_t loads;
    const char *expected;
  } cases[] = {
      {"", 3, ""},
      {"ABC", 3, "ABC"},
      {"abc", 0, "abc"},
      {"aBc", 1, "(c)aBc"},
      {"abcdef", 1, "(b)a(c)b(d)c(e)d(f)ef"},
      {"abcdef", 2, "(b)(c)a(d)b(e)c(f)def"},
      {"abcdefg", 3, "(b)(c)a(d)(e)b(f)c(g)defg"},
      {"AaBbCcD", 9, "A(b)(c)aBbCcD"},
      {"aabb", 2, "(a)(b)a(b)abb"},
  };
  (void)state;
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Ptx ptx;
    Text letters = {0};
    ptx_begin(&ptx);
    write(&ptx, "zyx");
    Text before = {0};
    text_add(&before, text_string(&ptx.body));
    size_t from = ptx.body.length;
    write(&ptx, cases[i].code);
    prefetch_add(&ptx, from, cases[i].loads);
    assert_memory_equal(text_string(&ptx.body), text_string(&before), from);
    read(&ptx, from, &letters);
    assert_string_equal(text_string(&letters), cases[i].expected);
    text_free(&letters);
    text_free(&before);
    ptx_free(&ptx);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_places)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
