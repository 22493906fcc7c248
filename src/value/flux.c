/* For a state z and a role,

     h(g, z) = eval(goal g ∨ terminal, z)     if goal g holds in z
               eval(goal g ∧ ¬terminal, z)    if not
     h(z)    = Σ g · h(g, z) / Σ g            over all goal values g

   so a goal is to be true at the end, and the end is to be kept off until it is
   (Schiffel and Thielscher 2007). eval is the degree of truth (value/fuzzy.h)
   of the formulas in the net, which are those of the rules with every variable
   replaced, and reduced: the same functions, but not always written in the same
   way. Step counters are left out.

   The paper evaluates for one's own role. In games of two roles and constant
   sum we take the difference of both, since the formula of one's own goal often
   does not read what the other has. Degrees are stretched to the range of the
   goals. Where the cones of all goals and of
   `terminal` are too large together, `terminal` is left out, and then all but
   the highest goals. */
#include "value/flux.h"

#include "value/flux_facts.h"

typedef struct FluxGoal {
  uint32_t role;
  int value;
  uint32_t output; /* of the cone */
} FluxGoal;

typedef struct Flux {
  Evaluation evaluation;
  const Analysis *analysis; /* borrowed */
  Orders orders;
  Cone cone;
  Fuzzy fuzzy;
  FluxFacts facts;
  VECTOR(FluxGoal) goals;
  uint32_t formulas; /* of goals, the first outputs of the cone */
  Reading terminal;  /* or reading_none */
  bool difference;
} Flux;

enum { SEED = 1 };

/* ---- states ---- */

/* The degree of a goal, with `terminal`, as above. */
static double degree_of(const Flux *flux, Reading goal, const float *power) {
  float plain = power[goal], negated = power[goal ^ 1];
  if (flux->terminal == reading_none) return fuzzy_degree(plain);
  if (plain < negated) { /* it holds */
    negated += power[flux->terminal ^ 1];
    return 1 - fuzzy_degree(negated < 1 ? negated : 1);
  }
  plain += power[flux->terminal ^ 1];
  return fuzzy_degree(plain < 1 ? plain : 1);
}

static void begin(const Evaluation *evaluation, const uint64_t *state,
                  int32_t *sums) {
  (void)evaluation, (void)state, (void)sums;
}

static void update(const Evaluation *evaluation, const uint64_t *from,
                   const uint64_t *to, int32_t *sums) {
  (void)evaluation, (void)from, (void)to, (void)sums;
}

static double clamp(double value, double least, double most) {
  return value < least ? least : value > most ? most : value;
}

static void values(const Evaluation *evaluation, const uint64_t *state,
                   const int32_t *sums, const uint32_t *legal, float *values) {
  const Flux *flux = (const Flux *)evaluation;
  float power[2 * CONE_LARGEST + 2];
  double sum = 0, weights = 0;
  (void)sums, (void)legal;
  flux_facts_set(&flux->facts, &flux->fuzzy, state, power);
  fuzzy_run(&flux->fuzzy, power);
  for (uint32_t r = 0; r < evaluation->role_count; r++) values[r] = 0.5f;
  for (uint32_t i = 0; i < flux->goals.count; i++) {
    const FluxGoal *goal = &flux->goals.data[i];
    Reading output = flux->cone.outputs.data[goal->output];
    sum += goal->value * degree_of(flux, output, power);
    weights += goal->value;
    if (i + 1 < flux->goals.count && goal[1].role == goal->role) continue;
    values[goal->role] = (float)(sum / weights);
    sum = weights = 0;
  }
  if (flux->difference) {
    double half = flux->analysis->sum / 2.0;
    double part = (double)values[0] - (double)values[1];
    values[0] = (float)(half + half * clamp(part, -1, 1));
    values[1] = (float)(2 * half) - values[0];
    return;
  }
  for (uint32_t r = 0; r < evaluation->role_count; r++) {
    const RoleGoals *goals = &flux->analysis->goals[r];
    double part = clamp((double)values[r], 0, 1);
    values[r] = (float)(goals->least + (goals->most - goals->least) * part);
  }
}

/* ---- formulas ---- */

/* Collects the goals worth more than nothing, role by role; if `highest`, of
   each role only the highest. */
static void collect_goals(Flux *flux, bool highest) {
  const Net *net = flux->analysis->net;
  vector_clear(&flux->goals);
  for (uint32_t r = 0; r < net->role_count; r++)
    for (uint32_t i = 0; i < net->goals.count; i++) {
      const NetGoal *goal = &net->goals.data[i];
      if (goal->role != r || goal->value <= 0 ||
          signal_gate(goal->signal) == 0 ||
          (highest && goal->value < flux->analysis->goals[r].most))
        continue;
      vector_push(&flux->goals, ((FluxGoal){r, goal->value, i}));
    }
}

/* Makes the cone of the collected goals. Returns false if it is too large. */
static bool make_cone(Flux *flux, bool with_terminal) {
  const Net *net = flux->analysis->net;
  VECTOR(Signal) formulas = {0};
  for (uint32_t i = 0; i < flux->goals.count; i++)
    vector_push(&formulas, net->goals.data[flux->goals.data[i].output].signal);
  if (with_terminal) vector_push(&formulas, net->terminal);
  bool fine = cone_init(&flux->cone, net, formulas.data, formulas.count,
                        flux->orders.counts);
  vector_free(&formulas);
  if (!fine) return false;
  flux->terminal =
      with_terminal ? flux->cone.outputs.data[flux->goals.count] : reading_none;
  uint32_t kept = 0;
  flux->formulas = flux->goals.count;
  for (uint32_t i = 0; i < flux->goals.count; i++) {
    FluxGoal goal = flux->goals.data[i];
    goal.output = i;
    if (flux->cone.outputs.data[i] != reading_none)
      flux->goals.data[kept++] = goal;
  }
  flux->goals.count = kept;
  return true;
}

static bool find_formulas(Flux *flux) {
  for (uint32_t attempt = 0; attempt < 3; attempt++) {
    collect_goals(flux, attempt == 2);
    if (make_cone(flux, attempt == 0)) return flux->goals.count;
  }
  return false;
}

/* ---- making ---- */

static void write(const Evaluation *evaluation, Text *text) {
  const Flux *flux = (const Flux *)evaluation;
  const Net *net = flux->analysis->net;
  for (uint32_t i = 0; i < flux->goals.count; i++) {
    text_add(text, "goal: ");
    term_write(
        flux->orders.terms,
        flux->analysis->description->rules.roles.data[flux->goals.data[i].role],
        text);
    text_format(text, " %d\n", flux->goals.data[i].value);
  }
  text_format(text, "formula: %u gates over %u facts of %u%s\n",
              flux->cone.gates.count, flux->facts.list.count,
              net->fluents.count,
              flux->terminal == reading_none ? ", without terminal" : "");
  orders_write(&flux->orders, text);
  flux_facts_write(&flux->facts, text);
}

static void delete (Evaluation *evaluation) {
  Flux *flux = (Flux *)evaluation;
  if (flux->fuzzy.cone) {
    fuzzy_free(&flux->fuzzy);
    flux_facts_free(&flux->facts);
  }
  cone_free(&flux->cone);
  orders_free(&flux->orders);
  vector_free(&flux->goals);
  memory_delete(flux);
}

static const EvaluationOperations operations = {.name = "flux",
                                                .delete = delete,
                                                .begin = begin,
                                                .update = update,
                                                .values = values,
                                                .write = write};

Evaluation *flux_new(Book *book) {
  const Analysis *analysis = book_analysis(book);
  if (!analysis) return NULL;
  Flux *flux = memory_new(sizeof *flux);
  uint32_t roles = analysis->net->role_count;
  flux->analysis = analysis;
  flux->difference = roles == 2 && analysis->constant_sum != EVIDENCE_NONE;
  flux->evaluation = (Evaluation){
      .operations = &operations, .role_count = roles, .words = book->words};
  orders_init(&flux->orders, analysis);
  if (!find_formulas(flux)) {
    delete (&flux->evaluation);
    return NULL;
  }
  fuzzy_init(&flux->fuzzy, &flux->cone);
  flux_facts_init(&flux->facts, analysis, &flux->orders, &flux->cone,
                  flux->formulas, SEED);
  return &flux->evaluation;
}
