/* Which thinkers run. One ends as soon as a better one has caught up with the
   match; if all fail, there is one on the rules again. A net is used only if
   its engine and the position's agree on the state.

   Memory: half of the limit is for grounding and programs, a quarter for the
   agent on the net; until that is there, a quarter for the net as it was built
   and an eighth for the agent on it; an eighth each for the agent on the rules
   and for what each rules engine derives. A second attempt at the net has three
   quarters of the limit, as there is no early net then. */
#include "player/team.h"

#include "base/clock.h"

/* Thinkers are nicer than the threads that answer. On two cores at a load of
   16, the longest wait for a first answer in 100 turns of chess was, in three
   runs each, 14, 22 and 26 ms with nice 0; 5, 8 and 5 with 5; 12, 8 and 7 with
   10; 9, 7 and 16 with 19. The lateness of the final answer showed no such
   trend: 28 to 56, 28 to 39, 44 to 59 and 21 to 36 ms. While there are several
   thinkers, the one that makes the net has priority: nine parts in ten of a
   processor that they share. */
enum { NICE = 5, NICE_BESIDE = 15 };

/* Grounding holds nobody up: it may take this share of the start clock, or this
   multiple of its limit if that is more, and continues during play. The second
   attempt may take that many times longer. */
static const double ground_share = 0.6, ground_patience = 4, once_more = 4;

enum { ATTEMPTS = 1 }; /* after the first */

/* ---- start ---- */

/* The share of the memory for making the engine. */
static size_t engine_memory(const Team *team, ThinkerKind kind) {
  size_t memory = team->start->limits.ground.memory;
  if (kind == THINKER_EARLY) return memory / 4;
  return team->attempts ? memory / 4 * 3 : memory / 2;
}

static void limit_time(const Team *team, BookLimits *limits) {
  double left = (team->start->start_deadline - clock_now()) * ground_share;
  double factor =
      team->attempts ? ground_patience * once_more : ground_patience;
  limits->net_seconds *= factor;
  limits->ground.seconds *= factor;
  if (limits->ground.seconds > 0 && limits->ground.seconds < left)
    limits->ground.seconds = left;
}

static ThinkerPlan make_plan(const Team *team, ThinkerKind kind) {
  const Start *start = team->start;
  size_t memory = start->limits.ground.memory;
  ThinkerPlan plan = {.rules = team->rules->bytes,
                      .rules_length = team->rules->length,
                      .role = team->position->role,
                      .agent = *start->agent,
                      .limits = start->limits,
                      .scheme = kind == THINKER_NET ? start->scheme : NULL,
                      .kind = kind,
                      .threads = team->threads,
                      .nice = NICE,
                      .seed = start->seed + kind,
                      .start_deadline = start->start_deadline,
                      .play = start->play,
                      .watched = team->watched,
                      .link = team->link};
  bool full = kind == THINKER_NET && !team->attempts;
  spec_limit_memory(&plan.agent, full ? memory / 4 : memory / 8);
  if (start->processors) spec_set_threads(&plan.agent, start->processors);
  limit_time(team, &plan.limits);
  if (kind == THINKER_EARLY) plan.limits.net_seconds = 0; /* waits */
  plan.limits.ground.memory = engine_memory(team, kind);
  plan.limits.rules.memory /= 8;
  return plan;
}

static void start_member(Team *team, const ThinkerPlan *plan,
                         const TextVector *course) {
  team->members[plan->kind] = thinker_start(plan, course);
  team->spent[plan->kind] = team->told[plan->kind] = false;
}

/* The thinker on the net, and one that plays while it reduces and compiles. */
static void start_nets(Team *team, const TextVector *course) {
  ThinkerPlan net = make_plan(team, THINKER_NET);
  if (!team->attempts) {
    ThinkerPlan early = make_plan(team, THINKER_EARLY);
    early.handover = net.handover = handover_new();
    early.nice_later = NICE_BESIDE;
    start_member(team, &early, course);
  }
  start_member(team, &net, course);
}

void team_start(Team *team, const Start *start, const Description *description,
                Position *position, int link) {
  *team = (Team){.start = start,
                 .rules = &description->text,
                 .link = link,
                 .position = position,
                 .threads = start->threads,
                 .begun = clock_now(),
                 .retired = true};
  if (start->level == START_LEGAL || !spec_thinks(start->agent) ||
      !description_valid(description))
    return;
  bool full = start->level == START_FULL;
  ThinkerPlan plan = make_plan(team, THINKER_RULES);
  if (full) plan.nice = NICE_BESIDE;
  start_member(team, &plan, start->history);
  if (full) start_nets(team, start->history);
  team->retired = !full;
}

/* ---- changes ---- */

/* Who waits for its report gets none. */
static void forget_reporter(Team *team, const Thinker *thinker) {
  for (uint32_t i = 0; i < team->reports.count; i++) {
    TeamReport *report = &team->reports.data[i];
    if (report->from != thinker) continue;
    text_add(&report->text, "the thinker ended before it could report\n");
    report->from = NULL;
  }
}

static void drop(Team *team, ThinkerKind kind) {
  forget_reporter(team, team->members[kind]);
  thinker_end(team->members[kind]);
  team->members[kind] = NULL;
}

static bool is_reporting(const Team *team, const Thinker *thinker) {
  bool found = false;
  for (uint32_t i = 0; i < team->reports.count; i++)
    found |= team->reports.data[i].from == thinker;
  return found;
}

/* As in "search on the net after 3.20 s". */
static const char *kind_name(ThinkerKind kind) {
  static const char *const names[] = {"the rules", "the unreduced net",
                                      "the net"};
  return names[kind];
}

static void adopt_net(Team *team, ThinkerKind kind, Text *notes) {
  Game *game = thinker_take_game(team->members[kind]);
  Game *before = team->position->game;
  if (!game) return;
  if (position_adopt(team->position, game)) {
    text_format(notes, "on %s after %.2f s\n", kind_name(kind),
                clock_now() - team->begun);
    game_delete(before);
    team->base = kind;
  } else {
    text_add(notes, "the net disagrees with the rules: not used\n");
    game_delete(game);
    drop(team, kind);
  }
}

static bool ask(Team *team, ThinkerKind kind, Text *move, bool *settled) {
  Position *position = team->position;
  Thinker *thinker = team->members[kind];
  text_clear(move);
  *settled = false;
  if (!thinker || team->spent[kind] ||
      !thinker_best(thinker, position->history.count, move, settled))
    return false;
  if (!position->legal.count || position_has(position, move->bytes))
    return true;
  *settled = false;
  return false;
}

/* The best that has a move here; THINKER_KINDS: nobody. */
static ThinkerKind find_best(Team *team, Text *move, bool *settled) {
  for (int kind = THINKER_KINDS; kind-- > 0;)
    if (ask(team, (ThinkerKind)kind, move, settled)) return (ThinkerKind)kind;
  return THINKER_KINDS;
}

static void try_again(Team *team, Text *notes) {
  team->attempts++;
  start_nets(team, &team->position->history);
  text_format(notes, "trying again to make the net, with up to %zu MiB\n",
              engine_memory(team, THINKER_NET) >> 20);
}

/* Drops thinkers that gave up, except one whose net is in use. */
static void drop_failed(Team *team, Text *notes) {
  for (int i = 0; i < THINKER_KINDS; i++) {
    ThinkerKind kind = (ThinkerKind)i;
    Thinker *thinker = team->members[kind];
    if (!thinker || team->spent[kind] || !thinker_failed(thinker)) continue;
    bool starved = kind == THINKER_NET && thinker_starved(thinker);
    if (kind != THINKER_RULES && team->base == kind) {
      forget_reporter(team, thinker);
      team->spent[kind] = true;
    } else {
      drop(team, kind);
    }
    if (starved && team->attempts < ATTEMPTS) try_again(team, notes);
  }
}

static bool thinks(const Team *team, ThinkerKind kind) {
  return team->members[kind] && !team->spent[kind];
}

/* Where all have failed, the rules are tried once more. */
static void keep_thinking(Team *team) {
  if (team->retired || !team_empty(team)) return;
  ThinkerPlan plan = make_plan(team, THINKER_RULES);
  start_member(team, &plan, &team->position->history);
  team->retired = true;
}

/* Says when a search began, and on what. */
static void tell_ready(Team *team, Text *notes) {
  for (int i = 0; i < THINKER_KINDS; i++) {
    ThinkerKind kind = (ThinkerKind)i;
    if (!thinks(team, kind) || team->told[kind] ||
        !thinker_prepared(team->members[kind]))
      continue;
    team->told[kind] = true;
    text_format(notes, "search on %s after %.2f s\n", kind_name(kind),
                clock_now() - team->begun);
  }
}

/* Those that a better one has overtaken end, unless they are still needed. */
static void drop_overtaken(Team *team) {
  Text move = {0};
  bool settled;
  ThinkerKind best = find_best(team, &move, &settled);
  text_free(&move);
  if (best == THINKER_KINDS) return;
  for (int i = 0; i < (int)best; i++) {
    ThinkerKind kind = (ThinkerKind)i;
    if (team->members[kind] && (kind == THINKER_RULES || team->base != kind) &&
        !is_reporting(team, team->members[kind]))
      drop(team, kind);
  }
}

void team_update(Team *team, Text *notes) {
  drop_failed(team, notes);
  keep_thinking(team);
  tell_ready(team, notes);
  for (int kind = THINKER_NET; kind > (int)team->base; kind--)
    if (thinks(team, (ThinkerKind)kind))
      adopt_net(team, (ThinkerKind)kind, notes);
  drop_overtaken(team);
}

void team_share(Team *team, uint32_t threads) {
  team->threads = threads;
  for (int i = 0; i < THINKER_KINDS; i++)
    if (team->members[i]) thinker_share(team->members[i], threads);
}

void team_watch(Team *team, bool watched) {
  team->watched = watched;
  for (int i = 0; i < THINKER_KINDS; i++)
    if (team->members[i]) thinker_watch(team->members[i], watched);
}

void team_follow(Team *team, uint32_t kept, uint32_t before) {
  const TextVector *history = &team->position->history;
  for (int i = 0; i < THINKER_KINDS; i++) {
    Thinker *thinker = team->members[i];
    if (!thinker) continue;
    if (kept < before) thinker_return(thinker, kept);
    for (uint32_t k = kept; k < history->count; k++)
      thinker_advance(thinker, text_string(&history->data[k]));
  }
}

/* ---- answers ---- */

bool team_best(Team *team, Text *move, bool *settled) {
  return find_best(team, move, settled) != THINKER_KINDS;
}

bool team_empty(const Team *team) {
  bool some = false;
  for (int i = 0; i < THINKER_KINDS; i++) some |= thinks(team, (ThinkerKind)i);
  return !some;
}

/* ---- reports ---- */

void team_ask_report(Team *team, uint32_t number, const char *move) {
  Text best = {0};
  bool settled;
  ThinkerKind kind = find_best(team, &best, &settled);
  TeamReport report = {.number = number};
  text_format(&report.text, "report %u: %s", number, move);
  if (kind == THINKER_KINDS) {
    text_add(&report.text, ", not searched\n");
  } else {
    text_format(&report.text, ", by a search on %s\n", kind_name(kind));
    report.from = team->members[kind];
    thinker_ask_report(report.from);
  }
  vector_push(&team->reports, report);
  text_free(&best);
}

bool team_take_report(Team *team, uint32_t *number, Text *report) {
  if (!team->reports.count) return false;
  TeamReport *first = &team->reports.data[0];
  if (first->from && !thinker_take_report(first->from, &first->text))
    return false;
  *number = first->number;
  text_add(report, text_string(&first->text));
  text_free(&first->text);
  team->reports.count--;
  memmove(first, first + 1, team->reports.count * sizeof *first);
  return true;
}

bool team_owes(const Team *team) {
  return team->reports.count;
}

void team_free_reports(Team *team) {
  for (uint32_t i = 0; i < team->reports.count; i++)
    text_free(&team->reports.data[i].text);
  vector_free(&team->reports);
}
