/* Random games of the rules engine, with everything it says of each state, for
   other engines to be compared with.

   A record is a list of states. Each has sections of terms, in order: its
   facts, the goals of each role, the legal moves of each role; section s of
   state i is terms[first[i * sections + s] …), sorted. What is legal in a
   terminal state is left out: reduced nets need not know. */
#ifndef TAFL_TEST_ENGINE_AGREE_RECORD_H
#define TAFL_TEST_ENGINE_AGREE_RECORD_H

#include "base/clock.h"
#include "base/random.h"
#include "game/load.h"

typedef struct AgreeBudget {
  LoadLimits load;
  uint64_t seed;
  uint32_t games, steps;
  double seconds;      /* for the rules engine's games; 0: no limit */
  uint64_t gates;      /* to make wide programs of, for each net; but the
                          reduced net has two modes at least */
  uint32_t first_mode; /* of agree_modes, from here on round robin */
} AgreeBudget;

typedef struct AgreeState {
  bool terminal;
  bool begins; /* a game's first state */
  bool moves;  /* the next state is its successor by the joint move */
} AgreeState;

typedef struct AgreeRecord {
  const Terms *terms_of;
  uint32_t roles, sections;
  VECTOR(AgreeState) states;
  NumberVector first; /* of each section, and the end */
  TermVector terms;
  TermVector joints; /* by state and role */
} AgreeRecord;

/* What is being checked, for messages. */
typedef struct AgreeCheck {
  const AgreeRecord *record;
  const char *engine; /* name of who is measured by the record */
  const Net *net;
  Text *why; /* the first difference; empty: none */
} AgreeCheck;

/* ---- sections ---- */

static inline void agree_ask(Game *game, uint32_t section, TermVector *answer) {
  const Term *list;
  uint32_t roles = game->role_count, role = section - 1;
  bool legal = section > roles;
  uint32_t count = 0;
  vector_clear(answer);
  if (legal) role -= roles;
  if (legal && !game_terminal(game))
    count = game_legal(game, role, &list);
  else if (!section)
    count = game_facts(game, &list);
  else if (!legal)
    count = game_goals(game, role, &list);
  for (uint32_t i = 0; i < count; i++)
    vector_push(answer, legal ? game_move_term(game, role, list[i]) : list[i]);
  if (count) term_sort(game_terms(game), answer->data, count);
}

static inline const Term *agree_section(const AgreeRecord *record,
                                        uint32_t state, uint32_t section,
                                        uint32_t *count) {
  const uint32_t *first =
      record->first.data + (size_t)state * record->sections + section;
  *count = first[1] - first[0];
  return record->terms.data + first[0];
}

static inline uint32_t agree_step(const AgreeRecord *record, uint32_t state) {
  uint32_t step = 0;
  for (; !record->states.data[state].begins; state--) step++;
  return step;
}

static inline void agree_write_missing(const AgreeCheck *check,
                                       const char *what, const Term *list,
                                       uint32_t count, const Term *other,
                                       uint32_t other_count) {
  uint32_t shown = 0;
  for (uint32_t i = 0; i < count && shown < 8; i++) {
    uint32_t j = 0;
    while (j < other_count && other[j] != list[i]) j++;
    if (j < other_count) continue;
    text_add(check->why, shown++ ? " " : what);
    term_write(check->record->terms_of, list[i], check->why);
  }
}

/* "step 3, scalar: legal of role 1: missing (mark 1 1), too much noop" */
static inline void agree_write_place(const AgreeCheck *check, uint32_t state,
                                     uint32_t section) {
  uint32_t roles = check->record->roles;
  text_format(check->why, "step %u (state %u of the record), %s: ",
              agree_step(check->record, state), state, check->engine);
  if (!section)
    text_add(check->why, "facts:");
  else
    text_format(check->why,
                "%s of role %u:", section > roles ? "legal" : "goal",
                (section - 1) % roles);
}

/* False, and said so, if the sorted terms are not those of the record. */
static inline bool agree_compare(const AgreeCheck *check, uint32_t state,
                                 uint32_t section, const TermVector *got) {
  uint32_t count;
  const Term *own = agree_section(check->record, state, section, &count);
  if (got->count == count &&
      (!count || memcmp(own, got->data, count * sizeof *own) == 0))
    return true;
  agree_write_place(check, state, section);
  agree_write_missing(check, " missing ", own, count, got->data, got->count);
  agree_write_missing(check, " too much ", got->data, got->count, own, count);
  text_format(check->why, " (%u instead of %u)", got->count, count);
  return false;
}

/* ---- the record ---- */

static inline void agree_record_state(AgreeRecord *record, Game *game,
                                      bool begins) {
  TermVector answer = {0};
  AgreeState state = {.terminal = game_terminal(game), .begins = begins};
  for (uint32_t s = 0; s < record->sections; s++) {
    agree_ask(game, s, &answer);
    for (uint32_t i = 0; i < answer.count; i++)
      vector_push(&record->terms, answer.data[i]);
    vector_push(&record->first, record->terms.count);
  }
  vector_push(&record->states, state);
  for (uint32_t role = 0; role < record->roles; role++)
    vector_push(&record->joints, 0);
  vector_free(&answer);
}

/* Choose among the legal moves of the last state; false if a role has none. */
static inline bool agree_choose(AgreeRecord *record, Random *random,
                                Term *joint) {
  uint32_t state = record->states.count - 1;
  for (uint32_t role = 0; role < record->roles; role++) {
    uint32_t count;
    const Term *moves =
        agree_section(record, state, 1 + record->roles + role, &count);
    if (!count) return false;
    joint[role] = moves[random_below(random, count)];
  }
  return true;
}

/* The joint move by its terms; false if a move is not legal. */
static inline bool agree_make(Game *game, const Term *joint) {
  Move made[RULE_ROLES];
  for (uint32_t role = 0; role < game->role_count; role++) {
    const Move *moves;
    uint32_t count = game_legal(game, role, &moves), i = 0;
    while (i < count && game_move_term(game, role, moves[i]) != joint[role])
      i++;
    if (i == count) return false;
    made[role] = moves[i];
  }
  game_make(game, made);
  return true;
}

/* A state in which the engine failed is no part of the record. */
static inline void agree_record_drop(AgreeRecord *record) {
  record->states.count--;
  record->first.count -= record->sections;
  record->joints.count -= record->roles;
  record->terms.count = vector_last(&record->first);
}

static inline void agree_record_game(AgreeRecord *record, Game *game,
                                     Random *random, uint32_t steps,
                                     double end) {
  game_reset(game);
  for (uint32_t step = 0;; step++) {
    agree_record_state(record, game, step == 0);
    if (game_failed(game)) {
      agree_record_drop(record);
      break;
    }
    if (step) record->states.data[record->states.count - 2].moves = true;
    Term *joint = record->joints.data +
                  (size_t)(record->states.count - 1) * record->roles;
    if (step == steps || vector_last(&record->states).terminal ||
        (end > 0 && clock_now() > end) || !agree_choose(record, random, joint))
      break;
    agree_make(game, joint);
  }
}

static inline void agree_record_init(AgreeRecord *record,
                                     Description *description,
                                     const AgreeBudget *budget) {
  Random random;
  Game *game = rules_engine_new(description, &budget->load.rules);
  double end = budget->seconds > 0 ? clock_now() + budget->seconds : 0;
  *record = (AgreeRecord){.terms_of = &description->rules.terms,
                          .roles = game->role_count,
                          .sections = 1 + 2 * game->role_count};
  random_seed(&random, budget->seed);
  vector_grow(&record->terms, 1);
  vector_push(&record->first, 0);
  for (uint32_t i = 0; i < budget->games && !game_failed(game); i++)
    if (!i || end == 0 || clock_now() < end)
      agree_record_game(record, game, &random, budget->steps, end);
  game_delete(game);
}

static inline void agree_record_free(AgreeRecord *record) {
  vector_free(&record->states);
  vector_free(&record->first);
  vector_free(&record->terms);
  vector_free(&record->joints);
}

#endif
