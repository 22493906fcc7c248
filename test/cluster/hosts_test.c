/* Files of hosts, commands of launchers, delays, and who gets which leaves. */
#include "cluster/hosts.h"

#include <unistd.h>

#include "base/file.h"
#include "cluster/deal.h"
#include "cluster/launch.h"
#include "support/unit.h"

static bool read_file(Hosts *hosts, const char *content, Text *error) {
  char path[] = "/tmp/hosts_test.XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  assert_true(file_write_all(file, content, strlen(content)));
  close(file);
  text_clear(error);
  bool fine = hosts_read(hosts, path, error);
  unlink(path);
  return fine;
}

static void test_files(void **state) {
  Hosts hosts;
  Text error = {0}, dead = {0};
  (void)state;
  assert_true(read_file(&hosts,
                        "# two machines\n\nnodea slots=4 # fast\n"
                        "nodeb\r\n  nodea slots=2 max_slots=9\n",
                        &error));
  assert_int_equal(hosts.list.count, 2);
  assert_string_equal(hosts.list.data[0].name.bytes, "nodea");
  assert_int_equal(hosts.list.data[0].slots, 6);
  assert_int_equal(hosts_ranks(&hosts), 7);
  assert_false(hosts_local(&hosts));
  hosts.list.data[0].dead = true;
  hosts_write_dead(&hosts, &dead);
  assert_string_equal(dead.bytes, "nodea");
  assert_int_equal(hosts_ranks(&hosts), 1);
  assert_int_equal(hosts_living(&hosts), 1);
  hosts_free(&hosts);
  assert_true(read_file(&hosts, "localhost slots=2", &error));
  assert_true(hosts_local(&hosts));
  hosts_free(&hosts);
  text_free(&error);
  text_free(&dead);
}

static void test_bad_files(void **state) {
  static const char *const bad[] = {"",
                                    "# nobody\n",
                                    "nodea slots=0\n",
                                    "nodea slots=x\n",
                                    "-n 4\n",
                                    "a,b\n",
                                    "nodea 4\n",
                                    "nodea slots=70000\n",
                                    "a;b\n",
                                    "nodea slots=\n",
                                    "nodea slots=1 cpu=2\n"};
  Hosts hosts;
  Text error = {0};
  (void)state;
  for (size_t i = 0; i < LENGTH(bad); i++) {
    if (read_file(&hosts, bad[i], &error)) fail_msg("accepted: %s", bad[i]);
    assert_true(error.length > 0);
  }
  text_clear(&error);
  assert_false(hosts_read(&hosts, "0", &error));
  assert_false(hosts_read(&hosts, "99999999", &error));
  assert_false(hosts_read(&hosts, "/no/such/file", &error));
  assert_true(hosts_read(&hosts, "4", &error));
  assert_int_equal(hosts_ranks(&hosts), 4);
  assert_true(hosts_local(&hosts));
  hosts_free(&hosts);
  text_free(&error);
}

static void write_command(const Scheme *scheme, const Host *only, Text *text) {
  TextVector words = {0};
  uint32_t ranks = only ? 1 : hosts_ranks(&scheme->hosts);
  text_clear(text);
  launch_command(scheme, &scheme->hosts, only, ranks, "--apart", &words);
  for (uint32_t i = 0; i < words.count; i++)
    text_format(text, "%s ", words.data[i].bytes);
  text_vector_free(&words);
}

static void test_commands(void **state) {
  Scheme scheme = {.launcher = "mpirun --mca x  y", .program = "/bin/tafl"};
  Text text = {0}, error = {0};
  (void)state;
  assert_true(read_file(&scheme.hosts, "nodea slots=4\nnodeb\n", &error));
  write_command(&scheme, NULL, &text);
  assert_non_null(strstr(text.bytes, "mpirun --mca x y "));
  assert_non_null(strstr(text.bytes, "--host nodea:4,nodeb:1 -n 5 "));
  assert_non_null(strstr(text.bytes, "-x " LAUNCH_VARIABLE " "));
  assert_non_null(strstr(text.bytes, " /bin/tafl worker --apart "));
  write_command(&scheme, &scheme.hosts.list.data[0], &text);
  assert_non_null(strstr(text.bytes, "--host nodea:1 -n 1 "));
  scheme.hosts.list.data[0].dead = true;
  write_command(&scheme, NULL, &text);
  assert_non_null(strstr(text.bytes, "--host nodeb:1 -n 1 "));
  scheme.launcher = "/usr/bin/srun --mpi=pmix";
  write_command(&scheme, NULL, &text);
  assert_non_null(strstr(text.bytes, "srun --mpi=pmix --kill-on-bad-exit=1"));
  assert_non_null(strstr(text.bytes, "-w nodeb -n 1 /bin/tafl worker"));
  hosts_free(&scheme.hosts);
  text_free(&text);
  text_free(&error);
}

static void test_delays(void **state) {
  double least, most;
  (void)state;
  assert_true(scheme_read_delay("", &least, &most));
  assert_true(scheme_read_delay("5-250", &least, &most));
  assert_true(least == 0.005 && most == 0.25);
  assert_false(scheme_read_delay("5", &least, &most));
  assert_false(scheme_read_delay("9-5", &least, &most));
  assert_false(scheme_read_delay("0-x", &least, &most));
  assert_false(scheme_read_delay("0-99999999", &least, &most));
}

/* ---- dealing ---- */

enum { WORDS = 2 };

static void add_task(Deal *deal, uint32_t number, uint32_t leaves) {
  uint64_t *states = memory_new(leaves * WORDS * sizeof *states);
  for (uint32_t i = 0; i < leaves * WORDS; i++)
    states[i] = number * 1000000 + i;
  const Piece piece = {.epoch = 1,
                       .number = number,
                       .leaves = leaves,
                       .repeat = 4,
                       .words = WORDS,
                       .states = (const char *)states};
  Text message = {0};
  talk_write_piece(&message, &piece);
  assert_true(deal_add(deal, &message));
  memory_delete(states);
}

/* Every leaf is dealt exactly once, with its own state; nobody gets more than
   two pieces for each thread; a worker that is ten times as fast gets most. */
static void test_deal(void **state) {
  enum { TASKS = 30, LEAVES = 700 };
  static uint8_t seen[TASKS][LEAVES];
  static const double seconds[] = {0, 1e-4, 1e-3}; /* for a leaf */
  uint32_t under_way[3] = {0}, dealt = 0, worker, shares[3] = {0};
  struct {
    uint32_t worker, leaves;
  } queue[16];
  uint32_t queued = 0;
  Deal deal;
  Text message = {0};
  (void)state;
  deal_init(&deal, 3);
  add_task(&deal, 0, LEAVES);
  assert_false(deal_next(&deal, &worker, &message)); /* nobody works yet */
  deal_enter(&deal, 1, 3, 64);
  deal_enter(&deal, 2, 1, 64);
  assert_true(deal_wanted(&deal) > 0);
  for (uint32_t i = 1; i < TASKS; i++) add_task(&deal, i, LEAVES);
  while (dealt < TASKS * LEAVES) {
    while (deal_next(&deal, &worker, &message)) {
      Piece piece;
      uint64_t first;
      assert_true(talk_read_piece(&message, &piece));
      assert_true(worker == 1 || worker == 2);
      under_way[worker]++;
      assert_true(under_way[worker] <= (worker == 1 ? 6u : 2u));
      memcpy(&first, piece.states, sizeof first);
      assert_true(first == piece.number * 1000000 + piece.first * WORDS);
      for (uint32_t i = 0; i < piece.leaves; i++)
        assert_int_equal(seen[piece.number][piece.first + i]++, 0);
      dealt += piece.leaves;
      shares[worker] += piece.leaves;
      queue[queued].worker = worker;
      queue[queued++].leaves = piece.leaves;
    }
    assert_true(queued > 0);
    uint32_t who = queue[0].worker, leaves = queue[0].leaves;
    memmove(queue, queue + 1, --queued * sizeof *queue);
    under_way[who]--;
    deal_done(&deal, who, leaves, leaves * seconds[who]);
  }
  assert_int_equal(dealt, TASKS * LEAVES);
  assert_true(shares[1] > 5 * shares[2]);
  add_task(&deal, 0, LEAVES);
  deal_clear(&deal);
  for (int i = 0; i < 8; i++) deal_done(&deal, 1, 0, 0);
  assert_false(deal_next(&deal, &worker, &message));
  Text none = {0};
  text_add(&none, "no task");
  assert_false(deal_add(&deal, &none));
  text_free(&none);
  deal_free(&deal);
  text_free(&message);
}

/* Pieces come to take about ten milliseconds, however long a leaf takes. */
static void test_pace(void **state) {
  static const double paces[] = {1e-6, 1e-5, 1e-4, 1e-3};
  (void)state;
  for (size_t i = 0; i < LENGTH(paces); i++) {
    Deal deal;
    Text message = {0};
    Piece piece = {0};
    uint32_t worker;
    deal_init(&deal, 1);
    deal_enter(&deal, 0, 1, 16);
    for (int n = 0; n < 40; n++) {
      add_task(&deal, 1, 50000);
      assert_true(deal_next(&deal, &worker, &message));
      assert_true(talk_read_piece(&message, &piece));
      deal_done(&deal, 0, piece.leaves, piece.leaves * paces[i]);
      deal_clear(&deal);
    }
    double took = piece.leaves * paces[i];
    assert_true(took > 0.005 && took < 0.020);
    text_free(&message);
    deal_free(&deal);
  }
}

/* Lanes are filled even if that takes longer. */
static void test_lanes(void **state) {
  Deal deal;
  Text message = {0};
  Piece piece;
  uint32_t worker;
  (void)state;
  deal_init(&deal, 1);
  deal_enter(&deal, 0, 1, 512);
  for (int n = 0; n < 20; n++) {
    add_task(&deal, 1, 50000);
    assert_true(deal_next(&deal, &worker, &message));
    assert_true(talk_read_piece(&message, &piece));
    deal_done(&deal, 0, piece.leaves, 0.1);
    deal_clear(&deal);
  }
  assert_int_equal(piece.leaves, 512 / 4);
  assert_int_equal(deal_wanted(&deal), 3 * 512 / 4);
  text_free(&message);
  deal_free(&deal);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_files),    cmocka_unit_test(test_bad_files),
      cmocka_unit_test(test_commands), cmocka_unit_test(test_delays),
      cmocka_unit_test(test_deal),     cmocka_unit_test(test_pace),
      cmocka_unit_test(test_lanes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
