/* The thread that answers. It keeps an engine of its own for what is legal,
   reads the link some fifty times a second, and never thinks: thinkers do, one
   at once on the rules, one on the net as soon as there is one. A request is
   answered at once by any legal move, then by whatever the better thinker says;
   nothing is said that the engine does not find legal.

   Memory: half of the limit is for grounding and programs, a quarter for the
   tree on the net, an eighth each for the tree on the rules and for what the
   rules engines derive. */
#include "ggp/flow.h"

#include <errno.h>
#include <poll.h>

#include "base/clock.h"
#include "ggp/mend.h"
#include "ggp/position.h"
#include "ggp/thinker.h"

enum { TICK = 20 }; /* milliseconds */

/* Of the time for an answer, what finding a skipped turn may take. */
static const double resync_share = 0.2, resync_least = 0.05;
/* What a state may take on the rules before that engine is given up, at least:
   noise of a busy machine must not look like it. */
static const double state_seconds = 2;
/* Of the start clock, what grounding may take if that is more than its limit;
   it goes on beside the play if it is less. */
static const double ground_share = 0.6;

typedef struct Request {
  bool open; /* no final answer yet */
  uint32_t number;
  double deadline;
  Text published; /* empty: nothing */
} Request;

typedef struct Flow {
  const FlowStart *start;
  int link;
  Description description;
  Game *rules, *net; /* of the position; NULL: not there (any more) */
  bool playable;     /* there is an engine */
  Position position;
  Thinker *quick, *full; /* on the rules, on the net; NULL: none */
  bool full_failed;      /* but the position may need its net */
  Request request;
  uint32_t told;   /* steps that the server knows */
  bool ready_told; /* or it is too late for that */
  bool over;
  Thinker *reporting; /* NULL: nobody was asked */
  Text last;          /* published for any request */
  Text move;          /* room for the one at hand */
} Flow;

/* ---- saying ---- */

static bool say(const Flow *flow, LinkKind kind, uint32_t number, Text *text) {
  if (text->length > LINK_LARGEST) {
    text->length = LINK_LARGEST;
    text->bytes[LINK_LARGEST] = 0;
  }
  return link_send(flow->link, kind, number, clock_now(), text_string(text));
}

/* Lines, each a note. */
static void say_notes(const Flow *flow, Text *notes) {
  TextVector lines = {0};
  spell_split(text_string(notes), &lines);
  for (uint32_t i = 0; i < lines.count; i++)
    say(flow, LINK_NOTE, 0, &lines.data[i]);
  text_vector_free(&lines);
  text_free(notes);
}

static void tell_steps(Flow *flow) {
  while (flow->told < flow->position.history.count &&
         say(flow, LINK_STEP, flow->told,
             &flow->position.history.data[flow->told]))
    flow->told++;
}

static void tell_ready(Flow *flow) {
  flow->ready_told = link_send(flow->link, LINK_READY, 0, clock_now(), "");
}

/* ---- beginning ---- */

static uint32_t find_role(Flow *flow) {
  uint32_t role = spell_role(&flow->description, flow->start->role);
  if (role != SPELL_NONE) return role;
  Text notes = {0};
  text_format(&notes, "no role '%s': the first one plays", flow->start->role);
  say_notes(flow, &notes);
  return 0;
}

/* An engine on the rules, or on what of them is without errors. */
static void open_position(Flow *flow) {
  const FlowStart *start = flow->start;
  GameLimits limits = start->limits.rules;
  double least = start->play > state_seconds ? start->play : state_seconds;
  if (!limits.seconds || limits.seconds > least) limits.seconds = least;
  limits.memory /= 8;
  Text notes = {0};
  mend_read(&flow->description, "rules", start->rules, start->rules_length,
            &notes);
  say_notes(flow, &notes);
  flow->playable = flow->description.rules.roles.count > 0;
  if (!flow->playable) return;
  flow->rules = rules_engine_new(&flow->description, &limits);
  position_init(&flow->position, flow->rules, find_role(flow), start->seed);
}

static bool is_searching(const FlowStart *start) {
  return start->level != FLOW_LEGAL && start->agent->kind == AGENT_SEARCH;
}

static ThinkerPlan make_plan(const Flow *flow, bool ground) {
  const FlowStart *start = flow->start;
  size_t memory = start->limits.ground.memory;
  const Text *rules = &flow->description.text;
  ThinkerPlan plan = {.rules = rules->bytes,
                      .rules_length = rules->length,
                      .role = flow->position.role,
                      .settings = start->agent->settings,
                      .limits = start->limits,
                      .ground = ground,
                      .seed = start->seed + ground,
                      .link = flow->link};
  double left = (start->start_deadline - clock_now()) * ground_share;
  int64_t tree = (int64_t)((ground ? memory / 4 : memory / 8) >> 20);
  if (tree < 1) tree = 1;
  if (plan.settings.memory > tree) plan.settings.memory = tree;
  if (plan.limits.ground.seconds && plan.limits.ground.seconds < left)
    plan.limits.ground.seconds = left;
  plan.limits.ground.memory = memory / 2;
  plan.limits.rules.memory /= 8;
  return plan;
}

static void start_thinkers(Flow *flow) {
  const FlowStart *start = flow->start;
  if (!is_searching(start) || !description_valid(&flow->description)) return;
  bool full = start->level == FLOW_FULL;
  ThinkerPlan quick = make_plan(flow, false), best = make_plan(flow, true);
  if (full) quick.nice = 5;
  flow->quick = thinker_start(&quick, start->history);
  if (full) flow->full = thinker_start(&best, start->history);
}

static void begin(Flow *flow) {
  Text notes = {0};
  open_position(flow);
  if (!flow->playable) {
    text_add(&notes, "rules without a role: nothing can be played");
  } else {
    start_thinkers(flow);
    position_replay(&flow->position, flow->start->history, &notes);
    flow->told = flow->position.history.count;
  }
  say_notes(flow, &notes);
}

/* ---- thinkers ---- */

static void lose(Flow *flow, Thinker **thinker) {
  if (flow->reporting == *thinker) flow->reporting = NULL;
  thinker_end(*thinker);
  *thinker = NULL;
}

/* The net's engine takes the place of the one on the rules, if both say the
   same of where the match stands. */
static void adopt_net(Flow *flow) {
  Game *game = thinker_take_game(flow->full);
  if (!game) return;
  if (!position_adopt(&flow->position, game)) {
    Text notes = {0};
    text_add(&notes, "the net does not agree with the rules: not used");
    say_notes(flow, &notes);
    game_delete(game);
    lose(flow, &flow->full);
    return;
  }
  flow->net = game;
  game_delete(flow->rules);
  flow->rules = NULL;
}

/* Should the search on the net fail, there is one on the rules again. */
static void replace_full(Flow *flow) {
  if (flow->quick) return;
  ThinkerPlan plan = make_plan(flow, false);
  flow->quick = thinker_start(&plan, &flow->position.history);
}

static void look_after_thinkers(Flow *flow) {
  bool settled;
  if (flow->quick && thinker_failed(flow->quick)) lose(flow, &flow->quick);
  if (!flow->full) return;
  if (thinker_failed(flow->full)) {
    if (flow->net && !flow->full_failed) replace_full(flow);
    if (!flow->net) lose(flow, &flow->full);
    flow->full_failed = true;
    return;
  }
  if (!flow->net) adopt_net(flow);
  text_clear(&flow->move);
  if (flow->full && flow->quick &&
      thinker_best(flow->full, flow->position.history.count, &flow->move,
                   &settled))
    lose(flow, &flow->quick);
}

static void tell_thinkers(Flow *flow, uint32_t kept, uint32_t before) {
  Thinker *thinkers[] = {flow->quick, flow->full};
  for (int i = 0; i < 2; i++) {
    if (!thinkers[i]) continue;
    if (kept < before) thinker_return(thinkers[i], kept);
    for (uint32_t k = kept; k < flow->position.history.count; k++)
      thinker_advance(thinkers[i],
                      text_string(&flow->position.history.data[k]));
  }
}

static bool ask(Flow *flow, Thinker *thinker, bool *settled) {
  text_clear(&flow->move);
  *settled = false;
  if (!thinker) return false;
  if (!thinker_best(thinker, flow->position.history.count, &flow->move,
                    settled))
    return false;
  return !flow->position.legal.count ||
         position_has(&flow->position, flow->move.bytes);
}

/* ---- answering ---- */

/* Any legal move; if there is none, what was said before: game masters ask even
   when the game is over. */
static void choose_any(Flow *flow) {
  const Position *position = &flow->position;
  const AgentSpec *agent = flow->start->agent;
  text_clear(&flow->move);
  if (flow->request.published.length)
    text_add(&flow->move, flow->request.published.bytes);
  else if (position->legal.count)
    text_add(
        &flow->move,
        position->legal.data[agent->kind == AGENT_LEGAL ? 0 : position->choice]
            .bytes);
  else
    text_add(&flow->move, flow->last.length ? flow->last.bytes : "noop");
}

/* The move at hand into `flow->move`; true if no better one will come. */
static bool choose(Flow *flow, Thinker **thinker) {
  bool settled;
  *thinker = NULL;
  if (ask(flow, flow->full, &settled))
    *thinker = flow->full;
  else if (ask(flow, flow->quick, &settled))
    *thinker = flow->quick;
  else
    choose_any(flow);
  bool alone = (!flow->full || flow->full_failed) && !flow->quick;
  return settled || alone || flow->position.legal.count == 1;
}

static void publish(Flow *flow) {
  Request *request = &flow->request;
  Thinker *thinker;
  bool final = choose(flow, &thinker) || clock_now() >= request->deadline;
  bool same = request->published.length &&
              strcmp(request->published.bytes, flow->move.bytes) == 0;
  if (same && !final) return;
  if (!say(flow, final ? LINK_FINAL : LINK_MOVE, request->number, &flow->move))
    return; /* once more at the next tick */
  position_answer(&flow->position, flow->move.bytes);
  text_clear(&request->published);
  text_add(&request->published, flow->move.bytes);
  text_clear(&flow->last);
  text_add(&flow->last, flow->move.bytes);
  request->open = !final;
  if (!final || !thinker) return;
  thinker_ask_report(thinker);
  flow->reporting = thinker;
}

static void send_report(Flow *flow) {
  Text report = {0};
  if (thinker_take_report(flow->reporting, &report)) {
    flow->reporting = NULL;
    say(flow, LINK_REPORT, flow->request.number, &report);
  }
  text_free(&report);
}

/* ---- hearing ---- */

static void move_on(Flow *flow, const LinkFrame *frame) {
  Text notes = {0};
  TextVector moves = {0};
  double now = clock_now();
  uint32_t before = flow->position.history.count;
  spell_split(text_string(&frame->text), &moves);
  double share = (frame->time - now) * resync_share;
  if (share < resync_least) share = resync_least;
  uint32_t kept = position_play(&flow->position, &moves, now + share, &notes);
  text_vector_free(&moves);
  if (kept < flow->told) flow->told = kept;
  tell_steps(flow);
  tell_thinkers(flow, kept, before);
  say_notes(flow, &notes);
}

static void say_goals(Flow *flow) {
  Text notes = {0};
  Game *game = flow->position.game;
  if (game_failed(game)) return;
  text_add(&notes, game_terminal(game) ? "goals:" : "stopped before the end:");
  for (uint32_t role = 0; role < game->role_count; role++) {
    text_add_byte(&notes, ' ');
    term_write(game_terms(game), game_role(game, role), &notes);
    text_format(&notes, " %d", game_goal(game, role));
  }
  say_notes(flow, &notes);
}

static void open_request(Flow *flow, const LinkFrame *frame) {
  Request *request = &flow->request;
  request->open = true;
  request->number = frame->number;
  request->deadline = frame->time;
  text_clear(&request->published);
  flow->ready_told = true;
}

static void hear(Flow *flow, const LinkFrame *frame) {
  if (frame->kind == LINK_STOP) flow->over = true;
  if (!flow->playable) return;
  if (frame->kind == LINK_PLAY || frame->kind == LINK_STOP)
    move_on(flow, frame);
  if (frame->kind == LINK_STOP) say_goals(flow);
  if (frame->kind == LINK_PLAY || frame->kind == LINK_AGAIN) {
    open_request(flow, frame);
    publish(flow);
  }
}

/* ---- the loop ---- */

static bool is_ready(Flow *flow) {
  Thinker *thinker;
  return !flow->playable || clock_now() >= flow->start->start_deadline ||
         (is_searching(flow->start)
              ? choose(flow, &thinker) && flow->position.legal.count != 1
              : true);
}

static void tick(Flow *flow) {
  if (flow->playable) {
    look_after_thinkers(flow);
    tell_steps(flow);
    if (flow->request.open) publish(flow);
    if (flow->reporting) send_report(flow);
  }
  if (!flow->ready_told && is_ready(flow)) tell_ready(flow);
}

/* Until something comes, or it is time to look again. */
static void wait(const Flow *flow) {
  struct pollfd link = {.fd = flow->link, .events = POLLIN};
  double now = clock_now(), next = now + TICK / 1e3;
  if (flow->request.open && flow->request.deadline < next)
    next = flow->request.deadline;
  if (!flow->ready_told && flow->start->start_deadline < next)
    next = flow->start->start_deadline;
  double left = (next - now) * 1e3;
  poll(&link, 1, left <= 0 ? 0 : (int)left + 1);
}

static void free_flow(Flow *flow) {
  text_free(&flow->request.published);
  text_free(&flow->last);
  text_free(&flow->move);
}

int flow_run(const FlowStart *start, int link) {
  Flow flow = {.start = start, .link = link};
  LinkFrame frame = {0};
  LinkEvent event = LINK_EMPTY;
  begin(&flow);
  while (!flow.over && event != LINK_CLOSED) {
    tick(&flow);
    wait(&flow);
    while (!flow.over && (event = link_receive(link, &frame)) == LINK_GOT)
      hear(&flow, &frame);
  }
  text_free(&frame.text);
  free_flow(&flow);
  return 0;
}
