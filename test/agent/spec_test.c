/* Agents as text: lists, kinds, and messages about mistakes. */
#include "agent/spec.h"

#include "support/games.h"

static void expect_agents(const char *text, const char *const *agents,
                          uint32_t count) {
  AgentSpecs specs;
  games_specs(&specs, text);
  assert_int_equal(specs.count, count);
  for (uint32_t i = 0; i < count; i++)
    assert_string_equal(specs.data[i].text, agents[i]);
  spec_free_list(&specs);
}

#define EXPECT_AGENTS(text, ...) \
  expect_agents(text, (const char *const[]){__VA_ARGS__}, \
                LENGTH(((const char *const[]){__VA_ARGS__})))

static void test_lists(void **state) {
  (void)state;
  EXPECT_AGENTS("random", "random");
  EXPECT_AGENTS("random,legal", "random", "legal");
  EXPECT_AGENTS("cadia2010:c=30,threads=2,random", "cadia2010:c=30,threads=2",
                "random");
  EXPECT_AGENTS("legal,cadia2010:c=30,cadia2007:c=1,tau=2", "legal",
                "cadia2010:c=30", "cadia2007:c=1,tau=2");
  EXPECT_AGENTS("tafl,tafl", "tafl", "tafl");
  EXPECT_AGENTS("tafl:c=3,http://h:9147,random", "tafl:c=3", "http://h:9147",
                "random");
}

static void test_kinds(void **state) {
  (void)state;
  AgentSpecs specs;
  games_specs(&specs,
              "random,legal,cadia2008:tau=3,mc-org,http://[::1]/a:b,human");
  assert_int_equal(specs.data[0].kind, SPEC_RANDOM);
  assert_int_equal(specs.data[1].kind, SPEC_LEGAL);
  assert_int_equal(specs.data[2].kind, SPEC_SEARCH);
  assert_true(specs.data[2].settings.tau == 3);
  assert_true(specs.data[3].settings.c == 0);
  assert_int_equal(specs.data[4].kind, SPEC_REMOTE);
  assert_int_equal(specs.data[5].kind, SPEC_HUMAN);
  assert_true(spec_is_local(&specs.data[1]));
  assert_false(spec_is_local(&specs.data[4]));
  assert_false(spec_is_local(&specs.data[5]));
  spec_free_list(&specs);
}

static void test_bad_lists(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"", "no agent ''; see tafl agents"},
      {"random,", "no agent ''; see tafl agents"},
      {"randon,legal", "no agent 'randon'; did you mean random?"},
      {"random,lega", "no agent 'lega'; did you mean legal?"},
      {"random:c=3", "random has no settings"},
      {"human:c=3", "human has no settings"},
      {"humam", "no agent 'humam'; did you mean human?"},
      {"legal,c=3", "legal has no settings"},
      {"tafl,c=3", "settings follow a colon: tafl:key=value,key=value"},
      {"tafl:c=3,4", "no agent '4'; see tafl agents"},
      {"tafl:d=3,random", "no setting 'd'"},
      {"http://", "http:// names no host"},
      {"http:///path", "http:///path names no host"},
      {"http://h:1,c=3", "http://h:1,c=3 has no settings"},
      {"http://h h", "http://h h is not an address"},
  };
  for (size_t i = 0; i < LENGTH(cases); i++) {
    AgentSpecs specs;
    Text error = {0};
    if (spec_parse_list(&specs, cases[i][0], &error))
      fail_msg("%s is fine", cases[i][0]);
    assert_string_equal(text_string(&error), cases[i][1]);
    assert_int_equal(specs.count, 0);
    text_free(&error);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lists),
                                     cmocka_unit_test(test_kinds),
                                     cmocka_unit_test(test_bad_lists)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
