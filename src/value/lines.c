/* Lines are found in the net: the short conjunctions (value/cubes.h) that the
   end of the game and the goals of each role consist of. What is in the way of
   a line are other pieces on its places that were never seen to be replaced by
   what the line needs there, and facts that must be false.

   A line counts by the number of its true facts, from one to all, while nothing
   is in its way. Counts are kept from state to state: computing them from the
   words of the state took four times as long. */
#include "value/lines.h"

#include <stdlib.h>

#include "base/trial.h"
#include "value/cubes.h"

/* ---- one line ---- */

typedef struct Draft {
  uint32_t need[LINES_LONGEST], count;
  NumberVector bars;
} Draft;

/* A number for the fluent's kind; fluents without one are their own. */
static uint32_t sort_of(const Kinds *kinds, uint32_t fluent) {
  uint32_t kind = kinds->of_fluent[fluent];
  return kind ? kind - 1 : kinds->list.count + fluent;
}

static void add_bars(const Kinds *kinds, uint32_t fluent, NumberVector *bars) {
  const Places *places = &kinds->analysis->places;
  uint32_t kind = kinds->of_fluent[fluent], place = kinds->place_of[fluent];
  bool seen = false;
  if (!kind || !place) return;
  for (uint32_t k = 0; k < kinds->list.count && !seen; k++)
    seen = kinds_followed(kinds, k, kind - 1);
  for (uint32_t i = places->first.data[place - 1];
       i < places->first.data[place]; i++) {
    uint32_t other = kinds->of_fluent[places->fluents.data[i]];
    if (!other || other == kind || kinds->list.data[other - 1].blank ||
        (seen && kinds_followed(kinds, other - 1, kind - 1)))
      continue;
    vector_push(bars, places->fluents.data[i]);
  }
}

/* Returns false if it is no line: too short or too long, never complete, or
   with more than one fact that is not about a place: numbers that are compared
   with each other give many of those. */
static bool draft(const Kinds *kinds, const Cube *cube, Draft *line) {
  const Net *net = kinds->analysis->net;
  uint32_t elsewhere = 0;
  line->count = 0;
  vector_clear(&line->bars);
  for (uint32_t i = 0; i < cube->count; i++) {
    uint32_t fluent = net->gates.data[signal_gate(cube->literals[i])].first;
    if (signal_negated(cube->literals[i])) {
      vector_push(&line->bars, fluent);
      continue;
    }
    elsewhere += !kinds->of_fluent[fluent];
    if (line->count == LINES_LONGEST || elsewhere > 1) return false;
    uint32_t at = line->count++, sort = sort_of(kinds, fluent);
    for (; at && sort_of(kinds, line->need[at - 1]) > sort; at--)
      line->need[at] = line->need[at - 1];
    line->need[at] = fluent;
    add_bars(kinds, fluent, &line->bars);
  }
  for (uint32_t i = 0; i < line->bars.count; i++)
    for (uint32_t j = 0; j < line->count; j++)
      if (line->bars.data[i] == line->need[j]) return false;
  return line->count > elsewhere + 1;
}

/* Returns the kind of the line, + 1; 0: there are too many. */
static uint32_t find_kind(Lines *lines, const Kinds *kinds, const Draft *line) {
  for (uint32_t k = 0; k < lines->kinds.count; k++) {
    const LineKind *kind = &lines->kinds.data[k];
    bool same = kind->length == line->count;
    for (uint32_t i = 0; same && i < line->count; i++)
      same = sort_of(kinds, kind->example[i]) == sort_of(kinds, line->need[i]);
    if (same) return k + 1;
  }
  if (lines->kinds.count == LINES_KINDS) return 0;
  LineKind kind = {.length = line->count, .slot = lines->counted.count};
  memcpy(kind.example, line->need, line->count * sizeof *line->need);
  vector_push(&lines->counted, UINT32_MAX);
  for (uint32_t i = 0; i < line->count; i++)
    vector_push(&lines->counted, lines->features++);
  vector_push(&lines->kinds, kind);
  return lines->kinds.count;
}

/* ---- all lines ---- */

/* A fluent in a line, before they are sorted by fluent. */
typedef struct Loose {
  uint32_t fluent;
  LineUse use;
} Loose;
typedef VECTOR(Loose) LooseUses;

static int by_fluent(const void *left, const void *right) {
  const Loose *a = left, *b = right;
  if (a->fluent != b->fluent) return a->fluent < b->fluent ? -1 : 1;
  return (a->use.line > b->use.line) - (a->use.line < b->use.line);
}

static void add_line(Lines *lines, const Kinds *kinds, const Draft *line,
                     LooseUses *loose) {
  uint32_t kind = find_kind(lines, kinds, line), number = lines->slots.count;
  if (!kind) return;
  vector_push(&lines->slots, lines->kinds.data[kind - 1].slot);
  for (uint32_t i = 0; i < line->count; i++)
    vector_push(loose, ((Loose){line->need[i], {number, 1}}));
  for (uint32_t i = 0; i < line->bars.count; i++)
    vector_push(loose, ((Loose){line->bars.data[i], {number, LINES_BARRED}}));
}

/* Sorts the uses by fluent, unless fluents are in too many lines for counting
   to be cheap: then there are none. */
static void sort_uses(Lines *lines, uint32_t fluents, LooseUses *loose) {
  uint32_t used = 0;
  if (loose->count)
    qsort(loose->data, loose->count, sizeof *loose->data, by_fluent);
  for (uint32_t i = 0; i < loose->count; i++)
    used += i == 0 || loose->data[i].fluent != loose->data[i - 1].fluent;
  if (loose->count > (uint64_t)used * LINES_CROWD) {
    vector_clear(&lines->kinds);
    vector_clear(&lines->slots);
    vector_clear(&lines->counted);
    vector_clear(loose);
    lines->features = 0;
  }
  for (uint32_t f = 0, i = 0; f < fluents; f++) {
    for (; i < loose->count && loose->data[i].fluent == f; i++)
      vector_push(&lines->uses, loose->data[i].use);
    lines->first[f + 1] = i;
  }
}

static void make_lines(Lines *lines, const Kinds *kinds, const Cubes *cubes) {
  Draft line = {0};
  LooseUses loose = {0};
  for (uint32_t i = 0; i < cubes->count; i++) {
    trial_check();
    if (draft(kinds, &cubes->data[i], &line))
      add_line(lines, kinds, &line, &loose);
  }
  sort_uses(lines, kinds->analysis->net->fluents.count, &loose);
  vector_free(&line.bars);
  vector_free(&loose);
}

void lines_init(Lines *lines, const Kinds *kinds) {
  const Analysis *analysis = kinds->analysis;
  const Net *net = analysis->net;
  CubesFinder finder;
  *lines = (Lines){0};
  lines->first = memory_new((net->fluents.count + 1) * sizeof(uint32_t));
  cubes_init(&finder, net, LINES_MOST + 1);
  for (uint32_t g = 0; g < net->goals.count; g++)
    if (net->goals.data[g].value ==
        analysis->goals[net->goals.data[g].role].most)
      cubes_find(&finder, net->goals.data[g].signal);
  cubes_find(&finder, net->terminal);
  if (cubes_complete(&finder)) make_lines(lines, kinds, &finder.found);
  cubes_free(&finder);
}

void lines_free(Lines *lines) {
  vector_free(&lines->kinds);
  vector_free(&lines->slots);
  vector_free(&lines->counted);
  vector_free(&lines->uses);
  memory_delete(lines->first);
}

/* ---- states ---- */

/* The same for one row, which nearly all games have: the sum stays in a
   register. */
static int32_t add_one(const Lines *lines, uint32_t fluent, int32_t sign,
                       const int32_t *weights, int32_t *counts) {
  const LineUse *use = lines->uses.data + lines->first[fluent];
  const LineUse *end = lines->uses.data + lines->first[fluent + 1];
  const uint32_t *slots = lines->slots.data;
  int32_t sum = 0;
  for (; use < end; use++) {
    int32_t before = counts[use->line], after = before + sign * use->step;
    const int32_t *slot = weights + slots[use->line];
    counts[use->line] = after;
    sum += (after < LINES_BARRED ? slot[after] : 0) -
           (before < LINES_BARRED ? slot[before] : 0);
  }
  return sum;
}

void lines_add(const Lines *lines, uint32_t fluent, int32_t sign,
               const int32_t *weights, uint32_t rows, int32_t *counts,
               int32_t *sums) {
  uint32_t end = lines->first[fluent + 1];
  if (rows == 1) {
    int32_t sum = add_one(lines, fluent, sign, weights, counts);
    sums[0] += sum;
    return;
  }
  for (uint32_t u = lines->first[fluent]; u < end; u++) {
    LineUse use = lines->uses.data[u];
    int32_t before = counts[use.line], after = before + sign * use.step;
    const int32_t *slot = weights + (size_t)lines->slots.data[use.line] * rows;
    counts[use.line] = after;
    for (uint32_t row = 0; row < rows; row++) {
      if (after < LINES_BARRED) sums[row] += slot[(uint32_t)after * rows + row];
      if (before < LINES_BARRED)
        sums[row] -= slot[(uint32_t)before * rows + row];
    }
  }
}

void lines_count(const Lines *lines, const int32_t *counts, float *numbers) {
  for (uint32_t l = 0; l < lines->slots.count; l++)
    if (counts[l] && counts[l] < LINES_BARRED)
      numbers[lines->counted
                  .data[lines->slots.data[l] + (uint32_t)counts[l]]] += 1;
}
