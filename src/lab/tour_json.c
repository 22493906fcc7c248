#include "lab/tour_json.h"

#include <math.h>

#include "contest/estimate.h"
#include "io/json.h"

/* What is not known, or infinite, is null. */
static json_t *figure(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

static json_t *agent_name(const TourScore *score, uint32_t agent) {
  return json_plain(text_string(&score->plan->spec->agents.data[agent]));
}

static void add_cell(json_t *object, const TourCell *cell) {
  const Tally *tally = &cell->tally;
  Estimate rate = estimate_rate(tally), goal = estimate_goal(tally);
  json_t *more = json_pack(
      "{s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "games",
      (json_int_t)tally->games, "wins", (json_int_t)tally->wins, "draws",
      (json_int_t)tally->draws, "losses", (json_int_t)tally->losses, "errors",
      (json_int_t)cell->errors, "win_rate", figure(rate.value), "interval95",
      figure(rate.half), "mean_goal", figure(goal.value), "goal_interval95",
      figure(goal.half), "goal_sum", figure(tally->goal_sum));
  json_object_update(object, more);
  json_decref(more);
}

static json_t *write_agent(const TourScore *score, uint32_t section,
                           uint32_t agent) {
  const RatingPlayer *player = &score->sections[section].rating.players[agent];
  json_t *object = json_pack(
      "{s:o, s:o, s:o, s:o, s:o, s:i, s:b}", "agent", agent_name(score, agent),
      "elo", figure(player->matches ? player->elo : NAN), "elo_error",
      figure(player->error), "elo_low", figure(player->low), "elo_high",
      figure(player->high), "component", (int)player->component, "virtual_draw",
      (int)player->virtual_draw);
  add_cell(object, tour_score_cell(score, section, agent, agent));
  return object;
}

static json_t *write_pair(const TourScore *score, uint32_t section, uint32_t a,
                          uint32_t b) {
  const TourCell *cell = tour_score_cell(score, section, a, b);
  const Rating *rating = &score->sections[section].rating;
  double elo = NAN, error = NAN;
  rating_difference(rating, a, b, &elo, &error);
  json_t *object = json_pack(
      "{s:o, s:o, s:o, s:o, s:f, s:o}", "agent", agent_name(score, a),
      "against", agent_name(score, b), "elo_lead", figure(elo), "elo_error",
      figure(error), "superiority", tally_superiority(&cell->tally),
      "superiority_by_rating", figure(rating_superiority(rating, a, b)));
  add_cell(object, cell);
  json_object_set_new(
      object, "against_mean_goal",
      figure(tally_mean_goal(&tour_score_cell(score, section, b, a)->tally)));
  return object;
}

static json_t *write_section(const TourScore *score, uint32_t section) {
  json_t *agents = json_array(), *pairs = json_array();
  const char *game = score->sections[section].game;
  for (uint32_t a = 0; a < score->agents; a++) {
    json_array_append_new(agents, write_agent(score, section, a));
    for (uint32_t b = 0; b < score->agents; b++) {
      const TourCell *cell = tour_score_cell(score, section, a, b);
      if (a < b && (cell->tally.games || cell->errors))
        json_array_append_new(pairs, write_pair(score, section, a, b));
    }
  }
  return json_pack("{s:o, s:o, s:o}", "game",
                   game ? json_plain(game) : json_null(), "agents", agents,
                   "pairs", pairs);
}

static json_t *write_meetings(const TourScore *score) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < score->meetings.count; i++) {
    const Meeting *meeting = &score->meetings.data[i];
    bool bye = meeting->second == MEETING_BYE;
    json_array_append_new(
        list,
        json_pack("{s:i, s:o, s:o, s:o, s:o}", "round", (int)meeting->round + 1,
                  "first", agent_name(score, meeting->first), "second",
                  bye ? json_null() : agent_name(score, meeting->second),
                  "points", bye ? json_null() : json_real(meeting->points),
                  "margin", bye ? json_null() : json_real(meeting->margin)));
  }
  return list;
}

static json_t *write_standings(const TourScore *score) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < score->agents; i++) {
    const PairingStanding *own = &score->standings[i];
    json_array_append_new(
        list, json_pack("{s:o, s:i, s:i, s:f, s:f, s:f}", "agent",
                        agent_name(score, i), "place", (int)own->place,
                        "meetings", (int)own->meetings, "points", own->points,
                        "mean", own->mean, "opponents", own->opponents));
  }
  return list;
}

static json_t *write_test(const Sprt *sprt) {
  static const char *const names[] = {
      [SPRT_OPEN] = "open", [SPRT_ELO0] = "elo0", [SPRT_ELO1] = "elo1"};
  return json_pack("{s:f, s:f, s:f, s:f, s:I, s:f, s:f, s:f, s:s}", "elo0",
                   sprt->elo0, "elo1", sprt->elo1, "alpha", sprt->alpha, "beta",
                   sprt->beta, "pairs", (json_int_t)sprt_pairs(sprt),
                   "log_ratio", sprt_ratio(sprt), "lower", sprt_lower(sprt),
                   "upper", sprt_upper(sprt), "decision",
                   names[sprt_decide(sprt)]);
}

json_t *tour_json(const Tour *tour, const TourScore *score) {
  json_t *sections = json_array();
  for (uint32_t i = 0; i < score->count; i++)
    json_array_append_new(sections, write_section(score, i));
  json_t *object = json_pack(
      "{s:o, s:b, s:i, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "spec",
      tour_spec_write(score->plan->spec), "over", (int)tour->over, "rounds",
      (int)tour->round + 1, "planned", (json_int_t)score->planned, "games",
      (json_int_t)score->games, "errors", (json_int_t)score->errors, "error",
      json_plain(text_string(&score->error)), "standings",
      write_standings(score), "meetings", write_meetings(score), "sections",
      sections);
  if (score->plan->spec->sprt)
    json_object_set_new(object, "sprt", write_test(&score->sprt));
  return object;
}
