/* The plan is played by the engine of the book and, if that is not the same, by
   the rules engine; if they disagree, the program is wrong, or --state is one
   that the game cannot reach, of which nets know nothing.

   JSON is one object: game, plan (the file), holds, score (null unless the game
   is over), maximum (highest goal in the rules), moves (in the plan), made
   (those that could be made), engines; and, if the plan does not hold, error, a
   sentence, and place: line, column and step of the move that it is about. */
#include "command/solve_plan.h"

#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "engine/moves.h"
#include "match/script.h"

typedef struct Judgement {
  const Options *options;
  TermVector facts; /* of the state that the plan begins in */
  Script script;
  ScriptResult result;
  int maximum;
  Text why; /* it does not hold; empty: it does */
  const char *engines[2];
  uint32_t engine_count;
} Judgement;

/* ---- what is wrong ---- */

/* Appends some legal moves of the game's state. */
static void add_legal(Game *game, Text *text) {
  enum { MOST = 60 }; /* bytes, about */
  MoveVector moves = {0};
  size_t before = text->length;
  moves_sorted(game, 0, &moves);
  for (uint32_t i = 0; i < moves.count; i++) {
    if (text->length - before > MOST) {
      text_format(text, " and %u more", moves.count - i);
      break;
    }
    text_add(text, i ? ", " : "");
    moves_write(game, 0, moves.data[i], text);
  }
  if (!moves.count) text_add(text, "none");
  vector_free(&moves);
}

/* `game` is where the plan ended. */
static void explain(Judgement *judgement, Game *game) {
  const ScriptResult *result = &judgement->result;
  const Script *script = &judgement->script;
  Text *why = &judgement->why;
  const char *plural = result->made == 1 ? "" : "s";
  switch (result->end) {
  case SCRIPT_HOLDS:
  case SCRIPT_FAILED: break;
  case SCRIPT_ILLEGAL:
    text_format(why, "%s is not a legal move in step %u; legal: ",
                script->moves.data[result->made].bytes, result->made + 1);
    add_legal(game, why);
    break;
  case SCRIPT_LONG:
    text_format(why, "the game is over after %u move%s", result->made, plural);
    if (result->score >= 0)
      text_format(why, " with a score of %d", result->score);
    text_format(why, "; %u more follow%s", script->moves.count - result->made,
                script->moves.count - result->made == 1 ? "s" : "");
    break;
  case SCRIPT_SHORT:
    text_format(why,
                "the game is not over after %u move%s; legal: ", result->made,
                plural);
    add_legal(game, why);
    break;
  case SCRIPT_STUCK:
    text_format(why,
                "the game is not over after %u move%s, and no move is legal",
                result->made, plural);
    break;
  case SCRIPT_NO_GOAL:
    text_format(why, "the game is over after %u move%s without a goal",
                result->made, plural);
    break;
  }
}

/* ---- the other engine ---- */

static bool same(const ScriptResult *a, const ScriptResult *b) {
  return a->end == b->end && a->made == b->made && a->score == b->score;
}

static void report_disagreement(const Judgement *judgement,
                                const ScriptResult *other) {
  log_error(
      "the engines disagree about the plan: %s says %u moves and score "
      "%d, %s says %u moves and score %d%s",
      judgement->engines[0], judgement->result.made, judgement->result.score,
      judgement->engines[1], other->made, other->score,
      *judgement->options->state ? "; can the game reach the state of --state?"
                                 : "");
}

/* Goes to the state that the plan begins in. */
static bool enter(const Judgement *judgement, Game *rules) {
  const Options *options = judgement->options;
  return (!*options->state && !*options->moves) ||
         game_enter_facts(rules, judgement->facts.data, judgement->facts.count);
}

/* Plays the plan by the rules engine. Returns false, after printing it, if the
   engines disagree; if this one reaches a limit, only the other counts. */
static bool check_by_rules(Judgement *judgement, Book *book, Game *game) {
  judgement->engines[judgement->engine_count++] = game->operations->name;
  if (!book->has_net) return true;
  Game *rules = rules_engine_new(book->description, &book->limits.rules);
  bool agree = true;
  if (enter(judgement, rules)) {
    ScriptResult result = script_play(&judgement->script, rules);
    if (result.end != SCRIPT_FAILED) {
      agree = same(&result, &judgement->result);
      judgement->engines[judgement->engine_count++] = rules->operations->name;
    }
    if (!agree) report_disagreement(judgement, &result);
  }
  game_delete(rules);
  return agree;
}

/* ---- printing ---- */

static json_t *json_place(const Judgement *judgement) {
  const ScriptResult *result = &judgement->result;
  bool behind = result->made < judgement->script.moves.count;
  Place place = source_place(&judgement->script.source, result->offset);
  return json_pack("{s:i, s:i, s:i}", "line", (int)place.line, "column",
                   (int)place.column, "step",
                   (int)(behind ? result->made + 1 : result->made));
}

static void print_json(const Judgement *judgement, const Game *game) {
  const ScriptResult *result = &judgement->result;
  json_t *engines = json_array();
  for (uint32_t i = 0; i < judgement->engine_count; i++)
    json_array_append_new(engines, json_string(judgement->engines[i]));
  json_t *object = json_pack(
      "{s:o, s:o, s:b, s:o, s:i, s:I, s:I, s:o}", "game",
      open_json_text(game->description->source.name), "plan",
      open_json_text(judgement->script.source.name), "holds",
      (int)(result->end == SCRIPT_HOLDS), "score",
      result->score < 0 ? json_null() : json_integer(result->score), "maximum",
      judgement->maximum, "moves", (json_int_t)judgement->script.moves.count,
      "made", (json_int_t)result->made, "engines", engines);
  if (result->end != SCRIPT_HOLDS) {
    json_object_set_new(object, "error",
                        open_json_text(text_string(&judgement->why)));
    json_object_set_new(object, "place", json_place(judgement));
  }
  json_dumpf(object, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
  putchar('\n');
  json_decref(object);
}

static void print_errors(Judgement *judgement) {
  Text text = {0};
  report_write(&judgement->script.report, true, &text);
  fputs(text_string(&text), stderr);
  text_free(&text);
}

static void print_text(Judgement *judgement) {
  const ScriptResult *result = &judgement->result;
  uint32_t count = judgement->script.moves.count;
  if (result->end != SCRIPT_HOLDS) {
    report_error(&judgement->script.report, result->offset, "plan", "%s",
                 text_string(&judgement->why));
    print_errors(judgement);
    return;
  }
  printf("%s: holds, score %d of %d in %u move%s; checked by the %s engine",
         judgement->script.source.name, result->score, judgement->maximum,
         count, count == 1 ? "" : "s", judgement->engines[0]);
  if (judgement->engine_count > 1)
    printf(" and the %s engine", judgement->engines[1]);
  putchar('\n');
}

/* ---- the check ---- */

static int check(Judgement *judgement, Book *book, Game *game) {
  const Term *facts;
  uint32_t count = game_facts(game, &facts);
  for (uint32_t i = 0; i < count; i++) vector_push(&judgement->facts, facts[i]);
  judgement->result = script_play(&judgement->script, game);
  judgement->maximum = book->best_goal ? book->best_goal[0] : 100;
  if (judgement->result.end == SCRIPT_FAILED) return EXIT_LIMIT;
  explain(judgement, game);
  if (!check_by_rules(judgement, book, game))
    return *judgement->options->state ? EXIT_INPUT : EXIT_BUG;
  if (judgement->options->json)
    print_json(judgement, game);
  else
    print_text(judgement);
  return judgement->result.end == SCRIPT_HOLDS ? EXIT_FINE : EXIT_NO;
}

int solve_plan_check(const Options *options, Book *book, Game *game) {
  const char *path = options->plan;
  Text text = {0}, error = {0};
  Judgement judgement = {.options = options};
  int code = EXIT_INPUT;
  if (text_read_file(&text, path, (size_t)options->file_size << 20, &error)) {
    if (script_read(&judgement.script,
                    strcmp(path, "-") == 0 ? "standard input" : path,
                    text_string(&text), text.length))
      code = check(&judgement, book, game);
    else
      print_errors(&judgement);
    script_free(&judgement.script);
  } else {
    log_error("%s: %s", path, error.bytes);
  }
  text_free(&judgement.why);
  vector_free(&judgement.facts);
  text_free(&text);
  text_free(&error);
  return code;
}
