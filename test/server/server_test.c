/* The server with processes that act a part, named by the role of their match.
   A move says how many steps its process knows and at what level it plays:
   (at STEPS LEVEL). */
#include "server/server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/sanitized.h"
#include "io/listen.h"
#include "player/link.h"
#include "server/caller.h"

/* ---- processes ---- */

typedef struct Actor {
  const Start *start;
  int link;
  uint32_t steps;
} Actor;

static bool plays(const Actor *actor, const char *role) {
  return strcmp(actor->start->role, role) == 0;
}

static void act_badly(const Actor *actor) {
  bool ambitious = actor->start->level < START_LEGAL;
  if (plays(actor, "crash") && ambitious) abort();
  if (plays(actor, "quit")) _exit(3);
  if ((plays(actor, "hang") && actor->start->level == START_FULL) ||
      plays(actor, "silent"))
    for (;;) pause();
  if (plays(actor, "eat") && ambitious)
    for (;;) memset(memory_new(1 << 20), 1, 1 << 20);
}

static void answer(Actor *actor, const LinkFrame *frame) {
  Text move = {0};
  if (frame->kind == LINK_PLAY && frame->text.length) {
    link_send(actor->link, LINK_STEP, actor->steps, 0, frame->text.bytes);
    actor->steps++;
  }
  act_badly(actor);
  if (plays(actor, "pid"))
    text_format(&move, "%d", (int)getpid());
  else
    text_format(&move, "(at %u %d)", actor->steps, (int)actor->start->level);
  link_send(actor->link, LINK_MOVE, frame->number - 1, 0, "(an old one)");
  link_send(actor->link, LINK_MOVE, frame->number, 0, move.bytes);
  if (!plays(actor, "slow"))
    link_send(actor->link, LINK_FINAL, frame->number, 0, move.bytes);
  text_free(&move);
}

static int act(const Start *start, int link) {
  Actor actor = {start, link, start->history->count};
  LinkFrame frame = {0};
  if (!plays(&actor, "slow")) link_send(link, LINK_READY, 0, 0, "");
  for (;;) {
    LinkEvent event = link_receive(link, &frame);
    if (event == LINK_CLOSED && !plays(&actor, "pid")) return 0;
    if (event != LINK_GOT)
      usleep(1000);
    else if (frame.kind == LINK_STOP)
      return 0;
    else if (frame.kind != LINK_THREADS)
      answer(&actor, &frame);
  }
}

/* ---- the server, in a process ---- */

typedef struct Player {
  pid_t pid;
  unsigned port;
} Player;

static char folder[64];

static _Noreturn void serve(unsigned port, const char *state, int output) {
  AgentSpec agent = {0};
  Text error = {0};
  ServerSettings settings = {.bind = "127.0.0.1",
                             .name = "tester",
                             .port = port,
                             .state = state,
                             .body = 1 << 20,
                             .memory = 256 << 20,
                             .matches = 3,
                             .allow_host = "good.example",
                             .allow_origin = "http://good.example:80",
                             .longest_start = 100,
                             .longest_play = 100,
                             .patience = 600,
                             .agent = &agent,
                             .flow = act};
  const char *log = getenv("SERVER_LOG"); /* for debugging */
  int null = open(log ? log : "/dev/null", O_WRONLY | O_APPEND);
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* a failed test leaves no process */
  dup2(output, STDOUT_FILENO);
  dup2(null, STDERR_FILENO);
  if (server_run(&settings, &error)) _exit(0);
  dprintf(output, "%s\n", text_string(&error));
  _exit(5);
}

static Player begin_in(unsigned port, const char *state) {
  Player player = {0};
  int ends[2];
  char line[128] = "";
  fflush(stdout);
  assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
  player.pid = fork();
  if (player.pid == 0) serve(port, state, ends[1]);
  close(ends[1]);
  FILE *output = fdopen(ends[0], "r");
  bool told = fgets(line, sizeof line, output);
  fclose(output);
  if (!told ||
      sscanf(line, "listening on http://127.0.0.1:%u/", &player.port) != 1)
    fail_msg("the server at port %u does not begin: %s", port, line);
  return player;
}

static Player begin(void) {
  return begin_in(0, folder);
}

static int end_by(const Player *player, int number) {
  int status;
  kill(player->pid, number);
  waitpid(player->pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void end(const Player *player) {
  assert_int_equal(end_by(player, SIGTERM), 0);
}

static void start(const Player *player, const char *id, const char *role) {
  char text[128];
  snprintf(text, sizeof text, "(START %s %s ((role %s)) 1 1)", id, role, role);
  caller_ask(player->port, text, "ready");
}

/* ---- tests ---- */

static void messages_without_a_match(void **state) {
  (void)state;
  Player player = begin();
  static const char *const available = "((name tester) (status available))";
  caller_ask(player.port, "(INFO)", available);
  caller_ask(player.port, "ping", available);
  caller_ask(player.port, "(PLAY m NIL)", "busy");
  caller_ask(player.port, "(Stop m (a b))", "busy");
  caller_ask(player.port, "(ABORT m)", "busy");
  caller_ask(player.port, "(PREVIEW ((role a)) 10)", "done");
  caller_ask(player.port, "(preview (role a) (role b) 10)", "done");
  end(&player);
}

static void http_in_its_forms(void **state) {
  (void)state;
  static const struct {
    const char *request, *status, *body;
  } cases[] = {{"GET /%28INFO%29 HTTP/1.1\r\nHost: localhost\r\n\r\n", "200",
                "((name tester) (status available))"},
               {"GET /(play+m%20NIL) HTTP/1.0\r\n\r\n", "200", "busy"},
               {"OPTIONS / HTTP/1.1\r\nHost: localhost\r\n\r\n", "200", ""},
               {"PUT / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)", "405",
                "send messages by POST or GET"},
               {"POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\n(INFO", "400",
                "unclosed parenthesis"},
               {"POST / HTTP/1.0\r\n\r\n", "400", "no list"},
               {"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: "
                "chunked\r\n\r\n"
                "6\r\n(INFO)\r\n0\r\n\r\n",
                "200", "((name tester) (status available))"},
               {"POST / HTTP/1.0\nContent-Length: 6\n\n(INFO)", "200",
                "((name tester) (status available))"},
               {"POST / HTTP/1.0\r\nContent-Length: 99999999\r\n\r\n", "413",
                "too large"}};
  Player player = begin();
  for (size_t i = 0; i < LENGTH(cases); i++)
    caller_expect(
        caller_send(player.port, cases[i].request, strlen(cases[i].request)),
        cases[i].status, cases[i].body);
  Text reply = {0};
  caller_receive(caller_send(player.port, "GET / HTTP/1.0\r\n\r\n", 18),
                 &reply);
  assert_non_null(strstr(caller_body(&reply), "Tafl"));
  text_free(&reply);
  end(&player);
}

static void too_large(void **state) {
  (void)state;
  Player player = begin();
  Text message = {0};
  text_add(&message, "(START m x (");
  while (message.length <= 1 << 20) text_add(&message, "(role x) ");
  text_add(&message, ") 1 1)");
  caller_expect(caller_post(player.port, message.bytes), "413", "too large");
  text_clear(&message);
  text_add(&message, "(PLAY m (");
  while (message.length <= 1 << 18) text_add(&message, "noop ");
  text_add(&message, "))");
  caller_expect(caller_post(player.port, message.bytes), "413", "too large");
  text_free(&message);
  caller_ask(player.port, "(PLAY m NIL)", "busy");
  end(&player);
}

static void a_match(void **state) {
  (void)state;
  Player player = begin();
  start(&player, "m.1", "good");
  caller_ask(player.port, "(PLAY m.1 NIL)", "(at 0 0)");
  caller_ask(player.port, "(PLAY m.1 ((a b) c))", "(at 1 0)");
  caller_ask(player.port, "(PLAY m.2 ((a b) c))", "busy");
  caller_ask(player.port, "(INFO)", "((name tester) (status available))");
  caller_ask(player.port, "(PLAY m.1 (c d))", "(at 2 0)");
  caller_ask(player.port, "(STOP m.1 (e f))", "done");
  caller_ask(player.port, "(PLAY m.1 (c d))", "busy");
  end(&player);
}

static void answers_by_the_clock(void **state) {
  (void)state;
  Player player = begin();
  start(&player, "m", "slow"); /* never sends LINK_READY */
  int first = caller_post(player.port, "(PLAY m NIL)");
  int again = caller_post(player.port, "(PLAY m NIL)");
  caller_ask(player.port, "(INFO)", "((name tester) (status available))");
  caller_expect(first, "200", "(at 0 0)");
  caller_expect(again, "200", "(at 0 0)");
  int late = caller_post(player.port, "(PLAY m (a b))");
  usleep(200000);
  caller_ask(player.port, "(ABORT m)", "aborted");
  caller_expect(late, "200", "(at 1 0)");
  end(&player);
}

/* The process that finally answers was sent the step once. */
static void check_failing(const Player *player, const char *role, int clock,
                          int level) {
  char text[80], wanted[32];
  snprintf(text, sizeof text, "(START m %s ((role a)) 1 %d)", role, clock);
  caller_ask(player->port, text, "ready");
  snprintf(wanted, sizeof wanted, "(at 1 %d)", level);
  caller_ask(player->port, "(PLAY m (a b))", wanted);
  snprintf(wanted, sizeof wanted, "(at 2 %d)", level);
  caller_ask(player->port, "(PLAY m (c d))", wanted);
  caller_ask(player->port, "(ABORT m)", "aborted");
}

static void processes_that_fail(void **state) {
  (void)state;
  Player player = begin();
  check_failing(&player, "crash", 30, START_LEGAL);
  check_failing(&player, "hang", 4, START_RULES);
#ifndef SANITIZED /* it has no memory limit */
  check_failing(&player, "eat", 60, START_LEGAL);
#endif
  end(&player);
}

static void a_guess_is_better_than_nothing(void **state) {
  (void)state;
  Player player = begin();
  start(&player, "m", "silent");
  start(&player, "n", "quit");
  caller_ask(player.port, "(PLAY m NIL)", "noop");
  caller_ask(player.port, "(PLAY n NIL)", "noop");
  end(&player);
}

static void as_many_matches_as_allowed(void **state) {
  (void)state;
  Player player = begin();
  start(&player, "a", "good");
  start(&player, "b", "good");
  caller_ask(player.port, "(INFO)", "((name tester) (status available))");
  start(&player, "c", "good");
  caller_ask(player.port, "(INFO)", "((name tester) (status busy))");
  caller_ask(player.port, "(START d good ((role good)) 1 1)", "busy");
  caller_ask(player.port, "(PLAY b NIL)", "(at 0 0)");
  caller_ask(player.port, "(STOP b (a))", "done");
  start(&player, "d", "good");
  caller_ask(player.port, "(PLAY d NIL)", "(at 0 0)");
  caller_ask(player.port, "(PLAY c NIL)", "(at 0 0)");
  end(&player);
}

static void a_repeated_start(void **state) {
  (void)state;
  Player player = begin();
  Text first = {0}, second = {0};
  start(&player, "m", "pid");
  start(&player, "m", "pid");
  caller_receive(caller_post(player.port, "(PLAY m NIL)"), &first);
  start(&player, "m", "pid"); /* after a move: a new match */
  caller_receive(caller_post(player.port, "(PLAY m NIL)"), &second);
  assert_string_not_equal(caller_body(&first), caller_body(&second));
  start(&player, "m", "good"); /* another role: also a new match */
  caller_ask(player.port, "(PLAY m NIL)", "(at 0 0)");
  text_free(&first);
  text_free(&second);
  end(&player);
}

static bool is_gone(pid_t pid) {
  for (int i = 0; i < 500; i++) {
    char path[32], text[256] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    bool zombie = file && fgets(text, sizeof text, file) && strstr(text, ") Z");
    if (file) fclose(file);
    if (!file || zombie) return true;
    usleep(10000);
  }
  return false;
}

/* Returns a port that nobody gets who asks for any: one of those may have been
   given to another program when the server has been killed. */
static unsigned lasting_port(void) {
  enum { FIRST = 20000, COUNT = 10000 };
  unsigned port = FIRST + (unsigned)getpid() % COUNT;
  Text error = {0};
  for (unsigned tries = 0; tries < COUNT; tries++) {
    int file = listen_open("127.0.0.1", port, &error);
    text_free(&error);
    if (file >= 0) {
      close(file);
      return port;
    }
    port = FIRST + (port + 1 - FIRST) % COUNT;
  }
  fail();
  return 0;
}

static void killed_and_restarted(void **state) {
  (void)state;
  Player player = begin_in(lasting_port(), folder);
  Text reply = {0};
  start(&player, "../m", "good");
  caller_ask(player.port, "(PLAY ../m NIL)", "(at 0 0)");
  caller_ask(player.port, "(PLAY ../m (a b))", "(at 1 0)");
  start(&player, "p", "pid");
  caller_receive(caller_post(player.port, "(PLAY p NIL)"), &reply);
  assert_int_equal(end_by(&player, SIGKILL), -SIGKILL);
  assert_true(is_gone((pid_t)strtol(caller_body(&reply), NULL, 10)));
  Player other = begin_in(player.port, folder);
  caller_ask(other.port, "(PLAY ../m (c d))", "(at 2 0)");
  end(&other); /* keeps the matches too */
  other = begin_in(player.port, folder);
  caller_ask(other.port, "(PLAY ../m (e f))", "(at 3 0)");
  caller_ask(other.port, "(STOP ../m (g h))", "done");
  assert_int_equal(end_by(&other, SIGKILL), -SIGKILL);
  other = begin_in(player.port, folder);
  caller_ask(other.port, "(PLAY ../m (g h))", "busy");
  end(&other);
  text_free(&reply);
}

static void requests_are_answered_at_shutdown(void **state) {
  (void)state;
  Player player = begin();
  start(&player, "m", "slow");
  int waiting = caller_post(player.port, "(PLAY m (a b))");
  usleep(200000);
  end(&player);
  caller_expect(waiting, "200", "(at 1 0)");
}

static void without_a_disk(void **state) {
  (void)state;
  Player player = begin_in(0, "/dev/null/nowhere");
  start(&player, "m", "good");
  caller_ask(player.port, "(PLAY m NIL)", "(at 0 0)");
  caller_ask(player.port, "(STOP m NIL)", "done");
  end(&player);
}

static bool is_closed(int file) {
  char byte;
  return recv(file, &byte, 1, MSG_DONTWAIT) >= 0 || errno != EAGAIN;
}

/* More incomplete requests than allowed connections: the oldest are cut before
   all connections are used. */
static void slow_clients_do_not_keep_others_out(void **state) {
  (void)state;
  enum { SLOW = 400 };
  static const char half[] =
      "POST / HTTP/1.0\r\nContent-Length: 900000\r\n\r\n(";
  int files[SLOW];
  Player player = begin();
  start(&player, "m", "good");
  for (int i = 0; i < SLOW; i++) {
    files[i] = caller_send(player.port, half, strlen(half));
    if (i % 50 == 0) caller_ask(player.port, "(PLAY m NIL)", "(at 0 0)");
    if (i == 250) assert_true(is_closed(files[0]));
  }
  caller_ask(player.port, "(INFO)", "((name tester) (status available))");
  for (int i = 0; i < SLOW; i++) close(files[i]);
  caller_ask(player.port, "(INFO)", "((name tester) (status available))");
  end(&player);
}

/* More unfinished large bodies than there is memory for: slow ones give way to
   a START with many rules, and small messages need no room. */
static void slow_bodies_give_way(void **state) {
  (void)state;
  enum { SLOW = 20 };
  int files[SLOW];
  Player player = begin();
  Text half = {0}, message = {0};
  start(&player, "m", "good");
  text_add(&half,
           "POST / HTTP/1.0\r\nContent-Length: 1000000\r\n\r\n(START n x (");
  while (half.length < 900000) text_add(&half, "(fact 1 2 3)\n");
  for (int i = 0; i < SLOW; i++) {
    files[i] = caller_send(player.port, half.bytes, half.length);
    caller_ask(player.port, "(PLAY m NIL)", "(at 0 0)");
  }
  text_add(&message, "(START big good ((role good)");
  while (message.length < 900000) text_add(&message, " (fact 1 2 3)");
  text_add(&message, ") 1 1)");
  caller_ask(player.port, message.bytes, "ready");
  caller_ask(player.port, "(PLAY big NIL)", "(at 0 0)");
  for (int i = 0; i < SLOW; i++) close(files[i]);
  text_free(&half);
  text_free(&message);
  end(&player);
}

static void a_port_in_use(void **state) {
  (void)state;
  Player player = begin();
  AgentSpec agent = {0};
  Text error = {0};
  ServerSettings settings = {.bind = "127.0.0.1",
                             .port = player.port,
                             .state = folder,
                             .allow_host = "",
                             .allow_origin = "",
                             .agent = &agent,
                             .flow = act};
  assert_false(server_run(&settings, &error));
  assert_string_equal(error.bytes, "Address already in use");
  text_free(&error);
  end(&player);
}

static int make_folder(void **state) {
  (void)state;
  strcpy(folder, "/tmp/tafl-server-XXXXXX");
  return !mkdtemp(folder);
}

static int remove_folder(void **state) {
  (void)state;
  Text command = {0};
  text_format(&command, "rm -rf %s", folder);
  int code = system(command.bytes);
  text_free(&command);
  return code;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(messages_without_a_match),
      cmocka_unit_test(http_in_its_forms),
      cmocka_unit_test(too_large),
      cmocka_unit_test(a_match),
      cmocka_unit_test(answers_by_the_clock),
      cmocka_unit_test(processes_that_fail),
      cmocka_unit_test(a_guess_is_better_than_nothing),
      cmocka_unit_test(as_many_matches_as_allowed),
      cmocka_unit_test(a_repeated_start),
      cmocka_unit_test(killed_and_restarted),
      cmocka_unit_test(requests_are_answered_at_shutdown),
      cmocka_unit_test(without_a_disk),
      cmocka_unit_test(slow_clients_do_not_keep_others_out),
      cmocka_unit_test(slow_bodies_give_way),
      cmocka_unit_test(a_port_in_use)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
