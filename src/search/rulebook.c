/* Rules → net, once; engines, analysis and wide programs from it on demand. */
#include "search/rulebook.h"

#include "engine/scalar.h"
#include "engine/zobrist.h"

static void find_best_goals(Rulebook *book) {
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

void rulebook_init(Rulebook *book, Description *description,
                   const LoadLimits *limits, bool ground) {
  *book = (Rulebook){.description = description, .limits = *limits};
  if (ground)
    book->has_net = load_net(description, limits, &book->net, NULL, &book->why);
  if (book->has_net) {
    book->zobrist = zobrist_keys(&book->net, &description->rules.terms);
    book->words = (book->net.fluents.count + 63) / 64;
  }
  find_best_goals(book);
}

void rulebook_free(Rulebook *book) {
  if (book->analysis) analysis_free(book->analysis);
  memory_delete(book->analysis);
  if (book->cones) cones_delete(book->cones);
  memory_delete(book->zobrist);
  memory_delete(book->best_goal);
  if (book->has_net) net_free(&book->net);
  text_free(&book->why);
}

Game *rulebook_game(Rulebook *book) {
  return book->has_net
             ? scalar_engine_new(book->description, &book->net)
             : rules_engine_new(book->description, &book->limits.rules);
}

const Analysis *rulebook_analysis(Rulebook *book) {
  if (!book->analysis && book->has_net) {
    book->analysis = memory_new(sizeof *book->analysis);
    analysis_init(book->analysis, &book->net, book->description,
                  &analysis_default);
  }
  return book->analysis;
}

const Cones *rulebook_cones(Rulebook *book, uint32_t words) {
  if (book->cones || !book->has_net) return book->cones;
  ProgramMode mode = {.isa = ISA_COUNT, .words = words ? words : 8};
  do mode.isa--;
  while (!program_isa_available(mode.isa));
  mode.jit = mode.isa == ISA_AVX512 && mode.words >= 8;
  return book->cones = cones_new(&book->net, &mode);
}
