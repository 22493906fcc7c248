/* The ranks of a job. This program starts itself under mpirun, four ranks on
   one machine, once for each check; as a rank it exits with 0 if what it saw
   was right. Where there is no mpirun, or no MPI in this build, the checks are
   skipped. */
#include "cluster/ranks.h"

#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "support/unit.h"

enum { RANKS = 4 };

/* ---- ranks ---- */

/* Ends all ranks if something is wrong. */
#define expect(ranks, fine) \
  ((fine) ? (void)0 : complain(ranks, #fine, __LINE__))

static void complain(Ranks *ranks, const char *what, int line) {
  fprintf(stderr, "rank %u, line %d: %s\n", ranks_own(ranks), line, what);
  ranks_abort(ranks, 1);
}

static void take(Ranks *ranks, RankMessage *message) {
  expect(ranks, ranks_wait(ranks, 60));
  expect(ranks, ranks_receive(ranks, message));
}

/* Bytes that sender, receiver, tag and length decide, zeros among them. */
static void fill(Text *body, uint32_t from, uint32_t to, uint32_t tag,
                 size_t length) {
  uint64_t seed = hash_pair(hash_pair(from, to), hash_pair(tag, length));
  for (size_t i = 0; i < length; i++)
    text_add_byte(body, (char)(hash_pair(seed, i / 8) >> 8 * (i % 8)));
}

static void send(Ranks *ranks, uint32_t to, uint32_t tag, size_t length) {
  Text body = {0};
  fill(&body, ranks_own(ranks), to, tag, length);
  ranks_send(ranks, to, tag, &body);
  expect(ranks, !body.bytes && !body.length);
}

static void check(Ranks *ranks, const RankMessage *message, size_t length) {
  Text wanted = {0};
  fill(&wanted, message->from, ranks_own(ranks), message->tag, length);
  expect(ranks, message->body.length == length);
  expect(ranks, memcmp(text_string(&wanted), message->body.bytes, length) == 0);
  expect(ranks, message->body.bytes[length] == '\0');
  text_free(&wanted);
}

static const size_t sizes[] = {0,    1,     7,     4095,    4096,
                               4097, 65536, 65537, 1000003, 8 << 20};

/* Everybody sends messages of all sizes to everybody, itself included. */
static void try_sizes(Ranks *ranks) {
  uint32_t next[RANKS] = {0};
  for (uint32_t i = 0; i < LENGTH(sizes); i++)
    for (uint32_t to = 0; to < RANKS; to++) send(ranks, to, 5, sizes[i]);
  for (uint32_t n = 0; n < RANKS * LENGTH(sizes); n++) {
    RankMessage message;
    take(ranks, &message);
    check(ranks, &message, sizes[next[message.from]++]);
    expect(ranks, message.tag == 5);
    text_free(&message.body);
  }
  RankMessage none;
  while (ranks_unsent(ranks)) expect(ranks, !ranks_receive(ranks, &none));
  expect(ranks, !ranks_receive(ranks, &none));
}

/* Thousands of small messages, before anybody has taken one. */
static void try_many(Ranks *ranks) {
  enum { COUNT = 3000 };
  uint32_t next[RANKS] = {0};
  for (uint32_t i = 0; i < COUNT; i++)
    for (uint32_t to = 0; to < RANKS; to++) {
      Text body = {0};
      text_format(&body, "%u %u", ranks_own(ranks), i);
      ranks_send(ranks, to, i % 3, &body);
    }
  for (uint32_t n = 0; n < RANKS * COUNT; n++) {
    RankMessage message;
    Text wanted = {0};
    take(ranks, &message);
    text_format(&wanted, "%u %u", message.from, next[message.from]);
    expect(ranks, strcmp(message.body.bytes, wanted.bytes) == 0);
    expect(ranks, message.tag == next[message.from]++ % 3);
    text_free(&wanted);
    text_free(&message.body);
  }
}

/* A question to each rank and its answer, many times. */
static void try_talk(Ranks *ranks) {
  enum { COUNT = 500 };
  uint32_t left = ranks_own(ranks) ? COUNT : (RANKS - 1) * COUNT;
  if (!ranks_own(ranks))
    for (uint32_t to = 1; to < RANKS; to++) send(ranks, to, 0, 100);
  while (left) {
    RankMessage message;
    take(ranks, &message);
    check(ranks, &message, message.tag % 2 ? 9000 : 100);
    left--;
    if (ranks_own(ranks))
      send(ranks, 0, message.tag + 1, 9000);
    else if (message.tag + 1 < 2 * COUNT)
      send(ranks, message.from, message.tag + 1, 100);
    text_free(&message.body);
  }
}

/* Waiting in vain ends at its time and costs hardly any processor time. */
static void try_wait(Ranks *ranks) {
  double start = clock_now(), busy = clock_thread();
  expect(ranks, !ranks_wait(ranks, 0));
  expect(ranks, clock_now() - start < 0.5);
  expect(ranks, !ranks_wait(ranks, 1.0));
  double waited = clock_now() - start;
  expect(ranks, waited >= 1.0 && waited < 5);
  expect(ranks, clock_thread() - busy < 0.25);
}

/* Messages that nobody takes, small and large, keep nobody from closing. */
static void try_unread(Ranks *ranks) {
  for (uint32_t to = 0; to < RANKS; to++) {
    send(ranks, to, 2, 10);
    send(ranks, to, 2, 5 << 20);
  }
}

static void try_host(Ranks *ranks) {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  expect(ranks, strcmp(ranks_host(ranks), name) == 0);
  expect(ranks, ranks_own(ranks) < RANKS);
}

/* One rank ends the job while the others wait for ever. */
static void try_abort(Ranks *ranks) {
  if (ranks_own(ranks) == 2) ranks_abort(ranks, 7);
  ranks_wait(ranks, 600);
}

static const struct Check {
  const char *name;
  void (*rank)(Ranks *ranks);
} checks[] = {{"sizes", try_sizes}, {"many", try_many},     {"talk", try_talk},
              {"wait", try_wait},   {"unread", try_unread}, {"host", try_host},
              {"abort", try_abort}};

static int be_rank(const char *name, uint32_t count) {
  Text why = {0};
  Ranks *ranks = ranks_open(&why);
  if (!ranks) {
    fprintf(stderr, "%s\n", text_string(&why));
    return 3;
  }
  expect(ranks, ranks_count(ranks) == count);
  for (size_t i = 0; i < LENGTH(checks); i++)
    if (strcmp(checks[i].name, name) == 0) checks[i].rank(ranks);
  ranks_close(ranks);
  return 0;
}

/* ---- the test ---- */

static const char *program;

/* The module is in the build folder, two folders above this program. MPI has
   blocks that it never frees, which are not for us to report. */
static void set_environment(void) {
  Text module = {0};
  const char *end = strstr(program, "/test/");
  text_add_bytes(&module, program, end ? (size_t)(end - program) : 0);
  text_add(&module, "/tafl-mpi.so");
  setenv("TAFL_MPI", module.bytes, 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
  text_free(&module);
}

static void skip_without(void) {
  if (system("command -v mpirun >/dev/null") != 0) {
    print_message("# there is no mpirun here\n");
    skip();
  }
  if (access(getenv("TAFL_MPI"), F_OK) != 0) {
    print_message("# this build has no MPI\n");
    skip();
  }
}

/* Runs the check in all ranks and returns mpirun's exit code. */
static int run(const char *name) {
  Text command = {0};
  text_format(&command,
              "timeout 120 mpirun --oversubscribe -n %d \"%s\" --rank %s",
              RANKS, program, name);
  int status = system(command.bytes);
  text_free(&command);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_check(void **state) {
  const struct Check *check = *state;
  skip_without();
  assert_int_equal(run(check->name), check->rank == try_abort ? 7 : 0);
}

static void test_alone(void **state) {
  (void)state;
  Text command = {0};
  skip_without();
  text_format(&command, "timeout 60 \"%s\" --alone", program);
  assert_int_equal(system(command.bytes), 0);
  text_free(&command);
}

static void test_no_module(void **state) {
  (void)state;
  Text why = {0}, module = {0};
  text_add(&module, getenv("TAFL_MPI"));
  setenv("TAFL_MPI", "/nowhere/tafl-mpi.so", 1);
  assert_null(ranks_open(&why));
  assert_non_null(strstr(text_string(&why), "MPI cannot be loaded"));
  text_clear(&why);
  unsetenv("TAFL_MPI");
  assert_null(ranks_open(&why)); /* there is none beside this program */
  assert_string_equal(text_string(&why), "this program was built without MPI");
  setenv("TAFL_MPI", module.bytes, 1);
  text_free(&why);
  text_free(&module);
}

int main(int argc, char **argv) {
  if (argc > 2 && strcmp(argv[1], "--rank") == 0)
    return be_rank(argv[2], RANKS);
  if (argc > 1) return be_rank("", 1);
  char own[4096];
  ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
  if (length <= 0) return 1;
  own[length] = '\0';
  program = own;
  set_environment();
  struct CMUnitTest tests[LENGTH(checks) + 2];
  for (size_t i = 0; i < LENGTH(checks); i++)
    tests[i] = (struct CMUnitTest){.name = checks[i].name,
                                   .test_func = test_check,
                                   .initial_state = (void *)&checks[i]};
  tests[LENGTH(checks)] = (struct CMUnitTest)cmocka_unit_test(test_alone);
  tests[LENGTH(checks) + 1] =
      (struct CMUnitTest)cmocka_unit_test(test_no_module);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
