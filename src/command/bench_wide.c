/* Benchmarks of the wide engine, in the mode that the options ask for or that
   is fastest. */
#include <string.h>

#include "base/clock.h"
#include "command/bench.h"

bool bench_isa(const Options *options, TuneOptions *tune) {
  tune->any_isa = strcmp(options->isa, "auto") == 0;
  for (int i = 0; i < ISA_COUNT; i++)
    if (strcmp(options->isa, isa_name((Isa)i)) == 0) tune->isa = (Isa)i;
  if (tune->any_isa || isa_available(tune->isa)) return true;
  log_error("this machine has no %s", options->isa);
  return false;
}

static bool valid_lanes(int64_t lanes) {
  return lanes % 64 == 0 && (lanes & (lanes - 1)) == 0;
}

static void measure(const Options *options, const Cones *cones, double start,
                    BenchResult *result) {
  result->setup = clock_now() - start;
  result->policy = options->suite ? "uniform" : options->policy;
  result->isa = isa_name(cones->mode.isa);
  result->jit = cones->mode.jit;
  result->lanes = cones->mode.words * 64;
  result->gates = cones_gates(cones);
  result->step_gates = cones_step_gates(cones);
  result->moves = cones->net->moves.count;
  result->loops = cones->net->loops.count;
  result->rounds = cones->rounds ? cones->rounds->count : 0;
  result->legs = cones->steps ? cones->steps->count : 0;
  if (options->suite) {
    bench_compare(options, cones, result);
  } else {
    result->record = options->history;
    result->credit = options->credit;
    result->threads = options->threads ? (uint32_t)options->threads : 1;
    bench_run(options, cones, result);
  }
  result->memory =
      (size_t)cones->vectors * cones->mode.words * 8 * result->threads;
}

int bench_wide(const Options *options, Description *description, double start,
               BenchResult *result) {
  TuneOptions tune = tune_default;
  Book book;
  if (!bench_isa(options, &tune)) return EXIT_LIMIT;
  if (!valid_lanes(options->lanes)) {
    log_error("--lanes must be 64, 128, 256, 512 or 1024");
    return EXIT_USAGE;
  }
  if (!open_net(options, description, &book)) return EXIT_LIMIT;
  tune.words = (uint32_t)options->lanes / 64;
  tune.code = options->jit;
  const Cones *cones = book_tuned_cones(&book, &tune);
  if (cones)
    measure(options, cones, start, result);
  else
    log_error("%s: %s", description->source.name,
              text_string(&book.why[BOOK_CONES]));
  book_free(&book);
  return cones ? EXIT_FINE : EXIT_LIMIT;
}
