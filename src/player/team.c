/* Which thinkers run. The one on the rules ends as soon as the one on the net
   has caught up with the match; if the latter fails, there is one on the rules
   again. The net is used only if both engines agree on the state.

   Memory: half of the limit is for grounding and programs, a quarter for the
   agent on the net, an eighth each for the agent on the rules and for what each
   rules engine derives. */
#include "player/team.h"

#include "base/clock.h"

/* Thinkers are nicer than the threads that answer. On two cores at a load of
   16, the longest wait for a first answer in 100 turns of chess was, in three
   runs each, 14, 22 and 26 ms with nice 0; 5, 8 and 5 with 5; 12, 8 and 7 with
   10; 9, 7 and 16 with 19. The lateness of the final answer showed no such
   trend: 28 to 56, 28 to 39, 44 to 59 and 21 to 36 ms. While there are two
   thinkers, the one that grounds has priority. */
enum { NICE = 5, NICE_BESIDE = 10 };

/* Grounding holds nobody up: it may take this share of the start clock, or this
   multiple of its limit if that is more, and continues during play. */
static const double ground_share = 0.6, ground_patience = 4;

/* ---- start ---- */

static ThinkerPlan make_plan(const Team *team, bool ground) {
  const Start *start = team->start;
  size_t memory = start->limits.ground.memory;
  ThinkerPlan plan = {.rules = team->rules->bytes,
                      .rules_length = team->rules->length,
                      .role = team->position->role,
                      .agent = *start->agent,
                      .limits = start->limits,
                      .ground = ground,
                      .nice = NICE,
                      .seed = start->seed + ground,
                      .link = team->link};
  double left = (start->start_deadline - clock_now()) * ground_share;
  spec_limit_memory(&plan.agent, ground ? memory / 4 : memory / 8);
  plan.limits.ground.seconds *= ground_patience;
  if (plan.limits.ground.seconds > 0 && plan.limits.ground.seconds < left)
    plan.limits.ground.seconds = left;
  plan.limits.ground.memory = memory / 2;
  plan.limits.rules.memory /= 8;
  return plan;
}

void team_start(Team *team, const Start *start, const Description *description,
                Position *position, int link) {
  *team = (Team){.start = start,
                 .rules = &description->text,
                 .link = link,
                 .position = position,
                 .begun = clock_now()};
  if (start->level == START_LEGAL || !spec_thinks(start->agent) ||
      !description_valid(description))
    return;
  bool full = start->level == START_FULL;
  ThinkerPlan quick = make_plan(team, false), best = make_plan(team, true);
  if (full) quick.nice = NICE_BESIDE;
  team->quick = thinker_start(&quick, start->history);
  if (full) team->full = thinker_start(&best, start->history);
}

/* ---- changes ---- */

static void drop(Team *team, Thinker **thinker) {
  if (team->reporting == *thinker) team->reporting = NULL;
  thinker_end(*thinker);
  *thinker = NULL;
}

static void adopt_net(Team *team, Text *notes) {
  Game *game = thinker_take_game(team->full), *before = team->position->game;
  if (!game) return;
  team->on_net = position_adopt(team->position, game);
  if (team->on_net) {
    text_format(notes, "on the net after %.2f s\n", clock_now() - team->begun);
    game_delete(before);
  } else {
    text_add(notes, "the net disagrees with the rules: not used\n");
    game_delete(game);
    drop(team, &team->full);
  }
}

static void replace_full(Team *team) {
  if (team->failed) return;
  team->failed = true;
  if (!team->on_net) drop(team, &team->full);
  if (team->quick) return;
  ThinkerPlan plan = make_plan(team, false);
  team->quick = thinker_start(&plan, &team->position->history);
}

static bool ask(Team *team, Thinker *thinker, Text *move, bool *settled) {
  Position *position = team->position;
  text_clear(move);
  *settled = false;
  if (!thinker ||
      !thinker_best(thinker, position->history.count, move, settled))
    return false;
  if (!position->legal.count || position_has(position, move->bytes))
    return true;
  *settled = false;
  return false;
}

void team_update(Team *team, Text *notes) {
  Text move = {0};
  bool settled;
  if (team->quick && thinker_failed(team->quick)) drop(team, &team->quick);
  if (!team->full) return;
  if (thinker_failed(team->full)) {
    replace_full(team);
    return;
  }
  if (!team->on_net) adopt_net(team, notes);
  if (team->quick && team->reporting != team->quick &&
      ask(team, team->full, &move, &settled))
    drop(team, &team->quick);
  text_free(&move);
}

void team_follow(Team *team, uint32_t kept, uint32_t before) {
  const TextVector *history = &team->position->history;
  Thinker *thinkers[] = {team->quick, team->full};
  for (int i = 0; i < 2; i++) {
    if (!thinkers[i]) continue;
    if (kept < before) thinker_return(thinkers[i], kept);
    for (uint32_t k = kept; k < history->count; k++)
      thinker_advance(thinkers[i], text_string(&history->data[k]));
  }
}

/* ---- answers ---- */

bool team_best(Team *team, Text *move, bool *settled) {
  return ask(team, team->full, move, settled) ||
         ask(team, team->quick, move, settled);
}

bool team_empty(const Team *team) {
  return (!team->full || team->failed) && !team->quick;
}

void team_ask_report(Team *team) {
  Text move = {0};
  bool settled;
  Thinker *asked = ask(team, team->full, &move, &settled)    ? team->full
                   : ask(team, team->quick, &move, &settled) ? team->quick
                                                             : NULL;
  text_free(&move);
  if (asked) thinker_ask_report(asked);
  team->reporting = asked;
}

bool team_take_report(Team *team, Text *report) {
  if (!team->reporting || !thinker_take_report(team->reporting, report))
    return false;
  team->reporting = NULL;
  return true;
}
