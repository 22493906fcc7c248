/* Sweeps: the points from what was asked for, and the series of them. Whether
   two agents are the same is decided by all their settings, not by how they are
   written. */
#include "lab/sweep.h"

#include <stdlib.h>
#include <string.h>

/* ---- agents ---- */

static bool same_settings(const Settings *a, const Settings *b) {
#define FIELD(name, ...) \
  if (a->name != b->name) return false;
  SETTINGS(FIELD, FIELD, FIELD)
#undef FIELD
  return true;
}

static bool same_agent(const AgentSpec *a, const AgentSpec *b) {
  if (a->kind != b->kind) return false;
  return a->kind != SPEC_SEARCH || same_settings(&a->settings, &b->settings);
}

static bool copy_agent(AgentSpec *copy, const AgentSpec *from) {
  Text error = {0};
  bool fine = spec_parse(copy, from->text, &error);
  text_free(&error);
  return fine;
}

/* Parses an agent that can play in a series. */
static bool parse_agent(AgentSpec *spec, const char *text, Text *error) {
  if (!spec_parse(spec, text, error)) return false;
  if (spec_is_local(spec)) return true;
  text_format(error, "%s cannot play here, only agents of this program can",
              text);
  spec_free(spec);
  return false;
}

/* Appends the agent's value of a setting. */
static void add_setting(const AgentSpec *spec, const char *name, Text *text) {
  Text all = {0}, key = {0};
  text_add_byte(&all, ',');
  settings_write(&spec->settings, &all);
  text_format(&key, ",%s=", name);
  const char *found = strstr(text_string(&all), text_string(&key));
  if (found)
    text_add_bytes(text, found + key.length, strcspn(found + key.length, ","));
  text_free(&all);
  text_free(&key);
}

/* ---- axes ---- */

static void add_value(SweepAxis *axis, const char *bytes, size_t length) {
  Text value = {0};
  text_add_bytes(&value, bytes, length);
  vector_push(&axis->values, value);
}

static bool begin_axis(Sweep *sweep, const char *name, size_t length,
                       Text *error) {
  if (sweep->axis_count == SWEEP_AXES) {
    text_format(error, "at most %d settings can vary, %.*s is one more",
                SWEEP_AXES, (int)length, name);
    return false;
  }
  SweepAxis *axis = &sweep->axes[sweep->axis_count++];
  text_add_bytes(&axis->setting, name, length);
  if (axis > sweep->axes &&
      !strcmp(text_string(&axis->setting), text_string(&axis[-1].setting))) {
    text_format(error, "%s is there twice", text_string(&axis->setting));
    return false;
  }
  return true;
}

/* vary = item {"," item}; an item with a = begins a setting. */
static bool read_axes(Sweep *sweep, const char *vary, Text *error) {
  for (const char *at = vary;; at++) {
    size_t length = strcspn(at, ","), name = strcspn(at, ",=");
    if (name < length && !begin_axis(sweep, at, name, error)) return false;
    if (!sweep->axis_count) {
      text_format(error, "expected SETTING=VALUE,VALUE,... and not '%s'", vary);
      return false;
    }
    size_t skip = name < length ? name + 1 : 0;
    add_value(&sweep->axes[sweep->axis_count - 1], at + skip, length - skip);
    at += length;
    if (!*at) return true;
  }
}

/* ---- points ---- */

static const char *value_text(const Sweep *sweep, const SweepPoint *point,
                              uint32_t axis) {
  const SweepAxis *own = &sweep->axes[axis];
  return text_string(point->at[axis] < own->values.count
                         ? &own->values.data[point->at[axis]]
                         : &own->usual);
}

/* The agent's text with the values of the point. */
static bool make_spec(const Sweep *sweep, SweepPoint *point, Text *error) {
  Text text = {0};
  text_add(&text, sweep->agent.text);
  bool colon = strchr(sweep->agent.text, ':');
  for (uint32_t i = 0; i < sweep->axis_count; i++) {
    text_format(&text, "%s%s=%s", colon ? "," : ":",
                text_string(&sweep->axes[i].setting),
                value_text(sweep, point, i));
    colon = true;
  }
  bool fine = spec_parse(&point->spec, text_string(&text), error);
  text_free(&text);
  if (!fine || !same_agent(&point->spec, &sweep->agent)) return fine;
  spec_free(&point->spec); /* its shortest name */
  return copy_agent(&point->spec, &sweep->agent);
}

static bool add_point(Sweep *sweep, SweepPoint point, Text *error) {
  if (!make_spec(sweep, &point, error)) return false;
  point.twin = same_agent(&point.spec, &sweep->against);
  for (uint32_t i = 0; i < sweep->points.count; i++)
    if (same_agent(&point.spec, &sweep->points.data[i].spec)) {
      text_format(error, "%s and %s are the same agent",
                  sweep->points.data[i].spec.text, point.spec.text);
      spec_free(&point.spec);
      return false;
    }
  if (same_agent(&point.spec, &sweep->agent))
    sweep->usual = sweep->points.count;
  vector_push(&sweep->points, point);
  return true;
}

static bool add_points(Sweep *sweep, Text *error) {
  uint32_t count[SWEEP_AXES] = {1, 1};
  SweepPoint usual = {0};
  sweep->usual = UINT32_MAX;
  for (uint32_t i = 0; i < sweep->axis_count; i++) {
    count[i] = usual.at[i] = sweep->axes[i].values.count;
    add_setting(&sweep->agent, text_string(&sweep->axes[i].setting),
                &sweep->axes[i].usual);
  }
  for (uint32_t i = 0; i < count[0]; i++)
    for (uint32_t j = 0; j < count[1]; j++)
      if (!add_point(sweep, (SweepPoint){.at = {i, j}}, error)) return false;
  sweep->grid = sweep->points.count;
  return sweep->usual < sweep->grid || add_point(sweep, usual, error);
}

/* ---- the sweep ---- */

bool sweep_init(Sweep *sweep, const char *agent, const char *against,
                const char *vary, Text *error) {
  *sweep = (Sweep){0};
  series_init(&sweep->common);
  bool fine = parse_agent(&sweep->agent, agent, error);
  if (fine && sweep->agent.kind != SPEC_SEARCH) {
    text_format(error, "%s has no settings", agent);
    fine = false;
  }
  fine = fine &&
         parse_agent(&sweep->against, *against ? against : agent, error) &&
         read_axes(sweep, vary, error) && add_points(sweep, error);
  if (!fine) sweep_free(sweep);
  return fine;
}

void sweep_free(Sweep *sweep) {
  spec_free(&sweep->agent);
  spec_free(&sweep->against);
  for (uint32_t i = 0; i < SWEEP_AXES; i++) {
    text_free(&sweep->axes[i].setting);
    text_free(&sweep->axes[i].usual);
    text_vector_free(&sweep->axes[i].values);
  }
  for (uint32_t i = 0; i < sweep->points.count; i++)
    spec_free(&sweep->points.data[i].spec);
  vector_free(&sweep->points);
  for (uint32_t i = 0; i < sweep->games.count; i++)
    text_free(&sweep->games.data[i].name);
  vector_free(&sweep->games);
  series_free(&sweep->common);
}

void sweep_add_game(Sweep *sweep, const char *name, uint32_t roles) {
  SweepGame game = {.roles = roles};
  text_add(&game.name, name);
  vector_push(&sweep->games, game);
}

/* ---- series ---- */

bool sweep_plays(const Sweep *sweep, uint32_t point, uint32_t game) {
  return !sweep->points.data[point].twin || sweep->games.data[game].roles == 1;
}

static void add_player(Series *series, const AgentSpec *spec) {
  Text text = {0};
  text_add(&text, spec->text);
  vector_push(&series->players, text);
}

static void add_series(const Sweep *sweep, const SweepPoint *point,
                       const SweepGame *game, SeriesVector *list) {
  Series series;
  series_copy(&series, &sweep->common);
  text_clear(&series.game);
  text_add(&series.game, text_string(&game->name));
  text_vector_free(&series.players);
  add_player(&series, &point->spec);
  if (game->roles > 1) add_player(&series, &sweep->against);
  vector_push(list, series);
}

void sweep_plan(const Sweep *sweep, SeriesVector *list) {
  for (uint32_t i = 0; i < sweep->points.count; i++)
    for (uint32_t j = 0; j < sweep->games.count; j++)
      if (sweep_plays(sweep, i, j))
        add_series(sweep, &sweep->points.data[i], &sweep->games.data[j], list);
}

json_t *sweep_specification(const Sweep *sweep) {
  json_t *vary = json_object(), *games = json_array();
  for (uint32_t i = 0; i < sweep->axis_count; i++) {
    json_t *values = json_array();
    for (uint32_t j = 0; j < sweep->axes[i].values.count; j++)
      json_array_append_new(
          values, json_string(text_string(&sweep->axes[i].values.data[j])));
    json_object_set_new(vary, text_string(&sweep->axes[i].setting), values);
  }
  for (uint32_t i = 0; i < sweep->games.count; i++)
    json_array_append_new(games,
                          json_string(text_string(&sweep->games.data[i].name)));
  json_t *series = series_write(&sweep->common, true);
  json_object_del(series, "game");
  json_object_del(series, "players");
  return json_pack("{s:s, s:s, s:o, s:o, s:o}", "agent", sweep->agent.text,
                   "against", sweep->against.text, "vary", vary, "at", games,
                   "series", series);
}

/* ---- names ---- */

void sweep_value(const Sweep *sweep, uint32_t point, uint32_t axis,
                 Text *text) {
  text_add(text, value_text(sweep, &sweep->points.data[point], axis));
}

void sweep_name(const Sweep *sweep, uint32_t point, Text *text) {
  for (uint32_t i = 0; i < sweep->axis_count; i++)
    text_format(text, "%s%s=%s", i ? ", " : "",
                text_string(&sweep->axes[i].setting),
                value_text(sweep, &sweep->points.data[point], i));
}

bool sweep_numbers(const Sweep *sweep, uint32_t axis, double *values) {
  for (uint32_t i = 0; i < sweep->points.count; i++) {
    char *end;
    const char *text = value_text(sweep, &sweep->points.data[i], axis);
    values[i] = strtod(text, &end);
    if (end == text || *end) return false;
  }
  return true;
}
