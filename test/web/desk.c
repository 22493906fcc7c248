#include "web/desk.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "io/process.h"
#include "support/games.h"

static void run(const Desk *desk, int link) {
  AgentSpecs specs;
  Text rules = {0}, path = {0}, error = {0};
  games_specs(&specs, desk->players);
  if (desk->game) {
    text_format(&path, "games/%s.kif", desk->game);
    if (!text_read_file(&rules, path.bytes, 1 << 20, &error)) _exit(9);
  } else {
    text_add(&rules, desk->rules);
  }
  MasterPlan plan = {.id = "test",
                     .game = desk->game ? desk->game : "",
                     .rules = rules.bytes,
                     .rules_length = rules.length,
                     .name = "rules",
                     .title = "",
                     .players = &specs,
                     .role = desk->role,
                     .start = desk->start,
                     .play = desk->play,
                     .moves = desk->moves,
                     .seed = desk->seed,
                     .db = desk->db,
                     .version = "test",
                     .limits = games_limits(),
                     .processors = 1,
                     .threads = 1};
  int code = master_run(&plan, link);
  spec_free_list(&specs);
  text_free(&rules);
  text_free(&path);
  text_free(&error);
  _exit(code);
}

void desk_open(Desk *desk) {
  int ends[2];
  if (desk->play <= 0) desk->play = 0.2;
  assert_true(process_pair(ends));
  fflush(NULL);
  desk->begun = clock_now();
  desk->steps = json_array();
  desk->pid = fork();
  if (!desk->pid) {
    close(ends[0]);
    run(desk, ends[1]);
  }
  close(ends[1]);
  wire_init(&desk->wire, ends[0]);
}

int desk_close(Desk *desk) {
  int status;
  shutdown(desk->wire.link, SHUT_RDWR);
  close(desk->wire.link);
  double until = clock_now() + DESK_PATIENCE;
  while (waitpid(desk->pid, &status, WNOHANG) == 0) {
    if (clock_now() > until) fail_msg("the process does not exit");
    usleep(1000);
  }
  json_decref(desk->head);
  json_decref(desk->turn);
  json_decref(desk->brief);
  json_decref(desk->steps);
  json_decref(desk->live);
  json_decref(desk->moves);
  text_free(&desk->notes);
  wire_free(&desk->wire);
  return status;
}

static void keep(json_t **place, json_t *value) {
  json_decref(*place);
  *place = value;
}

static void add_step(Desk *desk, json_t *step) {
  json_int_t number = json_integer_value(json_object_get(step, "number"));
  assert_int_equal(number, json_array_size(desk->steps));
  json_array_append_new(desk->steps, step);
  desk->arrived = clock_now();
}

static void go_back(Desk *desk, json_t *value) {
  size_t step = (size_t)json_integer_value(json_object_get(value, "step"));
  assert_true(step + 1 < json_array_size(desk->steps));
  while (json_array_size(desk->steps) > step + 1)
    json_array_remove(desk->steps, step + 1);
  desk->backs++;
  json_decref(value);
}

static void hear(Desk *desk) {
  const Text *message = &desk->wire.message;
  json_t *json = NULL;
  if (desk->wire.kind == MASTER_NOTE) {
    text_format(&desk->notes, "%s\n", text_string(message));
    return;
  }
  if (message->length) {
    size_t skip = desk->wire.kind == MASTER_LIVE;
    json = json_loadb(message->bytes + skip, message->length - skip, 0, NULL);
    if (!json) fail_msg("not JSON: %s", message->bytes);
  }
  switch (desk->wire.kind) {
  case MASTER_HEAD:
    desk->heads++;
    keep(&desk->head, json);
    break;
  case MASTER_STEP: add_step(desk, json); break;
  case MASTER_BACK: go_back(desk, json); break;
  case MASTER_TURN: keep(&desk->turn, json); break;
  case MASTER_LIVE:
    desk->lives++;
    keep(&desk->live, json);
    break;
  case MASTER_BRIEF: keep(&desk->brief, json); break;
  case MASTER_BUSY:
  case MASTER_IDLE:
  case MASTER_OVER: desk->activity = desk->wire.kind; break;
  default: fail_msg("a message that only the server sends");
  }
}

void desk_listen(Desk *desk) {
  struct pollfd link = {.fd = desk->wire.link, .events = POLLIN};
  WireEvent event;
  poll(&link, 1, 50);
  while ((event = wire_receive(&desk->wire)) == WIRE_GOT) hear(desk);
  if (event == WIRE_CLOSED) fail_msg("the process has closed the link");
}

void desk_send(Desk *desk, char kind, const char *format, ...) {
  char line[1000];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  assert_true(wire_try(desk->wire.link, kind, line, strlen(line)));
}

const char *desk_phase(const Desk *desk) {
  const char *phase = json_string_value(json_object_get(desk->turn, "phase"));
  return phase ? phase : "";
}

uint32_t desk_step(const Desk *desk) {
  return (uint32_t)json_integer_value(json_object_get(desk->turn, "step"));
}

bool desk_is(const Desk *desk, const char *list, uint32_t role) {
  size_t i;
  json_t *each;
  json_array_foreach(json_object_get(desk->turn, list), i,
                     each) if (json_integer_value(each) == role) return true;
  return false;
}

bool desk_settled(const Desk *desk) {
  const char *phase = desk_phase(desk);
  if (strcmp(phase, "over") == 0 || strcmp(phase, "failed") == 0) return true;
  return json_array_size(json_object_get(desk->turn, "asked")) > 0 &&
         json_array_size(json_object_get(desk->turn, "thinking")) == 0;
}

void desk_choose(Desk *desk, uint32_t role, const char *move) {
  desk_send(desk, MASTER_MOVE, "{\"role\":%u,\"step\":%u,\"move\":\"%s\"}",
            role, desk_step(desk), move);
}

void desk_choose_first(Desk *desk, uint32_t role) {
  json_t *moves = json_array_get(json_object_get(desk->turn, "legal"), role);
  json_t *first = json_object_get(json_array_get(moves, 0), "move");
  assert_true(json_is_string(first));
  desk_choose(desk, role, json_string_value(first));
}
