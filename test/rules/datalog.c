#include "rules/datalog.h"

/* ---- the twin ---- */

uint32_t tuple_of(const Program *program, const Atom *atom,
                  const uint32_t *values) {
  uint32_t tuple = 0;
  for (uint32_t i = 0; i < program->arities[atom->predicate]; i++) {
    uint32_t a = atom->arguments[i];
    tuple = tuple * VALUES + (a < VALUES ? a : values[a - VALUES]);
  }
  return tuple;
}

static bool body_holds(const Program *program, const Clause *clause,
                       const uint32_t *values, Model model) {
  for (uint32_t i = 0; i < clause->count; i++) {
    const Atom *atom = &clause->body[i];
    if (clause->signs[i] == UNEQUAL) {
      uint32_t a = atom->arguments[0], b = atom->arguments[1];
      if ((a < VALUES ? a : values[a - VALUES]) ==
          (b < VALUES ? b : values[b - VALUES]))
        return false;
    } else if (model[atom->predicate][tuple_of(program, atom, values)] !=
               (clause->signs[i] == POSITIVE)) {
      return false;
    }
  }
  return true;
}

static bool apply(const Program *program, const Clause *clause, Model model) {
  bool changed = false;
  uint32_t values[VARIABLES];
  for (uint32_t n = 0; n < ASSIGNMENTS; n++) {
    for (uint32_t v = 0, rest = n; v < VARIABLES; v++, rest /= VALUES)
      values[v] = rest % VALUES;
    bool *cell = &model[clause->head.predicate]
                       [tuple_of(program, &clause->head, values)];
    if (*cell || !body_holds(program, clause, values, model)) continue;
    *cell = changed = true;
  }
  return changed;
}

void derive(const Program *program, Model model) {
  for (uint32_t p = INPUTS; p < PREDICATES; p++)
    memset(model[p], 0, sizeof model[p]);
  for (uint32_t stratum = 0; stratum < STRATA; stratum++)
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t c = 0; c < program->clause_count; c++)
        if (program->strata[program->clauses[c].head.predicate] == stratum)
          changed |= apply(program, &program->clauses[c], model);
    }
}

/* ---- random programs ---- */

/* For a positive literal preferably of the same stratum, so that recursion is
   common; for a negative one (`lower`) of a lower stratum. */
static uint32_t choose_predicate(const Program *program, Random *random,
                                 uint32_t stratum, bool lower) {
  for (int tries = 0;; tries++) {
    uint32_t p = random_below(random, PREDICATES);
    bool below = p < INPUTS || program->strata[p] < stratum;
    if (!lower && below && tries < 3) continue;
    if (below || (!lower && program->strata[p] == stratum)) return p;
  }
}

/* Chooses a variable marked in `known`, or sometimes a value. */
static uint32_t choose_known(Random *random, const bool *known) {
  for (int tries = 0; tries < 8; tries++) {
    uint32_t v = random_below(random, VARIABLES);
    if (known[v]) return VALUES + v;
  }
  return random_below(random, VALUES);
}

static void make_clause(const Program *program, Random *random,
                        uint32_t predicate, Clause *clause) {
  bool known[VARIABLES] = {false};
  uint32_t positive = random_below(random, 4);
  uint32_t others =
      random_below(random, (positive ? LONGEST - positive : 1) + 1);
  *clause = (Clause){.head = {.predicate = predicate}};
  for (uint32_t i = 0; i < positive; i++) {
    Atom *atom = &clause->body[clause->count++];
    atom->predicate =
        choose_predicate(program, random, program->strata[predicate], false);
    for (uint32_t a = 0; a < WIDEST; a++) {
      uint32_t v = random_below(random, VARIABLES + 1);
      atom->arguments[a] =
          v == VARIABLES ? random_below(random, VALUES) : VALUES + v;
      if (v < VARIABLES && a < program->arities[atom->predicate])
        known[v] = true;
    }
  }
  for (uint32_t i = 0; i < others; i++) {
    Atom *atom = &clause->body[clause->count];
    clause->signs[clause->count++] =
        !positive || random_below(random, 3) ? NEGATIVE : UNEQUAL;
    atom->predicate =
        choose_predicate(program, random, program->strata[predicate], true);
    for (uint32_t a = 0; a < WIDEST; a++)
      atom->arguments[a] = choose_known(random, known);
  }
  for (uint32_t a = 0; a < WIDEST; a++)
    clause->head.arguments[a] = choose_known(random, known);
}

static void find_of_moves(Program *program) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t c = 0; c < program->clause_count; c++) {
      const Clause *clause = &program->clauses[c];
      for (uint32_t i = 0; i < clause->count; i++)
        if (clause->signs[i] != UNEQUAL &&
            program->of_moves[clause->body[i].predicate] &&
            !program->of_moves[clause->head.predicate])
          program->of_moves[clause->head.predicate] = changed = true;
    }
  }
}

void make_program(Program *program, Random *random) {
  static const uint32_t arities[] = {0, 1, 1, 2, 2, 2, 2, WIDEST};
  *program = (Program){0};
  for (uint32_t p = 0; p < PREDICATES; p++) {
    program->arities[p] = arities[random_below(random, LENGTH(arities))];
    program->kinds[p] = p < INPUTS ? (Kind)random_below(random, 2) : DERIVED;
    program->strata[p] = p < INPUTS ? 0 : random_below(random, STRATA);
  }
  program->kinds[0] = MOVES;
  program->arities[0] = 2;
  program->of_moves[0] = true;
  if (random_below(random, 2)) program->strata[PREDICATES - 1] = STRATA - 1;
  program->clause_count = random_below(random, CLAUSES - 8) + 8;
  for (uint32_t c = 0; c < program->clause_count; c++) {
    uint32_t p = INPUTS + random_below(random, PREDICATES - INPUTS);
    make_clause(program, random, p, &program->clauses[c]);
  }
  find_of_moves(program);
  do program->question.predicate = random_below(random, PREDICATES);
  while (program->of_moves[program->question.predicate]);
  for (uint32_t a = 0; a < WIDEST; a++)
    program->question.arguments[a] = random_below(random, VALUES);
}
