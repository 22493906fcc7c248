#include "player/child.h"

static void run(const Child *child, int link) {
  AgentSpecs specs;
  games_specs(&specs, child->agent);
  Start start = {.rules = child->rules,
                 .rules_length = strlen(child->rules),
                 .role = child->role,
                 .start_deadline = clock_now() + child->start,
                 .play = child->play,
                 .history = &child->history,
                 .agent = specs.data,
                 .limits = child->limits,
                 .level = child->level,
                 .seed = 7};
  _exit(flow_run(&start, link));
}

void child_start(Child *child) {
  int ends[2];
  assert_true(process_pair(ends));
  fflush(NULL);
  child->ready = false;
  child->pid = fork();
  if (!child->pid) {
    close(ends[0]);
    run(child, ends[1]);
  }
  close(ends[1]);
  child->link = ends[0];
}

void child_open(Child *child) {
  if (!child->agent) child->agent = "tafl:memory=16";
  if (!child->play) child->play = 1;
  if (!child->limits.ground.memory) child->limits = games_limits();
  random_seed(&child->random, 5);
  front_read(&child->description, child->rules);
  if (child->description.rules.roles.count) {
    BookLimits limits = games_limits();
    child->referee = rules_engine_new(&child->description, &limits.rules);
    if (!spelling_role(&child->description, child->role, &child->own))
      child->own = 0;
  }
  child_start(child);
}

int child_wait(Child *child) {
  int status;
  double until = clock_now() + CHILD_PATIENCE;
  while (waitpid(child->pid, &status, WNOHANG) == 0) {
    if (clock_now() > until) fail_msg("the process does not exit");
    usleep(1000);
  }
  close(child->link);
  return status;
}

void child_kill(Child *child) {
  kill(child->pid, SIGKILL);
  child_wait(child);
}

void child_free(Child *child) {
  if (child->referee) game_delete(child->referee);
  description_free(&child->description);
  text_vector_free(&child->history);
  text_free(&child->notes);
  text_free(&child->report);
  text_free(&child->answer);
  text_free(&child->outlook);
}

static void hear_step(Child *child, const LinkFrame *frame) {
  Text lines = {0};
  text_add(&lines, text_string(&frame->text));
  assert_true(frame->number <= child->history.count);
  while (child->history.count > frame->number)
    text_free(&child->history.data[--child->history.count]);
  vector_push(&child->history, lines);
}

static void hear_move(Child *child, const LinkFrame *frame) {
  if (frame->number != child->number) return;
  text_clear(&child->answer);
  text_add(&child->answer, text_string(&frame->text));
  child->final = frame->kind == LINK_FINAL;
}

static void hear(Child *child, const LinkFrame *frame) {
  switch (frame->kind) {
  case LINK_READY: child->ready = true; break;
  case LINK_STEP: hear_step(child, frame); break;
  case LINK_MOVE:
  case LINK_FINAL: hear_move(child, frame); break;
  case LINK_NOTE:
    text_format(&child->notes, "%s\n", text_string(&frame->text));
    break;
  case LINK_REPORT:
    assert_true(frame->number > child->reported);
    child->reported = frame->number;
    child->reports++;
    text_clear(&child->report);
    text_add(&child->report, text_string(&frame->text));
    break;
  case LINK_OUTLOOK:
    child->outlooks++;
    text_clear(&child->outlook);
    text_add(&child->outlook, text_string(&frame->text));
    break;
  default: fail_msg("the process sent a frame that only the server sends");
  }
}

bool child_listen(Child *child) {
  LinkFrame frame = {0};
  LinkEvent event;
  struct pollfd link = {.fd = child->link, .events = POLLIN};
  poll(&link, 1, 100);
  while ((event = link_receive(child->link, &frame)) == LINK_GOT)
    hear(child, &frame);
  text_free(&frame.text);
  return event != LINK_CLOSED;
}

/* The answer must be legal, spelled as in the rules. */
static void check(Child *child) {
  const Move *moves;
  uint32_t count = game_legal(child->referee, child->own, &moves);
  for (uint32_t i = 0; i < count; i++) {
    Text text = {0};
    moves_write(child->referee, child->own, moves[i], &text);
    bool same = strcmp(text.bytes, child->answer.bytes) == 0;
    text_free(&text);
    if (same) return;
  }
  fail_msg("not legal: %s\n%s", child->answer.bytes,
           text_string(&child->notes));
}

void child_ask(Child *child, LinkKind kind, const char *lines, double seconds) {
  double now = clock_now();
  child->number++;
  child->final = false;
  text_clear(&child->answer);
  assert_true(
      link_send(child->link, kind, child->number, now + seconds, lines));
  CHILD_UNTIL(child, child->answer.length);
  child->first = clock_now() - now;
  if (child->referee) check(child);
  while (!child->final) {
    CHILD_UNTIL(child, child->answer.length);
    if (!child_listen(child)) fail_msg("the process exited");
    if (child->referee) check(child);
    if (clock_now() > now + CHILD_PATIENCE) fail_msg("no final answer");
  }
  child->last = clock_now() - now;
}

void child_step(Child *child, Text *lines) {
  Move joint[RULE_ROLES];
  Game *game = child->referee;
  for (uint32_t role = 0; role < game->role_count; role++) {
    const Move *moves;
    uint32_t count = game_legal(game, role, &moves);
    assert_true(count);
    joint[role] = moves[random_below(&child->random, count)];
    if (role == child->own && child->answer.length)
      assert_true(spelling_find(game, role, child->answer.bytes, &joint[role]));
  }
  text_clear(lines);
  moves_write_joint(game, joint, lines);
  game_make(game, joint);
}

void child_stop(Child *child, const char *lines) {
  link_send(child->link, LINK_STOP, child->number + 1, clock_now() + 1, lines);
  while (child_listen(child)) continue;
  assert_int_equal(child_wait(child), 0);
}
