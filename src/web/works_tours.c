/* Tournaments of the store, counted anew for each request. */
#include "lab/tour_draw.h"
#include "lab/tour_json.h"
#include "web/works.h"
#include "web/works_store.h"

static const char kind[] = "tour";

/* ---- one of them ---- */

/* A tournament as far as it was played. */
typedef struct Stored {
  TourSpec spec;
  Tour tour;
} Stored;

/* Returns false and sets `error` if it cannot be read; free it either way. */
static bool read_stored(Stored *stored, Results *results,
                        const ArchiveExperiment *experiment, Text *error) {
  json_t *object = json_loads(text_string(&experiment->specification), 0, NULL);
  *stored = (Stored){0};
  tour_spec_init(&stored->spec);
  bool fine =
      tour_spec_read_object(&stored->spec, object, error) &&
      tour_look(&stored->tour, &stored->spec, results, experiment->id, error);
  json_decref(object);
  return fine;
}

static void free_stored(Stored *stored) {
  tour_free(&stored->tour);
  tour_spec_free(&stored->spec);
}

/* ---- tours ---- */

/* How many of its games are planned so far, and played. */
static bool count_games(const Stored *stored, Results *results,
                        uint64_t *planned, uint64_t *played) {
  const SeriesVector *list = &stored->tour.plan.series;
  *planned = *played = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    ResultsCount count;
    Text key = {0};
    series_key(&list->data[i], &key);
    int64_t id = results_find_series(results, stored->tour.experiment,
                                     text_string(&key));
    text_free(&key);
    *planned += list->data[i].games;
    if (!id) continue;
    if (!results_count(results, id, list->data[i].games, &count)) return false;
    *played += count.scored + count.errors;
  }
  return true;
}

/* What the specification says, and how far it is. One that cannot be read, as
   by an older program, is listed by its name alone. */
static json_t *write_brief(Results *results,
                           const ArchiveExperiment *experiment) {
  Stored stored;
  Text error = {0};
  uint64_t planned = 0, played = experiment->played;
  bool known = read_stored(&stored, results, experiment, &error) &&
               count_games(&stored, results, &planned, &played);
  json_t *brief = json_object();
  json_object_set_new(brief, "id", works_store_id(experiment->id));
  json_object_set_new(brief, "name", works_store_text(&experiment->name));
  json_object_set_new(brief, "system",
                      json_string(pairing_name(stored.spec.system)));
  json_object_set_new(brief, "games", works_store_texts(&stored.spec.games));
  json_object_set_new(brief, "players", works_store_texts(&stored.spec.agents));
  json_object_set_new(brief, "played", json_integer((json_int_t)played));
  json_object_set_new(brief, "planned",
                      known ? json_integer((json_int_t)planned) : json_null());
  json_object_set_new(brief, "over", json_boolean(known && stored.tour.over));
  json_object_set_new(brief, "made", works_store_text(&experiment->made));
  text_free(&error);
  free_stored(&stored);
  return brief;
}

static void list_tours(const TaskCall *call, TaskReply *reply) {
  Results *results = works_store_open(call, reply);
  ArchiveExperiments list = {0};
  if (!results) return;
  if (archive_experiments(results, kind, &list)) {
    json_t *tours = json_array();
    for (uint32_t i = 0; i < list.count; i++)
      json_array_append_new(tours, write_brief(results, &list.data[i]));
    task_reply_json(reply, json_pack("{s:o}", "tours", tours));
  } else {
    works_store_fail(results, reply);
  }
  archive_experiments_free(&list);
  results_close(results);
}

const TaskKind works_tours = {.work = list_tours, .seconds = 20, .keep = 2};

/* ---- tours/ID and its charts ---- */

typedef void Answer(const Stored *stored, const TourScore *score,
                    const ArchiveExperiment *experiment, const TaskCall *call,
                    TaskReply *reply);

static void answer_with(const TaskCall *call, TaskReply *reply,
                        Results *results, const ArchiveExperiment *experiment,
                        Answer *answer) {
  Stored stored;
  TourScore score;
  Text error = {0};
  if (!read_stored(&stored, results, experiment, &error)) {
    task_fail(reply, 500, "This tournament cannot be shown: %s.",
              text_string(&error));
  } else {
    if (tour_score_init(&score, &stored.tour.plan, results, experiment->id,
                        &error))
      answer(&stored, &score, experiment, call, reply);
    else
      works_store_fail(results, reply);
    tour_score_free(&score);
  }
  free_stored(&stored);
  text_free(&error);
}

static void find_and_answer(const TaskCall *call, TaskReply *reply,
                            Answer *answer) {
  Results *results = works_store_open(call, reply);
  ArchiveExperiments list = {0};
  Text part = {0};
  int64_t id = 0;
  if (!results) return;
  works_store_part(call, 1, &part);
  bool number = works_store_number(text_string(&part), &id);
  if (number && !archive_experiment(results, kind, id, &list))
    works_store_fail(results, reply);
  else if (!list.count)
    task_fail(reply, 404, "There is no such tournament.");
  else
    answer_with(call, reply, results, &list.data[0], answer);
  text_free(&part);
  archive_experiments_free(&list);
  results_close(results);
}

static void answer_json(const Stored *stored, const TourScore *score,
                        const ArchiveExperiment *experiment,
                        const TaskCall *call, TaskReply *reply) {
  (void)call;
  json_t *object = tour_json(&stored->tour, score), *charts = json_array();
  for (uint32_t i = 0; score->games && tour_draw_name(i); i++)
    json_array_append_new(charts, json_string(tour_draw_name(i)));
  json_object_set_new(object, "id", works_store_id(experiment->id));
  json_object_set_new(object, "name", works_store_text(&experiment->name));
  json_object_set_new(object, "made", works_store_text(&experiment->made));
  json_object_set_new(object, "charts", charts);
  task_reply_json(reply, object);
}

static void show_tour(const TaskCall *call, TaskReply *reply) {
  find_and_answer(call, reply, answer_json);
}

const TaskKind works_tour = {.work = show_tour, .seconds = 20, .keep = 2};

static void answer_chart(const Stored *stored, const TourScore *score,
                         const ArchiveExperiment *experiment,
                         const TaskCall *call, TaskReply *reply) {
  (void)stored;
  (void)experiment;
  Text name = {0};
  works_store_chart(call, &name);
  if (tour_draw_chart(score, text_string(&name), &reply->body))
    reply->type = works_store_svg;
  else
    task_fail(reply, 404, "There is no such chart.");
  text_free(&name);
}

static void draw_tour(const TaskCall *call, TaskReply *reply) {
  find_and_answer(call, reply, answer_chart);
}

const TaskKind works_tour_chart = {.work = draw_tour, .seconds = 20, .keep = 2};
