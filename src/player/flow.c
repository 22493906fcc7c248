/* The thread that answers. It keeps an engine of its own to know what is legal,
   reads the link some fifty times a second, and leaves thinking to the
   thinkers. A request is answered at once with any legal move, then with what
   the thinkers find; no move is published that the engine finds illegal. */
#include "player/flow.h"

#include <poll.h>

#include "base/clock.h"
#include "player/mend.h"
#include "player/team.h"
#include "rules/rules.h"

enum { TICK = 20 }; /* milliseconds */

/* The share of the time for an answer that finding a skipped turn may take, and
   the least number of seconds it gets. */
static const double resync_share = 0.2, resync_least = 0.05;
/* The least time limit for one state on the rules engine: a busy machine must
   not trip it, and the first state of some public games takes a second. */
static const double state_seconds = 5;

typedef struct Request {
  bool open; /* no final answer yet */
  uint32_t number;
  double deadline;
  Text published; /* the last move sent; empty: none yet */
} Request;

typedef struct Flow {
  const Start *start;
  int link;
  Description description;
  bool playable; /* there is an engine */
  Position position;
  Team team;
  Request request;
  uint32_t told;     /* steps that the server knows */
  uint32_t reported; /* request that the pending report is about */
  bool ready_told;   /* or it is too late for that */
  bool over;
  Text last; /* move last published for any request */
  Text move; /* buffer for choose */
} Flow;

/* ---- sending ---- */

static bool say(const Flow *flow, LinkKind kind, uint32_t number, Text *text) {
  if (text->length > LINK_LARGEST) {
    text->length = LINK_LARGEST;
    text->bytes[LINK_LARGEST] = 0;
  }
  return link_send(flow->link, kind, number, clock_now(), text_string(text));
}

/* Sends each line as a note, and frees the text. */
static void say_notes(const Flow *flow, Text *notes) {
  TextVector lines = {0};
  spelling_split(text_string(notes), &lines);
  for (uint32_t i = 0; i < lines.count; i++)
    say(flow, LINK_NOTE, 0, &lines.data[i]);
  text_vector_free(&lines);
  text_free(notes);
}

/* Returns true if the server now knows all steps. */
static bool tell_steps(Flow *flow) {
  while (flow->told < flow->position.history.count &&
         say(flow, LINK_STEP, flow->told,
             &flow->position.history.data[flow->told]))
    flow->told++;
  return flow->told == flow->position.history.count;
}

static void tell_ready(Flow *flow) {
  flow->ready_told = link_send(flow->link, LINK_READY, 0, clock_now(), "");
}

/* ---- start ---- */

static uint32_t find_role(Flow *flow) {
  uint32_t role;
  if (spelling_role(&flow->description, flow->start->role, &role)) return role;
  Text notes = {0};
  text_format(&notes, "no role '%s': playing the first one", flow->start->role);
  say_notes(flow, &notes);
  return 0;
}

/* Creates an engine on the rules, without those that have errors. */
static void open_position(Flow *flow) {
  const Start *start = flow->start;
  RulesLimits limits = start->limits.rules;
  double least = start->play > state_seconds ? start->play : state_seconds;
  if (limits.seconds <= 0 || limits.seconds > least) limits.seconds = least;
  limits.memory /= 8;
  Text notes = {0};
  mend_read(&flow->description, "rules", start->rules, start->rules_length,
            &notes);
  say_notes(flow, &notes);
  flow->playable = flow->description.rules.roles.count > 0;
  if (!flow->playable) return;
  position_init(&flow->position, rules_engine_new(&flow->description, &limits),
                find_role(flow), start->seed);
}

static void begin(Flow *flow) {
  Text notes = {0};
  open_position(flow);
  if (!flow->playable) {
    text_add(&notes, "the rules have no role: nothing can be played");
  } else {
    team_start(&flow->team, flow->start, &flow->description, &flow->position,
               flow->link);
    position_replay(&flow->position, flow->start->history, &notes);
    flow->told = flow->position.history.count;
  }
  say_notes(flow, &notes);
}

/* ---- answers ---- */

/* Returns what was published before, else any legal move; if there is none, the
   last move of any request: game masters ask even when the game is over. */
static const char *choose_any(const Flow *flow) {
  const Position *position = &flow->position;
  bool first = flow->start->agent->kind == SPEC_LEGAL;
  if (flow->request.published.length) return flow->request.published.bytes;
  if (position->answered.length) return position->answered.bytes;
  if (position->legal.count)
    return position->legal.data[first ? 0 : position->choice].bytes;
  return flow->last.length ? flow->last.bytes : "noop";
}

/* Sets `flow->move`; returns true if there will be no better one. */
static bool choose(Flow *flow) {
  bool settled;
  if (!team_best(&flow->team, &flow->move, &settled)) {
    text_clear(&flow->move);
    text_add(&flow->move, choose_any(flow));
  }
  return settled || team_empty(&flow->team);
}

static void remember(Flow *flow) {
  Text *places[] = {&flow->request.published, &flow->last};
  for (int i = 0; i < 2; i++) {
    text_clear(places[i]);
    text_add(places[i], flow->move.bytes);
  }
  position_answer(&flow->position, flow->move.bytes);
}

static void publish(Flow *flow) {
  Request *request = &flow->request;
  bool final = choose(flow) || flow->position.legal.count == 1 ||
               clock_now() >= request->deadline;
  bool same = request->published.length &&
              strcmp(request->published.bytes, flow->move.bytes) == 0;
  if (same && !final) return;
  /* The step goes before the answer to it; if it cannot, both wait a tick. */
  if (!tell_steps(flow) ||
      !say(flow, final ? LINK_FINAL : LINK_MOVE, request->number, &flow->move))
    return;
  remember(flow);
  request->open = !final;
  if (!final) return;
  team_ask_report(&flow->team);
  flow->reported = request->number;
}

static void send_report(Flow *flow) {
  Text report = {0};
  if (team_take_report(&flow->team, &report))
    say(flow, LINK_REPORT, flow->reported, &report);
  text_free(&report);
}

/* ---- receiving ---- */

static void move_on(Flow *flow, const LinkFrame *frame) {
  Text notes = {0};
  TextVector moves = {0};
  double now = clock_now();
  uint32_t before = flow->position.history.count;
  spelling_split(text_string(&frame->text), &moves);
  double share = (frame->time - now) * resync_share;
  if (share < resync_least) share = resync_least;
  uint32_t kept = position_play(&flow->position, &moves, now + share, &notes);
  text_vector_free(&moves);
  if (kept < flow->told) flow->told = kept;
  tell_steps(flow);
  team_follow(&flow->team, kept, before);
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
  return !flow->playable || clock_now() >= flow->start->start_deadline ||
         choose(flow);
}

static void tick(Flow *flow) {
  if (flow->playable) {
    Text notes = {0};
    team_update(&flow->team, &notes);
    say_notes(flow, &notes);
    tell_steps(flow);
    if (flow->request.open) publish(flow);
    send_report(flow);
  }
  if (!flow->ready_told && is_ready(flow)) tell_ready(flow);
}

/* Waits for a frame, the next deadline or the next tick. A deadline that has
   passed could not be met because the link is full: it waits for a tick. */
static void wait(const Flow *flow) {
  struct pollfd link = {.fd = flow->link, .events = POLLIN};
  double now = clock_now(), next = now + TICK / 1e3;
  double due = flow->request.open ? flow->request.deadline
               : flow->ready_told ? next
                                  : flow->start->start_deadline;
  if (due > now && due < next) next = due;
  poll(&link, 1, (int)((next - now) * 1e3) + 1);
}

static void free_flow(Flow *flow) {
  if (flow->playable) position_free(&flow->position);
  text_free(&flow->request.published);
  text_free(&flow->last);
  text_free(&flow->move);
}

int flow_run(const Start *start, int link) {
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
