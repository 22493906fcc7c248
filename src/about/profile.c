/* Random games are played a step at a time, so that every state counts. */
#include "about/profile.h"

#include "about/findings.h"
#include "base/clock.h"
#include "engine/playout.h"
#include "engine/turn.h"

enum { SAMPLE_GAMES = 20 };
static const double sample_seconds = 2;

/* ---- the rules ---- */

/* Counts the game's own predicates that depend on this. */
static uint32_t count_predicates(const Description *description,
                                 Dependence depends) {
  uint32_t count = 0;
  const Dependencies *dependencies = &description->dependencies;
  for (uint32_t p = 1; p < dependencies->list.count; p++) {
    const Predicate *predicate = &dependencies->list.data[p];
    count += predicate->name >= SYMBOL_FIRST_FREE &&
             predicate->depends == depends && predicate->rules.count;
  }
  return count;
}

static uint32_t count_recursive(const Description *description) {
  uint32_t count = 0;
  for (uint32_t p = 1; p < description->dependencies.list.count; p++)
    count += description->dependencies.list.data[p].recursive;
  return count;
}

static uint32_t count_facts_in_rules(const Description *description) {
  uint32_t count = 0;
  for (uint32_t r = 0; r < description->rules.list.count; r++)
    count += description->rules.list.data[r].count == 0;
  return count;
}

static void count_rules(Profile *profile, const Description *description) {
  profile->facts = count_facts_in_rules(description);
  profile->rules = description->rules.list.count - profile->facts;
  profile->unchanging = count_predicates(description, ON_NOTHING);
  profile->state = count_predicates(description, ON_STATE);
  profile->moves = count_predicates(description, ON_MOVES);
  profile->recursive = count_recursive(description);
}

/* ---- random games ---- */

static void survey_state(Game *game, Profile *profile) {
  for (uint32_t role = 0; role < game->role_count; role++) {
    const Move *moves;
    uint32_t count = game_legal(game, role, &moves);
    profile->choices[role] += count;
    profile->deciding[role] += count > 1;
  }
  profile->states++;
  profile->turn_taking &= turn_of(game).movers <= 1;
}

/* Plays one game a step at a time, so that every state is surveyed. */
static void survey_game(Game *game, Random *random, uint32_t step_limit,
                        double deadline, Profile *profile) {
  uint32_t length = 0, steps, stuck;
  game_reset(game);
  while (!game_terminal(game) && length < step_limit &&
         clock_now() < deadline) {
    survey_state(game, profile);
    PlayoutResult result = playout_run(game, random, 1, &steps, &stuck);
    if (result == PLAYOUT_STUCK || result == PLAYOUT_FAILED) return;
    length += steps;
  }
  profile->games++;
  if (!game_terminal(game)) {
    if (length < step_limit)
      profile->unfinished++;
    else
      profile->cut_off++;
    return;
  }
  profile->ended++;
  profile->length += length;
  for (uint32_t role = 0; role < game->role_count; role++) {
    int goal = game_goal(game, role);
    profile->goals[role] += goal > 0 ? goal : 0;
  }
}

void profile_init(Profile *profile, Game *game, uint64_t seed, uint32_t steps) {
  Random random;
  random_seed(&random, seed);
  *profile = (Profile){.turn_taking = true};
  count_rules(profile, game->description);
  profile->choices = memory_new(game->role_count * sizeof(double));
  profile->deciding = memory_new(game->role_count * sizeof(double));
  profile->goals = memory_new(game->role_count * sizeof(double));
  double deadline = clock_now() + sample_seconds;
  for (int i = 0;
       i < SAMPLE_GAMES && clock_now() < deadline && !game_failed(game); i++)
    survey_game(game, &random, steps, deadline, profile);
  if (profile->ended) profile->length /= profile->ended;
  for (uint32_t role = 0; role < game->role_count; role++) {
    if (profile->states) profile->choices[role] /= profile->states;
    if (profile->states) profile->deciding[role] /= profile->states;
    if (profile->ended) profile->goals[role] /= profile->ended;
  }
}

void profile_free(Profile *profile) {
  memory_delete(profile->choices);
  memory_delete(profile->deciding);
  memory_delete(profile->goals);
}

/* The analysis has seen more states than the survey. */
const char *profile_structure(const Profile *profile, Book *book) {
  const Analysis *analysis = book_analysis(book);
  if (book->description->rules.roles.count == 1) return "puzzle";
  bool taking =
      analysis ? analysis->turns.taking != EVIDENCE_NONE : profile->turn_taking;
  return taking ? "turn-taking" : "simultaneous";
}

/* ---- JSON ---- */

int profile_highest(const Book *book, uint32_t role) {
  return book->best_goal ? book->best_goal[role] : 100;
}

static json_t *roles_json(const Book *book, Game *game,
                          const Profile *profile) {
  json_t *list = json_array();
  for (uint32_t role = 0; role < game->role_count; role++) {
    Text name = {0};
    term_write(game_terms(game), game_role(game, role), &name);
    json_array_append_new(
        list,
        json_pack("{s:o, s:f, s:f, s:f, s:i}", "name", json_plain(name.bytes),
                  "legal_moves", profile->choices[role], "choice_share",
                  profile->deciding[role], "goal_mean", profile->goals[role],
                  "goal_highest", profile_highest(book, role)));
    text_free(&name);
  }
  return list;
}

static json_t *make_findings(Book *book) {
  const Analysis *analysis = book_analysis(book);
  const Text *why = &book->why[BOOK_ANALYSIS];
  if (analysis) return findings_json(analysis);
  return why->length ? json_pack("{s:s}", "failed", why->bytes) : json_null();
}

static json_t *times_json(const Book *book) {
  json_t *times = json_object();
  for (int i = 0; i < TASK_COUNT; i++)
    json_object_set_new(times, tasks_name((Task)i),
                        json_real(tasks_seconds(&book->tasks, (Task)i)));
  return times;
}

static int count_symmetries(Book *book) {
  const Symmetries *symmetries = book_symmetries(book);
  return symmetries ? (int)symmetries->count : 0;
}

json_t *profile_json(const Profile *profile, Book *book, Game *game) {
  const Description *d = book->description;
  const Net *net = book->has_net ? &book->net : NULL;
  const Term *facts;
  json_t *object = json_pack(
      "{s:o, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:s, s:i, s:s, s:s, s:i, s:i, "
      "s:i, s:i, s:f, s:o, s:o}",
      "game", json_plain(d->source.name), "rules", (int)profile->rules, "facts",
      (int)profile->facts, "warnings", (int)d->report.warnings,
      "static_predicates", (int)profile->unchanging, "state_predicates",
      (int)profile->state, "move_predicates", (int)profile->moves,
      "recursive_predicates", (int)profile->recursive, "structure",
      profile_structure(profile, book), "initial_facts",
      (int)game_facts(game, &facts), "engine", game->operations->name, "why",
      text_string(&book->why[BOOK_NET]), "fluents",
      net ? (int)net->fluents.count : -1, "gates",
      net ? (int)net_count_ands(net) : -1, "sample_games", (int)profile->games,
      "sample_ended", (int)profile->ended, "length_mean", profile->length,
      "roles", roles_json(book, game, profile), "findings",
      make_findings(book));
  json_object_set_new(object, "symmetries",
                      json_integer(count_symmetries(book)));
  json_object_set_new(object, "seconds", times_json(book));
  return object;
}
