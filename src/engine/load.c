/* The way of the data from rules to a game, one call each. */
#include "engine/load.h"

#include "engine/scalar.h"
#include "net/build.h"

bool load_net(Description *description, const LoadLimits *limits, Net *net,
              ReduceReport *report, Text *error) {
  Ground ground;
  Net built;
  bool fine = ground_init(&ground, description, &limits->ground, error);
  if (fine) {
    fine = net_build(&built, &ground, error);
    if (fine) {
      ReduceOptions options = {.seconds = limits->reduce_seconds,
                               .legal = true};
      net_reduce(&built, net, &options, report);
    }
    net_free(&built);
  }
  ground_free(&ground);
  return fine;
}

Game *load_game(Description *description, const LoadLimits *limits,
                LoadEngine engine, Text *why) {
  if (engine != LOAD_RULES) {
    Net *net = memory_new(sizeof *net);
    if (load_net(description, limits, net, NULL, why)) {
      Game *game = scalar_engine_new(description, net);
      game->net = net;
      return game;
    }
    memory_delete(net);
    if (engine == LOAD_SCALAR) return NULL;
  }
  return rules_engine_new(description, &limits->rules);
}
