/* Tasks without a server: requests are structures that remember their answer,
   and the loop is a poll over the files of the pool. */
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "support/unit.h"
#include "web/site.h"
#include "web/tasks.h"

/* ---- in place of the server ---- */

struct HttpRequest {
  uint32_t answers;
  unsigned status;
  Text type, body, policy;
  const char *word; /* of the query */
};

void site_write_headers(const char *policy, const char *const *more,
                        const char *list[]) {
  assert_null(more);
  list[0] = "Content-Security-Policy";
  list[1] = policy ? policy : "default-src 'none'";
  list[2] = NULL;
}

void http_answer(HttpRequest *request, const HttpAnswer *answer) {
  request->answers++;
  request->status = answer->status;
  text_add(&request->type, answer->type);
  text_add_bytes(&request->body, answer->bytes, answer->length);
  text_add(&request->policy, answer->headers[1]);
}

static const char *query(const void *request, const char *name) {
  const HttpRequest *from = request;
  return strcmp(name, "word") == 0 ? from->word : NULL;
}

static void clear(HttpRequest *request) {
  text_free(&request->type);
  text_free(&request->body);
  text_free(&request->policy);
  *request = (HttpRequest){0};
}

/* Counts what processes do. */
static uint32_t *ran;

static const ProcessLimits limits = {.memory = 256 << 20};

typedef struct Files {
  struct pollfd list[8];
  nfds_t count;
} Files;

static void add_file(void *context, int file) {
  Files *files = context;
  assert_true(files->count < 8);
  files->list[files->count++] = (struct pollfd){.fd = file, .events = POLLIN};
}

static uint32_t count_running(const TaskPool *pool) {
  Files files = {0};
  tasks_files(pool, add_file, &files);
  return (uint32_t)files.count;
}

/* Runs the loop until nothing runs. */
static void run(TaskPool *pool) {
  double end = clock_now() + 60;
  char how[100];
  while (count_running(pool)) {
    Files files = {0};
    tasks_files(pool, add_file, &files);
    double left = tasks_due(pool) - clock_now();
    poll(files.list, files.count, left > 0 ? (int)(1000 * left) + 1 : 0);
    for (pid_t pid; (pid = process_reap(how, sizeof how));)
      tasks_reaped(pool, pid);
    tasks_tick(pool);
    assert_true(clock_now() < end);
  }
}

/* ---- works ---- */

static void work_echo(const TaskCall *call, TaskReply *reply) {
  ran[0]++;
  text_format(&reply->body, "%s|%.*s|%s|%s", call->path, (int)call->body_length,
              call->body, task_query(call, "word"),
              call->context ? (const char *)call->context : "");
}

static void work_large(const TaskCall *call, TaskReply *reply) {
  (void)call;
  ran[0]++;
  for (int i = 0; i < 3 << 20; i++) text_add_byte(&reply->body, "abc"[i % 3]);
}

static void work_framed(const TaskCall *call, TaskReply *reply) {
  (void)call;
  reply->type = "text/html";
  reply->policy = "sandbox";
  text_add(&reply->body, "<p>");
}

static void work_hang(const TaskCall *call, TaskReply *reply) {
  (void)call, (void)reply;
  ran[0]++;
  for (;;) pause();
}

static void work_die(const TaskCall *call, TaskReply *reply) {
  (void)call, (void)reply;
  ran[0]++;
  kill(getpid(), SIGKILL);
}

static void work_leave(const TaskCall *call, TaskReply *reply) {
  (void)call, (void)reply;
  _exit(0);
}

static void work_eat(const TaskCall *call, TaskReply *reply) {
  (void)call;
  for (;;) text_add(&reply->body, "more and more ");
}

static void work_refuse(const TaskCall *call, TaskReply *reply) {
  ran[0]++;
  task_fail(reply, 404, "there is no <%s>", call->path);
}

static void work_want(const TaskCall *call, TaskReply *reply) {
  (void)call;
  for (int i = 0; i < 5; i++)
    text_format(&reply->wanted, "k%d\tpath/%d\n", i, i);
  text_add(&reply->wanted, "nonsense\n");
  text_add(&reply->body, "list");
}

static const TaskKind echo = {work_echo, 20, false, INFINITY, NULL};
static const TaskKind passing = {work_echo, 20, false, 0, NULL};
static const TaskKind behind = {work_echo, 20, true, INFINITY, NULL};
static const TaskKind wanting = {work_want, 20, false, 0, &behind};

static const TaskCall *call(const char *path) {
  static TaskCall made;
  made = (TaskCall){.path = path, .body = ""};
  return &made;
}

/* ---- tests ---- */

static void test_answer(void **state) {
  (void)state;
  TaskPool *pool = tasks_new(&limits);
  HttpRequest request = {.word = "w"};
  char path[] = "a/b", body[] = "body";
  tasks_add(pool, &echo, NULL,
            &(TaskCall){.path = path,
                        .body = body,
                        .body_length = 4,
                        .query = query,
                        .request = &request,
                        .context = "context"},
            &request);
  path[0] = body[0] = '!'; /* they are copied */
  assert_int_equal(count_running(pool), 1);
  run(pool);
  assert_int_equal(request.answers, 1);
  assert_int_equal(request.status, 200);
  assert_string_equal(request.type.bytes, "application/json");
  assert_string_equal(request.body.bytes, "a/b|body|w|context");
  assert_string_equal(request.policy.bytes, "default-src 'none'");
  assert_true(isinf(tasks_due(pool)));
  clear(&request);
  tasks_delete(pool);
}

static void test_equal_keys_become_one(void **state) {
  (void)state;
  TaskPool *pool = tasks_new(&limits);
  HttpRequest requests[4] = {0};
  uint32_t before = *ran;
  for (int i = 0; i < 3; i++)
    tasks_add(pool, &echo, "key", call("one"), &requests[i]);
  assert_null(tasks_kept(pool, "key"));
  run(pool);
  tasks_add(pool, &echo, "key", call("two"), &requests[3]); /* kept */
  for (int i = 0; i < 4; i++) {
    assert_int_equal(requests[i].answers, 1);
    assert_string_equal(requests[i].body.bytes, "one|||");
    clear(&requests[i]);
  }
  assert_int_equal(*ran, before + 1);
  assert_string_equal(tasks_kept(pool, "key")->body.bytes, "one|||");
  tasks_delete(pool);
}

static void test_what_is_not_kept(void **state) {
  (void)state;
  static const TaskKind refusing = {work_refuse, 20, false, INFINITY, NULL};
  TaskPool *pool = tasks_new(&limits);
  HttpRequest request = {0};
  tasks_add(pool, &refusing, "no", call("\"x\""), &request);
  run(pool);
  assert_int_equal(request.status, 404);
  assert_string_equal(request.body.bytes,
                      "{\"error\":\"there is no <\\\"x\\\">\"}");
  assert_null(tasks_kept(pool, "no"));
  clear(&request);
  tasks_add(pool, &passing, "short", call("p"), &request);
  run(pool);
  assert_int_equal(request.status, 200);
  assert_null(tasks_kept(pool, "short"));
  clear(&request);
  tasks_delete(pool);
}

static void test_failures(void **state) {
  (void)state;
  static const TaskKind hanging = {work_hang, 0.3, false, INFINITY, NULL};
  static const TaskKind dying = {work_die, 20, false, INFINITY, NULL};
  static const TaskKind leaving = {work_leave, 20, false, INFINITY, NULL};
  static const TaskKind eating = {work_eat, 20, false, INFINITY, NULL};
  static const struct {
    const TaskKind *kind;
    unsigned status;
    const char *word;
  } cases[] = {{&hanging, 503, "longer than the 0.3 s"},
               {&dying, 500, "without an answer"},
               {&leaving, 500, "without an answer"},
               {&eating, 503, "more memory than the 256 MiB"}};
  TaskPool *pool = tasks_new(&limits);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    HttpRequest request = {0};
    tasks_add(pool, cases[i].kind, "key", call("p"), &request);
    run(pool);
    assert_int_equal(request.answers, 1);
    assert_int_equal(request.status, cases[i].status);
    assert_non_null(strstr(request.body.bytes, "{\"error\":\""));
    assert_non_null(strstr(request.body.bytes, cases[i].word));
    assert_null(tasks_kept(pool, "key"));
    clear(&request);
  }
  tasks_delete(pool);
}

/* A thumbnail that cannot be made is not tried with every look at the list. */
static void test_background_failure_is_kept(void **state) {
  (void)state;
  static const TaskKind dying = {work_die, 20, true, INFINITY, NULL};
  TaskPool *pool = tasks_new(&limits);
  uint32_t before = *ran;
  for (int i = 0; i < 3; i++) {
    tasks_add(pool, &dying, "key", call("p"), NULL);
    run(pool);
  }
  assert_int_equal(*ran, before + 1);
  assert_int_equal(tasks_kept(pool, "key")->status, 500);
  tasks_delete(pool);
}

static void test_policy(void **state) {
  (void)state;
  static const TaskKind framed = {work_framed, 20, false, INFINITY, NULL};
  TaskPool *pool = tasks_new(&limits);
  for (int i = 0; i < 2; i++) { /* new, and kept */
    HttpRequest request = {0};
    tasks_add(pool, &framed, "key", call("p"), &request);
    run(pool);
    assert_string_equal(request.type.bytes, "text/html");
    assert_string_equal(request.policy.bytes, "sandbox");
    clear(&request);
  }
  tasks_delete(pool);
}

static void test_queue_has_an_end(void **state) {
  (void)state;
  static const TaskKind hanging = {work_hang, 20, false, 0, NULL};
  enum { MANY = TASKS_RUNNING + TASKS_WAITING + 3 };
  static HttpRequest requests[MANY];
  TaskPool *pool = tasks_new(&limits);
  HttpRequest late = {0};
  for (int i = 0; i < MANY; i++)
    tasks_add(pool, &hanging, NULL, call("p"), &requests[i]);
  tasks_add(pool, &behind, NULL, call("p"), &late);
  assert_int_equal(count_running(pool), TASKS_RUNNING);
  for (int i = 0; i < MANY; i++) {
    assert_int_equal(requests[i].answers, i >= TASKS_RUNNING + TASKS_WAITING);
    if (requests[i].answers) assert_int_equal(requests[i].status, 503);
  }
  tasks_delete(pool);
  for (int i = 0; i < MANY; i++) {
    assert_int_equal(requests[i].answers, 1);
    assert_int_equal(requests[i].status, 503);
    clear(&requests[i]);
  }
  assert_int_equal(late.status, 503);
  clear(&late);
}

static void test_wanted_is_made_in_the_background(void **state) {
  (void)state;
  TaskPool *pool = tasks_new(&limits);
  HttpRequest request = {0};
  uint32_t before = *ran;
  for (int i = 0; i < 2; i++) {
    tasks_add(pool, &wanting, "list", call("list"), &request);
    run(pool);
  }
  assert_int_equal(request.answers, 2);
  assert_int_equal(*ran, before + 5);
  assert_string_equal(tasks_kept(pool, "k3")->body.bytes, "path/3|||");
  assert_null(tasks_kept(pool, "nonsense"));
  clear(&request);
  tasks_delete(pool);
}

static void test_least_recently_used_go(void **state) {
  (void)state;
  static const TaskKind large = {work_large, 20, false, INFINITY, NULL};
  enum { FIT = TASKS_KEPT / (3 << 20) };
  TaskPool *pool = tasks_new(&limits);
  char key[20];
  for (int i = 0; i < FIT; i++) {
    snprintf(key, sizeof key, "key%d", i);
    tasks_add(pool, &large, key, call("p"), NULL);
    run(pool);
  }
  assert_non_null(tasks_kept(pool, "key0")); /* now key1 is the oldest */
  tasks_add(pool, &large, "more", call("p"), NULL);
  run(pool);
  assert_non_null(tasks_kept(pool, "more"));
  assert_non_null(tasks_kept(pool, "key0"));
  assert_non_null(tasks_kept(pool, "key2"));
  assert_null(tasks_kept(pool, "key1"));
  assert_int_equal(tasks_kept(pool, "more")->body.length, 3 << 20);
  tasks_delete(pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_answer),
      cmocka_unit_test(test_equal_keys_become_one),
      cmocka_unit_test(test_what_is_not_kept),
      cmocka_unit_test(test_failures),
      cmocka_unit_test(test_background_failure_is_kept),
      cmocka_unit_test(test_policy),
      cmocka_unit_test(test_queue_has_an_end),
      cmocka_unit_test(test_wanted_is_made_in_the_background),
      cmocka_unit_test(test_least_recently_used_go),
  };
  ran = mmap(NULL, sizeof *ran, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
