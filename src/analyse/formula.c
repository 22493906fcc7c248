/* Conjunctions become clauses as Tseitin (1968) has them: a variable that is
   true exactly if all inputs are. The inputs of a conjunction are sorted,
   without repetition, contradiction or constant. */
#include "analyse/formula.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/trial.h"

enum { PAIRS = 5 }; /* literals of which each pair is excluded */

void formula_init(Formula *formula) {
  *formula = (Formula){.sat = sat_new()};
  SatLiteral truth = FORMULA_TRUE;
  sat_add_variables(formula->sat, 1);
  sat_add_clause(formula->sat, &truth, 1);
  vector_push(&formula->ands, ((FormulaAnd){0}));
}

void formula_free(Formula *formula) {
  sat_delete(formula->sat);
  map_free(&formula->map);
  vector_free(&formula->ands);
  vector_free(&formula->inputs);
  vector_free(&formula->list);
  *formula = (Formula){0};
}

SatLiteral formula_known(const Formula *formula, SatLiteral literal) {
  int value = sat_fixed(formula->sat, literal);
  if (value == 0) return literal;
  return value > 0 ? FORMULA_TRUE : FORMULA_FALSE;
}

SatLiteral formula_variable(Formula *formula) {
  return sat_add_variables(formula->sat, 1) << 1;
}

void formula_require(Formula *formula, const SatLiteral *clause,
                     uint32_t count) {
  sat_add_clause(formula->sat, clause, count);
}

/* ---- conjunctions ---- */

static int compare(const void *a, const void *b) {
  SatLiteral x = *(const SatLiteral *)a, y = *(const SatLiteral *)b;
  return (x > y) - (x < y);
}

static void sort(SatLiteral *list, uint32_t count) {
  if (count > 12) {
    qsort(list, count, sizeof *list, compare);
    return;
  }
  for (uint32_t i = 1; i < count; i++) {
    SatLiteral literal = list[i];
    uint32_t at = i;
    for (; at > 0 && list[at - 1] > literal; at--) list[at] = list[at - 1];
    list[at] = literal;
  }
}

/* Returns the number of inputs that matter; sets `never` if it is false. */
static uint32_t normalise(const Formula *formula, SatLiteral *list,
                          uint32_t count, bool *never) {
  uint32_t kept = 0;
  *never = false;
  for (uint32_t i = 0; i < count && !*never; i++) {
    SatLiteral literal = formula_known(formula, list[i]);
    if (literal == FORMULA_FALSE) *never = true;
    if (literal != FORMULA_TRUE) list[kept++] = literal;
  }
  if (*never) return 0;
  sort(list, kept);
  count = kept;
  kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (kept && list[kept - 1] == list[i]) continue;
    if (kept && list[kept - 1] == (list[i] ^ 1)) *never = true;
    list[kept++] = list[i];
  }
  return kept;
}

static SatLiteral define(Formula *formula, const SatLiteral *list,
                         uint32_t count) {
  SatLiteral own = formula_variable(formula);
  vector_clear(&formula->list);
  vector_push(&formula->list, own);
  for (uint32_t i = 0; i < count; i++) {
    formula_require_two(formula, own ^ 1, list[i]);
    vector_push(&formula->list, list[i] ^ 1);
  }
  formula_require(formula, formula->list.data, count + 1);
  return own;
}

static uint64_t hash_list(const SatLiteral *list, uint32_t count) {
  uint64_t hash = count;
  for (uint32_t i = 0; i < count; i++) hash = hash_pair(hash, list[i]);
  return hash;
}

SatLiteral formula_and(Formula *formula, SatLiteral *list, uint32_t count) {
  bool never;
  count = normalise(formula, list, count, &never);
  if (never) return FORMULA_FALSE;
  if (count == 0) return FORMULA_TRUE;
  if (count == 1) return list[0];
  MapCursor at;
  uint64_t hash = hash_list(list, count);
  for (uint32_t e = map_first(&formula->map, hash, &at); e;
       e = map_next(&formula->map, &at)) {
    const FormulaAnd *known = &formula->ands.data[e];
    if (known->count == count && memcmp(formula->inputs.data + known->first,
                                        list, count * sizeof *list) == 0)
      return formula_known(formula, known->literal);
  }
  FormulaAnd made = {formula->inputs.count, count,
                     define(formula, list, count)};
  for (uint32_t i = 0; i < count; i++) vector_push(&formula->inputs, list[i]);
  vector_push(&formula->ands, made);
  map_insert(&formula->map, &at, formula->ands.count - 1);
  return made.literal;
}

SatLiteral formula_or(Formula *formula, SatLiteral *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) list[i] ^= 1;
  return formula_and(formula, list, count) ^ 1;
}

void formula_evaluate(Formula *formula, const Net *net, const bool *wanted,
                      SatLiteral *values) {
  SatLiterals list = {0};
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    const NetGate *g = &net->gates.data[gate];
    if (!wanted[gate] || values[gate] != FORMULA_NONE) continue;
    trial_check();
    if (g->kind == GATE_CONSTANT) values[gate] = FORMULA_FALSE;
    if (g->kind != GATE_AND) continue;
    vector_clear(&list);
    for (uint32_t i = 0; i < g->count; i++)
      vector_push(&list, formula_signal(values, net_inputs(net, gate)[i]));
    values[gate] = formula_and(formula, list.data, list.count);
  }
  vector_free(&list);
}

/* ---- counting ---- */

/* Arranges the literals in rows and columns; two that are true would be in two
   rows or in two columns (Chen 2010). */
static void exclude_by_grid(Formula *formula, const SatLiteral *list,
                            uint32_t count) {
  uint32_t width = 1;
  while (width * width < count) width++;
  uint32_t height = (count + width - 1) / width;
  SatLiterals lines = {0};
  for (uint32_t i = 0; i < width + height; i++)
    vector_push(&lines, formula_variable(formula));
  for (uint32_t i = 0; i < count; i++) {
    formula_require_two(formula, list[i] ^ 1, lines.data[i % width]);
    formula_require_two(formula, list[i] ^ 1, lines.data[width + i / width]);
  }
  formula_at_most_one(formula, lines.data, width);
  formula_at_most_one(formula, lines.data + width, height);
  vector_free(&lines);
}

void formula_at_most_one(Formula *formula, const SatLiteral *list,
                         uint32_t count) {
  SatLiterals open = {0};
  for (uint32_t i = 0; i < count; i++) {
    SatLiteral literal = formula_known(formula, list[i]);
    if (literal != FORMULA_FALSE) vector_push(&open, literal);
  }
  if (open.count > PAIRS) {
    exclude_by_grid(formula, open.data, open.count);
  } else {
    for (uint32_t i = 0; i < open.count; i++)
      for (uint32_t j = 0; j < i; j++)
        formula_require_two(formula, open.data[i] ^ 1, open.data[j] ^ 1);
  }
  vector_free(&open);
}

/* The sum of two sums: more than i + j + 1 if more than i and more than j. */
static void add_sums(Formula *formula, const SatLiterals *a,
                     const SatLiterals *b, SatLiterals *sum) {
  for (uint32_t i = 0; i <= a->count; i++)
    for (uint32_t j = 0; j <= b->count; j++) {
      /* of a at least i, of b at least j; of a at most i, of b at most j */
      SatLiteral clause[3];
      uint32_t count = 0;
      if (i) clause[count++] = a->data[i - 1] ^ 1;
      if (j) clause[count++] = b->data[j - 1] ^ 1;
      if (i + j > 0 && i + j <= sum->count) {
        clause[count++] = sum->data[i + j - 1];
        formula_require(formula, clause, count);
      } else if (i + j > sum->count && sum->count) {
        clause[count++] = vector_last(sum);
        formula_require(formula, clause, count);
      }
      count = 0;
      if (i < a->count) clause[count++] = a->data[i];
      if (j < b->count) clause[count++] = b->data[j];
      if (i + j < sum->count) {
        clause[count++] = sum->data[i + j] ^ 1;
        formula_require(formula, clause, count);
      }
    }
}

/* A tree of sums, each cut off at `most` + 1 (Bailleux and Boufkhad 2003). */
static void add_up(Formula *formula, const SatLiteral *list, uint32_t count,
                   uint32_t most, SatLiterals *sum) {
  if (count == 0) return;
  if (count == 1) {
    vector_push(sum, list[0]);
    return;
  }
  SatLiterals left = {0}, right = {0};
  add_up(formula, list, count / 2, most, &left);
  add_up(formula, list + count / 2, count - count / 2, most, &right);
  uint32_t size = left.count + right.count;
  if (size > most + 1) size = most + 1;
  for (uint32_t i = 0; i < size; i++)
    vector_push(sum, formula_variable(formula));
  add_sums(formula, &left, &right, sum);
  vector_free(&left);
  vector_free(&right);
}

void formula_sums(Formula *formula, const SatLiteral *list, uint32_t count,
                  uint32_t most, SatLiteral *sums) {
  SatLiterals sum = {0}, open = {0};
  for (uint32_t i = 0; i < count; i++) {
    SatLiteral literal = formula_known(formula, list[i]);
    if (literal != FORMULA_FALSE) vector_push(&open, literal);
  }
  add_up(formula, open.data, open.count, most, &sum);
  for (uint32_t i = 0; i <= most; i++)
    sums[i] = i < sum.count ? sum.data[i] : FORMULA_FALSE;
  vector_free(&sum);
  vector_free(&open);
}
