/* An analysis as text: one line for each finding, its evidence in
   parentheses. */
#include "analyse/analysis.h"

static void write_fluent(const Analysis *analysis, uint32_t fluent,
                         Text *text) {
  term_write(&analysis->description->rules.terms,
             analysis->net->fluents.data[fluent].term, text);
}

static const char *name_of(const Analysis *analysis, Symbol symbol) {
  return symbol_text(&analysis->description->rules.terms.symbols, symbol);
}

static void write_role(const Analysis *analysis, uint32_t role, Text *text) {
  term_write(&analysis->description->rules.terms,
             analysis->description->rules.roles.data[role], text);
}

static void write_turns(const Analysis *analysis, Text *text) {
  const Net *net = analysis->net;
  const Turns *turns = &analysis->turns;
  if (net->role_count == 1)
    text_add(text, "turns: one role\n");
  else if (turns->taking)
    text_format(text, "turns: taken (%s)\n", evidence_name(turns->taking));
  else
    text_add(text, "turns: simultaneous\n");
  for (uint32_t role = 0; role < net->role_count; role++) {
    const RoleTurn *turn = &turns->roles[role];
    uint32_t waiting = 0;
    for (uint32_t m = net->role_first.data[role];
         m < net->role_first.data[role + 1]; m++)
      waiting += turns->waiting[m] != EVIDENCE_NONE;
    text_add(text, "role ");
    write_role(analysis, role, text);
    text_format(text,
                ": chooses in %.0f %% of states, among %.1f moves; %u of %u "
                "moves only wait",
                100 * turn->choice, turn->moves, waiting,
                net->role_first.data[role + 1] - net->role_first.data[role]);
    if (turn->fluent != no_fluent) {
      text_add(text, turn->fluent_exact ? "; exactly if " : "; only if ");
      write_fluent(analysis, turn->fluent, text);
      text_format(text, " (%s)", evidence_name(turn->fluent_known));
    }
    text_add_byte(text, '\n');
  }
}

/* Writes one line for all groups of a functor. */
static void write_groups(const Analysis *analysis, uint32_t first, uint32_t end,
                         Text *text) {
  const OneHot *onehot = &analysis->onehot;
  uint32_t fluents = 0, most = 0, least = 0, least_proved = 0;
  for (uint32_t g = first; g < end; g++) {
    const OneHotGroup *group = &onehot->groups.data[g];
    fluents += group->count;
    most += group->at_most == EVIDENCE_PROVED;
    least += group->at_least != EVIDENCE_NONE;
    least_proved += group->at_least == EVIDENCE_PROVED;
  }
  text_format(text, "groups: %u with %u fluents like ", end - first, fluents);
  write_fluent(analysis, onehot_members(onehot, &onehot->groups.data[first])[0],
               text);
  text_format(text,
              ", varying %#x: at most one true (%u proved), exactly one in %u "
              "(%u proved)\n",
              onehot->groups.data[first].varying, most, least, least_proved);
}

static void write_onehot(const Analysis *analysis, Text *text) {
  const OneHot *onehot = &analysis->onehot;
  for (uint32_t first = 0, end; first < onehot->groups.count; first = end) {
    const OneHotGroup *group = &onehot->groups.data[first];
    for (end = first + 1; end < onehot->groups.count; end++)
      if (onehot->groups.data[end].functor != group->functor ||
          onehot->groups.data[end].main != group->main)
        break;
    write_groups(analysis, first, end, text);
  }
}

static void write_counters(const Analysis *analysis, Text *text) {
  const Changes *changes = &analysis->changes;
  for (uint32_t i = 0; i < changes->counters.count; i++) {
    const Counter *counter = &changes->counters.data[i];
    text_format(text, "%s: %u values from ",
                counter->cyclic ? "clock" : "counter", counter->count);
    write_fluent(analysis, changes->order.data[counter->first], text);
    text_add(text, " to ");
    write_fluent(analysis,
                 changes->order.data[counter->first + counter->count - 1],
                 text);
    text_format(text, " (%s)", evidence_name(counter->advances));
    if (counter->ends == EVIDENCE_PROVED)
      text_add(text, ", which is terminal (proved)");
    text_add_byte(text, '\n');
  }
  if (analysis->ends)
    text_format(text, "ends: always, within %u steps (%s)\n", analysis->longest,
                evidence_name(analysis->ends));
}

static void write_latches(const Analysis *analysis, Text *text) {
  const Changes *changes = &analysis->changes;
  uint32_t count[2][3] = {{0}};
  for (uint32_t i = 0; i < analysis->net->fluents.count; i++) {
    count[0][changes->stays_true[i]]++;
    count[1][changes->stays_false[i]]++;
  }
  for (int i = 0; i < 2; i++)
    if (count[i][EVIDENCE_SAMPLED] + count[i][EVIDENCE_PROVED])
      text_format(text, "latches: %u fluents stay %s for good (%u proved)\n",
                  count[i][EVIDENCE_SAMPLED] + count[i][EVIDENCE_PROVED],
                  i ? "false" : "true", count[i][EVIDENCE_PROVED]);
}

static void write_subgames(const Analysis *analysis, Text *text) {
  const Subgames *subgames = &analysis->subgames;
  text_format(text, "parts: %u%s, and %u autonomous fluents\n", subgames->count,
              subgames->parallel ? " (every move acts in all of them)" : "",
              subgames->autonomous);
  for (uint32_t i = 0; subgames->count > 1 && i < subgames->count && i < 8;
       i++) {
    const Subgame *part = &subgames->list[i];
    text_format(text, "part %u: %u fluents, %u moves%s\n", i + 1, part->fluents,
                part->moves, part->terminal ? ", may end the game" : "");
  }
}

static void write_goals(const Analysis *analysis, Text *text) {
  for (uint32_t role = 0; role < analysis->net->role_count; role++) {
    const RoleGoals *goals = &analysis->goals[role];
    text_add(text, "goals of ");
    write_role(analysis, role, text);
    text_format(text, ": %d to %d, one at a time (%s), in %d of %u parts\n",
                goals->least, goals->most, evidence_name(goals->single),
                __builtin_popcountll(goals->parts), analysis->subgames.count);
  }
  if (analysis_goals_disjoint(analysis))
    text_add(text, "goals: of disjoint parts\n");
  if (analysis->constant_sum)
    text_format(text, "goals: add up to %d (%s)\n", analysis->sum,
                evidence_name(analysis->constant_sum));
  else if (analysis->ended && analysis->net->role_count == 2)
    text_format(text, "goals: conflict %.2f (sampled)\n", analysis->conflict);
}

static void write_board(const Analysis *analysis, const Board *board,
                        Text *text) {
  text_format(text, "board: %s, %u places,", name_of(analysis, board->functor),
              board->place_count);
  for (uint32_t a = 0; a < board->arity; a++)
    text_format(
        text, " %s of %u%s%s", board->place >> a & 1 ? "place" : "piece",
        board->values[a].count, board->place >> a & 1 ? " by " : "",
        board->place >> a & 1 ? places_order_name(board->order[a]) : "");
  text_format(text, "; one piece a place (%s)\n", evidence_name(board->single));
}

static void write_places(const Analysis *analysis, Text *text) {
  const Places *places = &analysis->places;
  for (uint32_t b = 0; b < places->boards.count; b++)
    write_board(analysis, &places->boards.data[b], text);
  for (uint32_t s = 0; s < places->shapes.count; s++) {
    const MoveShape *shape = &places->shapes.data[s];
    if (shape->from == no_argument && shape->to == no_argument) continue;
    text_add(text, "moves of ");
    write_role(analysis, shape->role, text);
    text_format(text, ": %u %s,", shape->count,
                name_of(analysis, shape->functor));
    if (shape->from != no_argument)
      text_format(text, " from argument %u", shape->from + 1);
    if (shape->to != no_argument)
      text_format(text, " to argument %u", shape->to + 1);
    text_format(text, " of %s\n",
                name_of(analysis, places->boards.data[shape->board].functor));
  }
}

void analysis_write(const Analysis *analysis, Text *text) {
  write_turns(analysis, text);
  write_onehot(analysis, text);
  write_counters(analysis, text);
  write_latches(analysis, text);
  write_subgames(analysis, text);
  write_goals(analysis, text);
  write_places(analysis, text);
}
