#include "support/cards.h"

#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

static const double far = 5; /* standard errors */

static Card *card;

bool cards_real(void) {
  const char *wish = getenv("CARD");
  return wish && strcmp(wish, "real") == 0;
}

uint32_t cards_number(uint32_t software, uint32_t longer, uint32_t real) {
  return cards_real() ? real : unit_long() ? longer : software;
}

/* ---- the card ---- */

/* A library that is loaded already is found by its name wherever it lies. */
void cards_find(void) {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 64);
  if (cards_real()) return;
  assert_true(length > 0);
  path[length] = 0;
  for (int i = 0; i < 3; i++) *strrchr(path, '/') = 0; /* three folders up */
  strcat(path, "/card/libcuda.so.1");
  if (!dlopen(path, RTLD_NOW | RTLD_LOCAL))
    fail_msg("there is no card made of software: %s", dlerror());
}

int cards_begin(void **state) {
  Text why = {0};
  (void)state;
  cards_find();
  card = card_open(&why);
  if (!card)
    print_error("no card: %s\n", text_string(&why));
  else if (cards_real())
    print_message("# on %s\n", card->name);
  text_free(&why);
  return card ? 0 : -1;
}

int cards_end(void **state) {
  (void)state;
  if (card) card_close(card);
  return 0;
}

const Card *cards_card(void) {
  return card;
}

/* Every second one gets its other kernels later. */
Gpu *cards_new(const Cones *cones, const GpuOptions *options) {
  static uint32_t calls;
  Text why = {0};
  GpuOptions own = *options;
  own.later = !own.credit && calls++ % 2;
  Gpu *gpu = gpu_new(card, cones, &own, &why);
  if (!gpu) fail_msg("%s", text_string(&why));
  if (own.later) gpu_add(gpu, cones);
  text_free(&why);
  return gpu;
}

bool cards_second(Gpu *gpu) {
  GpuSetup setup = gpu_setup(gpu, true);
  if (getenv("SHOW"))
    print_message("# kernel: %s, %s\n", setup.kind, setup.why);
  return setup.second > 0;
}

void cards_play(Gpu *gpu, const uint64_t *rows, uint32_t count,
                uint32_t repeat) {
  if (!gpu_begin(gpu, 0, rows, count, repeat) || !gpu_wait(gpu, 0))
    fail_msg("%s", gpu_error(gpu));
  assert_true(gpu_done(gpu, 0));
  assert_null(gpu_error(gpu));
}

/* ---- sums ---- */

void cards_listen(void *context, const WidePlayout *playout) {
  CardSums *sums = context;
  sums->states += playout->steps;
  sums->cut_off += playout->outcome == WIDE_CUT_OFF;
  sums->stuck += playout->outcome == WIDE_STUCK;
  if (playout->outcome != WIDE_ENDED) return;
  double steps = playout->steps, discount = pow(sums->gamma, steps);
  sums->ended++;
  sums->steps += steps;
  sums->step_squares += steps * steps;
  for (uint32_t role = 0; role < sums->roles; role++) {
    double goal = playout->goals[role];
    if (goal < 0) continue;
    sums->scored[role]++;
    sums->goals[role] += goal;
    sums->goal_squares[role] += goal * goal;
    sums->returns[role] += goal * discount;
    sums->return_squares[role] += goal * discount * goal * discount;
  }
}

void cards_add(CardSums *sums, const Gpu *gpu, uint32_t starts) {
  for (uint32_t i = 0; i < starts; i++) {
    const GpuSums *from = gpu_sums(gpu, 0, i);
    sums->ended += from->ended;
    sums->cut_off += from->cut_off;
    sums->stuck += from->stuck;
    sums->states += from->states;
    sums->steps += (double)from->steps;
    for (uint32_t role = 0; role < sums->roles; role++) {
      const GpuRoleSums *of = gpu_role_sums(gpu, 0, i, role);
      sums->scored[role] += of->scored;
      sums->goals[role] += (double)of->goals;
      sums->goal_squares[role] += (double)of->goal_squares;
      sums->returns[role] += (double)of->returns * 0x1p-16;
    }
  }
}

/* ---- cards that fail ---- */

static int run_child(const char *variable, uint32_t value, const char *word,
                     CardsRun *run, const void *context) {
  char text[16];
  Text why = {0};
  snprintf(text, sizeof text, "%u", value);
  setenv(variable, text, 1);
  setenv("TAFL_CARD_QUIET", "1", 1);
  bool poll = strcmp(variable, "TAFL_CARD_HANG") == 0 ||
              strcmp(variable, "TAFL_CARD_LATE") == 0;
  int code = run(context, poll, &why);
  if (why.length && !strstr(why.bytes, word)) code = LINES;
  if (why.length && strchr(why.bytes, '\n')) code = LINES;
  text_free(&why);
  return code;
}

int cards_try(const char *variable, uint32_t value, const char *word,
              CardsRun *run, const void *context) {
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (!child) _exit(run_child(variable, value, word, run, context));
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status))
    fail_msg("%s=%u: signal %d", variable, value, WTERMSIG(status));
  int code = WEXITSTATUS(status);
  if (code < NO_CARD || code >= LINES)
    fail_msg("%s=%u: code %d", variable, value, code);
  return code;
}

/* ---- comparison ---- */

typedef struct Mean {
  double mean, variance, count;
} Mean;

static Mean mean_of(double sum, double squares, uint64_t count) {
  if (!count) return (Mean){0, 0, 0};
  double mean = sum / (double)count;
  return (Mean){mean, fmax(squares / (double)count - mean * mean, 0),
                (double)count};
}

/* Both samples are taken to have the variance of `host`; a variance of 0 allows
   for a difference of rounding only. */
static void check_means(const char *what, const char *of, Mean one, Mean host) {
  if (one.count == 0 || host.count == 0) return;
  double error =
      sqrt(host.variance * (1 / one.count + 1 / host.count)) + 1e-4 / far;
  if (getenv("SHOW"))
    print_message("# %s: %s %.4f and %.4f, %+.2f errors\n", what, of, one.mean,
                  host.mean, (one.mean - host.mean) / error);
  if (fabs(one.mean - host.mean) > far * error)
    fail_msg("%s: %s is %.4f, expected %.4f +- %.4f", what, of, one.mean,
             host.mean, error);
}

/* Shares of the same event, with the variance of both together. */
static void check_shares(const char *what, const char *of, uint64_t hits,
                         uint64_t all, uint64_t host_hits, uint64_t host_all) {
  if (!all || !host_all) return;
  double share = (double)(hits + host_hits) / (double)(all + host_all);
  double variance = share * (1 - share);
  Mean one = {(double)hits / (double)all, variance, (double)all};
  Mean host = {(double)host_hits / (double)host_all, variance,
               (double)host_all};
  check_means(what, of, one, host);
}

void cards_compare(const char *what, const CardSums *one,
                   const CardSums *host) {
  uint64_t all = one->ended + one->cut_off + one->stuck;
  uint64_t host_all = host->ended + host->cut_off + host->stuck;
  check_shares(what, "the share that ended", one->ended, all, host->ended,
               host_all);
  check_shares(what, "the share that was cut off", one->cut_off, all,
               host->cut_off, host_all);
  Mean length = mean_of(host->steps, host->step_squares, host->ended);
  check_means(what, "the length", mean_of(one->steps, 0, one->ended), length);
  for (uint32_t role = 0; role < host->roles; role++) {
    uint64_t count = one->scored[role], host_count = host->scored[role];
    Mean goal =
        mean_of(host->goals[role], host->goal_squares[role], host_count);
    Mean value =
        mean_of(host->returns[role], host->return_squares[role], host_count);
    check_shares(what, "the share with a goal", count, one->ended, host_count,
                 host->ended);
    check_means(what, "a goal", mean_of(one->goals[role], 0, count), goal);
    check_means(what, "a return", mean_of(one->returns[role], 0, count), value);
  }
}
