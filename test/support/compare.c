#include "support/compare.h"

typedef struct Compare {
  const CompareEngine *engines;
  uint32_t count;
  Game *games[COMPARE_ENGINES];
  void *contexts[COMPARE_ENGINES];
  Text *difference; /* where they differ, or empty */
} Compare;

void compare_ask(Game *game, CompareQuestion question, uint32_t role,
                 TermVector *answers) {
  const Term *terms;
  vector_clear(answers);
  uint32_t count = question == COMPARE_FACTS   ? game_facts(game, &terms)
                   : question == COMPARE_LEGAL ? game_legal(game, role, &terms)
                                               : game_goals(game, role, &terms);
  for (uint32_t i = 0; i < count; i++) {
    Term term = terms[i];
    if (question == COMPARE_LEGAL) term = game_move_term(game, role, term);
    vector_push(answers, term);
  }
  if (count) term_sort(game_terms(game), answers->data, count);
}

static void write_answers(const Game *game, const TermVector *answers,
                          Text *text) {
  for (uint32_t i = 0; i < answers->count; i++) {
    text_add_byte(text, ' ');
    term_write(game_terms(game), answers->data[i], text);
  }
}

static void compare_question(Compare *compare, CompareQuestion question,
                             uint32_t role) {
  static const char *const names[] = {"true", "legal", "goal"};
  TermVector first = {0}, other = {0};
  compare_ask(compare->games[0], question, role, &first);
  for (uint32_t e = 1; e < compare->count && !compare->difference->length;
       e++) {
    compare_ask(compare->games[e], question, role, &other);
    if (first.count == other.count &&
        (!first.count ||
         memcmp(first.data, other.data, first.count * sizeof(Term)) == 0))
      continue;
    text_format(compare->difference, "%s (role %u)\n  %s:", names[question],
                role, compare->engines[0].name);
    write_answers(compare->games[0], &first, compare->difference);
    text_format(compare->difference, "\n  %s:", compare->engines[e].name);
    write_answers(compare->games[e], &other, compare->difference);
  }
  vector_free(&first);
  vector_free(&other);
}

static void compare_terminal(Compare *compare) {
  bool first = game_terminal(compare->games[0]);
  for (uint32_t e = 1; e < compare->count; e++)
    if (game_terminal(compare->games[e]) != first &&
        !compare->difference->length)
      text_format(compare->difference, "terminal, %s: %s, %s: %s",
                  compare->engines[0].name, first ? "yes" : "no",
                  compare->engines[e].name, first ? "no" : "yes");
}

static void compare_errors(Compare *compare) {
  for (uint32_t e = 0; e < compare->count; e++)
    if (game_failed(compare->games[e]) && !compare->difference->length)
      text_format(compare->difference, "%s fails: %s", compare->engines[e].name,
                  text_string(&compare->games[e]->error));
}

static bool compare_state(Compare *compare) {
  compare_terminal(compare);
  compare_question(compare, COMPARE_FACTS, 0);
  for (uint32_t role = 0; role < compare->games[0]->role_count; role++) {
    compare_question(compare, COMPARE_GOALS, role);
    if (!game_terminal(compare->games[0]))
      compare_question(compare, COMPARE_LEGAL, role);
  }
  compare_errors(compare);
  return compare->difference->length == 0;
}

bool compare_make(Game *game, const Term *joint) {
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

/* Returns false if a role has no legal move. */
static bool choose_joint(Compare *compare, Random *random, Term *joint) {
  TermVector legal = {0};
  bool possible = true;
  for (uint32_t role = 0; role < compare->games[0]->role_count; role++) {
    compare_ask(compare->games[0], COMPARE_LEGAL, role, &legal);
    possible &= legal.count > 0;
    if (possible) joint[role] = legal.data[random_below(random, legal.count)];
  }
  vector_free(&legal);
  return possible;
}

static void make_joint(Compare *compare, const Term *joint) {
  for (uint32_t e = 0; e < compare->count; e++)
    if (!compare_make(compare->games[e], joint))
      text_format(compare->difference, "%s does not make a legal move",
                  compare->engines[e].name);
}

/* One random game, with a step back now and then. */
static bool compare_game(Compare *compare, Random *random,
                         uint32_t step_limit) {
  Term joint[RULE_ROLES];
  uint32_t depth = 0;
  for (uint32_t e = 0; e < compare->count; e++) game_reset(compare->games[e]);
  for (uint32_t step = 0; step < step_limit; step++) {
    if (!compare_state(compare)) return false;
    if (depth && random_below(random, 6) == 0) {
      for (uint32_t e = 0; e < compare->count; e++)
        game_retract(compare->games[e]);
      depth--;
      continue;
    }
    if (game_terminal(compare->games[0]) ||
        !choose_joint(compare, random, joint))
      break;
    make_joint(compare, joint);
    depth++;
  }
  return true;
}

static bool open_games(Compare *compare, Description *description) {
  uint32_t opened = 0;
  Text error = {0};
  for (; opened < compare->count; opened++) {
    compare->games[opened] = compare->engines[opened].open(
        description, &compare->contexts[opened], &error);
    if (!compare->games[opened]) break;
  }
  if (opened == compare->count) return true;
  text_format(compare->difference, "%s cannot play: %s",
              compare->engines[opened].name, text_string(&error));
  text_free(&error);
  while (opened-- > 0)
    compare->engines[opened].close(compare->games[opened],
                                   compare->contexts[opened]);
  return false;
}

bool compare_engines(Description *description, const CompareEngine *engines,
                     uint32_t count, uint64_t seed, uint32_t games,
                     uint32_t step_limit, Text *difference) {
  Compare compare = {
      .engines = engines, .count = count, .difference = difference};
  Random random;
  if (!open_games(&compare, description)) return false;
  random_seed(&random, seed);
  for (uint32_t i = 0; i < games && !difference->length; i++)
    compare_game(&compare, &random, step_limit);
  for (uint32_t e = 0; e < count; e++)
    engines[e].close(compare.games[e], compare.contexts[e]);
  return difference->length == 0;
}
