/* Settings as text: presets as in the papers, changes, ranges, error messages,
   and the help. */
#include "search/settings.h"
#include "support/unit.h"

static Settings parsed(const char *text) {
  Settings settings;
  Text error = {0};
  if (!settings_parse(&settings, text, &error))
    fail_msg("%s: %s", text, text_string(&error));
  assert_int_equal(error.length, 0);
  return settings;
}

static void expect_error(const char *text, const char *expected) {
  Settings settings;
  Text error = {0};
  if (settings_parse(&settings, text, &error))
    fail_msg("%s was accepted", text);
  assert_string_equal(text_string(&error), expected);
  text_free(&error);
}

static void expect_same(const Settings *a, const Settings *b) {
#define REAL(name, value, least, most, origin, help) \
  assert_true(a->name == b->name);
#define NUMBER(name, value, least, most, origin, help) \
  assert_int_equal(a->name, b->name);
#define WORD(name, value, choices, origin, help) \
  assert_int_equal(a->name, b->name);
  SETTINGS(REAL, NUMBER, WORD)
#undef REAL
#undef NUMBER
#undef WORD
}

static void test_presets(void **state) {
  (void)state;
  Settings org = parsed("mc-org"), mem = parsed("mc-mem");
  Settings a = parsed("cadia2007"), b = parsed("cadia2008");
  Settings c = parsed("cadia2009"), d = parsed("cadia2010");
  assert_int_equal(org.tree, TREE_NONE);
  assert_int_equal(mem.tree, TREE_KEEP);
  assert_int_equal(mem.choice, CHOICE_UNIFORM);
  assert_int_equal(a.choice, CHOICE_BOUND);
  assert_true(org.c == 0 && mem.c == 0 && a.c == 40 && b.c == 40);
  assert_true(org.gamma == 0.99 && mem.gamma == 0.99 && a.gamma == 0.99);
  assert_true(b.gamma == 0.999 && c.gamma == 0.999 && d.gamma == 0.999);
  assert_int_equal(org.returns, a.returns);
  assert_int_equal(mem.returns, a.returns);
  assert_int_equal(a.unexplored, UNEXPLORED_RANDOM);
  assert_int_equal(b.unexplored, UNEXPLORED_GIBBS);
  assert_int_equal(c.unexplored, UNEXPLORED_GIBBS);
  assert_int_equal(d.unexplored, UNEXPLORED_GIBBS);
  assert_int_equal(a.playout, PLAYOUT_UNIFORM);
  assert_int_equal(b.playout, PLAYOUT_MAST);
  assert_true(b.tau == 10 && b.unseen == 100);
  assert_true(!a.rave && !b.rave && c.rave == 500 && d.rave == 500);
  assert_true(!c.fast && d.fast && d.lambda == 0.99 && d.alpha == 0.01);
  assert_true(d.cells == 5 && d.weight == 1);
  const Settings papers[] = {org, mem, a, b, c, d};
  for (size_t i = 0; i < LENGTH(papers); i++) {
    assert_int_equal(papers[i].lanes, 1);
    assert_int_equal(papers[i].solver, 0);
    assert_int_equal(papers[i].expand, 1);
    assert_int_equal(papers[i].transpose, TRANSPOSE_DEPTH);
    assert_int_equal(papers[i].final, FINAL_VALUE);
  }
}

/* MiNI-Player: what is for games of one role only holds nowhere else. */
static void test_roles(void **state) {
  (void)state;
  Settings base = parsed("mini-base"), mini = parsed("mini");
  settings_adapt(&mini, 2);
  settings_adapt(&base, 2);
  expect_same(&mini, &base);
  assert_int_equal(mini.strategies, STRATEGIES_BASE);
  assert_int_equal(mini.transpose, TRANSPOSE_NONE);
  mini = parsed("mini");
  settings_adapt(&mini, 1);
  assert_int_equal(mini.strategies, STRATEGIES_EXPLORE);
  assert_int_equal(mini.deal, DEAL_EQUAL);
  assert_int_equal(mini.estimate, ESTIMATE_MAXIMUM);
  assert_int_equal(mini.path, PATH_BETTER);
  assert_int_equal(mini.final, FINAL_EFFECTIVE);
  assert_int_equal(mini.transpose, TRANSPOSE_STATE);
  assert_int_equal(mini.solver, 1);
  assert_true(mini.merge && mini.gamma == 1);
  for (uint32_t roles = 1; roles <= 2; roles++) {
    Settings cadia = parsed("cadia2008"), plain = parsed("cadia2008:single=0");
    settings_adapt(&cadia, roles);
    settings_adapt(&plain, roles);
    assert_true(cadia.gamma == (roles == 1 ? 1 : 0.999));
    assert_int_equal(cadia.final, roles == 1 ? FINAL_MAXIMUM : FINAL_VALUE);
    assert_int_equal(cadia.path, roles == 1 ? PATH_EQUAL : PATH_NONE);
    assert_true(plain.gamma == 0.999 && plain.path == PATH_NONE);
    assert_int_equal(plain.final, FINAL_VALUE);
  }
  assert_int_equal(parsed("cadia2007").single, 0);
  assert_int_equal(parsed("cadia2010").single, 1);
}

static void test_every_preset_reads(void **state) {
  (void)state;
  for (uint32_t i = 0; i < preset_count; i++) {
    parsed(presets[i].name);
    assert_true(*presets[i].origin && *presets[i].help);
  }
}

static void test_changes(void **state) {
  (void)state;
  Settings plain = parsed("cadia2010");
  Settings changed = parsed("cadia2010:c=30,threads=2,final=visits,tau=.5");
  assert_true(changed.c == 30 && changed.tau == 0.5);
  assert_int_equal(changed.threads, 2);
  assert_int_equal(changed.final, FINAL_VISITS);
  changed.c = plain.c, changed.tau = plain.tau;
  changed.threads = plain.threads, changed.final = plain.final;
  expect_same(&changed, &plain);
  assert_true(parsed("cadia2010:c=30,c=20").c == 20);
  assert_true(parsed("mc-org:c=1e2").c == 100);
}

static void test_range_ends(void **state) {
  (void)state;
  assert_true(parsed("tafl:gamma=0").gamma == 0);
  assert_true(parsed("tafl:gamma=1").gamma == 1);
  assert_int_equal(parsed("tafl:lanes=1024").lanes, 1024);
  assert_int_equal(parsed("tafl:threads=256").threads, 256);
  expect_error("tafl:gamma=1.001",
               "gamma takes a number from 0 to 1, not '1.001'");
  expect_error("tafl:gamma=-0.1",
               "gamma takes a number from 0 to 1, not '-0.1'");
  expect_error("tafl:lanes=1025",
               "lanes takes a whole number from 0 to 1024, not '1025'");
  expect_error("tafl:threads=257",
               "threads takes a whole number from 0 to 256, not '257'");
}

static void test_bad_values(void **state) {
  (void)state;
  expect_error("tafl:c=x", "c takes a number from 0 to 10000, not 'x'");
  expect_error("tafl:c=", "c takes a number from 0 to 10000, not ''");
  expect_error("tafl:c=4x", "c takes a number from 0 to 10000, not '4x'");
  expect_error("tafl:c=nan", "c takes a number from 0 to 10000, not 'nan'");
  expect_error("tafl:c=inf", "c takes a number from 0 to 10000, not 'inf'");
  expect_error("tafl:threads=1.5",
               "threads takes a whole number from 0 to 256, not '1.5'");
  expect_error("tafl:threads=99999999999999999999",
               "threads takes a whole number from 0 to 256, not "
               "'99999999999999999999'");
  expect_error("tafl:tree=kee", "tree takes none|keep|forget, not 'kee'");
  expect_error("tafl:tree=none|keep",
               "tree takes none|keep|forget, not 'none|keep'");
  expect_error("tafl:tree=", "tree takes none|keep|forget, not ''");
}

static void test_bad_form(void **state) {
  (void)state;
  expect_error("cadia2011", "no agent 'cadia2011'; did you mean cadia2010?");
  expect_error("cadia201", "no agent 'cadia201'; did you mean cadia2010?");
  expect_error("somebody", "no agent 'somebody'; see tafl agents");
  expect_error("", "no agent ''; see tafl agents");
  expect_error("c=30", "no agent 'c'; see tafl agents");
  expect_error("tafl:", "expected key=value, not ''");
  expect_error("tafl:c", "expected key=value, not 'c'");
  expect_error("tafl:c=1,", "expected key=value, not ''");
  expect_error("tafl:c=1,,tau=2", "expected key=value, not ''");
  expect_error("tafl:=1", "no setting ''");
  expect_error("tafl:gama=1", "no setting 'gama'; did you mean gamma?");
  expect_error("tafl:x=1", "no setting 'x'");
  expect_error("tafl:C=1", "no setting 'C'");
  expect_error("tafl,c=1", "settings follow a colon: tafl:key=value,key=value");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_presets),
      cmocka_unit_test(test_roles),
      cmocka_unit_test(test_every_preset_reads),
      cmocka_unit_test(test_changes),
      cmocka_unit_test(test_range_ends),
      cmocka_unit_test(test_bad_values),
      cmocka_unit_test(test_bad_form),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
