/* tafl bench GAME… --search: how fast an agent's search makes simulations, in a
   tree whose memory is used for the first time (cold) and again (warm), and how
   much of it they take. Rates are per second of processor time of all threads
   together, so that other work on the machine hardly changes them; beside them,
   per second that passed. With --seconds instead of --sims, a graphics card
   takes part, as soon as it is ready. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "command/bench.h"
#include "search/search.h"

static const uint64_t simulations = 1000000; /* if the options do not say */

typedef struct Round {
  double processor, seconds;
  uint64_t simulations, descents, offloaded;
  uint32_t nodes;
  size_t bytes;
  double depth;  /* mean of the descents */
  double waited; /* share of the time that the first of several threads waits */
  uint64_t waits;             /* of all threads, for the lock of a node */
  double phases[PHASE_COUNT]; /* seconds */
  Text card;                  /* why it is not used; empty: no matter */
} Round;

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double per(double amount, double unit) {
  return unit > 0 ? amount / unit : 0;
}

/* Thinks about the initial state in an empty tree. */
static Round think(Search *search, const Budget *budget) {
  double processor = processor_seconds(), start = clock_now();
  search_think(search, budget);
  Round round = {.processor = processor_seconds() - processor,
                 .seconds = clock_now() - start};
  const SearchReport *report = search_report(search);
  round.simulations = report->simulations;
  round.descents = report->descents;
  round.offloaded = report->offloaded;
  if (report->card) text_add(&round.card, report->card);
  round.nodes = report->nodes;
  round.bytes = report->bytes;
  round.waited = per(report->waited, round.seconds);
  round.depth = report->depth;
  round.waits = report->waits;
  memcpy(round.phases, report->phases, sizeof round.phases);
  return round;
}

static json_t *phases_json(const Round *round) {
  json_t *phases = json_object();
  for (SearchPhase phase = 0; phase < PHASE_COUNT; phase++)
    json_object_set_new(phases, search_phase_name(phase),
                        json_real(round->phases[phase]));
  return phases;
}

static json_t *round_json(const Round *round) {
  double count = (double)round->simulations;
  return json_pack(
      "{s:I, s:I, s:s?, s:I, s:f, s:f, s:f, s:I, s:f, s:f, s:f, s:I, s:o}",
      "simulations", (json_int_t)round->simulations, "offloaded",
      (json_int_t)round->offloaded, "card",
      round->card.length ? round->card.bytes : NULL, "descents",
      (json_int_t)round->descents, "depth", round->depth,
      "simulations_per_processor_second", per(count, round->processor),
      "simulations_per_second", per(count, round->seconds), "nodes",
      (json_int_t)round->nodes, "bytes_per_node",
      per((double)round->bytes, round->nodes), "bytes_per_simulation",
      per((double)round->bytes, count), "waited", round->waited, "waits",
      (json_int_t)round->waits, "phases", phases_json(round));
}

static void print_text(const char *name, const Round *round) {
  double count = (double)round->simulations;
  printf("  %s: %.0f simulations per processor second, %.0f per second; "
         "%u nodes of %.0f bytes, %.1f bytes per simulation, mean depth %.1f",
         name, per(count, round->processor), per(count, round->seconds),
         round->nodes, per((double)round->bytes, round->nodes),
         per((double)round->bytes, count), round->depth);
  if (round->waits || round->waited > 0)
    printf("; %.1f %% waiting, %llu waits for nodes", 100 * round->waited,
           (unsigned long long)round->waits);
  if (round->offloaded)
    printf("; %.0f per second on the graphics card",
           per((double)round->offloaded, round->seconds));
  if (round->card.length)
    printf("; the graphics card is not used: %s", round->card.bytes);
  printf("\n");
  for (SearchPhase phase = 0; phase < PHASE_COUNT; phase++)
    printf("%s%s %.0f %%",
           phase ? ", " : "    time: ", search_phase_name(phase),
           100 * per(round->phases[phase], round->seconds));
  printf("\n");
}

static const char *agent_of(const Options *options) {
  return *options->players ? options->players : "tafl";
}

static void print(const Options *options, const char *game, const Round *cold,
                  const Round *warm) {
  if (!options->json) {
    printf("%s: %s, %llu simulations\n", game, agent_of(options),
           (unsigned long long)cold->simulations);
    print_text("cold", cold);
    print_text("warm", warm);
    return;
  }
  json_t *line = json_pack("{s:o, s:s, s:o, s:o}", "game", open_json_text(game),
                           "agent", agent_of(options), "cold", round_json(cold),
                           "warm", round_json(warm));
  json_dumpf(line, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
  putchar('\n');
  json_decref(line);
}

static int measure(const Options *options, const char *path, Book *book,
                   const Settings *settings) {
  Budget budget = {.simulations = (uint64_t)options->sims};
  if (!budget.simulations && options->seconds > 0)
    budget.seconds = options->seconds;
  else if (!budget.simulations)
    budget.simulations = simulations;
  Search *search = search_new(book, 0, settings, (uint64_t)options->seed);
  Round cold = think(search, &budget);
  search_reset(search);
  Round warm = think(search, &budget);
  bool failed = game_failed(search_game(search));
  if (failed)
    log_error("%s: %s", path, text_string(&search_game(search)->error));
  else
    print(options, path, &cold, &warm);
  search_delete(search);
  text_free(&cold.card);
  text_free(&warm.card);
  return failed ? EXIT_LIMIT : EXIT_FINE;
}

int bench_search(const Options *options) {
  return bench_agent(options, agent_of(options), measure);
}
