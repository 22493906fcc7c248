/* Rules → net, once; engines, analysis and wide programs from it on demand. */
#include "game/book.h"

#include "game/prefer.h"
#include "scalar/scalar.h"
#include "scalar/zobrist.h"
#include "wide/tune.h"

static void find_best_goals(Book *book) {
  uint32_t roles = book->description->rules.roles.count;
  book->best_goal = memory_new(roles * sizeof *book->best_goal);
  for (uint32_t role = 0; role < roles; role++)
    book->best_goal[role] = book->has_net ? 0 : 100;
  for (uint32_t i = 0; book->has_net && i < book->net.goals.count; i++) {
    const NetGoal *goal = &book->net.goals.data[i];
    if (goal->value > book->best_goal[goal->role])
      book->best_goal[goal->role] = goal->value;
  }
}

void book_init(Book *book, Description *description, const LoadLimits *limits,
               bool ground) {
  *book = (Book){.description = description, .limits = *limits};
  if (ground)
    book->has_net = load_net(description, limits, &book->net, NULL, &book->why);
  if (book->has_net) {
    book->zobrist = zobrist_keys(&book->net, &description->rules.terms);
    book->words = (book->net.fluents.count + 63) / 64;
  }
  find_best_goals(book);
}

void book_free(Book *book) {
  if (book->features) features_free(book->features);
  memory_delete(book->features);
  if (book->analysis) analysis_free(book->analysis);
  memory_delete(book->analysis);
  if (book->cones) cones_delete(book->cones);
  if (book->capturing) {
    cones_delete(book->capturing);
    net_free(&book->preferring);
  }
  memory_delete(book->zobrist);
  memory_delete(book->best_goal);
  if (book->has_net) net_free(&book->net);
  text_free(&book->why);
}

Game *book_game(Book *book) {
  return book->has_net
             ? scalar_engine_new(book->description, &book->net)
             : rules_engine_new(book->description, &book->limits.rules);
}

const Analysis *book_analysis(Book *book) {
  if (!book->analysis && book->has_net) {
    book->analysis = memory_new(sizeof *book->analysis);
    AnalysisOptions options = analysis_default;
    options.prove_seconds = 0; /* what was seen is enough for search */
    analysis_init(book->analysis, &book->net, book->description, &options);
  }
  return book->analysis;
}

const Features *book_features(Book *book) {
  if (!book->features && book->has_net) {
    book->features = memory_new(sizeof *book->features);
    features_init(book->features, book_analysis(book));
  }
  return book->features;
}

/* The lane width is fixed, so that results do not depend on a measurement;
   instructions and machine code are what measures fastest. */
static Cones *make_cones(const Net *net, uint32_t words) {
  TuneOptions tune = tune_default;
  tune.words = words ? words : 8;
  Cones *cones = cones_new(net, &(ProgramMode){ISA_PLAIN, false, tune.words});
  tune_cones(cones, &tune);
  return cones;
}

const Cones *book_cones(Book *book, uint32_t words) {
  if (!book->cones && book->has_net)
    book->cones = make_cones(&book->net, words);
  return book->cones;
}

const Cones *book_capturing(Book *book, uint32_t words) {
  const Cones *plain = book_cones(book, words);
  if (!plain || book->capturing) return plain ? book->capturing : NULL;
  if (prefer_captures(&book->net, book_features(book), &book->preferring))
    book->capturing = make_cones(&book->preferring, words);
  return book->capturing ? book->capturing : plain;
}
