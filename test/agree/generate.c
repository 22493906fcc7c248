#include "agree/generate.h"

enum {
  GAME_VALUES = 3,
  GAME_VARIABLES = 3,
  GAME_STEPS = 6, /* until the counter ends it */
  GAME_FLUENTS = 6,
  GAME_ACTIONS = 3,
  GAME_DERIVED = 9,
  GAME_STRATA = 3,
  GAME_WIDEST = 2
};

/* What a predicate may depend on. */
typedef enum { OF_NOTHING, OF_STATE, OF_MOVES } GameScope;

/* A fluent, an action or a derived predicate. */
typedef struct Shape {
  uint32_t arity, stratum;
  bool boxed[GAME_WIDEST]; /* the column holds values within a function */
} Shape;

typedef struct Generator {
  Random random;
  RandomGame *game;
  uint32_t roles;
  Shape fluents[GAME_FLUENTS], actions[GAME_ACTIONS], derived[GAME_DERIVED];
  /* of the rule being made */
  bool bound[GAME_VARIABLES], boxed_bound[GAME_VARIABLES];
} Generator;

/* ---- choices ---- */

static uint32_t below(Generator *g, uint32_t limit) {
  return random_below(&g->random, limit);
}

static void shape_init(Generator *g, Shape *shape) {
  static const uint32_t arities[] = {0, 1, 1, 2, 2, 2};
  shape->arity = arities[below(g, LENGTH(arities))];
  shape->stratum = below(g, GAME_STRATA);
  for (uint32_t i = 0; i < GAME_WIDEST; i++) shape->boxed[i] = !below(g, 4);
}

static GameScope scope_of(uint32_t derived) {
  return (GameScope)(derived / 3);
}

static void clear_bound(Generator *g) {
  memset(g->bound, 0, sizeof g->bound);
  memset(g->boxed_bound, 0, sizeof g->boxed_bound);
}

/* ---- arguments ---- */

/* Writes any value, or any variable, which is then bound. */
static void write_binding(Generator *g, bool boxed, Text *text) {
  uint32_t n = below(g, GAME_VARIABLES);
  bool value = !below(g, 7);
  if (boxed && !below(g, 3)) {
    text_format(text, " ?b%u", n);
    g->boxed_bound[n] = true;
    return;
  }
  text_add(text, boxed ? " (box" : "");
  text_format(text, value ? " c%u" : " ?v%u", n);
  text_add(text, boxed ? ")" : "");
  if (!value) g->bound[n] = true;
}

/* Writes a value, or a variable that is bound. */
static void write_bound(Generator *g, bool boxed, Text *text) {
  uint32_t n = below(g, GAME_VARIABLES);
  if (boxed && g->boxed_bound[n]) {
    text_format(text, " ?b%u", n);
    return;
  }
  text_add(text, boxed ? " (box" : "");
  text_format(text, g->bound[n] ? " ?v%u" : " c%u", n);
  text_add(text, boxed ? ")" : "");
}

static void write_shape(Generator *g, const Shape *shape, const char *name,
                        uint32_t number, bool binding, Text *text) {
  text_format(text, shape->arity ? "(%s%u" : "%s%u", name, number);
  for (uint32_t i = 0; i < shape->arity; i++)
    (binding ? write_binding : write_bound)(g, shape->boxed[i], text);
  text_add(text, shape->arity ? ")" : "");
}

/* ---- literals ---- */

static void write_fluent(Generator *g, bool binding, Text *text) {
  uint32_t n = below(g, GAME_FLUENTS);
  text_add(text, "(true ");
  write_shape(g, &g->fluents[n], "f", n, binding, text);
  text_add_byte(text, ')');
}

static void write_done(Generator *g, bool binding, Text *text) {
  uint32_t n = below(g, GAME_ACTIONS);
  text_format(text, "(does r%u ", below(g, g->roles));
  if (below(g, 6))
    write_shape(g, &g->actions[n], "a", n, binding, text);
  else
    text_add(text, "noop");
  text_add_byte(text, ')');
}

static void write_static(Generator *g, bool binding, Text *text) {
  text_add(text, "(edge");
  for (uint32_t i = 0; i < 2; i++)
    (binding ? write_binding : write_bound)(g, false, text);
  text_add_byte(text, ')');
}

/* Returns a derived predicate of a lower scope, or of the same scope and a
   lower stratum; GAME_DERIVED if six tries find none. */
static uint32_t lower_predicate(Generator *g, GameScope scope,
                                uint32_t stratum) {
  for (uint32_t tries = 0; tries < 6; tries++) {
    uint32_t p = below(g, GAME_DERIVED);
    if (scope_of(p) < scope ||
        (scope_of(p) == scope && g->derived[p].stratum < stratum))
      return p;
  }
  return GAME_DERIVED;
}

/* Writes an atom of lower rank: derived, a fluent, a move, or static. */
static void write_lower(Generator *g, GameScope scope, uint32_t stratum,
                        bool binding, Text *text) {
  uint32_t p = lower_predicate(g, scope, stratum);
  if (p < GAME_DERIVED && scope_of(p) >= OF_STATE && below(g, 3))
    write_shape(g, &g->derived[p], "d", p, binding, text);
  else if (p < GAME_DERIVED && below(g, 5) == 0)
    write_shape(g, &g->derived[p], "d", p, binding, text);
  else if (scope == OF_MOVES && below(g, 2))
    write_done(g, binding, text);
  else if (scope >= OF_STATE && below(g, 4))
    write_fluent(g, binding, text);
  else
    write_static(g, binding, text);
}

/* Adds a literal of the head's own rank, every variable guarded by a static
   fact. */
static void add_recursive(Generator *g, GameRule *rule, uint32_t head) {
  uint32_t p = head, n[GAME_WIDEST] = {0};
  for (uint32_t tries = 0; tries < 4; tries++) {
    uint32_t other = head / 3 * 3 + below(g, 3);
    if (g->derived[other].stratum == g->derived[head].stratum) p = other;
  }
  Text text = {0};
  const Shape *shape = &g->derived[p];
  text_format(&text, shape->arity ? "(d%u" : "d%u", p);
  for (uint32_t i = 0; i < shape->arity; i++) {
    n[i] = below(g, GAME_VARIABLES);
    g->bound[n[i]] = true;
    text_format(&text, shape->boxed[i] ? " (box ?v%u)" : " ?v%u", n[i]);
  }
  text_add(&text, shape->arity ? ")" : "");
  game_add_literal(rule, &text);
  for (uint32_t i = 0; i < shape->arity; i++) {
    Text guard = {0};
    text_format(&guard, shape->boxed[i] ? "(boxed (box ?v%u))" : "(value ?v%u)",
                n[i]);
    game_add_literal(rule, &guard);
  }
}

static void add_positive(Generator *g, GameRule *rule, GameScope scope,
                         uint32_t stratum) {
  Text text = {0};
  if (below(g, 8) == 0) {
    /* Alternatives bind nothing, so their variables must be bound before. */
    text_add(&text, "(or ");
    write_lower(g, scope, stratum, false, &text);
    text_add_byte(&text, ' ');
    write_lower(g, scope, stratum, false, &text);
    text_add_byte(&text, ')');
  } else {
    write_lower(g, scope, stratum, true, &text);
  }
  game_add_literal(rule, &text);
}

static void add_restriction(Generator *g, GameRule *rule, GameScope scope,
                            uint32_t stratum) {
  Text text = {0};
  if (below(g, 4) == 0) {
    uint32_t n = below(g, GAME_VARIABLES);
    text_format(&text, g->bound[n] ? "(distinct ?v%u" : "(distinct c%u", n);
    write_bound(g, false, &text);
    text_add_byte(&text, ')');
  } else {
    text_add(&text, "(not ");
    write_lower(g, scope, stratum, false, &text);
    text_add_byte(&text, ')');
  }
  game_add_literal(rule, &text);
}

/* ---- rules ---- */

/* Adds a body for a head of that rank, recursive in the predicate `recursive`
   unless that is GAME_DERIVED. The head is written later, from what is bound.
 */
static void add_body(Generator *g, GameRule *rule, GameScope scope,
                     uint32_t stratum, uint32_t recursive) {
  uint32_t positive = 1 + below(g, 2), others = below(g, 5) / 2;
  if (recursive < GAME_DERIVED && below(g, 2))
    add_recursive(g, rule, recursive);
  for (uint32_t i = 0; i < positive; i++) add_positive(g, rule, scope, stratum);
  for (uint32_t i = 0; i < others; i++)
    add_restriction(g, rule, scope, stratum);
}

static void set_head(GameRule *rule, Text *head) {
  memory_delete(rule->head);
  rule->head = text_taken(head);
}

static GameRule *begin_rule(Generator *g) {
  Text nothing = {0};
  clear_bound(g);
  return game_add_rule(g->game, &nothing);
}

static void add_derived_rule(Generator *g, uint32_t p, uint32_t recursive) {
  Text head = {0};
  GameRule *rule = begin_rule(g);
  add_body(g, rule, scope_of(p), g->derived[p].stratum, recursive);
  write_shape(g, &g->derived[p], "d", p, false, &head);
  set_head(rule, &head);
}

static void add_legal_rule(Generator *g) {
  Text head = {0};
  GameRule *rule = begin_rule(g);
  uint32_t n = below(g, GAME_ACTIONS);
  add_body(g, rule, OF_STATE, GAME_STRATA, GAME_DERIVED);
  text_format(&head, "(legal r%u ", below(g, g->roles));
  write_shape(g, &g->actions[n], "a", n, false, &head);
  text_add_byte(&head, ')');
  set_head(rule, &head);
}

/* Adds an action that is legal with all values, or all but some. */
static void add_free_rule(Generator *g, uint32_t role) {
  Text head = {0};
  GameRule *rule = begin_rule(g);
  uint32_t n = below(g, GAME_ACTIONS);
  for (uint32_t i = 0; i < GAME_VARIABLES; i++) {
    Text guard = {0};
    text_format(&guard, "(value ?v%u)", i);
    game_add_literal(rule, &guard);
    g->bound[i] = true;
  }
  if (below(g, 3)) add_restriction(g, rule, OF_STATE, GAME_STRATA);
  text_format(&head, "(legal r%u ", role);
  write_shape(g, &g->actions[n], "a", n, false, &head);
  text_add_byte(&head, ')');
  set_head(rule, &head);
}

static void add_next_rule(Generator *g) {
  Text head = {0}, done = {0};
  GameRule *rule = begin_rule(g);
  uint32_t n = below(g, GAME_FLUENTS);
  if (below(g, 2)) {
    write_done(g, true, &done);
    game_add_literal(rule, &done);
  }
  if (!rule->body.count || below(g, 2))
    add_body(g, rule, OF_MOVES, GAME_STRATA, GAME_DERIVED);
  text_add(&head, "(next ");
  write_shape(g, &g->fluents[n], "f", n, false, &head);
  text_add_byte(&head, ')');
  set_head(rule, &head);
}

/* What is true stays true unless something happens. */
static void add_frame_rule(Generator *g, uint32_t n) {
  Text head = {0}, keep = {0};
  GameRule *rule = begin_rule(g);
  const Shape *shape = &g->fluents[n];
  text_format(&head, shape->arity ? "(next (f%u" : "(next f%u", n);
  text_format(&keep, shape->arity ? "(true (f%u" : "(true f%u", n);
  for (uint32_t i = 0; i < shape->arity; i++) {
    g->bound[i] = true;
    const char *form = shape->boxed[i] ? " (box ?v%u)" : " ?v%u";
    text_format(&head, form, i);
    text_format(&keep, form, i);
  }
  text_add(&head, shape->arity ? "))" : ")");
  text_add(&keep, shape->arity ? "))" : ")");
  set_head(rule, &head);
  game_add_literal(rule, &keep);
  add_restriction(g, rule, OF_MOVES, GAME_STRATA);
}

/* ---- the parts of a game ---- */

#define ADD_FACT(g, ...) \
  do { \
    Text fact_ = {0}; \
    text_format(&fact_, __VA_ARGS__); \
    game_add_rule((g)->game, &fact_); \
  } while (0)

#define ADD_LITERAL(rule, ...) \
  do { \
    Text literal_ = {0}; \
    text_format(&literal_, __VA_ARGS__); \
    game_add_literal(rule, &literal_); \
  } while (0)

static void add_facts(Generator *g) {
  for (uint32_t i = 0; i < g->roles; i++) ADD_FACT(g, "(role r%u)", i);
  for (uint32_t i = 0; i < GAME_VALUES; i++) {
    ADD_FACT(g, "(value c%u)", i);
    ADD_FACT(g, "(boxed (box c%u))", i);
  }
  for (uint32_t i = 0; i < GAME_STEPS; i++)
    ADD_FACT(g, "(succ s%u s%u)", i, i + 1);
  ADD_FACT(g, "(edge c0 c1)");
  for (uint32_t i = 1 + below(g, 5); i; i--)
    ADD_FACT(g, "(edge c%u c%u)", below(g, GAME_VALUES), below(g, GAME_VALUES));
}

static void add_state(Generator *g) {
  ADD_FACT(g, "(init (step s0))");
  for (uint32_t i = 4 + below(g, 8); i; i--) {
    Text fact = {0};
    uint32_t n = below(g, GAME_FLUENTS);
    clear_bound(g);
    text_add(&fact, "(init ");
    write_shape(g, &g->fluents[n], "f", n, false, &fact);
    text_add_byte(&fact, ')');
    game_add_rule(g->game, &fact);
  }
  ADD_FACT(g, "(next (step ?y))");
  ADD_LITERAL(&vector_last(&g->game->rules), "(true (step ?x))");
  ADD_LITERAL(&vector_last(&g->game->rules), "(succ ?x ?y)");
  for (uint32_t i = 0; i < GAME_FLUENTS; i++)
    if (below(g, 4)) add_frame_rule(g, i);
  for (uint32_t i = 6 + below(g, 8); i; i--) add_next_rule(g);
}

static void add_moves(Generator *g) {
  for (uint32_t i = 0; i < g->roles; i++) {
    if (below(g, 4)) add_free_rule(g, i);
    ADD_FACT(g, "(legal r%u noop)", i);
    if (below(g, 3)) continue;
    /* Sometimes only in some states, but then something else is legal. */
    ADD_LITERAL(&vector_last(&g->game->rules), "(true token)");
    ADD_FACT(g, "(legal r%u wait)", i);
    ADD_LITERAL(&vector_last(&g->game->rules), "(not (true token))");
  }
  for (uint32_t i = 3 + below(g, 6); i; i--) add_legal_rule(g);
}

/* Adds a fluent that comes and goes, perhaps with moves of the first role. */
static void add_token(Generator *g) {
  if (below(g, 2)) ADD_FACT(g, "(init token)");
  ADD_FACT(g, "(next token)");
  ADD_LITERAL(&vector_last(&g->game->rules), "(not (true token))");
  if (below(g, 2))
    ADD_LITERAL(&vector_last(&g->game->rules), "(does r0 %s)",
                below(g, 2) ? "noop" : "wait");
}

static void add_end(Generator *g) {
  ADD_FACT(g, "terminal");
  ADD_LITERAL(&vector_last(&g->game->rules), "(true (step s%u))", GAME_STEPS);
  if (below(g, 3) == 0) {
    Text head = {0};
    GameRule *rule = begin_rule(g);
    ADD_LITERAL(rule, "(true (step s%u))", 1 + below(g, 4));
    add_body(g, rule, OF_STATE, GAME_STRATA, GAME_DERIVED);
    text_add(&head, "terminal");
    set_head(rule, &head);
  }
  for (uint32_t i = 0; i < g->roles; i++) {
    GameRule *rule = begin_rule(g);
    Text head = {0};
    add_body(g, rule, OF_STATE, GAME_STRATA, GAME_DERIVED);
    text_format(&head, "(wins r%u)", i);
    set_head(rule, &head);
    ADD_FACT(g, "(goal r%u 100)", i);
    ADD_LITERAL(&vector_last(&g->game->rules), "(wins r%u)", i);
    ADD_FACT(g, "(goal r%u %u)", i, below(g, 100));
    ADD_LITERAL(&vector_last(&g->game->rules), "(not (wins r%u))", i);
  }
}

void random_game_make(RandomGame *game, uint64_t seed) {
  Generator g = {.game = game};
  *game = (RandomGame){0};
  random_seed(&g.random, seed);
  g.roles = 1 + below(&g, 3);
  for (uint32_t i = 0; i < GAME_FLUENTS; i++) shape_init(&g, &g.fluents[i]);
  for (uint32_t i = 0; i < GAME_ACTIONS; i++) shape_init(&g, &g.actions[i]);
  for (uint32_t i = 0; i < GAME_DERIVED; i++) shape_init(&g, &g.derived[i]);
  add_facts(&g);
  for (uint32_t i = 0; i < GAME_DERIVED; i++)
    for (uint32_t rules = 1 + below(&g, 3); rules; rules--)
      add_derived_rule(&g, i, rules > 1 ? i : GAME_DERIVED);
  add_state(&g);
  add_token(&g);
  add_moves(&g);
  add_end(&g);
}
