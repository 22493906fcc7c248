/* A room with its process, without HTTP: streams are the texts that were sent.
 */
#include "web/room.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "support/games.h"
#include "web/room_parts.h"

/* ---- HTTP ---- */

struct HttpRequest {
  Text sent;
  size_t queued; /* it has not taken as many bytes */
  bool ended;
  HttpGone *gone;
  void *context;
};

void http_stream(HttpRequest *request, const HttpAnswer *answer, HttpGone *gone,
                 void *context) {
  assert_string_equal(answer->type, "text/event-stream");
  request->gone = gone;
  request->context = context;
}

void http_stream_send(HttpRequest *request, const char *bytes, size_t length) {
  assert_false(request->ended);
  text_add_bytes(&request->sent, bytes, length);
}

size_t http_stream_queued(const HttpRequest *request) {
  return request->queued;
}

void http_stream_end(HttpRequest *request) {
  request->ended = true;
}

void http_answer(HttpRequest *request, const HttpAnswer *answer) {
  (void)request, (void)answer;
}

const char *http_header(const HttpRequest *request, const char *name) {
  (void)request, (void)name;
  return NULL;
}

HttpMethod http_method(const HttpRequest *request) {
  (void)request;
  return HTTP_GET;
}

static uint32_t count(const HttpRequest *request, const char *text) {
  uint32_t found = 0;
  const char *at = text_string(&request->sent);
  for (; (at = strstr(at, text)); at += strlen(text)) found++;
  return found;
}

/* ---- rooms ---- */

static Room *open_room(const char *rules, const char *players, double play,
                       double patience) {
  AgentSpecs specs;
  games_specs(&specs, players);
  MasterPlan plan = {.id = "m1",
                     .game = "",
                     .rules = rules,
                     .rules_length = strlen(rules),
                     .name = "rules",
                     .title = "A <title>",
                     .players = &specs,
                     .play = play,
                     .version = "test",
                     .limits = games_limits(),
                     .processors = 1,
                     .threads = 1};
  RoomHost host = {.process = {.memory = (size_t)1 << 30},
                   .patience = patience};
  fflush(NULL);
  Room *room = room_new(&host, &plan);
  assert_non_null(room);
  spec_free_list(&specs);
  return room;
}

static void run(Room *room) {
  struct pollfd link = {.fd = room_file(room), .events = POLLIN};
  poll(&link, 1, 10);
  room_read(room);
  room_tick(room);
}

static json_t *match_of(const Room *room) {
  Text text = {0};
  room_write(room, &text);
  json_t *json = json_loadb(text.bytes, text.length, 0, NULL);
  if (!json) fail_msg("not JSON: %s", text.bytes);
  text_free(&text);
  return json;
}

static bool is_phase(const Room *room, const char *phase) {
  json_t *json = match_of(room);
  const json_t *turn = json_object_get(json, "turn");
  bool same =
      strcmp(json_string_value(json_object_get(turn, "phase")), phase) == 0;
  json_decref(json);
  return same;
}

static void run_until(Room *room, const char *phase) {
  double end = clock_now() + 60;
  while (!is_phase(room, phase)) {
    if (clock_now() > end) fail_msg("waited in vain for %s", phase);
    run(room);
  }
}

static bool command(Room *room, char kind, const char *json, const char **why) {
  return room_command(room, kind, json, strlen(json), why);
}

/* Before the process has said anything there is a whole MATCH. */
static void test_beginning(void **state) {
  (void)state;
  Room *room = open_room(GAME_THREE, "human", 0.1, 100);
  json_t *json = match_of(room);
  assert_string_equal(json_string_value(json_object_get(json, "id")), "m1");
  const json_t *head = json_object_get(json, "head");
  assert_string_equal(json_string_value(json_object_get(head, "title")),
                      "A <title>");
  json_decref(json);
  assert_true(is_phase(room, "loading"));
  assert_true(room_is_active(room));
  Text brief = {0};
  room_write_brief(room, &brief);
  json = json_loadb(brief.bytes, brief.length, 0, NULL);
  assert_string_equal(json_string_value(json_object_get(json, "kind")), "page");
  assert_true(json_is_integer(json_object_get(json, "watchers")));
  json_decref(json);
  text_free(&brief);
  room_delete(room);
}

static void test_commands(void **state) {
  (void)state;
  static const struct {
    char kind;
    const char *json, *why; /* NULL: fine */
  } cases[] = {
      {MASTER_MOVE, "{\"role\":0,\"step\":0,\"move\":\"maybe\"}",
       "This move is not legal."},
      {MASTER_MOVE, "{\"role\":0,\"step\":1,\"move\":\"yes\"}",
       "The match has moved on."},
      {MASTER_MOVE, "{\"role\":2,\"step\":0,\"move\":\"yes\"}",
       "It is not your turn."},
      {MASTER_MOVE, "{\"role\":-1,\"step\":0,\"move\":\"yes\"}",
       "It is not your turn."},
      {MASTER_MOVE, "{}", "The match has moved on."},
      {MASTER_MOVE, "[", "The match has moved on."},
      {MASTER_UNDO, "{}", "There is nothing to take back."},
      {MASTER_HINT, "{\"role\":2}", "It is not your turn."},
      {MASTER_HINT, "{\"role\":0,\"seconds\":\"two\"}",
       "Seconds are a number."},
      {MASTER_RESIGN, "{\"role\":2}", "There is no such person in this match."},
      {MASTER_RESIGN, "{}", "There is no such person in this match."},
      {MASTER_MOVE, "{\"role\":0,\"step\":0,\"move\":\"yes\"}", NULL},
      {MASTER_MOVE, "{\"role\":1,\"step\":0,\"move\":\"no\"}", NULL},
  };
  const char *why;
  Room *room = open_room(GAME_THREE, "human,human,legal", 0.1, 100);
  assert_false(command(room, MASTER_MOVE, "{}", &why));
  assert_string_equal(why, "The match has not begun yet.");
  run_until(room, "playing");
  for (size_t i = 0; i < LENGTH(cases); i++) {
    bool fine = command(room, cases[i].kind, cases[i].json, &why);
    assert_int_equal(fine, !cases[i].why);
    if (!fine) assert_string_equal(why, cases[i].why);
  }
  run_until(room, "over");
  assert_false(room_is_active(room));
  assert_false(command(room, MASTER_RESIGN, "{\"role\":0}", &why));
  assert_string_equal(why, "The game is over.");
  room_delete(room);
}

/* Everything happens in order for those who watch, and who is too slow misses
   thoughts, or is cut off. */
static void test_watchers(void **state) {
  (void)state;
  HttpRequest fast = {0}, slow = {.queued = 1}, stuck = {.queued = 4 << 20};
  const char *why;
  Room *room = open_room(GAME_THREE, "human,legal", 0.1, 100);
  run_until(room, "playing");
  assert_true(room_watch(room, &fast));
  assert_true(room_watch(room, &slow));
  assert_int_equal(count(&fast, "event: match\ndata: {"), 1);
  assert_true(command(room, MASTER_HINT, "{\"role\":0,\"seconds\":0.3}", &why));
  double end = clock_now() + 60;
  while (!count(&fast, "event: live") && clock_now() < end) run(room);
  assert_true(count(&fast, "\"purpose\":\"hint\"") > 0);
  assert_int_equal(count(&slow, "event: live"), 0);
  assert_true(count(&fast, "event: watchers\ndata: {\"count\":2}") > 0);
  assert_true(room_watch(room, &stuck));
  assert_true(command(room, MASTER_MOVE,
                      "{\"role\":0,\"step\":0,\"move\":\"yes\"}", &why));
  run_until(room, "over");
  assert_true(stuck.ended);
  assert_int_equal(count(&fast, "event: step"), 1);
  assert_int_equal(count(&slow, "event: step"), 1);
  /* events end with an empty line, and nothing else does */
  assert_int_equal(count(&slow, "\n\n"),
                   count(&slow, "event: ") + count(&slow, ": here"));
  fast.gone(fast.context, &fast);
  room_delete(room);
  assert_false(fast.ended);
  assert_true(slow.ended);
  assert_int_equal(count(&slow, "event: end"), 1);
  text_free(&fast.sent);
  text_free(&slow.sent);
  text_free(&stuck.sent);
}

/* A process that is killed leaves words behind. */
static void test_killed(void **state) {
  (void)state;
  const char *why;
  Room *room = open_room(GAME_THREE, "human", 0.1, 100);
  run_until(room, "playing");
  kill(room->process.pid, SIGKILL);
  run_until(room, "failed");
  assert_int_equal(room_file(room), -1);
  assert_false(command(room, MASTER_MOVE, "{}", &why));
  Text brief = {0};
  room_write_brief(room, &brief);
  assert_non_null(strstr(brief.bytes, "\"phase\":\"failed\""));
  text_free(&brief);
  room_delete(room);
}

static void test_patience(void **state) {
  (void)state;
  Room *room = open_room(GAME_THREE, "human", 0.1, 0.5);
  run_until(room, "playing");
  assert_true(room_due(room) <= clock_now() + 0.5);
  double end = clock_now() + 60;
  while (!room_is_over(room) && clock_now() < end) run(room);
  assert_true(room_is_over(room));
  room_delete(room);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_beginning), cmocka_unit_test(test_commands),
      cmocka_unit_test(test_watchers),  cmocka_unit_test(test_killed),
      cmocka_unit_test(test_patience),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
