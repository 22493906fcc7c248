/* An analysis as JSON: an object with a member for each kind of finding. */
#include "about/findings.h"

static const Terms *terms_of(const Analysis *analysis) {
  return &analysis->description->rules.terms;
}

static json_t *term_json(const Analysis *analysis, Term term) {
  Text text = {0};
  term_write(terms_of(analysis), term, &text);
  json_t *string = json_plain(text_string(&text));
  text_free(&text);
  return string;
}

static json_t *fluent_json(const Analysis *analysis, uint32_t fluent) {
  return term_json(analysis, analysis->net->fluents.data[fluent].term);
}

static json_t *fluents_json(const Analysis *analysis, const uint32_t *list,
                            uint32_t count) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < count; i++)
    json_array_append_new(array, fluent_json(analysis, list[i]));
  return array;
}

static json_t *role_json(const Analysis *analysis, uint32_t role) {
  return term_json(analysis, analysis->description->rules.roles.data[role]);
}

static json_t *name_json(const Analysis *analysis, Symbol symbol) {
  return json_plain(symbol_text(&terms_of(analysis)->symbols, symbol));
}

/* The numbers of the bits that are set. */
static json_t *bits_json(uint64_t bits) {
  json_t *array = json_array();
  for (; bits; bits &= bits - 1)
    json_array_append_new(array, json_integer(__builtin_ctzll(bits) + 1));
  return array;
}

static json_t *role_turn_json(const Analysis *analysis, uint32_t role) {
  const Turns *turns = &analysis->turns;
  const RoleTurn *turn = &turns->roles[role];
  uint32_t first = analysis->net->role_first.data[role];
  uint32_t end = analysis->net->role_first.data[role + 1], waiting = 0;
  for (uint32_t m = first; m < end; m++)
    waiting += turns->waiting[m] != EVIDENCE_NONE;
  json_t *object =
      json_pack("{s:o, s:f, s:f, s:i, s:i}", "role", role_json(analysis, role),
                "choice_share", turn->choice, "choice_moves_mean", turn->moves,
                "moves", (int)(end - first), "waiting_moves", (int)waiting);
  if (turn->fluent != no_fluent)
    json_object_set_new(object, "turn_fluent",
                        json_pack("{s:o, s:b, s:s}", "fact",
                                  fluent_json(analysis, turn->fluent), "exact",
                                  turn->fluent_exact, "evidence",
                                  evidence_name(turn->fluent_known)));
  return object;
}

static json_t *turns_json(const Analysis *analysis) {
  uint32_t count = analysis->net->role_count;
  Evidence taking = analysis->turns.taking;
  json_t *roles = json_array();
  for (uint32_t role = 0; role < count; role++)
    json_array_append_new(roles, role_turn_json(analysis, role));
  return json_pack("{s:s, s:s, s:o}", "kind",
                   count == 1 ? "one role"
                   : taking   ? "taken"
                              : "simultaneous",
                   "evidence", evidence_name(taking), "roles", roles);
}

static json_t *groups_json(const Analysis *analysis) {
  const OneHot *onehot = &analysis->onehot;
  json_t *array = json_array();
  for (uint32_t g = 0; g < onehot->groups.count; g++) {
    const OneHotGroup *group = &onehot->groups.data[g];
    json_array_append_new(
        array, json_pack("{s:o, s:o, s:s, s:s, s:b}", "facts",
                         fluents_json(analysis, onehot_members(onehot, group),
                                      group->count),
                         "varying", bits_json(group->varying), "at_most_one",
                         evidence_name(group->at_most), "at_least_one",
                         evidence_name(group->at_least), "main", group->main));
  }
  return array;
}

static json_t *latch_json(const Analysis *analysis, const Evidence *stays) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < analysis->net->fluents.count; i++)
    if (stays[i] != EVIDENCE_NONE)
      json_array_append_new(
          array, json_pack("{s:o, s:s}", "fact", fluent_json(analysis, i),
                           "evidence", evidence_name(stays[i])));
  return array;
}

static json_t *counters_json(const Analysis *analysis) {
  const Changes *changes = &analysis->changes;
  json_t *array = json_array();
  for (uint32_t i = 0; i < changes->counters.count; i++) {
    const Counter *counter = &changes->counters.data[i];
    json_array_append_new(
        array,
        json_pack("{s:o, s:b, s:s, s:s}", "facts",
                  fluents_json(analysis, changes->order.data + counter->first,
                               counter->count),
                  "cyclic", counter->cyclic, "advances",
                  evidence_name(counter->advances), "ends",
                  evidence_name(counter->ends)));
  }
  return array;
}

static json_t *subgames_json(const Analysis *analysis) {
  const Subgames *subgames = &analysis->subgames;
  json_t *parts = json_array();
  for (uint32_t p = 0; p < subgames->count; p++) {
    const Subgame *part = &subgames->list[p];
    NumberVector fluents = {0};
    for (uint32_t i = 0; i < analysis->net->fluents.count; i++)
      if (subgames->of_fluent[i] == p + 1) vector_push(&fluents, i);
    json_array_append_new(
        parts,
        json_pack("{s:o, s:i, s:b}", "facts",
                  fluents_json(analysis, fluents.data, fluents.count), "moves",
                  (int)part->moves, "terminal", part->terminal));
    vector_free(&fluents);
  }
  return json_pack("{s:b, s:i, s:o}", "parallel", subgames->parallel,
                   "autonomous_facts", (int)subgames->autonomous, "parts",
                   parts);
}

static json_t *goals_json(const Analysis *analysis) {
  json_t *roles = json_array();
  for (uint32_t role = 0; role < analysis->net->role_count; role++) {
    const RoleGoals *goals = &analysis->goals[role];
    json_array_append_new(roles, json_pack("{s:o, s:i, s:i, s:s, s:o}", "role",
                                           role_json(analysis, role), "least",
                                           goals->least, "most", goals->most,
                                           "one_at_a_time",
                                           evidence_name(goals->single),
                                           "parts", bits_json(goals->parts)));
  }
  return json_pack("{s:o, s:b, s:o, s:s}", "roles", roles, "disjoint",
                   analysis_goals_disjoint(analysis), "constant_sum",
                   analysis->constant_sum ? json_integer(analysis->sum)
                                          : json_null(),
                   "sum_evidence", evidence_name(analysis->constant_sum));
}

static json_t *board_json(const Analysis *analysis, const Board *board) {
  json_t *arguments = json_array();
  for (uint32_t a = 0; a < board->arity; a++) {
    bool place = board->place >> a & 1;
    json_t *values = json_array();
    for (uint32_t i = 0; i < board->values[a].count; i++)
      json_array_append_new(values,
                            term_json(analysis, board->values[a].data[i]));
    json_array_append_new(arguments,
                          json_pack("{s:s, s:s, s:o}", "names",
                                    place                   ? "place"
                                    : board->piece >> a & 1 ? "piece"
                                                            : "other",
                                    "order", places_order_name(board->order[a]),
                                    "values", values));
  }
  return json_pack("{s:o, s:i, s:o, s:o, s:s, s:o}", "predicate",
                   name_json(analysis, board->functor), "places",
                   (int)board->place_count, "place_arguments",
                   bits_json(board->place), "piece_arguments",
                   bits_json(board->piece), "one_on_a_place",
                   evidence_name(board->single), "arguments", arguments);
}

static json_t *boards_json(const Analysis *analysis) {
  json_t *array = json_array();
  for (uint32_t b = 0; b < analysis->places.boards.count; b++)
    json_array_append_new(
        array, board_json(analysis, &analysis->places.boards.data[b]));
  return array;
}

static json_t *argument_json(uint32_t argument) {
  return argument == no_argument ? json_null() : json_integer(argument + 1);
}

static json_t *moves_json(const Analysis *analysis) {
  const Places *places = &analysis->places;
  json_t *array = json_array();
  for (uint32_t s = 0; s < places->shapes.count; s++) {
    const MoveShape *shape = &places->shapes.data[s];
    bool placed = shape->from != no_argument || shape->to != no_argument;
    json_array_append_new(
        array,
        json_pack("{s:o, s:o, s:i, s:i, s:o, s:o, s:o}", "role",
                  role_json(analysis, shape->role), "functor",
                  name_json(analysis, shape->functor), "arity",
                  (int)shape->arity, "count", (int)shape->count, "board",
                  placed ? name_json(analysis,
                                     places->boards.data[shape->board].functor)
                         : json_null(),
                  "from", argument_json(shape->from), "to",
                  argument_json(shape->to)));
  }
  return array;
}

json_t *findings_json(const Analysis *analysis) {
  const Changes *changes = &analysis->changes;
  return json_pack(
      "{s:I, s:o, s:o, s:{s:o, s:o}, s:o, s:o, s:o, s:o, s:o, s:o}",
      "sampled_states", (json_int_t)analysis->states, "turns",
      turns_json(analysis), "groups", groups_json(analysis), "latches",
      "stay_true", latch_json(analysis, changes->stays_true), "stay_false",
      latch_json(analysis, changes->stays_false), "counters",
      counters_json(analysis), "ends",
      analysis->ends
          ? json_pack("{s:i, s:s}", "within_steps", (int)analysis->longest,
                      "evidence", evidence_name(analysis->ends))
          : json_null(),
      "subgames", subgames_json(analysis), "goals", goals_json(analysis),
      "boards", boards_json(analysis), "moves", moves_json(analysis));
}
