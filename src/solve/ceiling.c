/* A goal that is never true together with the end of the game cannot be
   reached. In every state that can be reached, of each group that was proved to
   be one-hot (analyse/onehot.h) one fluent is true, or none; a goal that
   contradicts this is refuted by a small SAT problem: twenty lights at once, of
   which each of the last four moves has lit one. The highest goal that is not
   refuted is the bound. */
#include "solve/ceiling.h"

#include "analyse/prover.h"
#include "base/bits.h"
#include "base/clock.h"

enum { PROPAGATIONS = 2000000 }; /* of one goal; some tenths of a second */

typedef struct Ceiling {
  Method method;
  Prover *prover;
  int goal; /* the next to be looked at */
} Ceiling;

/* Returns whether the state has everything that was proved of reachable ones;
   if not, it is none of them. */
static bool is_regular(const OneHot *onehot, const uint64_t *state) {
  for (uint32_t g = 0; g < onehot->groups.count; g++) {
    const OneHotGroup *group = &onehot->groups.data[g];
    const uint32_t *members = onehot_members(onehot, group);
    uint32_t true_ones = 0;
    for (uint32_t i = 0; i < group->count; i++)
      true_ones += bits_has(state, members[i]);
    if (group->at_most == EVIDENCE_PROVED && true_ones > 1) return false;
    if (group->at_least == EVIDENCE_PROVED && !true_ones) return false;
  }
  return true;
}

static void assume(Prover *prover, const uint32_t *members,
                   const OneHotGroup *group) {
  if (group->at_most == EVIDENCE_PROVED)
    prover_switch(prover,
                  prover_add_assumption(prover, members, group->count, false),
                  true);
  if (group->at_least == EVIDENCE_PROVED)
    prover_switch(prover,
                  prover_add_assumption(prover, members, group->count, true),
                  true);
}

static Method *new (const MethodTask *task) {
  Puzzle *puzzle = task->puzzle;
  if (!puzzle->net || puzzle->terminal || puzzle->net->role_count != 1)
    return NULL;
  const Analysis *analysis = book_analysis(puzzle->book);
  if (!analysis || !is_regular(&analysis->onehot, puzzle->start)) return NULL;
  Ceiling *ceiling = memory_new(sizeof *ceiling);
  ceiling->method = (Method){.kind = &ceiling_method, .puzzle = puzzle};
  ceiling->goal = atomic_load(&puzzle->bound);
  ceiling->prover = prover_new(puzzle->net, PROPAGATIONS, clock_now() + 1e9);
  const OneHot *onehot = &analysis->onehot;
  for (uint32_t i = 0; i < onehot->groups.count; i++)
    assume(ceiling->prover, onehot_members(onehot, &onehot->groups.data[i]),
           &onehot->groups.data[i]);
  return &ceiling->method;
}

/* Returns whether no terminal state has a goal of this value. */
static bool refuted(Ceiling *ceiling, int value) {
  const Net *net = ceiling->method.puzzle->net;
  for (uint32_t i = 0; i < net->goals.count; i++) {
    if (net->goals.data[i].value != value) continue;
    Signal both[2] = {net->terminal, net->goals.data[i].signal};
    prover_focus_anywhere(ceiling->prover, both, 2);
    if (!prover_refutes(ceiling->prover, both, 2)) return false;
  }
  return true;
}

/* The next lower goal that there is, or 0. */
static int next_lower(const Net *net, int value) {
  int lower = 0;
  for (uint32_t i = 0; i < net->goals.count; i++)
    if (net->goals.data[i].value < value && net->goals.data[i].value > lower)
      lower = net->goals.data[i].value;
  return lower;
}

static MethodStatus run(Method *base, const Slice *slice) {
  Ceiling *ceiling = (Ceiling *)base;
  Puzzle *puzzle = base->puzzle;
  uint64_t begun = base->expanded;
  while (ceiling->goal > 0 && refuted(ceiling, ceiling->goal)) {
    ceiling->goal = next_lower(puzzle->net, ceiling->goal);
    puzzle_prove_bound(puzzle, ceiling_method.name, ceiling->goal);
    method_count(base, 1, 0);
    if (method_slice_over(slice, base->expanded - begun)) return METHOD_WORKING;
  }
  return METHOD_DONE;
}

static void explain(Method *base, Text *text) {
  text_format(text, "goals above %d are impossible", ((Ceiling *)base)->goal);
}

static void delete (Method *base) {
  prover_delete(((Ceiling *)base)->prover);
  memory_delete(base);
}

const MethodKind ceiling_method = {
    .name = "ceiling",
    .origin = "Tafl",
    .help = "proves that goals contradict what always holds",
    .pace = 1,
    .home = true,
    .usual = true,
    .new = new,
    .run = run,
    .explain = explain,
    .delete = delete,
};
