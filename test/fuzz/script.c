/* The reader of plans on any bytes. Moves must begin in the text, one behind
   the other, and must be the same when they are written with labels and read
   again. Playing them must end in one of the ways there are. */
#include "match/script.h"

#include "fuzz/fuzz.h"
#include "rules/rules.h"

/* Any of a and (b 1) may be done; it is over after three times a. */
static const char rules[] =
    "(role r) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3)"
    "(legal r a) (legal r (b 1))"
    "(<= (next (n ?y)) (does r a) (true (n ?x)) (succ ?x ?y))"
    "(<= (next (n ?x)) (does r (b 1)) (true (n ?x)))"
    "(<= terminal (true (n 3))) (goal r 50)";

static Description description;
static Game *game; /* made once */

static void make_game(void) {
  static const RulesLimits limits = {.memory = 16 << 20};
  if (game) return;
  description_init(&description, "game", rules, sizeof rules - 1);
  promise(description_valid(&description), "the game is valid");
  game = rules_engine_new(&description, &limits);
}

static void check_places(const Script *script, size_t size) {
  promise(script->moves.count == script->offsets.count,
          "every move has a place");
  for (uint32_t i = 0; i < script->moves.count; i++) {
    promise(script->offsets.data[i] < size, "a move begins in the text");
    promise(!i || script->offsets.data[i - 1] < script->offsets.data[i],
            "moves are in order");
  }
}

static void check_written(const Script *script) {
  Script again;
  Text text = {0};
  for (uint32_t i = 0; i < script->moves.count; i++)
    text_format(&text, "%5u: %s ; 1: no\n", i + 1, script->moves.data[i].bytes);
  promise(script_read(&again, "written", text_string(&text), text.length),
          "a written plan is a plan");
  promise(again.moves.count == script->moves.count,
          "a plan read back has as many moves");
  for (uint32_t i = 0; i < script->moves.count; i++)
    promise(strcmp(again.moves.data[i].bytes, script->moves.data[i].bytes) == 0,
            "moves read back are the same moves");
  script_free(&again);
  text_free(&text);
}

static void check_played(const Script *script) {
  make_game();
  game_reset(game);
  ScriptResult result = script_play(script, game);
  promise(!game_failed(game), "the game does not fail");
  promise(result.made <= script->moves.count, "only what is there is made");
  promise(result.end == SCRIPT_HOLDS || result.end == SCRIPT_ILLEGAL ||
              result.end == SCRIPT_LONG || result.end == SCRIPT_SHORT,
          "a plan holds, is wrong, too long or too short");
  bool over = result.end == SCRIPT_HOLDS || result.end == SCRIPT_LONG;
  promise((result.score == 50) == over, "the score is known at the end");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Script script;
  bool fine = script_read(&script, "fuzz", (const char *)data, size);
  promise(fine == !script.report.errors, "errors are reported");
  check_places(&script, size);
  if (fine) {
    check_written(&script);
    check_played(&script);
  }
  script_free(&script);
  return 0;
}
