/* The rules engine on whatever the front end calls valid, with small limits: a
   short random game as text and as a drawing, exact counts, and the promise
   that taking a move back brings back the state. */
#include "engine/board.h"
#include "engine/perft.h"
#include "engine/trace.h"
#include "mutate.h"

enum { STEPS = 6, MOST_ROLES = 8, MOST_JOINT = 50 };

static const GameLimits limits = {.memory = 16 << 20, .seconds = 0.2};

/* Make the first legal move of every role and take it back. */
static void make_and_retract(Game *game) {
  Move joint[RULE_ROLES];
  for (uint32_t role = 0; role < game->role_count; role++) {
    const Move *moves;
    if (!game_legal(game, role, &moves)) return;
    joint[role] = moves[0];
  }
  uint64_t hash = game_state_hash(game);
  bool terminal = game_terminal(game);
  game_make(game, joint);
  game_retract(game);
  bool same = game_state_hash(game) == hash && game_terminal(game) == terminal;
  promise(same || game_failed(game), "a move taken back leaves no trace");
}

static void draw(Game *game) {
  const Term *facts;
  Text text = {0};
  Boards *boards = boards_new(game->description);
  uint32_t count = game_facts(game, &facts);
  boards_draw(boards, facts, count, &text);
  boards_delete(boards);
  text_free(&text);
}

static void play(Description *description) {
  Game *game = rules_engine_new(description, &limits);
  Random random;
  Text text = {0};
  const TermVector none = {0};
  random_seed(&random, 1);
  if (!game_failed(game)) make_and_retract(game);
  if (!game_failed(game)) trace_write(game, &random, &none, STEPS, &text);
  if (!game_failed(game)) draw(game);
  if (!game_failed(game)) game_reset(game);
  if (!game_failed(game) && perft_count(game, 1) <= MOST_JOINT)
    perft_count(game, 2);
  text_free(&text);
  game_delete(game);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Description description;
  description_init(&description, "fuzz", (const char *)data, size);
  if (description_valid(&description) &&
      description.rules.roles.count <= MOST_ROLES)
    play(&description);
  description_free(&description);
  return 0;
}
