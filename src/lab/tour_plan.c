#include "lab/tour_plan.h"

#include <string.h>

#include "store/archive.h"

enum { LARGEST = 64 << 20 };

/* ---- games ---- */

static bool read_roles(const char *game, const RunnerOptions *options,
                       uint32_t *roles, Text *error) {
  Description description;
  Text path = {0}, why = {0};
  bool found = !options->find || options->find(options->context, game, &path);
  if (found && !path.length) text_add(&path, game);
  bool fine = found &&
              description_read(&description, text_string(&path), LARGEST, &why);
  if (!found)
    text_format(error, "there is no game '%s'; see tafl games", game);
  else if (!fine)
    text_format(error, "%s: %s", text_string(&path), text_string(&why));
  if (fine) {
    *roles = description.rules.roles.count;
    fine = description_valid(&description);
    if (!fine)
      text_format(error, "%s: the rules are not valid; see tafl check %s",
                  text_string(&path), game);
    description_free(&description);
  }
  text_free(&path);
  text_free(&why);
  return fine;
}

bool tour_plan_init(TourPlan *plan, const TourSpec *spec,
                    const RunnerOptions *options, Text *error) {
  *plan = (TourPlan){.spec = spec};
  plan->roles = memory_new((spec->games.count + 1) * sizeof *plan->roles);
  for (uint32_t i = 0; i < spec->games.count; i++)
    if (!read_roles(text_string(&spec->games.data[i]), options, &plan->roles[i],
                    error))
      return false;
  return true;
}

/* The rules were valid when they were stored. */
static bool read_stored_roles(Results *results, int64_t experiment,
                              const char *game, uint32_t *roles, Text *error) {
  Text rules = {0};
  Description description;
  bool fine = archive_experiment_rules(results, experiment, game, &rules);
  if (!fine)
    text_add(error, results_error(results));
  else if (!rules.length)
    text_format(error, "nothing was played at %s yet", game);
  if (rules.length) {
    description_init(&description, game, rules.bytes, rules.length);
    *roles = description.rules.roles.count;
    description_free(&description);
  }
  fine = rules.length > 0;
  text_free(&rules);
  return fine;
}

bool tour_plan_init_stored(TourPlan *plan, const TourSpec *spec,
                           Results *results, int64_t experiment, Text *error) {
  *plan = (TourPlan){.spec = spec};
  plan->roles = memory_new((spec->games.count + 1) * sizeof *plan->roles);
  for (uint32_t i = 0; i < spec->games.count; i++)
    if (!read_stored_roles(results, experiment,
                           text_string(&spec->games.data[i]), &plan->roles[i],
                           error))
      return false;
  return true;
}

void tour_plan_free(TourPlan *plan) {
  memory_delete(plan->roles);
  vector_free(&plan->meetings);
  vector_free(&plan->entries);
  series_vector_free(&plan->series);
}

/* ---- meetings ---- */

static bool is_pair(const Meeting *meeting, uint32_t a, uint32_t b) {
  return (meeting->first == a && meeting->second == b) ||
         (meeting->first == b && meeting->second == a);
}

uint32_t tour_plan_earlier(const TourPlan *plan, uint32_t meeting) {
  const Meeting *list = plan->meetings.data;
  uint32_t count = 0;
  for (uint32_t i = 0; i < meeting; i++)
    count += is_pair(&list[i], list[meeting].first, list[meeting].second);
  return count;
}

/* Games come in whole rounds, as many of each of the pair's series. */
static uint32_t meeting_length(const TourPlan *plan, uint32_t round,
                               uint32_t series) {
  uint32_t all = round * series;
  return (plan->spec->common.games + all - 1) / all * round;
}

static void add_players(const TourSpec *spec, const uint32_t *agents,
                        Series *series) {
  for (uint32_t i = 0; i < 2; i++) {
    Text text = {0};
    text_add(&text, text_string(&spec->agents.data[agents[i]]));
    vector_push(&series->players, text);
  }
}

static void add_entry(TourPlan *plan, const TourEntry *entry) {
  const TourSpec *spec = plan->spec;
  Series series;
  series_copy(&series, &spec->common);
  text_clear(&series.game);
  text_add(&series.game, text_string(&spec->games.data[entry->game]));
  add_players(spec, entry->agent, &series);
  series.games = 0;
  vector_push(&plan->entries, *entry);
  vector_push(&plan->series, series);
}

static void add_pair(TourPlan *plan, uint32_t a, uint32_t b) {
  for (uint32_t game = 0; game < plan->spec->games.count; game++) {
    uint32_t roles = plan->roles[game], both = roles > 1 && roles % 2 ? 2 : 1;
    Seating seating = fixture_seating(2, roles);
    TourEntry entry = {
        .game = game, .agent = {a, b}, .round = fixture_round(&seating)};
    entry.length = meeting_length(plan, entry.round, both);
    add_entry(plan, &entry);
    if (both == 1) continue;
    entry.agent[0] = b;
    entry.agent[1] = a;
    add_entry(plan, &entry);
  }
}

/* Adds one meeting's games to the pair's series; returns false if the pair has
   none yet. */
static bool lengthen(TourPlan *plan, uint32_t a, uint32_t b) {
  bool found = false;
  for (uint32_t i = 0; i < plan->entries.count; i++) {
    const TourEntry *entry = &plan->entries.data[i];
    const Meeting pair = {.first = entry->agent[0], .second = entry->agent[1]};
    if (!is_pair(&pair, a, b)) continue;
    plan->series.data[i].games += entry->length;
    found = true;
  }
  return found;
}

void tour_plan_add(TourPlan *plan, const Meetings *round) {
  for (uint32_t i = 0; i < round->count; i++) {
    uint32_t first = round->data[i].first, second = round->data[i].second;
    vector_push(&plan->meetings, round->data[i]);
    if (second == MEETING_BYE || lengthen(plan, first, second)) continue;
    /* The order of the agents does not depend on who was drawn first. */
    add_pair(plan, first < second ? first : second,
             first < second ? second : first);
    lengthen(plan, first, second);
  }
}
