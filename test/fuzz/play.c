/* The rules engine on whatever the front end accepts, with small limits: a
   short random game as text and as a drawing, and exact counts. Taking a move
   back must restore the state, and the game must be the same when its rules and
   their literals are reversed. */
#include "engine/perft.h"
#include "engine/trace.h"
#include "fuzz/fuzz.h"
#include "game/boards.h"
#include "rules/rules.h"

enum { STEPS = 6, MOST_ROLES = 8, MOST_JOINT = 50 };

static const RulesLimits limits = {.memory = 16 << 20, .seconds = 0.2};

/* Makes the first legal move of every role and takes it back. */
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
  Boards *boards = boards_new(game->description, NULL);
  uint32_t count = game_facts(game, &facts);
  const BoardsStyle style = {.width = 80, .height = 24};
  boards_draw(boards, &style, facts, count, NULL, 0, &text);
  boards_delete(boards);
  text_free(&text);
}

/* Writes a random game as text, or nothing if it failed. */
static void trace(Game *game, Text *text) {
  Random random;
  const TermVector none = {0};
  random_seed(&random, 1);
  trace_write(game, &random, &none, STEPS, NULL, text);
  if (game_failed(game)) text_clear(text);
}

static void write_reversed_rule(const Rules *rules, const Rule *rule,
                                Text *text) {
  text_add(text, rule->count ? "\n(<= " : "\n");
  term_write(&rules->terms, rule->head, text);
  for (uint32_t i = rule->count; i-- > 0;) {
    const Literal *literal = &rule_body(rules, rule)[i];
    text_add(text, literal->sign == NEGATIVE ? " (not " : " ");
    term_write(&rules->terms, literal->atom, text);
    if (literal->sign == NEGATIVE) text_add_byte(text, ')');
  }
  if (rule->count) text_add_byte(text, ')');
}

/* Writes all rules: the roles in order, the rest from the end. */
static void write_reversed(const Rules *rules, Text *text) {
  for (uint32_t i = 0; i < rules->roles.count; i++) {
    text_add(text, "\n(role ");
    term_write(&rules->terms, rules->roles.data[i], text);
    text_add_byte(text, ')');
  }
  for (uint32_t r = rules->list.count; r-- > 0;) {
    const Rule *rule = &rules->list.data[r];
    if (term_symbol(&rules->terms, rule->head) != SYMBOL_ROLE)
      write_reversed_rule(rules, rule, text);
  }
}

static void compare_reversed(const Text *rules, const Text *expected) {
  Description description;
  Text own = {0};
  description_init(&description, "reversed", text_string(rules), rules->length);
  promise(description_valid(&description), "reversed rules are valid");
  Game *game = rules_engine_new(&description, &limits);
  if (!game_failed(game)) trace(game, &own);
  bool comparable = own.length && expected->length;
  promise(!comparable || strcmp(own.bytes, expected->bytes) == 0,
          "reversed rules are the same game");
  game_delete(game);
  text_free(&own);
  description_free(&description);
}

static void play(Description *description) {
  Text reversed = {0}, text = {0};
  write_reversed(&description->rules, &reversed);
  Game *game = rules_engine_new(description, &limits);
  if (!game_failed(game)) make_and_retract(game);
  if (!game_failed(game)) trace(game, &text);
  if (!game_failed(game)) draw(game);
  if (!game_failed(game)) game_reset(game);
  if (!game_failed(game) && perft_count(game, 1) <= MOST_JOINT)
    perft_count(game, 2);
  game_delete(game);
  if (text.length) compare_reversed(&reversed, &text);
  text_free(&text);
  text_free(&reversed);
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
