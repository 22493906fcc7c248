#include "support/agree_record.h"

/* ---- sections ---- */

void agree_ask(Game *game, uint32_t section, TermVector *answer) {
  uint32_t roles = game->role_count;
  bool legal = section > roles;
  vector_clear(answer);
  if (legal && game_terminal(game)) return;
  compare_ask(game,
              legal     ? COMPARE_LEGAL
              : section ? COMPARE_GOALS
                        : COMPARE_FACTS,
              section ? (section - 1) % roles : 0, answer);
}

const Term *agree_section(const AgreeRecord *record, uint32_t state,
                          uint32_t section, uint32_t *count) {
  const uint32_t *first =
      record->first.data + (size_t)state * record->sections + section;
  *count = first[1] - first[0];
  return record->terms.data + first[0];
}

static uint32_t agree_step(const AgreeRecord *record, uint32_t state) {
  uint32_t step = 0;
  for (; !record->states.data[state].begins; state--) step++;
  return step;
}

static void agree_write_missing(const AgreeCheck *check, const char *what,
                                const Term *list, uint32_t count,
                                const Term *other, uint32_t other_count) {
  uint32_t shown = 0;
  for (uint32_t i = 0; i < count && shown < 8; i++) {
    uint32_t j = 0;
    while (j < other_count && other[j] != list[i]) j++;
    if (j < other_count) continue;
    text_add(check->why, shown++ ? " " : what);
    term_write(check->record->terms_of, list[i], check->why);
  }
}

void agree_write_place(const AgreeCheck *check, uint32_t state,
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

bool agree_compare(const AgreeCheck *check, uint32_t state, uint32_t section,
                   const TermVector *got) {
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

static void agree_record_state(AgreeRecord *record, Game *game, bool begins) {
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

/* Chooses legal moves in the last state; returns false if a role has none. */
static bool agree_choose(AgreeRecord *record, Random *random, Term *joint) {
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

/* Drops the last state: the engine failed in it. */
static void agree_record_drop(AgreeRecord *record) {
  record->states.count--;
  record->first.count -= record->sections;
  record->joints.count -= record->roles;
  record->terms.count = vector_last(&record->first);
}

static void agree_record_game(AgreeRecord *record, Game *game, Random *random,
                              uint32_t steps, double end) {
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
    compare_make(game, joint);
  }
}

void agree_record_init(AgreeRecord *record, Description *description,
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

void agree_record_free(AgreeRecord *record) {
  vector_free(&record->states);
  vector_free(&record->first);
  vector_free(&record->terms);
  vector_free(&record->joints);
}
