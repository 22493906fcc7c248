/* Steps and results of games that another rank plays. */
#include <math.h>

#include "contest/errand.h"
#include "contest/errand_parts.h"
#include "gdl/rule.h"
#include "io/json.h"

/* ---- turns ---- */

void errand_add_step(ErrandSteps *steps, uint32_t step, uint32_t roles,
                     const RecordTurn *turns) {
  ErrandTurns copy = {.step = step,
                      .turns = memory_new(roles * sizeof *copy.turns)};
  for (uint32_t role = 0; role < roles; role++) {
    const RecordTurn *from = &turns[role];
    RecordTurn *to = &copy.turns[role];
    *to = (RecordTurn){.seconds = from->seconds,
                       .work = from->work,
                       .report = {.searched = from->report.searched,
                                  .value = from->report.value,
                                  .depth = from->report.depth}};
    text_add(&to->move, text_string(&from->move));
    text_add(&to->error, text_string(&from->error));
  }
  vector_push(steps, copy);
}

void errand_free_steps(ErrandSteps *steps, uint32_t roles) {
  for (uint32_t i = 0; i < steps->count; i++) {
    RecordTurn *turns = steps->data[i].turns;
    for (uint32_t role = 0; turns && role < roles; role++) {
      text_free(&turns[role].move);
      text_free(&turns[role].error);
    }
    memory_delete(turns);
  }
  vector_free(steps);
}

static json_t *json_work(const AgentWork *work) {
  return json_pack("{s:I, s:I, s:f, s:s?}", "simulations",
                   (json_int_t)work->simulations, "states",
                   (json_int_t)work->states, "seconds", work->seconds, "found",
                   work->found);
}

/* Words are few: each is kept once, for as long as the list. */
static const char *keep_word(const char *word, TextVector *words) {
  for (uint32_t i = 0; i < words->count; i++)
    if (strcmp(words->data[i].bytes, word) == 0) return words->data[i].bytes;
  Text text = {0};
  text_add(&text, word);
  vector_push(words, text);
  return vector_last(words).bytes;
}

static bool get_work(const json_t *object, AgentWork *work, TextVector *words) {
  const json_t *value = json_object_get(object, "work");
  const json_t *found = json_object_get(value, "found");
  *work = (AgentWork){0};
  if (json_is_string(found))
    work->found = keep_word(json_string_value(found), words);
  return errand_get_count(value, "simulations", &work->simulations) &&
         errand_get_count(value, "states", &work->states) &&
         errand_get_seconds(value, "seconds", &work->seconds);
}

static json_t *json_turn(const RecordTurn *turn) {
  json_t *value =
      json_pack("{s:o, s:o, s:o, s:o}", "move", errand_text(&turn->move),
                "error", errand_text(&turn->error), "seconds",
                errand_number(turn->seconds), "work", json_work(&turn->work));
  if (turn->report.searched)
    json_object_update_new(value,
                           json_pack("{s:o, s:o}", "value",
                                     errand_number(turn->report.value), "depth",
                                     errand_number(turn->report.depth)));
  return value;
}

static bool get_turn(const json_t *value, RecordTurn *turn, TextVector *words) {
  turn->report.searched = json_object_get(value, "value");
  return errand_get_text(value, "move", &turn->move) &&
         errand_get_text(value, "error", &turn->error) &&
         errand_get_number(value, "seconds", &turn->seconds) &&
         get_work(value, &turn->work, words) &&
         (!turn->report.searched ||
          (errand_get_number(value, "value", &turn->report.value) &&
           errand_get_number(value, "depth", &turn->report.depth)));
}

static json_t *json_steps(const ErrandNews *news) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < news->steps.count; i++) {
    const ErrandTurns *step = &news->steps.data[i];
    json_t *turns = json_array();
    for (uint32_t role = 0; role < news->roles; role++)
      json_array_append_new(turns, json_turn(&step->turns[role]));
    json_array_append_new(list,
                          json_pack("{s:I, s:o}", "step",
                                    (json_int_t)step->step, "turns", turns));
  }
  return list;
}

static bool get_steps(const json_t *object, ErrandNews *news,
                      TextVector *words) {
  const json_t *list = json_object_get(object, "steps"), *value;
  size_t i;
  bool fine = json_is_array(list);
  json_array_foreach(list, i, value) {
    const json_t *turns = json_object_get(value, "turns");
    ErrandTurns step = {.turns = memory_new(news->roles * sizeof *step.turns)};
    fine = fine && errand_get_small(value, "step", &step.step) &&
           json_array_size(turns) == news->roles;
    for (uint32_t role = 0; fine && role < news->roles; role++)
      fine = get_turn(json_array_get(turns, role), &step.turns[role], words);
    vector_push(&news->steps, step);
  }
  return fine;
}

/* ---- results ---- */

static json_t *json_result(const MatchResult *result) {
  json_t *sides = json_array();
  for (uint32_t role = 0; role < result->role_count; role++) {
    const MatchSide *side = &result->sides[role];
    json_array_append_new(sides,
                          json_pack("{s:i, s:o, s:o}", "goal", side->goal,
                                    "name", errand_text(&side->name), "work",
                                    json_work(&side->work)));
  }
  return json_pack("{s:I, s:I, s:o, s:o, s:o, s:I, s:o}", "end",
                   (json_int_t)result->end, "steps", (json_int_t)result->steps,
                   "sides", sides, "moves", errand_text(&result->moves),
                   "error", errand_text(&result->error), "faults",
                   (json_int_t)result->faults, "fault",
                   errand_text(&result->fault));
}

static bool get_side(const json_t *value, MatchSide *side, TextVector *words) {
  uint32_t goal = 0;
  bool fine = errand_get_small(value, "goal", &goal) && goal <= INT32_MAX &&
              errand_get_text(value, "name", &side->name) &&
              get_work(value, &side->work, words);
  side->goal = (int)goal;
  return fine;
}

static bool get_result(const json_t *value, uint32_t roles, MatchResult *result,
                       TextVector *words) {
  const json_t *sides = json_object_get(value, "sides");
  uint32_t end = 0;
  *result = (MatchResult){.role_count = roles,
                          .sides = memory_new(roles * sizeof *result->sides)};
  bool fine = errand_get_small(value, "end", &end) && end <= MATCH_STOPPED &&
              errand_get_small(value, "steps", &result->steps) &&
              json_array_size(sides) == roles &&
              errand_get_text(value, "moves", &result->moves) &&
              errand_get_text(value, "error", &result->error) &&
              errand_get_small(value, "faults", &result->faults) &&
              errand_get_text(value, "fault", &result->fault);
  result->end = (MatchEnd)end;
  for (uint32_t role = 0; fine && role < roles; role++)
    fine = get_side(json_array_get(sides, role), &result->sides[role], words);
  return fine;
}

/* ---- messages ---- */

void errand_write_news(const ErrandNews *news, Text *text) {
  json_t *object =
      json_pack("{s:I, s:I, s:o, s:O?, s:b}", "id", (json_int_t)news->id,
                "roles", (json_int_t)news->roles, "steps", json_steps(news),
                "record", news->record, "over", (int)news->over);
  if (news->over) {
    json_object_set_new(object, "seconds", errand_number(news->seconds));
    if (news->refused.length)
      json_object_set_new(object, "refused", errand_text(&news->refused));
    else
      json_object_set_new(object, "result", json_result(&news->result));
  }
  errand_put(object, text);
}

static bool get_end(const json_t *object, ErrandNews *news, TextVector *words) {
  if (!errand_get_seconds(object, "seconds", &news->seconds)) return false;
  if (json_object_get(object, "refused"))
    return errand_get_text(object, "refused", &news->refused) &&
           news->refused.length;
  return get_result(json_object_get(object, "result"), news->roles,
                    &news->result, words);
}

bool errand_read_news(ErrandNews *news, const Text *text, TextVector *words) {
  json_t *object = errand_parse(text), *record;
  *news = (ErrandNews){0};
  bool fine = errand_get_small(object, "id", &news->id) &&
              errand_get_small(object, "roles", &news->roles) && news->roles &&
              news->roles <= RULE_ROLES &&
              errand_get_flag(object, "over", &news->over) &&
              get_steps(object, news, words) &&
              (!news->over || get_end(object, news, words));
  record = json_object_get(object, "record");
  if (json_is_object(record)) news->record = json_incref(record);
  json_decref(object);
  if (!fine) errand_free_news(news);
  return fine;
}

void errand_free_news(ErrandNews *news) {
  errand_free_steps(&news->steps, news->roles);
  json_decref(news->record);
  text_free(&news->refused);
  match_result_free(&news->result);
  *news = (ErrandNews){0};
}
