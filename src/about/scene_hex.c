/* Neighbours are told by displacements: how far the coordinates of one place
   lie from those of another that is named beside it, by the order of the axes.
   They are collected

   - from moves of one step,
   - from the rules, for each predicate and pair of its arguments: in (adjacent
     1 2 1 3), or in a rule such as (<= (reached ?x ?v) (reached ?x ?y) (succ ?y
     ?v)), where succ is a relation of two columns whose facts go one step.

   A square without two opposite corners has the outline of a hexagon. Six
   displacements that form a hexagon make the board one; with eight or four
   neighbours it is a grid. */
#include "about/scene_parts.h"

enum {
  MOST_RULES = 20000,
  MOST_LINKS = 32,
  MOST_GROUPS = 256,
  MOST_ARGUMENTS = 8,
  FARTHEST = 2 /* that is looked at */
};

/* ---- sets of displacements ---- */

typedef uint32_t Ways; /* a bit for each of 5 x 5 displacements */

static Ways way(int dx, int dy) {
  if (dx < -FARTHEST || dx > FARTHEST || dy < -FARTHEST || dy > FARTHEST)
    return 0;
  return (Ways)1 << ((dy + FARTHEST) * (2 * FARTHEST + 1) + dx + FARTHEST);
}

static Ways around(int dx, int dy) {
  return way(dx, dy) | way(-dx, -dy);
}

static Ways mirrored(Ways ways) {
  Ways all = 0;
  for (int dy = -FARTHEST; dy <= FARTHEST; dy++)
    for (int dx = -FARTHEST; dx <= FARTHEST; dx++)
      if (ways & way(dx, dy)) all |= around(dx, dy);
  return all;
}

/* Returns whether the nearest displacements are six around a place. */
static bool is_hexagon(Ways ways, int *slant) {
  Ways all = mirrored(ways), cross = around(1, 0) | around(0, 1);
  Ways near = cross | around(1, 1) | around(-1, 1);
  Ways wide = around(2, 0) | around(1, 1) | around(-1, 1);
  if ((all & near) == (cross | around(-1, 1)))
    *slant = 1;
  else if ((all & near) == (cross | around(1, 1)))
    *slant = -1;
  else if ((all & (near | wide)) == wide)
    *slant = 0;
  else
    return false;
  return true;
}

/* ---- terms of a rule ---- */

typedef struct Link {
  Term from, to; /* variables */
  int step;
} Link;

typedef struct Group {
  Symbol predicate;
  uint32_t arity, first, second; /* arguments */
  Ways ways;
} Group;

typedef struct Hexes {
  const Scene *scene;
  const Rules *rules;
  const Picture *picture;
  const Family *family;
  Link links[2][MOST_LINKS]; /* by axis */
  uint32_t link_count[2];
  Group groups[MOST_GROUPS];
  uint32_t group_count;
} Hexes;

static uint32_t index_of(const Hexes *hexes, uint32_t d, Term value) {
  return axis_index(&hexes->picture->axes[d], value);
}

/* Finds how far the facts of the relation go along the axis: one step, or none
   if it says that two are equal. */
static bool find_step(const Hexes *hexes, Symbol predicate, uint32_t d,
                      int *step) {
  const Terms *terms = &hexes->rules->terms;
  uint32_t length = hexes->picture->axes[d].values.count, count = 0;
  for (uint32_t r = 0; r < hexes->rules->list.count && r < MOST_RULES; r++) {
    const Rule *rule = &hexes->rules->list.data[r];
    if (term_symbol(terms, rule->head) != predicate ||
        term_arity(terms, rule->head) != 2)
      continue;
    Term from = term_argument(terms, rule->head, 0);
    Term to = term_argument(terms, rule->head, 1);
    uint32_t a = index_of(hexes, d, from), b = index_of(hexes, d, to);
    bool same = from == to && term_is_variable(terms, from);
    if (!same && (a == length || b == length)) continue;
    int own = same ? 0 : (int)b - (int)a;
    if (own < -1 || own > 1 || (count && own != *step)) return false;
    *step = own;
    count += same ? 2 : 1;
  }
  return count >= 2;
}

static void find_links(Hexes *hexes, const Rule *rule) {
  const Terms *terms = &hexes->rules->terms;
  const Literal *body = rule_body(hexes->rules, rule);
  hexes->link_count[0] = hexes->link_count[1] = 0;
  for (uint32_t i = 0; i < rule->count; i++) {
    Term atom = body[i].atom;
    if (body[i].sign != POSITIVE || term_arity(terms, atom) != 2) continue;
    Term from = term_argument(terms, atom, 0);
    Term to = term_argument(terms, atom, 1);
    if (!term_is_variable(terms, from) || !term_is_variable(terms, to))
      continue;
    for (uint32_t d = 0; d < 2; d++) {
      int step = 0;
      if (hexes->link_count[d] < MOST_LINKS &&
          find_step(hexes, term_symbol(terms, atom), d, &step))
        hexes->links[d][hexes->link_count[d]++] = (Link){from, to, step};
    }
  }
}

/* Finds how far `to` lies from `from` along the axis. */
static bool distance(const Hexes *hexes, uint32_t d, Term from, Term to,
                     int *far) {
  *far = 0;
  if (from == to) return true;
  const Terms *terms = &hexes->rules->terms;
  if (!term_is_variable(terms, from) && !term_is_variable(terms, to)) {
    uint32_t length = hexes->picture->axes[d].values.count;
    uint32_t a = index_of(hexes, d, from), b = index_of(hexes, d, to);
    *far = (int)b - (int)a;
    return a < length && b < length;
  }
  for (uint32_t i = 0; i < hexes->link_count[d]; i++) {
    const Link *link = &hexes->links[d][i];
    bool ahead = link->from == from && link->to == to;
    if (!ahead && (link->from != to || link->to != from)) continue;
    *far = ahead ? link->step : -link->step;
    return true;
  }
  return false;
}

/* ---- pairs of places ---- */

static void note(Hexes *hexes, Term head, uint32_t first, uint32_t second,
                 Ways ways) {
  const Terms *terms = &hexes->rules->terms;
  Symbol predicate = term_symbol(terms, head);
  uint32_t arity = term_arity(terms, head), g = 0;
  while (g < hexes->group_count &&
         (hexes->groups[g].predicate != predicate ||
          hexes->groups[g].arity != arity || hexes->groups[g].first != first ||
          hexes->groups[g].second != second))
    g++;
  if (g == MOST_GROUPS) return;
  if (g == hexes->group_count)
    hexes->groups[hexes->group_count++] =
        (Group){predicate, arity, first, second, 0};
  hexes->groups[g].ways |= ways;
}

/* Compares two arguments from `i` on of one atom with two of another. */
static void compare(Hexes *hexes, Term head, uint32_t i, Term other, uint32_t j,
                    uint32_t second) {
  const Terms *terms = &hexes->rules->terms;
  bool turned = hexes->family->argument[0] > hexes->family->argument[1];
  int far[2];
  for (uint32_t k = 0; k < 2; k++) {
    uint32_t d = turned ? !k : k;
    if (!distance(hexes, d, term_argument(terms, head, i + k),
                  term_argument(terms, other, j + k), &far[d]))
      return;
  }
  if (far[0] || far[1]) note(hexes, head, i, second, way(far[0], far[1]));
}

static void look_at_rule(Hexes *hexes, const Rule *rule) {
  const Terms *terms = &hexes->rules->terms;
  const Literal *body = rule_body(hexes->rules, rule);
  uint32_t arity = term_arity(terms, rule->head);
  if (arity < 2 || arity > MOST_ARGUMENTS) return;
  find_links(hexes, rule);
  for (uint32_t i = 0; i + 1 < arity; i++) {
    for (uint32_t j = i + 2; j + 1 < arity; j++)
      compare(hexes, rule->head, i, rule->head, j, j);
    for (uint32_t k = 0; k < rule->count; k++)
      if (body[k].sign == POSITIVE &&
          term_symbol(terms, body[k].atom) == term_symbol(terms, rule->head) &&
          term_arity(terms, body[k].atom) == arity)
        compare(hexes, rule->head, i, body[k].atom, i, MOST_ARGUMENTS);
  }
}

static bool find_in_rules(Hexes *hexes, int *slant) {
  for (uint32_t r = 0; r < hexes->rules->list.count && r < MOST_RULES; r++)
    look_at_rule(hexes, &hexes->rules->list.data[r]);
  for (uint32_t g = 0; g < hexes->group_count; g++)
    if (is_hexagon(hexes->groups[g].ways, slant)) return true;
  return false;
}

/* ---- moves ---- */

static uint32_t read_one(const Scene *scene, const SceneForm *form,
                         const SceneReading *reading, const SceneLeaves *leaves,
                         bool *places) {
  uint32_t count = scene->boards.data[reading->board].places, p = 0;
  memset(places, 0, count);
  if (reading->reads != READ_PLACE ||
      !scene_read(scene, form, reading, leaves, NULL, places))
    return no_place;
  while (!places[p]) p++;
  return p;
}

static Ways way_of_move(Scene *scene, uint32_t board, Term move, bool *places) {
  SceneLeaves leaves;
  scene_leaves(scene_terms(scene), move, &leaves);
  const SceneForm *form = scene_form(scene, &leaves);
  if (!form || form->chosen.count != 2 || form->chosen.data[0].board != board)
    return 0;
  uint32_t columns = scene->boards.data[board].columns;
  uint32_t a = read_one(scene, form, &form->chosen.data[0], &leaves, places);
  uint32_t b = read_one(scene, form, &form->chosen.data[1], &leaves, places);
  if (a == no_place || b == no_place) return 0;
  return way((int)(b % columns) - (int)(a % columns),
             (int)(b / columns) - (int)(a / columns));
}

static bool find_in_moves(Scene *scene, uint32_t board, int *slant) {
  Ways ways = 0;
  bool *places = memory_new(scene->boards.data[board].places + 1);
  const Net *net = &scene->book->net;
  uint32_t count = scene->book->has_net ? net->moves.count : 0;
  for (uint32_t i = 0; i < count; i++)
    ways |= way_of_move(scene, board, net->moves.data[i].term, places);
  for (uint32_t i = 0; !count && i < scene->sample.legal.count; i++)
    ways |= way_of_move(scene, board, scene->sample.legal.data[i], places);
  memory_delete(places);
  return is_hexagon(ways, slant);
}

/* ---- the outline ---- */

/* Returns whether two corners opposite each other are cut off, so that a
   hexagon with equal sides is left; `turned` says which two. */
static bool is_cut(const SceneBoard *board, const bool *exists, bool turned) {
  uint32_t size = board->columns, side = (size + 1) / 2;
  if (board->rows != size || size % 2 == 0 || size < 5) return false;
  for (uint32_t p = 0; p < board->places; p++) {
    uint32_t x = p % size, y = p / size;
    uint32_t sum = (turned ? size - 1 - x : x) + y;
    bool corner = sum + 1 < side || sum > 3 * (side - 1);
    bool tip = sum + 1 == side || sum == 3 * (side - 1);
    if (corner ? exists[p] : tip && !exists[p]) return false;
  }
  return true;
}

static bool find_in_outline(const SceneBoard *board, const Picture *picture,
                            int *slant) {
  if (!picture->exists) return false;
  *slant = is_cut(board, picture->exists, true) ? -1 : 1;
  return *slant < 0 || is_cut(board, picture->exists, false);
}

bool scene_is_hex(Scene *scene, uint32_t board, int *slant) {
  const SceneBoard *own = &scene->boards.data[board];
  if (own->shape != SCENE_GRID || own->places != own->columns * own->rows)
    return false;
  if (find_in_moves(scene, board, slant) ||
      find_in_outline(own, scene_picture(scene, own), slant))
    return true;
  Hexes *hexes = memory_new(sizeof *hexes);
  hexes->scene = scene;
  hexes->rules = &scene->book->description->rules;
  hexes->picture = scene_picture(scene, own);
  hexes->family = &scene->layout.families.list.data[own->family];
  bool found = !hexes->family->split && find_in_rules(hexes, slant);
  memory_delete(hexes);
  return found;
}
