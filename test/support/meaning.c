#include "support/meaning.h"

#include "net/build.h"
#include "rules/rules.h"
#include "support/compare.h"
#include "support/front.h"
#include "support/netgame.h"

static Game *open_rules(Description *description, void **context, Text *error) {
  RulesLimits limits = {.memory = (size_t)64 << 20};
  (void)context, (void)error;
  return rules_engine_new(description, &limits);
}

static void close_rules(Game *game, void *context) {
  (void)context;
  game_delete(game);
}

static Game *open_net(Description *description, void **context, Text *error) {
  GroundLimits limits = {.seconds = 60, .memory = (size_t)256 << 20};
  Ground ground;
  Net *net = memory_new(sizeof *net);
  *context = net;
  bool fine = ground_init(&ground, description, &limits, error) &&
              build_net(net, &ground, error);
  assert_true(fine);
  ground_free(&ground);
  return netgame_new(description, net);
}

static void close_net(Game *game, void *context) {
  game_delete(game);
  net_free(context);
  memory_delete(context);
}

static const CompareEngine engines[] = {
    {"rules", open_rules, close_rules},
    {"net", open_net, close_net},
};

void meaning_expect_same(const char *text, uint64_t seed) {
  Description description;
  Text difference = {0};
  front_read(&description, text);
  compare_engines(&description, engines, LENGTH(engines), seed, 60, 40,
                  &difference);
  assert_string_equal(text_string(&difference), "");
  text_free(&difference);
  description_free(&description);
}
