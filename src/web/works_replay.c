/* Steps are written one after the other as the game is played, so that the
   whole is never in memory twice; what depends on all of them, the head with
   its scene, comes behind them. */
#include "web/works_replay.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "about/scene.h"
#include "base/clock.h"
#include "engine/moves.h"
#include "lab/series.h"
#include "match/spelling.h"
#include "web/stylesheet.h"
#include "web/works_store.h"

/* A net is worth this much time, of its making, its reduction and its analysis;
   without it the rules engine plays, which takes 0.2 s for 200 steps of chess,
   where the net takes 5 s. The boards are the same but in a few games. */
static const double NET_SECONDS = 1, REDUCE_SECONDS = 0.3, PROVE_SECONDS = 0.5;

typedef struct Play {
  const WebSettings *settings;
  ArchiveMatch match;
  ResultsMoves moves;
  uint32_t next; /* of the moves */
  Text rules;
  Description description;
  Book book;
  Scene *scene;
  Game *game;
  TermVector before; /* facts of the state before */
  uint32_t step;
  uint32_t first; /* number of the first step in the store */
  double deadline;
  Text message; /* for people: how it ended */
  Text *json;
} Play;

/* ---- small values ---- */

/* A list with the same value for each role, which is released. */
static json_t *for_roles(const Play *play, json_t *value) {
  json_t *list = json_array();
  for (uint32_t role = 0; role < play->game->role_count; role++)
    json_array_append(list, value);
  json_decref(value);
  return list;
}

static void add_json(Play *play, json_t *value) {
  json_add_text(value, JSON_COMPACT | JSON_REAL_PRECISION(9), play->json);
  json_decref(value);
}

static const char *player_of(const Play *play, uint32_t role) {
  for (uint32_t i = 0; i < play->match.sides.count; i++)
    if (play->match.sides.data[i].role == role)
      return text_string(&play->match.sides.data[i].agent);
  return "";
}

/* ---- a step ---- */

static void copy_facts(Play *play) {
  const Term *facts;
  uint32_t count = game_facts(play->game, &facts);
  vector_clear(&play->before);
  for (uint32_t i = 0; i < count; i++) vector_push(&play->before, facts[i]);
}

/* The move of a role in this step; NULL: the store has none. They are in the
   order of steps and roles. */
static const ResultsMove *stored_move(const Play *play, uint32_t role) {
  for (uint32_t i = play->next; i < play->moves.count; i++) {
    const ResultsMove *move = &play->moves.data[i];
    if (move->step > play->first + play->step) break;
    if (move->step == play->first + play->step && move->role == role)
      return move;
  }
  return NULL;
}

/* Finds the moves of this step. Returns false, and sets the message, if one is
   not there or not legal. */
static bool find_joint(Play *play, Move *joint) {
  Game *game = play->game;
  for (uint32_t role = 0; role < game->role_count; role++) {
    const ResultsMove *move = stored_move(play, role);
    const char *text = move ? text_string(&move->move) : "";
    if (move && (moves_find(game, role, text, &joint[role]) ||
                 spelling_find(game, role, text, &joint[role])))
      continue;
    text_format(&play->message, "Step %u cannot be replayed: ", play->step + 1);
    if (move)
      text_format(&play->message, "%s is not a legal move of ", text);
    else
      text_add(&play->message, "there is no move of ");
    moves_write_role(game, role, &play->message);
    text_add_byte(&play->message, '.');
    return false;
  }
  return true;
}

static json_t *write_move(Play *play, uint32_t role, Move move) {
  const ResultsMove *stored = stored_move(play, role);
  json_t *object = scene_move(play->scene, play->game, role, move);
  json_object_set_new(object, "seconds", works_store_real(stored->seconds));
  json_object_set_new(object, "error", json_null());
  return object;
}

/* What the store has of a search. */
static json_t *write_thought(const Play *play, uint32_t role) {
  const ResultsMove *move = stored_move(play, role);
  if (isnan(move->value)) return json_null();
  return json_pack(
      "{s:i, s:i, s:s, s:o, s:s, s:o, s:n, s:I, s:I, s:n, s:o, s:b, s:o, s:n, "
      "s:b, s:[]}",
      "step", (int)play->step, "role", (int)role, "purpose", "move", "agent",
      json_plain(player_of(play, role)), "who", "", "seconds",
      works_store_real(move->seconds), "left", "simulations",
      (json_int_t)move->simulations, "states", (json_int_t)move->states,
      "nodes", "depth", works_store_real(move->depth), "deepened", 0, "value",
      works_store_real(move->value), "values", "proven", 0, "moves");
}

/* The number, the moves and what was thought; the game is before them. */
static json_t *begin_step(Play *play, const Move *joint) {
  json_t *moves = json_array(), *idle = json_array(), *thoughts = json_array();
  for (uint32_t role = 0; role < play->game->role_count; role++) {
    const Move *legal;
    json_array_append_new(moves, write_move(play, role, joint[role]));
    json_array_append_new(
        idle, json_boolean(game_legal(play->game, role, &legal) < 2));
    json_array_append_new(thoughts, write_thought(play, role));
  }
  return json_pack("{s:i, s:o, s:o, s:o}", "number", (int)play->step + 1,
                   "moves", moves, "idle", idle, "thoughts", thoughts);
}

static void add_initial(Play *play) {
  json_t *step = json_pack("{s:i, s:n, s:o, s:o, s:o}", "number", 0, "moves",
                           "idle", for_roles(play, json_false()), "thoughts",
                           for_roles(play, json_null()), "state",
                           scene_state(play->scene, play->game, NULL, 0));
  add_json(play, step);
}

static void add_step(Play *play, const Move *joint) {
  json_t *step = begin_step(play, joint);
  copy_facts(play);
  game_make(play->game, joint);
  if (!game_failed(play->game)) {
    json_object_set_new(step, "state",
                        scene_state(play->scene, play->game, play->before.data,
                                    play->before.count));
    text_add_byte(play->json, ',');
    add_json(play, json_incref(step));
    while (play->next < play->moves.count &&
           play->moves.data[play->next].step <= play->first + play->step)
      play->next++;
    play->step++;
  }
  json_decref(step);
}

/* Returns true if there is more to replay; else a message says why, unless it
   is the end. */
static bool has_more(Play *play) {
  Text *message = &play->message;
  if (message->length || play->next == play->moves.count) return false;
  if (game_failed(play->game))
    text_format(message, "Step %u cannot be replayed: %s.", play->step,
                play->game->error.bytes);
  else if (game_terminal(play->game))
    text_format(message, "The stored match goes on, but by its rules it is "
                         "over here.");
  else if (play->json->length > REPLAY_BYTES || clock_now() > play->deadline)
    text_format(message, "Only the first %u of %u steps are shown.", play->step,
                play->match.steps);
  return !message->length;
}

static void add_steps(Play *play) {
  Move joint[RULE_ROLES];
  add_initial(play);
  while (has_more(play))
    if (find_joint(play, joint)) add_step(play, joint);
}

/* ---- the head ---- */

/* When it began: "2026-11-16T15:30:00Z", or null. */
static json_t *write_begun(const ArchiveMatch *match) {
  struct tm parts = {0};
  char text[32];
  const char *end =
      strptime(text_string(&match->finished), "%Y-%m-%dT%H:%M:%SZ", &parts);
  if (!end || *end || !(match->seconds >= 0 && match->seconds < 1e9))
    return json_null();
  time_t begun = timegm(&parts) - (time_t)match->seconds;
  if (!gmtime_r(&begun, &parts)) return json_null();
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return json_string(text);
}

/* Clocks are of seconds; other budgets are words alone. */
static void set_budget(json_t *head, const ArchiveMatch *match) {
  json_t *key = json_loads(text_string(&match->key), 0, NULL);
  bool known = json_is_object(key) && json_object_get(key, "play");
  Series series;
  Text error = {0}, words = {0};
  series_init(&series);
  if (known) {
    json_object_del(key, "players"); /* they may be anything */
    known = series_read(&series, key, &error);
  }
  bool clock = known && series.unit == UNIT_SECONDS;
  json_object_set_new(head, "start",
                      works_store_real(clock ? series.start : NAN));
  json_object_set_new(head, "play",
                      works_store_real(clock ? series.play : NAN));
  if (known) series_write_budget(&series, &words);
  json_object_set_new(head, "budget", works_store_text(&words));
  series_free(&series);
  text_free(&error);
  text_free(&words);
  json_decref(key);
}

static json_t *write_roles(const Play *play) {
  json_t *list = json_array();
  for (uint32_t role = 0; role < play->game->role_count; role++) {
    Text name = {0};
    moves_write_role(play->game, role, &name);
    json_array_append_new(
        list, works_store_role(text_string(&name), player_of(play, role)));
    text_free(&name);
  }
  return list;
}

static json_t *write_sum(Play *play) {
  const Analysis *analysis = book_analysis(&play->book);
  return analysis && analysis->constant_sum == EVIDENCE_PROVED
             ? json_integer(analysis->sum)
             : json_null();
}

static bool has_stylesheet(const Play *play) {
  const WebSettings *settings = play->settings;
  Text path = {0};
  bool found = stylesheet_find(settings->stylesheet, &settings->games,
                               text_string(&play->match.name), &path);
  text_free(&path);
  return found;
}

static json_t *write_head(Play *play) {
  const ArchiveMatch *match = &play->match;
  const char *name = text_string(&match->name);
  bool file = strchr(name, '/') || strchr(name, '.');
  json_t *head = json_object();
  Text title = {0};
  works_store_title(text_string(&play->rules), name, &title);
  json_object_set_new(head, "game", file ? json_null() : json_plain(name));
  json_object_set_new(head, "title", works_store_text(&title));
  json_object_set_new(head, "roles", write_roles(play));
  set_budget(head, match);
  json_object_set_new(
      head, "seed",
      json_sprintf("%llu", strtoull(text_string(&match->seed), NULL, 16)));
  json_object_set_new(head, "scene", scene_json(play->scene));
  json_object_set_new(head, "stylesheet", json_boolean(has_stylesheet(play)));
  json_object_set_new(head, "sum", write_sum(play));
  json_object_set_new(head, "begun", write_begun(match));
  text_free(&title);
  return head;
}

/* ---- the end ---- */

static json_t *write_goals(const Play *play) {
  json_t *goals = for_roles(play, json_null());
  bool known = false;
  for (uint32_t i = 0; i < play->match.sides.count; i++) {
    const ArchiveSide *side = &play->match.sides.data[i];
    known |= isfinite(side->goal);
    json_array_set_new(goals, side->role, works_store_real(side->goal));
  }
  if (known) return goals;
  json_decref(goals);
  return json_null();
}

/* How the match ended, where it did not end as matches do. */
static void explain_end(Play *play) {
  const ArchiveMatch *match = &play->match;
  const char *ending = text_string(&match->ending);
  if (play->message.length || !strcmp(ending, match_end_name(MATCH_ENDED)))
    return;
  if (!strcmp(ending, match_end_name(MATCH_CUT_OFF)))
    text_format(&play->message, "The match was cut off after %u steps.",
                match->steps);
  else
    text_format(&play->message, "The match was not finished (%s)%s%s", ending,
                match->error.length ? ": " : ".", text_string(&match->error));
}

static json_t *write_turn(Play *play) {
  if (!play->moves.count && play->match.steps)
    text_add(&play->message, "The moves of this match were not kept.");
  explain_end(play);
  return json_pack("{s:s, s:i, s:[], s:[], s:o, s:o, s:b, s:n, s:o, s:o}",
                   "phase", "over", "step", (int)play->step, "thinking",
                   "asked", "chosen", for_roles(play, json_null()), "legal",
                   for_roles(play, json_null()), "undo", 0, "left", "message",
                   works_store_text(&play->message), "goals",
                   write_goals(play));
}

/* Where it comes from. */
static json_t *write_origin(const ArchiveMatch *match) {
  bool known = match->experiment > 0;
  return json_pack(
      "{s:o, s:o, s:o, s:o, s:o, s:f}", "kind",
      known ? works_store_text(&match->kind) : json_null(), "experiment",
      known ? works_store_text(&match->title) : json_null(), "tour",
      !strcmp(text_string(&match->kind), "tour")
          ? works_store_id(match->experiment)
          : json_null(),
      "end", works_store_text(&match->ending), "finished",
      works_store_text(&match->finished), "seconds", match->seconds);
}

/* ---- the whole ---- */

static void add_match(Play *play) {
  text_format(play->json, "{\"id\":\"%lld\",\"kind\":\"record\",\"steps\":[",
              (long long)play->match.id);
  add_steps(play);
  text_add(play->json, "],\"turn\":");
  add_json(play, write_turn(play));
  text_add(play->json, ",\"live\":");
  add_json(play, for_roles(play, json_null()));
  text_add(play->json, ",\"record\":");
  add_json(play, write_origin(&play->match));
  text_add(play->json, ",\"head\":");
  add_json(play, write_head(play));
  text_add_byte(play->json, '}');
}

/* Steps are numbered from 1, or by some programs from 0. */
static uint32_t first_step(const ResultsMoves *moves) {
  return moves->count && moves->data[0].step == 0 ? 0 : 1;
}

static void load_and_add(Play *play) {
  BookLimits own = play->settings->limits;
  own.ground.seconds = fmin(own.ground.seconds, NET_SECONDS);
  own.net_seconds = NET_SECONDS;
  own.reduce_seconds = REDUCE_SECONDS;
  own.prove_seconds = PROVE_SECONDS;
  own.deadline = play->deadline - REPLAY_SECONDS / 2.0;
  own.rules.deadline = play->deadline;
  book_init(&play->book, &play->description, &own, true);
  play->first = first_step(&play->moves);
  play->game = book_game(&play->book);
  play->game->deadline = play->deadline;
  play->scene = scene_new(&play->book);
  add_match(play);
  scene_delete(play->scene);
  game_delete(play->game);
  book_free(&play->book);
  vector_free(&play->before);
}

static ReplayEnd play_rules(Play *play, Text *error) {
  description_init(&play->description, "rules", text_string(&play->rules),
                   play->rules.length);
  bool valid = description_valid(&play->description);
  if (valid)
    load_and_add(play);
  else
    text_add(error, "The rules that are stored with this match are not valid.");
  description_free(&play->description);
  return valid ? REPLAY_DONE : REPLAY_FAILED;
}

ReplayEnd works_replay(Results *results, int64_t id,
                       const WebSettings *settings, Text *json, Text *error) {
  Play play = {.settings = settings,
               .json = json,
               .deadline = clock_now() + REPLAY_SECONDS};
  bool there = false;
  ReplayEnd end = REPLAY_FAILED;
  if (!archive_match(results, id, &play.match, &there) ||
      (there && (!archive_rules(results, play.match.game, &play.rules) ||
                 !results_read_moves(results, id, &play.moves))))
    text_format(error, "The results cannot be read: %s",
                results_error(results));
  else
    end = there ? play_rules(&play, error) : REPLAY_NONE;
  archive_match_free(&play.match);
  results_moves_free(&play.moves);
  text_free(&play.rules);
  text_free(&play.message);
  return end;
}
