#include "support/library.h"

void test_game_open(TestGame *book, const char *name, bool ground) {
  char path[128];
  Text error = {0};
  BookLimits limits = {.ground = {.memory = (size_t)1 << 30},
                       .rules = {.memory = (size_t)64 << 20}};
  snprintf(path, sizeof path, "games/%s.kif", name);
  if (!description_read(&book->description, path, 1 << 20, &error))
    fail_msg("%s", text_string(&error));
  text_free(&error);
  book_init(&book->rules, &book->description, &limits, ground);
  assert_int_equal(book->rules.has_net, ground);
}

void test_game_close(TestGame *book) {
  book_free(&book->rules);
  description_free(&book->description);
}

Search *test_game_search(TestGame *book, uint32_t role, const char *agent,
                         uint64_t seed) {
  Settings settings;
  Text error = {0};
  if (!settings_parse(&settings, agent, &error))
    fail_msg("%s", text_string(&error));
  text_free(&error);
  if (settings.memory > 16) settings.memory = 16;
  return search_new(&book->rules, role, &settings, seed);
}
