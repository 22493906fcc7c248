/* The limits of rules, each at the last value that is accepted and the first
   that is refused; and that `or` is split as its truth table demands, for
   random formulas. */
#include "base/random.h"
#include "support/front.h"

/* Counts the text's rules, and its errors with that id. */
static void count(const char *text, const char *id, uint32_t *rules,
                  uint32_t *errors) {
  Description description;
  front_read(&description, text);
  *rules = description.rules.list.count;
  *errors = front_count(&description.report, id);
  description_free(&description);
}

static void add_choices(Text *text, const char *word, uint32_t number,
                        uint32_t width) {
  for (uint32_t i = 0; i < number; i++) {
    text_format(text, " (%s", word);
    for (uint32_t j = 0; j < width; j++) text_format(text, " a%u_%u", i, j);
    text_add_byte(text, ')');
  }
}

static void test_alternatives(void **state) {
  (void)state;
  Text text = {0};
  uint32_t rules, errors;
  text_add(&text, "(<= h");
  add_choices(&text, "or", 12, 2); /* 2^12 = 4096 */
  text_add_byte(&text, ')');
  count(text.bytes, "too-many-alternatives", &rules, &errors);
  assert_int_equal(rules, RULE_ALTERNATIVES);
  assert_int_equal(errors, 0);
  text_clear(&text);
  text_add(&text, "(<= h b) (<= h");
  add_choices(&text, "or", 13, 2);
  text_add_byte(&text, ')');
  count(text.bytes, "too-many-alternatives", &rules, &errors);
  assert_int_equal(rules, 1);
  assert_int_equal(errors, 1);
  text_free(&text);
}

static void test_alternatives_nested(void **state) {
  (void)state;
  Text text = {0};
  uint32_t rules, errors;
  text_add(&text, "(<= h (not (or"); /* 17^3 = 4913 */
  add_choices(&text, "and", 3, 17);
  text_add(&text, ")))");
  count(text.bytes, "too-many-alternatives", &rules, &errors);
  assert_int_equal(rules, 0);
  assert_int_equal(errors, 1);
  text_clear(&text);
  text_add(&text, "(<= h (not (or"); /* 16^3 = 4096 */
  add_choices(&text, "and", 3, 16);
  text_add(&text, ")))");
  count(text.bytes, "too-many-alternatives", &rules, &errors);
  assert_int_equal(rules, 4096);
  assert_int_equal(errors, 0);
  text_free(&text);
}

static void check_body(uint32_t literals, bool wrapped, bool fine) {
  Text text = {0};
  uint32_t rules, errors;
  text_add(&text, wrapped ? "(<= h (and" : "(<= h");
  for (uint32_t i = 0; i < literals; i++) text_format(&text, " a%u", i);
  text_add(&text, wrapped ? "))" : ")");
  count(text.bytes, "too-long", &rules, &errors);
  assert_int_equal(rules, fine);
  assert_int_equal(errors, !fine);
  text_free(&text);
}

static void test_longest_body(void **state) {
  (void)state;
  check_body(RULE_LONGEST_BODY, false, true);
  check_body(RULE_LONGEST_BODY + 1, false, false);
  check_body(RULE_LONGEST_BODY, true, true);
  check_body(RULE_LONGEST_BODY + 1, true, false);
}

static void test_variables(void **state) {
  (void)state;
  for (uint32_t number = RULE_VARIABLES; number <= RULE_VARIABLES + 1;
       number++) {
    Text text = {0};
    uint32_t rules, errors;
    text_add(&text, "(<= h");
    for (uint32_t i = 0; i < number; i += 7) {
      text_add(&text, " (p");
      for (uint32_t j = i; j < i + 7; j++)
        text_format(&text, " ?x%u", j < number ? j : 0);
      text_add_byte(&text, ')');
    }
    text_add_byte(&text, ')');
    count(text.bytes, "too-long", &rules, &errors);
    assert_int_equal(rules, number == RULE_VARIABLES);
    assert_int_equal(errors, number != RULE_VARIABLES);
    text_free(&text);
  }
}

static void test_roles(void **state) {
  (void)state;
  for (uint32_t number = RULE_ROLES; number <= RULE_ROLES + 1; number++) {
    Text text = {0};
    uint32_t rules, errors;
    for (uint32_t i = 0; i < number; i++) text_format(&text, "(role r%u)\n", i);
    count(text.bytes, "role", &rules, &errors);
    assert_int_equal(errors, number > RULE_ROLES);
    text_free(&text);
  }
}

/* ---- random formulas ---- */

enum { ATOMS = 4, FORMULAS = 3000 };

/* Writes a random formula and returns its truth table: bit v is its value when
   atom i is bit i of v. */
static uint32_t random_formula(Random *random, uint32_t depth, Text *text) {
  static const uint32_t atoms[ATOMS] = {0xaaaa, 0xcccc, 0xf0f0, 0xff00};
  uint32_t kind = depth ? random_below(random, 4) : 0;
  if (kind == 0) {
    uint32_t atom = random_below(random, ATOMS);
    text_format(text, " a%u", atom);
    return atoms[atom];
  }
  if (kind == 1) {
    text_add(text, " (not");
    uint32_t table = random_formula(random, depth - 1, text);
    text_add_byte(text, ')');
    return ~table & 0xffff;
  }
  text_add(text, kind == 2 ? " (or" : " (and");
  uint32_t table = kind == 2 ? 0 : 0xffff;
  for (uint32_t i = random_below(random, 3) + 1; i > 0; i--) {
    uint32_t item = random_formula(random, depth - 1, text);
    table = kind == 2 ? table | item : table & item;
  }
  text_add_byte(text, ')');
  return table;
}

static bool rule_holds(const Rules *rules, const Rule *rule, uint32_t value) {
  for (uint32_t i = 0; i < rule->count; i++) {
    const Literal *literal = &rule_body(rules, rule)[i];
    const char *name = symbol_text(&rules->terms.symbols,
                                   term_symbol(&rules->terms, literal->atom));
    bool atom = value >> (name[1] - '0') & 1;
    if (atom != (literal->sign == POSITIVE)) return false;
  }
  return true;
}

static void test_random_formulas(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 17);
  uint32_t tried = 0;
  for (int n = 0; n < FORMULAS; n++) {
    Text text = {0};
    Description description;
    text_add(&text, "(<= h");
    uint32_t table = random_formula(&random, 4, &text);
    table &= random_formula(&random, 3, &text);
    text_add_byte(&text, ')');
    front_read(&description, text.bytes);
    const Rules *rules = &description.rules;
    bool refused = front_count(&description.report, "too-many-alternatives") ||
                   front_count(&description.report, "too-long");
    tried += !refused;
    for (uint32_t value = 0; !refused && value < 1 << ATOMS; value++) {
      bool any = false;
      for (uint32_t r = 0; r < rules->list.count; r++)
        any |= rule_holds(rules, &rules->list.data[r], value);
      if (any != (table >> value & 1)) print_error("%s\n", text.bytes);
      assert_int_equal(any, table >> value & 1);
    }
    description_free(&description);
    text_free(&text);
  }
  assert_true(tried > FORMULAS / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_alternatives),
      cmocka_unit_test(test_alternatives_nested),
      cmocka_unit_test(test_longest_body),
      cmocka_unit_test(test_variables),
      cmocka_unit_test(test_roles),
      cmocka_unit_test(test_random_formulas),
  };
  return cmocka_run_group_tests_name("bounds", tests, NULL, NULL);
}
