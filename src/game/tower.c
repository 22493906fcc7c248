/* A base is what is never upon anything else; things that are upon nothing now
   stand on the ground. If the things are numbered, they are drawn as discs with
   a width by their number, on pegs; otherwise by their names. */
#include "game/tower.h"

#include <ctype.h>
#include <stdlib.h>

#include "game/canvas.h"

enum { MOST_DISCS = 12 };

typedef struct Tower {
  const Terms *terms;
  const BoardsStyle *style;
  Towers stand;
  bool moved[TOWER_THINGS]; /* since the last move */
  uint32_t width, height;
} Tower;

static uint32_t overlap(const Family *family) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < family->values[0].count; i++)
    count +=
        term_vector_contains(&family->values[1], family->values[0].data[i]);
  return count;
}

bool tower_possible(const Families *families, const Family *family) {
  const Terms *terms = &families->rules->terms;
  if (family->arity != 2 || family->overflow ||
      family->values[0].count + family->values[1].count > TOWER_THINGS)
    return false;
  for (uint32_t a = 0; a < 2; a++)
    for (uint32_t i = 0; i < family->values[a].count; i++)
      if (term_number(terms, family->values[a].data[i]) >= 0) return false;
  uint32_t least = family->values[0].count < family->values[1].count
                       ? family->values[0].count
                       : family->values[1].count;
  uint32_t both = overlap(family);
  return both >= 1 && both * 2 >= least;
}

static int find_thing(const Towers *towers, Term term) {
  int i = 0;
  while (i < towers->count && towers->things[i].term != term) i++;
  return i < towers->count ? i : -1;
}

static const char *text_of(const Terms *terms, Term term) {
  return symbol_text(&terms->symbols, term_symbol(terms, term));
}

static const char *name_of(const Tower *tower, int thing) {
  return text_of(tower->terms, tower->stand.things[thing].term);
}

static uint32_t disc_number(const char *name) {
  const char *digits = name;
  while (*digits && !isdigit((unsigned char)*digits)) digits++;
  if (digits == name || !*digits || strlen(digits) > 2 ||
      strspn(digits, "0123456789") != strlen(digits))
    return 0;
  return (uint32_t)atoi(digits);
}

/* `upper` is the argument that is upon the other. */
static void list_things(const Terms *terms, const Family *family,
                        uint32_t upper, Towers *towers) {
  for (uint32_t pass = 0; pass < 2; pass++) {
    const TermVector *values = &family->values[pass ? !upper : upper];
    for (uint32_t i = 0; i < values->count; i++)
      if (find_thing(towers, values->data[i]) < 0)
        towers->things[towers->count++] = (TowerThing){.term = values->data[i],
                                                       .base = pass == 1,
                                                       .below = -1,
                                                       .above = -1};
  }
  towers->discs = true;
  for (int i = 0; i < towers->count; i++) {
    TowerThing *thing = &towers->things[i];
    if (thing->base) continue;
    thing->disc = disc_number(text_of(terms, thing->term));
    towers->discs &= thing->disc > 0 && thing->disc <= MOST_DISCS;
    for (int j = 0; j < i; j++)
      towers->discs &= towers->things[j].disc != thing->disc;
  }
}

static bool stack(Towers *towers, Term upper, Term lower) {
  int a = find_thing(towers, upper), b = find_thing(towers, lower);
  if (a < 0 || b < 0 || a == b) return false;
  TowerThing *above = &towers->things[a], *below = &towers->things[b];
  if (above->base || above->below >= 0 || (below->bearing && !below->base))
    return false;
  above->below = b;
  if (!below->bearing++) below->above = a;
  return true;
}

/* Returns whether following `below` always ends. */
static bool stands(const Towers *towers) {
  for (int i = 0; i < towers->count; i++) {
    int steps = 0;
    for (int at = i; at >= 0; at = towers->things[at].below)
      if (steps++ > towers->count) return false;
  }
  return true;
}

static bool build(const Terms *terms, const Family *family, const Term *facts,
                  uint32_t count, uint32_t upper, Towers *towers) {
  towers->count = 0;
  list_things(terms, family, upper, towers);
  for (uint32_t i = 0; i < count; i++)
    if (family_has(family, terms, facts[i]) &&
        !stack(towers, term_argument(terms, facts[i], upper),
               term_argument(terms, facts[i], !upper)))
      return false;
  return stands(towers);
}

/* Tries which argument is upon the other. */
static bool find_stand(const Terms *terms, const Family *family,
                       const Term *facts, uint32_t count, uint32_t *upper,
                       Towers *towers) {
  for (*upper = 0; *upper < 2; ++*upper)
    if (build(terms, family, facts, count, *upper, towers)) return true;
  return false;
}

bool tower_stand(const Families *families, const Family *family,
                 const Term *facts, uint32_t count, Towers *towers) {
  uint32_t upper;
  return find_stand(&families->rules->terms, family, facts, count, &upper,
                    towers);
}

static void find_moved(Tower *tower, const Family *family, const Term *before,
                       uint32_t count, uint32_t upper) {
  Towers *old = memory_new(sizeof *old);
  if (build(tower->terms, family, before, count, upper, old))
    for (int i = 0; i < tower->stand.count; i++)
      tower->moved[i] = i < old->count &&
                        tower->stand.things[i].below != old->things[i].below;
  memory_delete(old);
}

/* ---- drawing ---- */

/* The columns: the lowest thing of each, or -1 for a base that bears nothing.
 */
typedef struct Column {
  int base, bottom;
  bool labelled; /* with the name of the base */
} Column;

typedef struct Columns {
  Column list[2 * TOWER_THINGS];
  uint32_t count;
} Columns;

static void list_columns(const Tower *tower, Columns *columns) {
  for (int i = 0; i < tower->stand.count; i++) {
    const TowerThing *thing = &tower->stand.things[i];
    if (!thing->base && thing->below < 0)
      columns->list[columns->count++] = (Column){.base = -1, .bottom = i};
  }
  for (int b = 0; b < tower->stand.count; b++) {
    if (!tower->stand.things[b].base) continue;
    bool labelled = true;
    for (int i = 0; i < tower->stand.count; i++)
      if (tower->stand.things[i].below == b) {
        columns->list[columns->count++] =
            (Column){.base = b, .bottom = i, .labelled = labelled};
        labelled = false;
      }
    if (labelled)
      columns->list[columns->count++] =
          (Column){.base = b, .bottom = -1, .labelled = true};
  }
}

static uint32_t column_height(const Tower *tower, int bottom) {
  uint32_t height = 0;
  for (int at = bottom; at >= 0; at = tower->stand.things[at].above) height++;
  return height;
}

static void measure(Tower *tower, const Columns *columns) {
  uint32_t discs = 0;
  for (int i = 0; i < tower->stand.count; i++) {
    const TowerThing *thing = &tower->stand.things[i];
    uint32_t own = (uint32_t)strlen(name_of(tower, i));
    if (tower->stand.discs && !thing->base) own = 2 * thing->disc + 1;
    if (!tower->stand.discs && !thing->base) own += 2;
    if (own > tower->width) tower->width = own;
    discs += !thing->base;
  }
  for (uint32_t c = 0; c < columns->count; c++) {
    uint32_t own = column_height(tower, columns->list[c].bottom);
    if (own > tower->height) tower->height = own;
  }
  if (tower->stand.discs) tower->height = discs;
}

static void add_repeated(Text *text, const char *string, uint32_t count) {
  while (count--) text_add(text, string);
}

static void add_centred(const Tower *tower, const char *string, uint32_t own,
                        Text *text) {
  uint32_t left = own < tower->width ? (tower->width - own) / 2 : 0;
  add_repeated(text, " ", left);
  text_add(text, string);
  if (left + own < tower->width)
    add_repeated(text, " ", tower->width - left - own);
}

static void write_disc(const Tower *tower, int at, Text *text) {
  const TowerThing *thing = &tower->stand.things[at];
  const char *bar = tower->style->unicode ? "━" : "=";
  bool brackets = tower->moved[at] && !tower->style->colour;
  bool wide = thing->disc > 9;
  text_add(text, brackets ? "[" : bar);
  add_repeated(text, bar, thing->disc - 1 - wide);
  text_format(text, "%u", thing->disc);
  add_repeated(text, bar, thing->disc - 1);
  text_add(text, brackets ? "]" : bar);
}

static void draw_thing(const Tower *tower, int at, Text *text) {
  bool brackets = tower->moved[at] && !tower->style->colour;
  Text own = {0}, marked = {0};
  if (tower->stand.discs)
    write_disc(tower, at, &own);
  else
    text_format(&own, brackets ? "[%s]" : " %s ", name_of(tower, at));
  uint32_t width = canvas_columns(own.bytes, own.length);
  if (tower->moved[at] && tower->style->colour)
    text_format(&marked, "\33[7m%s\33[0m", own.bytes);
  add_centred(tower, marked.length ? marked.bytes : own.bytes, width, text);
  text_free(&own);
  text_free(&marked);
}

/* Writes what is in the column `row` places above its bottom. */
static void draw_place(const Tower *tower, const Column *column, uint32_t row,
                       Text *text) {
  int at = column->bottom;
  for (uint32_t i = 0; i < row && at >= 0; i++)
    at = tower->stand.things[at].above;
  if (at >= 0)
    draw_thing(tower, at, text);
  else
    add_centred(tower,
                !tower->stand.discs     ? " "
                : tower->style->unicode ? "│"
                                        : "|",
                1, text);
}

static void end_line(Text *block) {
  while (block->length && block->bytes[block->length - 1] == ' ')
    block->bytes[--block->length] = '\0';
  text_add_byte(block, '\n');
}

static void draw_columns(const Tower *tower, const Columns *columns,
                         Text *block) {
  bool labels = false;
  for (uint32_t row = tower->height; row-- > 0;) {
    for (uint32_t c = 0; c < columns->count; c++) {
      if (c) text_add_byte(block, ' ');
      draw_place(tower, &columns->list[c], row, block);
      labels |= columns->list[c].labelled;
    }
    end_line(block);
  }
  for (uint32_t c = 0; labels && c < columns->count; c++) {
    const Column *column = &columns->list[c];
    const char *name = column->labelled ? name_of(tower, column->base) : "";
    if (c) text_add_byte(block, ' ');
    add_centred(tower, name, (uint32_t)strlen(name), block);
  }
  if (labels) end_line(block);
}

bool tower_draw(const Families *families, const Family *family,
                const Term *facts, uint32_t count, const Term *before,
                uint32_t before_count, const BoardsStyle *style,
                TextVector *blocks) {
  Tower *tower = memory_new(sizeof *tower);
  *tower = (Tower){.terms = &families->rules->terms, .style = style};
  uint32_t upper;
  bool fine =
      find_stand(tower->terms, family, facts, count, &upper, &tower->stand);
  Columns columns = {.count = 0};
  if (fine && before) find_moved(tower, family, before, before_count, upper);
  if (fine) list_columns(tower, &columns);
  if (fine) measure(tower, &columns);
  fine &= columns.count &&
          (!style->width || columns.count * (tower->width + 1) <= style->width);
  if (fine) {
    Text block = {0};
    draw_columns(tower, &columns, &block);
    vector_push(blocks, block);
  }
  memory_delete(tower);
  return fine;
}
