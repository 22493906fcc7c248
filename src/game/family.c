/* Where the analysis knows one-hot groups, these tell places from contents: if
   the facts about one place exclude each other, what they differ in is its
   contents; if the facts about one thing do, and they differ in two ordered
   arguments, these are where it is. Otherwise all ordered arguments are
   coordinates, unless nothing else is left: then the last of three or more is
   the contents.

   Two coordinates are a board; three are boards side by side, for the values of
   the one that differs from the others or, if none does, the last; four are
   boards on the places of a board. */
#include "game/family.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>

#include "rules/evaluate.h"

enum { FEWEST_GROUPS = 3 };

/* ---- order of values ---- */

static const char *constant_text(const Terms *terms, Term term) {
  return term_arity(terms, term)
             ? ""
             : symbol_text(&terms->symbols, term_symbol(terms, term));
}

/* Returns the letter that the term is, or 0. */
static int letter_of(const Terms *terms, Term term) {
  const char *text = constant_text(terms, term);
  return isalpha((unsigned char)text[0]) && !text[1] ? text[0] : 0;
}

/* Returns the length of what stands before the digits at the end of the name,
   or 0 if it has none or is nothing else. */
static size_t stem_length(const char *name) {
  size_t length = strlen(name), stem = length;
  while (stem && isdigit((unsigned char)name[stem - 1])) stem--;
  return stem < length && length - stem <= 6 ? stem : 0;
}

static bool are_numbers(const Terms *terms, const TermVector *values) {
  for (uint32_t i = 0; i < values->count; i++)
    if (term_number(terms, values->data[i]) < 0) return false;
  return true;
}

/* The values are sorted. */
static bool are_letters(const Terms *terms, const TermVector *values) {
  int first = letter_of(terms, values->data[0]);
  for (uint32_t i = 0; i < values->count; i++)
    if (!first || letter_of(terms, values->data[i]) != first + (int)i)
      return false;
  return true;
}

static bool are_numbered(const Terms *terms, const TermVector *values) {
  const char *first = constant_text(terms, values->data[0]);
  size_t stem = stem_length(first);
  for (uint32_t i = 0; i < values->count; i++) {
    const char *name = constant_text(terms, values->data[i]);
    if (!stem || stem_length(name) != stem || strncmp(name, first, stem) != 0)
      return false;
  }
  return true;
}

static void sort_numbered(const Terms *terms, TermVector *values) {
  for (uint32_t i = 1; i < values->count; i++)
    for (uint32_t j = i; j > 0; j--) {
      const char *a = constant_text(terms, values->data[j - 1]);
      const char *b = constant_text(terms, values->data[j]);
      if (atoi(a + stem_length(a)) <= atoi(b + stem_length(b))) break;
      Term other = values->data[j];
      values->data[j] = values->data[j - 1];
      values->data[j - 1] = other;
    }
}

/* Sorts the values; returns whether they may be coordinates. */
static bool order_values(const Terms *terms, TermVector *values) {
  if (values->count) term_sort(terms, values->data, values->count);
  if (values->count < 2 || values->count > FAMILY_LONGEST_AXIS) return false;
  if (are_numbers(terms, values) || are_letters(terms, values)) return true;
  if (!are_numbered(terms, values)) return false;
  sort_numbered(terms, values);
  return true;
}

/* ---- facts that may hold ---- */

uint32_t families_find(const Families *families, Term fact) {
  const Terms *terms = &families->rules->terms;
  Symbol functor = term_symbol(terms, fact);
  uint32_t arity = term_arity(terms, fact), i = 0;
  while (i < families->list.count &&
         (families->list.data[i].functor != functor ||
          families->list.data[i].arity != arity))
    i++;
  return i;
}

bool family_has(const Family *family, const Terms *terms, Term fact) {
  return term_symbol(terms, fact) == family->functor &&
         term_arity(terms, fact) == family->arity;
}

static Family *find_or_add(Families *families, Term fact) {
  const Terms *terms = &families->rules->terms;
  uint32_t i = families_find(families, fact);
  if (i == families->list.count)
    vector_push(&families->list, ((Family){.functor = term_symbol(terms, fact),
                                           .arity = term_arity(terms, fact)}));
  return &families->list.data[i];
}

/* Adds the values of the fact's arguments; returns whether one was new. */
static bool add_values(const Terms *terms, Family *family, Term fact) {
  bool fresh = false;
  for (uint32_t a = 0; a < family->arity && a < FAMILY_ARGUMENTS; a++) {
    Term value = term_argument(terms, fact, a);
    if (family->overflow >> a & 1 ||
        term_vector_contains(&family->values[a], value))
      continue;
    fresh = true;
    if (family->values[a].count == FAMILY_VALUES)
      family->overflow |= (uint32_t)1 << a;
    else
      vector_push(&family->values[a], value);
  }
  return fresh;
}

static void add_fact(Families *families, Term fact) {
  Family *family = find_or_add(families, fact);
  family->known++;
  add_values(&families->rules->terms, family, fact);
  vector_push(&families->facts, fact);
}

static void order_arguments(Families *families) {
  const Terms *terms = &families->rules->terms;
  for (uint32_t i = 0; i < families->list.count; i++) {
    Family *family = &families->list.data[i];
    family->ordered = 0;
    for (uint32_t a = 0; a < family->arity && a < FAMILY_ARGUMENTS; a++)
      if (order_values(terms, &family->values[a]) &&
          !(family->overflow >> a & 1))
        family->ordered |= (uint32_t)1 << a;
  }
}

bool families_learn(Families *families, const Term *facts, uint32_t count) {
  bool fresh = false;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t known = families->list.count;
    Family *family = find_or_add(families, facts[i]);
    fresh |= families->list.count != known;
    if (add_values(&families->rules->terms, family, facts[i])) {
      fresh = true;
      family->known++;
      vector_push(&families->facts, facts[i]);
    }
  }
  if (fresh) order_arguments(families);
  return fresh;
}

static void collect_base(Description *description, TermVector *facts) {
  uint32_t base = dependencies_find(&description->dependencies, SYMBOL_BASE, 1);
  if (!base || !description->dependencies.list.data[base].rules.count) return;
  Evaluator evaluator;
  EvaluatorLimits limits = {.memory = (size_t)1 << 28, .seconds = 2};
  Statistics statistics = {0};
  Text error = {0};
  evaluator_init(&evaluator, description, &limits, &statistics, &error);
  if (!evaluator_collect(&evaluator, plans_procedure(&evaluator.plans, base, 0),
                         facts))
    vector_clear(facts);
  evaluator_free(&evaluator);
  text_free(&error);
}

/* ---- what the analysis says ---- */

/* Returns the index of the family that all members belong to, or the number
   of families. */
static uint32_t family_of_group(const Families *families,
                                const Analysis *analysis,
                                const OneHotGroup *group) {
  const Net *net = analysis->net;
  const uint32_t *members = onehot_members(&analysis->onehot, group);
  const Terms *terms = &families->rules->terms;
  uint32_t found = families_find(families, net->fluents.data[*members].term);
  const Family *family = &families->list.data[found];
  for (uint32_t i = 1; i < group->count; i++) {
    Term term = net->fluents.data[members[i]].term;
    if (term_symbol(terms, term) != family->functor ||
        term_arity(terms, term) != family->arity)
      return families->list.count;
  }
  return found;
}

static void take_groups(Families *families, const Analysis *analysis) {
  for (uint32_t g = 0; g < analysis->onehot.groups.count; g++) {
    const OneHotGroup *group = &analysis->onehot.groups.data[g];
    if (!group->count || !group->at_most) continue;
    uint32_t found = family_of_group(families, analysis, group);
    if (found == families->list.count) continue;
    Family *family = &families->list.data[found];
    if (group->count == family->known) {
      family->single = true;
      family->always = group->at_least != EVIDENCE_NONE;
    }
    if (!family->groups) family->varying = group->varying;
    family->groups += group->varying == family->varying;
  }
}

/* Takes orders by chains of rules for arguments that name places. */
static void take_chains(Families *families, const Analysis *analysis) {
  const Places *places = &analysis->places;
  for (uint32_t b = 0; b < places->boards.count; b++) {
    const Board *board = &places->boards.data[b];
    for (uint32_t i = 0; i < families->list.count; i++) {
      Family *family = &families->list.data[i];
      if (family->functor != board->functor || family->arity != board->arity)
        continue;
      for (uint32_t a = 0; a < board->arity; a++) {
        const TermVector *chain = &board->values[a];
        if (family->ordered >> a & 1 || !(board->place >> a & 1) ||
            board->order[a] != PLACES_RULES || chain->count < 3 ||
            chain->count > FAMILY_LONGEST_AXIS ||
            chain->count != family->values[a].count)
          continue;
        memcpy(family->values[a].data, chain->data,
               chain->count * sizeof *chain->data);
        family->ordered |= (uint32_t)1 << a;
      }
    }
  }
}

void families_init(Families *families, Description *description,
                   const Analysis *analysis) {
  TermVector facts = {0};
  *families = (Families){.rules = &description->rules};
  if (analysis)
    for (uint32_t i = 0; i < analysis->net->fluents.count; i++)
      vector_push(&facts, analysis->net->fluents.data[i].term);
  else
    collect_base(description, &facts);
  families->closed = facts.count > 0;
  for (uint32_t i = 0; i < facts.count; i++) add_fact(families, facts.data[i]);
  vector_free(&facts);
  order_arguments(families);
  if (!analysis) return;
  families->analysed = true;
  take_groups(families, analysis);
  take_chains(families, analysis);
}

void families_free(Families *families) {
  for (uint32_t i = 0; i < families->list.count; i++)
    for (uint32_t a = 0; a < FAMILY_ARGUMENTS; a++)
      vector_free(&families->list.data[i].values[a]);
  vector_free(&families->list);
  vector_free(&families->facts);
}

/* ---- coordinates ---- */

static uint32_t bits(uint32_t number) {
  return (uint32_t)__builtin_popcount(number);
}

static void set_axes(Family *family, uint32_t place) {
  uint32_t count = 0, list[FAMILY_AXES] = {0};
  for (uint32_t a = 0; a < FAMILY_ARGUMENTS && count < FAMILY_AXES; a++)
    if (place >> a & 1) list[count++] = a;
  family->dimension = count;
  memcpy(family->argument, list, sizeof list);
  if (count == 4) {
    family->argument[0] = list[2];
    family->argument[1] = list[3];
    family->argument[2] = list[0];
    family->argument[3] = list[1];
  }
  uint32_t all = ((uint32_t)1 << family->arity) - 1;
  family->contents = all & ~place;
}

/* Makes the one of three axes that differs from the others the layer. */
static void choose_layer(Family *family) {
  uint32_t *argument = family->argument;
  uint32_t size[3];
  for (uint32_t d = 0; d < 3; d++) size[d] = family->values[argument[d]].count;
  if (size[1] != size[2] || size[0] == size[1]) return;
  uint32_t layer = argument[0];
  argument[0] = argument[1];
  argument[1] = argument[2];
  argument[2] = layer;
}

/* Returns the two ordered arguments, if these are neighbours and the others are
   not ordered; else 0. */
static uint32_t neighbours(const Family *family) {
  uint32_t lowest = family->ordered & -family->ordered;
  return lowest && family->ordered == (lowest | lowest << 1) &&
                 family->arity > 2
             ? family->ordered
             : 0;
}

/* Returns the coordinates according to the groups, or 0. */
static uint32_t place_by_groups(Family *family, uint32_t all) {
  uint32_t fixed = all & ~family->varying;
  if (family->groups >= FEWEST_GROUPS && fixed &&
      (fixed & family->ordered) == fixed)
    return fixed;
  uint32_t where = family->varying & family->ordered;
  if (bits(where) != 2 || fixed & family->ordered) where = neighbours(family);
  family->mover = where != 0;
  return where;
}

/* Returns whether the name is a letter and a number, such as b4. */
static bool is_square(const char *name) {
  return isalpha((unsigned char)name[0]) && stem_length(name) == 1 &&
         strlen(name) <= 3;
}

static bool has_consecutive_letters(const Terms *terms,
                                    const TermVector *values) {
  bool seen[UCHAR_MAX + 1] = {false};
  int first = UCHAR_MAX, last = 0, count = 0;
  for (uint32_t i = 0; i < values->count; i++) {
    int letter = (unsigned char)constant_text(terms, values->data[i])[0];
    count += !seen[letter];
    seen[letter] = true;
    if (letter < first) first = letter;
    if (letter > last) last = letter;
  }
  return count > 1 && last - first + 1 == count;
}

/* Finds an argument whose values are squares with both letters and numbers of
   some range. */
static bool find_squares(const Terms *terms, Family *family) {
  for (uint32_t a = 0; a < family->arity && a < FAMILY_ARGUMENTS; a++) {
    const TermVector *values = &family->values[a];
    bool squares = values->count >= 6 && !(family->overflow >> a & 1) &&
                   !(family->ordered >> a & 1);
    for (uint32_t i = 0; squares && i < values->count; i++)
      squares = is_square(constant_text(terms, values->data[i]));
    if (!squares || !has_consecutive_letters(terms, values)) continue;
    family->argument[0] = family->argument[1] = a;
    family->dimension = 2;
    family->split = true;
    family->contents =
        (((uint32_t)1 << family->arity) - 1) & ~((uint32_t)1 << a);
    return true;
  }
  return false;
}

void family_lay_out(const Families *families, Family *family) {
  family->dimension = family->contents = 0;
  family->split = family->mover = false;
  if (!family->arity || family->arity > FAMILY_ARGUMENTS ||
      find_squares(&families->rules->terms, family))
    return;
  uint32_t all = ((uint32_t)1 << family->arity) - 1;
  uint32_t place =
      family->groups ? place_by_groups(family, all) : family->ordered;
  if (!family->groups && place == all && family->arity > 2)
    place &= ~((uint32_t)1 << (family->arity - 1));
  if (bits(place) > FAMILY_AXES) return;
  set_axes(family, place);
  if (family->dimension == 3) choose_layer(family);
  if (!family->groups && family->dimension == 2 && family->contents)
    family->mover = family->contents < ((uint32_t)1 << family->argument[0]);
}

bool family_lay_out_at(Family *family, uint32_t first) {
  uint32_t place = (uint32_t)3 << first;
  if (family->arity > FAMILY_ARGUMENTS || first + 2 > family->arity ||
      (family->ordered & place) != place)
    return false;
  set_axes(family, place);
  family->split = family->mover = false;
  return true;
}

static uint32_t square_coordinate(const char *name, uint32_t d) {
  return d ? (uint32_t)atoi(name + 1) : (unsigned char)name[0];
}

static int by_number(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

void family_axis(const Family *family, const Terms *terms, uint32_t d,
                 Axis *axis) {
  const TermVector *values = &family->values[family->argument[d]];
  *axis = (Axis){.kind = !family->split ? AXIS_TERMS
                         : d            ? AXIS_NUMBERS
                                        : AXIS_LETTERS};
  for (uint32_t i = 0; i < values->count; i++) {
    uint32_t value =
        family->split
            ? square_coordinate(constant_text(terms, values->data[i]), d)
            : values->data[i];
    if (axis_index(axis, value) == axis->values.count)
      vector_push(&axis->values, value);
  }
  if (family->split && axis->values.count)
    qsort(axis->values.data, axis->values.count, sizeof(uint32_t), by_number);
}

uint32_t family_coordinate(const Family *family, const Terms *terms, uint32_t d,
                           Term fact) {
  Term value = term_argument(terms, fact, family->argument[d]);
  return family->split ? square_coordinate(constant_text(terms, value), d)
                       : value;
}

uint32_t family_contents(const Family *family, const Terms *terms, Term fact,
                         Term *contents) {
  uint32_t count = 0;
  for (uint32_t a = 0; a < family->arity && a < FAMILY_ARGUMENTS; a++)
    if (family->contents >> a & 1)
      contents[count++] = term_argument(terms, fact, a);
  return count;
}
