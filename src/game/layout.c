/* The families are laid out once, and again when a state has facts that were
   not expected. */
#include "game/layout.h"

#include "game/words.h"

/* ---- whose turn it is ---- */

static bool is_turn_by_name(const Families *families, const Family *family) {
  const Rules *rules = families->rules;
  Text words = {0};
  words_write(symbol_text(&rules->terms.symbols, family->functor), &words);
  const char *name = text_string(&words);
  bool exact = strcmp(name, "control") == 0 || strcmp(name, "turn") == 0;
  bool fine = family->arity == 1 &&
              (exact || strstr(name, "control") || strstr(name, "turn"));
  for (uint32_t i = 0; fine && !exact && i < family->values[0].count; i++)
    fine = term_vector_contains(&rules->roles, family->values[0].data[i]);
  text_free(&words);
  return fine;
}

static bool names_role(const Rules *rules, const TermVector *values) {
  for (uint32_t r = 0; r < rules->roles.count; r++)
    if (term_vector_contains(values, rules->roles.data[r])) return true;
  return false;
}

static uint32_t find_turn(const Layout *layout) {
  const Families *families = &layout->families;
  const Analysis *analysis = layout->analysis;
  for (uint32_t r = 0; analysis && r < analysis->turns.role_count; r++) {
    const RoleTurn *role = &analysis->turns.roles[r];
    if (role->fluent == no_fluent) continue;
    uint32_t found =
        families_find(families, analysis->net->fluents.data[role->fluent].term);
    const Family *family = &families->list.data[found];
    if (family->arity == 1 && family->single && family->known > 1 &&
        names_role(families->rules, &family->values[0]))
      return found;
  }
  for (uint32_t f = 0; f < families->list.count; f++)
    if (is_turn_by_name(families, &families->list.data[f])) return f;
  return families->list.count;
}

/* ---- pieces ---- */

uint32_t layout_piece(Layout *layout, const Picture *picture,
                      const Family *family, Term fact) {
  const Terms *terms = &layout->families.rules->terms;
  Term contents[FAMILY_ARGUMENTS];
  uint32_t count = family_contents(family, terms, fact, contents);
  bool nameless =
      !count || (picture->members.count > 1 && atlas_numbers(family, terms));
  uint32_t piece = glyphs_piece(&layout->glyphs, nameless ? family->functor : 0,
                                contents, count);
  layout->glyphs.pieces.data[piece].thing |= family->mover;
  return piece;
}

/* Names all pieces in advance, so that glyphs stay the same during a game. */
static void collect_pieces(Layout *layout) {
  const Terms *terms = &layout->families.rules->terms;
  for (uint32_t p = 0; p < layout->atlas.pictures.count; p++) {
    const Picture *picture = &layout->atlas.pictures.data[p];
    for (uint32_t m = 0; m < picture->members.count; m++) {
      const Family *family =
          &layout->families.list.data[picture->members.data[m]];
      if (family->overflow & family->contents) continue;
      for (uint32_t i = 0; i < layout->families.facts.count; i++)
        if (family_has(family, terms, layout->families.facts.data[i]))
          layout_piece(layout, picture, family, layout->families.facts.data[i]);
    }
  }
}

/* ---- all ---- */

static void find_boards(Layout *layout) {
  atlas_init(&layout->atlas, &layout->families);
  glyphs_init(&layout->glyphs, layout->families.rules);
  collect_pieces(layout);
  layout->turn = find_turn(layout);
}

static void forget_boards(Layout *layout) {
  atlas_free(&layout->atlas);
  glyphs_free(&layout->glyphs);
}

void layout_init(Layout *layout, Description *description,
                 const Analysis *analysis) {
  *layout = (Layout){.analysis = analysis};
  families_init(&layout->families, description, analysis);
  find_boards(layout);
}

void layout_free(Layout *layout) {
  forget_boards(layout);
  families_free(&layout->families);
}

bool layout_learn(Layout *layout, const Term *facts, uint32_t count) {
  if (!families_learn(&layout->families, facts, count)) return false;
  forget_boards(layout);
  find_boards(layout);
  return true;
}

bool layout_crowded(const Layout *layout, const Picture *picture,
                    const Term *facts, uint32_t count) {
  const Terms *terms = &layout->families.rules->terms;
  const Family *family = &layout->families.list.data[picture->members.data[0]];
  bool seen[FAMILY_LONGEST_AXIS + 1] = {false}, crowded = false;
  for (uint32_t i = 0; picture->dimension == 1 && i < count; i++) {
    if (!family_has(family, terms, facts[i])) continue;
    uint32_t place = atlas_place(picture, family, terms, facts[i]);
    if (place == no_place) continue;
    crowded |= seen[place];
    seen[place] = true;
  }
  return crowded;
}

bool layout_numbers(const Layout *layout, const Picture *picture) {
  return atlas_numbers(&layout->families.list.data[picture->members.data[0]],
                       &layout->families.rules->terms);
}
