/* A crew with real ranks on this machine, driven as a search drives its ally:
   leaves come back with their sums, wherever ranks are killed nothing is lost
   without being told, and no process stays behind. Where there is no MPI, the
   checks are skipped. */
#include "cluster/crew.h"

#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"
#include "support/library.h"

enum { REPEAT = 4, LEAVES_MOST = 4096 };

static const char program[] = "build/tafl";

/* ---- processes ---- */

static void read_small(const char *pid, const char *what, char *text,
                       size_t size) {
  char path[300];
  snprintf(path, sizeof path, "/proc/%s/%s", pid, what);
  FILE *file = fopen(path, "re");
  size_t got = file ? fread(text, 1, size - 1, file) : 0;
  text[got] = 0;
  for (size_t i = 0; i < got; i++)
    if (!text[i]) text[i] = ' ';
  if (file) fclose(file);
}

/* Processes that this one's crew has started: all, or if `last` is to get the
   highest number of one, ranks alone. */
static uint32_t count_ranks(pid_t *last) {
  uint32_t count = 0;
  char own[40];
  static char text[1 << 16];
  snprintf(own, sizeof own, "CREW_TEST=%d ", (int)getpid());
  DIR *folder = opendir("/proc");
  for (struct dirent *each = readdir(folder); each; each = readdir(folder)) {
    if (each->d_name[0] < '1' || each->d_name[0] > '9') continue;
    read_small(each->d_name, "cmdline", text, sizeof text);
    if (!strstr(text, "tafl worker")) continue;
    if (last && (strstr(text, "mpirun") || strstr(text, "--guard"))) continue;
    read_small(each->d_name, "environ", text, sizeof text);
    if (!strstr(text, own)) continue;
    count++;
    pid_t pid = (pid_t)atoi(each->d_name);
    if (last && pid > *last) *last = pid;
  }
  closedir(folder);
  return count;
}

/* ---- a crew ---- */

typedef struct Team {
  TestGame game;
  Scheme scheme;
  Settings settings;
  Crew *crew;
  Ally *ally;
  AllyResult result;
  uint32_t sent, done, lost; /* tasks */
  uint64_t playouts;
  char notes[8192];
} Team;

static bool has_mpi(void) {
  return access("build/tafl-mpi.so", R_OK) == 0 &&
         system("command -v mpirun >/dev/null") == 0;
}

static void note(void *context, const char *line) {
  Team *team = context;
  size_t used = strlen(team->notes);
  snprintf(team->notes + used, sizeof team->notes - used, "%s\n", line);
  print_message("# %s\n", line);
}

static void open_team(Team *team, const char *ranks, SchemeKind kind,
                      const char *delay) {
  Text error = {0};
  char own[40];
  *team = (Team){.scheme = {.launcher = "mpirun",
                            .kind = kind,
                            .apart = true,
                            .delay = delay,
                            .program = realpath(program, NULL)}};
  /* Ranks refuse masters of another version: ask the program for its own. */
  static char version[200];
  FILE *pipe = popen("build/tafl --version", "re");
  assert_non_null(pipe);
  assert_non_null(fgets(version, sizeof version, pipe));
  pclose(pipe);
  version[strcspn(version, "\n")] = 0;
  team->scheme.version = version + strlen("tafl ");
  snprintf(own, sizeof own, "%d", (int)getpid());
  setenv("CREW_TEST", own, 1);
  assert_true(hosts_read(&team->scheme.hosts, ranks, &error));
  test_game_open(&team->game, "connectFour", true);
  assert_true(settings_parse(&team->settings, "tafl:memory=16", &error));
  const Text *rules = &team->game.description.text;
  CrewWork work = {.rules = rules->bytes,
                   .rules_length = rules->length,
                   .settings = &team->settings,
                   .limits = team->game.rules.limits,
                   .seed = 1,
                   .note = note,
                   .context = team};
  work.limits.ground.memory = 256 << 20;
  team->crew = crew_new(&team->scheme, &work, &error);
  assert_non_null(team->crew);
  team->ally = crew_ally(team->crew, &team->game.rules);
}

static void close_team(Team *team) {
  if (team->crew) crew_delete(team->crew);
  ally_free_result(&team->result);
  test_game_close(&team->game);
  hosts_free(&team->scheme.hosts);
  free((void *)team->scheme.program);
  double until = clock_now() + 5;
  while (count_ranks(NULL) && clock_now() < until) usleep(10000);
  assert_int_equal(count_ranks(NULL), 0);
}

static void stand(Team *team, const Move *joint) {
  Game *game = team->game.rules.spare;
  const uint64_t *words;
  AllyPosition position = {.depth = joint ? 1 : 0};
  if (joint) game_make(game, joint);
  position.words = game_state(game, &words);
  position.state = words;
  team->ally->operations->stand(team->ally, &position);
}

/* Sends the current state as often as there is room for. */
static void send(Team *team) {
  static uint64_t states[LEAVES_MOST * 8];
  const uint64_t *words;
  uint32_t count = game_state(team->game.rules.spare, &words);
  uint32_t room = team->ally->operations->room(team->ally);
  assert_true(count <= 8);
  if (room > LEAVES_MOST) room = LEAVES_MOST;
  if (!room) return;
  for (uint32_t i = 0; i < room; i++)
    memcpy(states + i * count, words, count * sizeof *words);
  const AllyTask task = {.number = ++team->sent,
                         .leaves = room,
                         .repeat = REPEAT,
                         .words = count,
                         .states = states};
  team->ally->operations->play(team->ally, &task);
}

/* Two roles whose goals add up to 100 in every playout. */
static void check_result(Team *team) {
  const AllyResult *result = &team->result;
  assert_int_equal(result->playouts.count, result->leaves);
  assert_int_equal(result->sums.count, 2 * result->leaves);
  for (uint32_t i = 0; i < result->leaves; i++) {
    assert_int_equal(result->playouts.data[i], REPEAT);
    assert_true(result->steps.data[i] >= 6u * REPEAT);
    double sum = result->sums.data[2 * i] + result->sums.data[2 * i + 1];
    assert_true(sum > 0 && sum <= 100 * REPEAT + 1e-6);
    team->playouts += REPEAT;
  }
}

static void take(Team *team) {
  while (team->ally->operations->take(team->ally, &team->result)) {
    if (team->result.leaves) {
      team->done++;
      check_result(team);
    } else {
      team->lost++;
    }
  }
}

static void work_for(Team *team, double seconds) {
  double until = clock_now() + seconds;
  while (clock_now() < until) {
    send(team);
    team->ally->operations->wait(team->ally, 0.02);
    take(team);
  }
}

/* Works until so many tasks were done in this team's life. */
static void work_until(Team *team, uint32_t done, double seconds) {
  double until = clock_now() + seconds;
  while (team->done < done && clock_now() < until) {
    work_for(team, 0.05);
    assert_null(strstr(team->notes, "cannot work"));
  }
  assert_true(team->done >= done);
}

/* ---- checks ---- */

static void test_leaves(void **state) {
  Team team;
  (void)state;
  if (!has_mpi()) skip();
  open_team(&team, "3", SCHEME_LEAF, "");
  assert_int_equal(team.ally->operations->room(team.ally), 0);
  crew_wait(team.crew, 60);
  stand(&team, NULL);
  work_until(&team, 20, 60);
  assert_int_equal(team.lost, 0);
  CrewCounts counts;
  crew_count(team.crew, &counts);
  assert_int_equal(counts.ranks, 3);
  assert_int_equal(counts.hosts, 1);
  assert_int_equal(counts.ready, 3);
  assert_int_equal(counts.simulations, team.playouts);
  /* What was under way is not told any more. */
  send(&team);
  uint32_t sent = team.sent;
  const Move *moves;
  Move joint[2];
  for (uint32_t role = 0; role < 2; role++) {
    game_legal(team.game.rules.spare, role, &moves);
    joint[role] = moves[0];
  }
  stand(&team, joint);
  while (team.ally->operations->take(team.ally, &team.result))
    assert_true(team.result.number > sent);
  uint32_t done = team.done;
  work_until(&team, done + 5, 10);
  close_team(&team);
}

static void test_one_rank(void **state) {
  Team team;
  (void)state;
  if (!has_mpi()) skip();
  open_team(&team, "1", SCHEME_LEAF, "");
  stand(&team, NULL);
  work_until(&team, 10, 60);
  close_team(&team);
}

static void test_delays(void **state) {
  Team team;
  (void)state;
  if (!has_mpi()) skip();
  open_team(&team, "3", SCHEME_LEAF, "0-300");
  stand(&team, NULL);
  work_until(&team, 10, 60);
  assert_int_equal(team.lost, 0);
  close_team(&team);
}

/* Whatever is under way when a rank dies is reported lost within that time, and
   the job is there again soon after. */
static void check_death(Team *team, int number, double patience) {
  CrewCounts counts;
  pid_t victim = 0;
  crew_wait(team->crew, 60);
  stand(team, NULL);
  work_until(team, 10, 60);
  for (int i = 0; i < 50; i++) send(team);
  assert_true(team->sent > team->done + team->lost);
  crew_count(team->crew, &counts);
  uint32_t starts = counts.starts, done = team->done;
  assert_int_equal(count_ranks(&victim), 3);
  double killed = clock_now();
  assert_int_equal(kill(victim, number), 0);
  while (team->sent > team->done + team->lost &&
         clock_now() < killed + patience) {
    team->ally->operations->wait(team->ally, 0.05);
    take(team);
  }
  assert_int_equal(team->sent, team->done + team->lost);
  print_message("# told after %.2f s\n", clock_now() - killed);
  while (counts.starts == starts && clock_now() < killed + 60) {
    work_for(team, 0.1);
    crew_count(team->crew, &counts);
  }
  work_until(team, done + 10, 60);
  print_message("# again at work after %.2f s\n", clock_now() - killed);
  assert_non_null(strstr(team->notes, "searching alone"));
  while (!strstr(team->notes, "cluster: again 3 ranks") &&
         clock_now() < killed + 60)
    work_for(team, 0.1);
  assert_non_null(strstr(team->notes, "cluster: again 3 ranks"));
}

static void test_killed(void **state) {
  Team team;
  (void)state;
  if (!has_mpi()) skip();
  open_team(&team, "3", SCHEME_LEAF, "");
  check_death(&team, SIGKILL, 1);
  assert_non_null(strstr(team.notes, "ended by signal 9"));
  close_team(&team);
}

static void test_stopped(void **state) {
  Team team;
  (void)state;
  if (!has_mpi()) skip();
  open_team(&team, "3", SCHEME_LEAF, "");
  check_death(&team, SIGSTOP, 8);
  assert_non_null(strstr(team.notes, "is silent"));
  close_team(&team);
}

static void check_roots(SchemeKind kind) {
  Team team;
  RootSums sums = {0};
  uint64_t simulations = 0, visits = 0;
  if (!has_mpi()) skip();
  open_team(&team, "2", kind, "");
  assert_true(team.ally->joins == (kind == SCHEME_RUNS));
  stand(&team, NULL);
  double until = clock_now() + 60;
  for (int news = 0; news < 5 && clock_now() < until;) {
    team.ally->operations->wait(team.ally, 0.2);
    if (!team.ally->operations->roots(team.ally, &sums)) continue;
    news++;
    assert_true(sums.simulations >= simulations);
    simulations = sums.simulations;
  }
  assert_true(simulations > 0);
  for (uint32_t i = 0; i < sums.actions.count; i++) {
    const RootSum *sum = &sums.actions.data[i];
    visits += sum->visits;
    assert_true(sum->move < team.game.rules.net.moves.count);
    assert_true(!i || sum->move > sum[-1].move);
  }
  assert_true(visits > 0);
  assert_int_equal(team.ally->operations->room(team.ally), 0);
  team.ally->operations->rest(team.ally);
  vector_free(&sums.actions);
  close_team(&team);
}

static void test_roots(void **state) {
  (void)state;
  check_roots(SCHEME_ROOT);
}

static void test_runs(void **state) {
  (void)state;
  check_roots(SCHEME_RUNS);
}

/* Nobody waits for a crew that is left; its ranks end all the same. */
static void test_left(void **state) {
  Team team;
  (void)state;
  if (!has_mpi()) skip();
  open_team(&team, "2", SCHEME_LEAF, "");
  crew_wait(team.crew, 60);
  double begun = clock_now();
  crew_leave(team.crew);
  team.crew = NULL;
  assert_true(clock_now() < begun + 0.5);
  close_team(&team);
}

static void test_no_launcher(void **state) {
  Team team;
  (void)state;
  open_team(&team, "2", SCHEME_LEAF, "");
  crew_delete(team.crew);
  Text error = {0};
  team.scheme.launcher = "no-such-launcher";
  team.notes[0] = 0;
  const CrewWork work = {
      .rules = "", .settings = &team.settings, .note = note, .context = &team};
  team.crew = crew_new(&team.scheme, &work, &error);
  assert_non_null(team.crew);
  team.ally = crew_ally(team.crew, &team.game.rules);
  double until = clock_now() + 10;
  while (!strstr(team.notes, "no such command") && clock_now() < until)
    usleep(10000);
  assert_non_null(strstr(team.notes, "no such command"));
  assert_int_equal(team.ally->operations->room(team.ally), 0);
  close_team(&team);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_leaves),      cmocka_unit_test(test_one_rank),
      cmocka_unit_test(test_delays),      cmocka_unit_test(test_killed),
      cmocka_unit_test(test_stopped),     cmocka_unit_test(test_roots),
      cmocka_unit_test(test_runs),        cmocka_unit_test(test_left),
      cmocka_unit_test(test_no_launcher),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
